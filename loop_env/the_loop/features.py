"""What a card does, as numbers: read off its program, so that a card nobody has seen before is described as well."""

from __future__ import annotations

import numpy as np

from loop_env.the_loop import language as w
from loop_env.the_loop.language import Program

# Where cubes come and go. "nearby" is an adjacent era of the player's choice; "elsewhere" may turn out to be anywhere.
_WHERE = ("here", "next", "previous", "nearby", "at Foo", "at agents", "at vortices", "elsewhere")
_AT = {w.HERE: 0, w.NEXT: 1, w.PREVIOUS: 2, w.ADJACENT: 3, w.FOO: 4, w.THAT_AGENT: 5, w.AGENTS: 5, w.VORTEX: 6}
_ELSEWHERE = 7
FEATURES = (
    *(f"energy {where}" for where in _WHERE),
    *(f"rifts {where}" for where in _WHERE),
    "level cubes", "push here", "push elsewhere", "pull", "destroy clones here", "destroy clones elsewhere", "carry",
    "move", "move far", "move others", "swap agents", "swap clones", "swap cubes",
    "draw", "discard", "destroy cards", "gain cards", "each player", "ready", "play another",
    "options", "optional", "if in company", "if pushed", "if at Foo", "if at a vortex",
)  # fmt: skip
SCALE = 1 / 3  # three of a thing is 1
_LEVEL_WORTH = 2  # levelling moves about two cubes
_PLAIN = {
    w.SWAP_AGENTS: "swap agents", w.SWAP_CLONES: "swap clones",
    w.SWAP_ENERGY: "swap cubes", w.SWAP_RIFTS: "swap cubes", w.MOVE_OTHER: "move others", w.DISCARD: "discard",
    w.DESTROY: "destroy cards", w.TAKE: "gain cards", w.EACH_PLAYER: "each player", w.READY: "ready",
    w.PLAY_ROW: "play another", w.LET_PLAY: "play another", w.PICK_OPTION: "options", w.ASK: "optional",
}  # fmt: skip
_CUBES = {w.ENERGY: "energy", w.RIFTS: "rifts"}
_CUBES_EACH = {w.ENERGY_EACH: "energy", w.RIFTS_EACH: "rifts"}
_CUBES_LEVEL = {w.LEVEL_ENERGY: "energy", w.LEVEL_RIFTS: "rifts"}
_AMOUNT = {w.DRAW: "draw", w.REVEAL: "gain cards"}
_CONDITION = {
    w.IF_COMPANY: "if in company", w.IF_PUSHED: "if pushed", w.IF_AT_FOO: "if at Foo", w.IF_AT_VORTEX: "if at a vortex"
}  # fmt: skip


def card_features(program: Program) -> np.ndarray:
    """One number from 0 to 1 for each of FEATURES."""
    found = np.zeros(len(FEATURES))
    place, distance, carried = w.HERE, 0, False

    def add(name: str, amount: float = 1) -> None:
        found[FEATURES.index(name)] += amount

    for op, a, b, _ in program.code:
        if op == w.PICK_ERA:
            place = a
        elif op == w.PICK_TARGET:
            distance = b
        elif op == w.PICK_CLONE:
            carried = a in (w.PATH, w.PATH_VORTEX)
        elif op == w.MOVE_CLONE:
            add("carry" if carried else "pull" if a == w.TO_ACTOR else here_or_elsewhere("push", place))
        elif op == w.KILL_CLONE:
            add(here_or_elsewhere("destroy clones", place))
        elif op == w.MOVE_ACTOR:
            add("move far" if distance == w.ANYWHERE else "move", min(distance, 3))
        elif op in _CUBES:
            add(f"{_CUBES[op]} {_WHERE[_AT.get(place, _ELSEWHERE)]}", a)
        elif op in _CUBES_EACH:
            for each in (w.NEXT, w.PREVIOUS) if b == w.ADJACENT else (b,):
                add(f"{_CUBES_EACH[op]} {_WHERE[_AT.get(each, _ELSEWHERE)]}", a)
        elif op in _CUBES_LEVEL:
            add(f"{_CUBES_LEVEL[op]} {_WHERE[_AT.get(place, _ELSEWHERE)]}", _LEVEL_WORTH)
            add("level cubes")
        elif op in _PLAIN:
            add(_PLAIN[op])
        elif op in _AMOUNT:
            add(_AMOUNT[op], a)
        elif op == w.CHECK and a in _CONDITION:
            add(_CONDITION[a])
    return np.minimum(found * SCALE, 1)


def here_or_elsewhere(deed: str, place: int) -> str:
    """The feature of a deed to clones."""
    return f"{deed} here" if place == w.HERE else f"{deed} elsewhere"
