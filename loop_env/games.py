"""The games, by name: the one place where the commands learn which there are."""

from __future__ import annotations

from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from loop_env.errors import UserError, suggest

if TYPE_CHECKING:
    from loop_env.adapters.single import GameEnv
    from loop_env.engine.foresight import Foresight
    from loop_env.engine.game import Game, Parts, Rule
    from loop_env.engine.search import Planner

GAMES = {"the_loop": "loop_env.the_loop.commands"}


@dataclass(frozen=True)
class Setup:
    """One way to set up a game."""

    title: str
    rules: np.ndarray = field(repr=False)


class Commands(Protocol):
    """What a game offers to the commands."""

    def game(self) -> Game: ...

    def setups(self) -> list[Setup]: ...

    def reward(self) -> np.ndarray: ...

    def info(self, data: str | None) -> dict[str, Any]: ...

    def decision_bound(self) -> int: ...

    def choices(self, data: str | None) -> dict[str, list[Any]]: ...  # modes, levels, numbers of players

    def options(self, **chosen: Any) -> dict[str, Any]: ...  # for `parts` and `env`, of one mode, level, ...

    def parts(self, **options: Any) -> Parts: ...

    def modes(self) -> dict[str, Parts]: ...

    def env(self, **options: Any) -> GameEnv: ...

    def rules_of_thumb(self) -> Rule: ...  # of copies of games and rules: writes an action for each

    def planner(self) -> Planner: ...

    def foresight(self) -> Foresight: ...


def find(name: str) -> Commands:
    """A game's commands."""
    if name not in GAMES:
        raise UserError(f"game {name!r} is unknown{suggest(name, GAMES)}")
    commands: Any = import_module(GAMES[name])
    return commands
