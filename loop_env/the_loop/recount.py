"""Fields that can be counted from others, worked out anew for a position that is set up by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.the_loop.names import DEAL_PHASE
from loop_env.the_loop.state import BAG, DECK, DISCARD, DRAFT, HAND, N_CLONES, N_DIMENSIONS, N_ERAS, N_PILES, N_SEATS


def recount(g: Any, r: Any) -> dict[str, np.ndarray]:
    """What the counted fields of a record must be."""
    standing = np.flatnonzero(g.clone_at >= 0)
    plain = standing[standing < N_CLONES]
    dooms = np.zeros((N_ERAS, N_ERAS), int)
    np.add.at(dooms, (g.clone_at[plain], (r.doom[plain] - g.clone_at[plain]) % N_ERAS), 1)
    owned = np.zeros((N_SEATS, N_DIMENSIONS), int)
    for whose in range(N_SEATS):
        piles = [DECK + whose, DISCARD + whose, *(HAND + np.flatnonzero(g.deck_of == whose))]
        if whose == 0 and g.phase == DEAL_PHASE:
            piles.append(DRAFT)  # the card that is being dealt
        owned[whose] = np.bincount(r.dimension[np.isin(g.place, piles)], minlength=N_DIMENSIONS)
    known = np.zeros(N_PILES, int)
    np.add.at(known, g.place[g.known > 0], 1)
    return {
        "clones": np.bincount(g.clone_at[standing], minlength=N_ERAS),
        "weight": np.bincount(g.clone_at[standing], r.counts_as[standing], minlength=N_ERAS),
        "dooms": dooms,
        "supas": np.array(len(standing) - len(plain)),
        "bag": np.bincount(r.spawn[:N_CLONES][g.clone_at[:N_CLONES] == BAG], minlength=N_ERAS),
        "pile_size": np.bincount(g.place, minlength=N_PILES)[:N_PILES],
        "known_size": known,
        "owned": owned,
        "available_size": (g.available >= 0).sum(1),
    }
