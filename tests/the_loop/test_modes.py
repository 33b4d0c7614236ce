"""What levels and modes add: mega-vortices, supa clones, centrifuges, eternal energy, ultramachina cards."""

from __future__ import annotations

import gymnasium as gym
import numpy as np
import pytest

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.data import FOLDER, load
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.observation import ERA, OBSERVATION

from .helpers import ME, drop, lawful, nonzero, play, table, with_effect

DATA = load(FOLDER)
MODES = [mode.id for mode in DATA.modes]


def laid_out(seed: int, **options) -> TheLoopEnv:
    """A game as it is laid out, if the first Foo phase brings nothing."""
    env = TheLoopEnv(**options)
    env.batch.rules["cubes"] = -30
    env.batch.rules["new_clones"] = 0
    env.reset(seed=seed)
    return env


def see(env: TheLoopEnv, block: str) -> np.ndarray:
    """A block of the observation."""
    found = OBSERVATION[block]
    return env.batch.observations[0, found.slice].reshape(found.shape)


def see_era(env: TheLoopEnv, column: str) -> np.ndarray:
    """A column of the observation of eras, from Dawn to End."""
    found = see(env, "eras")[:, ERA[column].slice]
    return np.roll(found, int(env.record.at[env.record.actor]), axis=0)


# -- levels ----------------------------------------------------------------------------------------
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


# -- supa clones -----------------------------------------------------------------------------------
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


# -- centrifuges -----------------------------------------------------------------------------------
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


# -- ultramachina ----------------------------------------------------------------------------------
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


# -- all together ----------------------------------------------------------------------------------
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


# -- modes of one's own ----------------------------------------------------------------------------
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
