"""Modes with a goal of their own: supa clones, centrifuges and eternal energy."""

from __future__ import annotations

import pytest

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.names import ERAS

from .helpers import ME, drop, laid_out, lawful, nonzero, play, table, with_effect


# -- supa clones ------------------------------------------------------------------------------------
@pytest.mark.parametrize(("level", "count"), [(1, 1), (2, 2), (3, 2)])
def test_supa_clones_at_setup(level, count):
    places = set()
    for seed in range(40):
        supas = laid_out(seed, mode="supa_clones", level=level).view()["supa_clones"]
        assert len(supas) == count
        for where, doom in supas:
            assert (ERAS.index(doom) - ERAS.index(where)) % 7 == 3
            places.add(where)
    assert places == set(ERAS)


def test_each_new_cycle_brings_one_more_supa_clone():
    env = table(mode="supa_clones", foo="dawn", foo_left=[], supa_clones=[("end", "medieval")])
    env.batch.rules["cubes"] = 0
    assert len(lawful(play(env, "stop")).view()["supa_clones"]) == 2
    env = table(mode="supa_clones", foo="dawn", foo_left=["end"], supa_clones=[("end", "medieval")])
    assert len(play(env, "stop").view()["supa_clones"]) == 1


def test_supa_clone_counts_as_two_for_the_drop():
    for seed in range(10):
        env = table(mode="supa_clones", foo_left=["end"], supa_clones=[("end", "medieval")], seed=seed)
        env.batch.rules["new_clones"] = 0
        env = play(env, "stop")
        assert sum(env.view()["rifts"].values()) == 2 + 2 or env.view()["vortices"]


def test_supa_clone_counts_in_the_exact_risk():
    words = {"foo_left": ["end"], "rifts": {"end": 2}}
    plain = table(mode="supa_clones", clones=[("end", "medieval")] * 2, **words).view()["risk"]
    supa = table(mode="supa_clones", supa_clones=[("end", "medieval")], **words).view()["risk"]
    assert supa["end"] == pytest.approx(plain["end"], abs=0.02)  # but for what is left in the bag
    assert supa["end"] > table(mode="supa_clones", **words).view()["risk"]["end"] + 0.1


def test_supa_clone_is_not_destroyed_by_effects():
    words = {"mode": "supa_clones", "at": {ME: "dawn"}, "supa_clones": [("dawn", "industrial")]}
    env = with_effect("destroy 1 clone here", **words)
    assert env.view()["supa_clones"] == [("dawn", "industrial")]
    env = with_effect("destroy 2 clones here", clones=[("dawn", "end")], **words)
    assert env.view()["clones"] == []
    assert env.view()["supa_clones"] == [("dawn", "industrial")]


def test_supa_clone_is_pushed_like_a_clone_and_chosen_by_its_own_action():
    env = with_effect(
        "push 1 clone here",
        mode="supa_clones",
        at={ME: "dawn"},
        supa_clones=[("dawn", "industrial")],
        clones=[("dawn", "industrial")],
    )
    assert env.legal_actions() == ["clone: dawn to industrial", "supa clone: industrial"]
    play(env, "supa clone: industrial", "era: medieval")
    assert env.view()["supa_clones"] == [("medieval", "industrial")]
    assert lawful(env).view()["clones"] == [("dawn", "industrial")]


def test_supa_clone_can_be_either_clone_of_a_swap():
    for here, there in (("supa_clones", "clones"), ("clones", "supa_clones")):
        words = {here: [("dawn", "industrial")], there: [("medieval", "globalization")]}
        env = with_effect(
            "swap a clone here with a clone at an adjacent era", mode="supa_clones", at={ME: "dawn"}, **words
        )
        view = lawful(env).view()
        assert view[here] == [("medieval", "industrial")]
        assert view[there] == [("dawn", "globalization")]


def test_an_era_with_supa_clones_alone_is_not_offered_to_destroy_clones_in():
    env = with_effect(
        "destroy 1 clone at an adjacent era",
        mode="supa_clones",
        at={ME: "dawn"},
        supa_clones=[("medieval", "globalization")],
        clones=[("end", "medieval")],
    )
    assert env.view()["clones"] == []  # there was nothing to choose


def test_supa_clone_dies_in_its_destroy_era_and_leaves_the_game():
    env = with_effect(
        "pull 1 clone",
        mode="supa_clones",
        foo="end",
        at={ME: "end"},
        supa_clones=[("dawn", "end")],
        tiles={"dawn": "clones_at_foo"},
    )
    view = lawful(env).view()
    assert view["supa_clones"] == []
    assert view["damage"]["dawn"] == 1  # a supa clone is a clone
    assert view["bag"] == 28
    assert env.record.clone_at[28:].min() == -2


def last_tile(**words) -> TheLoopEnv:
    """Three tiles are archived, the fourth can be."""
    return table(
        at={ME: "end"}, archived=3, tiles={"end": "pincer", "dawn": "overcharge"}, damage={"end": 3}, **words
    )  # fmt: skip


def test_supa_clones_win_needs_four_tiles_and_no_supa_clone():
    env = play(last_tile(mode="supa_clones"), "stop", "archive")
    assert env.view()["outcome"] == "won"
    env = play(last_tile(mode="supa_clones", supa_clones=[("dawn", "industrial")]), "stop", "archive")
    assert env.view()["outcome"] == "running"
    assert env.view()["phase"] == "draft"


def test_the_last_supa_clone_wins_at_once_if_the_tiles_are_archived():
    env = with_effect(
        "pull 1 clone", mode="supa_clones", archived=4, at={ME: "end"}, supa_clones=[("dawn", "end")]
    )  # fmt: skip
    assert env.view()["outcome"] == "won"


# -- centrifuges ------------------------------------------------------------------------------------
def test_three_centrifuges_stand_in_eras_without_a_rift():
    for level in (1, 2, 3):
        seen = set()
        for seed in range(40):
            view = laid_out(seed, mode="centrifuges", level=level).view()
            assert len(set(view["centrifuges"])) == 3
            assert not any(view["rifts"][era] for era in view["centrifuges"])
            seen |= set(view["centrifuges"])
        assert seen == set(ERAS)


def test_no_loop_in_a_centrifuges_era():
    words = {"mode": "centrifuges", "at": {ME: "end"}, "energy": {"end": 3}, "hand": {ME: ["Spartan Shield"]}}
    assert "loop: spiral" not in table(centrifuges=["end"], **words).legal_actions()
    assert "loop: spiral" in table(centrifuges=["dawn"], **words).legal_actions()


def test_each_centrifuge_swallows_one_energy_after_the_drop():
    env = table(mode="centrifuges", centrifuges=["end", "dawn", "robots"], energy={"end": 2, "dawn": 1, "medieval": 1})
    assert nonzero(lawful(drop(env)).view()["energy"]) == {"end": 1, "medieval": 1}
    assert env.view()["supply"]["energy"] == 28


@pytest.mark.parametrize(("first", "second", "end"), [("dawn", "medieval", "medieval"), ("end", "dawn", "dawn")])
def test_swallowed_eternal_energy_moves_on_by_one_era(first, second, end):
    env = table(mode="centrifuges", centrifuges=[first, second], energy={first: 1}, eternal={first: 1})
    view = lawful(drop(env)).view()
    assert nonzero(view["eternal"]) == nonzero(view["energy"]) == {end: 1}
    assert view["supply"]["eternal"] == 4


def test_a_move_paid_with_eternal_energy_sends_it_on():
    env = table(mode="centrifuges", at={ME: "end"}, energy={"end": 1}, eternal={"end": 1}, battery={ME: False})
    assert nonzero(lawful(play(env, "move: robots")).view()["eternal"]) == {"dawn": 1}


def test_a_shutdown_paid_with_eternal_energy_sends_it_on():
    env = table(mode="centrifuges", at={ME: "end"}, energy={"end": 2}, eternal={"end": 2}, centrifuges=["end"])
    assert nonzero(lawful(play(env, "shut down")).view()["eternal"]) == {"dawn": 2, "end": 1}


def test_eternal_energy_counts_as_energy_added():
    tiles = {"tiles": {"end": "feed_the_tile", "dawn": "pincer"}}
    env = table(mode="centrifuges", at={ME: "end"}, energy={"end": 2}, centrifuges=["end"], **tiles)
    assert play(env, "shut down").view()["damage"]["end"] == 1


@pytest.mark.parametrize(("level", "cost"), [(1, 2), (2, 3), (3, 4)])
def test_shutting_down_costs_energy_by_level_and_brings_eternal_energy(level, cost):
    words = {"mode": "centrifuges", "level": level, "at": {ME: "end"}, "centrifuges": ["end", "dawn"]}
    assert "shut down" not in table(energy={"end": cost - 1}, **words).legal_actions()
    env = table(energy={"end": cost + 1}, **words)
    view = lawful(play(env, "shut down")).view()
    assert view["centrifuges"] == ["dawn"]
    assert view["energy"]["end"] == 1 + 1  # what is left, and an eternal one
    assert view["eternal"]["end"] == 1
    assert view["supply"] == {"rifts": 30, "energy": 29, "eternal": 4}


@pytest.mark.parametrize(
    "obstacle", [{"rifts": {"end": 1}}, {"clones": [("end", "dawn")]}, {"at": {ME: "dawn"}}]
)  # fmt: skip
def test_no_shutting_down_beside_a_rift_or_a_clone_or_from_elsewhere(obstacle):
    words = {"mode": "centrifuges", "at": {ME: "end"}, "centrifuges": ["end"], "energy": {"end": 5, "dawn": 5}}
    assert "shut down" in table(**words).legal_actions()
    assert "shut down" not in table(**(words | obstacle)).legal_actions()


def test_an_archived_tile_brings_eternal_energy():
    words = {"at": {ME: "end"}, "tiles": {"end": "pincer", "dawn": "overcharge"}, "damage": {"end": 3}}
    env = play(table(mode="centrifuges", centrifuges=["dawn"], **words), "stop", "archive")
    assert lawful(env).view()["eternal"]["end"] == 1
    env = play(table(mode="sabotage", **words), "stop", "archive")
    assert env.view()["eternal"]["end"] == 0


def test_there_are_five_cubes_of_eternal_energy():
    env = table(
        mode="centrifuges", at={ME: "end"}, centrifuges=["end"], energy={"dawn": 5, "end": 2}, eternal={"dawn": 5}
    )
    view = lawful(play(env, "shut down")).view()
    assert sum(view["eternal"].values()) == 5
    assert view["supply"]["eternal"] == 0


def test_spent_eternal_energy_moves_on_to_the_next_era():
    env = table(mode="centrifuges", at={ME: "end"}, energy={"end": 2}, eternal={"end": 1})
    view = lawful(play(env, "loop: star")).view()
    assert view["eternal"] == dict.fromkeys(ERAS, 0) | {"dawn": 1}
    assert nonzero(view["energy"]) == {"end": 1, "dawn": 1}
    assert view["supply"]["energy"] == 29


def test_plain_and_eternal_energy_can_be_swapped():
    words = {"energy": {"dawn": 1, "medieval": 1}, "eternal": {"medieval": 1}}
    env = with_effect("swap energy with an adjacent era", mode="centrifuges", at={ME: "dawn"}, **words)
    play(env, "era: medieval")
    assert nonzero(env.view()["eternal"]) == {"dawn": 1}


def test_eternal_energy_goes_along_in_a_swap_and_withstands_a_mega_vortex():
    env = with_effect(
        "swap energy with a vortex",
        mode="centrifuges",
        level=2,
        at={ME: "dawn"},
        vortices=["medieval"],
        energy={"dawn": 3},
        eternal={"dawn": 1},
    )
    assert nonzero(lawful(env).view()["energy"]) == {"medieval": 1}


def test_centrifuges_win_needs_four_tiles_and_no_centrifuge():
    env = play(last_tile(mode="centrifuges", centrifuges=["dawn"]), "stop", "archive")
    assert env.view()["outcome"] == "running"
    assert play(last_tile(mode="centrifuges"), "stop", "archive").view()["outcome"] == "won"
    env = table(mode="centrifuges", archived=4, at={ME: "end"}, energy={"end": 2}, centrifuges=["end"])
    assert play(env, "shut down").view()["outcome"] == "won"
