"""The action table and the set of actions that are possible now.

Eras and seats are counted from the agent who decides: era 0 is their own, 1 the next clockwise; seat 0 is theirs.
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.jit import njit
from loop_env.engine.masks import ONE, allow, allow_nothing
from loop_env.engine.tables import Table
from loop_env.the_loop.choices import SUPA
from loop_env.the_loop.language import MAX_OPTIONS
from loop_env.the_loop.missions import can_archive
from loop_env.the_loop.modes import can_shut_down
from loop_env.the_loop.names import (
    ACTION_PHASE,
    ARCHIVE_PHASE,
    CHOOSE_AGENT,
    CHOOSE_CLONE,
    CHOOSE_ERA,
    CHOOSE_HAND,
    CHOOSE_OPTION,
    CHOOSE_ROW,
    DRAFT_PHASE,
    LOOP_DIMENSIONS,
    NO_CHOICE,
    TAKE_PHASE,
    YES_NO,
)
from loop_env.the_loop.state import DRAFT, HAND, HAND_PLACES, N_ERAS, N_SEATS, ROW_PLACES

ACTIONS = Table(
    ("hand", HAND_PLACES, "play the card in this place of the hand, or choose it for an effect"),
    ("row", ROW_PLACES, "take, draft or choose the card in this place of the row on show"),
    ("move", 2, "spend 1 energy: to the previous or the next era"),
    ("free_move", N_ERAS, "empty the battery: to this era, counted from the agent's"),
    ("loop", LOOP_DIMENSIONS, "LOOP: ready every card of this dimension"),
    ("ability", (), "the agent's ability"),
    ("stop", (), "end the action phase"),
    ("take_nothing", (), "leave the available cards"),
    ("archive", (), "archive the tile of the agent's era"),
    ("do_not_archive", (), "leave the tile"),
    ("yes", (), "do what you may do"),
    ("no", (), "do not"),
    ("era", N_ERAS, "choose this era, counted from the agent's"),
    ("clone", (N_ERAS, N_ERAS), "choose a clone: where it stands, its destroy era, both counted from the agent's"),
    ("agent", N_SEATS, "choose this agent, counted from the one who decides"),
    ("option", MAX_OPTIONS, "choose this option of the card"),
    ("supa_clone", N_ERAS, "choose the supa clone with this destroy era, counted from the agent's"),
    ("shut_down", (), "shut down the centrifuge of the agent's era"),
)

A_HAND, A_ROW, A_MOVE, A_FREE_MOVE, A_LOOP, A_ABILITY, A_STOP, A_TAKE_NOTHING = ACTIONS.starts(
    "hand", "row", "move", "free_move", "loop", "ability", "stop", "take_nothing"
)
A_ARCHIVE, A_DO_NOT_ARCHIVE, A_YES, A_NO, A_ERA, A_CLONE, A_AGENT, A_OPTION = ACTIONS.starts(
    "archive", "do_not_archive", "yes", "no", "era", "clone", "agent", "option"
)
A_SUPA_CLONE, A_SHUT_DOWN = ACTIONS.starts("supa_clone", "shut_down")


@njit
def loop_cost(g: Any, r: Any) -> int:
    """Energy for the next LOOP of this turn."""
    return int(g.loops) + 1 + int(r.more_loop_cost[g.machina])


@njit
def can_loop(g: Any, r: Any) -> bool:
    """Whether the active agent's era has energy enough, and no centrifuge."""
    here = g.at[g.active]
    return bool(g.energy[here] >= loop_cost(g, r) and not g.centrifuge[here])


@njit
def allow_actions(g: Any, r: Any) -> None:
    """What the action phase offers."""
    seat = g.active
    here = int(g.at[seat])
    allow(g, A_STOP)
    if g.actions >= r.actions_per_turn:
        return
    for slot in range(g.pile_size[HAND + seat]):
        if g.ready[g.hand[seat, slot]]:
            allow(g, A_HAND + slot)
    if g.energy[here] > 0:
        allow(g, A_MOVE)
        allow(g, A_MOVE + 1)
    if g.battery[seat] and not r.no_free_move[g.machina]:
        allow_free_moves(g, r, seat)
    if can_loop(g, r):
        for dimension in range(LOOP_DIMENSIONS):
            allow(g, A_LOOP + dimension)
    if r.has_ability[g.agent[seat]] and not g.ability_used and g.players > 1:
        allow(g, A_ABILITY)
    if can_shut_down(g, r):
        allow(g, A_SHUT_DOWN)


@njit
def allow_free_moves(g: Any, r: Any, seat: int) -> None:
    """A charged battery takes the agent to an adjacent era; some agents go anywhere."""
    if r.free_move_anywhere[g.agent[seat]]:
        for ahead in range(1, N_ERAS):
            allow(g, A_FREE_MOVE + ahead)
    else:
        allow(g, A_FREE_MOVE + 1)
        allow(g, A_FREE_MOVE + N_ERAS - 1)


@njit
def allow_choices(g: Any) -> None:
    """What the pending choice of an effect offers."""
    here = int(g.at[g.actor])
    if g.optional:
        allow(g, A_NO)
    if g.choice == YES_NO:
        allow(g, A_YES)
        return
    bits = g.choices
    place = 0
    while bits != 0:
        if bits & ONE:
            if g.choice == CHOOSE_ERA:
                allow(g, A_ERA + (place - here) % N_ERAS)
            elif g.choice == CHOOSE_CLONE and place >= SUPA:
                allow(g, A_SUPA_CLONE + (place - SUPA - here) % N_ERAS)
            elif g.choice == CHOOSE_CLONE:
                era, doom = place // N_ERAS, place % N_ERAS
                allow(g, A_CLONE + (era - here) % N_ERAS * N_ERAS + (doom - here) % N_ERAS)
            elif g.choice == CHOOSE_AGENT:
                allow(g, A_AGENT + (place - int(g.actor)) % int(g.players))
            elif g.choice == CHOOSE_HAND:
                allow(g, A_HAND + place)
            elif g.choice == CHOOSE_ROW:
                allow(g, A_ROW + place)
            elif g.choice == CHOOSE_OPTION:
                allow(g, A_OPTION + place)
        bits >>= ONE
        place += 1


@njit
def list_legal(g: Any, r: Any) -> None:
    """Work out what is possible now. Never nothing: when the game is over, "stop" stays, and does nothing."""
    allow_nothing(g)
    if g.choice != NO_CHOICE:
        allow_choices(g)
    elif g.phase == ACTION_PHASE:
        allow_actions(g, r)
    elif g.phase == TAKE_PHASE:
        allow(g, A_TAKE_NOTHING)
        for slot in range(g.available_size[g.at[g.active]]):
            allow(g, A_ROW + slot)
    elif g.phase == ARCHIVE_PHASE and can_archive(g, r, g.at[g.active]):
        allow(g, A_ARCHIVE)
        allow(g, A_DO_NOT_ARCHIVE)
    elif g.phase == DRAFT_PHASE:
        for slot in range(g.pile_size[DRAFT]):
            allow(g, A_ROW + slot)
    else:
        allow(g, A_STOP)


@njit
def chosen(g: Any, action: int) -> int:
    """What an action that answers a choice stands for, in the terms of `g.choices`."""
    here = int(g.at[g.actor])
    if g.choice == CHOOSE_ERA:
        return (action - A_ERA + here) % N_ERAS
    if g.choice == CHOOSE_CLONE and action >= A_SUPA_CLONE:
        return SUPA + (action - A_SUPA_CLONE + here) % N_ERAS
    if g.choice == CHOOSE_CLONE:
        era, doom = (action - A_CLONE) // N_ERAS, (action - A_CLONE) % N_ERAS
        return (era + here) % N_ERAS * N_ERAS + (doom + here) % N_ERAS
    if g.choice == CHOOSE_AGENT:
        return (action - A_AGENT + int(g.actor)) % int(g.players)
    if g.choice == CHOOSE_HAND:
        return action - A_HAND
    if g.choice == CHOOSE_ROW:
        return action - A_ROW
    if g.choice == CHOOSE_OPTION:
        return action - A_OPTION
    return 1  # "yes"
