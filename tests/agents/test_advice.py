"""What players think of a position."""

from __future__ import annotations

import numpy as np
import pytest

from agents.advice import advise, win_chance
from agents.policy import Policy
from agents.registry import load
from agents.settings import Network as Shape
from agents.sight import Sight
from loop_env.games import find
from loop_env.the_loop import TheLoopEnv
from tests.the_loop.helpers import ME, table


def under_way(decisions: int = 30, seed: int = 3) -> TheLoopEnv:
    """A game after some random decisions."""
    env = TheLoopEnv(agents=3)
    env.reset(seed=seed)
    luck = np.random.default_rng(seed)
    for _ in range(decisions):
        env.step(luck.choice(np.flatnonzero(env.action_masks())))
    return env


def a_policy() -> Policy:
    """A network that has learnt nothing."""
    from agents.network import Network

    game = find("the_loop").game()
    return Policy(Network(game, Shape(layers=1, width=16, row=8), Sight(game, 0)), Sight(game, 0))


@pytest.mark.parametrize("name", ["planner", "scripted", "random"])
def test_advice_is_about_everything_that_is_possible(name):
    env = under_way()
    before = env.save()
    found = advise(env, load(name, "the_loop"))
    assert {option.name for option in found.options} == set(env.legal_actions())
    assert all(0 <= option.win <= 1 for option in found.options)
    assert found.best.name in env.legal_actions()
    assert env.save() == before  # and nothing has happened


def test_chances_are_those_of_a_policy():
    env, policy = under_way(), a_policy()
    found = advise(env, policy)
    assert sum(option.chance for option in found.options) == pytest.approx(1)
    assert found.options[0].chance == max(option.chance for option in found.options)
    assert found.options[0].action == found.choice


def test_who_has_no_chances_has_none():
    assert all(option.chance is None for option in advise(under_way(), load("planner", "the_loop")).options)


def test_the_planner_advises_what_looks_best_to_it():
    found = advise(under_way(), load("planner", "the_loop"))
    assert found.best.win > max(option.win for option in found.options) - 0.03
    assert found.win == max(option.win for option in found.options)


def test_a_win_within_reach_is_seen():
    env = table(at={ME: "industrial"}, tiles={"robots": "rifts_at_foo"}, damage={"robots": 5}, archived=3,
                energy={"industrial": 1})  # fmt: skip
    found = advise(env, load("planner", "the_loop"))
    assert found.win == 1
    assert found.of(next(o.action for o in found.options if o.name == "stop")).win < 1


@pytest.mark.parametrize("decisions", [5, 30, 45])
def test_an_adviser_does_not_see_what_luck_will_bring(decisions):
    env, other = under_way(decisions), under_way(decisions)
    other.resample_hidden(12345)
    for name in ("planner", "scripted"):
        assert advise(env, load(name, "the_loop")) == advise(other, load(name, "the_loop"))


def test_a_finished_game_is_won_or_lost():
    env = under_way(0)
    luck = np.random.default_rng(1)
    while not env.is_over():
        env.step(luck.choice(np.flatnonzero(env.action_masks())))
    assert win_chance(env) == 0


def test_the_estimate_does_not_fall_when_the_turn_is_played_as_planned():
    """Nothing but luck should move it: it counts what the turn can come to, not only what was done so far."""
    env, planner = TheLoopEnv(agents=2), load("planner", "the_loop")
    env.reset(seed=5)
    falls = []
    for _ in range(60):
        before, luck = advise(env, planner), env.record.luck.copy()
        env.step(before.choice)
        if (luck == env.record.luck).all():
            falls.append(before.win - win_chance(env))
    assert len(falls) > 30
    assert max(falls) < 0.05
