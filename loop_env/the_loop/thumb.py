"""Rules of thumb for The LOOP: what the scripted player goes by.

It says of a table how good it looks, in the rulebook's words: progress, danger and means (`worth`). Before a decision
it tries what it could do in this turn, a few actions deep, and begins with whatever leads to the best-looking table.
It stops when nothing makes the table look better. Cards are chosen by their dimension and by what they do.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.masks import allow_nothing, is_legal, take_lowest
from loop_env.the_loop.actions import A_ARCHIVE, A_ROW, A_STOP, A_YES
from loop_env.the_loop.names import (
    ACTION_PHASE,
    ARCHIVE_PHASE,
    DRAFT_PHASE,
    FOO_PHASE,
    LOOP_DIMENSIONS,
    NO_CHOICE,
    RUNNING,
    TAKE_PHASE,
    WON,
)
from loop_env.the_loop.state import DRAFT, HAND, N_CLONES, N_ERAS, N_TOKENS
from loop_env.the_loop.turn import decide

# What things are worth. Only their proportions matter.
THE_GAME = 1000.0
ARCHIVED = 10.0  # a tile
DAMAGE = 10.0  # all the damage that a tile needs
AT_A_FINISHED_TILE = 8.0  # to end the turn there is to archive it
SUPA_CLONE = 4.0  # on the board
TO_ITS_END = 1.0  # each era that a supa clone is away from its destroy era
CENTRIFUGE = 6.0
VORTEX = 8.0
LOSS = 30.0  # a vortex that would lose the game
RIFT = 0.15  # the first in an era; they count squared: three in one era are worse than one in each of three
CLONE = 0.6
FOO_WAS_THERE = 0.6  # how much a clone counts where Foo will not come again in this cycle
ENERGY = 0.4  # the first two in an era
READY_CARD = 0.15
CARD_TO_TAKE = 1.0  # to end the turn beside one
SAME_DIMENSION = 0.4  # a card that one LOOP readies together with another

ACTIONS_AHEAD = 4  # actions of this turn that are tried out, one after the other
MOST_TRIED = 1000  # decisions tried out for each first one
DEEPEST = 32  # decisions in a row: actions, and the choices of their effects
A_LITTLE = 0.01  # what an action must gain to be worth it


# -- how good a table looks ------------------------------------------------------------------------
@njit
def worth(g: Any, r: Any) -> float:
    """How good the table looks to the agent whose turn it is."""
    if g.outcome != RUNNING:
        return THE_GAME if g.outcome == WON else -THE_GAME
    return float(progress(g, r) - left_to_do(g, r) - danger(g, r) + means(g))


@njit
def progress(g: Any, r: Any) -> float:
    """Finish missions: damage what is damaged already, and end the turn where a tile can be archived."""
    value = ARCHIVED * g.archived
    for era in range(N_ERAS):
        done = damage_done(g, r, era)
        value += DAMAGE * done
        if done >= 1 and g.at[g.active] == era:
            value += AT_A_FINISHED_TILE
    return value


@njit
def left_to_do(g: Any, r: Any) -> float:
    """What some modes want gone: supa clones, which are led to their destroy eras, and centrifuges."""
    value = CENTRIFUGE * total(g.centrifuge)
    if g.supas > 0:
        for clone in range(N_CLONES, N_TOKENS):
            if g.clone_at[clone] >= 0:
                ahead = (r.doom[clone] - g.clone_at[clone]) % N_ERAS
                value += SUPA_CLONE + TO_ITS_END * min(ahead, N_ERAS - ahead)
    return value


@njit
def damage_done(g: Any, r: Any, era: int) -> float:
    """How much of the damage that its mission needs an era's tile has."""
    return float(g.damage[era] / r.needed[g.tile[era]]) if g.tile[era] >= 0 else 0.0


@njit
def danger(g: Any, r: Any) -> float:
    """Prevent vortices, by the exact risk that the next drop opens one; and what feeds later drops: rifts, clones."""
    value = 0.0
    for era in range(N_ERAS):
        value += VORTEX * g.vortex[era] + price_of_vortex(g, r, era) * g.risk[era]
        value += RIFT * g.rifts[era] ** 2
        value += CLONE * g.weight[era] * (1.0 if g.foo_deck[era] else FOO_WAS_THERE)
    return value


@njit
def price_of_vortex(g: Any, r: Any, era: int) -> float:
    """What a vortex here would cost: the game, if it is a second or a fourth one, or else the tile with its damage."""
    if g.vortex[era] or total(g.vortex) >= r.vortex_tiles:
        return LOSS
    return VORTEX + DAMAGE * damage_done(g, r, era)


@njit
def means(g: Any) -> float:
    """Keep what makes the next actions: energy, ready cards, and a card to take.

    A LOOP pays if it readies more than its energy is worth: several cards of one dimension, or one that does much.
    """
    seat, value = g.active, 0.0
    for era in range(N_ERAS):
        value += ENERGY * min(g.energy[era], 2)
    for slot in range(g.pile_size[HAND + seat]):
        value += READY_CARD * g.ready[g.hand[seat, slot]]
    if g.available_size[g.at[seat]] > 0:
        value += CARD_TO_TAKE
    return value


# -- trying out ------------------------------------------------------------------------------------
@njit
def best_within_reach(tables: Any, left: Any, r: Any) -> float:
    """The best worth of all tables that follow from `tables[1]` with at most `left[1]` more actions.

    A walk in depth: each table is copied and changed; the actions that are still to be tried are what is left of its
    own set of legal ones. The end of the turn is not tried, as Foo comes after it: to stop is worth the table as it is.
    """
    best, tried, depth = -np.inf, 0, 1
    arrived = True
    while depth > 0:
        g = tables[depth]
        if arrived and g.choice == NO_CHOICE:
            best = max(best, worth(g, r))
            if left[depth] == 0 or g.phase != ACTION_PHASE:
                allow_nothing(g)
        action = take_lowest(g)
        arrived = action >= 0 and action != A_STOP and tried < MOST_TRIED and depth + 1 < DEEPEST
        if arrived:
            left[depth + 1] = left[depth] - (g.choice == NO_CHOICE)
            tables[depth + 1] = g
            depth += 1
            tried += 1
            decide(tables[depth], r, action)
        elif action != A_STOP:
            depth -= 1
    return float(best)


@njit
def best_action(g: Any, r: Any, tables: Any, left: Any) -> int:
    """The action, or the answer to what an effect asks, that leads to the best table."""
    best, found = -np.inf, -1
    left[1] = ACTIONS_AHEAD
    if g.phase == ACTION_PHASE and g.choice == NO_CHOICE:
        best, found = worth(g, r) + A_LITTLE, A_STOP
        left[1] -= 1
    tables[0] = g
    action = take_lowest(tables[0])
    while action >= 0:
        if action != A_STOP:
            tables[1] = tables[0]
            decide(tables[1], r, action)
            value = best_within_reach(tables, left, r)
            if value > best or found < 0:
                best, found = value, action
        action = take_lowest(tables[0])
    return found


# -- cards -----------------------------------------------------------------------------------------
@njit
def best_card(g: Any, r: Any, row: Any, size: int) -> int:
    """Build a deck around a dimension: take the card that does most, and rather one of which the player has many."""
    best, found = -1.0, 0
    for slot in range(size):
        card = row[slot]
        value = float(np.sum(r.features[card]))
        if r.dimension[card] < LOOP_DIMENSIONS:
            value += SAME_DIMENSION * g.owned[g.deck_of[g.actor], r.dimension[card]]
        if value > best:
            best, found = value, slot
    return A_ROW + found


# -- deciding --------------------------------------------------------------------------------------
@njit
def rule_of_thumb(g: Any, r: Any, tables: Any, left: Any) -> int:
    """What to do: cancel rifts, archive and take cards whenever possible; try out everything else."""
    if g.phase == FOO_PHASE and is_legal(g, A_YES):
        return A_YES
    if g.phase == ARCHIVE_PHASE and is_legal(g, A_ARCHIVE):
        return A_ARCHIVE
    if g.phase == TAKE_PHASE and g.choice == NO_CHOICE:
        here = g.at[g.active]
        return int(best_card(g, r, g.available[here], g.available_size[here]))
    if g.phase == DRAFT_PHASE and g.choice == NO_CHOICE:
        return int(best_card(g, r, g.draft, g.pile_size[DRAFT]))
    return int(best_action(g, r, tables, left))


@njit
def follow_rules_of_thumb(games: Any, rules: Any, actions: Any) -> None:
    """Write an action for each game."""
    tables, left = np.zeros(DEEPEST, games.dtype), np.zeros(DEEPEST, np.int64)
    for i in range(len(games)):
        actions[i] = rule_of_thumb(games[i], rules[0], tables, left)
