"""The reward: for winning and losing, and, if wanted, for progress on the way.

Progress is a potential: the reward for a step is the growth of `potential` (discounted by gamma), which leaves the best
policy as it is. Its weights are in `Reward`, so they can be set in a config file.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.records import record
from loop_env.errors import UserError
from loop_env.the_loop.names import RUNNING, WON
from loop_env.the_loop.state import N_ERAS

SHAPINGS = ("none", "progress")

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
        )
    ),
    ("shaped", "i8"),
)


@dataclass(frozen=True)
class Reward:
    """What a game is worth. The weights after `shaping` count only if shaping is "progress"."""

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

    def __post_init__(self) -> None:
        if self.shaping not in SHAPINGS:
            raise UserError(f"reward shaping {self.shaping!r} is unknown; there are: {', '.join(SHAPINGS)}")

    def record(self) -> np.ndarray:
        """The numbers for the compiled loop."""
        numbers = np.zeros(1, REWARD)
        for name in REWARD.names or ():
            numbers[name] = self.shaping == "progress" if name == "shaped" else getattr(self, name)
        return numbers


@njit
def potential(g: Any, r: Any, w: Any) -> float:
    """How good a running position looks; 0 once the game is over."""
    if not w.shaped or g.outcome != RUNNING:
        return 0.0
    damage = 0.0
    for era in range(N_ERAS):
        if g.tile[era] >= 0:
            damage += g.damage[era] / r.needed[g.tile[era]]
    progress = w.tile * g.archived + w.damage * damage
    danger = w.vortex * total(g.vortex) + w.rift * total(g.rifts) + w.clone * total(g.clones)
    return progress + danger + w.supa_clone * g.supas + w.centrifuge * total(g.centrifuge)


@njit
def result(g: Any, w: Any) -> float:
    """The reward for the end of a game."""
    if g.outcome == RUNNING:
        return 0.0
    return float(w.win if g.outcome == WON else w.loss)
