"""Setting up a game."""

from __future__ import annotations

import numpy as np
import pytest

from loop_env.engine.batch import Batch
from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.options import set_up
from loop_env.the_loop.reward import Reward
from loop_env.the_loop.state import BOX, DECK, HAND

AGENTS = ["time_prowler", "robot_404", "mister_time", "cztwyzzek"]


def before_foo(players: int, seed: int) -> TheLoopEnv:
    """A game as it is laid out, if the first Foo phase brings nothing."""
    env = TheLoopEnv(agents=AGENTS[:players])
    env.batch.rules["cubes"] = -20  # no rift falls, whatever the clones
    env.batch.rules["new_clones"] = 0
    env.batch.rules["new_cards"] = 0
    env.reset(seed=seed)
    return env


@pytest.mark.parametrize(("players", "clones", "cards"), [(2, 7, 2), (3, 5, 3), (4, 4, 4)])
def test_setup_by_number_of_players(players, clones, cards):
    for seed in range(20):
        view = before_foo(players, seed).view()
        assert len(view["clones"]) == clones
        assert len(view["available"]) == cards
        assert len(view["agents"]) == players


def test_two_eras_start_with_a_rift_and_an_open_mission_the_others_with_energy():
    for seed in range(20):
        view = before_foo(2, seed).view()
        rifts = {era for era, count in view["rifts"].items() if count}
        opened = {era for era, tile in view["tiles"].items() if tile != "face down"}
        energy = {era for era, count in view["energy"].items() if count}
        assert len(rifts) == 2
        assert rifts == opened
        assert energy == set(ERAS) - rifts
        assert set(view["energy"].values()) == {0, 1}
        assert None not in view["tiles"].values()


def test_a_new_clone_stands_in_its_spawn_era():
    for seed in range(20):
        env = before_foo(2, seed)
        g, r = env.record, env.batch.rules[0]
        out = g.clone_at >= 0
        assert (g.clone_at[out] == r.spawn[out]).all()


def test_an_available_card_lies_beside_its_origin_era():
    env = before_foo(4, 3)
    g, r = env.record, env.batch.rules[0]
    for era in range(7):
        for card in g.available[era, : g.available_size[era]]:
            assert r.card_origin[card] == era


def test_everyone_starts_with_three_ready_cards_and_three_in_the_deck():
    env = before_foo(4, 1)
    g, r = env.record, env.batch.rules[0]
    for seat in range(4):
        own = np.flatnonzero(r.owner == g.agent[seat])
        assert sorted(g.place[own]) == [DECK + seat] * 3 + [HAND + seat] * 3
    assert env.view()["exhausted"] == []
    assert all(env.view()["battery"].values())


def test_agents_start_in_their_eras():
    starts = {
        "time_prowler": "globalization",
        "robot_404": "robots",
        "mister_time": "industrial",
        "cztwyzzek": "end",
    }
    assert before_foo(4, 0).view()["at"] == starts


def test_cards_of_agents_who_do_not_play_stay_in_the_box():
    env = before_foo(2, 0)
    assert (env.record.place == BOX).sum() == 18
    assert env.view()["arsenal"] == 49 - 2


def test_every_tile_foo_card_and_first_player_comes_up_equally_often():
    """Luck is fair: 4,000 games, each count within five standard deviations."""
    rules = set_up(agents=AGENTS[:3])
    batch = Batch(THE_LOOP, rules, Reward().record(rules), 4000)
    batch.start(np.arange(4000))
    games = batch.games

    def fair(values, kinds):
        counts = np.bincount(values, minlength=kinds)
        expected = counts.sum() / kinds
        assert (abs(counts - expected) < 5 * np.sqrt(expected)).all(), counts

    fair(games["active"], 3)
    fair(games["foo"], 7)
    opened = games["tile"][games["tile"] >= 0]
    fair(opened, 10)


def test_a_number_of_agents_draws_them_anew():
    env = TheLoopEnv(agents=3)
    teams = set()
    for seed in range(60):
        _, info = env.reset(seed=seed)
        assert len(set(info["agents"])) == 3
        teams.add(tuple(sorted(info["agents"])))
    assert len(teams) == 10
