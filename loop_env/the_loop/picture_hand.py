"""A player's corner of the picture: cards in hand with dimension, state and effect; battery, deck and discard pile."""

from __future__ import annotations

from loop_env.svg import clip, fitted, group, lines, measure, rect, text, wrap
from loop_env.the_loop.changes import View, agent_name
from loop_env.the_loop.data import Data
from loop_env.the_loop.signs import AGENT_COLOURS, battery, dimension, initials, pawn, pile

HANDS_HEIGHT = 216
HEAD = 36
WIDE = 300  # room for larger letters


def draw_hand(data: Data, view: View, agent: str, width: float, fresh: set[str]) -> str:
    """All that lies before a player."""
    kind = "active" if agent == view["acting"] and view["outcome"] == "running" else "panel"
    drawn = rect(0, 0, width, HANDS_HEIGHT, kind, 10) + head(data, view, agent, width, fresh)
    cards = view["hand"][agent]
    if not cards:
        return drawn + text(14, HEAD + 20, "no cards in hand", 12.5, "soft")
    height = min(58.0, (HANDS_HEIGHT - HEAD - 6) / len(cards))
    for place, card in enumerate(cards):
        drawn += group(6, HEAD + place * height, draw_card(data, view, card, width - 12, height - 3, fresh))
    return drawn


def head(data: Data, view: View, agent: str, width: float, fresh: set[str]) -> str:
    """Who it is, whose turn it is, the battery, and the piles."""
    number = [a.id for a in data.agents].index(agent)
    name, size = agent_name(data, agent), 15 if width > WIDE else 12.5
    drawn = pawn(19, 15, AGENT_COLOURS[number], initials(name), scale=0.78)
    drawn += pile(width - 31, 19, len(view["discard"][agent]), False) + pile(width - 64, 19, view["deck"][agent], True)
    if f"battery {agent}" in fresh:
        drawn += rect(width - 103, 7, 30, 22, "new", 4)
    drawn += battery(width - 89, 18, view["battery"][agent])
    name = clip(name, width - 138, size, True)
    drawn += text(34, 23, name, size, "b")
    if agent == view["active"] and width > WIDE:
        x = 34 + measure(name, size, True) + 8
        drawn += rect(x, 10, 40, 18, "turn", 9) + text(x + 20, 23, "turn", 12, "b white", "middle")
    return drawn


def draw_card(data: Data, view: View, card: str, width: float, height: float, fresh: set[str]) -> str:
    """A card: with its effect in as many lines as there is room for."""
    artefact = data.artefacts[data.card(card)]
    size, small = (14.5, 12.5) if width > WIDE else (13, 12)
    room, first = width - 38, min(17.0, height / 2 + 5)
    name = clip(card, room, size, True)
    wide = measure(name, size, True)
    inside = dimension(14, min(16.0, height / 2), artefact.dimension, min(22.0, height - 2))
    inside += text(30, first, name, size, "b")
    count = int((height - first - 3) / (small * 1.2))
    if count > 0:
        inside += lines(30, first + small * 1.2, wrap(artefact.effect, room, small, count), small, leading=1.18)
    elif room - wide > 60:
        inside += fitted(38 + wide, first, artefact.effect, 11, room - wide - 10, "soft")
    if card in view["exhausted"]:
        inside = f'<g class="faded">{inside}</g>' + rect(28, first - 6, wide + 4, 1.5, "strike")
        if count > 0 and room - wide > 80:
            inside += text(width - 8, first, "exhausted", 11.5, "soft", "end")
    drawn = rect(0, 0, width, height, "new" if f"card {card}" in fresh else "slot", 6) + inside
    return group(0, 0, drawn, f"{card} ({artefact.dimension}): {artefact.effect}")
