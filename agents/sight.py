"""What a network sees of a game: the observation and, with foresight, what each action would lead to in this turn.

Foresight is a small search, the planner's with few positions, on a copy whose hidden cards and luck were drawn anew: it
knows no more than a person at the table who thinks a little ahead. The network learns what to make of it.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from loop_env.engine.game import Game
from loop_env.engine.search import UNFINISHED
from loop_env.games import find

FURTHEST = 1.0  # logits: what is worse than the best by more than that looks the same
LEAST, MOST = 1e-4, 1 - 1e-4  # chances to win that are told apart


class Sight:
    """Makes a network's inputs; `foresight` is how many positions to look at for a decision, 0 for none."""

    def __init__(self, game: Game, foresight: int, threads: int = 1) -> None:
        self.game, self.foresight, self.threads = game, foresight, threads
        self.size = game.observation.size + (game.actions.size if foresight else 0)

    def of(self, observations: np.ndarray, copies: np.ndarray, rules: np.ndarray) -> Tensor:
        """The inputs for some games: their observations, and copies of them with luck of their own."""
        if not self.foresight:
            return torch.from_numpy(observations)
        return torch.from_numpy(np.concatenate([observations, self.ahead(copies, rules)], 1))

    def ahead(self, copies: np.ndarray, rules: np.ndarray) -> np.ndarray:
        """How much worse than the best each action looks, in logits of the chance to win."""
        search = find(self.game.name).planner()
        weights, seeds = search.weigh(rules), copies["seed"]
        scores = search.plan(copies, rules, weights, self.foresight, 1, seeds, threads=self.threads).scores
        scores[scores < UNFINISHED / 2] -= UNFINISHED  # what an action does at once, if no more was seen of it
        chances = np.clip(scores, LEAST, MOST)
        logits = np.log(chances / (1 - chances))
        return np.maximum(logits - logits.max(1, keepdims=True), -FURTHEST).astype(np.float32)
