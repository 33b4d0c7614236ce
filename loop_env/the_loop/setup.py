"""Setting up a game."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below, seed_streams, shuffle
from loop_env.engine.piles import put
from loop_env.the_loop.board import reveal_card, spawn_clone
from loop_env.the_loop.hands import fill_hand
from loop_env.the_loop.missions import OPEN_MISSIONS, open_tile
from loop_env.the_loop.state import ARSENAL, DECK, N_AGENTS, N_CARDS, N_ERAS, NOBODY, SETUP_LUCK
from loop_env.the_loop.turn import begin_turn, get_ready


@njit
def new_game(g: Any, r: Any, seed: Any) -> None:
    """Set up a blank record and play the first Foo phase, up to the first decision."""
    g.seed = seed
    seed_streams(g.luck, seed)
    g.mode, g.level, g.players = r.mode, r.level, r.players
    g.rift_supply, g.energy_supply = r.rift_cubes, r.energy_cubes
    seat_agents(g, r)
    lay_out_rifts_and_energy(g, r)
    for _ in range(r.setup_clones[g.players - 1] + r.extra_clones[g.level]):
        spawn_clone(g, r)
    for _ in range(r.setup_cards[g.players - 1]):
        reveal_card(g, r)
    for seat in range(g.players):
        fill_hand(g, r, seat)
    g.active = draw_below(g.luck, SETUP_LUCK, g.players)
    begin_turn(g, r)
    get_ready(g, r)


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
        for card in range(N_CARDS):
            if r.owner[card] == agent:
                put(g, card, DECK + seat)
                g.owned[seat, r.dimension[card]] += 1
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
