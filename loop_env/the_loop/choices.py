"""What there is to choose from, when an effect or an instruction of it needs a choice.

A choice is a set of bits: eras, seats, slots of a hand or row, options, or clones. Clones alike in era and destroy era
are interchangeable, so a bit (7 * era + destroy era) stands for all of them; a supa clone has a bit of its own
(SUPA + destroy era).
"""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import places_above_zero, total
from loop_env.engine.jit import njit
from loop_env.the_loop import language as w
from loop_env.the_loop.board import direction
from loop_env.the_loop.hands import can_draw
from loop_env.the_loop.state import HAND, N_CLONES, N_ERAS, N_TOKENS

ALL_ERAS = (1 << N_ERAS) - 1
SUPA = N_ERAS * N_ERAS


# -- sets of bits --------------------------------------------------------------------------------
@njit
def has_one(bits: int) -> bool:
    """Whether exactly one bit is set."""
    return bits != 0 and bits & (bits - 1) == 0


@njit
def lowest(bits: int) -> int:
    """The number of the lowest bit."""
    place = 0
    while not (bits >> place) & 1:
        place += 1
    return place


# -- what there is to choose from ----------------------------------------------------------------
@njit
def eras_at(g: Any, place: int) -> int:
    """The eras that a place can mean, seen from the agent who applies the effect."""
    here = int(g.at[g.actor])
    if place == w.HERE:
        return 1 << here
    if place == w.ADJACENT:
        return 1 << (here + 1) % N_ERAS | 1 << (here - 1) % N_ERAS
    if place == w.PREVIOUS:
        return 1 << (here - 1) % N_ERAS
    if place == w.NEXT:
        return 1 << (here + 1) % N_ERAS
    if place == w.THAT_AGENT:
        return 1 << int(g.at[g.chosen_agent]) if g.chosen_agent >= 0 else 0
    if place == w.FOO:
        return 1 << int(g.foo)
    if place == w.ORIGIN:
        return 1 << int(g.origin) if g.origin >= 0 else 0
    if place == w.WENT:
        return 1 << int(g.went) if g.went >= 0 else 0
    if place == w.CHOSEN:
        return 1 << int(g.chosen_era)
    if place == w.AGENTS:
        found = 0
        for seat in range(g.players):
            found |= 1 << int(g.at[seat])
        return found
    if place == w.PATH or place == w.PATH_VORTEX:
        return eras_on_the_way(g, here, int(g.chosen_target), place == w.PATH_VORTEX)
    if place == w.VORTEX:
        return int(places_above_zero(g.vortex))
    return ALL_ERAS


@njit
def eras_on_the_way(g: Any, start: int, target: int, only_vortices: bool) -> int:
    """The eras that an agent leaves on the way from start to target."""
    way, era, found = direction(start, target), start, 0
    while era != target:
        if g.vortex[era] or not only_vortices:
            found |= 1 << era
        era = (era + way) % N_ERAS
    return found


@njit
def is_worth(g: Any, r: Any, era: int, purpose: int) -> bool:
    """Whether the effect would do anything in this era."""
    if purpose == w.FOR_ENERGY:
        return bool(g.energy_supply > 0)
    if purpose == w.FOR_RIFTS:
        return bool(g.rifts[era] > 0)
    if purpose == w.FOR_CLONES:
        return bool(g.clones[era] > 0)
    if purpose == w.FOR_DESTROYING:
        return bool(total(g.dooms[era]) > 0)
    if purpose == w.FOR_CARDS:
        return bool(g.available_size[era] > 0)
    if purpose == w.FOR_PLAYABLE:
        return bool(playable_beside(g, r, era) != 0)
    if purpose == w.FOR_ENERGY_TO_RIFTS:
        return bool(g.energy[era] < g.rifts[era])
    if purpose == w.FOR_ENERGY_TO_CLONES:
        return bool(g.energy[era] < g.clones[era])
    if purpose == w.FOR_RIFTS_TO_ENERGY:
        return bool(g.rifts[era] > g.energy[era])
    if purpose == w.FOR_RIFTS_TO_CLONES:
        return bool(g.rifts[era] > g.clones[era])
    if purpose == w.FOR_SWAPPING_ENERGY:
        here = g.at[g.actor]
        return bool(g.energy[era] != g.energy[here] or g.eternal[era] != g.eternal[here])
    if purpose == w.FOR_SWAPPING_RIFTS:
        return bool(g.rifts[era] != g.rifts[g.at[g.actor]])
    return True


@njit
def worthy_eras(g: Any, r: Any, eras: int, purpose: int) -> int:
    """Those of the eras in which the effect would do something."""
    found = 0
    for era in range(N_ERAS):
        if (eras >> era) & 1 and is_worth(g, r, era, purpose):
            found |= 1 << era
    return found


@njit
def playable_beside(g: Any, r: Any, era: int) -> int:
    """Slots beside an era with a card that can be played from there: one that does not play cards itself."""
    found = 0
    for slot in range(g.available_size[era]):
        if not r.plays_cards[g.available[era, slot]]:
            found |= 1 << slot
    return found


@njit
def playable_in_hand(g: Any, r: Any, seat: int) -> int:
    """Slots of a hand with a ready card that does not play cards itself."""
    found = 0
    for slot in range(g.pile_size[HAND + seat]):
        card = g.hand[seat, slot]
        if g.ready[card] and not r.plays_cards[card]:
            found |= 1 << slot
    return found


@njit
def targets(g: Any, r: Any, whose: int, distance: int) -> int:
    """Where an agent can go that moves so far, or a clone that is pushed."""
    if distance == w.ANYWHERE:
        return ALL_ERAS
    if whose == w.OF_CLONE:
        start, nearest, farthest = int(g.clone_at[g.chosen_clone]), 1, int(r.push_range[g.agent[g.actor]])
    elif whose == w.OF_OTHER:
        start, nearest, farthest = int(g.at[g.chosen_agent]), distance, distance
    else:
        start, nearest, farthest = int(g.at[g.actor]), distance, distance
    found = 0
    for steps in range(nearest, farthest + 1):
        found |= 1 << (start + steps) % N_ERAS | 1 << (start - steps) % N_ERAS
    return found


@njit
def drops(g: Any, r: Any) -> int:
    """Where a carried clone can be left: any era after the pick-up, but no further than its destroy era."""
    era, target = int(g.clone_at[g.chosen_clone]), int(g.chosen_target)
    way, found = direction(int(g.at[g.actor]), target), 0
    while era != target:
        era = (era + way) % N_ERAS
        found |= 1 << era
        if era == r.doom[g.chosen_clone]:
            break
    return found


@njit
def clones_in(g: Any, r: Any, eras: int) -> int:
    """The kinds of clones that stand in these eras."""
    found = 0
    for clone in range(N_CLONES):
        era = int(g.clone_at[clone])
        if era >= 0 and (eras >> era) & 1:
            found |= 1 << (era * N_ERAS + int(r.doom[clone]))
    return found


@njit
def supa_clones_in(g: Any, r: Any, eras: int) -> int:
    """The supa clones that stand in these eras."""
    found = 0
    if g.supas > 0:
        for clone in range(N_CLONES, N_TOKENS):
            era = int(g.clone_at[clone])
            if era >= 0 and (eras >> era) & 1:
                found |= 1 << (SUPA + int(r.doom[clone]))
    return found


@njit
def clones_elsewhere(g: Any, r: Any, place: int) -> int:
    """The kinds of clones that stand at a place, but not in the agent's own era."""
    eras = eras_at(g, place) & ~(1 << int(g.at[g.actor]))
    return int(clones_in(g, r, eras)) | int(supa_clones_in(g, r, eras))


@njit
def clone_of_kind(g: Any, r: Any, kind: int) -> int:
    """A clone of this kind."""
    if kind >= SUPA:
        for clone in range(N_CLONES, N_TOKENS):
            if g.clone_at[clone] >= 0 and r.doom[clone] == kind - SUPA:
                return clone
    era, doom = kind // N_ERAS, kind % N_ERAS
    for clone in range(N_CLONES):
        if g.clone_at[clone] == era and r.doom[clone] == doom:
            return clone
    return -1


@njit
def kind_of(g: Any, r: Any, clone: int) -> int:
    """The bit that stands for a clone."""
    if clone >= N_CLONES:
        return SUPA + int(r.doom[clone])
    return int(g.clone_at[clone]) * N_ERAS + int(r.doom[clone])


@njit
def both_die_in_a_swap(g: Any, r: Any) -> int:
    """The two clones of a swap, if both die and it matters which one dies first."""
    first, second = g.chosen_clone, g.chosen_second
    if g.kills > 0 or r.energy_for_clones[g.agent[g.active]] == 0:
        return 0
    if r.doom[first] != g.clone_at[second] or r.doom[second] != g.clone_at[first]:
        return 0
    return 1 << kind_of(g, r, first) | 1 << kind_of(g, r, second)


@njit
def agents_for(g: Any, r: Any, who: int, purpose: int) -> int:
    """The seats whose agents can be chosen."""
    found = 0
    for seat in range(g.players):
        if seat == g.actor:
            fits = who == w.ANY_AGENT
        elif who == w.AGENT_WITH_CARD:
            fits = playable_in_hand(g, r, seat) != 0
        else:
            fits = is_worth(g, r, g.at[seat], purpose)
        if fits:
            found |= 1 << seat
    return found


@njit
def cards_in_hand(g: Any, r: Any, which: int) -> int:
    """Slots of the hand: all, those of ready cards, or those of exhausted cards that a card can ready.

    A card that readies or plays cards is left to LOOPs: two of them would keep each other going for nothing.
    """
    found = 0
    for slot in range(g.pile_size[HAND + g.actor]):
        card = g.hand[g.actor, slot]
        if which == w.READY_CARD:
            fits = g.ready[card] > 0
        else:
            fits = which == w.ANY_CARD or (r.can_be_readied[card] and not g.ready[card])
        if fits:
            found |= 1 << slot
    return found


@njit
def cards_in_row(g: Any, r: Any, whose: int, to_play: int) -> int:
    """Slots of the row: the cards beside the chosen era, or the chosen agent's cards."""
    if whose == w.AGENTS_CARDS:
        return int(playable_in_hand(g, r, g.chosen_agent))
    if to_play:
        return int(playable_beside(g, r, g.chosen_era))
    return (1 << int(g.available_size[g.chosen_era])) - 1


@njit
def candidates(g: Any, r: Any, op: int, a: int, b: int) -> int:
    """What an instruction offers for choice."""
    if op == w.PICK_ERA:
        return int(worthy_eras(g, r, eras_at(g, a), b))
    if op == w.PICK_CLONE:
        eras = eras_at(g, a)
        supa = 0 if b == w.NO_SUPA_CLONE else int(supa_clones_in(g, r, eras))
        return int(clones_in(g, r, eras)) | supa
    if op == w.PICK_SECOND:
        return int(clones_elsewhere(g, r, a))
    if op == w.PICK_TARGET:
        return int(targets(g, r, a, b))
    if op == w.PICK_AGENT:
        return int(agents_for(g, r, a, b))
    if op == w.PICK_HAND:
        return int(cards_in_hand(g, r, a))
    if op == w.PICK_ROW:
        return int(cards_in_row(g, r, a, b))
    if op == w.PICK_DROP:
        return int(drops(g, r))
    return int(both_die_in_a_swap(g, r))


@njit
def does_something(g: Any, r: Any, pc: int) -> bool:
    """Whether the step that starts here would do anything: options and questions without a point are not put."""
    op, a, b = r.program[g.program, pc, 0], r.program[g.program, pc, 1], r.program[g.program, pc, 2]
    if w.PICK_ERA <= op <= w.PICK_ROW:
        return bool(candidates(g, r, op, a, b) != 0)
    if op == w.ENERGY_EACH:
        return bool(worthy_eras(g, r, eras_at(g, b), w.FOR_ENERGY) != 0)
    if op == w.RIFTS_EACH:
        return bool(worthy_eras(g, r, eras_at(g, b), w.FOR_RIFTS) != 0)
    if op == w.DRAW:
        return bool(can_draw(g, r, g.actor))
    return True


@njit
def useful_options(g: Any, r: Any, options: int) -> int:
    """The options that would do something; the first one if none would."""
    found = 0
    for option in range(options):
        jump = g.pc + 1 + option
        if does_something(g, r, jump + 1 + r.program[g.program, jump, 3]):
            found |= 1 << option
    return found if found != 0 else 1
