"""What a game hands to the fronts: its record, its tables, its compiled rules, and its words."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from loop_env.engine.batch import look_at_games, start_games, step_games
from loop_env.engine.jit import fill_in
from loop_env.engine.tables import Table

Rule = Callable[..., Any]


@dataclass(frozen=True)
class Game:
    """A game's rules, ready for the batch loop."""

    name: str
    record: np.dtype[Any]
    blank: np.ndarray
    actions: Table
    observation: Table
    bounds: tuple[np.ndarray, np.ndarray]
    look: np.dtype[Any]  # the observation as a record
    pointers: dict[str, str]  # blocks of actions that stand for the rows of a block of the observation
    unordered: tuple[str, ...]  # blocks of the observation whose rows could as well stand in another order
    new_game: Rule
    decide: Rule
    broken_law: Rule
    laws: tuple[str, ...]
    start_games: Rule
    look_at_games: Rule
    step_games: Rule


@dataclass(frozen=True)
class Parts:
    """What a front needs: a game, its rules and reward set up as the user asked, and a way to tell how games ended."""

    game: Game
    rules: np.ndarray
    reward: np.ndarray
    seats: int  # the most agents that a game can have
    summarise: Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]  # of records and rows: an array a counter


def make_game(
    name: str,
    record: np.dtype[Any],
    blank: np.ndarray,
    actions: Table,
    observation: Table,
    bounds: tuple[np.ndarray, np.ndarray],
    pointers: dict[str, str],
    unordered: tuple[str, ...],
    *,
    new_game: Rule,
    decide: Rule,
    observe: Rule,
    potential: Rule,
    result: Rule,
    broken_law: Rule,
    laws: tuple[str, ...],
) -> Game:
    """Fill a game's rules into the batch loop."""
    rules = {
        "NEW_GAME": new_game, "DECIDE": decide, "OBSERVE": observe, "POTENTIAL": potential, "RESULT": result
    }  # fmt: skip
    return Game(
        name,
        record,
        blank,
        actions,
        observation,
        bounds,
        observation.record("f4"),
        pointers,
        unordered,
        new_game,
        decide,
        broken_law,
        laws,
        fill_in(start_games, f"{name}_start_games", **rules),
        fill_in(look_at_games, f"{name}_look_at_games", **rules),
        fill_in(step_games, f"{name}_step_games", **rules),
    )
