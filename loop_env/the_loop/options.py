"""What a game is set up with: mode, level, agents, solo. Mistakes are told in one sentence.

Each of them is one thing, or several of which every new game draws one: "any", a list, or a dict with weights, such as
{"sabotage": 3, "centrifuges": 1}.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from loop_env.errors import UserError
from loop_env.the_loop.data import ANY, FOLDER, Data, load
from loop_env.the_loop.rules import build_rules
from loop_env.the_loop.state import N_SEATS, NOBODY

FEWEST_AGENTS = 2


def read_data(folder: str | Path | None) -> Data:
    """The data of a folder, or of the package."""
    if folder is not None and (not isinstance(folder, str | Path) or not str(folder)):
        raise UserError(f"data = {folder!r} must be the path of a folder")
    return load(FOLDER if folder is None else Path(folder).resolve())


@cache
def _tables(folder: Path) -> np.ndarray:
    return build_rules(load(folder))


def set_up(
    folder: str | Path | None = None,
    mode: Any = "sabotage",
    level: Any = 1,
    agents: Any = 2,
    solo: Any = False,
) -> np.ndarray:
    """The rules of a data folder, with what new games are to be set up with."""
    data = read_data(folder)
    rules = _tables(FOLDER if folder is None else Path(folder).resolve()).copy()
    rules["mode_odds"] = odds("mode", mode, range(len(data.modes)), rules["mode_odds"].size, find_mode(data))
    rules["level_odds"] = odds("level", level, range(len(data.levels)), rules["level_odds"].size, find_level(data))
    rules["solo_odds"] = odds("solo", solo, (0, 1), 2, find_solo)
    seats = [NOBODY] * N_SEATS
    if isinstance(agents, Sequence) and not isinstance(agents, str) and any(isinstance(a, str) for a in agents):
        named = find_agents(data, agents)
        seats[: len(named)] = named
        agents = len(named)
    rules["agents_odds"] = odds("agents", agents, range(FEWEST_AGENTS - 1, N_SEATS), N_SEATS, find_number(data))
    rules["seats"] = seats
    return rules


def odds(what: str, wish: Any, everything: Sequence[int], size: int, find: Callable[[Any], int]) -> np.ndarray:
    """The chances, added up, of each of `size` things, from what the user wishes for."""
    weights = np.zeros(size)
    if isinstance(wish, np.ndarray | np.generic):
        wish = wish.tolist()
    if isinstance(wish, str) and wish == ANY:
        weights[list(everything)] = 1
    elif isinstance(wish, Mapping):
        for one, weight in wish.items():
            number = isinstance(weight, int | float | np.integer | np.floating) and not isinstance(weight, bool)
            if not number or not 0 <= weight < float("inf"):
                raise UserError(f"{what}: the weight of {one!r} is {weight!r}, but it must be a number from 0 on")
            weights[find(one)] += weight
    elif isinstance(wish, Sequence) and not isinstance(wish, str):
        for one in wish:
            weights[find(one)] = 1
    else:
        weights[find(wish)] = 1
    if not weights.any():
        raise UserError(f"{what} = {wish!r} leaves nothing to draw from")
    weights /= weights.max()  # so that no sum is too large
    added = np.cumsum(weights / weights.sum())
    added[np.flatnonzero(weights)[-1] :] = 1  # whatever rounding left
    return added


def only(added: np.ndarray, what: str) -> int:
    """The one thing that these chances leave no choice about."""
    chosen = np.flatnonzero(np.diff(added, prepend=0) > 0)
    if len(chosen) > 1:
        raise UserError(f"{what} must be one thing here, not something to draw from")
    return int(chosen[0])


def find_mode(data: Data) -> Callable[[Any], int]:
    """Finds a mode's number."""
    modes = [m.id for m in data.modes]

    def find(mode: Any) -> int:
        if mode not in modes:
            raise UserError(f"mode {mode!r} is unknown; there are: {', '.join(modes)}")
        return modes.index(mode)

    return find


def find_level(data: Data) -> Callable[[Any], int]:
    """Finds a level's place in the list, by number or name."""

    def find(level: Any) -> int:
        for i, known in enumerate(data.levels):
            if level in (known.number, str(known.number), known.id) and not isinstance(level, bool):
                return i
        allowed = ", ".join(f"{known.number} ({known.id})" for known in data.levels)
        raise UserError(f"level {level!r} is unknown; there are: {allowed}")

    return find


def find_solo(solo: Any) -> int:
    """0 or 1."""
    if not isinstance(solo, bool | np.bool_):
        raise UserError(f"solo = {solo!r} must be True, False or {ANY!r}")
    return int(solo)


def find_number(data: Data) -> Callable[[Any], int]:
    """Finds the place of a number of agents."""
    ids = ", ".join(agent.id for agent in data.agents)

    def find(count: Any) -> int:
        if isinstance(count, bool) or not isinstance(count, int | np.integer):
            raise UserError(f"agents = {count!r} must be a number, {ANY!r}, or a list of some of: {ids}")
        if not FEWEST_AGENTS <= count <= N_SEATS:
            raise UserError(f"agents = {count} is not possible; {FEWEST_AGENTS} to {N_SEATS} of these play: {ids}")
        return int(count) - 1

    return find


def find_agents(data: Data, agents: Sequence[Any]) -> list[int]:
    """The agents by seat."""
    ids = [agent.id for agent in data.agents]
    for agent in agents:
        if agent not in ids:
            raise UserError(f"agent {agent!r} is unknown; there are: {', '.join(ids)}")
        if list(agents).count(agent) > 1:
            raise UserError(f"agent {agent!r} is there twice; every seat needs another one of: {', '.join(ids)}")
    if not FEWEST_AGENTS <= len(agents) <= N_SEATS:
        raise UserError(
            f"{len(agents)} agents are not possible; {FEWEST_AGENTS} to {N_SEATS} of these play: {', '.join(ids)}"
        )
    return [ids.index(agent) for agent in agents]
