"""The board: cubes, clones, the machine's drop, vortices, and the cards beside the eras."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import places_of, total
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_place, draw_unit
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
    GONE,
    MACHINE_LUCK,
    N_CLONES,
    N_ERAS,
)

PLAIN_CLONES = (1 << N_CLONES) - 1  # as bits among all tokens


@njit
def end_game(g: Any, outcome: int) -> None:
    """The game is won or lost."""
    g.outcome = outcome
    g.phase = GAME_OVER


# -- cubes ---------------------------------------------------------------------------------------
@njit
def add_energy(g: Any, r: Any, era: int, amount: int) -> None:
    """Energy from the supply into an era, as far as the supply goes. A mega-vortex swallows it, but added it was."""
    swallowed = is_mega_vortex(g, r, era)
    for _ in range(amount):
        if g.energy_supply > 0:
            g.energy_supply -= 1
            g.energy[era] += 1
            g.total_energy += 1
            damage_tiles(g, r, ENERGY_ADDED, era)
            if swallowed:
                drain(g, era)


@njit
def is_mega_vortex(g: Any, r: Any, era: int) -> bool:
    """Whether no energy stays in the era."""
    return bool(g.vortex[era] and r.mega_vortex[g.level])


@njit
def drain(g: Any, era: int) -> None:
    """The era's energy, all but the eternal, goes back to the supply."""
    g.energy_supply += g.energy[era] - g.eternal[era]
    g.energy[era] = g.eternal[era]


@njit
def spend_energy(g: Any, era: int, amount: int) -> None:
    """Energy from an era back to the supply. Eternal energy goes first: it moves on to the next era instead."""
    moved = min(amount, g.eternal[era])
    g.energy[era] -= amount
    g.energy_supply += amount - moved
    if moved > 0:
        after = (era + 1) % N_ERAS
        g.eternal[era] -= moved
        g.eternal[after] += moved
        g.energy[after] += moved


@njit
def add_eternal_energy(g: Any, r: Any, era: int) -> None:
    """A cube of eternal energy comes into play, if one is left."""
    if g.eternal_supply > 0:
        g.eternal_supply -= 1
        g.eternal[era] += 1
        g.energy[era] += 1
        g.total_energy += 1
        damage_tiles(g, r, ENERGY_ADDED, era)


@njit
def lose_energy(g: Any, eras: int, amount: int) -> None:
    """Energy is lost in several eras (bits) at once: eternal energy that moves on, clockwise, is not lost again."""
    at_dawn = min(amount, g.energy[0])
    for era in range(N_ERAS - 1, -1, -1):
        if (eras >> era) & 1:
            spend_energy(g, era, min(amount, g.energy[era]) if era > 0 else at_dawn)


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
    g.weight[era] += count * r.counts_as[clone]
    g.risk_is_old = 1
    if clone < N_CLONES:
        g.dooms[era, (r.doom[clone] - era) % N_ERAS] += count
    else:
        g.supas += count


@njit
def draw_clone(g: Any) -> int:
    """A token from the bag; -1 if it is empty. It stays there until it appears somewhere."""
    in_bag = places_of(g.clone_at, BAG) & PLAIN_CLONES
    return int(draw_place(g.luck, CLONE_LUCK, in_bag)) if in_bag != 0 else -1


@njit
def spawn_clone(g: Any, r: Any) -> None:
    """A clone from the bag appears in its spawn era; an empty bag gives none."""
    clone = draw_clone(g)
    if clone >= 0:
        appear(g, r, clone, int(r.spawn[clone]))


@njit
def spawn_clone_at_foo(g: Any, r: Any) -> None:
    """A clone from the bag appears in Foo's era; one that would be destroyed there stays in the bag."""
    clone = draw_clone(g)
    if clone >= 0 and r.doom[clone] != g.foo:
        appear(g, r, clone, int(g.foo))


@njit
def appear(g: Any, r: Any, clone: int, era: int) -> None:
    """A token comes onto the board."""
    g.clone_at[clone] = era
    if clone < N_CLONES:
        g.bag[r.spawn[clone]] -= 1
    stand_clone(g, r, clone, era, 1)


@njit
def destroy_clone(g: Any, r: Any, clone: int) -> None:
    """The token goes back to the bag, a supa clone's out of the game; Robot 404 gains energy after the turn's first."""
    era = int(g.clone_at[clone])
    stand_clone(g, r, clone, era, -1)
    if clone < N_CLONES:
        g.clone_at[clone] = BAG
        g.bag[r.spawn[clone]] += 1
    else:
        g.clone_at[clone] = GONE
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
def destroy_newest_cards(g: Any) -> None:
    """The card that came last beside each era is destroyed."""
    for era in range(N_ERAS):
        if g.available_size[era] > 0:
            put(g, remove_available(g, era, g.available_size[era] - 1), DESTROYED)


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
    cubes = max(cubes, 0)
    for ahead in (3, 4):
        let_fall(g, (g.foo + ahead) % N_ERAS, r.opposite_cubes[g.machina])
    if r.middle_chute[g.machina]:
        let_fall(g, g.foo, cubes)
        return
    cubes = min(cubes, g.rift_supply)
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
def let_fall(g: Any, era: int, cubes: int) -> None:
    """Rifts from the supply, as many as there are, lie loose in an era."""
    cubes = min(cubes, g.rift_supply)
    g.rift_supply -= cubes
    g.fallen[era] += cubes


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
    for offset in range(-1, N_ERAS - 1):
        if g.phase == GAME_OVER:
            return
        era = (g.foo + offset) % N_ERAS
        g.rifts[era] += g.fallen[era]
        g.fallen[era] = 0
        if g.rifts[era] > r.rift_slots:
            open_vortex(g, r, era)


@njit
def open_vortex(g: Any, r: Any, era: int) -> None:
    """The era's rifts, surplus included, go back; its tile leaves the game; its cards are destroyed.

    A mega-vortex swallows its energy, too.
    """
    g.rift_supply += g.rifts[era]
    g.rifts[era] = 0
    if g.vortex[era]:
        end_game(g, SECOND_VORTEX)
    elif total(g.vortex) >= r.vortex_tiles:
        end_game(g, FOURTH_VORTEX)
    else:
        g.vortex[era] = 1
        if r.mega_vortex[g.level]:
            drain(g, era)
        remove_tile(g, era)
        destroy_cards_at_vortices(g)
