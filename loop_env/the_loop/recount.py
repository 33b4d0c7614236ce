"""Fields that can be counted from others, worked out anew for a position that is set up by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.the_loop.state import BAG, DECK, DISCARD, HAND, N_DIMENSIONS, N_ERAS, N_PILES, N_SEATS


def recount(g: Any, r: Any) -> dict[str, np.ndarray]:
    """What the counted fields of a record must be."""
    standing = np.flatnonzero(g.clone_at != BAG)
    dooms = np.zeros((N_ERAS, N_ERAS), int)
    np.add.at(dooms, (g.clone_at[standing], (r.doom[standing] - g.clone_at[standing]) % N_ERAS), 1)
    owned = np.zeros((N_SEATS, N_DIMENSIONS), int)
    for seat in range(N_SEATS):
        own = np.isin(g.place, (DECK + seat, DISCARD + seat, HAND + seat))
        owned[seat] = np.bincount(r.dimension[own], minlength=N_DIMENSIONS)
    known = np.zeros(N_PILES, int)
    np.add.at(known, g.place[g.known > 0], 1)
    return {
        "clones": dooms.sum(1),
        "dooms": dooms,
        "bag": np.bincount(r.spawn[g.clone_at == BAG], minlength=N_ERAS),
        "pile_size": np.bincount(g.place, minlength=N_PILES)[:N_PILES],
        "known_size": known,
        "owned": owned,
        "available_size": (g.available >= 0).sum(1),
    }
