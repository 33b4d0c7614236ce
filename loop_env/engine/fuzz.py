"""Random legal games, with every law checked after every decision."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from loop_env.engine.batch import RUNNING, Batch
from loop_env.engine.game import Game
from loop_env.engine.jit import fill_in
from loop_env.engine.luck import seed_streams
from loop_env.engine.masks import pick_actions, pick_legal

NEW_GAME: Any = None
DECIDE: Any = None
BROKEN_LAW: Any = None

PLAYER = np.uint64(0x5EED)  # sets the random player's stream apart from the game's own
CHUNK = 1000


@dataclass(frozen=True)
class Breach:
    """Where a law was broken."""

    seed: int
    decision: int
    law: str


def fuzz_games(  # a template
    games: Any, blank: Any, rules: Any, seeds: Any, luck: Any, laws: Any, counts: Any, most_decisions: int
) -> None:
    """Play each game to its end, or to the first broken law; what was found is written into `laws`."""
    r = rules[0]
    for i in range(len(games)):
        g = games[i]
        games[i] = blank[0]
        NEW_GAME(g, r, seeds[i])
        laws[i] = BROKEN_LAW(g, r)
        while laws[i] == 0 and g.outcome == RUNNING:
            DECIDE(g, r, pick_legal(g, luck, i))
            laws[i] = BROKEN_LAW(g, r)
            if g.decisions > most_decisions:
                laws[i] = -1
        counts[i] = g.decisions


class Fuzzer:
    """Fuzzes one game."""

    def __init__(self, game: Game, rules: np.ndarray, most_decisions: int) -> None:
        self.game, self.rules, self.most_decisions = game, rules, most_decisions
        parts = {"NEW_GAME": game.new_game, "DECIDE": game.decide, "BROKEN_LAW": game.broken_law}
        self.fuzz_games = fill_in(fuzz_games, f"{game.name}_fuzz_games", **parts)

    def run(self, count: int, seed: int) -> Iterator[tuple[np.ndarray, list[Breach]]]:
        """Play `count` games, some at a time: the finished records, and the breaches among them."""
        for first in range(0, count, CHUNK):
            size = min(CHUNK, count - first)
            seeds = np.arange(seed + first, seed + first + size).astype(np.uint64)
            games, laws, decisions = np.zeros(size, self.game.record), np.zeros(size, int), np.zeros(size, int)
            arguments = (games, self.game.blank, self.rules, seeds, player_luck(seeds), laws, decisions)
            self.fuzz_games(*arguments, self.most_decisions)
            breaches = [Breach(int(seeds[i]), int(decisions[i]), self.law(laws[i])) for i in np.flatnonzero(laws)]
            yield games, breaches

    def law(self, number: int) -> str:
        """A law in words."""
        return f"a game ends within {self.most_decisions} decisions" if number < 0 else self.game.laws[number]


def player_luck(seeds: np.ndarray) -> np.ndarray:
    """A stream for the random player of each game."""
    luck, one = np.zeros(len(seeds), np.uint64), np.zeros(1, np.uint64)
    for i, seed in enumerate(seeds):
        seed_streams(one, seed ^ PLAYER)
        luck[i] = one[0]
    return luck


def digest(game: Game, rules: np.ndarray, reward: np.ndarray, count: int, seed: int) -> str:
    """A hash of every record and observation of some random games: the same compiled and uncompiled."""
    found = hashlib.sha256()
    batch = Batch(game, rules, reward, count)
    seeds = np.arange(seed, seed + count).astype(np.uint64)
    luck, actions = player_luck(seeds), np.zeros(count, np.int64)
    batch.start(seeds)
    while (batch.games["outcome"] == RUNNING).any():
        pick_actions(batch.games, luck, actions)
        batch.step(actions)
        for array in (batch.games, batch.masks, batch.observations, batch.rewards):
            found.update(array.tobytes())
    return found.hexdigest()
