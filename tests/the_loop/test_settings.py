"""Modes, levels and agents that are drawn, seen, drawn on the board, and written by users."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.data import FOLDER
from loop_env.the_loop.names import ERAS

from .helpers import DATA, ME, MODES, laid_out, play, see, see_era, table


# -- all together -----------------------------------------------------------------------------------
def test_any_draws_mode_level_agents_and_solo_anew_and_info_says_which():
    env = gym.make("loop_env/TheLoop-v0", mode="any", level="any", agents="any", solo="any")
    seen = set()
    for seed in range(1000):
        _, info = env.reset(seed=seed)
        seen.add((info["mode"], info["level"], len(info["agents"]), info["solo"]))
    assert len(seen) == 4 * 3 * 3 * 2


def test_weights_say_how_often_each_is_drawn():
    env = TheLoopEnv(mode={"sabotage": 3, "centrifuges": 1}, level=[1, 3], agents={2: 1, 4: 0})
    drawn = [env.reset(seed=seed)[1] for seed in range(400)]
    modes = [info["mode"] for info in drawn]
    assert set(modes) == {"sabotage", "centrifuges"}
    assert 0.68 < modes.count("sabotage") / 400 < 0.82
    assert {info["level"] for info in drawn} == {1, 3}
    assert {len(info["agents"]) for info in drawn} == {2}


def test_the_end_of_a_game_says_what_was_played():
    env = gym.make_vec("loop_env/TheLoop-v0", num_envs=32, mode="any", level="any", agents="any", solo="any")
    _, infos = env.reset(seed=0)
    rng, seen = np.random.default_rng(0), set()
    for _ in range(300):
        actions = [rng.choice(np.flatnonzero(mask)) for mask in infos["action_mask"]]
        _, _, ended, _, infos = env.step(np.array(actions))
        for i in np.flatnonzero(ended):
            seen.add((infos["mode"][i], int(infos["level"][i]), int(infos["players"][i]), bool(infos["solo"][i])))
    assert {mode for mode, *_ in seen} == set(MODES)
    assert {level for _, level, *_ in seen} == {1, 2, 3}
    assert {(players, solo) for *_, players, solo in seen} == {(p, s) for p in (2, 3, 4) for s in (False, True)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_observation_tells_mode_level_and_solo(mode, level):
    env = TheLoopEnv(mode=mode, level=level, agents=3, solo=True)
    env.reset(seed=5)
    assert see(env, "mode").tolist() == [float(i == MODES.index(mode)) for i in range(8)]
    assert see(env, "level").tolist() == [float(i == level - 1) for i in range(3)]
    assert see(env, "solo") == 1
    assert see(env, "mega_vortex") == (level > 1)


def test_the_observation_tells_every_component():
    env = table(mode="supa_clones", supa_clones=[("robots", "medieval")])
    column = see_era(env, "supa_clones")
    assert column[ERAS.index("robots"), 3] == 1
    assert column.sum() == 1
    assert see_era(env, "drop")[ERAS.index("robots")] == pytest.approx(4 / 12)
    assert see(env, "supas_to_come") == pytest.approx(1 / 7)
    assert see(table(mode="supa_clones", cycle=3), "supas_to_come") == 0
    env.record.clone_at[28:] = -2  # all are gone
    env.batch.look()
    assert see(env, "supas_to_come") == 0
    env = table(mode="centrifuges", centrifuges=["end"], energy={"dawn": 2}, eternal={"dawn": 1})
    assert see_era(env, "centrifuge")[:, 0].tolist() == [float(era == "end") for era in ERAS]
    assert see_era(env, "eternal")[0] == pytest.approx(0.1)
    assert see(env, "shutdown_energy") == pytest.approx(0.2)
    assert see(env, "eternal_supply") == pytest.approx(0.4)
    env = table(mode="ultramachina", machina="Recoil")
    names = [card.name for card in DATA.ultramachina]
    assert see(env, "machina").tolist() == [float(name == "Recoil") for name in names]
    assert see(env, "machina_to_come").tolist() == [float(name != "Recoil") for name in names]
    assert see(env, "machina_next") == 0
    assert see(table(mode="ultramachina", foo_left=ERAS[2:]), "machina_next") == 1  # it is turn 2


def test_fourteen_ultramachina_cards_no_two_alike():
    bends = [card.bends() for card in DATA.ultramachina]
    assert len(bends) == len(set(bends)) == 14
    assert bends.count("") == 1


@pytest.mark.parametrize("mode", MODES)
def test_the_board_is_drawn_in_every_mode(mode):
    env = TheLoopEnv(mode=mode, level=3, solo=True, agents=4, render_mode="ansi")
    env.reset(seed=2)
    drawn = env.render()
    assert f"{mode}, level 3, solo" in drawn
    for word, modes in {
        "supa": ["supa_clones"],
        "<centrifuge>": ["centrifuges"],
        "Ultramachina": ["ultramachina"],
    }.items():
        assert (word in drawn) == (mode in modes)


# -- modes of one's own -----------------------------------------------------------------------------
def own_mode(folder, text: str) -> str:
    (folder / "modes.toml").write_text(f'[[mode]]\nid = "mine"\nname = "Mine"\nabout = "All at once."\n{text}\n')
    return str(folder)


def test_an_own_mode_puts_components_together(tmp_path):
    data = own_mode(
        tmp_path,
        "tiles_to_win = 2\nsupa_clones = 1\ncentrifuges = [1, 2, 3]\nshutdown_energy = 1\nultramachina_every = 1",
    )
    view = laid_out(0, mode="mine", level=2, data=data).view()
    assert len(view["supa_clones"]) == 1
    assert len(view["centrifuges"]) == 2
    assert view["machina"] is not None
    words = {"mode": "mine", "data": data, "archived": 1, "at": {ME: "end"}}
    tiles = {"tiles": {"end": "pincer", "dawn": "overcharge"}, "damage": {"end": 3}}
    assert play(table(**words, **tiles), "stop", "archive").view()["outcome"] == "won"
    env = play(table(**words, **tiles, centrifuges=["dawn"]), "stop", "archive")
    assert env.view()["outcome"] == "running"


def test_an_own_mode_is_fuzzed_without_a_broken_law(tmp_path):
    from loop_env.engine.fuzz import Fuzzer
    from loop_env.the_loop import commands
    from loop_env.the_loop.options import set_up

    data = own_mode(
        tmp_path,
        "supa_clones = 2\nsupa_clones_per_cycle = 2\ncentrifuges = 4\neternal_energy = 9\nultramachina_every = 2",
    )
    rules = commands.gentle(set_up(data, mode="mine", level="any", agents="any", solo="any"))
    _, breaches = next(Fuzzer(commands.game(), rules, commands.decision_bound()).run(300, 0))
    assert breaches == []


def test_an_own_folder_may_have_fewer_levels(tmp_path):
    text = (FOLDER / "levels.toml").read_text()
    (tmp_path / "levels.toml").write_text("[[level]]".join(text.split("[[level]]")[:2]))
    env = TheLoopEnv(mode="supa_clones", data=str(tmp_path))
    assert env.reset(seed=1)[1]["level"] == 1
    with pytest.raises(ValueError, match="level 2 is unknown"):
        TheLoopEnv(level=2, data=str(tmp_path))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("supa_clones = 8", ["'mine'", "supa_clones = 8 must lie between 0 and 7"]),
        ("supa_clones = [1, 2]", ["'mine'", "supa_clones = [1, 2] must be 3 whole numbers"]),
        ("centrifuges = 5", ["'mine'", "centrifuges = 5 is too many at level 2"]),
        ("centrifugs = 2", ["'mine'", "'centrifugs' is not a field"]),
        ("tiles_to_win = 0", ["'mine'", "tiles_to_win = 0"]),
    ],
)
def test_a_mistake_in_a_mode_gives_one_sentence(tmp_path, text, words):
    with pytest.raises(ValueError, match=r"modes\.toml") as caught:
        TheLoopEnv(mode="mine", data=own_mode(tmp_path, text))
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"centrifuges": ["end"]}, "centrifuges: 1, but this mode has 0 at this level"),
        ({"energy": {"end": 1}, "eternal": {"end": 1}}, "eternal: 1 cubes, but this mode has 0"),
        ({"mode": "centrifuges", "eternal": {"end": 1}}, "eternal: 1 in end, of 0 energy"),
        ({"machina": "Tea Break"}, "ultramachina card 'Tea Break' is unknown"),
        ({"mode": "any"}, "mode must be one thing here"),
    ],
)
def test_a_position_that_does_not_fit_the_mode_gets_one_sentence(words, sentence):
    with pytest.raises(ValueError, match=sentence):
        table(**words)
