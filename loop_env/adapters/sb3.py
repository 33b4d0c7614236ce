"""Many games as a stable-baselines3 `VecEnv`: works with MaskablePPO, evaluate_policy, VecMonitor, VecNormalize.

A finished game starts anew in the same step; its last observation is in `info["terminal_observation"]`. Infos hold no
other arrays (SB3 copies them, deeply, at every step): masks come from `env_method("action_masks")`, the whole batch at
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvObs, VecEnvStepReturn

from loop_env.adapters.common import Returns, check_count, say_if_compiling, seeds_for, spaces_of
from loop_env.engine.batch import SAME_STEP, Batch
from loop_env.engine.game import Parts
from loop_env.games import find


class GameVecEnv(VecEnv):
    """A batch of games, as SB3 wants it."""

    def __init__(self, parts: Parts, num_envs: int, threads: int = 1) -> None:
        check_count(num_envs, threads)
        self.batch = Batch(parts.game, parts.rules, parts.reward, num_envs, SAME_STEP, threads)
        self.summarise = parts.summarise
        self.returns = Returns(num_envs)
        self.render_mode: str | None = None
        self.blank_infos: list[dict[str, Any]] = [{} for _ in range(num_envs)]
        self.rng = np.random.default_rng()
        self.actions: np.ndarray = np.zeros(num_envs, np.int64)
        super().__init__(num_envs, *spaces_of(parts.game))
        say_if_compiling(parts.game)

    def action_masks(self) -> np.ndarray:
        """What is possible in each game."""
        return self.batch.masks.view(np.bool_)

    def reset(self) -> VecEnvObs:
        """New games, with the seeds of `seed()` if it was called."""
        self.batch.new_arrays()
        self.batch.start(seeds_for(self.batch, self._seeds, self.rng))
        self.returns = Returns(self.num_envs)
        self.reset_infos = [{} for _ in range(self.num_envs)]
        self._reset_seeds()
        return self.batch.observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions."""
        self.actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Make the decisions."""
        batch = self.batch
        batch.new_arrays()
        batch.step(self.actions)
        self.returns.add(batch.rewards)
        infos = self._empty_infos()
        if batch.ended.any():
            self._tell_ends(np.flatnonzero(batch.ended), infos)
        if batch.illegal.any():
            for i in np.flatnonzero(batch.illegal):
                infos[i] = {"illegal_action": True}
        return batch.observations, batch.rewards.astype(np.float32), batch.ended, infos

    def _empty_infos(self) -> list[dict[str, Any]]:
        """An empty dict for each game: the last step's, if nobody wrote into them. Making a thousand takes time."""
        if any(self.blank_infos):
            self.blank_infos = [{} for _ in range(self.num_envs)]
        return self.blank_infos.copy()

    def _tell_ends(self, ended: np.ndarray, infos: list[dict[str, Any]]) -> None:
        batch = self.batch
        found = {key: values.tolist() for key, values in self.summarise(batch.finished, ended).items()}
        rewards, lengths = (numbers.tolist() for numbers in self.returns.take(ended))
        last = batch.last_observations[ended]
        keys = tuple(found)
        for n, values in enumerate(zip(*found.values(), strict=True)):
            info: dict[str, Any] = dict(zip(keys, values, strict=True))
            info["terminal_observation"] = last[n]
            info["episode"] = {"r": rewards[n], "l": lengths[n]}
            info["TimeLimit.truncated"] = False
            infos[ended[n]] = info

    def close(self) -> None:
        """There is nothing to close."""

    def _chosen(self, indices: VecEnvIndices) -> Sequence[int]:
        return list(self._get_indices(indices))

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute of the whole batch, once for each game."""
        value = getattr(self, attr_name)
        return [value for _ in self._chosen(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the whole batch: the games have none of their own."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> Any:
        """Call a method that answers for the whole batch, such as `action_masks`."""
        found = getattr(self, method_name)(*method_args, **method_kwargs)
        return found if indices is None else [found[i] for i in self._chosen(indices)]

    def env_is_wrapped(self, wrapper_class: Any, indices: VecEnvIndices = None) -> list[bool]:
        """The games are wrapped in nothing."""
        return [False for _ in self._chosen(indices)]


def make(game: str, num_envs: int = 1, *, threads: int = 1, seed: int | None = None, **options: Any) -> GameVecEnv:
    """A VecEnv of a game by name; `options` are those of its gymnasium environment."""
    env = GameVecEnv(find(game).parts(**options), num_envs, threads)
    if seed is not None:
        env.seed(seed)
    return env
