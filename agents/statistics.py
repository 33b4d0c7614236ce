"""How sure can one be? Intervals for win rates and comparisons on the same games, all at 95 %."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from math import sqrt
from typing import Any

import numpy as np

Z = 1.959963984540054  # 95 % of a normal distribution lies within so many standard deviations


def wilson(wins: int, games: int) -> tuple[float, float]:
    """The interval for a win rate (Wilson's score interval: sound near 0 and 1 as well)."""
    if games == 0:
        return 0.0, 1.0
    rate, weight = wins / games, Z * Z / games
    middle = rate + weight / 2
    reach = Z * sqrt(rate * (1 - rate) / games + weight / games / 4)
    low, high = (middle - reach) / (1 + weight), (middle + reach) / (1 + weight)
    return (0.0 if wins == 0 else low), (1.0 if wins == games else high)  # free of rounding there


@dataclass(frozen=True)
class Paired:
    """Two players who met the same games."""

    games: int
    only_first: int  # games that the first won and the second lost
    only_second: int
    difference: float  # of the win rates
    low: float
    high: float
    p: float  # McNemar

    def record(self) -> dict[str, Any]:
        """As a plain dict."""
        return asdict(self)


def compare(first: np.ndarray, second: np.ndarray) -> Paired:
    """Compare two players by what each won (arrays of bool, game by game)."""
    games = len(first)
    only_first, only_second = int((first & ~second).sum()), int((second & ~first).sum())
    difference = (only_first - only_second) / games if games else 0.0
    low, high = difference_interval(only_first, only_second, games)
    return Paired(games, only_first, only_second, difference, low, high, mcnemar(only_first, only_second))


def difference_interval(only_first: int, only_second: int, games: int) -> tuple[float, float]:
    """The interval for the difference of two win rates on the same games.

    Wald's interval with half a game added to each of the four outcomes of a pair (Agresti and Min, 2005): it keeps its
    promise with few games too, and does not shrink to nothing when the players never differ.
    """
    one, other, all_games = only_first + 0.5, only_second + 0.5, games + 2
    middle = (one - other) / all_games
    reach = Z * sqrt(one + other - (one - other) ** 2 / all_games) / all_games
    return max(middle - reach, -1.0), min(middle + reach, 1.0)


def mcnemar(only_first: int, only_second: int) -> float:
    """The exact chance that equal players differ at least that much: of games won by one alone, half go to each."""
    differing, fewer = only_first + only_second, min(only_first, only_second)
    ways = tail = 1  # in how many ways the weaker one could have won none of them, one, two, ...
    for k in range(fewer):
        ways = ways * (differing - k) // (k + 1)
        tail += ways
    return min(1.0, 2 * tail / 2**differing)
