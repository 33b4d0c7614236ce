"""The data as one record of tables: what the compiled rules read. No number of the game is written in code.

The record also holds what a front asked for (mode, level, agents), so that a new game can be set up without Python.
"""

from __future__ import annotations

import numpy as np

from loop_env.engine.records import record
from loop_env.the_loop import machine
from loop_env.the_loop.data import MAX_LEVELS, MAX_MODES, Data
from loop_env.the_loop.features import FEATURES, card_features
from loop_env.the_loop.language import LET_PLAY, MAX_LENGTH, PLAY_ROW, READY
from loop_env.the_loop.names import DIMENSIONS, ERAS, EVENTS, SCOPES
from loop_env.the_loop.state import (
    ABILITIES,
    N_AGENTS,
    N_CARDS,
    N_CLONES,
    N_ERAS,
    N_MACHINA,
    N_MISSIONS,
    N_PROGRAMS,
    N_SEATS,
    N_SUPA,
    N_TOKENS,
    STRIKES,
)

MAX_CYCLES = 3
MAX_SLOTS = 4

RULES = record(
    # the machine
    ("split", "f8", 3),
    ("clumping", "f8"),
    # what a new game is set up with: chances, added up, of each mode, level, number of agents; of not solo, solo
    ("mode_odds", "f8", MAX_MODES),
    ("level_odds", "f8", MAX_LEVELS),
    ("agents_odds", "f8", N_SEATS),
    ("solo_odds", "f8", 2),
    # one part of each, for observations
    ("one_turn", "f4"),
    ("one_tile", "f4", MAX_MODES),
    ("one_vortex", "f4"),
    ("one_rift", "f4"),
    ("one_energy", "f4"),
    ("one_action", "f4"),
    ("one_slot", "f4"),
    # what each card does
    ("features", "f4", (N_CARDS, len(FEATURES))),
    # risks, to look up
    ("tails", "f4", (3, machine.MOST_CUBES + 1, MAX_SLOTS + 2)),
    ("spawns", "f4", (machine.MOST_SPAWNED + 1, N_CLONES + 1, 5, machine.MOST_SPAWNED + 1)),
    ("features_had", "i1", N_CARDS),  # how many features of a card are not zero ...
    ("feature_at", "i1", (N_CARDS, len(FEATURES))),  # ... and which: an observation writes only these
    ("seats", "i1", N_SEATS),  # the agents, or -1: drawn at random
    # numbers
    ("cycles", "i1"),
    ("hand_size", "i1"),
    ("hand_limit", "i1"),
    ("actions_per_turn", "i1"),
    ("rift_cubes", "i1"),
    ("energy_cubes", "i1"),
    ("vortex_tiles", "i1"),
    ("rift_slots", "i1"),
    ("setup_clones", "i1", N_SEATS),
    ("setup_cards", "i1", N_SEATS),
    # levels
    ("start_rifts", "i1", MAX_LEVELS),
    ("extra_clones", "i1", MAX_LEVELS),
    ("new_clones", "i1", (MAX_LEVELS, MAX_CYCLES)),
    ("new_cards", "i1", (MAX_LEVELS, MAX_CYCLES)),
    ("cubes", "i1", MAX_LEVELS),
    ("mega_vortex", "i1", MAX_LEVELS),
    # modes
    ("tiles_to_win", "i1", MAX_MODES),
    ("supa_clones", "i1", (MAX_MODES, MAX_LEVELS)),
    ("supa_clones_per_cycle", "i1", (MAX_MODES, MAX_LEVELS)),
    ("centrifuges", "i1", (MAX_MODES, MAX_LEVELS)),
    ("shutdown_energy", "i1", (MAX_MODES, MAX_LEVELS)),
    ("eternal_energy", "i1", (MAX_MODES, MAX_LEVELS)),
    ("ultramachina_every", "i1", (MAX_MODES, MAX_LEVELS)),
    # ultramachina cards; number 0 stands for a turn without one
    ("machina_cards", "i1"),
    ("more_cubes", "i1", N_MACHINA + 1),
    ("middle_chute", "i1", N_MACHINA + 1),
    ("opposite_cubes", "i1", N_MACHINA + 1),
    ("clones_at_foo", "i1", N_MACHINA + 1),
    ("machine_turns", "i1", N_MACHINA + 1),
    ("no_free_move", "i1", N_MACHINA + 1),
    ("more_loop_cost", "i1", N_MACHINA + 1),
    ("strikes", "i1", N_MACHINA + 1),  # it has an effect
    # agents
    ("start", "i1", N_AGENTS),
    ("has_ability", "i1", N_AGENTS),
    ("cancels_rifts", "i1", N_AGENTS),
    ("free_move_anywhere", "i1", N_AGENTS),
    ("push_range", "i1", N_AGENTS),
    ("energy_for_clones", "i1", N_AGENTS),
    # cards
    ("program", "i1", (N_PROGRAMS, MAX_LENGTH, 4)),
    ("plays_cards", "i1", N_CARDS),  # the effect plays another card
    ("can_be_readied", "i1", N_CARDS),  # by a card: not if it readies or plays cards itself
    ("dimension", "i1", N_CARDS),
    ("card_origin", "i1", N_CARDS),
    ("owner", "i1", N_CARDS),  # the agent that starts with it, -1: arsenal
    # missions
    ("event", "i1", N_MISSIONS),
    ("scope", "i1", N_MISSIONS),
    ("needed", "i1", N_MISSIONS),
    ("per_turn", "i1", N_MISSIONS),
    ("needs_charge", "i1", N_MISSIONS),
    # clones
    ("spawn", "i1", N_TOKENS),
    ("doom", "i1", N_TOKENS),  # the destroy era
    ("counts_as", "i1", N_TOKENS),  # clones, for the drop
)


def build_rules(data: Data) -> np.ndarray:
    """The tables of a set of data, as an array of one record; what to set up is still open."""
    rules = np.zeros(1, RULES)
    r = rules[0]
    _numbers(r, data)
    _levels(r, data)
    _modes(r, data)
    _ultramachina(r, data)
    _agents(r, data)
    _cards(r, data)
    _missions_and_clones(r, data)
    r.tails[:, :, : data.numbers.rift_slots + 2] = machine.tail_table(
        data.numbers.split, data.numbers.clumping, data.numbers.rift_slots + 1
    )
    r.spawns[:] = machine.spawn_table()
    return rules


def _numbers(r: np.record, data: Data) -> None:
    n = data.numbers
    r.cycles, r.actions_per_turn = n.cycles, n.actions_per_turn
    r.hand_size, r.hand_limit = n.hand, n.hand_limit
    r.rift_cubes, r.energy_cubes, r.vortex_tiles, r.rift_slots = n.rifts, n.energy, n.vortices, n.rift_slots
    r.setup_clones[:] = n.clones
    r.setup_cards[:] = n.cards
    r.split[:] = n.split
    r.clumping = n.clumping
    r.one_turn, r.one_vortex = 1 / (n.cycles * N_ERAS), 1 / max(n.vortices, 1)
    r.one_rift, r.one_energy, r.one_action = 1 / n.rifts, 1 / n.energy, 1 / n.actions_per_turn
    r.one_slot = 1 / n.rift_slots


def _levels(r: np.record, data: Data) -> None:
    for i, level in enumerate(data.levels):
        r.start_rifts[i] = level.start_rifts
        r.extra_clones[i] = level.extra_clones
        r.new_clones[i] = level.clones_per_cycle
        r.new_cards[i] = level.cards_per_cycle
        r.cubes[i] = level.cubes
        r.mega_vortex[i] = level.mega_vortex


def _modes(r: np.record, data: Data) -> None:
    r.tiles_to_win[:] = data.numbers.tiles_to_win
    by_level = (
        "supa_clones", "supa_clones_per_cycle", "centrifuges", "shutdown_energy", "eternal_energy", "ultramachina_every"
    )  # fmt: skip
    for i, mode in enumerate(data.modes):
        r.tiles_to_win[i] = mode.tiles_to_win
        for name in by_level:
            r[name][i, : len(data.levels)] = getattr(mode, name)
    r.one_tile[:] = 1 / r.tiles_to_win


def _ultramachina(r: np.record, data: Data) -> None:
    r.machina_cards = len(data.ultramachina)
    for i, card in enumerate(data.ultramachina, 1):
        r.more_cubes[i], r.more_loop_cost[i] = card.cubes, card.loop_cost
        for name in ("middle_chute", "opposite_cubes", "clones_at_foo", "machine_turns", "no_free_move"):
            r[name][i] = getattr(card, name)
        r.strikes[i] = bool(card.effect)
        r.program[STRIKES + i - 1, : len(card.program.code)] = card.program.code or np.zeros((0, 4))


def _agents(r: np.record, data: Data) -> None:
    for i, agent in enumerate(data.agents):
        r.start[i] = ERAS.index(agent.start)
        r.has_ability[i] = bool(agent.ability)
        r.cancels_rifts[i] = agent.cancels_rifts
        r.free_move_anywhere[i] = agent.free_move == "anywhere"
        r.push_range[i] = agent.push_range
        r.energy_for_clones[i] = agent.energy_for_clones
        r.program[ABILITIES + i, : len(agent.program.code)] = agent.program.code or np.zeros((0, 4))


def _cards(r: np.record, data: Data) -> None:
    agents = [agent.id for agent in data.agents]
    for i, card in enumerate(data.artefacts):
        code = np.array(card.program.code)
        r.program[i, : len(code)] = code
        r.plays_cards[i] = np.isin(code[:, 0], (PLAY_ROW, LET_PLAY)).any()
        r.can_be_readied[i] = not np.isin(code[:, 0], (PLAY_ROW, LET_PLAY, READY)).any()
        r.dimension[i] = DIMENSIONS.index(card.dimension)
        r.card_origin[i] = ERAS.index(card.origin)
        r.owner[i] = agents.index(card.agent) if card.agent else -1
        r.features[i] = card_features(card.program)
        had = np.flatnonzero(r.features[i])
        r.features_had[i] = len(had)
        r.feature_at[i, : len(had)] = had


def _missions_and_clones(r: np.record, data: Data) -> None:
    for i, mission in enumerate(data.missions):
        r.event[i] = EVENTS.index(mission.event)
        r.scope[i] = SCOPES.index(mission.where)
        r.needed[i] = mission.needed
        r.per_turn[i] = mission.per_turn
        r.needs_charge[i] = mission.charged
    clones = data.clones
    for i in range(N_CLONES):
        spawn, which = divmod(i, len(clones.destroy_after))
        r.spawn[i], r.counts_as[i] = spawn, 1
        r.doom[i] = (spawn + clones.destroy_after[which]) % N_ERAS
    for spawn in range(N_SUPA):
        i = N_CLONES + spawn
        r.spawn[i], r.counts_as[i] = spawn, clones.supa_counts_as
        r.doom[i] = (spawn + clones.supa_destroy_after) % N_ERAS
