"""An era of the picture: what lies and stands there, in rows."""

from __future__ import annotations

from collections import Counter

from loop_env.svg import clip, fitted, group, lines, measure, path, rect, text, wrap
from loop_env.the_loop.changes import View, agent_name, amount, mission_words, origin
from loop_env.the_loop.data import Data
from loop_env.the_loop.names import ERA_TITLES, ERAS
from loop_env.the_loop.signs import (
    AGENT_COLOURS,
    ERA_COLOURS,
    ERA_SHORT,
    centrifuge,
    clone,
    dimension,
    empty_slot,
    energy,
    foo,
    hat,
    initials,
    mark,
    pawn,
    rift,
    tick,
    vortex,
)

ERA_WIDTH, ERA_HEIGHT = 300, 184
CARDS, LINE, CARD_LINES = 130, 15.5, 4  # cards beside an era: the first line, from line to line, how many


def draw_era(data: Data, view: View, era: str, fresh: set[str]) -> str:
    """An era with all that is there, drawn from its upper left corner."""
    drawn = rect(0, 0, ERA_WIDTH, ERA_HEIGHT, "panel", 10) + head(view, era)
    drawn += mark(fresh, f"rifts {era}", 5, 29, 79, 27) + rifts(data, view, era)
    drawn += mark(fresh, f"energy {era}", 85, 29, 109, 27) + energies(view, era)
    drawn += mark(fresh, f"clones {era}", 5, 57, 189, 31) + clones(view, era)
    drawn += mark(fresh, f"pawns {era}", 196, 29, 99, 59) + pawns(data, view, era)
    drawn += whirl(era, fresh) if era in view["vortices"] else tile(data, view, era, fresh)
    drawn += row(data, view, era, fresh)
    if era in view["centrifuges"]:
        drawn += centrifuge(274, 158, 1.1)
    if era == view["foo"]:
        drawn += rect(-1, -1, ERA_WIDTH + 2, ERA_HEIGHT + 2, "at-foo", 11)
    return drawn


def head(view: View, era: str) -> str:
    """The era's name, its letters, whether Foo is still to come, and the risk of a vortex."""
    colour = ERA_COLOURS[era]
    drawn = path(f"M0 10A10 10 0 0 1 10 0H{ERA_WIDTH - 10}A10 10 0 0 1 {ERA_WIDTH} 10V26H0Z", fill=colour)
    drawn += rect(6, 4, 28, 18, "white", 5) + text(20, 18, ERA_SHORT[era], 13, f"b era-{era}", "middle")
    drawn += text(41, 18.5, ERA_TITLES[ERAS.index(era)], 15, "b white")
    risk, falling = view["risk"][era], view["fallen"][era]
    if falling:
        drawn += rect(210, 3, 86, 20, "danger", 5) + text(253, 17.5, f"{falling} falling", 12.5, "b white", "middle")
    elif risk > 0.0005:
        words = f"risk {100 * risk:.0f} %" if risk >= 0.01 else "risk <1 %"
        drawn += rect(214, 3, 82, 20, "danger" if risk >= 0.25 else "dark", 5)
        drawn += text(255, 17.5, words, 12.5, "b white", "middle")
    if era in view["foo_left"]:
        drawn += hat(200, 13)
    return drawn


def rifts(data: Data, view: View, era: str) -> str:
    """The slots."""
    slots, count = data.numbers.rift_slots, view["rifts"][era]
    step = 25 if slots <= 3 else 75 / slots
    return "".join((rift if slot < count else empty_slot)(20 + step * slot, 43, 23) for slot in range(slots))


def energies(view: View, era: str) -> str:
    """Energy cubes; many of them become a number."""
    count, eternal = view["energy"][era], view["eternal"][era]
    if count > 5:
        drawn = energy(98, 43, 22) + text(111, 48, f"×{count}", 15, "b")
        return drawn + (energy(158, 43, 22, True) + text(170, 48, f"×{eternal}", 13, "b") if eternal else "")
    return "".join(energy(98 + 20.5 * i, 43, 22, i >= count - eternal) for i in range(count))


def clones(view: View, era: str) -> str:
    """Clones by destroy era; closer together where there are many."""
    found = [(doom, count, False) for doom, count in Counter(d for at, d in view["clones"] if at == era).items()]
    found += [(doom, count, True) for doom, count in Counter(d for at, d in view["supa_clones"] if at == era).items()]
    step = min(33, 158 / max(1, len(found) - 1))
    return "".join(clone(21 + step * i, 73, doom, count, supa) for i, (doom, count, supa) in enumerate(found))


def pawns(data: Data, view: View, era: str) -> str:
    """Foo and the agents who stand here."""
    numbers = {agent.id: number for number, agent in enumerate(data.agents)}
    here = [agent for agent in view["agents"] if view["at"][agent] == era]
    many = len(here) + (era == view["foo"])
    step, scale = (32, 1.08) if many < 4 else (72 / (many - 1), 0.8)
    drawn = ""
    for i, agent in enumerate(reversed(here)):
        name = agent_name(data, agent)
        drawn += pawn(280 - step * i, 59, AGENT_COLOURS[numbers[agent]], initials(name), name, scale)
    return drawn + (foo(280 - step * len(here), 56, scale * 1.06) if era == view["foo"] else "")


def whirl(era: str, fresh: set[str]) -> str:
    """The sign of a vortex, where the tile has been."""
    drawn = rect(6, 90, ERA_WIDTH - 12, ERA_HEIGHT - 96, "new" if f"vortex {era}" in fresh else "vortex", 8)
    drawn += rect(10, 94, ERA_WIDTH - 20, ERA_HEIGHT - 104, "vortex", 6)
    return drawn + vortex(58, 134, 1.05) + text(172, 144, "VORTEX", 30, "b white", "middle")


def tile(data: Data, view: View, era: str, fresh: set[str]) -> str:
    """The tile: face down, a mission with its damage, or gone."""
    found = view["tiles"][era]
    drawn = rect(6, 90, ERA_WIDTH - 12, 25, "new" if f"tile {era}" in fresh else "", 5, "none")
    if found is None:
        gone = [e for e in ERAS if view["tiles"][e] is None and e not in view["vortices"]]
        if len(gone) > view["archived"]:
            return drawn + text(14, 107, "no tile", 13, "soft")
        return drawn + tick(20, 102.5) + text(34, 107, "tile archived", 13)
    if found == "face down":
        return (
            drawn
            + rect(8, 92, ERA_WIDTH - 16, 21, "hidden", 4)
            + text(150, 107, "tile face down", 12.5, "soft", "middle")
        )
    mission = next(m for m in data.missions if m.id == found)
    damage = view["damage"][era]
    count = f"{amount(damage)} of {mission.needed}"
    name = mission_words(found)
    pips = era_pips(damage) if isinstance(damage, list) else plain_pips(damage, mission.needed)
    about = f"{name}: damage for {mission.event.replace('_', ' ')}, where: {mission.where.replace('_', ' ')}"
    inside = fitted(12, 107, name, 13, 146, "b") + pips + text(292, 107, count, 12.5, "b", "end")
    return drawn + group(0, 0, inside, about)


def plain_pips(damage: int, needed: int) -> str:
    """Damage done and still to do."""
    step = min(15, 88 / needed)
    return "".join(rect(160 + step * i, 96, step - 2.5, 13, "rift" if i < damage else "slot", 2) for i in range(needed))


def era_pips(counted: list[str]) -> str:
    """A slot for each era that counts once, in its colour."""
    drawn = ""
    for i, era in enumerate(ERAS):
        lit = era in counted
        drawn += rect(160 + 12.4 * i, 96, 10.4, 13, "" if lit else "slot", 2, ERA_COLOURS[era] if lit else "")
    return drawn


def row(data: Data, view: View, era: str, fresh: set[str]) -> str:
    """The cards that lie here: sign, name, and as much of the effect as there is room for."""
    here = [card for card in view["available"] if origin(data, card) == era]
    shown = here if len(here) <= CARD_LINES else here[: CARD_LINES - 1]
    room = ERA_WIDTH - (64 if era in view["centrifuges"] else 20)
    each = CARD_LINES // len(shown) if shown else 0  # lines for a card
    drawn = rect(6, 117, ERA_WIDTH - 12, 62, "panel", 6) if shown and era in view["vortices"] else ""
    drawn += "".join(available(data, card, i * each, each, room, fresh) for i, card in enumerate(shown))
    if len(shown) < len(here):
        drawn += text(29, CARDS + LINE * len(shown), f"and {len(here) - len(shown)} more cards", 12, "soft")
    return drawn


def available(data: Data, card: str, line: int, count: int, room: float, fresh: set[str]) -> str:
    """A card beside an era; its effect stands below the name, or behind it if there is but one line."""
    artefact = data.artefacts[data.card(card)]
    y = CARDS + LINE * line
    name = clip(card, room - 20, 12.5, True)
    drawn = mark(fresh, f"card {card}", 6, y - 12, ERA_WIDTH - 12, LINE * count)
    drawn += dimension(17, y - 4.3, artefact.dimension, 14) + text(29, y, name, 12.5, "b")
    left = 29 + measure(name, 12.5, True) + 8
    if count > 1:
        drawn += lines(29, y + LINE - 1, wrap(artefact.effect, room - 20, 11.5, count - 1), 11.5, "soft")
    elif room - left > 40:
        drawn += fitted(left, y, artefact.effect, 11.5, room + 8 - left, "soft")
    return group(0, 0, drawn, f"{card} ({artefact.dimension}): {artefact.effect}")
