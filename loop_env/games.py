"""The games, by name: the one place where the commands learn which there are."""

from __future__ import annotations

from dataclasses import dataclass
from importlib import import_module
from typing import Any, Protocol

import numpy as np

from loop_env.engine.game import Game, Parts
from loop_env.errors import UserError, suggest

GAMES = {"the_loop": "loop_env.the_loop.commands"}


@dataclass(frozen=True)
class Setup:
    """One way to set up a game."""

    title: str
    rules: np.ndarray


class Commands(Protocol):
    """What a game offers to the commands."""

    def game(self) -> Game: ...

    def setups(self) -> list[Setup]: ...

    def reward(self) -> np.ndarray: ...

    def info(self, data: str | None) -> dict[str, Any]: ...

    def decision_bound(self) -> int: ...

    def parts(self, **options: Any) -> Parts: ...


def find(name: str) -> Commands:
    """A game's commands."""
    if name not in GAMES:
        raise UserError(f"game {name!r} is unknown{suggest(name, GAMES)}")
    commands: Any = import_module(GAMES[name])
    return commands
