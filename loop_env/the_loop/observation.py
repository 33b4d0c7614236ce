"""The observation: what a person at the table sees, as numbers, from the seat of the agent who decides.

Eras are counted clockwise from that agent's era, seats from that agent's seat. Every number has a name (`OBSERVATION`)
and lies between -1 and 1. Cards are described by what they do.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Any

import numpy as np

from loop_env.engine.arrays import count_places, none_is_zero, total
from loop_env.engine.jit import njit
from loop_env.engine.tables import Table
from loop_env.the_loop import language as w
from loop_env.the_loop.actions import can_loop, loop_cost
from loop_env.the_loop.data import MAX_LEVELS, MAX_MODES
from loop_env.the_loop.features import FEATURES
from loop_env.the_loop.missions import OPEN_MISSIONS, can_archive, takes_damage
from loop_env.the_loop.modes import machina_is_due, supas_waiting
from loop_env.the_loop.names import CHOICES, EACH_ERA_ONCE, EVENTS, NO_CHOICE, PHASES
from loop_env.the_loop.rules import MAX_CYCLES
from loop_env.the_loop.state import (
    ARSENAL,
    DECK,
    DISCARD,
    DRAFT,
    FACE_DOWN,
    HAND,
    HAND_PLACES,
    N_AGENTS,
    N_CARDS,
    N_CLONES,
    N_DIMENSIONS,
    N_ERAS,
    N_MACHINA,
    N_MISSIONS,
    N_SEATS,
    N_SUPA,
    N_TOKENS,
    NO_PROGRAM,
    ROW_PLACES,
)

N_FEATURES = len(FEATURES)

# What a choice is for: what the next instruction does that is no choice itself.
PURPOSES = (
    "add energy", "remove rifts", "move a clone", "destroy a clone", "move an agent", "swap",
    "discard", "destroy", "ready", "play", "take",
)  # fmt: skip
_DOES = {
    "add energy": (w.ENERGY, w.ENERGY_EACH, w.LEVEL_ENERGY), "remove rifts": (w.RIFTS, w.RIFTS_EACH, w.LEVEL_RIFTS),
    "move a clone": (w.MOVE_CLONE,), "destroy a clone": (w.KILL_CLONE,), "move an agent": (w.MOVE_ACTOR, w.MOVE_OTHER),
    "swap": (w.SWAP_AGENTS, w.SWAP_CLONES, w.SWAP_ENERGY, w.SWAP_RIFTS), "discard": (w.DISCARD, w.EXHAUST),
    "destroy": (w.DESTROY,), "ready": (w.READY,), "play": (w.PLAY_ROW, w.LET_PLAY), "take": (w.TAKE,),
}  # fmt: skip
NO_PURPOSE = -1
PURPOSE_OF = np.full(len(w.OPERATIONS), NO_PURPOSE)
for _purpose, _operations in _DOES.items():
    PURPOSE_OF[list(_operations)] = PURPOSES.index(_purpose)

# The columns of the tables for eras, agents and cards.
ERA = Table(
    ("rifts", (), "rifts, of the slots"),
    ("full", (), "every slot is taken"),
    ("energy", (), "energy, 10 or more is 1"),
    ("has_energy", (), "there is energy"),
    ("clones", (), "clones, 6 or more is 1"),
    ("vortex", (), "there is a vortex"),
    ("foo", (), "Foo is here"),
    ("foo_to_come", (), "Foo's card is still to come in this cycle"),
    ("risk", (), "the chance that the next drop opens a vortex"),
    ("fallen", (), "rifts out of the machine that are not in slots yet"),
    ("available", (), "available cards"),
    ("face_down", (), "there is a face-down tile"),
    ("open", (), "there is an open tile"),
    ("damage", (), "its damage, of what it needs"),
    ("missing", (), "the damage it still needs, of 7"),
    ("archivable", (), "it can be archived"),
    ("mission", N_MISSIONS, "which mission it is"),
    ("counted", N_ERAS, "eras that have counted for it already"),
    ("damages", len(EVENTS), "open tiles, of 2, that this would damage if it happened here now: " + ", ".join(EVENTS)),
    ("dooms", N_ERAS, "clones here, by the number of eras to their destroy era"),
    ("agents", N_SEATS, "agents here"),
    ("drop", (), "rifts that fall if Foo comes here, 12 or more is 1"),
    ("supa_clones", N_ERAS, "supa clones here, by the number of eras to their destroy era"),
    ("centrifuge", (), "there is a centrifuge"),
    ("eternal", (), "eternal energy, 10 or more is 1"),
)
AGENT = Table(
    ("present", (), "the seat is taken"),
    ("battery", (), "charged"),
    ("hand", (), "cards in hand"),
    ("ready", (), "of these, ready"),
    ("deck", (), "cards in the deck"),
    ("discard", (), "cards in the discard pile"),
    ("identity", N_AGENTS, "which agent it is"),
    ("dimensions", N_DIMENSIONS, "cards in hand, by dimension"),
    ("features", N_FEATURES, "what the ready cards of another agent do, added up"),
)
CARD = Table(
    ("present", (), "there is a card in this place"),
    ("ready", (), "it is ready"),
    ("origin", 2, "its origin as a point on the ring (sine, cosine), seen from the agent's era"),
    ("dimension", N_DIMENSIONS, "its dimension"),
    ("features", N_FEATURES, "what it does: " + ", ".join(FEATURES)),
)

OBSERVATION = Table(
    ("phase", len(PHASES), "the phase of the turn: " + ", ".join(PHASES)),
    ("mode", MAX_MODES, "the mode, by its place in modes.toml"),
    ("level", MAX_LEVELS, "the level"),
    ("solo", (), "one player runs all agents"),
    ("choice", len(CHOICES), "what an effect waits for: " + ", ".join(CHOICES)),
    ("optional", (), "the choice can be declined"),
    ("purpose", len(PURPOSES), "what the choice is for: " + ", ".join(PURPOSES)),
    ("cycle", MAX_CYCLES, "the cycle"),
    ("turn", (), "turns played, of all"),
    ("foo_cards", (), "Foo's cards left in this cycle"),
    ("players", N_SEATS, "the number of agents, 1 to 4"),
    ("active", N_SEATS, "whose turn it is, counted from the seat that decides"),
    ("archived", (), "tiles archived, of those needed"),
    ("vortex_tiles", (), "vortex tiles left"),
    ("rift_supply", (), "rifts in the supply"),
    ("energy_supply", (), "energy in the supply"),
    ("arsenal", (), "cards in the arsenal"),
    ("actions", (), "actions made in this turn, of those possible"),
    ("loop_cost", (), "energy that the next LOOP costs"),
    ("can_loop", (), "the active agent's era has that much, and no centrifuge"),
    ("clones_destroyed", (), "clones destroyed in this turn"),
    ("ability", (), "the active agent's ability can still be used"),
    ("charged", (), "there is energy in every era"),
    ("mega_vortex", (), "vortices are mega-vortices"),
    ("supas_to_come", (), "supa clones that the next cycle brings, of 7"),
    ("shutdown_energy", (), "energy that it takes to shut down a centrifuge"),
    ("eternal_supply", (), "eternal energy in the supply, 10 or more is 1"),
    ("machina", N_MACHINA, "the ultramachina card that bends this turn"),
    ("machina_to_come", N_MACHINA, "ultramachina cards still in the deck"),
    ("machina_next", (), "the next turn brings one"),
    ("chosen_era", N_ERAS, "the era that the effect under way has chosen"),
    ("chosen_agent", N_SEATS, "the agent that it has chosen"),
    ("chosen_clone", N_ERAS, "the destroy era of the clone that it has chosen"),
    ("effect", N_FEATURES, "what the effect under way does"),
    ("eras", (N_ERAS, ERA.size), "the board: see `ERA` for the columns"),
    ("agents", (N_SEATS, AGENT.size), "the agents: see `AGENT` for the columns"),
    ("owned", N_DIMENSIONS, "all cards of the player who decides, by dimension"),
    ("hand", (HAND_PLACES, CARD.size), "that player's hand: see `CARD` for the columns"),
    (
        "row",
        (ROW_PLACES, CARD.size),
        "the cards on show: to choose from, to deal, or else those beside the agent's era",
    ),
)
E_RIFTS, E_FULL, E_ENERGY, E_HAS_ENERGY, E_CLONES, E_VORTEX, E_FOO, E_FOO_TO_COME, E_RISK, E_FALLEN = ERA.starts(
    "rifts", "full", "energy", "has_energy", "clones", "vortex", "foo", "foo_to_come", "risk", "fallen"
)
E_AVAILABLE, E_FACE_DOWN, E_OPEN, E_DAMAGE, E_MISSING, E_ARCHIVABLE, E_MISSION, E_COUNTED, E_DOOMS, E_AGENTS = (
    ERA.starts(
        "available", "face_down", "open", "damage", "missing", "archivable", "mission", "counted", "dooms", "agents"
    )
)
E_DROP, E_SUPA_CLONES, E_CENTRIFUGE, E_ETERNAL, E_DAMAGES = ERA.starts(
    "drop", "supa_clones", "centrifuge", "eternal", "damages"
)
A_PRESENT, A_BATTERY, A_HAND, A_READY, A_DECK, A_DISCARD, A_IDENTITY, A_DIMENSIONS, A_FEATURES = AGENT.starts(
    "present", "battery", "hand", "ready", "deck", "discard", "identity", "dimensions", "features"
)
C_PRESENT, C_READY, C_ORIGIN, C_DIMENSION, C_FEATURES = CARD.starts(
    "present", "ready", "origin", "dimension", "features"
)

A_QUARTER = np.float32(0.25)
ONE_MISSION = np.float32(1 / OPEN_MISSIONS)
ONE_CARD = np.float32(1 / HAND_PLACES - 1e-7)  # ten of them must not add up to more than 1
RING = np.array([(sin(2 * pi * k / N_ERAS), cos(2 * pi * k / N_ERAS)) for k in range(N_ERAS)], np.float32)
MOST_ENERGY, MOST_CLONES, MOST_CARDS, MOST_DROPPED = 10, 6, 20, 12  # more than this looks the same


def bounds() -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest value of each number."""
    low, high = np.zeros(OBSERVATION.size, np.float32), np.ones(OBSERVATION.size, np.float32)
    for name in ("hand", "row"):
        block = OBSERVATION[name]
        low[block.slice].reshape(block.shape)[:, CARD["origin"].slice] = -1
    return low, high


@njit
def share(count: int, most: int) -> Any:
    """A count as a part of the most that is worth telling apart."""
    return min(np.float32(count) * (np.float32(1) / np.float32(most)), np.float32(1))


@njit
def observe_turn(g: Any, r: Any, o: Any) -> None:
    """The turn."""
    seat = g.actor
    o.phase[g.phase] = 1
    o.mode[g.mode] = 1
    o.level[g.level] = 1
    o.solo = g.solo
    o.mega_vortex = r.mega_vortex[g.level]
    o.choice[g.choice] = 1
    o.optional = g.optional and g.choice > 0
    o.cycle[min(g.cycle, MAX_CYCLES - 1)] = 1
    o.turn = g.turn * r.one_turn
    o.foo_cards = share(total(g.foo_deck), N_ERAS)
    o.players[g.players - 1] = 1
    o.active[(g.active - seat) % g.players] = 1
    o.archived = min(g.archived * r.one_tile[g.mode], np.float32(1))
    o.vortex_tiles = (r.vortex_tiles - total(g.vortex)) * r.one_vortex
    o.rift_supply = g.rift_supply * r.one_rift
    o.energy_supply = g.energy_supply * r.one_energy
    o.arsenal = share(g.pile_size[ARSENAL], N_CARDS)
    o.actions = g.actions * r.one_action
    o.loop_cost = share(loop_cost(g, r), MOST_ENERGY)
    o.can_loop = can_loop(g, r)
    o.clones_destroyed = share(g.kills, MOST_CLONES)
    o.ability = r.has_ability[g.agent[g.active]] and not g.ability_used
    o.charged = none_is_zero(g.energy)
    for dimension in range(N_DIMENSIONS):
        o.owned[dimension] = share(g.owned[g.deck_of[seat], dimension], MOST_CARDS)


@njit
def observe_effect(g: Any, r: Any, here: int, o: Any) -> None:
    """What the effect under way does, and has chosen so far."""
    if g.chosen_era >= 0:
        o.chosen_era[(g.chosen_era - here) % N_ERAS] = 1
    if g.chosen_agent >= 0:
        o.chosen_agent[(g.chosen_agent - g.actor) % g.players] = 1
    if g.chosen_clone >= 0:
        o.chosen_clone[(r.doom[g.chosen_clone] - here) % N_ERAS] = 1
    if g.choice != NO_CHOICE:
        pc = int(g.pc)
        while r.program[g.program, pc, 0] != w.END and PURPOSE_OF[r.program[g.program, pc, 0]] == NO_PURPOSE:
            pc += 1
        if r.program[g.program, pc, 0] != w.END:
            o.purpose[PURPOSE_OF[r.program[g.program, pc, 0]]] = 1
    if g.program < N_CARDS:
        for k in range(r.features_had[g.program]):
            feature = r.feature_at[g.program, k]
            o.effect[feature] = r.features[g.program, feature]


@njit
def observe_eras(g: Any, r: Any, here: int, o: Any) -> None:
    """The board, era by era."""
    for ahead in range(N_ERAS):
        era = (here + ahead) % N_ERAS
        o.eras[ahead, E_RIFTS] = g.rifts[era] * r.one_slot
        o.eras[ahead, E_FULL] = g.rifts[era] == r.rift_slots
        o.eras[ahead, E_ENERGY] = share(g.energy[era], MOST_ENERGY)
        o.eras[ahead, E_HAS_ENERGY] = g.energy[era] > 0
        o.eras[ahead, E_CLONES] = share(g.clones[era], MOST_CLONES)
        o.eras[ahead, E_VORTEX] = g.vortex[era]
        o.eras[ahead, E_FOO] = g.foo == era
        o.eras[ahead, E_FOO_TO_COME] = g.foo_deck[era]
        o.eras[ahead, E_RISK] = g.risk[era]
        o.eras[ahead, E_FALLEN] = share(g.fallen[era], MOST_CLONES)
        o.eras[ahead, E_DROP] = share(r.cubes[g.level] + g.weight[era], MOST_DROPPED)
        o.eras[ahead, E_AVAILABLE] = share(g.available_size[era], ROW_PLACES)
        o.eras[ahead, E_FACE_DOWN] = g.tile[era] == FACE_DOWN
        for to_go in range(N_ERAS):
            o.eras[ahead, E_DOOMS + to_go] = g.dooms[era, to_go] * A_QUARTER
        if g.tile[era] >= 0:
            observe_tile(g, r, era, here, ahead, o)


@njit
def observe_tile(g: Any, r: Any, era: int, here: int, ahead: int, o: Any) -> None:
    """An open tile."""
    mission = g.tile[era]
    o.eras[ahead, E_OPEN] = 1
    o.eras[ahead, E_DAMAGE] = share(g.damage[era], r.needed[mission])
    o.eras[ahead, E_MISSING] = share(max(r.needed[mission] - g.damage[era], 0), N_ERAS)
    o.eras[ahead, E_ARCHIVABLE] = can_archive(g, r, era)
    o.eras[ahead, E_MISSION + mission] = 1
    if r.scope[mission] == EACH_ERA_ONCE:
        for other in range(N_ERAS):
            o.eras[ahead, E_COUNTED + (other - here) % N_ERAS] = (g.damaged_eras[era] >> other) & 1
    charged = bool(g.charged) if g.choice != NO_CHOICE else none_is_zero(g.energy)
    for other in range(N_ERAS):
        if takes_damage(g, r, era, r.event[mission], other, charged):
            o.eras[(other - here) % N_ERAS, E_DAMAGES + r.event[mission]] += ONE_MISSION


@njit
def observe_agents(g: Any, r: Any, here: int, o: Any) -> None:
    """Every agent: where, who, and with what in hand."""
    for ahead in range(g.players):
        seat = (g.actor + ahead) % g.players
        o.eras[(g.at[seat] - here) % N_ERAS, E_AGENTS + ahead] = 1
        o.agents[ahead, A_PRESENT] = 1
        o.agents[ahead, A_BATTERY] = g.battery[seat]
        o.agents[ahead, A_HAND] = share(g.pile_size[HAND + seat], HAND_PLACES)
        whose = g.deck_of[seat]
        o.agents[ahead, A_DECK] = share(g.pile_size[DECK + whose], MOST_CARDS)
        o.agents[ahead, A_DISCARD] = share(g.pile_size[DISCARD + whose], MOST_CARDS)
        o.agents[ahead, A_IDENTITY + g.agent[seat]] = 1
        ready = 0
        for slot in range(g.pile_size[HAND + seat]):
            card = g.hand[seat, slot]
            o.agents[ahead, A_DIMENSIONS + r.dimension[card]] += ONE_CARD
            ready += g.ready[card]
            if ahead > 0 and g.ready[card]:  # one's own cards are all in `hand`
                for k in range(r.features_had[card]):
                    feature = r.feature_at[card, k]
                    o.agents[ahead, A_FEATURES + feature] += r.features[card, feature] * ONE_CARD
        o.agents[ahead, A_READY] = share(ready, HAND_PLACES)


@njit
def observe_components(g: Any, r: Any, here: int, o: Any) -> None:
    """What only some modes have."""
    if g.cycle < r.cycles - 1 and r.supa_clones_per_cycle[g.mode, g.level] > 0:
        o.supas_to_come = share(min(count_places(supas_waiting(g)), r.supa_clones_per_cycle[g.mode, g.level]), N_SUPA)
    if g.supas > 0:
        for clone in range(N_CLONES, N_TOKENS):
            era = g.clone_at[clone]
            if era >= 0:
                o.eras[(era - here) % N_ERAS, E_SUPA_CLONES + (r.doom[clone] - era) % N_ERAS] = 1
    if r.eternal_energy[g.mode, g.level] + r.centrifuges[g.mode, g.level] > 0:
        o.shutdown_energy = share(r.shutdown_energy[g.mode, g.level], MOST_ENERGY)
        o.eternal_supply = share(g.eternal_supply, MOST_ENERGY)
        for ahead in range(N_ERAS):
            era = (here + ahead) % N_ERAS
            o.eras[ahead, E_CENTRIFUGE] = g.centrifuge[era]
            o.eras[ahead, E_ETERNAL] = share(g.eternal[era], MOST_ENERGY)
    if r.ultramachina_every[g.mode, g.level] > 0:
        if g.machina > 0:
            o.machina[g.machina - 1] = 1
        o.machina_next = machina_is_due(g, r, g.turn + 1)
        for card in range(r.machina_cards):
            o.machina_to_come[card] = not g.machina_seen[card]


@njit
def observe_card(g: Any, r: Any, card: int, here: int, row: Any, slot: int) -> None:
    """A card: its state and what it does."""
    away = (r.card_origin[card] - here) % N_ERAS
    row[slot, C_PRESENT] = 1
    row[slot, C_READY] = g.ready[card]
    row[slot, C_ORIGIN] = RING[away, 0]
    row[slot, C_ORIGIN + 1] = RING[away, 1]
    row[slot, C_DIMENSION + r.dimension[card]] = 1
    for k in range(r.features_had[card]):
        feature = r.feature_at[card, k]
        row[slot, C_FEATURES + feature] = r.features[card, feature]


@njit
def observe_row(g: Any, r: Any, here: int, o: Any) -> None:
    """The cards on show."""
    if g.pile_size[DRAFT] > 0:
        for slot in range(g.pile_size[DRAFT]):
            observe_card(g, r, g.draft[slot], here, o.row, slot)
    elif g.row_agent >= 0:
        for slot in range(g.pile_size[HAND + g.row_agent]):
            observe_card(g, r, g.hand[g.row_agent, slot], here, o.row, slot)
    else:
        era = int(g.row_era) if g.row_era >= 0 else here
        for slot in range(g.available_size[era]):
            observe_card(g, r, g.available[era, slot], here, o.row, slot)


@njit
def observe(g: Any, r: Any, o: Any) -> None:
    """Write the observation into a record of zeros."""
    here = int(g.at[g.actor])
    observe_turn(g, r, o)
    if g.program != NO_PROGRAM:
        observe_effect(g, r, here, o)
    observe_eras(g, r, here, o)
    observe_components(g, r, here, o)
    observe_agents(g, r, here, o)
    for slot in range(g.pile_size[HAND + g.actor]):
        observe_card(g, r, g.hand[g.actor, slot], here, o.hand, slot)
    observe_row(g, r, here, o)
