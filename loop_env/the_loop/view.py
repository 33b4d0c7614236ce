"""A record in words: what a person at the table sees, and what each action means.

The view uses the words of `position`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.the_loop.actions import ACTIONS
from loop_env.the_loop.data import Data
from loop_env.the_loop.names import (
    CHOICES,
    DIMENSIONS,
    DRAFT_PHASE,
    EACH_ERA_ONCE,
    ERAS,
    NO_CHOICE,
    OUTCOMES,
    PHASES,
    TAKE_PHASE,
)
from loop_env.the_loop.state import (
    ABILITIES,
    ARSENAL,
    BAG,
    DECK,
    DESTROYED,
    DISCARD,
    DRAFT,
    FACE_DOWN,
    HAND,
    N_CLONES,
    N_ERAS,
    N_TOKENS,
    STRIKES,
)


class Words:
    """Speaks of a record in the words of its data."""

    def __init__(self, data: Data, rules: np.ndarray) -> None:
        self.data, self.rules = data, rules

    # -- names -------------------------------------------------------------------------------------
    def agent(self, g: Any, seat: int) -> str:
        """The agent who sits here."""
        return self.data.agents[g.agent[seat]].id

    def acting(self, g: Any) -> str:
        """The name of the agent who decides."""
        return self.data.agents[g.agent[g.actor]].name

    def card(self, card: int) -> str:
        """A card's name."""
        return self.data.artefacts[card].name

    def mission(self, mission: int) -> str:
        """A mission's id."""
        return self.data.missions[mission].id

    def hand(self, g: Any, seat: int) -> list[int]:
        """A player's cards."""
        return g.hand[seat, : g.pile_size[HAND + seat]].tolist()

    def row(self, g: Any) -> list[int]:
        """The cards on show."""
        if g.pile_size[DRAFT] > 0:
            return g.draft[: g.pile_size[DRAFT]].tolist()
        if g.row_agent >= 0:
            return self.hand(g, g.row_agent)
        era = g.row_era if g.row_era >= 0 else g.at[g.actor]
        return g.available[era, : g.available_size[era]].tolist()

    def action(self, g: Any, action: int) -> str:
        """What an action means now."""
        block, place = ACTIONS.block_of(action)
        here = int(g.at[g.actor])
        if block.name == "hand":
            verb = "play" if g.choice == NO_CHOICE else "card"
            hand = self.hand(g, g.actor)
            return f"{verb}: {self.card(hand[place])}" if place < len(hand) else f"{verb}: empty place {place}"
        if block.name == "row":
            verb = {TAKE_PHASE: "take", DRAFT_PHASE: "draft"}.get(int(g.phase), "card")
            row = self.row(g)
            return f"{verb}: {self.card(row[place])}" if place < len(row) else f"{verb}: empty place {place}"
        if block.name == "move":
            return f"move: {ERAS[(here + (1 if place else -1)) % N_ERAS]}"
        if block.name in ("free_move", "era"):
            return f"{block.name.replace('_', ' ')}: {ERAS[(here + place) % N_ERAS]}"
        if block.name == "loop":
            return f"loop: {DIMENSIONS[place]}"
        if block.name == "clone":
            era, doom = divmod(place, N_ERAS)
            return f"clone: {ERAS[(here + era) % N_ERAS]} to {ERAS[(here + doom) % N_ERAS]}"
        if block.name == "supa_clone":
            return f"supa clone: {ERAS[(here + place) % N_ERAS]}"
        if block.name == "agent":
            return f"agent: {self.agent(g, (g.actor + place) % g.players)}" if place < g.players else "agent: nobody"
        if block.name == "option":
            return f"option: {self.option(g, place)}"
        return block.name.replace("_", " ")

    def option(self, g: Any, option: int) -> str:
        """An option of the effect under way."""
        labels = self.program(g).labels.get(int(g.pc), []) if g.program >= 0 else []
        return labels[option] if option < len(labels) else f"number {option + 1}"

    def program(self, g: Any) -> Any:
        """The effect under way."""
        return self.source(g).program

    def source(self, g: Any) -> Any:
        """Whose effect is under way: a card's, an agent's or the ultramachina's."""
        if g.program < ABILITIES:
            return self.data.artefacts[g.program]
        if g.program < STRIKES:
            return self.data.agents[g.program - ABILITIES]
        return self.data.ultramachina[g.program - STRIKES]

    # -- the table ---------------------------------------------------------------------------------
    def view(self, g: Any) -> dict[str, Any]:
        """The position as a plain dict."""
        seats = range(g.players)
        names = [self.agent(g, seat) for seat in seats]
        return {
            "mode": self.data.modes[g.mode].id,
            "level": self.data.levels[g.level].number,
            "solo": bool(g.solo),
            "phase": PHASES[g.phase],
            "cycle": min(int(g.cycle) + 1, self.data.numbers.cycles),
            "turn": self.turn(g),
            "outcome": OUTCOMES[g.outcome],
            "archived": int(g.archived),
            "agents": names,
            "active": names[g.active],
            "acting": names[g.actor],
            "waits_for": CHOICES[g.choice],
            "effect": self.effect(g),
            "foo": ERAS[g.foo],
            "foo_left": [ERAS[era] for era in range(N_ERAS) if g.foo_deck[era]],
            "at": {name: ERAS[g.at[seat]] for seat, name in enumerate(names)},
            "battery": {name: bool(g.battery[seat]) for seat, name in enumerate(names)},
            "rifts": by_era(g.rifts),
            "fallen": by_era(g.fallen),
            "energy": by_era(g.energy),
            "clones": self.clones(g),
            "supa_clones": self.clones(g, N_CLONES, N_TOKENS),
            "centrifuges": [ERAS[era] for era in range(N_ERAS) if g.centrifuge[era]],
            "eternal": by_era(g.eternal),
            "machina": self.machina(g),
            "machina_left": [c.name for i, c in enumerate(self.data.ultramachina) if not g.machina_seen[i]],
            "vortices": [ERAS[era] for era in range(N_ERAS) if g.vortex[era]],
            "risk": {era: round(float(risk), 4) for era, risk in zip(ERAS, g.risk, strict=True)},
            "tiles": {ERAS[era]: self.tile(g, era) for era in range(N_ERAS)},
            "damage": {ERAS[era]: self.damage(g, era) for era in range(N_ERAS) if g.tile[era] >= 0},
            "hand": {name: [self.card(c) for c in self.hand(g, seat)] for seat, name in enumerate(names)},
            "exhausted": [self.card(c) for seat in seats for c in self.hand(g, seat) if not g.ready[c]],
            "deck": {name: int(g.pile_size[DECK + g.deck_of[seat]]) for seat, name in enumerate(names)},
            "top_of_deck": {name: self.known(g, DECK + g.deck_of[seat]) for seat, name in enumerate(names)},
            "discard": {name: self.pile(g, DISCARD + g.deck_of[seat]) for seat, name in enumerate(names)},
            "available": [self.card(c) for era in range(N_ERAS) for c in g.available[era, : g.available_size[era]]],
            "draft": [self.card(c) for c in g.draft[: g.pile_size[DRAFT]]],
            "arsenal": int(g.pile_size[ARSENAL]),
            "destroyed": self.pile(g, DESTROYED),
            "supply": {
                "rifts": int(g.rift_supply),
                "energy": int(g.energy_supply),
                "eternal": int(g.eternal_supply),
            },
            "bag": int((g.clone_at[:N_CLONES] == BAG).sum()),
            "loops": int(g.loops),
            "actions": int(g.actions),
        }  # fmt: skip

    def turn(self, g: Any) -> int:
        """The turn under way, or the last one."""
        return min(int(g.turn) + 1, self.data.numbers.cycles * N_ERAS)

    def effect(self, g: Any) -> str | None:
        """The name of the card, or of the agent, whose effect is under way."""
        return None if g.program < 0 else self.source(g).name

    def machina(self, g: Any) -> str | None:
        """The ultramachina card that bends this turn."""
        return self.data.ultramachina[g.machina - 1].name if g.machina else None

    def clones(self, g: Any, first: int = 0, last: int = N_CLONES) -> list[tuple[str, str]]:
        """Where each clone stands, and its destroy era."""
        r = self.rules[0]
        standing = [(int(g.clone_at[c]), int(r.doom[c])) for c in range(first, last) if g.clone_at[c] >= 0]
        return [(ERAS[era], ERAS[doom]) for era, doom in sorted(standing)]

    def tile(self, g: Any, era: int) -> str | None:
        """The era's tile: a mission, "face down", or none."""
        if g.tile[era] == FACE_DOWN:
            return "face down"
        return self.mission(g.tile[era]) if g.tile[era] >= 0 else None

    def damage(self, g: Any, era: int) -> int | list[str]:
        """An open tile's damage: a number, or the eras that have counted."""
        if self.rules[0].scope[g.tile[era]] == EACH_ERA_ONCE:
            return [ERAS[other] for other in range(N_ERAS) if g.damaged_eras[era] >> other & 1]
        return int(g.damage[era])

    def pile(self, g: Any, pile: int) -> list[str]:
        """The cards of an open pile."""
        return [self.card(int(c)) for c in np.flatnonzero(g.place == pile)]

    def known(self, g: Any, pile: int) -> list[str]:
        """The cards on top of a deck that the table knows, the top one first."""
        cards = [int(c) for c in np.flatnonzero((g.place == pile) & (g.known > 0))]
        return [self.card(c) for c in sorted(cards, key=lambda c: -g.known[c])]


def by_era(numbers: Any) -> dict[str, int]:
    """Seven numbers with the eras' names."""
    return {era: int(number) for era, number in zip(ERAS, numbers, strict=True)}
