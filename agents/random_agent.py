"""The player whom everybody should beat."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, Boards
from loop_env.engine.masks import pick_from_masks


class RandomAgent(Agent):
    """Any possible action, each with the same chance."""

    def act(self, boards: Boards) -> np.ndarray:
        actions = np.empty(len(boards), np.int64)
        pick_from_masks(boards.masks, boards.luck, actions)
        return actions

    def chances(self, boards: Boards) -> np.ndarray:
        """The same for everything that is possible."""
        return boards.masks / boards.masks.sum(1, keepdims=True)
