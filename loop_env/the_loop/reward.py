"""The reward: for winning and losing, and, if wanted, for progress on the way.

Progress is a potential: the reward for a step is the growth of `potential` (discounted by gamma), which leaves the best
policy as it is. "progress" adds up what lies on the table, with weights that can be set in a config file. "value" is
the chance to win as the planner sees it (`value.py`): every decision is rewarded by how well the turn would end now.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.records import record
from loop_env.errors import UserError
from loop_env.the_loop.names import RUNNING, WON
from loop_env.the_loop.state import N_ERAS
from loop_env.the_loop.value import WEIGHTS, value, weigh

SHAPINGS = ("none", "progress", "value")
NONE, PROGRESS, VALUE = range(len(SHAPINGS))
TINY = 1e-9

REWARD = record(
    *(
        (name, "f8")
        for name in (
            "win",
            "loss",
            "illegal",
            "gamma",
            "tile",
            "damage",
            "vortex",
            "rift",
            "clone",
            "supa_clone",
            "centrifuge",
            "value",
            "softness",
        )
    ),
    ("shaping", "i8"),
    ("weights", WEIGHTS),
)


@dataclass(frozen=True)
class Reward:
    """What a game is worth. `tile` to `centrifuge` belong to shaping "progress", `value` and `softness` to "value"."""

    win: float = 1.0
    loss: float = 0.0
    illegal: float = -0.01
    shaping: str = "none"
    gamma: float = 0.999
    tile: float = 0.2
    damage: float = 0.1
    vortex: float = -0.1
    rift: float = -0.01
    clone: float = -0.004
    supa_clone: float = -0.05
    centrifuge: float = -0.1
    value: float = 1.0
    softness: float = 1.0  # the chance's logit is divided by this: the larger, the more small chances differ

    def __post_init__(self) -> None:
        if self.shaping not in SHAPINGS:
            raise UserError(f"reward shaping {self.shaping!r} is unknown; there are: {', '.join(SHAPINGS)}")
        if self.softness <= 0:
            raise UserError(f"reward: softness = {self.softness} must be greater than 0")

    def record(self, rules: np.ndarray) -> np.ndarray:
        """The numbers for the compiled loop."""
        numbers = np.zeros(1, REWARD)
        for name in (f.name for f in fields(self)):
            numbers[name] = SHAPINGS.index(self.shaping) if name == "shaping" else getattr(self, name)
        numbers["weights"] = weigh(rules)
        return numbers


@njit
def potential(g: Any, r: Any, w: Any) -> float:
    """How good a running position looks; 0 once the game is over."""
    if w.shaping == NONE or g.outcome != RUNNING:
        return 0.0
    if w.shaping == VALUE:
        return float(w.value * soften(value(g, r, w.weights), w.softness))
    damage = 0.0
    for era in range(N_ERAS):
        if g.tile[era] >= 0:
            damage += g.damage[era] / r.needed[g.tile[era]]
    progress = w.tile * g.archived + w.damage * damage
    danger = w.vortex * total(g.vortex) + w.rift * total(g.rifts) + w.clone * total(g.clones)
    return progress + danger + w.supa_clone * g.supas + w.centrifuge * total(g.centrifuge)


@njit
def soften(chance: float, softness: float) -> float:
    """A chance drawn towards a half: its logit divided by `softness`."""
    odds = (chance / max(1.0 - chance, TINY)) ** (1.0 / softness)
    return odds / (1.0 + odds)


@njit
def result(g: Any, w: Any) -> float:
    """The reward for the end of a game."""
    if g.outcome == RUNNING:
        return 0.0
    return float(w.win if g.outcome == WON else w.loss)
