"""Setting up a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below, draw_one, seed_streams, shuffle
from loop_env.engine.piles import put
from loop_env.the_loop.board import reveal_card, spawn_clone
from loop_env.the_loop.hands import fill_hand
from loop_env.the_loop.missions import OPEN_MISSIONS, open_tile
from loop_env.the_loop.modes import place_centrifuges, place_supa_clones
from loop_env.the_loop.state import ARSENAL, DECK, N_AGENTS, N_CARDS, N_ERAS, NOBODY, SETUP_LUCK
from loop_env.the_loop.turn import get_ready


@njit
def new_game(g: Any, r: Any, seed: Any) -> None:
    """Set up a blank record and play the first Foo phase, up to the first decision."""
    g.seed = seed
    seed_streams(g.luck, seed)
    draw_setting(g, r)
    g.rift_supply, g.energy_supply = r.rift_cubes, r.energy_cubes
    g.eternal_supply = r.eternal_energy[g.mode, g.level]
    seat_agents(g, r)
    lay_out_rifts_and_energy(g, r)
    column = 0 if g.solo else g.players - 1
    for _ in range(r.setup_clones[column] + r.extra_clones[g.level]):
        spawn_clone(g, r)
    for _ in range(r.setup_cards[column]):
        reveal_card(g, r)
    place_supa_clones(g, r, r.supa_clones[g.mode, g.level])
    place_centrifuges(g, r.centrifuges[g.mode, g.level])
    if not g.solo:
        for seat in range(g.players):
            fill_hand(g, r, seat)
    g.active = draw_below(g.luck, SETUP_LUCK, g.players)
    get_ready(g, r)


@njit
def draw_setting(g: Any, r: Any) -> None:
    """What is played: the mode, the level, how many agents, and whether by one player."""
    g.mode = draw_one(g.luck, SETUP_LUCK, r.mode_odds)
    g.level = draw_one(g.luck, SETUP_LUCK, r.level_odds)
    g.players = 1 + draw_one(g.luck, SETUP_LUCK, r.agents_odds)
    g.solo = draw_one(g.luck, SETUP_LUCK, r.solo_odds)


@njit
def seat_agents(g: Any, r: Any) -> None:
    """Every player gets an agent, its pawn, a charged battery and six cards; the arsenal gets its own."""
    agents = np.arange(N_AGENTS)
    shuffle(g.luck, SETUP_LUCK, agents, N_AGENTS)
    for seat in range(g.players):
        agent = r.seats[seat] if r.seats[seat] != NOBODY else agents[seat]
        g.agent[seat] = agent
        g.at[seat] = r.start[agent]
        g.battery[seat] = 1
        if g.solo:
            g.deck_of[seat] = 0
        whose = g.deck_of[seat]
        for card in range(N_CARDS):
            if r.owner[card] == agent:
                put(g, card, DECK + whose)
                g.owned[whose, r.dimension[card]] += 1
    for card in range(N_CARDS):
        if r.owner[card] == NOBODY:
            put(g, card, ARSENAL)


@njit
def lay_out_rifts_and_energy(g: Any, r: Any) -> None:
    """Foo's first cards bring a rift and an open mission each; every other era gets energy. Then he shuffles."""
    g.tile[:] = -1
    eras = np.arange(N_ERAS)
    shuffle(g.luck, SETUP_LUCK, eras, N_ERAS)
    for i in range(N_ERAS):
        era = eras[i]
        if i < r.start_rifts[g.level]:
            g.rifts[era] = 1
            g.rift_supply -= 1
            if i < OPEN_MISSIONS:
                open_tile(g, era)
        else:
            g.energy[era] = 1
            g.energy_supply -= 1
    g.foo_deck[:] = 1
