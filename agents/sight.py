"""What a network sees of a game: the observation and, with foresight, what each action would do.

Foresight tries every action on a copy whose hidden cards and luck were drawn anew: it knows no more than a person at
the table who reads what is on the cards (`loop_env/engine/foresight.py`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import torch
from torch import Tensor

from loop_env.engine.game import Game
from loop_env.games import find


@dataclass(frozen=True)
class Seen:
    """What a network sees of some positions. Few actions are possible at a time, so only these have a row of deeds."""

    tables: Tensor  # (n, size): the observation and, with foresight, the outline
    masks: Tensor  # (n, actions): what is possible
    deeds: Tensor | None = None  # (m, k): what each possible action would do, in the order of `masks.nonzero()`

    def __len__(self) -> int:
        return len(self.tables)

    @cached_property
    def counts(self) -> Tensor:
        """How many actions are possible in each position."""
        return self.masks.sum(1)

    @cached_property
    def firsts(self) -> Tensor:
        """Where the deeds of each position begin."""
        return self.counts.cumsum(0) - self.counts

    def rows(self, rows: Tensor) -> Seen:
        """Some of the positions."""
        tables, masks = self.tables[rows], self.masks[rows]
        if self.deeds is None:
            return Seen(tables, masks)
        counts = self.counts[rows]
        shifts = self.firsts[rows] - (counts.cumsum(0) - counts)  # from a deed's place there to that here
        shifts = shifts.repeat_interleave(counts)
        return Seen(tables, masks, self.deeds[shifts + torch.arange(len(shifts))])

    def to(self, kind: torch.dtype) -> Seen:
        """The same, in numbers of another kind."""
        return Seen(self.tables.to(kind), self.masks, None if self.deeds is None else self.deeds.to(kind))


def together(parts: Sequence[Seen]) -> Seen:
    """All of these positions, one after the other."""
    deeds = [part.deeds for part in parts if part.deeds is not None]
    return Seen(
        torch.cat([part.tables for part in parts]),
        torch.cat([part.masks for part in parts]),
        torch.cat(deeds) if deeds else None,
    )


class Sight:
    """Lets a network see games; `foresight` is how many positions to look at for an action, 0 for none."""

    def __init__(self, game: Game, foresight: int, threads: int = 1) -> None:
        self.game, self.foresight, self.threads = game, foresight, threads
        ahead = find(game.name).foresight() if foresight else None
        self.outline = ahead.table.size if ahead else 0  # numbers of a position, besides the observation's
        self.deed = ahead.size if ahead else 0  # numbers for each action

    @property
    def size(self) -> int:
        """Numbers for a position."""
        return self.game.observation.size + self.outline

    def of(self, observations: np.ndarray, masks: np.ndarray, copies: np.ndarray, rules: np.ndarray) -> Seen:
        """What is seen of some games: their observations and masks, and copies of them with luck of their own."""
        possible = torch.from_numpy(masks).bool()
        if not self.foresight:
            return Seen(torch.from_numpy(observations), possible)
        now, deeds = find(self.game.name).foresight().foresee(copies, rules, self.foresight, self.threads)
        return Seen(torch.from_numpy(np.concatenate([observations, now], 1)), possible, torch.from_numpy(deeds))
