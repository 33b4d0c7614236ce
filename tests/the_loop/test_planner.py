"""The planner: what it chooses, what it may know, what it may cost."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from loop_env.engine.batch import Batch
from loop_env.engine.fuzz import player_luck
from loop_env.engine.luck import seed_streams
from loop_env.engine.masks import is_legal, pick_actions
from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.env import make_parts
from loop_env.the_loop.names import RUNNING, WON
from loop_env.the_loop.planner import PLANNER
from loop_env.the_loop.value import logit, loss_chance, value, weigh
from tests.the_loop.helpers import ME, OTHER, table

BUDGET = 400


def plan(games: np.ndarray, rules: np.ndarray, budget: int = BUDGET, worlds: int = 1, seed: int = 1) -> Any:
    """The planner's actions and what they cost."""
    seeds = np.arange(seed, seed + len(games)).astype(np.uint64)
    found = PLANNER.plan(games, rules, weigh(rules), budget, worlds, seeds)
    return found.actions, found.counts


def choice(env: TheLoopEnv, **words: Any) -> str:
    """What the planner does here, by name."""
    return env.action_name(int(plan(env.batch.games, env.batch.rules, **words)[0][0]))


def finish_turn(env: TheLoopEnv, budget: int = BUDGET) -> TheLoopEnv:
    """Let the planner play until the turn is over."""
    turn = env.record.turn
    while env.record.turn == turn and env.record.outcome == RUNNING:
        env.act(choice(env, budget=budget))
    return env


def batch_of(count: int, seed: int = 0, **options: Any) -> Batch:
    """Some games, just begun."""
    parts = make_parts(**options)
    batch = Batch(parts.game, parts.rules, parts.reward, count)
    batch.start(np.arange(seed, seed + count).astype(np.uint64))
    return batch


def after_random_decisions(count: int, decisions: int, **options: Any) -> Batch:
    """Some games in the middle of things."""
    batch = batch_of(count, **options)
    luck, actions = player_luck(np.arange(count).astype(np.uint64)), np.zeros(count, np.int64)
    for _ in range(decisions):
        pick_actions(batch.games, luck, actions)
        batch.step(actions)
    return batch


# -- what it chooses -------------------------------------------------------------------------------
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("budget", [1, 30])
def test_it_chooses_only_what_is_possible(players, budget):
    batch = batch_of(20, agents=players)
    for _ in range(120):
        actions, _ = plan(batch.games, batch.rules, budget)
        assert all(is_legal(batch.games[i], actions[i]) for i in range(20))
        batch.step(actions)


def test_it_archives_the_last_tile_at_once():
    env = table(at={ME: "robots"}, tiles={"robots": "rifts_at_foo"}, damage={"robots": 5}, archived=3)
    assert finish_turn(env).record.outcome == WON


def test_it_walks_to_a_finished_tile_to_win():
    env = table(at={ME: "industrial"}, tiles={"robots": "rifts_at_foo"}, damage={"robots": 5}, archived=3,
                energy={"industrial": 1})  # fmt: skip
    assert finish_turn(env).record.outcome == WON


def test_it_finds_the_last_damage():
    env = table(at={ME: "robots"}, foo="robots", tiles={"robots": "rifts_at_foo"}, damage={"robots": 4}, archived=3,
                rifts={"robots": 2}, hand={ME: ["Spartan Shield"]})  # fmt: skip
    assert choice(env) == "play: Spartan Shield"
    assert finish_turn(env).record.outcome == WON


def test_it_archives_when_it_can():
    env = table(at={ME: "robots"}, tiles={"robots": "rifts_at_foo"}, damage={"robots": 5})
    assert finish_turn(env).record.archived == 1


def test_it_takes_rifts_away_where_a_second_vortex_threatens():
    env = table(at={ME: "robots"}, vortices=["robots"], rifts={"robots": 3}, hand={ME: ["Spartan Shield"]})
    before = loss_chance(env.record, env.batch.rules[0])
    assert choice(env) == "play: Spartan Shield"
    env.act("play: Spartan Shield")
    assert loss_chance(env.record, env.batch.rules[0]) < before


# -- what it may know ------------------------------------------------------------------------------
def test_the_same_seed_gives_the_same_choice():
    batch = after_random_decisions(30, 25)
    before = batch.games.copy()
    first, again = plan(batch.games, batch.rules)[0], plan(batch.games, batch.rules)[0]
    assert (first == again).all()
    assert batch.games.tobytes() == before.tobytes()  # and the games stay as they are


def test_it_does_not_see_what_luck_will_bring():
    batch = after_random_decisions(60, 25)
    other = batch.games.copy()
    for i in range(len(other)):
        seed_streams(other[i].luck, np.uint64(1000 + i))
        other[i].seed = 1000 + i
    assert (plan(batch.games, batch.rules)[0] == plan(other, batch.rules)[0]).all()


# -- what it may cost ------------------------------------------------------------------------------
@pytest.mark.parametrize(("budget", "worlds"), [(1, 1), (7, 3), (100, 4), (400, 1)])
def test_the_budget_is_kept(budget, worlds):
    batch = after_random_decisions(40, 12)
    _, counts = plan(batch.games, batch.rules, budget, worlds)
    assert counts.max() <= budget
    assert counts.max() > budget // 2


def test_a_single_action_costs_nothing():
    env = table(battery={OTHER: False}, active=OTHER)  # no card, no energy, no ability
    assert env.legal_actions() == ["stop"]
    assert plan(env.batch.games, env.batch.rules)[1][0] == 0
    assert choice(env) == "stop"


# -- how well it plays -----------------------------------------------------------------------------
def test_it_wins_most_games():
    batch = batch_of(20, seed=100)
    while (batch.games["outcome"] == RUNNING).any():
        batch.step(plan(batch.games, batch.rules, budget=1000)[0])
    assert (batch.games["outcome"] == WON).sum() >= 12


# -- what a position is worth ----------------------------------------------------------------------
def test_a_position_is_worth_a_chance():
    batch = after_random_decisions(50, 30)
    weights = weigh(batch.rules)
    worth = [value(g, batch.rules[0], weights[0]) for g in batch.games]
    assert min(worth) >= 0
    assert max(worth) <= 1


def test_progress_is_worth_more_and_danger_less():
    rules = table().batch.rules
    weights = weigh(rules)[0]

    def worth(**words: Any) -> float:
        return logit(table(tiles={"robots": "rifts_at_foo"}, **words).record, rules[0], weights)

    assert worth(damage={"robots": 3}) > worth(damage={"robots": 1}) > worth()
    assert worth() > worth(rifts={"dawn": 3}) > worth(vortices=["dawn"], rifts={"dawn": 3})
    assert worth() > worth(clones=[("dawn", "robots")])


def test_threads_make_no_difference():
    parts = make_parts()
    batch = Batch(parts.game, parts.rules, parts.reward, 30)
    batch.start(np.arange(30))
    seeds = np.arange(30, dtype=np.uint64)
    one, three = (
        PLANNER.plan(batch.games, parts.rules, weigh(parts.rules), 100, 1, seeds, threads=threads) for threads in (1, 3)
    )
    assert np.array_equal(one.actions, three.actions)
    assert np.array_equal(one.scores, three.scores)


def test_the_chosen_action_has_the_best_score():
    parts = make_parts()
    batch = Batch(parts.game, parts.rules, parts.reward, 30)
    batch.start(np.arange(30))
    found = PLANNER.plan(batch.games, parts.rules, weigh(parts.rules), 100, 2, np.arange(30, dtype=np.uint64))
    rows = np.arange(30)
    assert np.array_equal(found.scores[rows, found.actions], found.scores.max(1))
    assert (found.scores[batch.masks == 0] < 0).all()
    assert (found.hopes <= found.scores.clip(0) + 1e-12).all()
