"""Random streams that live in a game's record.

A record has a field `luck`, one 64-bit counter per stream; each number is a mix of its counter (SplitMix64). A game has
a stream for each source of luck, so that two players who meet the same seed meet, say, the same order of Foo's cards,
whatever else they do. No global random state is read or written.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.arrays import count_places
from loop_env.engine.jit import njit

STRIDE = np.uint64(0x9E3779B97F4A7C15)
MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
MIX_2 = np.uint64(0x94D049BB133111EB)
S27, S30, S31, S32, S11 = np.uint64(27), np.uint64(30), np.uint64(31), np.uint64(32), np.uint64(11)
UNIT = 1.0 / (1 << 53)


@njit
def mix(z: Any) -> Any:
    """Scramble 64 bits."""
    z = (z ^ (z >> S30)) * MIX_1
    z = (z ^ (z >> S27)) * MIX_2
    return z ^ (z >> S31)


@njit
def seed_streams(luck: Any, seed: Any) -> None:
    """Start all streams of a game from one seed."""
    for stream in range(len(luck)):
        luck[stream] = mix(mix(seed + STRIDE) + np.uint64(stream) * STRIDE)


@njit
def next_seed(seed: Any) -> Any:
    """The seed of the game that follows the game with this seed: the same on every front."""
    return mix(seed ^ STRIDE)


@njit
def draw_bits(luck: Any, stream: int) -> Any:
    """The stream's next 64 random bits."""
    luck[stream] += STRIDE
    return mix(luck[stream])


@njit
def draw_below(luck: Any, stream: int, n: int) -> int:
    """A number from 0 to n - 1. The bias of the multiplication, n / 2**32, is below 1 in 10 million here."""
    return int(((draw_bits(luck, stream) >> S32) * np.uint64(n)) >> S32)


@njit
def draw_unit(luck: Any, stream: int) -> float:
    """A number from 0 up to, but not including, 1."""
    return float(draw_bits(luck, stream) >> S11) * UNIT


@njit
def draw_one(luck: Any, stream: int, odds: Any) -> int:
    """One of several things, by their chances, added up."""
    chance = draw_unit(luck, stream)
    for thing in range(len(odds) - 1):
        if chance < odds[thing]:
            return thing
    return len(odds) - 1


@njit
def draw_place(luck: Any, stream: int, places: int) -> int:
    """One of these places (bits), each with the same chance; there must be one."""
    for _ in range(draw_below(luck, stream, count_places(places))):
        places &= places - 1
    place = 0
    while not (places >> place) & 1:
        place += 1
    return place


@njit
def shuffle(luck: Any, stream: int, items: Any, count: int) -> None:
    """Shuffle the first `count` items in place."""
    for last in range(count - 1, 0, -1):
        other = draw_below(luck, stream, last + 1)
        items[last], items[other] = items[other], items[last]


# -- many at once --------------------------------------------------------------------------------
@njit
def player_streams(seed: Any, games: Any) -> Any:
    """A stream for whoever plays each of these games, told apart by the games' seeds; none is a game's own."""
    luck = np.empty(len(games), np.uint64)
    for i in range(len(games)):
        luck[i] = mix(mix(mix(seed ^ MIX_1) + STRIDE) + games[i] * STRIDE)
    return luck


@njit
def draw_units(luck: Any) -> Any:
    """A number from 0 up to 1 out of each stream."""
    drawn = np.empty(len(luck))
    for i in range(len(luck)):
        drawn[i] = draw_unit(luck, i)
    return drawn


@njit
def reseed(games: Any, luck: Any) -> None:
    """Start the streams of each game anew; nothing tells the old ones any more."""
    for i in range(len(games)):
        seed = draw_bits(luck, i)
        games[i].seed = seed
        seed_streams(games[i].luck, seed)
