"""Cards in piles.

A record says of each card in which pile it is (`g.place[card]`) and of each pile how many cards it has
(`g.pile_size[pile]`). A face-down pile has no order: a card is picked at random in the moment it is drawn, which is the
same as shuffling before, except that nothing hidden is stored that an observation, or a planner, could look at. What
the table does know, the cards laid on top of a deck one after the other, stands in `g.known[card]` (1 for the lowest
known card, and so on up) and `g.known_size[pile]` (how many there are).

Cards that lie in a row in the open (a hand, the cards beside an era) are also listed, in order, in an array of their
own.
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below

NO_CARD = -1


@njit
def put(g: Any, card: int, pile: int) -> None:
    """Move a card to a pile."""
    old = g.place[card]
    g.pile_size[old] -= 1
    g.known_size[old] -= g.known[card] > 0
    g.known[card] = 0
    g.place[card] = pile
    g.pile_size[pile] += 1


@njit
def put_all(g: Any, pile: int, other: int) -> None:
    """Move every card of a pile to another."""
    for card in range(len(g.place)):
        if g.place[card] == pile:
            put(g, card, other)


@njit
def put_on_top(g: Any, card: int, pile: int) -> None:
    """Lay a card on a face-down pile while everyone looks on."""
    put(g, card, pile)
    g.known_size[pile] += 1
    g.known[card] = g.known_size[pile]


@njit
def pick(g: Any, pile: int, stream: int) -> int:
    """The top card of a face-down pile, which must not be empty; it stays there until it is put elsewhere."""
    nth = draw_below(
        g.luck, stream, g.pile_size[pile]
    )  # drawn in any case, so that knowledge does not shift the stream
    known = g.known_size[pile]
    for card in range(len(g.place)):
        if g.place[card] == pile:
            if (g.known[card] == known) if known > 0 else (nth == 0):
                return card
            nth -= 1
    return NO_CARD


@njit
def append(row: Any, length: int, card: int) -> None:
    """Lay a card at the end of a row that holds `length` cards."""
    row[length] = card


@njit
def close_up(row: Any, length: int, slot: int) -> None:
    """Take the card in `slot` out of a row of `length` cards; those behind it move up."""
    for i in range(slot, length - 1):
        row[i] = row[i + 1]
    row[length - 1] = NO_CARD
