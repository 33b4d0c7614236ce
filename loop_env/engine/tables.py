"""Named tables: every action and every number of an observation has a name, so that no index is written by hand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class Block:
    """A run of neighbouring entries with one name."""

    name: str
    start: int
    shape: tuple[int, ...]
    about: str

    @property
    def size(self) -> int:
        """How many entries the block has."""
        size = 1
        for length in self.shape:
            size *= length
        return size

    @property
    def slice(self) -> slice:
        """The block's place in the whole table."""
        return slice(self.start, self.start + self.size)


class Table:
    """Blocks laid end to end: `table["rifts"].slice` is where the rifts stand."""

    def __init__(self, *rows: tuple[str, int | tuple[int, ...], str]) -> None:
        self.blocks: dict[str, Block] = {}
        self.size = 0
        for name, shape, about in rows:
            if name in self.blocks:
                raise ValueError(f"two blocks are called {name!r}")
            block = Block(name, self.size, (shape,) if isinstance(shape, int) else shape, about)
            self.blocks[name] = block
            self.size += block.size

    def __getitem__(self, name: str) -> Block:
        return self.blocks[name]

    def start(self, name: str) -> int:
        """Where a block starts: the constant that compiled code uses."""
        return self.blocks[name].start

    def starts(self, *names: str) -> tuple[int, ...]:
        """Where several blocks start."""
        return tuple(self.blocks[name].start for name in names)

    def record(self, kind: str) -> np.dtype[Any]:
        """The table as a record with a field for each block, all numbers of one kind."""
        fields = [(block.name, kind, block.shape) for block in self.blocks.values()]
        return np.dtype((np.record, np.dtype(fields)))

    def block_of(self, index: int) -> tuple[Block, int]:
        """The block that an index falls into, and its place there."""
        for block in self.blocks.values():
            if block.start <= index < block.start + block.size:
                return block, index - block.start
        raise IndexError(f"{index} is outside the table of {self.size} entries")

    def describe(self) -> list[dict[str, object]]:
        """The table as plain rows, for `info`, the docs and tests."""
        return [
            {"name": block.name, "start": block.start, "shape": list(block.shape), "about": block.about}
            for block in self.blocks.values()
        ]
