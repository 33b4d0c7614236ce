"""What a game is set up with: mode, level, agents. Mistakes are told in one sentence."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from pathlib import Path

import numpy as np

from loop_env.errors import UserError, suggest
from loop_env.the_loop.data import FOLDER, Data, load
from loop_env.the_loop.rules import build_rules
from loop_env.the_loop.state import N_SEATS, NOBODY

FEWEST_PLAYERS = 2


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
    mode: str = "sabotage",
    level: int | str = 1,
    agents: int | Sequence[str] = 2,
) -> np.ndarray:
    """The rules of a data folder, with what new games are to be set up with."""
    data = read_data(folder)
    rules = _tables(FOLDER if folder is None else Path(folder).resolve()).copy()
    rules["mode"] = find_mode(data, mode)
    rules["level"] = find_level(data, level)
    seats = find_agents(data, agents)
    rules["players"] = len(seats)
    rules["seats"] = seats + [NOBODY] * (N_SEATS - len(seats))
    return rules


def find_mode(data: Data, mode: str) -> int:
    """A mode's number."""
    modes = [m.id for m in data.modes]
    if mode not in modes:
        raise UserError(f"mode {mode!r} is unknown{suggest(mode, modes)}")
    return modes.index(mode)


def find_level(data: Data, level: int | str) -> int:
    """A level's place in the list, by number or name."""
    for i, known in enumerate(data.levels):
        if level in (known.number, str(known.number), known.id) and not isinstance(level, bool):
            return i
    allowed = ", ".join(f"{known.number} ({known.id})" for known in data.levels)
    raise UserError(f"level {level!r} is unknown; there are: {allowed}")


def find_agents(data: Data, agents: int | Sequence[str]) -> list[int]:
    """The agents by seat; a number of players means agents drawn anew for each game."""
    ids = [agent.id for agent in data.agents]
    if isinstance(agents, (int, np.integer)) and not isinstance(agents, bool):
        if not FEWEST_PLAYERS <= agents <= N_SEATS:
            raise UserError(f"agents = {agents} is not possible; {FEWEST_PLAYERS} to {N_SEATS} agents play")
        return [NOBODY] * int(agents)
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise UserError(f"agents = {agents!r} must be a number or a list of some of: {', '.join(ids)}")
    for agent in agents:
        if agent not in ids:
            raise UserError(f"agent {agent!r} is unknown{suggest(agent, ids)}")
        if list(agents).count(agent) > 1:
            raise UserError(f"agent {agent!r} is there twice; every player needs another one of: {', '.join(ids)}")
    if not FEWEST_PLAYERS <= len(agents) <= N_SEATS:
        raise UserError(
            f"{len(agents)} agents are not possible; {FEWEST_PLAYERS} to {N_SEATS} of these play: {', '.join(ids)}"
        )
    return [ids.index(agent) for agent in agents]
