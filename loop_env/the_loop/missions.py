"""Sabotage tiles: two are always open; events damage them; enough damage lets a tile be archived."""

from __future__ import annotations

from typing import Any

from loop_env.engine.arrays import places_of
from loop_env.engine.jit import njit
from loop_env.engine.luck import draw_place
from loop_env.the_loop.names import AT_FOO, AT_TILE, CLEAN_ERA, EACH_ERA_ONCE, PINCER
from loop_env.the_loop.state import FACE_DOWN, N_ERAS, NO_TILE, TILE_LUCK

OPEN_MISSIONS = 2


@njit
def open_tile(g: Any, era: int) -> None:
    """Turn the era's tile mission side up. Which mission it is, of those not seen yet, is decided only now."""
    mission = draw_place(g.luck, TILE_LUCK, places_of(g.mission_seen, 0))
    g.mission_seen[mission] = 1
    g.tile[era] = mission


@njit
def open_missions(g: Any) -> int:
    """How many missions lie open."""
    count = 0
    for era in range(N_ERAS):
        if g.tile[era] >= 0:
            count += 1
    return count


@njit
def keep_two_missions_open(g: Any) -> None:
    """While fewer than two lie open: turn up the tile of Foo's era or, failing that, the nearest one clockwise."""
    for step in range(N_ERAS):
        era = (g.foo + step) % N_ERAS
        if open_missions(g) >= OPEN_MISSIONS:
            return
        if g.tile[era] == FACE_DOWN:
            open_tile(g, era)


@njit
def remove_tile(g: Any, era: int) -> None:
    """Take a tile off the board; its cubes go back to the supply."""
    g.tile[era] = NO_TILE
    g.risk_is_old = 1  # it depends on the rifts that are left to fall
    g.rift_supply += g.damage_red[era]
    g.energy_supply += g.damage[era] - g.damage_red[era]
    g.damage[era] = 0
    g.damage_red[era] = 0
    g.damaged_eras[era] = 0


@njit
def put_damage(g: Any, tile_era: int) -> bool:
    """Lay a cube on a tile. Any colour will do: it is taken from the fuller supply."""
    if g.rift_supply + g.energy_supply == 0:
        return False
    if g.rift_supply >= g.energy_supply:
        g.rift_supply -= 1
        g.risk_is_old = 1
        g.damage_red[tile_era] += 1
    else:
        g.energy_supply -= 1
    g.damage[tile_era] += 1
    g.damage_this_turn[tile_era] += 1
    return True


@njit
def takes_damage(g: Any, r: Any, tile_era: int, event: int, era: int, charged: bool) -> bool:
    """Whether this event, in this era, damages the tile; `charged`: the action began with energy in every era."""
    mission = g.tile[tile_era]
    if mission < 0 or r.event[mission] != event or g.damage[tile_era] >= r.needed[mission]:
        return False
    if r.per_turn[mission] > 0 and g.damage_this_turn[tile_era] >= r.per_turn[mission]:
        return False
    if r.needs_charge[mission] and not charged:
        return False
    scope = r.scope[mission]
    if scope == AT_FOO:
        return bool(era == g.foo)
    if scope == AT_TILE:
        return bool(era == tile_era)
    return not (g.damaged_eras[tile_era] >> era) & 1


@njit
def damage_tiles(g: Any, r: Any, event: int, era: int) -> None:
    """Something happened in an era: damage every open tile whose mission this is."""
    for tile_era in range(N_ERAS):
        if takes_damage(g, r, tile_era, event, era, g.charged) and put_damage(g, tile_era):
            if r.scope[g.tile[tile_era]] == EACH_ERA_ONCE:
                g.damaged_eras[tile_era] |= 1 << era


@njit
def lose_damage(g: Any, amount: int) -> None:
    """Cubes leave every open tile; where each era counts once, the earliest era may count again."""
    for era in range(N_ERAS):
        for _ in range(amount):
            if g.tile[era] >= 0 and g.damage[era] > 0:
                g.damage[era] -= 1
                g.damaged_eras[era] &= g.damaged_eras[era] - 1
                if g.damage_red[era] > 0:
                    g.damage_red[era] -= 1
                    g.rift_supply += 1
                    g.risk_is_old = 1
                else:
                    g.energy_supply += 1


@njit
def stands_at(g: Any, era: int, but: int) -> bool:
    """Whether an agent other than `but` stands in the era."""
    for seat in range(g.players):
        if seat != but and g.at[seat] == era:
            return True
    return False


@njit
def check_positions(g: Any, r: Any) -> None:
    """Between two actions: do agents have Foo in a pincer, is the active agent's era clean?"""
    here = g.at[g.active]
    before, after = (g.foo - 1) % N_ERAS, (g.foo + 1) % N_ERAS
    if (here == before and stands_at(g, after, g.active)) or (here == after and stands_at(g, before, g.active)):
        damage_tiles(g, r, PINCER, g.foo)
    if g.rifts[here] == 0 and g.clones[here] == 0:
        damage_tiles(g, r, CLEAN_ERA, here)


@njit
def can_archive(g: Any, r: Any, era: int) -> bool:
    """Whether the era's tile has enough damage."""
    mission = g.tile[era]
    return bool(mission >= 0 and g.damage[era] >= r.needed[mission])
