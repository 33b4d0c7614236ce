"""Solo: one player runs all agents with a common deck. After Foo's phase cards are dealt and tell whose turn it is."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.jit import njit
from loop_env.engine.piles import append, close_up, put
from loop_env.the_loop.hands import cards_left, give_card, top_card
from loop_env.the_loop.names import CHOOSE_AGENT, DEAL_PHASE, NO_CHOICE
from loop_env.the_loop.state import DRAFT, HAND, NOBODY


@njit
def deal_cards(g: Any, r: Any) -> bool:
    """Deal until a hand is full: its agent is the active one. Returns False if the player must choose first."""
    g.phase = DEAL_PHASE
    seat = first_full_hand(g, r)
    while seat == NOBODY and cards_left(g, 0) > 0:
        card = top_card(g, 0)
        owner = seat_of(g, r.owner[card])
        if owner == NOBODY:
            show_card(g, card)
            return False
        give_card(g, owner, card)
        seat = first_full_hand(g, r)
    g.active = seat if seat != NOBODY else largest_hand(g)
    return True


@njit
def first_full_hand(g: Any, r: Any) -> int:
    """The first seat with a full hand."""
    for seat in range(g.players):
        if g.pile_size[HAND + seat] >= r.hand_size:
            return seat
    return NOBODY


@njit
def largest_hand(g: Any) -> int:
    """The first seat with the most cards, for when there is nothing left to deal."""
    largest = 0
    for seat in range(g.players):
        if g.pile_size[HAND + seat] > g.pile_size[HAND + largest]:
            largest = seat
    return largest


@njit
def seat_of(g: Any, agent: int) -> int:
    """Where an agent sits, if it plays."""
    for seat in range(g.players):
        if g.agent[seat] == agent:
            return seat
    return NOBODY


@njit
def show_card(g: Any, card: int) -> None:
    """Ask who gets a card of the arsenal."""
    append(g.draft, 0, card)
    put(g, card, DRAFT)
    g.actor = g.active
    g.choice, g.optional = CHOOSE_AGENT, 0
    g.choices = np.uint64((1 << int(g.players)) - 1)


@njit
def give_dealt_card(g: Any, seat: int) -> None:
    """The card on show goes to this agent."""
    g.choice = NO_CHOICE
    card = int(g.draft[0])
    close_up(g.draft, 1, 0)
    give_card(g, seat, card)
