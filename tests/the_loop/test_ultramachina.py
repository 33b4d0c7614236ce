"""Ultramachina cards, one by one."""

from __future__ import annotations

import numpy as np
import pytest

from loop_env.the_loop import TheLoopEnv

from .helpers import DATA, ME, lawful, nonzero, play, table


@pytest.mark.parametrize(("level", "every"), [(1, 3), (2, 2), (3, 1)])
def test_ultramachina_card_every_third_second_or_single_turn(level, every):
    env = TheLoopEnv(mode="ultramachina", level=level)
    env.batch.rules["cubes"], env.batch.rules["opposite_cubes"] = -60, 0
    env.reset(seed=3)
    shown = []
    while not env.is_over():
        turn = env.view()["turn"]
        if len(shown) < turn:
            shown.append(env.view()["machina"])
        mask = env.action_masks()
        env.step(int(np.flatnonzero(mask)[-1]) if "stop" not in env.legal_actions() else actions_of(env)["stop"])
    assert [turn for turn, card in enumerate(shown, 1) if card] == [t for t in range(1, 22) if t % every == 0]
    told = [card for card in shown if card]
    assert len(set(told[:14])) == len(told[:14])  # the deck is shuffled only when it is empty
    assert len(env.view()["machina_left"]) == -len(told) % 14  # and then it has all cards again


def actions_of(env: TheLoopEnv) -> dict[str, int]:
    """What is possible now, by name."""
    return {env.action_name(int(a)): int(a) for a in np.flatnonzero(env.action_masks())}


def next_turn(card: str | None, **words) -> TheLoopEnv:
    """The table after the next Foo phase, in which this ultramachina card is revealed; no clone comes."""
    words = {"agents": (ME, "v_girl")} | words  # who have nothing to say in the Foo phase
    env = table(mode="ultramachina", level=3 if card else 1, **words)
    env.batch.rules["cubes"], env.batch.rules["new_clones"] = 2, words.get("new_clones", 0)
    if card:
        names = [c.name for c in DATA.ultramachina]
        env.record.machina_seen[:] = [name != card for name in names]
    play(env, "stop")
    assert env.view()["machina"] == card
    return lawful(env)


def rifts(env: TheLoopEnv) -> int:
    return sum(env.view()["rifts"].values())


@pytest.mark.parametrize(("card", "cubes"), [(None, 2), ("Slow Boil", 3), ("Lunch Break", 2)])
def test_ultramachina_more_cubes(card, cubes):
    assert rifts(next_turn(card, foo_left=["end"])) == cubes


def test_ultramachina_two_more_cubes():
    env = next_turn("Full Steam", foo_left=["end"], seed=1)
    assert rifts(env) == 4


def test_ultramachina_every_cube_leaves_by_the_middle_chute():
    for seed in range(5):
        assert nonzero(next_turn("Plumb Line", foo_left=["end"], seed=seed).view()["rifts"]) == {"end": 2}


def test_ultramachina_the_middle_chute_takes_the_clones_cubes_too():
    view = next_turn("Plumb Line", foo_left=["end"], clones=[("end", "dawn")]).view()
    assert nonzero(view["rifts"]) == {"end": 3}


def test_ultramachina_cubes_opposite_foo():
    view = next_turn("Back Pressure", foo_left=["dawn"], foo="end", rifts={"industrial": 3}).view()
    assert view["vortices"] == ["industrial"]
    assert view["rifts"]["globalization"] == 1
    assert sum(view["rifts"].values()) == 2 + 1


def test_ultramachina_clone_appears_where_foo_is():
    places = set()
    for seed in range(30):
        env = table(mode="ultramachina", level=3, foo_left=["end"], seed=seed)
        env.batch.rules["new_clones"] = 1
        env.record.machina_seen[:] = [c.name != "Express Cloning" for c in DATA.ultramachina]
        clones = lawful(play(env, "stop")).view()["clones"]
        places |= {where for where, _ in clones}
        assert len(clones) <= 1  # a clone that would die there stays in the bag
    assert places == {"end"}


def test_ultramachina_the_machine_turns_on_after_the_drop():
    env = next_turn("Loose Bearings", foo_left=["end"])
    assert env.view()["foo"] == "dawn"
    assert nonzero(env.view()["rifts"]).keys() <= {"robots", "end", "dawn"}


def test_ultramachina_a_lost_mission_is_replaced_before_the_machine_turns():
    words = {"tiles": {"end": "pincer", "robots": "overcharge"}, "rifts": {"end": 3}, "foo_left": ["end"]}
    found = 0
    for seed in range(20):
        view = next_turn("Loose Bearings", seed=seed, **words).view()
        if view["vortices"] == ["end"]:
            found += 1
            assert view["foo"] == "dawn"
            assert view["tiles"]["dawn"] != "face down"  # the next after Foo's era, which has none
            assert view["tiles"]["medieval"] == "face down"
    assert found > 3


def test_ultramachina_no_free_move():
    assert not any(a.startswith("free move") for a in next_turn("Flat Batteries").legal_actions())
    assert any(a.startswith("free move") for a in next_turn("Lunch Break").legal_actions())


def test_ultramachina_each_loop_costs_one_more():
    words = {"mode": "ultramachina", "at": {ME: "end"}, "hand": {ME: ["Spartan Shield"]}}
    assert "loop: spiral" not in table(machina="Time Toll", energy={"end": 1}, **words).legal_actions()
    env = table(machina="Time Toll", energy={"end": 5}, **words)
    assert play(env, "loop: spiral", "loop: spiral").view()["energy"]["end"] == 0
    assert "loop: spiral" in table(machina="Lunch Break", energy={"end": 1}, **words).legal_actions()


def test_ultramachina_destroys_the_newest_card_of_every_era():
    env = next_turn("Paper Shredder", available=["Spartan Shield", "Mammoth Whistle", "War Horse"], foo_left=["end"])
    view = env.view()
    assert "Spartan Shield" in view["available"]
    assert len(view["available"]) == 3 + 1 - len(view["destroyed"])
    assert len(view["destroyed"]) in (2, 3)  # one more if the turn's own card lies alone


def test_ultramachina_energy_is_lost_where_clones_stand():
    clones = [("dawn", "end"), ("medieval", "end")]
    env = next_turn("Thirsty Clones", clones=clones, energy={"dawn": 2, "robots": 1}, foo_left=["end"])
    assert nonzero(env.view()["energy"]) == {"dawn": 1, "robots": 1}


def test_ultramachina_damage_leaves_each_open_tile():
    tiles = {"dawn": "rifts_at_foo", "medieval": "loops_everywhere"}
    damage = {"dawn": 2, "medieval": ["robots", "end"]}
    env = next_turn("Repair Crew", tiles=tiles, damage=damage, foo_left=["robots"])
    assert env.view()["damage"] == {"dawn": 1, "medieval": ["end"]}


def test_ultramachina_throws_every_agent_back():
    env = next_turn("Recoil", at={ME: "dawn", "v_girl": "end"}, foo_left=["industrial"])
    assert env.view()["at"] == {ME: "end", "v_girl": "robots"}
    trio = (ME, "v_girl", "robot_404")
    env = next_turn("Recoil", agents=trio, at=dict.fromkeys(trio, "dawn"), foo_left=["industrial"])
    assert set(env.view()["at"].values()) == {"end"}


def test_ultramachina_exhausts_a_card_that_its_player_chooses():
    hand = {ME: [], "v_girl": ["Spartan Shield", "War Horse"]}
    env = next_turn("Jammed Zip", hand=hand, foo_left=["industrial"])
    chosen = env.legal_actions()
    assert "card: Spartan Shield" in chosen
    assert all(name.startswith("card: ") for name in chosen)
    assert env.view()["effect"] == "Jammed Zip"
    play(env, "card: Spartan Shield")
    assert env.view()["exhausted"] == ["Spartan Shield"]
    assert env.view()["phase"] == "action"
