"""A position in some numbers, for who compares what actions would do: see `engine/foresight.py`."""

from __future__ import annotations

from math import log
from typing import Any

from loop_env.engine.arrays import total
from loop_env.engine.foresight import Foresight
from loop_env.engine.jit import njit
from loop_env.engine.tables import Table
from loop_env.the_loop.actions import can_loop
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import NO_CHOICE, RUNNING
from loop_env.the_loop.planner import leave, most_to_ready
from loop_env.the_loop.state import HAND, N_ERAS
from loop_env.the_loop.value import archives_now, cards, loss_chance, value, weigh

LEAST = 1e-3  # chances to win that are told apart

OUTLINE = Table(
    ("chance", (), "the chance to win if the turn ended now, in logits, of 4"),
    ("loss", (), "the chance that the next drop loses the game"),
    ("archived", (), "tiles archived, or to be archived when the turn ends, of 4"),
    ("finished", (), "open tiles with all their damage, of 2"),
    ("damage", (), "the damage of open tiles, each as a part of what it needs, of 2"),
    ("vortices", (), "vortices, of 3"),
    ("risk", (), "the chances that the next drop opens a vortex, added up"),
    ("full", (), "eras with a rift in every slot, of 7"),
    ("rifts", (), "rifts, of 10"),
    ("clones", (), "cubes that clones add to drops, of 10"),
    ("doomed", (), "clones next to their destroy era, of 6"),
    ("energy", (), "energy, of 10"),
    ("energy_here", (), "energy in the active agent's era, of 5"),
    ("charged", (), "eras with energy, of 7"),
    ("hand", (), "cards in the active agent's hand, of 5"),
    ("ready", (), "of these, ready, of 5"),
    ("loop", (), "cards that the best LOOP would make ready, if one is possible, of 5"),
    ("battery", (), "the active agent's battery is charged"),
    ("ability", (), "the active agent's ability has been used"),
    ("cards", (), "all cards that players own, and one to take, by what they do, of 4"),
    ("supa_clones", (), "supa clones, of 7"),
    ("centrifuges", (), "centrifuges, of 7"),
    ("choice", (), "an effect waits for a choice"),
    ("turn", (), "turns played, of 10: this turn goes on, or is over"),
)


@njit
def logit_of(chance: float) -> float:
    """A chance in logits."""
    chance = min(max(chance, LEAST), 1.0 - LEAST)
    return log(chance / (1.0 - chance))


@njit
def outline(g: Any, r: Any, w: Any, o: Any) -> None:
    """Write a position's outline."""
    o.chance = logit_of(value(g, r, w)) / 4
    o.loss = loss_chance(g, r)
    outline_eras(g, r, o)
    outline_agent(g, r, w, o)
    o.supa_clones = g.supas / 7
    o.centrifuges = total(g.centrifuge) / 7
    o.choice = g.choice != NO_CHOICE
    o.turn = g.turn / 10


@njit
def outline_eras(g: Any, r: Any, o: Any) -> None:
    """The board, added up."""
    finished, full, charged = 0, 0, 0
    damage, risk, doomed = 0.0, 0.0, 0
    for era in range(N_ERAS):
        if g.tile[era] >= 0:
            finished += g.damage[era] >= r.needed[g.tile[era]]
            damage += min(g.damage[era] / r.needed[g.tile[era]], 1.0)
        full += g.rifts[era] >= r.rift_slots
        charged += g.energy[era] > 0
        risk += g.risk[era]
        doomed += g.dooms[era, 1] + g.dooms[era, N_ERAS - 1]
    o.finished, o.full, o.charged = finished / 2, full / 7, charged / 7
    o.damage, o.risk, o.doomed = damage / 2, risk, doomed / 6
    o.vortices = total(g.vortex) / 3
    o.rifts = total(g.rifts) / 10
    o.clones = total(g.weight) / 10
    o.energy = total(g.energy) / 10


@njit
def outline_agent(g: Any, r: Any, w: Any, o: Any) -> None:
    """The active agent, and the cards."""
    seat, ready = g.active, 0
    for slot in range(g.pile_size[HAND + seat]):
        ready += g.ready[g.hand[seat, slot]]
    o.archived = (g.archived + archives_now(g, r)) / 4
    o.energy_here = g.energy[g.at[seat]] / 5
    o.hand, o.ready = g.pile_size[HAND + seat] / 5, ready / 5
    o.loop = most_to_ready(g, r, seat) / 5 if can_loop(g, r) and g.outcome == RUNNING else 0.0
    o.battery, o.ability = g.battery[seat], g.ability_used
    o.cards = cards(g, w) / 4


FORESIGHT = Foresight(THE_LOOP, weigh, OUTLINE, value=value, leave=leave, outline=outline)
