"""A planner for any game that has turns: it looks for the best way to play the rest of a turn.

It tries actions on copies of a record that have luck of their own, so it knows no more than the table does. From the
position at hand it makes every possible decision, keeps the best of the different positions that follow (a beam), goes
on from each of those, and so on until the turn is over or the budget is spent. A position in which the turn may end is
worth what the game's VALUE says of it, before luck strikes. An action is worth the best of these positions that it was
seen to lead to, on average over some worlds (copies with other luck).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np

from loop_env.engine.batch import RUNNING
from loop_env.engine.game import Game, Rule
from loop_env.engine.jit import fill_in, njit
from loop_env.engine.luck import STRIDE, mix, seed_streams
from loop_env.engine.masks import ONE, lowest_bit
from loop_env.engine.records import record

# Filled in for each game by `jit.fill_in`.
DECIDE: Any = None
VALUE: Any = None  # (record, rules, weights): what a position is worth if the turn ends in it
PROMISE: Any = None  # (record, rules, weights, value): how good it is to go on from
LEAVE: Any = None  # (record): the action that ends the turn from here, or NO_ACTION
TRY_ACTION: Any = None
SEARCH_WORLD: Any = None

SCORE, HOPE = range(2)  # of each action: by which it is chosen; the best of the positions before luck strikes

NO_ACTION = -1
UNSEEN = -1.0e9  # below every value
UNFINISHED = -1.0e3  # added to the value of a position in which the turn cannot end
NO_KEY = np.uint64(0)
WIDEST = 256  # positions in a beam
BUDGET_PER_PLACE = 75  # what a place in the beam takes, about, until the turn is over

STATE = record(
    ("left", "i8"),  # budget
    ("turn", "i8"),  # in which the search began
    ("depth", "i8"),  # decisions since then
    ("here", "i8"),  # where on the desk the positions lie that are gone on from ...
    ("there", "i8"),  # ... and those that follow
    ("trial", "i8"),  # the place for trying an action
    ("width", "i8"),
    ("found", "i8"),  # positions that follow, so far
    ("lowest", "i8"),  # place of the worst of them, once there are enough
)
NODE = record(("score", "f8"), ("root", "i8"))  # of a position on the desk; the root is the action that it began with
MARK = record(("in_action", "u8"), ("at_rest", "u8"), ("factor", "u8"))  # of a word: the bits that matter, a number


def plan_games(  # a template
    games: Any, rules: Any, weights: Any, budget: int, worlds: int, seeds: Any, forced: bool,
    actions: Any, counts: Any, scores: Any, hopes: Any,
    state: Any, desk: Any, words: Any, marks: Any, nodes: Any, seen: Any, best: Any,
) -> None:  # fmt: skip
    """Fill in a plan for each game; of those with one possible action only if `forced` decisions are asked for too."""
    s = state[0]
    for i in range(len(games)):
        actions[i] = only_action(games[i])
        if actions[i] != NO_ACTION and not forced:
            continue
        for world in range(worlds):
            desk[0] = games[i]
            seed_streams(desk[0].luck, mix(seeds[i] + np.uint64(world) * STRIDE))
            share = (budget - counts[i]) // (worlds - world)
            s.left = share
            SEARCH_WORLD(rules, weights, s, desk, words, marks, nodes, seen, best)
            counts[i] += share - s.left
            for action in range(scores.shape[1]):
                scores[i, action] += best[SCORE, action] / worlds
                hopes[i, action] += best[HOPE, action] / worlds
        actions[i] = highest(scores[i], LEAVE(games[i]))


def search_world(  # a template
    rules: Any, weights: Any, s: Any, desk: Any, words: Any, marks: Any, nodes: Any, seen: Any, best: Any
) -> None:
    """What each action is worth in one world, whose first position lies on the desk."""
    best[:] = UNSEEN
    seen[:] = NO_KEY
    leave = LEAVE(desk[0])
    if leave != NO_ACTION:
        best[:, leave] = VALUE(desk[0], rules[0], weights[0])
    s.turn, s.depth, s.here, s.there = desk[0].turn, 0, 0, s.width
    size = 1
    while size > 0 and s.left > 0:
        s.found = 0
        for node in range(s.here, s.here + size):
            leave = LEAVE(desk[node])
            for word in range(len(desk[node].legal)):
                bits = desk[node].legal[word]
                while bits != 0 and s.left > 0:
                    action = 64 * word + lowest_bit(bits)
                    bits &= bits - ONE
                    if action != leave:
                        TRY_ACTION(rules, weights, s, desk, words, marks, nodes, seen, best, node, action)
        size = s.found
        s.here, s.there = s.there, s.here
        s.depth += 1


def try_action(  # a template
    rules: Any, weights: Any, s: Any, desk: Any, words: Any, marks: Any, nodes: Any, seen: Any, best: Any,
    node: int, action: int,
) -> None:  # fmt: skip
    """Make a decision; note its worth if the turn can end then; keep the position if it is new and good enough."""
    s.left -= 1
    desk[s.trial] = desk[node]
    g = desk[s.trial]
    DECIDE(g, rules[0], action)
    root = action if s.depth == 0 else nodes[node].root
    worth = VALUE(g, rules[0], weights[0])
    over = g.outcome != RUNNING or g.turn != s.turn
    at_rest = over or LEAVE(g) != NO_ACTION
    best[SCORE, root] = max(best[SCORE, root], worth if at_rest else worth + UNFINISHED)
    if at_rest and g.turn == s.turn:
        best[HOPE, root] = max(best[HOPE, root], worth)
    if over:
        return
    score = PROMISE(g, rules[0], weights[0], worth)
    if s.found == s.width and score <= nodes[s.lowest].score:
        return
    if is_new(seen, key_of(words, s.trial, marks, at_rest)):
        place = free_place(s)
        desk[place] = g
        nodes[place].score, nodes[place].root = score, root
        if s.found == s.width:
            s.lowest = lowest_place(nodes, s.there, s.found)


def value_games(games: Any, rules: Any, weights: Any, found: Any) -> None:  # a template
    """What each position is worth if the turn ends in it."""
    for i in range(len(games)):
        found[i] = VALUE(games[i], rules[0], weights[0])


@njit
def free_place(s: Any) -> int:
    """Where on the desk the next position goes: into a free place, or else into that of the worst one."""
    if s.found == s.width:
        return int(s.lowest)
    s.found += 1
    return int(s.there + s.found - 1)


@njit
def lowest_place(nodes: Any, first: int, size: int) -> int:
    """Where the position with the lowest score lies."""
    found = first
    for place in range(first + 1, first + size):
        if nodes[place].score < nodes[found].score:
            found = place
    return found


@njit
def only_action(g: Any) -> int:
    """The action that is possible, if there is just one."""
    found = NO_ACTION
    for word in range(len(g.legal)):
        bits = g.legal[word]
        if bits != 0:
            if found != NO_ACTION or bits & (bits - ONE) != 0:
                return NO_ACTION
            found = 64 * word + lowest_bit(bits)
    return found


@njit
def highest(scores: Any, leave: int) -> int:
    """The best action; of equals the one that ends the turn, or else the first."""
    found = max(leave, 0)
    for action in range(len(scores)):
        if scores[action] > scores[found]:
            found = action
    return found


@njit
def key_of(words: Any, row: int, marks: Any, at_rest: bool) -> Any:
    """A number that tells positions apart by what matters in them."""
    key = STRIDE
    for i in range(len(marks)):
        keep = marks[i].at_rest if at_rest else marks[i].in_action
        key += (words[row, i] & keep) * marks[i].factor
    return mix(key) | ONE


@njit
def is_new(seen: Any, key: Any) -> bool:
    """Whether a position is met for the first time; from now on it is not."""
    last = np.uint64(len(seen) - 1)
    place = (key >> ONE) & last
    while seen[place] != NO_KEY:
        if seen[place] == key:
            return False
        place = (place + ONE) & last
    seen[place] = key
    return True


def bits_that_matter(dtype: np.dtype[Any], ignored: Iterable[str]) -> np.ndarray:
    """A record's bytes as 64-bit words, with ones where a field is not ignored."""
    keep = np.zeros(1, dtype)
    raw = keep.view(np.uint8)
    for name in set(dtype.names or ()) - set(ignored):
        kind, offset = dtype.fields[name][:2]  # type: ignore[index]
        raw[offset : offset + kind.itemsize] = 0xFF
    return keep.view(np.uint64)


@dataclass(frozen=True)
class Plans:
    """What a search found, game by game."""

    actions: np.ndarray  # the best ones
    counts: np.ndarray  # positions looked at
    # Of each action; far below zero for what is impossible or unseen, 0 where nothing was looked at.
    scores: np.ndarray  # what it is worth: by this it is chosen
    hopes: np.ndarray  # the best position that it was seen to lead to in this turn, before luck strikes


class Planner:
    """A game's planner, compiled.

    `weigh` makes the weights for a set of rules. `ignored` are fields that make no difference between two positions of
    a turn, `ignored_at_rest` those that make none while no effect is under way. `leave`, `promise` and `value` are told
    of at the top of this file.
    """

    def __init__(
        self,
        game: Game,
        weigh: Callable[[np.ndarray], np.ndarray],
        *,
        value: Rule,
        promise: Rule,
        leave: Rule,
        ignored: tuple[str, ...],
        ignored_at_rest: tuple[str, ...],
    ) -> None:
        self.game, self.weigh = game, weigh
        blanks = {"DECIDE": game.decide, "VALUE": value, "PROMISE": promise, "LEAVE": leave}
        blanks["TRY_ACTION"] = fill_in(try_action, f"{game.name}_try_action", **blanks)
        blanks["SEARCH_WORLD"] = fill_in(search_world, f"{game.name}_search_world", **blanks)
        self.plan_games = fill_in(plan_games, f"{game.name}_plan_games", **blanks)
        self.value_games = fill_in(value_games, f"{game.name}_value_games", **blanks)
        in_action = bits_that_matter(game.record, ignored)
        self.marks = np.zeros(len(in_action), MARK)
        self.marks["in_action"] = in_action
        self.marks["at_rest"] = bits_that_matter(game.record, (*ignored, *ignored_at_rest))
        self.marks["factor"] = np.random.default_rng(0).integers(1 << 62, 1 << 63, len(in_action), np.uint64) | ONE

    def plan(
        self, games: np.ndarray, rules: np.ndarray, weights: np.ndarray, budget: int, worlds: int, seeds: np.ndarray,
        *, width: int | None = None, threads: int = 1, forced: bool = False,
    ) -> Plans:  # fmt: skip
        """Choose an action for each game by looking at `budget` positions at most, shared out among some worlds.

        Where only one action is possible nothing is looked at, unless `forced`.
        """
        worlds = min(worlds, budget)
        width = width or max(1, min(WIDEST, budget // worlds // BUDGET_PER_PLACE))
        count, size = len(games), self.game.actions.size
        plans = Plans(
            np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros((count, size)), np.zeros((count, size))
        )

        def plan_some(first: int, last: int) -> None:
            some, places = slice(first, last), 2 * width + 1
            state = np.zeros(1, STATE)
            state["width"], state["trial"] = width, 2 * width
            desk = np.zeros(places, self.game.record)
            words = desk.view(np.uint64).reshape(places, -1)
            seen = np.zeros(1 << (2 * budget).bit_length(), np.uint64)  # so that it is never full
            self.plan_games(
                games[some], rules, weights, budget, worlds, seeds[some], forced,
                plans.actions[some], plans.counts[some], plans.scores[some], plans.hopes[some],
                state, desk, words, self.marks, np.zeros(places, NODE), seen, np.zeros((2, size)),
            )  # fmt: skip

        in_threads(plan_some, count, threads)
        return plans

    def look_ahead(
        self, games: np.ndarray, rules: np.ndarray, budget: int, worlds: int, seeds: np.ndarray
    ) -> tuple[np.ndarray, np.ndarray]:
        """What each action of each game can come to in this turn (NaN: not seen), and what each game is worth.

        A game is worth the best that its turn can still come to, or else what the position is worth as it is.
        """
        weights, worth = self.weigh(rules), np.zeros(len(games))
        self.value_games(games, rules, weights, worth)
        hopes = np.full((len(games), self.game.actions.size), UNSEEN)
        running = np.flatnonzero(games["outcome"] == RUNNING)
        hopes[running] = self.plan(games[running], rules, weights, budget, worlds, seeds[running], forced=True).hopes
        best = hopes.max(1)
        return np.where(hopes >= 0, hopes, np.nan), np.where(best >= 0, best, worth)


def in_threads(work: Callable[[int, int], None], count: int, threads: int) -> None:
    """Share `count` things out among threads: each gets the first and the end of its part."""
    if threads == 1:
        work(0, count)
        return
    edges = np.linspace(0, count, threads + 1).astype(int)
    with ThreadPoolExecutor(threads) as pool:
        list(pool.map(work, edges[:-1], edges[1:]))
