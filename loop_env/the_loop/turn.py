"""A turn: Foo's phase, actions, one card, one tile, the end. And a decision: one step of the environment."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import none_is_zero, places_above_zero, total
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_place
from loop_env.engine.piles import NO_CARD, append, close_up, put
from loop_env.the_loop.actions import (
    A_ABILITY,
    A_ARCHIVE,
    A_FREE_MOVE,
    A_HAND,
    A_LOOP,
    A_MOVE,
    A_NO,
    A_ROW,
    A_SHUT_DOWN,
    A_STOP,
    A_TAKE_NOTHING,
    A_YES,
    chosen,
    list_legal,
    loop_cost,
)
from loop_env.the_loop.board import (
    add_eternal_energy,
    cancel_rifts,
    destroy_cards_at_vortices,
    draw_from_arsenal,
    drop_rifts,
    end_game,
    place_rifts,
    remove_available,
    reveal_card,
    spawn_clone,
    spawn_clone_at_foo,
    spend_energy,
)
from loop_env.the_loop.effects import DECLINED, answer_effect, begin_effect, run_effect
from loop_env.the_loop.hands import discard_hand, fill_hand, gain_card
from loop_env.the_loop.missions import can_archive, check_positions, damage_tiles, keep_two_missions_open, remove_tile
from loop_env.the_loop.modes import (
    goal_is_reached,
    place_supa_clones,
    reveal_machina,
    shut_down,
    swallow_energy,
)
from loop_env.the_loop.names import (
    ACTION_PHASE,
    ARCHIVE_PHASE,
    DEAL_PHASE,
    DRAFT_PHASE,
    FOO_PHASE,
    GAME_OVER,
    LOOP_MADE,
    NO_CHOICE,
    OUT_OF_TIME,
    TAKE_PHASE,
    WON,
    YES_NO,
)
from loop_env.the_loop.risk import update_risk
from loop_env.the_loop.solo import deal_cards, give_dealt_card
from loop_env.the_loop.state import ABILITIES, DESTROYED, DRAFT, FOO_LUCK, HAND, N_ERAS, NO_PROGRAM, NOBODY, STRIKES


# -- I. Foo's phase ------------------------------------------------------------------------------
@njit
def begin_turn(g: Any, r: Any) -> None:
    """New clones and cards; Foo travels; rifts fall."""
    g.actor = g.active
    g.loops, g.kills, g.actions, g.ability_used = 0, 0, 0, 0
    g.damage_this_turn[:] = 0
    reveal_machina(g, r)
    clones = int(r.new_clones[g.level, g.cycle])
    at_foo = min(clones, r.clones_at_foo[g.machina])
    for _ in range(clones - at_foo):
        spawn_clone(g, r)
    for _ in range(r.new_cards[g.level, g.cycle]):
        reveal_card(g, r)
    destroy_cards_at_vortices(g)
    g.foo = draw_foo_card(g)
    g.risk_is_old = 1
    for _ in range(at_foo):
        spawn_clone_at_foo(g, r)
    drop_rifts(g, r, r.cubes[g.level] + r.more_cubes[g.machina] + g.weight[g.foo])
    seat = who_may_cancel(g, r)
    if seat == NOBODY:
        after_the_drop(g, r)
    else:
        g.actor = seat
        g.choice, g.optional = YES_NO, 1


@njit
def who_may_cancel(g: Any, r: Any) -> int:
    """The seat whose agent may cancel a rift. Solo, before cards are dealt, it is every agent's turn."""
    for seat in range(g.players):
        if (g.solo or seat == g.active) and r.cancels_rifts[g.agent[seat]] > 0 and g.fallen[g.at[seat]] > 0:
            return seat
    return NOBODY


@njit
def draw_foo_card(g: Any) -> int:
    """The next era that Foo travels to: one whose card is still in his deck."""
    era = int(draw_place(g.luck, FOO_LUCK, places_above_zero(g.foo_deck)))
    g.foo_deck[era] = 0
    return era


@njit
def decide_to_cancel(g: Any, r: Any, action: int) -> None:
    """Time Prowler has made up her mind."""
    g.choice = NO_CHOICE
    if action == A_YES:
        cancel_rifts(g, g.at[g.actor], r.cancels_rifts[g.agent[g.actor]])
    after_the_drop(g, r)


@njit
def after_the_drop(g: Any, r: Any) -> None:
    """The rifts take their slots; vortices open; the agents' turn comes."""
    place_rifts(g, r)
    if g.phase == GAME_OVER:
        return
    swallow_energy(g)
    keep_two_missions_open(g)
    g.foo = (g.foo + r.machine_turns[g.machina]) % N_ERAS
    if not g.solo or deal_cards(g, r):
        begin_actions(g, r)


@njit
def deal(g: Any, r: Any, action: int) -> None:
    """The solo player has chosen who gets the card on show."""
    give_dealt_card(g, chosen(g, action))
    if deal_cards(g, r):
        begin_actions(g, r)


@njit
def begin_actions(g: Any, r: Any) -> None:
    """The action phase; the ultramachina strikes first (see `get_ready`)."""
    g.phase = ACTION_PHASE
    g.actor = g.active
    if r.strikes[g.machina]:
        g.charged = none_is_zero(g.energy)
        begin_effect(g, STRIKES + g.machina - 1)


# -- II. actions ---------------------------------------------------------------------------------
@njit
def act(g: Any, r: Any, action: int) -> None:
    """Begin an action: card, move, LOOP, shutdown, ability, or stop. Positions count before and after it."""
    seat = g.active
    here = int(g.at[seat])
    check_positions(g, r)
    if action == A_STOP:
        begin_taking(g, r)
        return
    g.actions += 1
    g.charged = none_is_zero(g.energy)
    if A_HAND <= action < A_ROW:
        card = g.hand[seat, action - A_HAND]
        g.ready[card] = 0
        g.total_plays += 1
        begin_effect(g, card)
    elif A_LOOP <= action < A_ABILITY:
        make_loop(g, r, action - A_LOOP)
    elif action == A_SHUT_DOWN:
        shut_down(g, r)
    elif action == A_ABILITY:
        g.ability_used = 1
        begin_effect(g, ABILITIES + g.agent[seat])
    elif A_FREE_MOVE <= action < A_LOOP:
        g.battery[seat] = 0
        g.at[seat] = (here + action - A_FREE_MOVE) % N_ERAS
    else:
        spend_energy(g, here, 1)
        g.at[seat] = (here + (1 if action > A_MOVE else -1)) % N_ERAS
    if g.program < 0 or run_effect(g, r):
        after_action(g, r)


@njit
def make_loop(g: Any, r: Any, dimension: int) -> None:
    """Every card of the dimension in the active hand becomes ready."""
    seat = g.active
    here = int(g.at[seat])
    spend_energy(g, here, loop_cost(g, r))
    g.loops += 1
    g.total_loops += 1
    for slot in range(g.pile_size[HAND + seat]):
        card = g.hand[seat, slot]
        if r.dimension[card] == dimension:
            g.ready[card] = 1
    damage_tiles(g, r, LOOP_MADE, here)


@njit
def after_action(g: Any, r: Any) -> None:
    """Between two actions."""
    destroy_cards_at_vortices(g)
    check_positions(g, r)
    if goal_is_reached(g, r):
        end_game(g, WON)


@njit
def go_on_with_effect(g: Any, r: Any, action: int) -> None:
    """The player has answered what the effect waited for."""
    answer = DECLINED if action == A_NO else chosen(g, action)
    if answer_effect(g, r, answer):
        after_action(g, r)


# -- III. take one card --------------------------------------------------------------------------
@njit
def begin_taking(g: Any, r: Any) -> None:
    """Ask which card to take, if there is one in the agent's era."""
    g.phase = TAKE_PHASE
    if g.available_size[g.at[g.active]] == 0:
        begin_archiving(g, r)


@njit
def take(g: Any, r: Any, action: int) -> None:
    """The card goes face down on top of the deck."""
    if action != A_TAKE_NOTHING:
        gain_card(g, r, g.active, remove_available(g, g.at[g.active], action - A_ROW))
    begin_archiving(g, r)


# -- IV. archive one tile ------------------------------------------------------------------------
@njit
def begin_archiving(g: Any, r: Any) -> None:
    """Ask whether to archive, if the era's tile has enough damage."""
    g.phase = ARCHIVE_PHASE
    if not can_archive(g, r, g.at[g.active]):
        end_turn(g, r)


@njit
def archive(g: Any, r: Any, action: int) -> None:
    """The tile is archived; the last one wins at once if nothing else is left to do, any other brings a reward."""
    if action != A_ARCHIVE:
        end_turn(g, r)
        return
    remove_tile(g, g.at[g.active])
    g.archived += 1
    add_eternal_energy(g, r, g.at[g.active])
    if goal_is_reached(g, r):
        end_game(g, WON)
        return
    keep_two_missions_open(g)
    begin_draft(g, r)


@njit
def begin_draft(g: Any, r: Any) -> None:
    """Reveal one card more than there are players."""
    g.rounds = 1 if g.solo else g.players
    for _ in range(g.rounds + 1):
        card = draw_from_arsenal(g)
        if card != NO_CARD:
            append(g.draft, g.pile_size[DRAFT], card)
            put(g, card, DRAFT)
    g.phase = DRAFT_PHASE
    if g.pile_size[DRAFT] == 0:
        end_turn(g, r)


@njit
def draft(g: Any, r: Any, action: int) -> None:
    """A player takes a card to the top of their deck; after the last player the rest is destroyed."""
    slot = action - A_ROW
    card = int(g.draft[slot])
    close_up(g.draft, g.pile_size[DRAFT], slot)
    gain_card(g, r, g.actor, card)
    g.actor = (g.actor + 1) % g.players
    g.rounds -= 1
    if g.rounds == 0 or g.pile_size[DRAFT] == 0:
        while g.pile_size[DRAFT] > 0:
            card = int(g.draft[0])
            close_up(g.draft, g.pile_size[DRAFT], 0)
            put(g, card, DESTROYED)
        end_turn(g, r)


# -- V. end of turn ------------------------------------------------------------------------------
@njit
def end_turn(g: Any, r: Any) -> None:
    """Recharge, discard, draw; a new cycle if Foo's deck is empty; the next player's turn comes (see `get_ready`)."""
    g.battery[g.active] = 1
    discard_hand(g, g.active)
    if not g.solo:
        for step in range(g.players):
            fill_hand(g, r, (g.active + step) % g.players)
        g.active = (g.active + 1) % g.players
    g.turn += 1
    if total(g.foo_deck) == 0:
        g.cycle += 1
        if g.cycle == r.cycles:
            end_game(g, OUT_OF_TIME)
            return
        g.foo_deck[:] = 1
        place_supa_clones(g, r, r.supa_clones_per_cycle[g.mode, g.level])
    g.phase = FOO_PHASE


# -- one decision --------------------------------------------------------------------------------
@njit
def decide(g: Any, r: Any, action: int) -> None:
    """Carry out one decision, which must be a legal one, and go on to the next."""
    g.decisions += 1
    if g.phase == FOO_PHASE:
        decide_to_cancel(g, r, action)
    elif g.phase == DEAL_PHASE:
        deal(g, r, action)
    elif g.choice != NO_CHOICE:
        go_on_with_effect(g, r, action)
    elif g.phase == ACTION_PHASE:
        act(g, r, action)
    elif g.phase == TAKE_PHASE:
        take(g, r, action)
    elif g.phase == ARCHIVE_PHASE:
        archive(g, r, action)
    elif g.phase == DRAFT_PHASE:
        draft(g, r, action)
    get_ready(g, r)


@njit
def get_ready(g: Any, r: Any) -> None:
    """Before the next decision: what happens by itself, what can be done, and how great is the danger?

    A turn that begins and an effect that strikes are carried out here, not where they come up: what calls the other
    rules again is compiled once, not once for each way that leads to it.
    """
    if g.phase == FOO_PHASE and g.choice == NO_CHOICE:
        begin_turn(g, r)
    if g.program != NO_PROGRAM and g.choice == NO_CHOICE and run_effect(g, r):
        after_action(g, r)
    list_legal(g, r)
    if g.risk_is_old:
        update_risk(g, r)
