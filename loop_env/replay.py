"""Saved games: what was set up, the seed and the decisions are enough to see a game again. One line of JSON a game."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from loop_env.errors import UserError
from loop_env.games import find

FORMAT = 1


@dataclass(frozen=True)
class Replay:
    """One game."""

    game: str
    version: str  # the fingerprint of the rules and data it was played with
    setup: dict[str, Any]  # the options of the environment
    seed: int
    actions: list[int]
    outcome: str
    player: str = ""
    format: int = field(default=FORMAT)

    def play(self) -> Iterator[Any]:
        """The game once more: an environment as it is at the start and after each decision, always the same object."""
        try:
            env = find(self.game).env(**self.setup, strict=True)
        except TypeError:
            raise UserError(f"the setup {self.setup!r} does not fit {self.game}") from None
        if env.fingerprint() != self.version:
            raise UserError(
                f"this game was played with other rules or data ({self.version}) than are here ({env.fingerprint()})"
            )
        env.reset(seed=self.seed)
        yield env
        outcome = ""
        for action in self.actions:
            outcome = env.step(action)[4].get("outcome", "")
            yield env
        if outcome != self.outcome:
            raise UserError(f"this game ended as {outcome or 'unfinished'!r}, not as {self.outcome!r} as it was saved")


def save(path: str | Path, replays: Iterable[Replay]) -> None:
    """Write games, a line each; the file is there only once it is whole."""
    write_text(path, "".join(json.dumps(asdict(replay)) + "\n" for replay in replays))


def load(path: str | Path, number: int | None = None) -> list[Replay]:
    """Read games, or only the one with a number, counted from 1; each is played once: what is returned works."""
    if not Path(path).is_file():
        raise UserError(f"there is no file {str(path)!r}")
    found = []
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except (UnicodeDecodeError, OSError):
        raise UserError(f"{str(path)!r} holds no saved games") from None
    if number is not None and not 1 <= number <= len(lines):
        raise UserError(f"{str(path)!r} has no game {number}; it holds {len(lines)}")
    wanted = range(1, len(lines) + 1) if number is None else [number]
    for number in wanted:
        replay = read_line(lines[number - 1], f"{path}, line {number}")
        try:
            for _ in replay.play():
                pass
        except UserError as error:
            raise UserError(f"{path}, line {number}: {error}") from error
        found.append(replay)
    return found


def read_line(line: str, place: str) -> Replay:
    """One game from its line."""
    try:
        entry = json.loads(line)
        replay = Replay(**entry)
    except (ValueError, TypeError):
        raise UserError(f"{place}: this is not a saved game") from None
    fits = isinstance(replay.actions, list) and all(type(action) is int for action in replay.actions)
    if not fits or type(replay.seed) is not int or replay.seed < 0 or not isinstance(replay.setup, dict):
        raise UserError(f"{place}: this is not a saved game")
    if replay.format != FORMAT:
        raise UserError(f"{place}: format {replay.format!r} is unknown; this version reads format {FORMAT}")
    return replay


def write_text(path: str | Path, text: str) -> None:
    """Write a file under another name and rename it: nobody ever sees half of it."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    passing = path.with_name(f".{path.name}.{os.getpid()}")
    passing.write_text(text)
    passing.replace(path)
