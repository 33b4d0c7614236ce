"""What a training run is made of: typed settings, read from YAML, changed on the command line, checked word by word."""

from __future__ import annotations

import dataclasses
import typing
from dataclasses import MISSING, dataclass, field, fields, is_dataclass
from math import isfinite
from pathlib import Path
from typing import Any

import yaml

from loop_env.errors import UserError, suggest


def setting(default: Any, about: str, least: float | None = None, most: float | None = None) -> Any:
    """A field with its meaning and its limits."""
    limits = {"about": about, "least": least, "most": most}
    if isinstance(default, dict | list):
        return field(default_factory=lambda: type(default)(default), metadata=limits)
    return field(default=default, metadata=limits)


@dataclass(frozen=True)
class Network:
    """The network that chooses and judges."""

    kind: str = setting("structured", "structured (one encoder for all cards, one for all eras ...) or flat")
    row: int = setting(32, "numbers by which a card, an era or an agent is encoded", 1, 1024)
    width: int = setting(384, "width of the trunk's layers", 1, 4096)
    layers: int = setting(2, "layers of the trunk", 1, 8)
    foresight: int = setting(0, "positions it looks at for each action, to see what that would do; 0: none", 0, 10_000)


@dataclass(frozen=True)
class PPO:
    """How it learns from its own games."""

    steps: int = setting(1_000_000, "decisions to train for", 1)
    games: int = setting(512, "games at once", 1, 65536)
    rollout: int = setting(64, "decisions of each game between two updates", 1, 65536)
    epochs: int = setting(3, "how often an update goes through the decisions", 1, 100)
    minibatch: int = setting(4096, "decisions in a step of the optimiser", 1)
    learning_rate: float = setting(5e-4, "at the start", 0, 1)
    last_learning_rate: float = setting(5e-5, "at the end; in between along a straight line", 0, 1)
    gamma: float = setting(0.999, "worth of a reward one decision later", 0, 1)
    trace: float = setting(0.95, "the lambda of generalised advantages", 0, 1)
    clip: float = setting(0.2, "how far an update may change a probability", 0, 10)
    entropy: float = setting(0.01, "bonus for keeping options open, at the start", 0)
    last_entropy: float = setting(0.002, "and at the end", 0)
    value: float = setting(0.5, "weight of the value's error", 0)
    gradient: float = setting(0.5, "longest gradient", 0)
    average: float = setting(
        1, "updates over which the player is an average of the network; 1: the network as it is", 1
    )
    redraws: int = setting(
        0, "how often the end of a turn is judged by another draw of luck; 0: only as it came", 0, 1000
    )
    target_kl: float = setting(0.03, "an update stops when the policy has moved this far; 0: never", 0)


@dataclass(frozen=True)
class Stage:
    """A part of the curriculum."""

    until: float = setting(1.0, "the part of all steps after which the next stage begins", 0, 1)
    setup: dict[str, Any] = setting({}, "what its games are set up with, on top of `setup`")


@dataclass(frozen=True)
class Evaluate:
    """Matches on fixed seeds, by which the best checkpoint is chosen."""

    every: int = setting(500_000, "decisions between two evaluations", 1)
    rounds: int = setting(10, "rounds of lessons between two evaluations", 1)
    games: int = setting(200, "games in each", 1)
    setup: dict[str, Any] = setting({}, "what they are set up with, on top of `setup`")
    seed: int = setting(1_000_000, "seed of the first game", 0)


@dataclass(frozen=True)
class Pretrain:
    """Learning from another player first."""

    rounds: int = setting(0, "rounds of lessons; 0: none. In the first the teacher plays, then the student", 0)
    games: int = setting(512, "games in a round", 1)
    teacher: str = setting("planner", "who teaches: a player, as in evaluate.py")
    epochs: int = setting(3, "how often to go through a round's lessons", 1, 1000)
    minibatch: int = setting(1024, "decisions in a step of the optimiser", 1)
    learning_rate: float = setting(1e-3, "in the first round", 0, 1)
    last_learning_rate: float = setting(2e-4, "in the last round; in between along a straight line", 0, 1)


@dataclass(frozen=True)
class Settings:
    """A training run."""

    name: str = setting("", "name of the run and its folder; by default that of the config and a number")
    game: str = setting("the_loop", "which game")
    setup: dict[str, Any] = setting({}, "what its games are set up with: the environment's options")
    reward: dict[str, Any] = setting({}, "the environment's reward")
    network: Network = field(default_factory=Network)
    ppo: PPO = field(default_factory=PPO)
    curriculum: list[Stage] = setting([], "stages, one after the other; none: `setup` throughout")
    evaluate: Evaluate = field(default_factory=Evaluate)
    pretrain: Pretrain = field(default_factory=Pretrain)
    begin: str = setting(
        "", "whose network to begin with: the best of a run, a checkpoint, pretrained:NAME; by default a new one"
    )
    seed: int = setting(0, "seed of everything", 0)
    threads: int = setting(2, "threads for the network and the games", 1, 256)
    precision: str = setting("auto", "of the network's sums: float32, bfloat16, or auto (bfloat16 where it is fast)")
    checkpoint: int = setting(2_000_000, "decisions between two checkpoints", 1)

    def __post_init__(self) -> None:
        one_of("network.kind", self.network.kind, ("structured", "flat"))
        one_of("precision", self.precision, ("auto", "float32", "bfloat16"))
        ends = [stage.until for stage in self.curriculum]
        if ends and (ends != sorted(set(ends)) or ends[-1] != 1):
            raise UserError(f"curriculum: the stages end at {ends}, but each must end later, and the last at 1")
        made = self.ppo.games * self.ppo.rollout
        if self.ppo.minibatch > made:
            raise UserError(f"ppo.minibatch = {self.ppo.minibatch} is more than games x rollout = {made}")


def one_of(place: str, word: str, words: tuple[str, ...]) -> None:
    """Complain about a word that is none of these."""
    if word not in words:
        raise UserError(f"{place} = {word!r} is unknown{suggest(word, words)}")


# -- from YAML -------------------------------------------------------------------------------------
def read(path: str | Path, changes: typing.Sequence[str] = ()) -> Settings:
    """Settings from a file, with changes such as "ppo.steps=1000"."""
    path = Path(path)
    if not path.is_file():
        raise UserError(f"there is no config {str(path)!r}")
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise UserError(f"{path}: not valid YAML: {' '.join(str(error).split())}") from None
    content = {} if content is None else content
    if not isinstance(content, dict):
        raise UserError(f"{path}: a config is a table of settings, not {content!r}")
    for change in changes:
        apply(content, change)
    try:
        settings: Settings = build(Settings, content, "")
    except UserError as error:
        raise UserError(f"{path}: {error}") from None
    return settings


def apply(content: dict[str, Any], change: str) -> None:
    """Put one change from the command line into the table."""
    key, equals, text = change.partition("=")
    if not equals or not key:
        raise UserError(f"{change!r} must look like key=value, such as ppo.steps=1_000_000")
    *path, last = key.split(".")
    for step in path:
        content = content.setdefault(step, {})
        if not isinstance(content, dict):
            raise UserError(f"{change!r}: {step!r} has no settings of its own")
    try:
        content[last] = yaml.safe_load(text)
    except yaml.YAMLError:
        raise UserError(f"{change!r}: {text!r} is not valid YAML") from None


def build(kind: Any, content: Any, place: str) -> Any:
    """A dataclass from a table; every key and every value is checked."""
    if not isinstance(content, dict):
        raise UserError(f"{place or 'a config'} must be a table of settings, not {content!r}")
    known = {f.name: f for f in fields(kind)}
    hints = typing.get_type_hints(kind)
    values = {}
    for key, value in content.items():
        if key not in known:
            raise UserError(f"{place + '.' if place else ''}{key} is not a setting{suggest(key, known)}")
        values[key] = convert(hints[key], value, f"{place + '.' if place else ''}{key}", known[key].metadata)
    return kind(**values)


KINDS = {int: "a whole number", float: "a number", str: "a text", dict: "a table", list: "a list"}


def convert(kind: Any, value: Any, place: str, limits: typing.Mapping[str, Any]) -> Any:
    """A value of the right kind, within its limits."""
    if is_dataclass(kind):
        return build(kind, value, place)
    base = typing.get_origin(kind) or kind
    if base is float:
        value = as_float(value)
    if not isinstance(value, base) or isinstance(value, bool):
        raise UserError(f"{place} = {value!r} must be {KINDS[base]}")
    if base in (int, float):
        check_limits(value, place, limits)
    if base is list:
        inner = typing.get_args(kind)[0]
        return [convert(inner, one, f"{place}[{i}]", {}) for i, one in enumerate(value)]
    return value


def as_float(value: Any) -> Any:
    """YAML reads 3e-4 as a text, and 1 as a whole number."""
    if isinstance(value, bool):
        return value
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def check_limits(value: float, place: str, limits: typing.Mapping[str, Any]) -> None:
    """Complain about an impossible number."""
    least, most = limits.get("least"), limits.get("most")
    if not isfinite(value) or (least is not None and value < least) or (most is not None and value > most):
        allowed = f"at least {least}" if most is None else f"between {least} and {most}"
        raise UserError(f"{place} = {value} must be {allowed}")


# -- to people -------------------------------------------------------------------------------------
def as_dict(settings: Settings) -> dict[str, Any]:
    """Plain tables, as in YAML."""
    return dataclasses.asdict(settings)


def as_yaml(settings: Settings) -> str:
    """The resolved config."""
    text: str = yaml.safe_dump(as_dict(settings), sort_keys=False, allow_unicode=True)
    return text


def describe(kind: Any = Settings, place: str = "") -> list[tuple[str, str, str]]:
    """Every setting: its name, its default, its meaning."""
    found = []
    for f in fields(kind):
        hint = typing.get_type_hints(kind)[f.name]
        if is_dataclass(hint):
            found += describe(hint, f"{place}{f.name}.")
        else:
            default = f.default_factory() if f.default_factory is not MISSING else f.default
            found.append((place + f.name, str(default), f.metadata.get("about", "")))
            inner = typing.get_args(hint)
            if inner and is_dataclass(inner[0]):
                found += describe(inner[0], f"{place}{f.name}[].")
    return found
