"""What must be true of every record after every decision. Fuzzing looks for a game in which it is not."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.the_loop.board import is_mega_vortex
from loop_env.the_loop.data import Data
from loop_env.the_loop.language import ASK, NEXT_PLAYER, PICK_ERA, PLAY_ROW
from loop_env.the_loop.missions import OPEN_MISSIONS, open_missions
from loop_env.the_loop.modes import goal_is_reached
from loop_env.the_loop.names import DEAL_PHASE, GAME_OVER, RUNNING
from loop_env.the_loop.risk import update_risk
from loop_env.the_loop.state import (
    AVAILABLE,
    BAG,
    DRAFT,
    DRAFT_PLACES,
    FACE_DOWN,
    GONE,
    HAND,
    N_CARDS,
    N_CLONES,
    N_DIMENSIONS,
    N_ERAS,
    N_PILES,
    N_SEATS,
    N_TOKENS,
    NO_PROGRAM,
    NO_TILE,
    NOBODY,
)

LAWS = (
    "all is well",
    "every rift cube is on the board, on a tile or in the supply",
    "every energy cube is on the board, on a tile or in the supply",
    "no era holds fewer than 0 rifts or energy, nor more rifts than slots",
    "every clone is in the bag or in an era, and none in its destroy era",
    "clones are counted right",
    "every card is in one place, and the piles are counted right",
    "cards in a row lie in that row",
    "every player's cards are counted right by dimension",
    "something is possible",
    "two missions are open while there are tiles for it",
    "there are no more vortices than tiles for them, and nothing lies where one is",
    "the turn has no more actions than allowed",
    "the game goes on until it is won or lost",
    "the risk is the one of this table",
    "every cube of eternal energy is on the board or in the supply, and a mega-vortex holds no other energy",
    "a supa clone waits, stands in an era or is gone for good, and is counted right",
    "a centrifuge stands alone, and there are no more than the mode has",
)


@njit
def cubes_are_kept(g: Any, r: Any) -> int:
    """Laws 1 to 3."""
    red = total(g.damage_red)
    if total(g.rifts) + total(g.fallen) + red + g.rift_supply != r.rift_cubes or g.rift_supply < 0:
        return 1
    green = total(g.energy) - total(g.eternal) + total(g.damage) - red
    if green + g.energy_supply != r.energy_cubes or g.energy_supply < 0:
        return 2
    for era in range(N_ERAS):
        if not 0 <= g.rifts[era] <= r.rift_slots or g.energy[era] < 0 or g.damage_red[era] > g.damage[era]:
            return 3
    return 0


@njit
def clones_are_kept(g: Any, r: Any) -> int:
    """Laws 4 and 5."""
    for era in range(N_ERAS):
        standing, in_bag = 0, 0
        for clone in range(N_CLONES):
            at = g.clone_at[clone]
            if at < BAG or at >= N_ERAS or at == r.doom[clone]:
                return 4
            standing += at == era
            in_bag += at == BAG and r.spawn[clone] == era
        if in_bag != g.bag[era] or total(g.dooms[era]) != standing:
            return 5
        weight = standing
        for clone in range(N_CLONES, N_TOKENS):
            standing += g.clone_at[clone] == era
            weight += r.counts_as[clone] * (g.clone_at[clone] == era)
        if standing != g.clones[era] or weight != g.weight[era]:
            return 5
        for to_go in range(N_ERAS):
            count = 0
            for clone in range(N_CLONES):
                count += g.clone_at[clone] == era and (r.doom[clone] - era) % N_ERAS == to_go
            if count != g.dooms[era, to_go]:
                return 5
    return 0


@njit
def row_is_kept(g: Any, row: Any, length: int, pile: int) -> bool:
    """A row lists cards of its pile, each once, and nothing behind them."""
    for slot in range(len(row)):
        if (row[slot] >= 0) != (slot < length):
            return False
        if slot < length:
            if g.place[row[slot]] != pile:
                return False
            for other in range(slot):
                if row[other] == row[slot]:
                    return False
    return True


@njit
def cards_are_kept(g: Any, r: Any) -> int:
    """Laws 6 to 8."""
    for pile in range(N_PILES):
        count, known = 0, 0
        for card in range(N_CARDS):
            count += g.place[card] == pile
            known += g.place[card] == pile and g.known[card] > 0
        if count != g.pile_size[pile] or known != g.known_size[pile]:
            return 6
    beside = 0
    for era in range(N_ERAS):
        beside += g.available_size[era]
        if not row_is_kept(g, g.available[era], g.available_size[era], AVAILABLE):
            return 7
    if beside != g.pile_size[AVAILABLE] or not row_is_kept(g, g.draft, g.pile_size[DRAFT], DRAFT):
        return 7
    for seat in range(N_SEATS):
        if not row_is_kept(g, g.hand[seat], g.pile_size[HAND + seat], HAND + seat):
            return 7
        for dimension in range(N_DIMENSIONS):
            count = 0
            for card in range(N_CARDS):
                count += r.dimension[card] == dimension and deck_it_belongs_to(g, card) == seat
            if count != g.owned[seat, dimension]:
                return 8
    return 0


@njit
def deck_it_belongs_to(g: Any, card: int) -> int:
    """Whose deck, discard pile or hand the card is in; the card that is being dealt belongs to the common deck."""
    place = g.place[card]
    if place < HAND:
        return int(place % N_SEATS)
    if place < HAND + N_SEATS:
        return int(g.deck_of[place - HAND])
    return 0 if place == DRAFT and g.phase == DEAL_PHASE else NOBODY


@njit
def table_is_kept(g: Any, r: Any) -> int:
    """Laws 9 and 11 to 13."""
    if total(g.legal) == 0:
        return 9
    for era in range(N_ERAS):
        if g.vortex[era] and (g.tile[era] != NO_TILE or (g.available_size[era] > 0 and g.program == NO_PROGRAM)):
            return 11
    if total(g.vortex) > r.vortex_tiles:
        return 11
    if g.actions > r.actions_per_turn:
        return 12
    over = g.outcome != RUNNING
    reached = goal_is_reached(g, r) and g.program == NO_PROGRAM  # an effect is finished before the game is won
    if over != (g.phase == GAME_OVER) or (not over and (reached or g.cycle >= r.cycles)):
        return 13
    return 0


@njit
def missions_are_kept(g: Any) -> int:
    """Law 10."""
    closed = 0
    for era in range(N_ERAS):
        closed += g.tile[era] == FACE_DOWN
    if g.foo >= 0 and g.outcome == RUNNING and total(g.fallen) == 0:
        still = open_missions(g)
        if still > OPEN_MISSIONS or (still < OPEN_MISSIONS and closed > 0):
            return 10
    return 0


@njit
def risk_is_kept(g: Any, r: Any) -> int:
    """Law 14. What `g.risk` holds is put back, so that looking changes nothing."""
    if g.risk_is_old:
        return 14
    risk = g.risk.copy()
    update_risk(g, r)
    for era in range(N_ERAS):
        if g.risk[era] != risk[era] or not 0 <= risk[era] <= 1.00001:
            return 14
    return 0


@njit
def components_are_kept(g: Any, r: Any) -> int:
    """Laws 15 to 17."""
    if total(g.eternal) + g.eternal_supply != r.eternal_energy[g.mode, g.level] or g.eternal_supply < 0:
        return 15
    for era in range(N_ERAS):
        ordinary = g.energy[era] - g.eternal[era]
        if g.eternal[era] < 0 or ordinary < 0 or (ordinary > 0 and is_mega_vortex(g, r, era)):
            return 15
    supas = 0
    for clone in range(N_CLONES, N_TOKENS):
        at = g.clone_at[clone]
        if at < GONE or at >= N_ERAS or at == r.doom[clone]:
            return 16
        supas += at >= 0
    if supas != g.supas:
        return 16
    for era in range(N_ERAS):
        if not 0 <= g.centrifuge[era] <= 1:
            return 17
    return 17 if total(g.centrifuge) > r.centrifuges[g.mode, g.level] else 0


@njit
def broken_law(g: Any, r: Any) -> int:
    """The number of the first law that does not hold; 0 if all do."""
    law = cubes_are_kept(g, r)
    if law == 0:
        law = clones_are_kept(g, r)
    if law == 0:
        law = cards_are_kept(g, r)
    if law == 0:
        law = table_is_kept(g, r)
    if law == 0:
        law = components_are_kept(g, r)
    if law == 0:
        law = risk_is_kept(g, r)
    if law == 0:  # the last, since a position set up by hand may break it
        law = missions_are_kept(g)
    return law


def decision_bound(data: Data) -> int:
    """No game has more decisions than this.

    A turn has at most `actions_per_turn` actions. An action is one decision and as many choices as its effect has
    instructions for: the effect's own, those of a second card that it plays, and those of "each player" once a player.
    """
    plain = [card.program.code for card in data.artefacts]
    strikes = [card.program.code for card in data.ultramachina]
    inner = max(choices(code) for code in plain if not plays(code))
    most, strike = (max(choices(code) + plays(code) * inner for code in codes) for codes in (plain, strikes))
    dealt = N_SEATS * data.numbers.hand  # solo
    a_turn = 1 + dealt + strike + data.numbers.actions_per_turn * (1 + most) + 1 + 1 + 1 + DRAFT_PLACES
    return data.numbers.cycles * N_ERAS * a_turn


def choices(code: list[tuple[int, int, int, int]]) -> int:
    """How many choices a program can ask for."""
    each_player = any(op == NEXT_PLAYER for op, *_ in code)
    return sum(PICK_ERA <= op <= ASK for op, *_ in code) * (N_SEATS if each_player else 1)


def plays(code: list[tuple[int, int, int, int]]) -> int:
    """How many other cards a program plays."""
    return sum(op >= PLAY_ROW for op, *_ in code)
