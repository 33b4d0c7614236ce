"""The planner: searches the rest of the turn on copies of the games."""

from __future__ import annotations

import numpy as np

from agents.base import Agent, Boards
from loop_env.engine.search import Plans
from loop_env.games import find

BUDGET = 3000  # positions to look at for a decision
WORLDS = 1  # to share them out among: other luck in each
WARMTH = 0.1  # of advice: an action that is worth so much less, in logits, is recommended 1 / e as much
LEAST, MOST = 1e-6, 1 - 1e-6  # chances to win that logits can tell


class Planner(Agent):
    """Plays what the search finds best, on copies with luck of their own: it cannot see the future."""

    name = "planner"

    def __init__(self, budget: int = BUDGET, worlds: int = WORLDS, threads: int = 1) -> None:
        self.budget, self.worlds, self.threads = budget, worlds, threads
        self.looked_at = 0  # positions so far

    def act(self, boards: Boards) -> np.ndarray:
        """The best action of each game, as far as the budget goes."""
        return self.search(boards).actions

    def advise(self, boards: Boards) -> np.ndarray:
        """Actions that lead to positions of about the same worth are recommended about equally."""
        plans = self.search(boards)
        scores = np.clip(plans.scores, LEAST, MOST)
        scores[np.arange(len(boards)), plans.actions] = scores.max(1)
        logits = np.log(scores / (1 - scores)) / WARMTH
        advice = np.exp(logits - logits.max(1, keepdims=True)) * boards.masks
        return (advice / advice.sum(1, keepdims=True)).astype(np.float32)

    def search(self, boards: Boards) -> Plans:
        """Plans for the games."""
        search, rules, copies = find(boards.parts.game.name).planner(), boards.parts.rules, boards.copies()
        weights, seeds = search.weigh(rules), copies["seed"]
        plans = search.plan(copies, rules, weights, self.budget, self.worlds, seeds, threads=self.threads)
        self.looked_at += int(plans.counts.sum())
        return plans
