"""The machine: a numpy core for cubes that fall out of three chutes.

A cube takes the chute to the previous, to Foo's or to the next era with the chances `split`. With `clumping` c the
cubes stick together: the next cube follows each cube before it with weight c and takes a fresh chute with weight 1 - c.
So c = 0 gives a multinomial, and c in general a Dirichlet-multinomial with concentration (1 - c) / c.

The functions here take arrays of any shape: thousands of machines at once. The engine's own drop is in `board.py`; the
tables made here (`tail_table`, `spawn_table`) let it look risks up.
"""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

CHUTE_OFFSETS = (-1, 0, 1)  # the eras that the three chutes point at, seen from Foo's
MOST_CUBES = 56  # in one drop: 6 by the level, 28 clones, 7 supa clones that count as 3, one to spare
MOST_SPAWNED = 4  # clones in one Foo phase
N_ERAS = 7
TOKENS_PER_ERA = 4


def concentration(clumping: float) -> float:
    """The Dirichlet's concentration that belongs to a clumping above 0."""
    return (1 - clumping) / clumping


def sample(
    rng: np.random.Generator, cubes: ArrayLike, split: ArrayLike = (0.3, 0.4, 0.3), clumping: float = 0.0
) -> Ints:
    """How many cubes leave by each chute: shape of `cubes` + (3,)."""
    cubes = np.asarray(cubes, dtype=np.int64)
    chances: Floats = np.broadcast_to(np.asarray(split, dtype=np.float64), (*cubes.shape, 3))
    if clumping > 0:
        gammas = rng.standard_gamma(chances * concentration(clumping))
        totals = gammas.sum(-1, keepdims=True)
        # with a tiny concentration every gamma may underflow to 0: the cubes then fall as one block
        block = np.eye(3)[(rng.random(cubes.shape)[..., None] > np.cumsum(chances, -1)[..., :2]).sum(-1)]
        chances = np.where(totals > 0, gammas / np.where(totals > 0, totals, 1), block)
    return rng.multinomial(cubes, chances)


def drop_probabilities(
    cubes: int, split: ArrayLike = (0.3, 0.4, 0.3), clumping: float = 0.0
) -> dict[tuple[int, int, int], float]:
    """The exact chance of every way in which a drop can fall: {(previous, middle, next): chance}."""
    chances = [float(p) for p in np.asarray(split, dtype=np.float64)]
    table = {}
    for first in range(cubes + 1):
        for middle in range(cubes + 1 - first):
            drop = (first, middle, cubes - first - middle)
            ways = comb(cubes, first) * comb(cubes - first, middle)
            table[drop] = ways * ordered_chance(drop, chances, clumping)
    return table


def ordered_chance(counts: tuple[int, ...], chances: list[float], clumping: float) -> float:
    """The chance of one given order of cubes with these counts: the urn's weights, multiplied."""
    chance, fallen = 1.0, 0
    for count, p in zip(counts, chances, strict=True):
        for k in range(count):
            chance *= ((1 - clumping) * p + clumping * k) / ((1 - clumping) + clumping * fallen)
            fallen += 1
    return chance


def chute_probabilities(cubes: int, chance: float, clumping: float = 0.0) -> Floats:
    """The exact chance that 0, 1, ... `cubes` cubes leave by a chute with this chance (the margin of the drop)."""
    return np.array(
        [
            comb(cubes, k) * ordered_chance((k, cubes - k), [chance, 1 - chance], clumping)
            for k in range(cubes + 1)
        ]
    )  # fmt: skip


def tail_table(split: ArrayLike, clumping: float, most_needed: int) -> Floats:
    """[chute, cubes, needed]: the chance that at least `needed` of the cubes leave by the chute."""
    chances = np.asarray(split, dtype=np.float64)
    table = np.zeros((3, MOST_CUBES + 1, most_needed + 1))
    for chute in range(3):
        for cubes in range(MOST_CUBES + 1):
            exactly = chute_probabilities(cubes, float(chances[chute]), clumping)
            for needed in range(most_needed + 1):
                table[chute, cubes, needed] = exactly[needed:].sum()
    return table


def spawn_probabilities(bag: int, ours: int, drawn: int) -> Floats:
    """The exact chance that 0, 1, ... of `drawn` clones from the bag are among `ours` of its tokens."""
    drawn = min(drawn, bag)
    return np.array([comb(ours, k) * comb(bag - ours, drawn - k) / comb(bag, drawn) for k in range(drawn + 1)])


def spawn_table(most_drawn: int = MOST_SPAWNED, tokens: int = N_ERAS * TOKENS_PER_ERA) -> Floats:
    """[drawn, bag, ours, hits]: the chances of `spawn_probabilities`, for looking up."""
    table = np.zeros((most_drawn + 1, tokens + 1, TOKENS_PER_ERA + 1, most_drawn + 1))
    for drawn in range(most_drawn + 1):
        for bag in range(tokens + 1):
            for ours in range(min(TOKENS_PER_ERA, bag) + 1):
                chances = spawn_probabilities(bag, ours, drawn)
                table[drawn, bag, ours, : len(chances)] = chances
    return table


def vortex_risk(
    foo_left: ArrayLike,
    rifts: ArrayLike,
    clones: ArrayLike,
    bag: ArrayLike,
    *,
    new_clones: ArrayLike = 0,
    cubes: ArrayLike = 2,
    supply: ArrayLike = 30,
    rift_slots: int = 3,
    split: ArrayLike = (0.3, 0.4, 0.3),
    clumping: float = 0.0,
) -> Floats:
    """The exact chance, for each era, that the next drop turns it into a vortex.

    All of it is on the table: which Foo cards are still to come, the rifts and clones of each era, and how many tokens
    of each spawn era are in the bag (clones spawn before the drop). The first four arrays end with an axis of 7 eras;
    whatever stands before it, a thousand games say, is carried along.
    """
    foo_left, rifts = np.asarray(foo_left, dtype=np.float64), np.asarray(rifts, dtype=np.int64)
    clones, bag = np.asarray(clones, dtype=np.int64), np.asarray(bag, dtype=np.int64)
    shape = np.broadcast_shapes(foo_left.shape, rifts.shape, clones.shape, bag.shape)
    foo_left, rifts, clones, bag = (np.broadcast_to(a, shape) for a in (foo_left, rifts, clones, bag))
    games = shape[:-1]
    new_clones, cubes, supply = (
        np.broadcast_to(np.asarray(a, dtype=np.int64), games) for a in (new_clones, cubes, supply)
    )
    tails = tail_table(split, clumping, rift_slots + 1)
    spawns = spawn_table()
    left = foo_left.sum(-1, keepdims=True)
    foo_chance = np.divide(foo_left, left, out=np.zeros(shape), where=left > 0)
    in_bag = bag.sum(-1)
    needed = rift_slots + 1 - rifts
    risk = np.zeros(shape)
    for foo in range(N_ERAS):
        for spawned in range(MOST_SPAWNED + 1):
            weight = foo_chance[..., foo] * spawns[new_clones, in_bag, bag[..., foo], spawned]
            dropped = np.minimum(np.minimum(cubes + clones[..., foo] + spawned, supply), MOST_CUBES)
            for chute, offset in enumerate(CHUTE_OFFSETS):
                era = (foo + offset) % N_ERAS
                risk[..., era] += weight * tails[chute, dropped, needed[..., era]]
    return np.minimum(risk, 1)  # whatever rounding added
