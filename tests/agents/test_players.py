"""Players: what they see, how they are found by name, and that they play by the rules."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from agents.base import Agent, Boards
from agents.match import Match, play_match
from agents.random_agent import RandomAgent
from agents.registry import load
from agents.scripted import Scripted
from loop_env import UserError
from loop_env.the_loop import position
from loop_env.the_loop.env import make_parts

BOT = """
import numpy as np

class First:
    def act(self, boards):
        return boards.masks.argmax(1)

class Seeded(First):
    def __init__(self, seed):
        self.seed = seed

class Lame:
    pass

class Cheat:
    def act(self, boards):
        return np.full(len(boards), 104)

class Vague:
    def act(self, boards):
        return boards.masks[0]

class Fussy:
    def __init__(self, wishes):
        pass
    def act(self, boards):
        return boards.masks.argmax(1)
"""


@pytest.fixture
def bot(tmp_path: Path) -> str:
    path = tmp_path / "my_bot.py"
    path.write_text(BOT)
    return str(path)


class Spy(Agent):
    """Random, but keeps what it was shown."""

    def __init__(self) -> None:
        self.seen: list[Boards] = []

    def act(self, boards: Boards) -> np.ndarray:
        self.seen.append(boards)
        return RandomAgent().act(boards)


# -- what a player sees ----------------------------------------------------------------------------
def test_a_player_sees_only_running_games():
    spy = Spy()
    played = play_match(spy, make_parts(), range(20))
    shown = np.zeros(20, int)
    for boards in spy.seen:
        assert len(boards) == len(boards.masks) == len(boards.observations) == len(boards.luck)
        assert (boards._records["outcome"] == 0).all()
        shown[boards.rows] += 1
    assert shown.tolist() == played.results["decisions"].tolist()


def test_copies_keep_the_table_but_not_the_future():
    spy = Spy()
    match = Match(spy, make_parts(), range(5))
    match.step()
    boards, true = spy.seen[0], spy.seen[0]._records
    one, two = boards.copies(), boards.copies()
    for copies in (one, two):
        assert not (copies["luck"] == true["luck"]).any()
        assert not (copies["seed"] == true["seed"]).any()
        for name in true.dtype.names:
            if name not in ("luck", "seed"):
                assert (copies[name] == true[name]).all()
    assert not (one["luck"] == two["luck"]).any()


def test_what_a_player_does_to_its_boards_changes_no_game():
    class Vandal(Agent):
        def act(self, boards):
            actions = RandomAgent().act(boards)
            boards._records["outcome"] = 1
            boards.masks[:], boards.observations[:] = 0, 0
            return actions

    seeds = range(10)
    calm, wild = (play_match(agent, make_parts(), seeds, keep_actions=True) for agent in (RandomAgent(), Vandal()))
    assert calm.actions == wild.actions


@pytest.mark.parametrize("agent", [RandomAgent(), Scripted()])
def test_a_game_is_the_same_in_any_company(agent):
    parts = make_parts(agents=3)
    together = play_match(agent, parts, range(8), keep_actions=True)
    alone = [play_match(agent, parts, [seed], keep_actions=True).actions[0] for seed in range(8)]
    assert together.actions == alone
    assert play_match(agent, parts, range(8), seed=1, keep_actions=True).actions != alone


# -- the players -----------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", ["random", "scripted"])
def test_players_make_possible_moves_only(name, players):
    """`play_match` would complain."""
    agent = load(name, "the_loop")
    played = play_match(agent, make_parts(agents=players), range(5))
    assert agent.name == name
    assert (played.results["outcome"] != "running").all()


def test_scripted_beats_random():
    scripted, other = (play_match(agent, make_parts(), range(30)).results for agent in (Scripted(), RandomAgent()))
    assert scripted["tiles"].mean() > other["tiles"].mean() + 1
    assert scripted["turns"].mean() > other["turns"].mean() + 3


# -- by name ---------------------------------------------------------------------------------------
def test_a_bot_from_a_file(bot):
    for name in ("First", "Seeded"):
        agent = load(f"{bot}:{name}", "the_loop", seed=3)
        assert agent.name == f"my_bot.py:{name}"
        assert play_match(agent, make_parts(), range(3)).results["turns"].min() > 0
    assert agent.seed == 3


@pytest.mark.parametrize(
    ("spec", "sentence"),
    [
        ("{bot}:Fisrt", "has no class 'Fisrt'; did you mean 'First'?"),
        ("{bot}:Lame", "has no method act"),
        ("{bot}:Fussy", "cannot be made"),
        ("{bot}", "must say which class"),
        ("nowhere.py:Bot", "there is no file 'nowhere.py'"),
        ("scriptd", "player 'scriptd' is unknown; did you mean 'scripted'?"),
        ("random@50", "player 'random@50' has no budget"),
        ("random@many", "must be a whole number from 1 to"),
        ("tests", "there is no checkpoint 'tests/best.safetensors'"),
    ],
)
def test_unknown_players(bot, spec, sentence):
    with pytest.raises(UserError, match="^.*" + sentence.replace("?", r"\?")):
        load(spec.format(bot=bot), "the_loop")


def test_a_file_that_cannot_be_imported(tmp_path):
    path = tmp_path / "broken.py"
    path.write_text("def act(:\n")
    with pytest.raises(UserError, match=r"broken.py' cannot be imported: SyntaxError"):
        load(f"{path}:Bot", "the_loop")


def test_an_impossible_action_is_told_with_seed_and_decision(bot):
    with pytest.raises(UserError, match=r"my_bot.py:Cheat chose action 104, .* seed 40, decision 1; possible are: 0"):
        play_match(load(f"{bot}:Cheat", "the_loop"), make_parts(), [40, 41])


def test_actions_of_the_wrong_shape(bot):
    with pytest.raises(UserError, match=r"my_bot.py:Vague must choose 2 whole numbers"):
        play_match(load(f"{bot}:Vague", "the_loop"), make_parts(), [40, 41])


# -- in every mode -----------------------------------------------------------------------------------
@pytest.mark.parametrize("player", ["random", "scripted", "planner@60"])
@pytest.mark.parametrize("solo", [False, True])
def test_every_player_plays_every_mode_and_level_to_the_end(player, solo):
    parts = make_parts("any", "any", "any", solo)
    played = play_match(load(player, "the_loop"), parts, range(40))
    assert set(played.results["mode"]) == {"sabotage", "supa_clones", "centrifuges", "ultramachina"}
    assert set(played.results["level"]) == {1, 2, 3}
    assert (played.results["outcome"] != "running").all()
    assert set(played.results["solo"]) == {solo}


def test_the_planner_counts_what_it_looks_at():
    agent = load("planner@50", "the_loop")
    match = Match(agent, make_parts(), range(10))
    for _ in range(5):
        before = agent.looked_at
        match.step()
        assert 0 < agent.looked_at - before <= 10 * 50


def test_the_planner_chooses_alike_whatever_luck_will_bring():
    """Two games that differ only in what is hidden and in what will happen, shown with the same search luck."""
    spy = Spy()
    match = Match(spy, make_parts(), range(30))
    for _ in range(12):
        match.step()
    seen, luck = spy.seen[-1], np.arange(len(spy.seen[-1])).astype(np.uint64)
    same = replace(seen, luck=luck.copy())
    other = replace(seen, luck=luck.copy(), _records=seen.copies())
    planner = load("planner@200", "the_loop")
    assert (planner.act(same) == planner.act(other)).all()


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("centrifuges", {"energy": {"end": 2}, "centrifuges": ["end"]}),
        ("supa_clones", {"supa_clones": [("dawn", "end")], "hand": {"mister_time": ["Mechanical Grapple"]}}),
    ],
)
@pytest.mark.parametrize("player", ["scripted", "planner@300"])
def test_players_do_the_last_thing_that_a_mode_asks_for(player, mode, words):
    env = position(mode=mode, at={"mister_time": "end"}, archived=4, **words)
    agent, turn = load(player, "the_loop"), env.record.turn
    while not env.is_over() and env.record.turn == turn:
        luck, batch = np.ones(1, np.uint64), env.batch
        boards = Boards(make_parts(mode), np.arange(1), batch.observations, batch.masks, luck, batch.games)
        env.step(agent.act(boards)[0])
    assert env.view()["outcome"] == "won"
