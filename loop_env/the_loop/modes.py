"""What some modes add to the game: supa clones, centrifuges, eternal energy, ultramachina cards.

A mode is a set of components, each with its numbers in the rules' tables; without them the functions here find nothing
to do. So no rule asks which mode is played, and a mode of one's own can put components together.
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import places_above_zero, places_of, total
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_place
from loop_env.the_loop.board import add_eternal_energy, appear, lose_energy, spend_energy
from loop_env.the_loop.state import BAG, MACHINA_LUCK, N_CLONES, SETUP_LUCK, SUPA_LUCK


# -- the goal ------------------------------------------------------------------------------------
@njit
def goal_is_reached(g: Any, r: Any) -> bool:
    """Whether enough tiles are archived, and neither supa clones nor centrifuges are left on the board."""
    return bool(g.archived >= r.tiles_to_win[g.mode] and g.supas == 0 and total(g.centrifuge) == 0)


# -- supa clones ---------------------------------------------------------------------------------
@njit
def supas_waiting(g: Any) -> int:
    """Supa clones (bits) that have not been in the game yet."""
    return int(places_of(g.clone_at, BAG)) >> N_CLONES


@njit
def place_supa_clones(g: Any, r: Any, count: int) -> None:
    """Supa clones that have not been in the game yet appear in their spawn eras."""
    for _ in range(count):
        waiting = supas_waiting(g)
        if waiting == 0:
            return
        clone = N_CLONES + draw_place(g.luck, SUPA_LUCK, waiting)
        appear(g, r, clone, int(r.spawn[clone]))


# -- centrifuges ---------------------------------------------------------------------------------
@njit
def place_centrifuges(g: Any, count: int) -> None:
    """Each stands in an era of its own, none where a rift is."""
    for _ in range(count):
        free = places_of(g.rifts, 0) & ~places_above_zero(g.centrifuge)
        g.centrifuge[draw_place(g.luck, SETUP_LUCK, free)] = 1


@njit
def swallow_energy(g: Any) -> None:
    """After the drop, each centrifuge takes 1 energy of its era."""
    lose_energy(g, places_above_zero(g.centrifuge), 1)


@njit
def can_shut_down(g: Any, r: Any) -> bool:
    """Whether the active agent can shut down a centrifuge: no rift and no clone there, and energy enough."""
    here = g.at[g.active]
    if not g.centrifuge[here] or g.rifts[here] > 0 or g.clones[here] > 0:
        return False
    return bool(g.energy[here] >= r.shutdown_energy[g.mode, g.level])


@njit
def shut_down(g: Any, r: Any) -> None:
    """The centrifuge of the active agent's era is gone; eternal energy comes into play."""
    here = int(g.at[g.active])
    spend_energy(g, here, r.shutdown_energy[g.mode, g.level])
    g.centrifuge[here] = 0
    add_eternal_energy(g, r, here)


# -- ultramachina --------------------------------------------------------------------------------
@njit
def machina_is_due(g: Any, r: Any, turn: int) -> bool:
    """Whether the turn begins with an ultramachina card."""
    every = r.ultramachina_every[g.mode, g.level]
    return bool(every > 0 and (turn + 1) % every == 0)


@njit
def reveal_machina(g: Any, r: Any) -> None:
    """A card of the ultramachina bends this turn, if one is due. Its deck is shuffled anew when it is empty."""
    g.machina = 0
    if not machina_is_due(g, r, g.turn):
        return
    if total(g.machina_seen) >= r.machina_cards:
        g.machina_seen[:] = 0
    left = places_of(g.machina_seen, 0) & ((1 << int(r.machina_cards)) - 1)
    card = draw_place(g.luck, MACHINA_LUCK, left)
    g.machina_seen[card] = 1
    g.machina = card + 1
