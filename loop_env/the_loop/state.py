"""A game is one record: every field of the table, of the turn and of the effect under way."""

from __future__ import annotations

import numpy as np

from loop_env.engine.records import record
from loop_env.the_loop.names import DIMENSIONS

N_ERAS = 7
N_DIMENSIONS = len(DIMENSIONS)
N_SEATS = 4
N_AGENTS = 5
N_MISSIONS = 10
N_CLONES = 28
N_SUPA = 7
N_TOKENS = N_CLONES + N_SUPA  # clones, then supa clones
N_STARTING = 30
N_ARSENAL = 49
N_CARDS = N_STARTING + N_ARSENAL
N_MACHINA = 14  # ultramachina cards
ABILITIES = N_CARDS  # programs: every card's effect, every agent's ability, every ultramachina card's effect
STRIKES = ABILITIES + N_AGENTS
N_PROGRAMS = STRIKES + N_MACHINA

HAND_PLACES = 10  # room in the record; `hand_limit` in the data says how many cards a hand may have
ROW_PLACES = 12  # cards beside one era: 7 of the arsenal and at most 5 starting cards share an origin
DRAFT_PLACES = N_SEATS + 1

# Piles: a deck, a discard pile and a hand for each seat, then those of the table.
DECK, DISCARD, HAND = 0, N_SEATS, 2 * N_SEATS
ARSENAL, DESTROYED, AVAILABLE, DRAFT, BOX = range(3 * N_SEATS, 3 * N_SEATS + 5)
N_PILES = BOX + 1

# Sources of luck, each with a stream of its own.
SETUP_LUCK, TILE_LUCK, FOO_LUCK, CLONE_LUCK, ARSENAL_LUCK, MACHINE_LUCK, DECK_LUCK, SUPA_LUCK, MACHINA_LUCK = range(9)
N_STREAMS = 9

BAG = -1  # where a clone is that is on no era
GONE = -2  # a supa clone that has left the game
FACE_DOWN, NO_TILE = -1, -2  # in `tile`, beside the missions' numbers
NOBODY = -1
NO_PROGRAM = -1
NO_ANSWER = -1

GAME = record(
    ("seed", "u8"),
    ("luck", "u8", N_STREAMS),
    ("legal", "u8", 2),  # a bit for each action that is possible now
    ("choices", "u8"),  # a bit for each thing that the pending choice offers
    ("decisions", "i4"),  # made so far in this game
    ("risk", "f4", N_ERAS),  # the chance that the next drop turns an era into a vortex
    # counted for the end of the game
    ("total_loops", "i2"),
    ("total_kills", "i2"),
    ("total_plays", "i2"),
    ("total_removed", "i2"),
    ("total_energy", "i2"),
    # the table
    ("outcome", "i1"),
    ("players", "i1"),
    ("mode", "i1"),
    ("level", "i1"),
    ("solo", "i1"),  # one player runs all agents, with a common deck
    ("cycle", "i1"),
    ("turn", "i1"),
    ("foo", "i1"),
    ("foo_deck", "i1", N_ERAS),  # 1: this era's card is still to come in this cycle
    ("rifts", "i1", N_ERAS),
    ("energy", "i1", N_ERAS),
    ("rift_supply", "i1"),
    ("energy_supply", "i1"),
    ("fallen", "i1", N_ERAS),  # rifts out of the machine that are not in slots yet
    ("vortex", "i1", N_ERAS),
    ("tile", "i1", N_ERAS),
    ("damage", "i1", N_ERAS),  # cubes on the era's tile
    ("damage_red", "i1", N_ERAS),  # of these, rift cubes: the others are energy cubes
    ("damaged_eras", "u1", N_ERAS),  # bits: slots of the tile that are taken, one for each era
    ("damage_this_turn", "i1", N_ERAS),
    ("mission_seen", "i1", N_MISSIONS),
    ("archived", "i1"),
    ("clone_at", "i1", N_TOKENS),
    # counted from `clone_at`, and from the table as a whole, to be looked up
    ("clones", "i1", N_ERAS),  # how many stand in an era
    ("weight", "i1", N_ERAS),  # cubes that they add to a drop
    ("dooms", "i1", (N_ERAS, N_ERAS)),  # plain clones, by the number of eras to their destroy era
    ("supas", "i1"),  # supa clones on the board
    ("bag", "i1", N_ERAS),  # how many of those in the bag spawn in an era
    ("risk_is_old", "i1"),  # something changed since it was worked out
    # components of some modes
    ("centrifuge", "i1", N_ERAS),
    ("eternal", "i1", N_ERAS),  # of the energy in an era, how much is eternal
    ("eternal_supply", "i1"),
    ("machina", "i1"),  # the ultramachina card that bends this turn, counted from 1; 0: none
    ("machina_seen", "i1", N_MACHINA),  # revealed since the last shuffle
    # agents, by seat
    ("agent", "i1", N_SEATS),
    ("at", "i1", N_SEATS),
    ("battery", "i1", N_SEATS),
    ("deck_of", "i1", N_SEATS),  # whose deck and discard pile the seat uses: its own, or the common one
    # cards
    ("place", "i1", N_CARDS),
    ("known", "i1", N_CARDS),
    ("ready", "i1", N_CARDS),
    ("pile_size", "i1", N_PILES),
    ("known_size", "i1", N_PILES),
    ("hand", "i1", (N_SEATS, HAND_PLACES)),
    ("available", "i1", (N_ERAS, ROW_PLACES)),
    ("available_size", "i1", N_ERAS),
    ("draft", "i1", DRAFT_PLACES),
    ("owned", "i1", (N_SEATS, N_DIMENSIONS)),  # by deck: a player's cards, wherever they are
    # the turn
    ("phase", "i1"),
    ("active", "i1"),  # whose turn it is
    ("actor", "i1"),  # who decides now
    ("loops", "i1"),
    ("kills", "i1"),
    ("actions", "i1"),
    ("ability_used", "i1"),
    ("charged", "i1"),  # the action began with energy in every era
    # the effect under way
    ("program", "i1"),
    ("pc", "i1"),
    ("outer_program", "i1"),  # the effect that waits for this one to end
    ("outer_pc", "i1"),
    ("choice", "i1"),
    ("optional", "i1"),  # "no" is possible too
    ("answer", "i1"),
    ("chosen_era", "i1"),
    ("chosen_target", "i1"),
    ("chosen_clone", "i1"),
    ("chosen_second", "i1"),
    ("chosen_agent", "i1"),
    ("chosen_slot", "i1"),
    ("row_era", "i1"),  # whose cards the row shows: those beside an era ...
    ("row_agent", "i1"),  # ... or a hand
    ("went", "i1"),  # where the last clone was pushed, -1 if none was
    ("origin", "i1"),  # origin era of the last card drawn, -1 if none was
    ("rounds", "i1"),  # players still to go, in "each player" and in a draft
)


def blank_game() -> np.ndarray:
    """An empty table, as an array of one game."""
    blank = np.zeros(1, GAME)
    for field in ("tile", "available", "hand", "draft", "agent", "clone_at", "row_era", "row_agent"):
        blank[field] = -1
    for field in ("program", "outer_program", "answer", "went", "origin", "foo"):
        blank[field] = -1
    blank["deck_of"] = range(N_SEATS)
    blank["place"] = BOX
    blank["pile_size"][0, BOX] = N_CARDS
    blank["bag"] = N_CLONES // N_ERAS
    blank["risk_is_old"] = 1
    return blank
