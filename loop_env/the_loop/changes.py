"""What is different between two views of a table: in words, and where on the picture it shows."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any, NamedTuple

from loop_env.the_loop.data import Data
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.signs import ERA_NAMES

View = dict[str, Any]


class Change(NamedTuple):
    """One difference: the place on the picture ("rifts dawn"), and a few words, none where the place says enough."""

    place: str
    words: str


def changes(data: Data, before: View, now: View) -> list[Change]:
    """All differences, the weighty ones first."""
    return [
        *ending(before, now), *vortices(before, now), *tiles(before, now), *whereabouts(data, before, now),
        *cubes(before, now), *clones(before, now), *components(before, now), *rows(data, before, now),
        *hands(data, before, now), *clock(before, now),
    ]  # fmt: skip


def ending(before: View, now: View) -> Iterator[Change]:
    """The end of the game."""
    if now["outcome"] != before["outcome"]:
        yield Change("outcome", f"the game is over: {now['outcome'].replace('_', ' ')}")


def clock(before: View, now: View) -> Iterator[Change]:
    """A new cycle or turn."""
    if now["cycle"] != before["cycle"]:
        yield Change("clock", f"cycle {now['cycle']} begins")
    if now["turn"] != before["turn"]:
        yield Change("clock", f"turn {now['turn']} begins")


def vortices(before: View, now: View) -> Iterator[Change]:
    """Eras that have turned into a vortex."""
    for era in now["vortices"]:
        if era not in before["vortices"]:
            yield Change(f"vortex {era}", f"a VORTEX opens in {ERA_NAMES[era]}")
            yield Change("vortices", "")


def tiles(before: View, now: View) -> Iterator[Change]:
    """Tiles opened, damaged, archived; those that a vortex took are told of there."""
    if now["archived"] > before["archived"]:
        yield Change("archived", "")
    for era in ERAS:
        was, tile = before["tiles"][era], now["tiles"][era]
        place = f"tile {era}"
        if tile is None and was is not None:
            if era not in now["vortices"]:
                yield Change(place, f"the tile in {ERA_NAMES[era]} is archived")
        elif tile != was:
            yield Change(place, f"{mission_words(tile)} opens in {ERA_NAMES[era]}")
        elif before["damage"].get(era) != now["damage"].get(era):
            old, new = amount(before["damage"][era]), amount(now["damage"][era])
            yield Change(place, f"damage on {mission_words(tile)} {old} → {new}")


def whereabouts(data: Data, before: View, now: View) -> Iterator[Change]:
    """Foo and the agents who have moved."""
    if now["foo"] != before["foo"]:
        yield Change(f"pawns {now['foo']}", f"Foo: {ERA_NAMES[before['foo']]} → {ERA_NAMES[now['foo']]}")
    for agent in now["agents"]:
        was, at = before["at"][agent], now["at"][agent]
        if at != was:
            yield Change(f"pawns {at}", f"{agent_name(data, agent)}: {ERA_NAMES[was]} → {ERA_NAMES[at]}")


def cubes(before: View, now: View) -> Iterator[Change]:
    """Rifts and energy."""
    for thing in ("rifts", "energy"):
        for era in ERAS:
            if now[thing][era] != before[thing][era]:
                yield Change(f"{thing} {era}", f"{thing} in {ERA_NAMES[era]} {before[thing][era]} → {now[thing][era]}")
    for era in ERAS:
        if now["eternal"][era] != before["eternal"][era]:
            yield Change(f"energy {era}", "")


def clones(before: View, now: View) -> Iterator[Change]:
    """Clones and supa clones, era by era."""
    for key, thing in (("clones", "clones"), ("supa_clones", "supa clones")):
        old, new = Counter[tuple[str, str]](before[key]), Counter[tuple[str, str]](now[key])
        for era in ERAS:
            was, is_ = ({doom: n for (at, doom), n in found.items() if at == era} for found in (old, new))
            if was != is_:
                count = f"{sum(was.values())} → {sum(is_.values())}"
                yield Change(f"clones {era}", f"{thing} in {ERA_NAMES[era]} {count}")


def components(before: View, now: View) -> Iterator[Change]:
    """What only some modes have."""
    for era in before["centrifuges"]:
        if era not in now["centrifuges"]:
            yield Change(f"clones {era}", f"the centrifuge in {ERA_NAMES[era]} is shut down")
    if now["machina"] and now["machina"] != before["machina"]:
        yield Change("machina", f"ultramachina: {now['machina']}")


def rows(data: Data, before: View, now: View) -> Iterator[Change]:
    """Cards beside the eras."""
    for card in (card for card in now["available"] if card not in before["available"]):
        yield Change(f"cards {origin(data, card)}", f"{card} lies in {ERA_NAMES[origin(data, card)]}")
        yield Change(f"card {card}", "")
    for card in (card for card in before["available"] if card not in now["available"]):
        yield Change(f"cards {origin(data, card)}", f"{card} leaves {ERA_NAMES[origin(data, card)]}")


def hands(data: Data, before: View, now: View) -> Iterator[Change]:
    """Cards in hands, ready and exhausted ones."""
    for agent in now["agents"]:
        old, new = before["hand"][agent], now["hand"][agent]
        drawn = [card for card in new if card not in old]
        for card in drawn:
            yield Change(f"card {card}", "")
        if drawn:
            yield Change(f"hand {agent}", f"{agent_name(data, agent)} draws {', '.join(drawn)}")
        for card in new:
            if card in old and (card in before["exhausted"]) != (card in now["exhausted"]):
                state = "exhausted" if card in now["exhausted"] else "ready again"
                yield Change(f"card {card}", f"{card} {state}")
        known = [card for card in now["top_of_deck"][agent] if card not in before["top_of_deck"][agent]]
        if known:
            yield Change(f"deck {agent}", f"{', '.join(known)} on top of {agent_name(data, agent)}'s deck")
        if before["battery"][agent] and not now["battery"][agent]:
            yield Change(f"battery {agent}", "battery used")


def amount(damage: int | list[str]) -> int:
    """Damage as a number."""
    return damage if isinstance(damage, int) else len(damage)


def mission_words(mission: str) -> str:
    """A mission's id for people."""
    return mission.replace("_", " ").replace("foo", "Foo")


def agent_name(data: Data, agent: str) -> str:
    """An agent's name."""
    return next(a.name for a in data.agents if a.id == agent)


def origin(data: Data, card: str) -> str:
    """The era of a card, beside which it lies."""
    return data.artefacts[data.card(card)].origin
