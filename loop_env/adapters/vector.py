"""Many games as a `gymnasium.vector.VectorEnv`: the batched core, not so many copies of an environment.

A finished game starts anew in the step after its last one (autoreset mode NEXT_STEP); that step ignores its action and
has reward 0. Every step returns arrays of its own: keep them as long as you like. How games ended is told in infos, key
by key, `episode_return` and `episode_length` among them; the key `episode` is left to RecordEpisodeStatistics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium as gym
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space

from loop_env.adapters.common import Returns, check_count, say_if_compiling, seeds_for, spaces_of
from loop_env.engine.batch import NEXT_STEP, RUNNING, Batch
from loop_env.engine.game import Parts


class GameVectorEnv(VectorEnv[np.ndarray, np.ndarray, np.ndarray]):
    """A batch of games."""

    metadata: dict[str, Any] = {"render_modes": [], "autoreset_mode": AutoresetMode.NEXT_STEP}  # noqa: RUF012

    def __init__(self, parts: Parts, num_envs: int, threads: int = 1) -> None:
        check_count(num_envs, threads)
        self.num_envs = num_envs
        self.batch = Batch(parts.game, parts.rules, parts.reward, num_envs, NEXT_STEP, threads)
        self.summarise = parts.summarise
        self.returns = Returns(num_envs)
        self.everyone = np.ones(num_envs, np.bool_)
        self.single_observation_space, self.single_action_space = spaces_of(parts.game)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = gym.spaces.MultiDiscrete([parts.game.actions.size] * num_envs)
        say_if_compiling(parts.game)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """New games; with one seed, game i has seed + i."""
        super().reset(seed=seed if seed is None or isinstance(seed, int) else None)
        batch = self.batch
        batch.new_arrays()
        batch.start(seeds_for(batch, seed, self.np_random))
        self.returns = Returns(self.num_envs)
        return batch.observations, self._masks()

    def step(self, actions: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray, dict[str, Any]]:
        """One decision in each game."""
        batch = self.batch
        fresh = batch.games["outcome"] != RUNNING  # these only start anew
        batch.new_arrays()
        batch.step(actions)
        self.returns.add(batch.rewards)
        self.returns.lengths[fresh] = 0
        infos = self._masks()
        if batch.ended.any():
            infos |= self._ends(batch.ended)
        if batch.illegal.any():
            infos |= {"illegal_action": batch.illegal, "_illegal_action": batch.illegal}
        return batch.observations, batch.rewards, batch.ended, np.zeros(self.num_envs, np.bool_), infos

    def _masks(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks, "_action_mask": self.everyone}

    def _ends(self, ended: np.ndarray) -> dict[str, Any]:
        """How the games ended: arrays over all games, with the key's twin `_key` to say for which they hold."""
        infos: dict[str, Any] = {}
        rows = np.flatnonzero(ended)
        rewards, lengths = self.returns.take(rows)
        found = self.summarise(self.batch.games, rows)
        for key, values in (found | {"episode_return": rewards, "episode_length": lengths}).items():
            kind = np.int64 if values.dtype.kind == "i" else values.dtype
            infos[key] = np.full(self.num_envs, None if values.dtype == object else 0, kind)
            infos[key][rows] = values
            infos[f"_{key}"] = ended
        return infos
