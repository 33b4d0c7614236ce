"""Small arrays inside records: plain loops, since numpy's own reductions allocate memory in compiled code.

A set of places is a whole number with a bit for each place.
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.jit import njit


@njit
def total(numbers: Any) -> int:
    """The sum."""
    found = 0
    for i in range(len(numbers)):
        found += int(numbers[i])
    return found


@njit
def none_is_zero(numbers: Any) -> bool:
    """Whether each of the numbers is above zero."""
    for i in range(len(numbers)):
        if numbers[i] <= 0:
            return False
    return True


@njit
def places_of(numbers: Any, value: int) -> int:
    """The places (bits) where a value stands."""
    found = 0
    for i in range(len(numbers)):
        if numbers[i] == value:
            found |= 1 << i
    return found


@njit
def places_above_zero(numbers: Any) -> int:
    """The places (bits) of the numbers above zero."""
    found = 0
    for i in range(len(numbers)):
        if numbers[i] > 0:
            found |= 1 << i
    return found


@njit
def count_places(places: int) -> int:
    """How many places a set has."""
    count = 0
    while places != 0:
        places &= places - 1
        count += 1
    return count
