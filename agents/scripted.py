"""The player who follows rules of thumb. The rules are a game's own: see its `thumb.py`."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, Boards
from loop_env.games import find


class Scripted(Agent):
    """What a game's rules of thumb say, tried out on copies."""

    def act(self, boards: Boards) -> np.ndarray:
        actions = np.empty(len(boards), np.int64)
        follow = find(boards.parts.game.name).rules_of_thumb()
        follow(boards.copies(), boards.parts.rules, actions)
        return actions
