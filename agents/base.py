"""What every player is: a class with `act`, which is shown many games at once and answers with one action for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass, field

import numpy as np

from loop_env.engine.batch import Batch
from loop_env.engine.game import Parts
from loop_env.engine.luck import draw_units, reseed


@dataclass
class Boards:
    """What a player may see of some running games. All arrays are the player's own to change.

    Chance belongs to the games, not to the player: every game brings a stream of random numbers for whoever plays it.
    So a game is played in the same way in whatever company it is shown.
    """

    parts: Parts  # the game, with its tables of actions and observation, and its rules
    rows: np.ndarray  # which games of the match these are: for players who remember
    observations: np.ndarray  # (n, size) float32
    masks: np.ndarray  # (n, actions) int8: 1 for what is possible
    luck: np.ndarray  # (n,) uint64: the player's random streams
    _records: np.ndarray = field(repr=False)

    def __len__(self) -> int:
        return len(self.rows)

    @classmethod
    def of(cls, parts: Parts, batch: Batch, rows: np.ndarray, luck: np.ndarray) -> Boards:
        """Some games of a batch, as a player may see them."""
        records = batch.games[rows]
        records["seed"], records["luck"] = 0, 0  # the future is nobody's to see
        return cls(parts, rows, batch.observations[rows], batch.masks[rows], luck, records)

    def copies(self) -> np.ndarray:
        """Copies of the games to try things out on: the same tables, but other hidden cards and another future."""
        copies = self._records.copy()
        reseed(copies, self.luck)
        return copies

    def random(self) -> np.ndarray:
        """A random number from 0 up to 1 for each game, out of the player's streams."""
        return draw_units(self.luck)


class Agent(ABC):
    """A player. It may be made with a `seed`; `act` is all it has to have."""

    name = "agent"  # what it was called by

    @abstractmethod
    def act(self, boards: Boards) -> np.ndarray:
        """One possible action for each game."""

    def chances(self, boards: Boards) -> np.ndarray | None:
        """The probability of each action in each game, for a player who goes by such."""
        return None

    def advise(self, boards: Boards) -> np.ndarray:
        """What a student of this player learns from: how much it recommends each action, 1 in all for each game."""
        advice = np.zeros(boards.masks.shape, np.float32)
        advice[np.arange(len(boards)), self.act(boards)] = 1
        return advice
