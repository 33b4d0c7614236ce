"""The worked examples of the rulebooks, as the digest numbers them."""

from __future__ import annotations

import numpy as np

from loop_env.the_loop.board import drop_rifts
from loop_env.the_loop.names import ERAS

from .helpers import ME, OTHER, drop, nonzero, play, table, with_effect


def test_example_1_foo_in_industrial_with_one_clone_drops_three_cubes():
    seen = set()
    for seed in range(200):
        env = table(foo="industrial", clones=[("industrial", "end")], seed=seed)
        g, r = env.record, env.batch.rules[0]
        drop_rifts(g, r, r.cubes[0] + g.clones[ERAS.index("industrial")])
        fallen = nonzero(env.view()["fallen"])
        assert sum(fallen.values()) == 3
        assert set(fallen) <= {"renaissance", "industrial", "globalization"}
        seen.add(tuple(fallen.items()))
    assert (("renaissance", 1), ("industrial", 2)) in seen
    after = drop(table(foo="industrial"), renaissance=1, industrial=2).view()
    assert nonzero(after["rifts"]) == {"renaissance": 1, "industrial": 2}
    assert after["supply"]["rifts"] == 27


def test_example_2_industrial_turns_into_a_vortex():
    before = table(
        foo="globalization",
        rifts={"industrial": 3},
        clones=[("globalization", "end"), ("globalization", "dawn")],
        tiles={"industrial": "feed_the_tile", "dawn": "pincer"},
        damage={"industrial": 4},
        available=["Matryoshka"],
    )
    after = drop(before, industrial=2, globalization=2).view()
    assert after["vortices"] == ["industrial"]
    assert after["tiles"]["industrial"] is None
    assert nonzero(after["rifts"]) == {"globalization": 2}
    assert after["supply"]["rifts"] == 30 - 2
    assert after["supply"]["energy"] == 30
    assert after["destroyed"] == ["Matryoshka"]
    assert after["available"] == []
    assert after["phase"] == "action"


def test_example_3_rifts_removed_at_foo_damage_two_tiles():
    env = table(
        foo="robots",
        at={ME: "robots"},
        rifts={"robots": 3},
        tiles={"dawn": "rifts_at_foo", "end": "rifts_everywhere"},
        damage={"end": ["robots"]},  # so that the first card does not count there
        hand={ME: ["Spartan Shield", "Super Underpants"]},
    )
    play(env, "play: Spartan Shield")
    assert env.view()["damage"] == {"dawn": 2, "end": ["robots"]}

    env = table(
        foo="robots",
        at={ME: "robots"},
        rifts={"robots": 1},
        tiles={"dawn": "rifts_at_foo", "end": "rifts_everywhere"},
        damage={"dawn": 2},
        hand={ME: ["Super Underpants"]},
    )
    play(env, "play: Super Underpants")
    assert env.view()["damage"] == {"dawn": 3, "end": ["robots"]}


def test_example_4_the_long_action_phase_of_mister_time():
    env = table(
        foo="globalization",
        at={ME: "robots", OTHER: "renaissance"},
        rifts={"robots": 2, "dawn": 2},
        energy={"robots": 1},
        clones=[("industrial", "globalization")],
        vortices=["dawn"],
        tiles={"medieval": "clones_at_foo", "end": "pincer"},
        hand={ME: ["Gutenberg's Wormhole", "Mechanical Grapple", "Ion Chronograph"]},
    )
    play(env, "play: Gutenberg's Wormhole")  # here, then at the only vortex
    assert nonzero(env.view()["rifts"]) == {"robots": 1, "dawn": 1}
    play(env, "move: globalization")
    assert env.view()["supply"]["energy"] == 30
    play(env, "play: Mechanical Grapple")
    assert env.view()["clones"] == []
    assert env.view()["damage"]["medieval"] == 1
    play(env, "ability", "era: industrial")
    assert env.view()["at"][OTHER] == "industrial"
    play(env, "play: Ion Chronograph")
    assert env.view()["energy"]["industrial"] == 1
    play(env, "free move: industrial")
    assert env.view()["battery"][ME] is False
    play(env, "loop: spiral")
    assert env.view()["energy"]["industrial"] == 0
    assert env.view()["exhausted"] == ["Mechanical Grapple"]
    play(env, "play: Gutenberg's Wormhole", "play: Ion Chronograph")
    assert nonzero(env.view()["rifts"]) == {"robots": 1}
    assert env.view()["energy"]["industrial"] == 1
    play(env, "stop")


def test_example_5_taking_war_horse_in_medieval():
    env = table(at={ME: "medieval"}, available=["War Horse", "Holy Grail", "Matryoshka"])
    play(env, "stop")
    assert env.legal_actions() == ["take: War Horse", "take: Holy Grail", "take nothing"]
    seen = []
    env.batch.rules["hand_size"] = 0  # nobody draws, so that the card stays where it was put
    play(env, "take: War Horse")
    seen = env.view()["top_of_deck"][ME]
    assert seen == ["War Horse"]
    assert "War Horse" not in env.view()["available"]


def test_example_6_holy_grail_levels_energy_with_rifts():
    card = {ME: ["Holy Grail"]}
    env = table(at={ME: "robots"}, rifts={"end": 3}, energy={"end": 1}, hand=card)
    play(env, "play: Holy Grail")
    assert env.view()["energy"]["end"] == 3

    env = table(at={ME: "robots"}, rifts={"end": 1}, energy={"end": 2}, hand=card)
    play(env, "play: Holy Grail")
    assert env.view()["energy"]["end"] == 2


def test_example_7_carrying_a_clone_two_eras():
    words = {
        "at": {ME: "medieval"},
        "clones": [("medieval", "end"), ("renaissance", "dawn"), ("industrial", "dawn")],
    }
    effect = "move 2 eras carrying 1 clone"
    env = with_effect(effect, "era: industrial", **words)
    assert env.legal_actions() == ["no", "clone: medieval to end", "clone: renaissance to dawn"]
    play(env, "clone: medieval to end")
    assert sorted(env.legal_actions()) == ["era: industrial", "era: renaissance"]
    play(env, "era: renaissance")
    assert ("renaissance", "end") in env.view()["clones"]
    assert env.view()["at"][ME] == "industrial"

    env = with_effect(effect, "era: industrial", "clone: renaissance to dawn", **words)
    assert env.view()["clones"].count(("industrial", "dawn")) == 2
    assert env.view()["at"][ME] == "industrial"

    env = with_effect(effect, "era: industrial", "no", **words)
    assert env.view()["clones"] == sorted(words["clones"], key=lambda c: ERAS.index(c[0]))
    assert env.view()["at"][ME] == "industrial"


def test_positions_are_repeatable():
    one, two = (table(seed=5, rifts={"end": 2}) for _ in range(2))
    assert np.array_equal(one.batch.games, two.batch.games)
