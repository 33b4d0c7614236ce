"""What a network sees of a game: the observation and, with foresight, what each action would do.

Foresight tries every action on a copy whose hidden cards and luck were drawn anew: it knows no more than a person at
the table who reads what is on the cards (`loop_env/engine/foresight.py`).
"""

from __future__ import annotations

import numpy as np
import torch
from torch import Tensor

from loop_env.engine.game import Game
from loop_env.games import find


class Sight:
    """Makes a network's inputs; `foresight` is how many positions to look at for an action, 0 for none."""

    def __init__(self, game: Game, foresight: int, threads: int = 1) -> None:
        self.game, self.foresight, self.threads = game, foresight, threads
        self.deed = find(game.name).foresight().size if foresight else 0  # numbers for each action
        self.size = game.observation.size + game.actions.size * self.deed

    def of(self, observations: np.ndarray, copies: np.ndarray, rules: np.ndarray) -> Tensor:
        """The inputs for some games: their observations, and copies of them with luck of their own."""
        if not self.foresight:
            return torch.from_numpy(observations)
        changes = find(self.game.name).foresight().foresee(copies, rules, self.foresight, self.threads)
        return torch.from_numpy(np.concatenate([observations, changes.reshape(len(changes), -1)], 1))
