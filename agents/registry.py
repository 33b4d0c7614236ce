"""Players by name: `random`, `scripted`, `planner`, `planner@2000` (with a budget), `my_bot.py:MyBot`, a checkpoint."""

from __future__ import annotations

import inspect
import re
import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

from agents.base import Agent
from loop_env.errors import UserError, suggest

AGENTS = {
    "random": "agents.random_agent:RandomAgent",
    "scripted": "agents.scripted:Scripted",
    "planner": "agents.planner:Planner",
}
MOST_BUDGET = 10_000_000
BEST = "best.safetensors"  # of a run
PRETRAINED = "pretrained:"
SHIPPED = Path(__file__).parent / "pretrained"
FORMS = f"a player is one of: {', '.join(AGENTS)}, {PRETRAINED}NAME, FILE.py:CLASS, or the path of a checkpoint"


def load(spec: str, game: str, seed: int = 0) -> Agent:
    """The player that is meant, ready to play this game."""
    name, at, budget = spec.partition("@")
    if name in AGENTS:
        agent = make_known(name, budget if at else None, seed)
    elif ".py" in spec:
        agent = make(class_in_file(spec), spec, seed=seed)
    elif spec.startswith(PRETRAINED) or Path(spec).exists():
        from agents.policy import load_policy  # needs torch

        agent = load_policy(spec, game)
    else:
        known = [*AGENTS, *(PRETRAINED + name for name in shipped_names())]
        raise UserError(f"player {spec!r} is unknown{suggest(spec, known)}")
    agent.name = label(spec)
    return agent


def label(spec: str) -> str:
    """What a player is called in tables: the spec without its folders."""
    return Path(spec).name


def checkpoint_of(spec: str) -> Path:
    """Where the weights lie that a run, a checkpoint or a shipped player means."""
    if spec.startswith(PRETRAINED):
        return shipped(spec)
    return Path(spec) / BEST if Path(spec).is_dir() else Path(spec)


def shipped(spec: str) -> Path:
    """The weights that come with the package."""
    name = spec.removeprefix(PRETRAINED)
    if name not in shipped_names():
        raise UserError(f"player {spec!r} is unknown: {name!r} is not shipped{suggest(name, shipped_names())}")
    return SHIPPED / f"{name}.safetensors"


def shipped_names() -> list[str]:
    """Whose weights come with the package."""
    return sorted(path.stem for path in SHIPPED.glob("*.safetensors"))


def make_known(name: str, budget: str | None, seed: int) -> Agent:
    """One of our own players; the module is imported only now, as some need much."""
    module, _, cls = AGENTS[name].partition(":")
    options: dict[str, Any] = {"seed": seed}
    if budget is not None:
        if not budget.isdecimal() or not 0 < int(budget) <= MOST_BUDGET:
            raise UserError(
                f"player '{name}@{budget}': the budget {budget!r} must be a whole number from 1 to {MOST_BUDGET}"
            )
        options["budget"] = int(budget)
    return make(getattr(import_module(module), cls), f"{name}@{budget}" if budget else name, **options)


def make(cls: Any, spec: str, **options: Any) -> Agent:
    """An instance; a player need not take a seed, but a budget that it cannot use is a mistake."""
    taken = inspect.signature(cls).parameters
    if "seed" not in taken:
        del options["seed"]
    if "budget" in options and "budget" not in taken:
        raise UserError(f"player {spec!r} has no budget to set")
    try:
        agent: Agent = cls(**options)
    except TypeError as error:
        raise UserError(f"player {spec!r} cannot be made: {error}") from error
    return agent


# -- a user's own bot ------------------------------------------------------------------------------
def class_in_file(spec: str) -> Any:
    """The class that `FILE.py:CLASS` means."""
    found = re.fullmatch(r"(.+\.py):(\w+)", spec)
    if not found:
        raise UserError(f"player {spec!r} must say which class of the file plays, such as my_bot.py:MyBot")
    path, name = Path(found[1]), found[2]
    if not path.is_file():
        raise UserError(f"there is no file {str(path)!r}")
    module = import_file(path)
    cls = getattr(module, name, None)
    if not inspect.isclass(cls):
        own = [each for each, value in vars(module).items() if inspect.isclass(value) and value is not Agent]
        raise UserError(f"{str(path)!r} has no class {name!r}{suggest(name, own) if own else ''}")
    if not callable(getattr(cls, "act", None)):
        raise UserError(f"class {name!r} in {str(path)!r} has no method act(self, boards)")
    return cls


@cache
def import_file(path: Path) -> ModuleType:
    """A module from a file anywhere, imported once; its neighbours can be imported too."""
    spec = spec_from_file_location(path.stem, path.resolve())
    assert spec is not None  # a name that ends in .py has a loader
    assert spec.loader is not None
    module = module_from_spec(spec)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        raise UserError(f"{str(path)!r} cannot be imported: {type(error).__name__}: {error}") from error
    finally:
        del sys.path[0]
    return module
