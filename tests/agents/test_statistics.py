"""Intervals and tests against values from the literature, or worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from agents.statistics import compare, difference_interval, mcnemar, wilson


@pytest.mark.parametrize(
    ("wins", "games", "low", "high"),
    [  # Newcombe (1998), Statistics in Medicine 17, table I
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson(wins, games, low, high):
    assert wilson(wins, games) == pytest.approx((low, high), abs=5e-5)
    assert wilson(games - wins, games) == pytest.approx((1 - high, 1 - low), abs=5e-5)


def test_wilson_at_the_ends():
    assert wilson(0, 10)[0] == 0
    assert wilson(10, 10)[1] == 1
    assert wilson(0, 0) == (0, 1)


@pytest.mark.parametrize(
    ("one", "other", "p"),
    [(0, 0, 1.0), (5, 5, 1.0), (0, 5, 2 / 32), (1, 9, 22 / 1024), (9, 1, 22 / 1024), (3, 7, 352 / 1024)],
)
def test_mcnemar_is_a_coin(one, other, p):
    assert mcnemar(one, other) == pytest.approx(p)


def test_mcnemar_with_many_games():
    """Agresti's survey of 1,600 Britons: 86 and 150 changed their minds; z is 4.17."""
    assert mcnemar(86, 150) == pytest.approx(3.7e-5, rel=0.03)
    assert mcnemar(20_000, 21_000) == pytest.approx(8e-7, rel=0.1)


def test_the_interval_of_a_difference():
    """The same survey: -0.04, give or take 1.96 times 0.0095."""
    assert difference_interval(86, 150, 1600) == pytest.approx((-0.0587, -0.0212), abs=2e-4)
    low, high = difference_interval(0, 0, 100)
    assert low == -high < 0


def test_compare():
    first = np.array([True, True, True, False, True, False])
    second = np.array([True, False, False, False, False, True])
    pair = compare(first, second)
    assert (pair.games, pair.only_first, pair.only_second) == (6, 3, 1)
    assert pair.difference == pytest.approx(2 / 6)
    assert pair.low < pair.difference < pair.high
    assert pair.p == pytest.approx(10 / 16)
