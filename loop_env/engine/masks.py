"""The set of actions that are possible now: a bit for each in the record's field `legal`."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below

ONE, TWO, FOUR, TOP_BYTE = np.uint64(1), np.uint64(2), np.uint64(4), np.uint64(56)
PAIRS, FOURS = np.uint64(0x5555555555555555), np.uint64(0x3333333333333333)
BYTES, EACH_BYTE = np.uint64(0x0F0F0F0F0F0F0F0F), np.uint64(0x0101010101010101)


@njit
def allow_nothing(g: Any) -> None:
    """Start with an empty set."""
    for word in range(len(g.legal)):
        g.legal[word] = 0


@njit
def allow(g: Any, action: int) -> None:
    """Put an action into the set."""
    g.legal[action >> 6] |= ONE << np.uint64(action & 63)


@njit
def is_legal(g: Any, action: int) -> bool:
    """Whether an action is in the set."""
    if action < 0 or action >= 64 * len(g.legal):
        return False
    return bool((g.legal[action >> 6] >> np.uint64(action & 63)) & ONE)


@njit
def write_mask(g: Any, masks: Any, row: int) -> None:
    """One byte for each action: 1 if it is possible."""
    for word in range(len(g.legal)):
        bits = g.legal[word]
        for bit in range(min(64, masks.shape[1] - 64 * word)):
            masks[row, 64 * word + bit] = (bits >> np.uint64(bit)) & ONE


@njit
def count_bits(bits: Any) -> int:
    """How many bits are set: added up in pairs, in fours, in bytes, all at once."""
    bits = bits - ((bits >> ONE) & PAIRS)
    bits = (bits & FOURS) + ((bits >> TWO) & FOURS)
    bits = (bits + (bits >> FOUR)) & BYTES
    return int((bits * EACH_BYTE) >> TOP_BYTE)


@njit
def lowest_bit(bits: Any) -> int:
    """The number of the lowest bit that is set."""
    return count_bits((bits & (~bits + ONE)) - ONE)


@njit
def take_lowest(g: Any) -> int:
    """Take the first action out of the set; -1 if it is empty."""
    for word in range(len(g.legal)):
        bits = g.legal[word]
        if bits != 0:
            g.legal[word] = bits & (bits - ONE)
            return 64 * word + lowest_bit(bits)
    return -1


@njit
def pick_legal(g: Any, luck: Any, stream: int) -> int:
    """One of the possible actions, each with the same chance."""
    count = 0
    for word in range(len(g.legal)):
        count += count_bits(g.legal[word])
    nth = draw_below(luck, stream, count)
    for word in range(len(g.legal)):
        bits = g.legal[word]
        here = count_bits(bits)
        if nth < here:
            for _ in range(nth):
                bits &= bits - ONE
            return 64 * word + lowest_bit(bits)
        nth -= here
    return -1


@njit
def pick_actions(games: Any, luck: Any, actions: Any) -> None:
    """A random possible action for each game; each game has a stream of its own in `luck`."""
    for i in range(len(games)):
        actions[i] = pick_legal(games[i], luck, i)


@njit
def pick_from_masks(masks: Any, luck: Any, actions: Any) -> None:
    """The same for who sees masks only."""
    for i in range(len(masks)):
        count = 0
        for action in range(masks.shape[1]):
            count += masks[i, action]
        nth = draw_below(luck, i, count)
        for action in range(masks.shape[1]):
            if masks[i, action]:
                if nth == 0:
                    actions[i] = action
                    break
                nth -= 1
