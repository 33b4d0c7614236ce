"""What must be true of every record after every decision. Fuzzing looks for a game in which it is not."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.the_loop.data import Data
from loop_env.the_loop.language import ASK, NEXT_PLAYER, PICK_ERA, PLAY_ROW
from loop_env.the_loop.missions import OPEN_MISSIONS, open_missions
from loop_env.the_loop.names import GAME_OVER, RUNNING
from loop_env.the_loop.risk import update_risk
from loop_env.the_loop.state import (
    AVAILABLE,
    BAG,
    DECK,
    DISCARD,
    DRAFT,
    DRAFT_PLACES,
    FACE_DOWN,
    HAND,
    N_CARDS,
    N_CLONES,
    N_DIMENSIONS,
    N_ERAS,
    N_PILES,
    N_SEATS,
    NO_PROGRAM,
    NO_TILE,
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
)


@njit
def cubes_are_kept(g: Any, r: Any) -> int:
    """Laws 1 to 3."""
    red = total(g.damage_red)
    if total(g.rifts) + total(g.fallen) + red + g.rift_supply != r.rift_cubes or g.rift_supply < 0:
        return 1
    if total(g.energy) + total(g.damage) - red + g.energy_supply != r.energy_cubes or g.energy_supply < 0:
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
        if standing != g.clones[era] or in_bag != g.bag[era] or total(g.dooms[era]) != standing:
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
                place = g.place[card]
                ours = place == DECK + seat or place == DISCARD + seat or place == HAND + seat
                count += ours and r.dimension[card] == dimension
            if count != g.owned[seat, dimension]:
                return 8
    return 0


@njit
def table_is_kept(g: Any, r: Any) -> int:
    """Laws 9 to 13."""
    if total(g.legal) == 0:
        return 9
    closed = 0
    for era in range(N_ERAS):
        closed += g.tile[era] == FACE_DOWN
        if g.vortex[era] and (g.tile[era] != NO_TILE or (g.available_size[era] > 0 and g.program == NO_PROGRAM)):
            return 11
    if g.foo >= 0 and g.outcome == RUNNING and total(g.fallen) == 0:
        still = open_missions(g)
        if still > OPEN_MISSIONS or (still < OPEN_MISSIONS and closed > 0):
            return 10
    if total(g.vortex) > r.vortex_tiles:
        return 11
    if g.actions > r.actions_per_turn:
        return 12
    over = g.outcome != RUNNING
    if over != (g.phase == GAME_OVER) or (not over and (g.archived >= r.tiles_to_win or g.cycle >= r.cycles)):
        return 13
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
        law = risk_is_kept(g, r)
    return law


def decision_bound(data: Data) -> int:
    """No game has more decisions than this.

    A turn has at most `actions_per_turn` actions. An action is one decision and as many choices as its effect has
    instructions for: the effect's own, those of a second card that it plays, and those of "each player" once a player.
    """
    plain = [choices(card.program.code) for card in data.artefacts]
    inner = max(c for c, card in zip(plain, data.artefacts, strict=True) if not plays(card.program.code))
    most = max(c + plays(card.program.code) * inner for c, card in zip(plain, data.artefacts, strict=True))
    a_turn = 1 + data.numbers.actions_per_turn * (1 + most) + 1 + 1 + 1 + DRAFT_PLACES
    return data.numbers.cycles * N_ERAS * a_turn


def choices(code: list[tuple[int, int, int, int]]) -> int:
    """How many choices a program can ask for."""
    each_player = any(op == NEXT_PLAYER for op, *_ in code)
    return sum(PICK_ERA <= op <= ASK for op, *_ in code) * (N_SEATS if each_player else 1)


def plays(code: list[tuple[int, int, int, int]]) -> int:
    """How many other cards a program plays."""
    return sum(op >= PLAY_ROW for op, *_ in code)
