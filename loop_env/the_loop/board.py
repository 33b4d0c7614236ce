"""The board: cubes, clones, the machine's drop, vortices, and the cards beside the eras."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import total
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_below, draw_unit
from loop_env.engine.piles import NO_CARD, append, close_up, pick, put, put_all
from loop_env.the_loop.missions import damage_tiles, remove_tile
from loop_env.the_loop.names import (
    CLONE_DESTROYED,
    ENERGY_ADDED,
    FOURTH_VORTEX,
    GAME_OVER,
    RIFT_REMOVED,
    SECOND_VORTEX,
)
from loop_env.the_loop.state import (
    ARSENAL,
    ARSENAL_LUCK,
    AVAILABLE,
    BAG,
    CLONE_LUCK,
    DESTROYED,
    MACHINE_LUCK,
    N_CLONES,
    N_ERAS,
)


@njit
def end_game(g: Any, outcome: int) -> None:
    """The game is won or lost."""
    g.outcome = outcome
    g.phase = GAME_OVER


# -- cubes ---------------------------------------------------------------------------------------
@njit
def add_energy(g: Any, r: Any, era: int, amount: int) -> None:
    """Energy from the supply into an era, as far as the supply goes."""
    for _ in range(amount):
        if g.energy_supply > 0:
            g.energy_supply -= 1
            g.energy[era] += 1
            g.total_energy += 1
            damage_tiles(g, r, ENERGY_ADDED, era)


@njit
def spend_energy(g: Any, era: int, amount: int) -> None:
    """Energy from an era back to the supply."""
    g.energy[era] -= amount
    g.energy_supply += amount


@njit
def remove_rifts(g: Any, r: Any, era: int, amount: int) -> None:
    """Rifts from an era back to the supply, as many as there are."""
    for _ in range(amount):
        if g.rifts[era] > 0:
            g.rifts[era] -= 1
            g.rift_supply += 1
            g.risk_is_old = 1
            g.total_removed += 1
            damage_tiles(g, r, RIFT_REMOVED, era)


# -- clones --------------------------------------------------------------------------------------
@njit
def stand_clone(g: Any, r: Any, clone: int, era: int, count: int) -> None:
    """Count a clone in (1) or out (-1) of an era."""
    g.clones[era] += count
    g.dooms[era, (r.doom[clone] - era) % N_ERAS] += count
    g.risk_is_old = 1


@njit
def spawn_clone(g: Any, r: Any) -> None:
    """A clone from the bag appears in its spawn era; an empty bag gives none."""
    in_bag = N_CLONES - total(g.clones)
    if in_bag == 0:
        return
    nth = draw_below(g.luck, CLONE_LUCK, in_bag)
    for clone in range(N_CLONES):
        if g.clone_at[clone] == BAG:
            if nth == 0:
                era = int(r.spawn[clone])
                g.clone_at[clone] = era
                g.bag[era] -= 1
                stand_clone(g, r, clone, era, 1)
                return
            nth -= 1


@njit
def destroy_clone(g: Any, r: Any, clone: int) -> None:
    """The token goes back to the bag; Robot 404 gains energy from every clone after the turn's first."""
    era = int(g.clone_at[clone])
    stand_clone(g, r, clone, era, -1)
    g.clone_at[clone] = BAG
    g.bag[r.spawn[clone]] += 1
    g.kills += 1
    g.total_kills += 1
    damage_tiles(g, r, CLONE_DESTROYED, era)
    if g.kills > 1:
        add_energy(g, r, era, r.energy_for_clones[g.agent[g.active]])


@njit
def put_clone(g: Any, r: Any, clone: int, era: int) -> bool:
    """A clone arrives in an era; in its destroy era it dies. Returns whether it lives."""
    stand_clone(g, r, clone, int(g.clone_at[clone]), -1)
    g.clone_at[clone] = era
    stand_clone(g, r, clone, era, 1)
    if r.doom[clone] == era:
        destroy_clone(g, r, clone)
        return False
    return True


@njit
def direction(start: int, target: int) -> int:
    """The shorter way round the ring: 1 or -1, or 0 if start and target are one era."""
    ahead = (target - start) % N_ERAS
    if ahead == 0:
        return 0
    return 1 if ahead <= N_ERAS // 2 else -1


@njit
def walk_clone(g: Any, r: Any, clone: int, target: int) -> int:
    """Move a clone era by era; it dies on the way if it passes through its destroy era. Returns where it ended."""
    era = int(g.clone_at[clone])
    way = direction(era, target)
    while era != target:
        era = (era + way) % N_ERAS
        if not put_clone(g, r, clone, era):
            break
    return era


# -- cards beside the eras -----------------------------------------------------------------------
@njit
def reveal_card(g: Any, r: Any) -> None:
    """The top card of the arsenal is laid beside its origin era, vortex or not."""
    card = draw_from_arsenal(g)
    if card != NO_CARD:
        era = r.card_origin[card]
        append(g.available[era], g.available_size[era], card)
        g.available_size[era] += 1
        put(g, card, AVAILABLE)


@njit
def draw_from_arsenal(g: Any) -> int:
    """The arsenal's top card; an empty arsenal is made anew from the destroyed cards."""
    if g.pile_size[ARSENAL] == 0:
        put_all(g, DESTROYED, ARSENAL)
        if g.pile_size[ARSENAL] == 0:
            return NO_CARD
    return int(pick(g, ARSENAL, ARSENAL_LUCK))


@njit
def remove_available(g: Any, era: int, slot: int) -> int:
    """Take a card away from beside an era; it still has to be put somewhere."""
    card = int(g.available[era, slot])
    close_up(g.available[era], g.available_size[era], slot)
    g.available_size[era] -= 1
    return card


@njit
def destroy_cards_at_vortices(g: Any) -> None:
    """No card lies beside a vortex."""
    for era in range(N_ERAS):
        while g.vortex[era] and g.available_size[era] > 0:
            put(g, remove_available(g, era, 0), DESTROYED)


# -- the machine ---------------------------------------------------------------------------------
@njit
def drop_rifts(g: Any, r: Any, cubes: int) -> None:
    """Throw rifts into the machine: each falls into the previous, Foo's or the next era, and lies there loose."""
    cubes = max(min(cubes, g.rift_supply), 0)
    g.rift_supply -= cubes
    before, after = (g.foo - 1) % N_ERAS, (g.foo + 1) % N_ERAS
    fresh, sticky = 1.0 - r.clumping, r.clumping
    for fallen in range(cubes):
        chance = draw_unit(g.luck, MACHINE_LUCK) * (fresh + sticky * fallen)
        to_before = fresh * r.split[0] + sticky * g.fallen[before]
        to_foo = fresh * r.split[1] + sticky * g.fallen[g.foo]
        if chance < to_before:
            g.fallen[before] += 1
        elif chance < to_before + to_foo:
            g.fallen[g.foo] += 1
        else:
            g.fallen[after] += 1


@njit
def cancel_rifts(g: Any, era: int, amount: int) -> None:
    """Loose rifts go back to the supply without ever lying in a slot; they do not count as removed."""
    cancelled = min(amount, g.fallen[era])
    g.fallen[era] -= cancelled
    g.rift_supply += cancelled


@njit
def place_rifts(g: Any, r: Any) -> None:
    """Put the loose rifts into slots; an era with more rifts than slots turns into a vortex, unless all is lost."""
    g.risk_is_old = 1
    for offset in range(-1, 2):
        if g.phase == GAME_OVER:
            return
        era = (g.foo + offset) % N_ERAS
        g.rifts[era] += g.fallen[era]
        g.fallen[era] = 0
        if g.rifts[era] > r.rift_slots:
            open_vortex(g, r, era)


@njit
def open_vortex(g: Any, r: Any, era: int) -> None:
    """The era's rifts, surplus included, go back; its tile leaves the game; its cards are destroyed."""
    g.rift_supply += g.rifts[era]
    g.rifts[era] = 0
    if g.vortex[era]:
        end_game(g, SECOND_VORTEX)
    elif total(g.vortex) >= r.vortex_tiles:
        end_game(g, FOURTH_VORTEX)
    else:
        g.vortex[era] = 1
        remove_tile(g, era)
        destroy_cards_at_vortices(g)
