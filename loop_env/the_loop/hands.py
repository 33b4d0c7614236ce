"""Players' cards: drawing, discarding, destroying."""

from __future__ import annotations

from typing import Any

from loop_env.engine.jit import njit
from loop_env.engine.piles import NO_CARD, append, close_up, pick, put, put_all, put_on_top
from loop_env.the_loop.state import DECK, DECK_LUCK, DESTROYED, DISCARD, HAND


@njit
def can_draw(g: Any, r: Any, seat: int) -> bool:
    """Whether there is a card to draw and a place to lay it."""
    return bool(g.pile_size[HAND + seat] < r.hand_limit and cards_left(g, seat) > 0)


@njit
def cards_left(g: Any, seat: int) -> int:
    """How many cards there are to draw."""
    whose = g.deck_of[seat]
    return int(g.pile_size[DECK + whose]) + int(g.pile_size[DISCARD + whose])


@njit
def top_card(g: Any, seat: int) -> int:
    """The top card of a deck, which stays there until it is put elsewhere; an empty deck is made anew of discards."""
    whose = g.deck_of[seat]
    if g.pile_size[DECK + whose] == 0:
        put_all(g, DISCARD + whose, DECK + whose)
    return int(pick(g, DECK + whose, DECK_LUCK))


@njit
def draw_card(g: Any, r: Any, seat: int) -> int:
    """The top card of the deck comes into the hand, ready."""
    if not can_draw(g, r, seat):
        return NO_CARD
    card = top_card(g, seat)
    give_card(g, seat, card)
    return card


@njit
def give_card(g: Any, seat: int, card: int) -> None:
    """A card comes into a hand, ready."""
    append(g.hand[seat], g.pile_size[HAND + seat], card)
    put(g, card, HAND + seat)
    g.ready[card] = 1


@njit
def gain_card(g: Any, r: Any, seat: int, card: int) -> None:
    """A card goes face down on top of a player's deck."""
    whose = g.deck_of[seat]
    put_on_top(g, card, DECK + whose)
    g.owned[whose, r.dimension[card]] += 1


@njit
def destroy_card(g: Any, r: Any, seat: int, slot: int) -> None:
    """A card of a hand goes to the destroyed pile."""
    g.owned[g.deck_of[seat], r.dimension[g.hand[seat, slot]]] -= 1
    lose_card(g, seat, slot, DESTROYED)


@njit
def lose_card(g: Any, seat: int, slot: int, pile: int) -> None:
    """A card of a hand goes to a pile."""
    card = int(g.hand[seat, slot])
    close_up(g.hand[seat], g.pile_size[HAND + seat], slot)
    put(g, card, pile)
    g.ready[card] = 0


@njit
def discard_hand(g: Any, seat: int) -> None:
    """The whole hand goes to the discard pile."""
    while g.pile_size[HAND + seat] > 0:
        lose_card(g, seat, g.pile_size[HAND + seat] - 1, DISCARD + g.deck_of[seat])


@njit
def fill_hand(g: Any, r: Any, seat: int) -> None:
    """Draw up to the hand's size."""
    while g.pile_size[HAND + seat] < r.hand_size and can_draw(g, r, seat):
        draw_card(g, r, seat)
