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
    N_MACHINA,
    N_MISSIONS,
    N_SEATS,
    N_STARTING,
    N_SUPA,
    ROW_PLACES,
)

FOLDER = Path(__file__).parent / "data"
FILES = ("game", "levels", "modes", "agents", "starting", "arsenal", "missions", "clones", "ultramachina")
MAX_LEVELS = 3
MAX_MODES = 8
ANY = "any"  # as a mode, a level, ...: each game draws one
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
    mega_vortex: bool


@dataclass(frozen=True)
class Mode:
    """What has to be done to win, and the components in play: numbers by level, 0 for what a mode does without."""

    id: str
    name: str
    about: str
    tiles_to_win: int
    supa_clones: tuple[int, ...]
    supa_clones_per_cycle: tuple[int, ...]
    centrifuges: tuple[int, ...]
    shutdown_energy: tuple[int, ...]
    eternal_energy: tuple[int, ...]
    ultramachina_every: tuple[int, ...]


@dataclass(frozen=True)
class Clones:
    """The tokens: how many eras lie between where they appear and where they are destroyed."""

    destroy_after: tuple[int, ...]
    supa_destroy_after: int
    supa_counts_as: int


@dataclass(frozen=True)
class Machina:
    """An ultramachina card: how it bends a turn."""

    name: str
    effect: str
    program: Program
    cubes: int
    middle_chute: bool
    opposite_cubes: int
    clones_at_foo: int
    machine_turns: int
    no_free_move: bool
    loop_cost: int

    def bends(self) -> str:
        """What the card does to its turn."""
        changes = {
            key: value for key, value in vars(self).items() if key not in ("name", "effect", "program") and value
        }
        return ", ".join(
            [key.replace("_", " ") + ("" if value is True else f" {value}") for key, value in changes.items()]
            + ([self.effect] if self.effect else [])
        )


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
    clones: Clones
    ultramachina: tuple[Machina, ...]
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

    def by_level(self, key: str, levels: int, high: int) -> tuple[int, ...]:
        """A number for each level, or one for all of them; 0 if nothing is said."""
        if not isinstance(self.fields.get(key, 0), list):
            return (self.number(key, 0, high, 0),) * levels
        if len(self.fields[key]) > levels:  # of a game with fewer levels
            self.fields[key] = self.fields[key][:levels]
        return self.numbers(key, levels, 0, high)

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
            mega_vortex=entry.take("mega_vortex", bool, False),
        )
        entry.done()
        levels.append(level)
    no_twins("levels.toml", "level", [level.id for level in levels])
    if len(levels) > MAX_LEVELS:
        raise DataError(f"levels.toml: there are {len(levels)} levels, but the game has at most {MAX_LEVELS}")
    return tuple(levels)


def read_modes(folder: Path, numbers: Numbers, levels: tuple[Level, ...]) -> tuple[Mode, ...]:
    modes = []
    for entry in entries(folder, "modes", "mode", "id"):
        mode = Mode(
            id=entry.take("id", str),
            name=entry.take("name", str),
            about=entry.take("about", str),
            tiles_to_win=entry.number("tiles_to_win", 1, N_ERAS, numbers.tiles_to_win),
            supa_clones=entry.by_level("supa_clones", len(levels), N_SUPA),
            supa_clones_per_cycle=entry.by_level("supa_clones_per_cycle", len(levels), N_SUPA),
            centrifuges=entry.by_level("centrifuges", len(levels), N_ERAS),
            shutdown_energy=entry.by_level("shutdown_energy", len(levels), 9),
            eternal_energy=entry.by_level("eternal_energy", len(levels), 9),
            ultramachina_every=entry.by_level("ultramachina_every", len(levels), 21),
        )
        entry.done()
        if mode.id in ("", ANY):
            raise entry.fail(f"id = {mode.id!r} is not a name that a mode can have")
        for level, centrifuges in zip(levels, mode.centrifuges, strict=True):
            if centrifuges + level.start_rifts > N_ERAS:
                raise entry.fail(
                    f"centrifuges = {centrifuges} is too many at level {level.number}: {level.start_rifts} of the "
                    f"{N_ERAS} eras start with a rift (levels.toml), and no centrifuge stands there"
                )
        modes.append(mode)
    no_twins("modes.toml", "mode", [mode.id for mode in modes])
    if len(modes) > MAX_MODES:
        raise DataError(f"modes.toml: there are {len(modes)} modes, but there is room for {MAX_MODES}")
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


def read_clones(folder: Path) -> Clones:
    entry = Entry("clones.toml", "", read_file(folder, "clones"))
    clones = Clones(
        destroy_after=entry.numbers("destroy_after", 4, 1, N_ERAS - 1),
        supa_destroy_after=entry.number("supa_destroy_after", 1, N_ERAS - 1),
        supa_counts_as=entry.number("supa_counts_as", 1, 3),
    )
    entry.done()
    return clones


def read_ultramachina(folder: Path) -> tuple[Machina, ...]:
    cards = []
    for entry in entries(folder, "ultramachina", "card", "name"):
        effect, program = entry.effect("effect", "")
        cards.append(
            Machina(
                name=entry.take("name", str),
                effect=effect,
                program=program,
                cubes=entry.number("cubes", 0, 4, 0),
                middle_chute=entry.take("middle_chute", bool, False),
                opposite_cubes=entry.number("opposite_cubes", 0, 2, 0),
                clones_at_foo=entry.number("clones_at_foo", 0, 4, 0),
                machine_turns=entry.number("machine_turns", 0, N_ERAS - 1, 0),
                no_free_move=entry.take("no_free_move", bool, False),
                loop_cost=entry.number("loop_cost", 0, 4, 0),
            )
        )
        entry.done()
    no_twins("ultramachina.toml", "card", [card.name for card in cards])
    if len(cards) > N_MACHINA:
        raise DataError(f"ultramachina.toml: there are {len(cards)} cards, but the game has at most {N_MACHINA}")
    return tuple(cards)


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
    numbers, levels = read_numbers(folder), read_levels(folder)
    return Data(
        numbers=numbers,
        levels=levels,
        modes=read_modes(folder, numbers, levels),
        agents=agents,
        artefacts=artefacts,
        missions=read_missions(folder),
        clones=read_clones(folder),
        ultramachina=read_ultramachina(folder),
        card_numbers={card.name.lower(): number for number, card in enumerate(artefacts)},
    )
