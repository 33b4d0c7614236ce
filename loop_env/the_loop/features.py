"""What a card does, as numbers: read off its program, so that a card nobody has seen before is described as well."""

from __future__ import annotations

import numpy as np

from loop_env.the_loop import language as w
from loop_env.the_loop.language import Program

FEATURES = (
    "energy here", "energy nearby", "energy elsewhere", "energy at vortices",
    "rifts here", "rifts nearby", "rifts elsewhere", "rifts at vortices",
    "push", "pull", "destroy clones", "carry", "move", "move far", "move others", "swap",
    "draw", "lose cards", "gain cards", "ready", "play another", "options", "optional", "conditional",
)  # fmt: skip
SCALE = 1 / 3  # three of a thing is 1
_AT = {w.HERE: 0, w.ADJACENT: 1, w.PREVIOUS: 1, w.NEXT: 1, w.VORTEX: 3}  # every other place is elsewhere: 2
_LEVEL_WORTH = 2  # levelling moves about two cubes
_PLAIN = {
    w.KILL_CLONE: "destroy clones", w.SWAP_AGENTS: "swap", w.SWAP_CLONES: "swap", w.SWAP_ENERGY: "swap",
    w.SWAP_RIFTS: "swap", w.MOVE_OTHER: "move others", w.DISCARD: "lose cards", w.DESTROY: "lose cards",
    w.TAKE: "gain cards", w.READY: "ready", w.PLAY_ROW: "play another", w.LET_PLAY: "play another",
    w.PICK_OPTION: "options", w.ASK: "optional", w.CHECK: "conditional",
}  # fmt: skip
_AMOUNT = {w.DRAW: "draw", w.REVEAL: "gain cards"}


def card_features(program: Program) -> np.ndarray:
    """One number from 0 to 1 for each of FEATURES."""
    found = np.zeros(len(FEATURES))
    place, distance, carried = w.HERE, 0, False
    for op, a, b, _ in program.code:
        if op == w.PICK_ERA:
            place = a
        elif op == w.PICK_TARGET:
            distance = b
        elif op == w.PICK_CLONE:
            carried = a in (w.PATH, w.PATH_VORTEX)
        elif op in (w.ENERGY, w.RIFTS):
            found[_AT.get(place, 2) + (4 if op == w.RIFTS else 0)] += a
        elif op in (w.ENERGY_EACH, w.RIFTS_EACH):
            found[_AT.get(b, 2) + (4 if op == w.RIFTS_EACH else 0)] += a
        elif op in (w.LEVEL_ENERGY, w.LEVEL_RIFTS):
            found[_AT.get(place, 2) + (4 if op == w.LEVEL_RIFTS else 0)] += _LEVEL_WORTH
        elif op == w.MOVE_CLONE:
            found[FEATURES.index("carry" if carried else "pull" if a == w.TO_ACTOR else "push")] += 1
        elif op == w.MOVE_ACTOR:
            found[FEATURES.index("move far" if distance == w.ANYWHERE else "move")] += min(distance, 3)
        elif op in _PLAIN:
            found[FEATURES.index(_PLAIN[op])] += 1
        elif op in _AMOUNT:
            found[FEATURES.index(_AMOUNT[op])] += a
    return np.minimum(found * SCALE, 1)
