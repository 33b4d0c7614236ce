"""What the rules of thumb say about tables set up by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.options import read_data
from loop_env.the_loop.thumb import follow_rules_of_thumb
from tests.the_loop.helpers import ME, OTHER, TEST_CARD, data_with, table


def advice(env: TheLoopEnv) -> str:
    """What the scripted player would do."""
    actions = np.zeros(1, np.int64)
    follow_rules_of_thumb(env.batch.games.copy(), env.batch.rules, actions)
    return env.action_name(int(actions[0]))


def follow(env: TheLoopEnv, decisions: int) -> list[str]:
    """The next decisions of the scripted player."""
    made = []
    for _ in range(decisions):
        made.append(advice(env))
        env.act(made[-1])
    return made


def holding(effect: str, **words: Any) -> TheLoopEnv:
    """Mister Time, in the industrial era, with a card of this effect."""
    words = {"at": {ME: "industrial", OTHER: "dawn"}, "battery": {ME: False}, "hand": {ME: [TEST_CARD]}} | words
    return table(data=data_with(effect, "spiral"), **words)


def test_a_rift_is_removed_where_the_risk_is_greatest():
    env = holding("remove 1 rift at any era", rifts={"robots": 1, "medieval": 3, "end": 2})
    assert follow(env, 2) == [f"play: {TEST_CARD}", "era: medieval"]


def test_a_vortex_is_more_dangerous_still():
    rifts = {"robots": 3, "renaissance": 3}
    env = holding("remove 1 rift at any era", rifts=rifts, vortices=["robots"])
    assert follow(env, 2)[1] == "era: robots"


def test_missions_are_worked_at():
    env = holding("add 1 energy at any era", tiles={"end": "feed_the_tile", "dawn": "pincer"}, damage={"end": 5})
    while advice(env) != "stop":
        env.act(advice(env))
    assert env.view()["damage"]["end"] == 6


def test_a_finished_tile_is_walked_to_and_archived():
    env = table(
        at={ME: "industrial", OTHER: "dawn"},
        energy={"industrial": 1},
        tiles={"renaissance": "pincer", "medieval": None},
        damage={"renaissance": 3},
    )
    made = follow(env, 3)
    assert made[0] in ("move: renaissance", "free move: renaissance")
    assert made[1:] == ["stop", "archive"]


def test_a_loop_is_made_when_a_card_that_helps_comes_back():
    words: dict[str, Any] = {"rifts": {"industrial": 3}, "energy": {"industrial": 2}, "exhausted": [TEST_CARD]}
    assert advice(holding("remove 3 rifts here", **words)) == "loop: spiral"


def test_no_loop_for_nothing():
    assert advice(holding("remove 3 rifts here", energy={"industrial": 2}, exhausted=[TEST_CARD])) == "stop"


def test_the_deck_is_built_around_a_dimension():
    """Two cards that do the same; Mister Time has three spirals, but one star."""
    star = next(card for card in read_data(None).artefacts if card.origin == "dawn" and card.dimension == "star")
    env = holding(star.effect, at={ME: "dawn"}, hand={}, available=[star.name, TEST_CARD])
    assert follow(env, 2) == ["stop", f"take: {TEST_CARD}"]
