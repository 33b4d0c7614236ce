"""A game as a PettingZoo `AECEnv`: one PettingZoo agent for each player, a shared reward, turns of several decisions.

The agent to act is whoever decides in the game; the mask stands in the observation, as in PettingZoo's own games, and
is all zero for everyone else. `parallel.py` shows the same game to tools that let everyone act at once.
"""

from __future__ import annotations

from typing import Any

import gymnasium as gym
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from loop_env.adapters.common import FIRST, say_if_compiling, seeds_for, spaces_of
from loop_env.engine.batch import KEEP, Batch
from loop_env.engine.game import Parts
from loop_env.errors import UserError
from loop_env.games import find


class GameAECEnv(AECEnv[str, dict[str, np.ndarray], int]):
    """One game, agent by agent."""

    metadata: dict[str, Any] = {"render_modes": [], "name": "loop_env", "is_parallelizable": False}  # noqa: RUF012

    def __init__(self, parts: Parts, max_decisions: int | None = None) -> None:
        super().__init__()
        self.batch = Batch(parts.game, parts.rules, parts.reward, 1, KEEP)
        self.seat_view = Batch(parts.game, parts.rules, parts.reward, 1, KEEP)  # to look from another seat
        self.summarise, self.max_decisions = parts.summarise, max_decisions
        self.render_mode = None
        self.rng = np.random.default_rng()
        self.possible_agents = [f"player_{seat}" for seat in range(parts.seats)]
        self.agents = self.possible_agents[:]
        observation, _ = spaces_of(parts.game)
        mask = gym.spaces.Box(0, 1, (parts.game.actions.size,), np.int8)
        self._observation_space = gym.spaces.Dict({"observation": observation, "action_mask": mask})
        self._action_spaces = {agent: gym.spaces.Discrete(parts.game.actions.size) for agent in self.agents}
        say_if_compiling(parts.game)

    def observation_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._observation_space

    def action_space(self, agent: str) -> gym.spaces.Space[Any]:
        return self._action_spaces[agent]

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """The table from the agent's seat."""
        if agent not in self.possible_agents[: self.batch.games["players"][0]]:
            raise UserError(f"{agent!r} does not play in this game")
        seat = self.possible_agents.index(agent)
        self.seat_view.games[:] = self.batch.games
        self.seat_view.games["actor"] = seat
        self.seat_view.look()
        acts = seat == self.batch.games["actor"][0]
        mask = self.batch.masks[0].copy() if acts else np.zeros_like(self.batch.masks[0])
        return {"observation": self.seat_view.observations[0].copy(), "action_mask": mask}

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """A new game."""
        self.batch.start(seeds_for(self.batch, seed, self.rng))
        self.agents = self.possible_agents[: self.batch.games["players"][0]]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.decisions = 0
        self.agent_selection = self._decider()

    def step(self, action: int | None) -> None:
        """One decision of the selected agent; everyone earns the reward."""
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[self.agent_selection] = 0.0
        self.batch.step(np.array([action]))
        self.decisions += 1
        self.rewards = dict.fromkeys(self.agents, float(self.batch.rewards[0]))
        self.infos = {agent: {} for agent in self.agents}
        if self.batch.illegal[0]:
            self.infos[self.agent_selection]["illegal_action"] = True
        if self.batch.ended[0]:
            ending = {key: values.tolist()[0] for key, values in self.summarise(self.batch.games, FIRST).items()}
            self.infos = {agent: dict(ending) for agent in self.agents}
            self.terminations = dict.fromkeys(self.agents, True)
        elif self.max_decisions is not None and self.decisions >= self.max_decisions:
            self.truncations = dict.fromkeys(self.agents, True)
        self.agent_selection = self._decider()
        self._accumulate_rewards()

    def render(self) -> None:
        """There is no picture here; see the gymnasium environment."""

    def close(self) -> None:
        """There is nothing to close."""

    def _decider(self) -> str:
        return self.possible_agents[int(self.batch.games["actor"][0])]


def raw_env(game: str = "the_loop", max_decisions: int | None = None, **options: Any) -> GameAECEnv:
    """The environment without wrappers; `options` are those of the gymnasium environment."""
    return GameAECEnv(find(game).parts(**options), max_decisions)


def env(game: str = "the_loop", **options: Any) -> AECEnv[str, dict[str, np.ndarray], int]:
    """The environment with PettingZoo's usual checks around it."""
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw_env(game, **options)))
