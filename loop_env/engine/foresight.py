"""What each action would do: the table after it, beside the table now.

An action is tried on a copy of a record that has luck of its own, so it is known no more than the table tells. If it
leads to choices ("which era?"), they are tried too, all of them as far as the budget goes, and made as the game's VALUE
likes best; where the budget ends before the choices do, a position counts as it is. It ends there: what could be done
after that in the turn is left for the player to know. Of the action that ends the turn nothing is told, since luck
strikes next; decisions after it, such as which card to take, are told of with one drop of the copy's own luck, the same
for all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from loop_env.engine.batch import RUNNING
from loop_env.engine.game import Game, Rule
from loop_env.engine.jit import fill_in
from loop_env.engine.masks import ONE, lowest_bit
from loop_env.engine.search import NO_ACTION, UNSEEN, in_threads, only_action
from loop_env.engine.tables import Table

# Filled in for each game by `jit.fill_in`.
DECIDE: Any = None
VALUE: Any = None  # (record, rules, weights): what a position is worth if the turn ends in it
LEAVE: Any = None  # (record): the action that ends the turn from here, or NO_ACTION
OUTLINE: Any = None  # (record, rules, weights, outline): a position in some numbers; the first says how good it looks
TRY_OUT: Any = None

NOW, THEN = range(2)
CHOICE = 0  # the first number of what is told of an action: whether there is another one; the outline's follow


def foresee_games(  # a template
    games: Any, rules: Any, weights: Any, budget: int, firsts: Any, now: Any, changes: Any,
    outlines: Any, numbers: Any, desk: Any,
) -> None:  # fmt: skip
    """The outline of each game and, where there is a choice, how each possible action changes it."""
    for i in range(len(games)):
        OUTLINE(games[i], rules[0], weights[0], outlines[NOW])
        now[i] = numbers[NOW]
        if only_action(games[i]) != NO_ACTION:
            continue
        leave, row = LEAVE(games[i]), firsts[i]
        for word in range(len(games[i].legal)):
            bits = games[i].legal[word]
            while bits != 0:
                action = 64 * word + lowest_bit(bits)
                bits &= bits - ONE
                changes[row, CHOICE] = 1
                if action != leave:  # luck strikes after that: there is nothing to see
                    TRY_OUT(games[i], rules, weights, budget, action, outlines, desk)
                    for k in range(numbers.shape[1]):
                        changes[row, 1 + k] = numbers[THEN, k] - numbers[NOW, k]
                row += 1


def try_out(  # a template
    game: Any, rules: Any, weights: Any, budget: int, action: int, outlines: Any, desk: Any
) -> None:
    """The outline of the best position that an action can lead to, when its own choices are made."""
    best, left, size, branching = UNSEEN, budget, 1, len(desk) - 1
    desk[0] = game
    DECIDE(desk[0], rules[0], action)
    while size > 0:
        size -= 1
        g = desk[size]
        at_rest = g.outcome != RUNNING or g.turn != game.turn or LEAVE(g) != NO_ACTION
        if at_rest or left <= 0:
            worth = VALUE(g, rules[0], weights[0])
            if worth > best:
                best = worth
                OUTLINE(g, rules[0], weights[0], outlines[THEN])
            continue
        desk[branching] = g
        for word in range(len(g.legal)):
            bits = desk[branching].legal[word]
            while bits != 0:
                desk[size] = desk[branching]
                DECIDE(desk[size], rules[0], 64 * word + lowest_bit(bits))
                bits &= bits - ONE
                size += 1
                left -= 1


class Foresight:
    """A game's foresight, compiled. `table` names the numbers of an outline; the rules are told of at the top."""

    def __init__(
        self, game: Game, weigh: Callable[[np.ndarray], np.ndarray], table: Table,
        *, value: Rule, leave: Rule, outline: Rule,
    ) -> None:  # fmt: skip
        self.game, self.weigh, self.table = game, weigh, table
        self.size = 1 + table.size  # of what is told of an action
        blanks = {"DECIDE": game.decide, "VALUE": value, "LEAVE": leave, "OUTLINE": outline}
        blanks["TRY_OUT"] = fill_in(try_out, f"{game.name}_try_out", **blanks)
        self.foresee_games = fill_in(foresee_games, f"{game.name}_foresee_games", **blanks)

    def foresee(
        self, games: np.ndarray, rules: np.ndarray, budget: int, threads: int = 1
    ) -> tuple[np.ndarray, np.ndarray]:
        """The outline of each game, and a row for each of its possible actions: how that would change the outline.

        The rows go by games, and by actions within a game, as in `masks.nonzero()`. At most `budget` positions are
        looked at for an action, and those that one more choice offers.
        """
        ends = np.bitwise_count(games["legal"]).reshape(len(games), -1).sum(1, np.int64).cumsum()
        firsts = np.concatenate([[0], ends])
        now = np.zeros((len(games), self.table.size), np.float32)
        changes = np.zeros((firsts[-1], self.size), np.float32)
        weights = self.weigh(rules)

        def foresee_some(first: int, last: int) -> None:
            numbers = np.zeros((2, self.table.size), np.float32)  # the outlines, as rows of numbers ...
            outlines = numbers.view(self.table.record("f4"))[:, 0]  # ... and as records
            desk = np.zeros(budget + self.game.actions.size + 2, self.game.record)
            some = slice(first, last)
            self.foresee_games(
                games[some], rules, weights, budget, firsts[some], now[some], changes, outlines, numbers, desk
            )

        in_threads(foresee_some, len(games), threads)
        return now, changes
