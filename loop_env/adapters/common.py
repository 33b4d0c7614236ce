"""What the fronts share."""

from __future__ import annotations

import operator
import sys
from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np

from loop_env.engine.batch import Batch
from loop_env.engine.game import Game
from loop_env.engine.jit import is_compiled
from loop_env.engine.luck import next_seed
from loop_env.errors import UserError

FIRST = np.array([0])  # the only row of a batch of one


def spaces_of(game: Game) -> tuple[Any, Any]:
    """The spaces of one game."""
    low, high = game.bounds
    return gym.spaces.Box(low, high, dtype=np.float32), gym.spaces.Discrete(game.actions.size)


def say_if_compiling(game: Game) -> None:
    """Tell the user why the first step takes a while."""
    if not is_compiled():
        print(f"loop_env: compiling the rules of {game.name}, once ...", file=sys.stderr, flush=True)


def whole(number: Any) -> int:
    """A whole number, whatever kind of number says it."""
    try:
        return operator.index(number.item() if isinstance(number, np.ndarray) else number)
    except (TypeError, ValueError):
        raise UserError(f"{number!r} is not a whole number") from None


def check_count(count: int, threads: int) -> None:
    """Complain about numbers that make no sense."""
    if whole(count) < 1 or whole(threads) < 1:
        raise UserError(f"num_envs = {count}, threads = {threads}: both must be at least 1")


def seeds_for(batch: Batch, seed: int | Sequence[int | None] | None, rng: np.random.Generator) -> np.ndarray:
    """A seed for each game: seed, seed + 1, ...; or those given; or, without any, those that follow the last games."""
    if isinstance(seed, Sequence | np.ndarray) and not isinstance(seed, str):
        given = [None if number is None else whole(number) for number in seed]
    else:
        given = [None if seed is None else whole(seed) + i for i in range(batch.count)]
    if len(given) != batch.count:
        raise UserError(f"{len(given)} seeds were given for {batch.count} games")
    seeds = rng.integers(2**63, size=batch.count, dtype=np.uint64)
    for i, number in enumerate(given):
        if number is not None:
            seeds[i] = number % 2**64
        elif batch.games["decisions"][i] or batch.games["seed"][i]:
            seeds[i] = next_seed(batch.games["seed"][i])
    return seeds


class Returns:
    """What each game of a batch has earned so far, and in how many steps."""

    def __init__(self, count: int) -> None:
        self.rewards, self.lengths = np.zeros(count), np.zeros(count, np.int64)

    def add(self, rewards: np.ndarray) -> None:
        """Count one step."""
        self.rewards += rewards
        self.lengths += 1

    def take(self, ended: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Rewards and lengths of the games that ended; they start again from zero."""
        found = self.rewards[ended], self.lengths[ended]
        self.rewards[ended] = 0
        self.lengths[ended] = 0
        return found
