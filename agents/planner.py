"""The planner: searches the rest of the turn on copies of the games."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, Boards
from loop_env.games import find

BUDGET = 3000  # positions to look at for a decision
WORLDS = 1  # to share them out among: other luck in each


class Planner(Agent):
    """Plays what the search finds best, on copies with luck of their own: it cannot see the future."""

    name = "planner"

    def __init__(self, budget: int = BUDGET, worlds: int = WORLDS) -> None:
        self.budget, self.worlds = budget, worlds
        self.looked_at = 0  # positions so far

    def act(self, boards: Boards) -> np.ndarray:
        """The best action of each game, as far as the budget goes."""
        search, rules, copies = find(boards.parts.game.name).planner(), boards.parts.rules, boards.copies()
        actions, counts = np.zeros(len(boards), np.int64), np.zeros(len(boards), np.int64)
        search.plan(copies, rules, search.weigh(rules), self.budget, self.worlds, copies["seed"], actions, counts)
        self.looked_at += int(counts.sum())
        return actions
