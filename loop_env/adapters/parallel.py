"""The same game as a PettingZoo `ParallelEnv`: everyone gives an action at each step, and the decider's counts."""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from loop_env.adapters.aec import GameAECEnv, raw_env

Observations = dict[str, dict[str, np.ndarray]]


class GameParallelEnv(ParallelEnv[str, dict[str, np.ndarray], int]):
    """One game, all agents at once."""

    metadata: dict[str, Any] = {"render_modes": [], "name": "loop_env", "is_parallelizable": True}  # noqa: RUF012

    def __init__(self, game: GameAECEnv) -> None:
        self.game = game
        self.render_mode = None
        self.possible_agents = game.possible_agents
        self.agents = self.possible_agents[:]

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.game.observation_space(agent)

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self.game.action_space(agent)

    def reset(
        self, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observations, dict[str, dict[str, Any]]]:
        """A new game."""
        self.game.reset(seed=seed)
        self.agents = self.game.agents[:]
        return self._observations(), {agent: {} for agent in self.agents}

    def step(
        self, actions: dict[str, int]
    ) -> tuple[Observations, dict[str, float], dict[str, bool], dict[str, bool], dict[str, dict[str, Any]]]:
        """One decision: the action of whoever decides."""
        game = self.game
        game.step(actions[game.agent_selection])
        observations = self._observations()
        found = dict(game.rewards), dict(game.terminations), dict(game.truncations), dict(game.infos)
        if any(game.terminations.values()) or any(game.truncations.values()):
            self.agents = []
        return (observations, *found)

    def _observations(self) -> Observations:
        return {agent: self.game.observe(agent) for agent in self.agents}


def parallel_env(game: str = "the_loop", max_cycles: int | None = None, **options: Any) -> GameParallelEnv:
    """The parallel environment; a cycle is one decision."""
    return GameParallelEnv(raw_env(game, max_decisions=max_cycles, **options))


def env(game: str = "the_loop", max_cycles: int | None = None, **options: Any) -> AECEnv[Any, Any, Any]:
    """The parallel environment, agent by agent in turn."""
    return parallel_to_aec(parallel_env(game, max_cycles, **options))
