"""Many games in one compiled loop.

`Batch` holds the records of n games and the arrays that a step fills: observations, masks, rewards, ends. Every front
(one environment, a vector of them, SB3's, PettingZoo's) is a thin layer over a batch, so they all play the same games.
"""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import numpy as np

from loop_env.engine.luck import next_seed
from loop_env.engine.masks import is_legal, write_mask
from loop_env.errors import UserError

if TYPE_CHECKING:
    from loop_env.engine.game import Game

KEEP, NEXT_STEP, SAME_STEP = range(3)  # what a step does with a finished game
RUNNING = 0  # in every game's `outcome`
SMALLEST_PART = 256  # games for a thread: with fewer, handing work over takes longer than doing it

# Filled in for each game by `jit.fill_in`: the functions of its rules.
NEW_GAME: Any = None
DECIDE: Any = None
OBSERVE: Any = None
POTENTIAL: Any = None
RESULT: Any = None


def start_games(  # a template
    games: Any, blank: Any, blank_look: Any, rules: Any, seeds: Any, looks: Any, masks: Any, first: int, last: int
) -> None:
    """Set up the games from `first` up to `last`."""
    r = rules[0]
    for i in range(first, last):
        games[i] = blank[0]
        NEW_GAME(games[i], r, seeds[i])
        looks[i] = blank_look[0]
        OBSERVE(games[i], r, looks[i])
        write_mask(games[i], masks, i)


def look_at_games(
    games: Any, blank_look: Any, rules: Any, looks: Any, masks: Any, first: int, last: int
) -> None:  # a template
    """Write the observations and masks of the games from `first` up to `last`."""
    for i in range(first, last):
        looks[i] = blank_look[0]
        OBSERVE(games[i], rules[0], looks[i])
        write_mask(games[i], masks, i)


def step_games(  # a template
    games: Any,
    finished: Any,
    blank: Any,
    blank_look: Any,
    rules: Any,
    reward: Any,
    actions: Any,
    looks: Any,
    last_looks: Any,
    masks: Any,
    rewards: Any,
    ended: Any,
    illegal: Any,
    autoreset: int,
    first: int,
    last: int,
) -> None:
    """One decision in each game from `first` up to `last`."""
    r, w = rules[0], reward[0]
    for i in range(first, last):
        g = games[i]
        rewards[i], ended[i], illegal[i] = 0.0, False, False
        if g.outcome != RUNNING:
            if autoreset == NEXT_STEP:
                seed = next_seed(g.seed)
                games[i] = blank[0]
                NEW_GAME(g, r, seed)
        elif not is_legal(g, actions[i]):
            illegal[i] = True
            rewards[i] = w.illegal
        else:
            before = POTENTIAL(g, r, w)
            DECIDE(g, r, actions[i])
            rewards[i] = RESULT(g, w) + w.gamma * POTENTIAL(g, r, w) - before
            if g.outcome != RUNNING:
                ended[i] = True
                if autoreset == SAME_STEP:
                    last_looks[i] = blank_look[0]
                    OBSERVE(g, r, last_looks[i])
                    finished[i] = g
                    seed = next_seed(g.seed)
                    games[i] = blank[0]
                    NEW_GAME(g, r, seed)
        looks[i] = blank_look[0]
        OBSERVE(g, r, looks[i])
        write_mask(g, masks, i)


class Batch:
    """n games of one kind with one set of rules."""

    def __init__(
        self,
        game: Game,
        rules: np.ndarray,
        reward: np.ndarray,
        count: int = 1,
        autoreset: int = KEEP,
        threads: int = 1,
    ) -> None:
        self.game, self.rules, self.reward = game, rules, reward
        self.count, self.autoreset = count, autoreset
        self.blank, self.blank_look = game.blank, np.zeros(1, game.look)
        self.games = np.zeros(count, game.record)
        self.finished = np.zeros(count if autoreset == SAME_STEP else 1, game.record)
        self.last_observations = np.zeros((len(self.finished), game.observation.size), np.float32)
        self.last_looks = self.last_observations.view(game.look)[:, 0]
        self.new_arrays()
        self.started = False
        threads = max(1, min(threads, count // SMALLEST_PART))
        edges = np.linspace(0, count, threads + 1).astype(int)
        self.parts = list(zip(edges[:-1].tolist(), edges[1:].tolist(), strict=True))
        self.pool = ThreadPoolExecutor(threads) if threads > 1 else None

    def new_arrays(self) -> None:
        """Take fresh arrays for what the next step writes; those handed out before stay as they are.

        This is cheaper than copying: the loop writes into memory that the last user has given back.
        """
        self.observations = np.empty((self.count, self.game.observation.size), np.float32)
        # the rules see an observation as a record with named fields, everyone else as a row of numbers
        self.looks = self.observations.view(self.game.look)[:, 0]
        self.masks = np.empty((self.count, self.game.actions.size), np.int8)
        self.rewards = np.zeros(self.count)
        self.ended = np.zeros(self.count, np.bool_)
        self.illegal = np.zeros(self.count, np.bool_)

    def start(self, seeds: np.ndarray) -> None:
        """Set up all games anew."""
        self.started = True
        seeds = np.ascontiguousarray(seeds, np.uint64)
        games, blanks = self.games, (self.blank, self.blank_look)
        self._run(self.game.start_games, games, *blanks, self.rules, seeds, self.looks, self.masks)

    def step(self, actions: np.ndarray) -> None:
        """One decision in each game; the results are in the batch's arrays."""
        actions = np.asarray(actions)
        if (
            actions.shape != (self.count,) or actions.dtype.kind not in "iu"
        ):  # compiled code would read what is not there
            given = f"{actions.dtype} of shape {actions.shape}"
            raise UserError(f"actions must be {self.count} whole numbers, one for each game, but they are {given}")
        if not self.started:
            raise UserError("the games have not begun: call reset() before step()")
        self._run(
            self.game.step_games,
            self.games,
            self.finished,
            self.blank,
            self.blank_look,
            self.rules,
            self.reward,
            np.ascontiguousarray(actions, np.int64),
            self.looks,
            self.last_looks,
            self.masks,
            self.rewards,
            self.ended,
            self.illegal,
            self.autoreset,
        )

    def look(self) -> None:
        """Write observations and masks anew, after records were changed from outside."""
        self.started = True
        self._run(self.game.look_at_games, self.games, self.blank_look, self.rules, self.looks, self.masks)

    def _run(self, function: Any, *arguments: Any) -> None:
        if self.pool is None:
            function(*arguments, 0, self.count)
        else:
            jobs = [self.pool.submit(function, *(*arguments, first, last)) for first, last in self.parts]
            for job in jobs:
                job.result()
