"""The interpreter of effects. It runs a program until it ends or until a player must choose.

With a single candidate nobody is asked; what there is to choose from is worked out in `choices.py`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.arrays import places_above_zero, total
from loop_env.engine.jit import njit
from loop_env.engine.piles import NO_CARD
from loop_env.the_loop import language as w
from loop_env.the_loop.board import (
    add_energy,
    destroy_clone,
    destroy_newest_cards,
    drain,
    is_mega_vortex,
    lose_energy,
    put_clone,
    remove_available,
    remove_rifts,
    reveal_card,
    walk_clone,
)
from loop_env.the_loop.choices import (
    candidates,
    clone_of_kind,
    clones_elsewhere,
    does_something,
    eras_at,
    has_one,
    kind_of,
    lowest,
    useful_options,
)
from loop_env.the_loop.hands import destroy_card, draw_card, gain_card, lose_card
from loop_env.the_loop.missions import lose_damage, stands_at
from loop_env.the_loop.names import (
    CHOOSE_AGENT,
    CHOOSE_CLONE,
    CHOOSE_ERA,
    CHOOSE_HAND,
    CHOOSE_OPTION,
    CHOOSE_ROW,
    NO_CHOICE,
    YES_NO,
)
from loop_env.the_loop.state import DISCARD, N_ERAS, NO_ANSWER, NO_PROGRAM

DECLINED = -2  # the answer "no"

ASKS_FOR = np.zeros(len(w.OPERATIONS), np.int8)  # what a player is asked for by an instruction
ASKS_FOR[[w.PICK_ERA, w.PICK_TARGET, w.PICK_DROP]] = CHOOSE_ERA
ASKS_FOR[[w.PICK_CLONE, w.PICK_SECOND, w.PICK_ORDER]] = CHOOSE_CLONE
ASKS_FOR[w.PICK_AGENT], ASKS_FOR[w.PICK_HAND], ASKS_FOR[w.PICK_ROW] = CHOOSE_AGENT, CHOOSE_HAND, CHOOSE_ROW
ASKS_FOR[w.PICK_OPTION], ASKS_FOR[w.ASK] = CHOOSE_OPTION, YES_NO


# -- choosing ------------------------------------------------------------------------------------
@njit
def choose(g: Any, r: Any, op: int, a: int, b: int, c: int) -> bool:
    """Get past an instruction that needs a choice. Returns False if a player must be asked first."""
    if g.answer == NO_ANSWER:
        if op == w.ASK:
            found = 1 if does_something(g, r, g.pc + 1) else 0
        elif op == w.PICK_OPTION:
            found = useful_options(g, r, a)
        else:
            found = candidates(g, r, op, a, b)
        if found == 0:
            g.pc += 1 + c
            return True
        may_decline = op == w.ASK or (op == w.PICK_CLONE and b == w.YOU_MAY)
        if may_decline or not has_one(found):
            ask(g, op, a, found, may_decline)
            return False
        g.answer = lowest(found)
    answer = int(g.answer)
    g.answer = NO_ANSWER
    if answer == DECLINED:
        g.pc += 1 + c
    elif op == w.PICK_OPTION:
        g.pc += 1 + answer
    else:
        remember(g, r, op, answer)
        g.pc += 1
    return True


@njit
def ask(g: Any, op: int, a: int, found: int, may_decline: bool) -> None:
    """Leave a choice to the player."""
    g.choice = ASKS_FOR[op]
    g.choices = np.uint64(found)
    g.optional = may_decline
    g.row_era = g.chosen_era if op == w.PICK_ROW and a == w.AVAILABLE_CARDS else -1
    g.row_agent = g.chosen_agent if op == w.PICK_ROW and a == w.AGENTS_CARDS else -1


@njit
def remember(g: Any, r: Any, op: int, answer: int) -> None:
    """Put what was chosen into its register."""
    if op == w.PICK_ERA or op == w.PICK_DROP:
        g.chosen_era = answer
    elif op == w.PICK_TARGET:
        g.chosen_target = answer
    elif op == w.PICK_AGENT:
        g.chosen_agent = answer
    elif op == w.PICK_HAND or op == w.PICK_ROW:
        g.chosen_slot = answer
    elif op == w.PICK_CLONE:
        g.chosen_clone = clone_of_kind(g, r, answer)
    elif op == w.PICK_SECOND:
        g.chosen_second = clone_of_kind(g, r, answer)
    elif op == w.PICK_ORDER and answer != kind_of(g, r, g.chosen_clone):
        g.chosen_clone, g.chosen_second = g.chosen_second, g.chosen_clone


# -- doing ---------------------------------------------------------------------------------------
@njit
def times(g: Any, per: int) -> int:
    """How often "for each" applies."""
    here = g.at[g.actor]
    if per == w.PER_CLONE:
        return int(g.clones[here])
    if per == w.PER_AGENT:
        count = -1  # not the agent who applies the effect
        for seat in range(g.players):
            if g.at[seat] == here:
                count += 1
        return count
    if per == w.PER_VORTEX:
        return total(g.vortex)
    if per == w.PER_RIFT:
        return int(g.rifts[here])
    return 1


@njit
def holds(g: Any, r: Any, condition: int, place: int) -> bool:
    """Whether an "if" is true."""
    here = g.at[g.actor]
    if condition == w.IF_COMPANY:
        return bool(stands_at(g, here, g.actor))
    if condition == w.IF_PUSHED:
        return bool(g.went >= 0)
    if condition == w.IF_AT_FOO:
        return bool(here == g.foo)
    if condition == w.IF_CLONES:
        return bool(clones_elsewhere(g, r, place) != 0)
    return bool(g.vortex[here])


@njit
def move_cubes(g: Any, r: Any, op: int, a: int, b: int) -> None:
    """Add energy or remove rifts: here or there, in each of several eras, or up and down to another number."""
    era = int(g.chosen_era)
    if op == w.ENERGY:
        add_energy(g, r, era, a * times(g, b))
    elif op == w.RIFTS:
        remove_rifts(g, r, era, a * times(g, b))
    elif op == w.LEVEL_ENERGY:
        add_energy(g, r, era, (g.rifts[era] if a == w.TO_RIFTS else g.clones[era]) - g.energy[era])
    elif op == w.LEVEL_RIFTS:
        remove_rifts(g, r, era, g.rifts[era] - (g.energy[era] if a == w.TO_ENERGY else g.clones[era]))
    else:
        eras = eras_at(g, b)
        for each in range(N_ERAS):
            if (eras >> each) & 1 and op == w.ENERGY_EACH:
                add_energy(g, r, each, a)
            elif (eras >> each) & 1:
                remove_rifts(g, r, each, a)


@njit
def move_things(g: Any, r: Any, op: int, a: int) -> None:
    """Move clones and agents."""
    here = g.at[g.actor]
    if op == w.MOVE_CLONE:
        to = here if a == w.TO_ACTOR else g.chosen_target if a == w.TO_TARGET else g.chosen_era
        ended = walk_clone(g, r, g.chosen_clone, int(to))
        if a == w.TO_TARGET:
            g.went = ended
    elif op == w.KILL_CLONE:
        destroy_clone(g, r, g.chosen_clone)
    elif op == w.MOVE_ACTOR:
        g.at[g.actor] = g.chosen_target
    elif op == w.MOVE_OTHER:
        g.at[g.chosen_agent] = g.chosen_era if a == w.TO_CHOSEN else g.chosen_target
    elif op == w.SWAP_AGENTS:
        g.at[g.actor] = g.at[g.chosen_agent]
        g.at[g.chosen_agent] = here
    else:
        first, second = g.clone_at[g.chosen_clone], g.clone_at[g.chosen_second]
        put_clone(g, r, g.chosen_clone, second)
        put_clone(g, r, g.chosen_second, first)


@njit
def swap_cubes(g: Any, r: Any, op: int) -> None:
    """All cubes of one colour change places between the agent's era and the chosen one; none is added or removed."""
    here, there = int(g.at[g.actor]), int(g.chosen_era)
    if op == w.SWAP_RIFTS:
        g.risk_is_old = 1
        g.rifts[here], g.rifts[there] = g.rifts[there], g.rifts[here]
        return
    g.energy[here], g.energy[there] = g.energy[there], g.energy[here]
    g.eternal[here], g.eternal[there] = g.eternal[there], g.eternal[here]
    for era in (here, there):
        if is_mega_vortex(g, r, era):
            drain(g, era)


@njit
def draw_cards(g: Any, r: Any, amount: int) -> None:
    """Draw, and note the origin of the last card."""
    for _ in range(amount):
        card = draw_card(g, r, g.actor)
        if card != NO_CARD:
            g.origin = r.card_origin[card]


@njit
def handle_cards(g: Any, r: Any, op: int, a: int) -> None:
    """Draw, discard, destroy, ready, reveal, take."""
    if op == w.DRAW:
        draw_cards(g, r, a)
    elif op == w.DISCARD:
        lose_card(g, g.actor, g.chosen_slot, DISCARD + g.deck_of[g.actor])
    elif op == w.DESTROY:
        destroy_card(g, r, g.actor, g.chosen_slot)
    elif op == w.READY:
        g.ready[g.hand[g.actor, g.chosen_slot]] = 1
    elif op == w.REVEAL:
        for _ in range(a):
            reveal_card(g, r)
    else:
        gain_card(g, r, g.actor, remove_available(g, g.chosen_era, g.chosen_slot))


@njit
def suffer(g: Any, op: int, a: int) -> None:
    """What the machine does to the agents."""
    if op == w.EXHAUST:
        g.ready[g.hand[g.actor, g.chosen_slot]] = 0
    elif op == w.DESTROY_NEWEST:
        destroy_newest_cards(g)
    elif op == w.LOSE_ENERGY:
        lose_energy(g, places_above_zero(g.clones), a)
    elif op == w.LOSE_DAMAGE:
        lose_damage(g, a)
    else:
        for seat in range(g.players):
            g.at[seat] = (g.at[seat] - a) % N_ERAS


@njit
def begin_effect(g: Any, program: int) -> None:
    """Start a program with empty registers."""
    g.program, g.pc = program, 0
    g.went, g.origin = -1, -1
    g.chosen_era, g.chosen_agent, g.chosen_clone = -1, -1, -1


@njit
def play_another(g: Any, op: int, whose: int) -> None:
    """Apply the chosen card of the row, then come back. "Let play": its owner applies it."""
    g.outer_program, g.outer_pc = g.program, g.pc
    if whose == w.AGENTS_CARDS:
        card = g.hand[g.chosen_agent, g.chosen_slot]
        g.ready[card] = 0
    else:
        card = g.available[g.chosen_era, g.chosen_slot]
    if op == w.LET_PLAY:
        g.actor = g.chosen_agent
    begin_effect(g, card)


@njit
def end_effect(g: Any) -> bool:
    """The program is done. Returns False if another waits to go on."""
    if g.outer_program == NO_PROGRAM:
        g.program = NO_PROGRAM
        return True
    g.program, g.pc = g.outer_program, g.outer_pc
    g.outer_program = NO_PROGRAM
    g.actor = g.active
    return False


@njit
def next_player(g: Any, body: int) -> None:
    """Go back for the next player round the table; the last "next" leads to the player who began."""
    g.rounds -= 1
    g.actor = (g.actor + 1) % g.players
    g.pc = g.pc - body if g.rounds > 0 else g.pc + 1


@njit
def run_effect(g: Any, r: Any) -> bool:
    """Go on with the effect. Returns False if a player must choose, True when all is done."""
    while True:
        line = r.program[g.program, g.pc]
        op, a, b, c = int(line[0]), int(line[1]), int(line[2]), int(line[3])
        if op == w.END:
            if end_effect(g):
                return True
        elif w.PICK_ERA <= op <= w.ASK:
            if not choose(g, r, op, a, b, c):
                return False
        elif op == w.JUMP:
            g.pc += 1 + c
        elif op == w.CHECK:
            g.pc += 1 if holds(g, r, a, b) else 1 + c
        elif op == w.NEXT_PLAYER:
            next_player(g, c)
        else:
            g.pc += 1
            do(g, r, op, a, b)


@njit
def do(g: Any, r: Any, op: int, a: int, b: int) -> None:
    """Carry out an instruction that needs no choice."""
    if op <= w.LEVEL_RIFTS:
        move_cubes(g, r, op, a, b)
    elif op <= w.SWAP_CLONES:
        move_things(g, r, op, a)
    elif op <= w.SWAP_RIFTS:
        swap_cubes(g, r, op)
    elif op == w.EACH_PLAYER:
        g.rounds = g.players
    elif op <= w.TAKE:
        handle_cards(g, r, op, a)
    elif op <= w.THROW_BACK:
        suffer(g, op, a)
    else:
        play_another(g, op, a)


@njit
def answer_effect(g: Any, r: Any, answer: int) -> bool:
    """A player has chosen: go on."""
    g.answer, g.choice = answer, NO_CHOICE
    g.row_era, g.row_agent = -1, -1
    return bool(run_effect(g, r))
