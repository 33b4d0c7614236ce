"""The chance that the next drop opens a vortex: `machine.vortex_risk` for one record, by table."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.the_loop.state import N_ERAS


@njit
def update_risk(g: Any, r: Any) -> None:
    """Work out `g.risk` anew. What luck brings before the drop, beside plain clones, does not count.

    That is an ultramachina card that is still face down, and the supa clone that a new cycle brings.
    """
    g.risk_is_old = 0
    g.risk[:] = 0
    cycle, left = int(g.cycle), total(g.foo_deck)
    fresh_deck = left == 0  # the next card is the first of a new cycle
    if fresh_deck:
        cycle += 1
        left = N_ERAS
    if cycle >= r.cycles:
        return
    in_bag, spawning = total(g.bag), int(r.new_clones[g.level, cycle])
    for foo in range(N_ERAS):
        if g.foo_deck[foo] or fresh_deck:
            ours = int(g.bag[foo])
            for spawned in range(min(spawning, ours) + 1):
                weight = r.spawns[spawning, in_bag, ours, spawned] / np.float32(left)
                cubes = min(max(int(r.cubes[g.level]) + int(g.weight[foo]) + spawned, 0), int(g.rift_supply))
                for chute in range(3):
                    era = (foo + chute + N_ERAS - 1) % N_ERAS
                    needed = int(r.rift_slots) + 1 - int(g.rifts[era])
                    g.risk[era] += weight * r.tails[chute, cubes, needed]
    for era in range(N_ERAS):
        g.risk[era] = min(g.risk[era], np.float32(1))  # whatever rounding added
