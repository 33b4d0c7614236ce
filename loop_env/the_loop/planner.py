"""How the planner goes through a turn: what is worth going on with, when a turn may end, which positions are alike."""

from __future__ import annotations

from typing import Any

from loop_env.engine.jit import njit
from loop_env.engine.search import NO_ACTION, Planner
from loop_env.the_loop.actions import A_STOP, can_loop
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import ACTION_PHASE, LOOP_DIMENSIONS, NO_CHOICE
from loop_env.the_loop.state import HAND
from loop_env.the_loop.value import value, weigh


@njit
def most_to_ready(g: Any, r: Any, seat: int) -> int:
    """How many cards the best LOOP makes ready."""
    most = 0
    for dimension in range(LOOP_DIMENSIONS):
        count = 0
        for slot in range(g.pile_size[HAND + seat]):
            card = g.hand[seat, slot]
            if r.dimension[card] == dimension and not g.ready[card]:
                count += 1
        most = max(most, count)
    return most


@njit
def promise(g: Any, r: Any, w: Any, score: float) -> float:
    """A position's worth with regard to what can still be done in the turn."""
    if g.phase != ACTION_PHASE:
        return score
    seat = g.active
    found = w.battery * g.battery[seat]
    if g.choice != NO_CHOICE:
        found += w.pending
    for slot in range(g.pile_size[HAND + seat]):
        found += w.ready * g.ready[g.hand[seat, slot]]
    if can_loop(g, r):
        found += w.loop * most_to_ready(g, r, seat)
    return score + found * score * (1.0 - score)


@njit
def leave(g: Any) -> int:
    """The action that ends the turn: only between two actions."""
    return A_STOP if g.phase == ACTION_PHASE and g.choice == NO_CHOICE else NO_ACTION


# What makes no difference between two positions of one turn: luck, counters, and what follows from other fields.
IGNORED = (
    "seed", "luck", "legal", "choices", "decisions", "risk", "risk_is_old", "actions",
    "total_loops", "total_kills", "total_plays", "total_removed", "total_energy",
)  # fmt: skip
# Between two actions, what the last effect has left in its registers makes none either.
IGNORED_AT_REST = (
    "program", "pc", "outer_program", "outer_pc", "optional", "answer", "chosen_era", "chosen_target", "chosen_clone",
    "chosen_second", "chosen_agent", "chosen_slot", "row_era", "row_agent", "went", "origin", "rounds", "charged",
)  # fmt: skip

PLANNER = Planner(
    THE_LOOP, weigh, value=value, promise=promise, leave=leave, ignored=IGNORED, ignored_at_rest=IGNORED_AT_REST
)
