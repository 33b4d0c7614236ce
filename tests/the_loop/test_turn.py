"""The five phases, the ways to win and to lose."""

from __future__ import annotations

import numpy as np
import pytest

from loop_env.the_loop.board import reveal_card, spawn_clone
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.state import ARSENAL, DESTROYED

from .helpers import ME, OTHER, drop, nonzero, play, table

AGENTS3 = (ME, OTHER, "v_girl")


# -- I. Foo's phase --------------------------------------------------------------------------------
@pytest.mark.parametrize(("cycle", "clones"), [(1, 1), (2, 2), (3, 3)])
def test_clones_and_cards_of_the_cycle_appear(cycle, clones):
    env = table(cycle=cycle)
    play(env, "stop")
    view = env.view()
    assert len(view["clones"]) == clones
    assert len(view["available"]) + len(view["destroyed"]) == 1


def test_foo_travels_to_an_era_whose_card_is_still_to_come():
    seen = set()
    for seed in range(60):
        env = table(foo="dawn", foo_left=["end", "robots"], seed=seed)
        play(env, "stop")
        view = env.view()
        seen.add(view["foo"])
        assert sorted([view["foo"], *view["foo_left"]]) == ["end", "robots"]
    assert seen == {"end", "robots"}


def test_two_rifts_and_one_for_each_clone_in_foos_era_fall():
    clones = [("end", "dawn")] * 3
    for seed in range(30):
        env = table(foo="dawn", foo_left=["end"], clones=clones, seed=seed)
        env.batch.rules["new_clones"] = 0
        play(env, "stop")
        view = env.view()
        landed = nonzero(view["rifts"])
        if not view["vortices"]:
            assert sum(landed.values()) == 2 + 3
            assert set(landed) <= {"robots", "end", "dawn"}


def test_an_empty_bag_gives_no_clone():
    env = table()
    g, r = env.record, env.batch.rules[0]
    for _ in range(30):
        spawn_clone(g, r)
    assert g.clones.sum() == 28


def test_a_card_revealed_for_a_vortex_is_destroyed_at_once():
    env = table(vortices=["dawn", "medieval", "end"])
    env.batch.rules["new_cards"] = 20
    env.batch.rules["cubes"] = 0
    play(env, "stop")
    view = env.view()
    assert len(view["available"]) + len(view["destroyed"]) == 20
    assert len(view["destroyed"]) > 0
    origins = {card.name: card.origin for card in env.data.artefacts}
    assert {origins[name] for name in view["destroyed"]} <= {"dawn", "medieval", "end"}
    assert not {origins[name] for name in view["available"]} & {"dawn", "medieval", "end"}


def test_third_rift_does_nothing_fourth_rift_turns_the_era_into_a_vortex():
    assert drop(table(foo="end", rifts={"end": 2}), end=1).view()["vortices"] == []
    assert drop(table(foo="end", rifts={"end": 3}), end=1).view()["vortices"] == ["end"]


def test_a_vortex_plays_on_and_collects_rifts_again():
    env = drop(table(foo="end", vortices=["end"], rifts={"end": 1}), end=2)
    assert env.view()["rifts"]["end"] == 3
    assert env.view()["outcome"] == "running"


def test_several_eras_can_turn_in_one_drop():
    env = drop(table(foo="end", rifts={"end": 3, "dawn": 3, "robots": 3}), end=1, dawn=1, robots=1)
    assert env.view()["vortices"] == ["dawn", "robots", "end"]
    assert nonzero(env.view()["rifts"]) == {}


def test_a_vortex_removes_a_face_down_tile_unseen():
    env = drop(table(foo="end", rifts={"end": 3}, tiles={"dawn": "pincer", "robots": "overcharge"}), end=1)
    assert env.view()["tiles"]["end"] is None
    assert env.record.mission_seen.sum() == 2


def test_losing_a_second_vortex_on_the_same_era():
    env = drop(table(foo="end", vortices=["end"], rifts={"end": 3}), end=1)
    assert env.view()["outcome"] == "second_vortex"
    assert env.view()["phase"] == "over"


def test_the_game_ends_at_the_first_vortex_too_many():
    env = drop(table(foo="end", vortices=["robots"], rifts={"robots": 3, "end": 3}), robots=1, end=1)
    assert env.view()["outcome"] == "second_vortex"
    assert env.view()["vortices"] == ["robots"]


def test_losing_a_fourth_vortex():
    env = drop(table(foo="end", vortices=["dawn", "medieval", "robots"], rifts={"end": 3}), end=1)
    assert env.view()["outcome"] == "fourth_vortex"


# -- II. actions -----------------------------------------------------------------------------------
def test_a_move_costs_one_energy_of_the_era_left():
    env = table(at={ME: "end"}, energy={"end": 2, "dawn": 1})
    play(env, "move: dawn")
    assert env.view()["at"][ME] == "dawn"
    assert env.view()["energy"] == {**dict.fromkeys(ERAS, 0), "end": 1, "dawn": 1}
    assert env.view()["supply"]["energy"] == 28


def test_no_move_without_energy_but_a_free_one_once_a_turn():
    env = table(at={ME: "end"})
    assert not [name for name in env.legal_actions() if name.startswith("move")]
    assert {"free move: dawn", "free move: robots"} <= set(env.legal_actions())
    play(env, "free move: dawn")
    assert not [name for name in env.legal_actions() if "move" in name]
    assert env.view()["supply"]["energy"] == 30


def test_playing_a_card_exhausts_it():
    env = table(hand={ME: ["Borrowed Hourglass"]})
    play(env, "play: Borrowed Hourglass")
    assert env.view()["exhausted"] == ["Borrowed Hourglass"]
    assert "play: Borrowed Hourglass" not in env.legal_actions()


def test_the_nth_loop_of_a_turn_costs_n_energy():
    env = table(at={ME: "end"}, energy={"end": 6})
    for left in (5, 3, 0):
        play(env, "loop: star")
        assert env.view()["energy"]["end"] == left
    assert not [name for name in env.legal_actions() if name.startswith("loop")]


def test_a_loop_readies_every_card_of_one_dimension_in_the_active_hand():
    hand = {ME: ["Borrowed Hourglass", "Ember of the First Fire", "Smoke Pellets"], OTHER: ["Super Underpants"]}
    exhausted = [name for names in hand.values() for name in names]
    env = table(at={ME: "end"}, energy={"end": 1}, hand=hand, exhausted=exhausted)
    play(env, "loop: spiral")
    assert env.view()["exhausted"] == ["Smoke Pellets", "Super Underpants"]


def test_a_loop_never_takes_a_black_hole():
    env = table(at={ME: "end"}, energy={"end": 1}, hand={ME: ["Dragon Egg"]}, exhausted=["Dragon Egg"])
    loops = [name for name in env.legal_actions() if name.startswith("loop")]
    assert loops == ["loop: spiral", "loop: star", "loop: stripe"]


def test_a_turn_has_at_most_so_many_actions():
    env = table(at={ME: "end"}, energy={"end": 10})
    env.batch.rules["actions_per_turn"] = 2
    play(env, "loop: star", "loop: star")
    assert env.legal_actions() == ["stop"]


# -- III. take one card ----------------------------------------------------------------------------
def test_taking_is_optional_and_only_from_the_agents_era():
    env = table(at={ME: "medieval"}, available=["War Horse", "Matryoshka"])
    play(env, "stop")
    assert env.legal_actions() == ["take: War Horse", "take nothing"]
    play(env, "take nothing")
    assert "War Horse" in env.view()["available"]


def test_a_taken_card_is_drawn_next():
    env = table(at={ME: "medieval"}, available=["War Horse"])
    play(env, "stop", "take: War Horse")
    assert "War Horse" in env.view()["hand"][ME]


def test_nothing_is_asked_in_an_era_without_cards():
    env = table(at={ME: "end"}, available=["War Horse"])
    play(env, "stop")
    assert env.view()["active"] == OTHER


# -- IV. archive one tile --------------------------------------------------------------------------
def archivable(**words):
    tiles = {"end": "feed_the_tile", "dawn": "pincer"}
    return table(foo="industrial", at={ME: "end", OTHER: "end"}, tiles=tiles, damage={"end": 6}, **words)


def test_archiving_returns_the_cubes_and_opens_the_next_mission():
    env = archivable(available=["Lost Luggage"])
    play(env, "stop", "take nothing", "archive")
    view = env.view()
    assert view["archived"] == 1
    assert view["tiles"]["end"] is None
    assert view["supply"] == {"rifts": 30, "energy": 30, "eternal": 0}
    assert view["tiles"]["industrial"] not in (None, "face down")
    assert view["available"] == ["Lost Luggage"]  # archiving leaves the cards of the era


def test_archiving_is_optional():
    env = archivable()
    play(env, "stop", "do not archive")
    assert env.view()["archived"] == 0
    assert env.view()["tiles"]["end"] == "feed_the_tile"


def test_every_player_drafts_in_order_and_the_last_card_is_destroyed():
    env = table(
        agents=AGENTS3,
        active=OTHER,
        foo="industrial",
        at={OTHER: "end"},
        tiles={"end": "feed_the_tile", "dawn": "pincer"},
        damage={"end": 6},
    )
    env.batch.rules["new_cards"] = 0
    env.batch.rules["hand_size"] = 0
    play(env, "stop", "archive")
    drafted = {}
    for agent, left in ((OTHER, 4), ("v_girl", 3), (ME, 2)):
        view = env.view()
        assert view["acting"] == agent
        assert len(view["draft"]) == left
        assert env.legal_actions() == [f"draft: {name}" for name in view["draft"]]
        drafted[agent] = view["draft"][0]
        play(env, f"draft: {view['draft'][0]}")
        last = view["draft"][-1]
    for agent, name in drafted.items():
        assert env.view()["top_of_deck"][agent] == [name]
    assert env.view()["destroyed"] == [last]
    assert env.view()["active"] == "v_girl"


def test_the_fourth_archived_tile_wins_at_once():
    env = archivable(archived=3)
    play(env, "stop")
    _, reward, terminated, _, info = env.act("archive")
    assert terminated
    assert reward == 1
    assert info["is_success"] is True
    assert info["outcome"] == "won"
    assert env.view()["draft"] == []


# -- V. end of turn --------------------------------------------------------------------------------
def test_the_battery_recharges_and_the_hand_is_discarded():
    env = table(battery={ME: False}, hand={ME: ["War Horse", "Matryoshka"]}, top_of_deck={ME: ["Punch Card"]})
    play(env, "stop")
    view = env.view()
    assert view["battery"][ME] is True
    assert sorted(view["discard"][ME]) == ["Matryoshka", "War Horse"]
    assert "Punch Card" in view["hand"][ME]
    assert len(view["hand"][ME]) == 3


def test_every_player_with_fewer_than_three_cards_draws_up_to_three():
    env = table(agents=AGENTS3, hand={ME: [], OTHER: ["War Horse"], "v_girl": ["Matryoshka"] + ["Holy Grail"] * 0})
    play(env, "stop")
    assert [len(hand) for hand in env.view()["hand"].values()] == [3, 3, 3]
    assert "War Horse" in env.view()["hand"][OTHER]


def test_a_player_with_more_than_three_cards_keeps_them():
    many = ["War Horse", "Matryoshka", "Holy Grail", "Closing Bell"]
    env = table(hand={OTHER: many})
    play(env, "stop")
    assert env.view()["hand"][OTHER] == many


def test_drawing_from_an_empty_deck_shuffles_the_discard_pile_first():
    starting = [card.name for card in table().data.artefacts if card.agent == ME]
    env = table(hand={ME: starting[:1]}, discard={ME: starting[1:]})
    assert env.view()["deck"][ME] == 0
    play(env, "stop")
    view = env.view()
    assert len(view["hand"][ME]) == 3
    assert view["deck"][ME] == 3
    assert view["discard"][ME] == []


def test_nothing_is_drawn_when_deck_and_discard_pile_are_empty():
    starting = [card.name for card in table().data.artefacts if card.agent == OTHER]
    env = table(hand={OTHER: starting[:2]}, destroyed=starting[2:])
    play(env, "stop")
    assert env.view()["hand"][OTHER] == starting[:2]


def test_players_take_turns_round_the_table():
    env = table(agents=AGENTS3, active="v_girl")
    play(env, "stop")
    assert env.view()["active"] == ME


def test_a_new_cycle_begins_when_foos_deck_is_empty():
    env = table(foo="end", foo_left=[], cycle=1)
    play(env, "stop")
    view = env.view()
    assert view["cycle"] == 2
    assert view["turn"] == 8
    assert len(view["foo_left"]) == 6


def test_losing_the_third_cycle_ends():
    env = table(foo="end", foo_left=[], cycle=3)
    _, reward, terminated, _, info = env.act("stop")
    assert terminated
    assert reward == 0
    assert info["outcome"] == "out_of_time"
    assert info["turns"] == 21


def test_twenty_one_turns_whatever_the_number_of_players():
    for agents in ((ME, OTHER), AGENTS3, (*AGENTS3, "cztwyzzek")):
        env = table(agents=agents, foo="dawn", foo_left=[e for e in ERAS if e != "dawn"])
        env.batch.rules["cubes"] = -30
        turns = 1
        while env.view()["outcome"] == "running":
            options = env.legal_actions()
            play(env, next(name for name in ("stop", "no", "take nothing", "do not archive") if name in options))
            turns += env.view()["phase"] == "action"
        assert env.view()["outcome"] == "out_of_time"
        assert turns == 21


# -- the arsenal -----------------------------------------------------------------------------------
def test_an_empty_arsenal_is_made_anew_from_the_destroyed_cards():
    env = table()
    g, r = env.record, env.batch.rules[0]
    arsenal = np.flatnonzero(g.place == ARSENAL)
    g.place[arsenal] = DESTROYED
    g.pile_size[DESTROYED] += len(arsenal)
    g.pile_size[ARSENAL] = 0
    reveal_card(g, r)
    assert g.pile_size[DESTROYED] == 0
    assert g.pile_size[ARSENAL] == len(arsenal) - 1
    assert g.available_size.sum() == 1
