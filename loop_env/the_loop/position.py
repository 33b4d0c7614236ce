"""A table set up by hand: for tests, notebooks, and "what would the bot do here?"."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from loop_env.engine.luck import seed_streams
from loop_env.errors import UserError, suggest
from loop_env.the_loop.board import is_mega_vortex
from loop_env.the_loop.env import TheLoopEnv
from loop_env.the_loop.missions import put_damage
from loop_env.the_loop.modes import goal_is_reached
from loop_env.the_loop.names import ACTION_PHASE, EACH_ERA_ONCE, ERAS
from loop_env.the_loop.options import only
from loop_env.the_loop.recount import recount
from loop_env.the_loop.state import (
    ARSENAL,
    AVAILABLE,
    BAG,
    DECK,
    DESTROYED,
    DISCARD,
    FACE_DOWN,
    HAND,
    N_CLONES,
    N_ERAS,
    N_TOKENS,
    NO_TILE,
    blank_game,
)
from loop_env.the_loop.turn import get_ready

Cards = Mapping[str, Sequence[str]]


def position(
    agents: Sequence[str] = ("mister_time", "time_prowler"),
    *,
    active: str | None = None,
    foo: str = "dawn",
    foo_left: Iterable[str] | None = None,
    cycle: int = 1,
    at: Mapping[str, str] | None = None,
    battery: Mapping[str, bool] | None = None,
    rifts: Mapping[str, int] | None = None,
    energy: Mapping[str, int] | None = None,
    clones: Iterable[tuple[str, str]] = (),
    vortices: Iterable[str] = (),
    tiles: Mapping[str, str | None] | None = None,
    damage: Mapping[str, int | Iterable[str]] | None = None,
    archived: int = 0,
    hand: Cards | None = None,
    exhausted: Iterable[str] = (),
    top_of_deck: Cards | None = None,
    discard: Cards | None = None,
    available: Iterable[str] = (),
    destroyed: Iterable[str] = (),
    loops: int = 0,
    supa_clones: Iterable[tuple[str, str]] = (),
    centrifuges: Iterable[str] = (),
    eternal: Mapping[str, int] | None = None,
    machina: str | None = None,
    seed: int = 0,
    **options: Any,
) -> TheLoopEnv:
    """An environment that stands in the action phase of `active` (the first agent unless said otherwise).

    What is not said is empty: no rifts, no energy, no clones. Agents stand in their start eras with charged batteries;
    those without a `hand` draw one from their starting cards. Eras without a word in `tiles` have a face-down tile
    (None: no tile); the rule of two open missions is applied when it is next due. `foo_left` are Foo's cards still to
    come, by default all but his own. `eternal` says how much of the energy is eternal, `machina` which ultramachina
    card bends the turn. In a solo game only the active agent has a hand, unless said otherwise. `options` go to the
    environment, mode, level and solo among them.
    """
    if isinstance(agents, str) or not isinstance(agents, Sequence):
        raise UserError(f"agents = {agents!r} must be a list of agents")
    env = TheLoopEnv(agents=agents, **options)
    g = blank_game()[0]
    maker = _Maker(env, g, list(agents))
    maker.seats(active, at, battery)
    maker.time(foo, foo_left, cycle, archived, loops)
    maker.cubes(rifts, energy, eternal)
    maker.clones(clones, 0, N_CLONES)
    maker.clones(supa_clones, N_CLONES, N_TOKENS)
    maker.components(centrifuges, machina)
    maker.tiles(vortices, tiles, damage)
    maker.cards(hand, exhausted, top_of_deck, discard, available, destroyed)
    maker.finish(seed)
    return env


def listed(word: str, items: Any) -> Any:
    """Complain about a single thing where a list is meant."""
    if isinstance(items, str) or not isinstance(items, Iterable):
        raise UserError(f"{word} = {items!r} must be a list")
    return items


def whole(word: str, number: Any, low: int, high: int) -> int:
    """Complain about what is not a whole number within its limits."""
    if isinstance(number, bool) or not isinstance(number, int | np.integer) or not low <= number <= high:
        raise UserError(f"{word} = {number!r} must be a whole number from {low} to {high}")
    return int(number)


class _Maker:
    """Puts a table together piece by piece, and says what does not fit."""

    def __init__(self, env: TheLoopEnv, g: Any, agents: list[str]) -> None:
        self.env, self.g, self.agents = env, g, agents
        self.r = env.batch.rules[0]
        self.data = env.data

    def era(self, name: str) -> int:
        if name not in ERAS:
            raise UserError(f"era {name!r} is unknown{suggest(name, ERAS)}")
        return ERAS.index(name)

    def seat(self, agent: str) -> int:
        if agent not in self.agents:
            raise UserError(f"agent {agent!r} does not play here{suggest(agent, self.agents)}")
        return self.agents.index(agent)

    def seats(self, active: str | None, at: Any, battery: Any) -> None:
        g = self.g
        r = self.r
        g.mode, g.level, g.solo = only(r.mode_odds, "mode"), only(r.level_odds, "level"), only(r.solo_odds, "solo")
        g.players = len(self.agents)
        g.deck_of[:] = 0 if g.solo else g.deck_of
        g.agent[:] = r.seats
        for seat in range(g.players):
            g.at[seat] = self.r.start[g.agent[seat]]
            g.battery[seat] = 1
        for agent, era in (at or {}).items():
            g.at[self.seat(agent)] = self.era(era)
        for agent, charged in (battery or {}).items():
            g.battery[self.seat(agent)] = charged
        g.active = g.actor = self.seat(active) if active else 0
        g.phase = ACTION_PHASE

    def time(self, foo: str, foo_left: Iterable[str] | None, cycle: int, archived: int, loops: int) -> None:
        g = self.g
        whole("cycle", cycle, 1, int(self.r.cycles))
        whole("archived", archived, 0, N_ERAS)
        whole("loops", loops, 0, int(self.r.actions_per_turn))
        g.foo = self.era(foo)
        left = [self.era(e) for e in (ERAS if foo_left is None else foo_left)]
        g.foo_deck[left] = 1
        g.foo_deck[g.foo] = 0
        g.cycle = cycle - 1
        g.turn = g.cycle * N_ERAS + max(N_ERAS - 1 - int(g.foo_deck.sum()), 0)
        g.archived, g.loops = archived, loops

    def cubes(self, rifts: Any, energy: Any, eternal: Any) -> None:
        g, r = self.g, self.r
        for era, count in (rifts or {}).items():
            if whole(f"rifts in {era}", count, 0, 99) > r.rift_slots:
                raise UserError(f"rifts: {count} in {era}, but an era has {r.rift_slots} slots")
            g.rifts[self.era(era)] = count
        for era, count in (energy or {}).items():
            g.energy[self.era(era)] = whole(f"energy in {era}", count, 0, 99)
        for era, count in (eternal or {}).items():
            if whole(f"eternal energy in {era}", count, 0, 99) > g.energy[self.era(era)]:
                raise UserError(f"eternal: {count} in {era}, of {g.energy[self.era(era)]} energy")
            g.eternal[self.era(era)] = count
        forever, most = int(g.eternal.sum()), int(r.eternal_energy[g.mode, g.level])
        if forever > most:
            raise UserError(f"eternal: {forever} cubes, but this mode has {most}")
        cubes = int(g.energy.sum()) - forever
        if cubes > r.energy_cubes:
            raise UserError(f"energy: {cubes} cubes, but there are {r.energy_cubes}")
        g.eternal_supply = most - forever
        g.rift_supply, g.energy_supply = r.rift_cubes - int(g.rifts.sum()), r.energy_cubes - cubes

    def clones(self, clones: Iterable[tuple[str, str]], first: int, last: int) -> None:
        for clone in listed("clones", clones):
            if isinstance(clone, str) or len(clone) != 2:
                raise UserError(f"clones: {clone!r} must be a pair: where it stands and its destroy era")
            where, destroy = clone
            era, doom = self.era(where), self.era(destroy)
            if era == doom:
                raise UserError(f"clones: none can stand in its destroy era, {where}")
            free = [c for c in range(first, last) if self.g.clone_at[c] == BAG and self.r.doom[c] == doom]
            if not free:
                raise UserError(f"clones: there are no more with the destroy era {destroy}")
            self.g.clone_at[free[0]] = era

    def components(self, centrifuges: Iterable[str], machina: str | None) -> None:
        g, r = self.g, self.r
        for era in listed("centrifuges", centrifuges):
            g.centrifuge[self.era(era)] = 1
        if g.centrifuge.sum() > r.centrifuges[g.mode, g.level]:
            raise UserError(
                f"centrifuges: {g.centrifuge.sum()}, but this mode has {r.centrifuges[g.mode, g.level]} at this level"
            )
        if machina is not None:
            names = [card.name for card in self.data.ultramachina]
            if machina not in names:
                raise UserError(f"ultramachina card {machina!r} is unknown{suggest(machina, names)}")
            if not r.ultramachina_every[g.mode, g.level]:
                raise UserError(f"machina = {machina!r}, but this mode has no ultramachina cards")
            g.machina = names.index(machina) + 1
            g.machina_seen[g.machina - 1] = 1

    def tiles(self, vortices: Iterable[str], tiles: Any, damage: Any) -> None:
        g = self.g
        missions = [mission.id for mission in self.data.missions]
        g.tile[:] = FACE_DOWN
        for era in listed("vortices", vortices):
            g.vortex[self.era(era)] = 1
            g.tile[self.era(era)] = NO_TILE
        if g.vortex.sum() > self.r.vortex_tiles:
            raise UserError(f"vortices: {g.vortex.sum()}, but there are {self.r.vortex_tiles}: one more loses the game")
        for era in range(N_ERAS):
            if is_mega_vortex(g, self.r, era) and g.energy[era] > g.eternal[era]:
                raise UserError(f"energy: none stays in {ERAS[era]}, where a mega-vortex is")
        for era, mission in (tiles or {}).items():
            if mission is None or mission == "face down":
                g.tile[self.era(era)] = NO_TILE if mission is None else FACE_DOWN
            elif mission not in missions:
                raise UserError(f"mission {mission!r} is unknown{suggest(mission, missions)}")
            elif g.vortex[self.era(era)]:
                raise UserError(f"tiles: {era} has a vortex, so it has no tile")
            elif g.mission_seen[missions.index(mission)]:
                raise UserError(f"tiles: the mission {mission!r} is there twice")
            else:
                g.tile[self.era(era)] = missions.index(mission)
                g.mission_seen[missions.index(mission)] = 1
        for era, amount in (damage or {}).items():
            self.damage(self.era(era), amount)

    def damage(self, era: int, amount: int | Iterable[str]) -> None:
        g = self.g
        if g.tile[era] < 0:
            raise UserError(f"damage: {ERAS[era]} has no open tile")
        each_era = self.r.scope[g.tile[era]] == EACH_ERA_ONCE
        if each_era:
            counted = [self.era(e) for e in (ERAS[:amount] if isinstance(amount, int) else amount)]
            g.damaged_eras[era] = sum(1 << e for e in set(counted))
            amount = len(set(counted))
        elif not isinstance(amount, int):
            raise UserError(f"damage: the tile in {ERAS[era]} counts damage as a number")
        for _ in range(amount):
            put_damage(g, era)

    def cards(self, hand: Any, exhausted: Any, top_of_deck: Any, discard: Any, available: Any, destroyed: Any) -> None:
        g, r = self.g, self.r
        g.place[r.owner < 0] = ARSENAL
        for seat in range(g.players):
            g.place[r.owner == g.agent[seat]] = DECK + g.deck_of[seat]
        self.used: set[str] = set()
        for agent, names in (discard or {}).items():
            for name in names:
                self.put(name, DISCARD + g.deck_of[self.seat(agent)])
        for agent, names in (top_of_deck or {}).items():
            for height, name in enumerate(reversed(names), 1):
                g.known[self.put(name, DECK + g.deck_of[self.seat(agent)])] = height
        for name in listed("destroyed", destroyed):
            self.put(name, DESTROYED)
        for name in listed("available", available):
            card = self.put(name, AVAILABLE)
            era = r.card_origin[card]
            if g.vortex[era]:
                raise UserError(f"available: {name} belongs to {ERAS[era]}, where a vortex destroys cards")
            g.available[era, np.flatnonzero(g.available[era] < 0)[0]] = card
        for agent, names in (hand or {}).items():
            listed("hand", names)
            if len(names) > r.hand_limit:
                raise UserError(f"hand: {agent} has {len(names)} cards, but a hand has room for {r.hand_limit}")
            for slot, name in enumerate(names):
                g.hand[self.seat(agent), slot] = card = self.put(name, HAND + self.seat(agent))
                g.ready[card] = 1
        for name in listed("exhausted", exhausted):
            g.ready[self.data.card(name)] = 0
        self.given = {self.seat(agent) for agent in (hand or {})}

    def put(self, name: str, pile: int) -> int:
        card = self.data.card(name)
        if name.lower() in self.used:
            raise UserError(f"the card {name!r} is there twice")
        self.used.add(name.lower())
        self.g.place[card] = pile
        return card

    def finish(self, seed: int) -> None:
        g, env = self.g, self.env
        whole("seed", seed, 0, 2**64 - 1)
        g.seed = seed
        seed_streams(g.luck, np.uint64(seed))
        for seat in ({int(g.active)} if g.solo else set(range(g.players))) - self.given:
            own = self.r.owner == g.agent[seat]
            deck = np.flatnonzero((g.place == DECK + g.deck_of[seat]) & (g.known == 0) & own)
            drawn = np.random.default_rng((seed, seat)).permutation(deck)[: self.r.hand_size]
            g.hand[seat, : len(drawn)] = drawn
            g.place[drawn] = HAND + seat
            g.ready[drawn] = 1
        g.damage_this_turn[:] = 0
        for field, counted in recount(g, self.r).items():
            g[field] = counted
        if goal_is_reached(g, self.r):
            raise UserError(f"archived = {g.archived}: with nothing else left to do, this game is won already")
        get_ready(g, self.r)
        env.batch.games[0] = g
        env.started_from = env.batch.games.copy()
        env.batch.look()
