"""What a position is worth: an estimate of the chance to win, from what lies on the table."""

from __future__ import annotations

from dataclasses import dataclass, fields
from math import exp
from typing import Any

import numpy as np

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.records import record
from loop_env.the_loop.features import FEATURES
from loop_env.the_loop.missions import can_archive
from loop_env.the_loop.names import ACTION_PHASE, ARCHIVE_PHASE, RUNNING, TAKE_PHASE, WON
from loop_env.the_loop.state import HAND, N_CARDS, N_CLONES, N_ERAS, N_SEATS, N_TOKENS

MOST_RIFTS = 3
TILES = 4  # that the weights were fitted for: with fewer to archive, the game is so much further on

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Weights:
    """What things are worth, in logits of the chance to win."""

    bias: float = 0.176
    turn: float = -0.233
    archived: float = 1.383
    finished: Numbers = (1.114, 1.098, 0.873, 0.687)  # a tile with all its damage, by the next agent's distance
    # an open tile, by mission
    opened: Numbers = (0.02, 0.05, 0.01, 0.08, -0.08, 0.0, 0.05, -0.13, -0.43, 0.15)
    # all its damage but the last
    damage: Numbers = (0.81, 1.26, 1.19, 1.1, 0.96, 0.91, 1.03, 0.87, 0.34, 1.0)
    vortex: Numbers = (-0.772, -0.987, -0.672)  # the first, the second, the third
    new_vortex: Numbers = (-0.949, -1.266, -0.931)  # one that the next drop is sure to open
    rifts: Numbers = (-0.039, -0.14, -0.232)  # 1, 2 or 3 rifts in an era
    vortex_rifts: Numbers = (-0.05, -0.25, -0.106)  # and in an era with a vortex
    clone: float = -0.141
    clone_ahead: float = -0.174  # a clone where Foo is sure to go next
    doomed: float = 0.064  # a clone next to its destroy era
    energy: float = 0.091
    charged: float = 0.072  # an era with energy
    energy_next: float = 0.011  # where the next agent stands
    taken: float = 0.107  # the best card that can be taken now
    cards: float = 0.139
    company: float = -0.045  # two agents in one era
    supa_clone: float = -0.6
    supa_away: float = -0.15  # each era between a supa clone and its destroy era
    centrifuge: float = -0.6
    shutdown: float = -0.1  # each energy that is missing to shut one down
    # for going on with the turn
    ready: float = 0.1  # a card that can still be played
    pending: float = 0.1  # an effect under way
    loop: float = 0.1  # a card that a LOOP would make ready
    battery: float = 0.1


WEIGHTS = record(
    *((f.name, "f8", len(f.default)) if isinstance(f.default, tuple) else (f.name, "f8") for f in fields(Weights)),
    ("worth", "f8", N_CARDS),  # of each card
)

CARD_WEIGHTS = {  # of features whose names begin like this; the longest beginning counts
    "energy": 1.5, "energy at vortices": 0.7, "rifts": 3, "rifts at vortices": 1.5,
    "push": 1.8, "pull": 1.5, "destroy clones": 3.5, "carry": 1.5, "move": 0.7, "move others": 0.3, "swap": 0.5,
    "draw": 1.5, "discard": -0.8, "destroy cards": -0.8, "gain cards": 0.5, "ready": 1, "play another": 2,
}  # fmt: skip


def card_weight(feature: str) -> float:
    """What a feature of a card is worth."""
    return max(
        ((len(name), worth) for name, worth in CARD_WEIGHTS.items() if feature.startswith(name)), default=(0, 0.0)
    )[1]


def weigh(rules: np.ndarray, weights: Weights = Weights()) -> np.ndarray:
    """The weights as a record, for a set of rules: its cards are rated by what they do."""
    found = np.zeros(1, WEIGHTS)
    for field in fields(Weights):
        found[field.name] = getattr(weights, field.name)
    found["worth"] = rules["features"][0] @ np.array([card_weight(name) for name in FEATURES])
    return found


@njit
def value(g: Any, r: Any, w: Any) -> float:
    """The chance to win, as far as one can see. A running turn counts as if it ended now."""
    if g.outcome != RUNNING:
        return 1.0 if g.outcome == WON else 0.0
    if tiles_left(g, r) == 0 and g.supas == 0 and total(g.centrifuge) == 0:
        return 1.0
    return (1.0 - loss_chance(g, r)) / (1.0 + exp(-logit(g, r, w)))


@njit
def tiles_left(g: Any, r: Any) -> int:
    """Tiles that are still to be archived, if the turn ends now."""
    return max(int(r.tiles_to_win[g.mode]) - int(g.archived) - archives_now(g, r), 0)


@njit
def archives_now(g: Any, r: Any) -> int:
    """1 if the active agent will archive a tile when the turn ends."""
    return 1 if ACTION_PHASE <= g.phase <= ARCHIVE_PHASE and can_archive(g, r, g.at[g.active]) else 0


@njit
def loss_chance(g: Any, r: Any) -> float:
    """The chance that the next drop loses the game: a second vortex on an era, or one too many."""
    last = total(g.vortex) >= r.vortex_tiles
    chance = 0.0
    for era in range(N_ERAS):
        if last or g.vortex[era]:
            chance += g.risk[era]
    return min(chance, 1.0)


@njit
def logit(g: Any, r: Any, w: Any) -> float:
    """The sum of all that is good and bad about a position that the next drop does not lose."""
    found = w.bias + w.turn * g.turn + tiles(g, r, w) + dangers(g, r, w)
    return found + clones(g, w) + energies(g, w) + cards(g, w) + company(g, w) + left_to_do(g, r, w)


@njit
def tiles(g: Any, r: Any, w: Any) -> float:
    """Archived tiles and progress on the open ones."""
    left = tiles_left(g, r)
    found = w.archived * (TILES - left)
    if left == 0:
        return found
    for era in range(N_ERAS):
        mission = g.tile[era]
        if mission < 0 or (era == g.at[g.active] and archives_now(g, r)):
            continue
        missing = r.needed[mission] - g.damage[era]
        if missing > 0:
            worth = w.opened[mission] + w.damage[mission] * g.damage[era] / r.needed[mission]
        else:
            worth = w.finished[distance(g.at[(g.active + 1) % g.players], era)]
        found += worth * (1.0 - g.risk[era])
    return found


@njit
def distance(start: int, end: int) -> int:
    """Steps round the ring, the shorter way."""
    ahead = (end - start) % N_ERAS
    return min(ahead, N_ERAS - ahead)


@njit
def dangers(g: Any, r: Any, w: Any) -> float:
    """Vortices, those that may open next, and rifts."""
    vortices, found = 0, 0.0
    for era in range(N_ERAS):
        rifts = min(int(g.rifts[era]), MOST_RIFTS)
        if g.vortex[era]:
            found += w.vortex[min(vortices, 2)]
            vortices += 1
        if rifts > 0:
            found += w.vortex_rifts[rifts - 1] if g.vortex[era] else w.rifts[rifts - 1]
    if vortices < r.vortex_tiles:
        for era in range(N_ERAS):
            if not g.vortex[era]:
                found += w.new_vortex[min(vortices, 2)] * g.risk[era]
    return found


@njit
def clones(g: Any, w: Any) -> float:
    """Clones: how many, where Foo may go next, how near to their destroy eras."""
    left = total(g.foo_deck)
    found = 0.0
    for era in range(N_ERAS):
        here = float(g.weight[era])
        found += w.clone * here + w.doomed * (g.dooms[era, 1] + g.dooms[era, N_ERAS - 1])
        if left == 0:
            found += w.clone_ahead * here / N_ERAS
        elif g.foo_deck[era]:
            found += w.clone_ahead * here / left
    return found


@njit
def energies(g: Any, w: Any) -> float:
    """Energy: how much, how well spread, at hand for the next agent."""
    found = 0.0
    for era in range(N_ERAS):
        if g.energy[era] > 0:
            found += w.energy * g.energy[era] + w.charged
    following = (g.active + 1) % g.players
    return found + w.energy_next * min(int(g.energy[g.at[following]]), 3)


@njit
def cards(g: Any, w: Any) -> float:
    """Cards owned, for each player, and the best one that can still be taken."""
    found = 0.0
    for card in range(N_CARDS):
        if g.place[card] < HAND + N_SEATS:  # in somebody's deck, discard pile or hand
            found += w.cards * w.worth[card]
    if g.phase == ACTION_PHASE or g.phase == TAKE_PHASE:
        here, best = g.at[g.active], 0.0
        for slot in range(g.available_size[here]):
            best = max(best, w.worth[g.available[here, slot]])
        found += w.taken * best
    return found / g.players


@njit
def left_to_do(g: Any, r: Any, w: Any) -> float:
    """Supa clones and how far they are from their ends; centrifuges and what it takes to shut them down."""
    found = 0.0
    if g.supas > 0:
        for clone in range(N_CLONES, N_TOKENS):
            if g.clone_at[clone] >= 0:
                found += w.supa_clone + w.supa_away * distance(g.clone_at[clone], r.doom[clone])
    for era in range(N_ERAS):
        if g.centrifuge[era]:
            missing = max(r.shutdown_energy[g.mode, g.level] - g.energy[era], 0)
            found += w.centrifuge + w.shutdown * missing
    return found


@njit
def company(g: Any, w: Any) -> float:
    """Agents who stand with the active one."""
    found = 0.0
    for seat in range(g.players):
        if seat != g.active and g.at[seat] == g.at[g.active]:
            found += w.company
    return found
