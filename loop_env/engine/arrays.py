"""Small arrays inside records: plain loops, since numpy's own reductions allocate memory in compiled code."""

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
