"""Reads a folder of TOML and checks every word of it.

A user's folder may hold any of the files; what it lacks comes from the package. A mistake is a `DataError`: one
sentence with the file, the entry and the word.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from loop_env.errors import UserError, suggest
from loop_env.the_loop.language import EffectError, Program, compile_effect
from loop_env.the_loop.names import DIMENSIONS, ERAS, EVENTS, SCOPES
from loop_env.the_loop.state import (
    HAND_PLACES,
    N_AGENTS,
    N_ARSENAL,
    N_ERAS,
    N_MISSIONS,
    N_SEATS,
    N_STARTING,
    ROW_PLACES,
)

FOLDER = Path(__file__).parent / "data"
FILES = ("game", "levels", "modes", "agents", "starting", "arsenal", "missions", "clones")
MAX_LEVELS = 3
CARDS_PER_AGENT = N_STARTING // N_AGENTS
CARDS_PER_ERA = N_ARSENAL // N_ERAS


KINDS = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


class DataError(UserError):
    """A mistake in a data file."""


@dataclass(frozen=True)
class Artefact:
    """A card."""

    name: str
    origin: str
    dimension: str
    effect: str
    agent: str | None
    program: Program


@dataclass(frozen=True)
class Agent:
    """One of the five."""

    id: str
    name: str
    start: str
    ability: str
    program: Program
    cancels_rifts: int
    free_move: str
    push_range: int
    energy_for_clones: int


@dataclass(frozen=True)
class Mission:
    """A sabotage tile."""

    id: str
    event: str
    where: str
    needed: int
    per_turn: int
    charged: bool


@dataclass(frozen=True)
class Level:
    """How hard the machine fights."""

    id: str
    number: int
    start_rifts: int
    extra_clones: int
    clones_per_cycle: tuple[int, ...]
    cards_per_cycle: tuple[int, ...]
    cubes: int


@dataclass(frozen=True)
class Mode:
    """What has to be done to win."""

    id: str
    name: str
    about: str


@dataclass(frozen=True)
class Numbers:
    """The numbers of `game.toml`."""

    cycles: int
    tiles_to_win: int
    hand: int
    hand_limit: int
    actions_per_turn: int
    rifts: int
    energy: int
    vortices: int
    rift_slots: int
    clones: tuple[int, ...]
    cards: tuple[int, ...]
    split: tuple[float, ...]
    clumping: float


@dataclass(frozen=True)
class Data:
    """All that the TOML files say."""

    numbers: Numbers
    levels: tuple[Level, ...]
    modes: tuple[Mode, ...]
    agents: tuple[Agent, ...]
    artefacts: tuple[Artefact, ...]  # the 30 starting cards, agent by agent, then the arsenal
    missions: tuple[Mission, ...]
    destroy_after: tuple[int, ...]
    card_numbers: dict[str, int] = field(repr=False)

    def card(self, name: str) -> int:
        """A card's number; upper and lower case do not matter."""
        if name.lower() not in self.card_numbers:
            raise DataError(f"no artefact is called {name!r}{suggest(name, [c.name for c in self.artefacts])}")
        return self.card_numbers[name.lower()]


class Entry:
    """One table of a file, read field by field; it knows where it stands, so that errors can say it."""

    def __init__(self, file: str, title: str, fields: Any) -> None:
        self.where = f"{file}: {title}" if title else file
        if not isinstance(fields, dict):
            raise DataError(f"{self.where} must be a table")
        self.fields = dict(fields)

    def fail(self, text: str) -> DataError:
        return DataError(f"{self.where}: {text}")

    def take(self, key: str, kind: type, default: Any = None) -> Any:
        """Read a field of this kind."""
        value = self.fields.pop(key, default)
        if value is None:
            raise self.fail(f"{key!r} is missing")
        if kind is float and isinstance(value, int) and not isinstance(value, bool):
            value = float(value)
        if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
            raise self.fail(f"{key} = {value!r} must be {KINDS[kind]}")
        return value

    def number(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value: int = self.take(key, int, default)
        if not low <= value <= high:
            raise self.fail(f"{key} = {value} must lie between {low} and {high}")
        return value

    def numbers(self, key: str, length: int, low: int, high: int) -> tuple[int, ...]:
        values = self.take(key, list)
        if len(values) != length or any(type(v) is not int or not low <= v <= high for v in values):
            raise self.fail(f"{key} = {values!r} must be {length} whole numbers from {low} to {high}")
        return tuple(values)

    def word(self, key: str, words: tuple[str, ...], default: str | None = None) -> str:
        value: str = self.take(key, str, default)
        if value not in words:
            raise self.fail(f"{key} {value!r} is unknown{suggest(value, words)}")
        return value

    def effect(self, key: str, default: str | None = None) -> tuple[str, Program]:
        text: str = self.take(key, str, default)
        try:
            return text, Program() if text == default else compile_effect(text)
        except EffectError as error:
            raise self.fail(f"{key} {text!r}: {error}") from None

    def done(self) -> None:
        """Complain about fields that nobody reads."""
        for key in self.fields:
            raise self.fail(f"{key!r} is not a field of this entry")


def read_file(folder: Path, name: str) -> dict[str, Any]:
    """One TOML file: the folder's own, or the package's."""
    path = folder / f"{name}.toml"
    if not path.exists():
        path = FOLDER / f"{name}.toml"
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise DataError(f"{path.name}: not valid TOML: {error}") from None
    except OSError as error:
        raise DataError(f"{path.name} cannot be read: {error.strerror}") from None


def entries(folder: Path, name: str, kind: str, key: str) -> list[Entry]:
    """All `[[kind]]` entries of a file, titled by their key."""
    content = read_file(folder, name)
    file = f"{name}.toml"
    listed = content.pop(kind, None)
    if not isinstance(listed, list) or not listed:
        raise DataError(f"{file}: there is no [[{kind}]]")
    for extra in content:
        raise DataError(f"{file}: {extra!r} is not a part of this file; it holds [[{kind}]] entries")
    found = []
    for index, fields in enumerate(listed, 1):
        title = fields.get(key) if isinstance(fields, dict) else None
        found.append(Entry(file, repr(title) if title else f"{kind} {index}", fields))
    return found


def no_twins(file: str, kind: str, names: list[str]) -> None:
    """Complain about two entries with one name."""
    for name in names:
        if names.count(name) > 1:
            raise DataError(f"{file}: two {kind}s are called {name!r}")


def read_numbers(folder: Path) -> Numbers:
    content = read_file(folder, "game")
    game = Entry("game.toml", "", content)
    supply = Entry("game.toml", "[supply]", game.take("supply", dict))
    setup = Entry("game.toml", "[setup]", game.take("setup", dict))
    machine = Entry("game.toml", "[machine]", game.take("machine", dict))
    split = machine.take("split", list)
    if len(split) != 3 or any(type(p) not in (int, float) or p < 0 for p in split) or abs(sum(split) - 1) > 1e-9:
        raise machine.fail(f"split = {split!r} must be three chances that add up to 1")
    clumping = machine.take("clumping", float)
    if not 0 <= clumping < 1:
        raise machine.fail(f"clumping = {clumping} must lie from 0 up to, not including, 1")
    numbers = Numbers(
        cycles=game.number("cycles", 1, 3),
        tiles_to_win=game.number("tiles_to_win", 1, 7),
        hand=game.number("hand", 1, 6),
        hand_limit=game.number("hand_limit", 6, HAND_PLACES),
        actions_per_turn=game.number("actions_per_turn", 1, 100),
        rifts=supply.number("rifts", 10, 100),
        energy=supply.number("energy", 10, 100),
        vortices=supply.number("vortices", 0, 7),
        rift_slots=supply.number("rift_slots", 1, 4),
        clones=setup.numbers("clones", N_SEATS, 0, 28),
        cards=setup.numbers("cards", N_SEATS, 0, 14),
        split=tuple(float(p) for p in split),
        clumping=clumping,
    )
    for entry in (game, supply, setup, machine):
        entry.done()
    return numbers


def read_levels(folder: Path) -> tuple[Level, ...]:
    levels = []
    for number, entry in enumerate(entries(folder, "levels", "level", "id"), 1):
        level = Level(
            id=entry.take("id", str),
            number=entry.number("number", number, number),
            start_rifts=entry.number("start_rifts", 2, 7),
            extra_clones=entry.number("extra_clones", 0, 14),
            clones_per_cycle=entry.numbers("clones_per_cycle", 3, 0, 4),
            cards_per_cycle=entry.numbers("cards_per_cycle", 3, 0, 4),
            cubes=entry.number("cubes", 0, 6),
        )
        entry.done()
        levels.append(level)
    no_twins("levels.toml", "level", [level.id for level in levels])
    if len(levels) > MAX_LEVELS:
        raise DataError(f"levels.toml: there are {len(levels)} levels, but the game has at most {MAX_LEVELS}")
    return tuple(levels)


def read_modes(folder: Path) -> tuple[Mode, ...]:
    modes = []
    for entry in entries(folder, "modes", "mode", "id"):
        modes.append(Mode(entry.take("id", str), entry.take("name", str), entry.take("about", str)))
        entry.done()
    no_twins("modes.toml", "mode", [mode.id for mode in modes])
    return tuple(modes)


def read_agents(folder: Path) -> tuple[Agent, ...]:
    agents = []
    for entry in entries(folder, "agents", "agent", "id"):
        ability, program = entry.effect("ability", "")
        agents.append(
            Agent(
                id=entry.take("id", str),
                name=entry.take("name", str),
                start=entry.word("start", ERAS),
                ability=ability,
                program=program,
                cancels_rifts=entry.number("cancels_rifts", 0, 9, 0),
                free_move=entry.word("free_move", ("adjacent", "anywhere"), "adjacent"),
                push_range=entry.number("push_range", 1, 3, 1),
                energy_for_clones=entry.number("energy_for_clones", 0, 3, 0),
            )
        )
        entry.done()
    no_twins("agents.toml", "agent", [agent.id for agent in agents])
    if len(agents) != N_AGENTS:
        raise DataError(f"agents.toml: there are {len(agents)} agents, but the game has {N_AGENTS}")
    return tuple(agents)


def read_cards(folder: Path, file: str, agents: tuple[str, ...]) -> list[Artefact]:
    cards = []
    for entry in entries(folder, file, "artefact", "name"):
        effect, program = entry.effect("effect")
        cards.append(
            Artefact(
                name=entry.take("name", str),
                origin=entry.word("origin", ERAS),
                dimension=entry.word("dimension", DIMENSIONS),
                effect=effect,
                agent=entry.word("agent", agents) if file == "starting" else None,
                program=program,
            )
        )
        entry.done()
    return cards


def read_artefacts(folder: Path, agents: tuple[Agent, ...]) -> tuple[Artefact, ...]:
    """The starting cards in the agents' order, then the arsenal; the numbers of the box are checked."""
    ids = tuple(agent.id for agent in agents)
    starting = sorted(read_cards(folder, "starting", ids), key=lambda card: ids.index(card.agent or ""))
    arsenal = read_cards(folder, "arsenal", ids)
    for agent in ids:
        count = sum(card.agent == agent for card in starting)
        if count != CARDS_PER_AGENT:
            raise DataError(f"starting.toml: {agent!r} has {count} cards, but each agent starts with {CARDS_PER_AGENT}")
    for era in ERAS:
        count = sum(card.origin == era for card in arsenal)
        if count != CARDS_PER_ERA:
            raise DataError(f"arsenal.toml: {era!r} has {count} cards, but each era is the origin of {CARDS_PER_ERA}")
        count += sum(card.origin == era for card in starting)
        if count > ROW_PLACES:
            raise DataError(f"starting.toml: {era!r} is the origin of too many cards; {ROW_PLACES} fit beside an era")
    cards = (*starting, *arsenal)
    no_twins("starting.toml and arsenal.toml", "artefact", [card.name for card in cards])
    return cards


def read_missions(folder: Path) -> tuple[Mission, ...]:
    missions = []
    for entry in entries(folder, "missions", "mission", "id"):
        missions.append(
            Mission(
                id=entry.take("id", str),
                event=entry.word("event", EVENTS),
                where=entry.word("where", SCOPES),
                needed=entry.number("needed", 1, 12),
                per_turn=entry.number("per_turn", 0, 12, 0),
                charged=entry.take("charged", bool, False),
            )
        )
        entry.done()
        if missions[-1].where == "each_era" and missions[-1].needed > N_ERAS:
            raise entry.fail(f"needed = {missions[-1].needed}, but there are only {N_ERAS} eras to damage it in")
    no_twins("missions.toml", "mission", [mission.id for mission in missions])
    if len(missions) != N_MISSIONS:
        raise DataError(f"missions.toml: there are {len(missions)} missions, but the game has {N_MISSIONS}")
    return tuple(missions)


def read_clones(folder: Path) -> tuple[int, ...]:
    entry = Entry("clones.toml", "", read_file(folder, "clones"))
    numbers = entry.numbers("destroy_after", 4, 1, N_ERAS - 1)
    entry.done()
    return numbers


@cache
def load(folder: Path = FOLDER) -> Data:
    """Read and check a folder of data."""
    if not folder.is_dir():
        raise DataError(f"there is no folder {str(folder)!r} to read data from")
    for path in folder.glob("*.toml"):
        if path.stem not in FILES:
            raise DataError(f"{path.name} is not a data file{suggest(path.stem, FILES)}")
    agents = read_agents(folder)
    artefacts = read_artefacts(folder, agents)
    return Data(
        numbers=read_numbers(folder),
        levels=read_levels(folder),
        modes=read_modes(folder),
        agents=agents,
        artefacts=artefacts,
        missions=read_missions(folder),
        destroy_after=read_clones(folder),
        card_numbers={card.name.lower(): number for number, card in enumerate(artefacts)},
    )
