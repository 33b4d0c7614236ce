"""Levels: what they change, and mega-vortices."""

from __future__ import annotations

import pytest

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.data import FOLDER
from loop_env.the_loop.names import ERAS

from .helpers import ME, drop, laid_out, lawful, nonzero, play, table, with_effect


@pytest.mark.parametrize(("level", "rifts", "extra"), [(1, 2, 0), (2, 3, 1), (3, 3, 2)])
def test_level_setup(level, rifts, extra):
    for seed in range(10):
        view = laid_out(seed, level=level).view()
        assert sum(view["rifts"].values()) == rifts
        assert len(view["clones"]) == 7 + extra
        opened = [era for era, tile in view["tiles"].items() if tile != "face down"]
        assert len(opened) == 2
        assert all(view["rifts"][era] for era in opened)


@pytest.mark.parametrize(
    ("level", "clones"), [(1, [1, 2, 3]), (2, [1, 2, 3]), (3, [2, 3, 4])]
)  # fmt: skip
def test_level_clones_per_cycle(level, clones):
    for cycle, expected in enumerate(clones, 1):
        env = play(table(level=level, cycle=cycle), "stop")
        assert len(env.view()["clones"]) == expected


@pytest.mark.parametrize(("level", "cubes"), [(1, 2), (2, 2), (3, 2)])
def test_level_cubes_in_a_drop(level, cubes):
    env = table(level=level, foo_left=["end"])
    env.batch.rules["new_clones"] = 0
    assert sum(play(env, "stop").view()["rifts"].values()) == cubes


def test_levels_go_by_name_too():
    assert TheLoopEnv(level="living_legend").reset(seed=1)[1]["level"] == 3


def test_mega_vortex_returns_the_energy_of_its_era():
    env = table(level=2, foo="end", rifts={"end": 3}, energy={"end": 4, "dawn": 1})
    view = lawful(drop(env, end=1)).view()
    assert view["vortices"] == ["end"]
    assert nonzero(view["energy"]) == {"dawn": 1}
    assert view["supply"]["energy"] == 29


def test_plain_vortex_keeps_the_energy_of_its_era():
    env = table(level=1, foo="end", rifts={"end": 3}, energy={"end": 4})
    assert drop(env, end=1).view()["energy"]["end"] == 4


def test_mega_vortex_swallows_added_energy_which_is_counted_all_the_same():
    env = with_effect(
        "add 2 energy at the next era", level=2, at={ME: "dawn"}, vortices=["medieval"], tiles={"end": "feed_the_tile"}
    )
    assert lawful(env).view()["energy"]["medieval"] == 0
    assert env.record.total_energy == 2
    env = with_effect("add 2 energy at the next era", at={ME: "dawn"}, vortices=["medieval"])
    assert env.view()["energy"]["medieval"] == 2


def test_energy_that_a_mega_vortex_swallows_damages_tiles(tmp_path):
    """No tile lies at a vortex, so it takes a mission of one's own to see: energy added in any era."""
    text = (FOLDER / "missions.toml").read_text()
    own = text.replace('event = "loop"\nwhere = "each_era"', 'event = "energy"\nwhere = "each_era"')
    assert own != text
    (tmp_path / "missions.toml").write_text(own)
    words = {"agents": (ME, "robot_404"), "level": 2, "at": {ME: "dawn"}, "vortices": ["medieval"]}
    env = table(hand={ME: ["Ion Chronograph"]}, data=str(tmp_path), tiles={"end": "loops_everywhere"}, **words)
    env.record.at[1] = ERAS.index("medieval")
    play(env, "play: Ion Chronograph")
    assert env.view()["damage"]["end"] == ["medieval"]
    assert env.view()["energy"]["medieval"] == 0


def test_mega_vortex_swallows_swapped_energy():
    env = with_effect("swap energy with a vortex", level=2, at={ME: "dawn"}, vortices=["medieval"], energy={"dawn": 3})
    assert nonzero(lawful(env).view()["energy"]) == {}
