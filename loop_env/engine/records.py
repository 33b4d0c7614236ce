"""Records: a whole game, or a whole set of rules, as one element of a numpy array."""

from __future__ import annotations

from typing import Any

import numpy as np

WORD = 8


def record(*fields: tuple[Any, ...]) -> np.dtype[Any]:
    """A record type without hidden gaps, so that equal records are equal bytes.

    The fields must come in an order that keeps each of them aligned: the widest numbers first.
    """
    packed = np.dtype(list(fields))
    for name in packed.names or ():
        kind, offset = packed.fields[name][:2]  # type: ignore[index]
        width = WORD if kind.base.names else kind.base.itemsize  # a record within a record starts with a word
        if offset % width:
            raise ValueError(f"field {name!r} is not aligned: put the wider fields first")
    if gap := -packed.itemsize % WORD:
        packed = np.dtype([*fields, ("unused", "u1", gap)])
    return np.dtype((np.record, packed))
