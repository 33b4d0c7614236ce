"""What some modes add to the game: supa clones, centrifuges, eternal energy, ultramachina cards.

A mode is a set of components, each with its numbers in the rules' tables; without them the functions here find nothing
to do. So no rule asks which mode is played, and a mode of one's own can put components together.
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below
from loop_env.the_loop.board import add_eternal_energy, appear, lose_energy, spend_energy
from loop_env.the_loop.state import BAG, MACHINA_LUCK, N_CLONES, N_ERAS, N_TOKENS, SETUP_LUCK, SUPA_LUCK


# -- the goal ------------------------------------------------------------------------------------
@njit
def goal_is_reached(g: Any, r: Any) -> bool:
    """Whether enough tiles are archived, and neither supa clones nor centrifuges are left on the board."""
    return bool(g.archived >= r.tiles_to_win[g.mode] and g.supas == 0 and total(g.centrifuge) == 0)


# -- supa clones ---------------------------------------------------------------------------------
@njit
def supas_waiting(g: Any) -> int:
    """Supa clones that have not been in the game yet."""
    waiting = 0
    for clone in range(N_CLONES, N_TOKENS):
        waiting += g.clone_at[clone] == BAG
    return waiting


@njit
def place_supa_clones(g: Any, r: Any, count: int) -> None:
    """Supa clones that have not been in the game yet appear in their spawn eras."""
    for _ in range(count):
        waiting = supas_waiting(g)
        if waiting == 0:
            return
        nth = draw_below(g.luck, SUPA_LUCK, waiting)
        for clone in range(N_CLONES, N_TOKENS):
            if g.clone_at[clone] == BAG:
                if nth == 0:
                    appear(g, r, clone, int(r.spawn[clone]))
                    break
                nth -= 1


# -- centrifuges ---------------------------------------------------------------------------------
@njit
def place_centrifuges(g: Any, count: int) -> None:
    """Each stands in an era of its own, none where a rift is."""
    for _ in range(count):
        free = 0
        for era in range(N_ERAS):
            free += g.rifts[era] == 0 and not g.centrifuge[era]
        nth = draw_below(g.luck, SETUP_LUCK, free)
        for era in range(N_ERAS):
            if g.rifts[era] == 0 and not g.centrifuge[era]:
                if nth == 0:
                    g.centrifuge[era] = 1
                    break
                nth -= 1


@njit
def swallow_energy(g: Any) -> None:
    """After the drop, each centrifuge takes 1 energy of its era."""
    eras = 0
    for era in range(N_ERAS):
        if g.centrifuge[era]:
            eras |= 1 << era
    if eras != 0:
        lose_energy(g, eras, 1)


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
    nth = draw_below(g.luck, MACHINA_LUCK, r.machina_cards - total(g.machina_seen))
    for card in range(r.machina_cards):
        if not g.machina_seen[card]:
            if nth == 0:
                g.machina_seen[card] = 1
                g.machina = card + 1
                return
            nth -= 1
