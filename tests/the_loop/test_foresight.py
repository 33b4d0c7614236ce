"""Foresight: what it tells of each action. (That it knows no future is for those who use it: tests/agents.)"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from loop_env.engine.foresight import CHOICE
from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.outline import FORESIGHT, OUTLINE, outline
from tests.the_loop.helpers import ME, OTHER, play, table
from tests.the_loop.test_planner import after_random_decisions

ROOT = Path(__file__).parent.parent.parent
ENOUGH = 16  # positions for an action


def foresee(env: TheLoopEnv, budget: int = ENOUGH) -> dict[str, dict[str, float]]:
    """By the name of an action: the numbers that it would change, and by how much."""
    _, told = FORESIGHT.foresee(env.batch.games, env.batch.rules, budget)
    return {
        name: {
            key: pytest.approx(change, abs=1e-6)
            for key, change in zip(OUTLINE.blocks, changes[1:].tolist(), strict=True)
            if change
        }
        for name, changes in zip(env.legal_actions(), told, strict=True)
    }


def some_games(count: int = 64):
    return after_random_decisions(count, 25, agents=2)


# -- what it tells ---------------------------------------------------------------------------------
def test_it_tells_what_a_card_would_do():
    told = foresee(table(at={ME: "robots"}, rifts={"robots": 3}, hand={ME: ["Spartan Shield"]}))
    shield = told["play: Spartan Shield"]
    assert shield["rifts"] == -2 / 10
    assert shield["full"] == -1 / 7
    assert shield["ready"] == -1 / 5
    assert {"chance", "risk"} <= shield.keys()
    assert "energy" not in shield


def test_it_tells_the_same_as_playing_does():
    env = table(
        foo="dawn", at={ME: "robots"}, rifts={"robots": 2, "end": 3}, energy={"robots": 2}, clones=[("robots", "dawn")],
        hand={ME: ["Spartan Shield"]},
    )  # fmt: skip
    numbers = np.zeros((2, OUTLINE.size), np.float32)
    told = foresee(env)
    for name in ("play: Spartan Shield", "move: end", "free move: globalization", "loop: spiral"):
        write(env, numbers[0])
        write(play(table_copy(env), name), numbers[1])
        changes = zip(OUTLINE.blocks, numbers[1] - numbers[0], strict=True)
        assert {key: change for key, change in changes if change} == told[name]


def table_copy(env: TheLoopEnv) -> TheLoopEnv:
    other = TheLoopEnv(agents=[ME, OTHER])
    other.reset(seed=0)
    other.restore(env.save())
    return other


def write(env: TheLoopEnv, numbers: np.ndarray) -> None:
    """Write the outline of a table."""
    outline(
        env.batch.games[0],
        env.batch.rules[0],
        FORESIGHT.weigh(env.batch.rules)[0],
        numbers.view(OUTLINE.record("f4"))[0],
    )


def test_the_choices_of_an_action_are_made_as_the_value_likes_best():
    env = table(foo="dawn", at={ME: "robots"}, rifts={"globalization": 3, "end": 1}, hand={ME: ["Pocket Sundial"]})
    card = foresee(env)["play: Pocket Sundial"]
    assert card["full"] == -1 / 7  # where a vortex is near
    assert card["rifts"] == -1 / 10
    assert "choice" not in card
    choices = foresee(play(env, "play: Pocket Sundial"))
    assert choices["era: globalization"]["full"] == -1 / 7
    assert "full" not in choices["era: end"]


def test_without_a_budget_the_choices_of_an_action_are_left_open():
    env = table(foo="dawn", at={ME: "robots"}, rifts={"globalization": 3, "end": 1}, hand={ME: ["Pocket Sundial"]})
    card = foresee(env, budget=0)["play: Pocket Sundial"]
    assert card["choice"] == 1
    assert "rifts" not in card


def test_of_the_end_of_the_turn_it_tells_nothing():
    assert foresee(table(at={ME: "robots"}, rifts={"robots": 3}))["stop"] == {}


def test_it_has_a_row_for_each_possible_action_and_tries_all_but_the_end_of_the_turn():
    batch = some_games()
    _, told = FORESIGHT.foresee(batch.games, batch.rules, ENOUGH)
    games, actions = batch.masks.nonzero()
    assert len(told) == len(games)
    stop = THE_LOOP.actions["stop"].start
    choice = batch.masks.sum(1) > 1
    assert choice.any()
    assert np.array_equal(told[:, CHOICE], choice[games])
    assert not told[told[:, CHOICE] == 0].any()  # where nothing is to be chosen, nothing is tried
    assert not told[actions == stop, CHOICE + 1 :].any()
    assert told[choice[games] & (actions != stop), CHOICE + 1 :].any(1).mean() > 0.9


def test_it_tells_the_outline_of_each_position_whether_there_is_a_choice_or_not():
    batch = some_games()
    now, _ = FORESIGHT.foresee(batch.games, batch.rules, ENOUGH)
    numbers = np.zeros((len(now), OUTLINE.size), np.float32)
    weights = FORESIGHT.weigh(batch.rules)
    for game, into in zip(batch.games, numbers.view(OUTLINE.record("f4"))[:, 0], strict=True):
        outline(game, batch.rules[0], weights[0], into)
    assert (batch.masks.sum(1) == 1).any()
    assert np.array_equal(now, numbers)


def test_a_finished_tile_that_would_be_archived_shows():
    env = table(
        at={ME: "robots"}, tiles={"end": "clones_at_foo"}, damage={"end": 7}, energy={"robots": 1}, foo="dawn"
    )  # fmt: skip
    assert foresee(env)["move: end"]["archived"] == 1 / 4
    assert "archived" not in foresee(env)["move: globalization"]


# -- what it leaves alone ----------------------------------------------------------------------------
def test_it_changes_no_game():
    batch = some_games()
    before = batch.games.copy()
    FORESIGHT.foresee(batch.games, batch.rules, ENOUGH)
    assert np.array_equal(before, batch.games)


@pytest.mark.parametrize("budget", [0, 1, 200])
def test_it_tells_the_same_with_threads_and_any_budget_is_enough_room(budget):
    batch = some_games(200)
    alone = FORESIGHT.foresee(batch.games, batch.rules, budget)
    for ours, theirs in zip(FORESIGHT.foresee(batch.games, batch.rules, budget, threads=3), alone, strict=True):
        assert np.array_equal(ours, theirs)
        assert np.isfinite(ours).all()


def test_the_room_for_choices_is_enough():
    check = "from tests.the_loop.test_foresight import every_budget; every_budget()"
    words = os.environ | {"NUMBA_DISABLE_JIT": "1"}  # plain Python finds what lies outside an array
    done = subprocess.run(
        [sys.executable, "-c", check], cwd=ROOT, env=words, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def every_budget() -> None:
    """Look at some games with small budgets."""
    batch = some_games(6)
    for budget in (0, 1, 2, 7):
        FORESIGHT.foresee(batch.games, batch.rules, budget)


@pytest.mark.parametrize("mode", ["sabotage", "supa_clones", "centrifuges", "ultramachina"])
def test_it_stays_within_small_numbers_in_every_mode(mode):
    batch = after_random_decisions(64, 60, mode=mode, level=3, agents=4)
    for told in FORESIGHT.foresee(batch.games, batch.rules, ENOUGH):
        assert np.abs(told).max() <= 5
