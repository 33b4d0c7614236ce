"""The ten missions, their limits and moments."""

from __future__ import annotations

import pytest

from loop_env.the_loop.names import ERAS

from .helpers import ME, OTHER, drop, play, table, with_effect

IDLE = "discard 1 card"  # an action that changes nothing on the board


def test_pincer_needs_agents_on_both_sides_of_foo():
    words = {"foo": "robots", "tiles": {"dawn": "pincer"}}
    env = with_effect(IDLE, at={ME: "globalization", OTHER: "end"}, **words)
    assert env.view()["damage"]["dawn"] == 1
    env = with_effect(IDLE, at={ME: "globalization", OTHER: "globalization"}, **words)
    assert env.view()["damage"]["dawn"] == 0
    env = with_effect(IDLE, at={ME: "robots", OTHER: "end"}, **words)
    assert env.view()["damage"]["dawn"] == 0


def test_pincer_needs_the_active_agent():
    agents = (ME, OTHER, "v_girl")
    at = {ME: "robots", OTHER: "end", "v_girl": "globalization"}
    env = with_effect(IDLE, agents=agents, foo="robots", at=at, tiles={"dawn": "pincer"})
    assert env.view()["damage"]["dawn"] == 0


def test_pincer_does_one_damage_a_turn():
    at = {ME: "globalization", OTHER: "end"}
    env = with_effect(IDLE, foo="robots", at=at, energy={"globalization": 3}, tiles={"dawn": "pincer"})
    play(env, "loop: star", "loop: spiral")
    assert env.view()["damage"]["dawn"] == 1


def test_pincer_is_not_checked_in_the_middle_of_an_action():
    at = {ME: "globalization", OTHER: "end"}
    effect = "move another agent 3 eras, then move another agent 1 era"
    env = with_effect(effect, foo="industrial", at=at, tiles={"dawn": "pincer"})
    play(env, "era: renaissance")  # both sides are held now, but the action goes on
    assert env.view()["damage"]["dawn"] == 0
    play(env, "era: medieval")
    assert env.view()["damage"]["dawn"] == 0


def test_positions_count_before_the_first_action_too():
    at = {ME: "globalization", OTHER: "end"}
    env = table(foo="robots", at=at, tiles={"dawn": "pincer"}, damage={"dawn": 1})
    play(env, "free move: industrial")
    assert env.view()["damage"]["dawn"] == 2


def test_clean_sweep_counts_an_era_without_clone_and_rift():
    words = {"at": {ME: "robots"}, "tiles": {"dawn": "clean_sweep"}}
    assert with_effect(IDLE, **words).view()["damage"]["dawn"] == ["robots"]
    assert with_effect(IDLE, rifts={"robots": 1}, **words).view()["damage"]["dawn"] == []
    assert with_effect(IDLE, clones=[("robots", "end")], **words).view()["damage"]["dawn"] == []


def test_clean_sweep_does_one_damage_a_turn_and_each_era_once():
    words = {"at": {ME: "robots"}, "tiles": {"dawn": "clean_sweep"}}
    env = with_effect(IDLE, **words)
    play(env, "free move: end")
    assert env.view()["damage"]["dawn"] == ["robots"]
    env = with_effect(IDLE, damage={"dawn": ["robots"]}, **words)
    assert env.view()["damage"]["dawn"] == ["robots"]


def test_rifts_at_foo_counts_each_rift_removed_there():
    words = {"foo": "robots", "rifts": {"robots": 3, "end": 2}, "tiles": {"dawn": "rifts_at_foo"}}
    env = with_effect("remove 3 rifts here", at={ME: "robots"}, **words)
    assert env.view()["damage"]["dawn"] == 3
    env = with_effect("remove 2 rifts here", at={ME: "end"}, **words)
    assert env.view()["damage"]["dawn"] == 0


def test_loops_at_foo_counts_loops_made_there():
    env = table(foo="robots", at={ME: "robots"}, energy={"robots": 3}, tiles={"dawn": "loops_at_foo"})
    play(env, "loop: star", "loop: star")
    assert env.view()["damage"]["dawn"] == 2
    env = table(foo="end", at={ME: "robots"}, energy={"robots": 3}, tiles={"dawn": "loops_at_foo"})
    play(env, "loop: star")
    assert env.view()["damage"]["dawn"] == 0


def test_clones_at_foo_counts_clones_destroyed_there():
    words = {"clones": [("robots", "end"), ("robots", "end")], "tiles": {"dawn": "clones_at_foo"}}
    env = with_effect("destroy 2 clones here", foo="robots", at={ME: "robots"}, **words)
    assert env.view()["damage"]["dawn"] == 2
    env = with_effect("destroy 2 clones here", foo="end", at={ME: "robots"}, **words)
    assert env.view()["damage"]["dawn"] == 0


def test_a_clone_pushed_into_its_destroy_era_is_destroyed_there():
    words = {"clones": [("robots", "end")], "tiles": {"dawn": "clones_at_foo"}}
    env = with_effect("push 1 clone here", "era: end", foo="end", at={ME: "robots"}, **words)
    assert env.view()["damage"]["dawn"] == 1


@pytest.mark.parametrize(
    ("mission", "effect"),
    [
        ("rifts_everywhere", "remove 3 rifts here"),
        ("clones_everywhere", "destroy 2 clones here"),
    ],
)
def test_everywhere_missions_count_each_era_once(mission, effect):
    words = {"rifts": {"robots": 3}, "clones": [("robots", "end"), ("robots", "end")]}
    env = with_effect(effect, at={ME: "robots"}, tiles={"dawn": mission}, **words)
    assert env.view()["damage"]["dawn"] == ["robots"]
    env = with_effect(effect, at={ME: "robots"}, tiles={"dawn": mission}, damage={"dawn": ["end", "robots"]}, **words)
    assert env.view()["damage"]["dawn"] == ["robots", "end"]


def test_loops_everywhere_counts_each_era_once():
    env = table(at={ME: "robots"}, energy={"robots": 6}, tiles={"dawn": "loops_everywhere"})
    play(env, "loop: star", "loop: star")
    assert env.view()["damage"]["dawn"] == ["robots"]


def test_overcharge_needs_energy_in_every_era_when_the_action_starts():
    full = dict.fromkeys(ERAS, 1)
    words = {"at": {ME: "dawn"}, "tiles": {"dawn": "overcharge"}}
    env = with_effect("add 2 energy here", energy=full, **words)
    assert env.view()["damage"]["dawn"] == 2
    env = with_effect("add 2 energy here", energy=full | {"end": 0}, **words)
    assert env.view()["damage"]["dawn"] == 0
    env = with_effect("add 2 energy here", energy=full | {"dawn": 0}, **words)  # its own era counts too
    assert env.view()["damage"]["dawn"] == 0


def test_overcharge_looks_only_at_the_start_of_the_action():
    effect = "add 1 energy at the previous era, then add 2 energy here"
    empty_before = dict.fromkeys(ERAS, 1) | {"end": 0}
    env = with_effect(effect, at={ME: "dawn"}, tiles={"dawn": "overcharge"}, energy=empty_before)
    assert env.view()["damage"]["dawn"] == 0


def test_feed_the_tile_counts_energy_added_to_its_era():
    env = with_effect("add 2 energy at the next era", at={ME: "end"}, tiles={"dawn": "feed_the_tile"})
    assert env.view()["damage"]["dawn"] == 2
    env = with_effect("add 2 energy here", at={ME: "end"}, tiles={"dawn": "feed_the_tile"})
    assert env.view()["damage"]["dawn"] == 0


def test_one_action_damages_several_tiles():
    tiles = {"dawn": "rifts_at_foo", "end": "rifts_everywhere"}
    env = with_effect("remove 2 rifts here", foo="robots", at={ME: "robots"}, rifts={"robots": 2}, tiles=tiles)
    assert env.view()["damage"] == {"dawn": 2, "end": ["robots"]}


def test_a_face_down_tile_takes_no_damage():
    env = with_effect("remove 2 rifts here", foo="robots", at={ME: "robots"}, rifts={"robots": 2})
    assert env.record.damage.sum() == 0


def test_damage_stops_at_what_is_needed():
    tiles, damage = {"dawn": "rifts_at_foo"}, {"dawn": 4}
    env = with_effect("remove 3 rifts here", foo="end", at={ME: "end"}, rifts={"end": 3}, tiles=tiles, damage=damage)
    assert env.view()["damage"]["dawn"] == 5


@pytest.mark.parametrize(
    ("mission", "needed"),
    [
        ("pincer", 3), ("clean_sweep", 3), ("rifts_at_foo", 5), ("loops_at_foo", 4), ("clones_at_foo", 4),
        ("rifts_everywhere", 7), ("loops_everywhere", 6), ("clones_everywhere", 6), ("overcharge", 3),
        ("feed_the_tile", 6),
    ],
)  # fmt: skip
def test_a_tile_can_be_archived_with_enough_damage(mission, needed):
    foo = "renaissance"  # where nobody stands beside him
    for damage, possible in ((needed - 1, False), (needed, True)):
        words = {"tiles": {"end": mission, "medieval": "pincer" if mission != "pincer" else "overcharge"}}
        env = table(foo=foo, at={ME: "end", OTHER: "end"}, rifts={"end": 1}, damage={"end": damage}, **words)
        play(env, "stop")
        assert (env.legal_actions() == ["archive", "do not archive"]) is possible


def test_two_missions_are_always_open():
    tiles = {"dawn": "pincer", "end": "overcharge"}
    env = drop(table(foo="dawn", rifts={"end": 3}, tiles=tiles), end=1)
    open_tiles = [era for era, tile in env.view()["tiles"].items() if tile not in (None, "face down")]
    assert open_tiles == ["dawn", "medieval"]  # Foo's own lies open already, so the next clockwise


def test_the_mission_of_foos_era_opens_first():
    tiles = {"robots": "pincer", "end": "overcharge"}
    env = drop(table(foo="dawn", rifts={"end": 3}, tiles=tiles), end=1)
    open_tiles = [era for era, tile in env.view()["tiles"].items() if tile not in (None, "face down")]
    assert open_tiles == ["dawn", "robots"]


def test_no_mission_opens_when_no_closed_tile_is_left():
    tiles: dict[str, str | None] = dict.fromkeys(ERAS)
    env = drop(table(foo="dawn", rifts={"end": 3}, tiles=tiles | {"end": "pincer", "medieval": "overcharge"}), end=1)
    assert [era for era, tile in env.view()["tiles"].items() if tile] == ["medieval"]
