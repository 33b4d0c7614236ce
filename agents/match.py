"""A match: one player, many games at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from agents.base import Agent, Boards
from loop_env.engine.batch import KEEP, RUNNING, Batch
from loop_env.engine.game import Parts
from loop_env.engine.luck import player_streams
from loop_env.errors import UserError

SHOWN = 12  # possible actions that a complaint lists


@dataclass
class Played:
    """How the games of a match ended, game by game."""

    seeds: np.ndarray
    results: dict[str, np.ndarray]  # what the game counts: `is_success`, `outcome` and more
    seconds: float
    actions: list[list[int]] = field(default_factory=list)  # every decision of each game, if they were kept


class Match:
    """Games under way."""

    def __init__(self, agent: Agent, parts: Parts, seeds: Sequence[int] | np.ndarray, seed: int = 0) -> None:
        self.agent, self.parts = agent, parts
        self.seeds = np.asarray(seeds, np.uint64)
        self.luck = player_streams(np.uint64(seed), self.seeds)
        self.batch = Batch(parts.game, parts.rules, parts.reward, len(self.seeds), KEEP)
        self.batch.start(self.seeds)
        self.chosen = np.zeros(len(self.seeds), np.int64)

    @property
    def running(self) -> np.ndarray:
        """The games that are not over."""
        return np.flatnonzero(self.batch.games["outcome"] == RUNNING)

    def step(self) -> np.ndarray:
        """One decision in each running game; returns which games these were."""
        rows, batch = self.running, self.batch
        boards = Boards.of(self.parts, batch, rows, self.luck[rows])
        self.chosen[rows] = self.checked(self.agent.act(boards), rows)
        self.luck[rows] = boards.luck
        batch.step(self.chosen)
        return rows

    def checked(self, actions: Any, rows: np.ndarray) -> np.ndarray:
        """The player's actions, if they are possible ones."""
        actions = np.asarray(actions)
        if actions.shape != (len(rows),) or actions.dtype.kind not in "iu":
            given = f"{actions.dtype} of shape {actions.shape}"
            raise UserError(f"{self.agent.name} must choose {len(rows)} whole numbers, one for each game, not {given}")
        inside = (actions >= 0) & (actions < self.batch.masks.shape[1])
        legal = inside & (self.batch.masks[rows, np.where(inside, actions, 0)] == 1)
        if not legal.all():
            self.complain(int(np.flatnonzero(~legal)[0]), actions, rows)
        return actions

    def complain(self, i: int, actions: np.ndarray, rows: np.ndarray) -> None:
        """Tell where a player chose what is not possible."""
        possible = np.flatnonzero(self.batch.masks[rows[i]])
        listed = ", ".join(str(action) for action in possible[:SHOWN]) + (", ..." if len(possible) > SHOWN else "")
        place = f"seed {self.seeds[rows[i]]}, decision {self.batch.games['decisions'][rows[i]] + 1}"
        raise UserError(
            f"{self.agent.name} chose action {actions[i]}, which is not possible there, in the game with {place}; "
            f"possible are: {listed}"
        )

    def results(self, rows: np.ndarray) -> dict[str, np.ndarray]:
        """How these games ended."""
        return self.parts.summarise(self.batch.games, rows)


def play_match(
    agent: Agent,
    parts: Parts,
    seeds: Sequence[int] | np.ndarray,
    *,
    seed: int = 0,
    keep_actions: bool = False,
    on_end: Callable[[dict[str, np.ndarray]], None] | None = None,
) -> Played:
    """Play a game for each of the seeds, to the end. `on_end` hears of games as they end; `seed` is the player's."""
    match = Match(agent, parts, seeds, seed)
    made: list[tuple[np.ndarray, np.ndarray]] = []
    start = time.perf_counter()
    while len(match.running):
        rows = match.step()
        if keep_actions:
            made.append((rows, match.chosen[rows]))
        if on_end is not None and match.batch.ended.any():
            on_end(match.results(np.flatnonzero(match.batch.ended)))
    seconds = time.perf_counter() - start
    everyone = np.arange(len(match.seeds))
    return Played(match.seeds, match.results(everyone), seconds, by_game(made, len(everyone)) if keep_actions else [])


def by_game(made: list[tuple[np.ndarray, np.ndarray]], games: int) -> list[list[int]]:
    """The decisions of each game, from those of each step."""
    rows = np.concatenate([rows for rows, _ in made])
    actions = np.concatenate([actions for _, actions in made])
    order = np.argsort(rows, kind="stable")
    ends = np.cumsum(np.bincount(rows, minlength=games))[:-1]
    return [part.tolist() for part in np.split(actions[order], ends)]
