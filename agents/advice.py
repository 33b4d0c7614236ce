"""What a player thinks of a position: for hints, pages and notebooks.

The chance to win is the planner's estimate, whoever is asked: a network's own value may be that of a shaped reward. It
is what the position can still come to by the end of the turn, before luck strikes, for somebody who plays the turn as
the planner would. Like every player, an adviser sees copies with luck of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Agent, Boards
from agents.planner import Planner
from agents.random_agent import RandomAgent
from loop_env.adapters.single import GameEnv
from loop_env.engine.luck import player_streams, reseed
from loop_env.games import find

BUDGET = 3000  # positions to look at for a position's chance to win ...
BUDGET_AHEAD = 300  # ... and for each of the positions that luck may bring
FUTURES = 8  # of these are looked at
ADVISER = np.uint64(1 << 40)  # the seed of an adviser's streams, far from those of players


@dataclass(frozen=True)
class Option:
    """A possible action."""

    action: int
    name: str
    chance: float | None  # with which the player would do it, if the player goes by chances
    win: float  # the chance to win after it


@dataclass(frozen=True)
class Advice:
    """What a player would do, and how the game stands."""

    player: str
    choice: int  # the action that the player would do
    win: float  # the chance to win now
    options: list[Option]  # the likeliest first, or else the best

    @property
    def best(self) -> Option:
        """The player's choice."""
        return self.of(self.choice)

    def of(self, action: int) -> Option:
        """What is said of an action."""
        return next(option for option in self.options if option.action == action)


def advise(env: GameEnv, player: Agent) -> Advice:
    """What a player thinks of a running game.

    The answer depends on nothing but the table and the number of decisions so far.
    """
    boards = look_at(env)
    search, rules = find(env.game.name).planner(), env.batch.rules
    copies = boards.copies()
    chosen, hopes, wins = search.look_ahead(copies, rules, budget_of(player), copies["seed"])
    choice = int(chosen[0]) if isinstance(player, Planner) else int(player.act(look_at(env))[0])
    chances = chances_of(player, look_at(env))
    options = []
    for action in np.flatnonzero(boards.masks[0]):
        win = float(hopes[0, action])
        if np.isnan(win):  # luck strikes before anybody can choose to end the turn
            win = win_after(env, int(action))
        chance = None if chances is None else float(chances[action])
        options.append(Option(int(action), env.action_name(int(action)), chance, win))
    options.sort(key=lambda option: (option.chance or 0.0, option.action == choice, option.win), reverse=True)
    return Advice(player.name, choice, float(wins[0]), options)


def look_at(env: GameEnv) -> Boards:
    """The game as an adviser may see it."""
    luck = player_streams(ADVISER, np.array([env.record.decisions], np.uint64))
    return Boards.of(env.parts, env.batch, np.zeros(1, np.int64), luck)


def budget_of(player: Agent) -> int:
    """How many positions to look at: the planner's own number, if it is the planner."""
    return player.budget if isinstance(player, Planner) else BUDGET


def win_chance(env: GameEnv) -> float:
    """The chance to win now; of a finished game 0 or 1."""
    copies = look_at(env).copies()
    return float(find(env.game.name).planner().look_ahead(copies, env.batch.rules, BUDGET, copies["seed"])[2][0])


def win_after(env: GameEnv, action: int) -> float:
    """The chance to win after an action that luck follows: the mean over some futures."""
    boards = look_at(env)
    copies = np.repeat(boards.copies(), FUTURES)
    reseed(copies, player_streams(ADVISER, np.arange(FUTURES, dtype=np.uint64) + copies["seed"]))
    for i in range(FUTURES):
        env.game.decide(copies[i], env.batch.rules[0], action)
    search = find(env.game.name).planner()
    return float(search.look_ahead(copies, env.batch.rules, BUDGET_AHEAD, copies["seed"])[2].mean())


def chances_of(player: Agent, boards: Boards) -> np.ndarray | None:
    """The probability of each action, if the player goes by such: a trained policy does, and the random player."""
    if isinstance(player, RandomAgent):
        return boards.masks[0] / boards.masks[0].sum()
    network = getattr(player, "network", None)
    if network is None:
        return None
    import torch  # only somebody who has a network has to have it

    from agents.network import log_chances

    with torch.inference_mode():
        logits, _ = network(torch.from_numpy(boards.observations))
        found: np.ndarray = log_chances(logits, torch.from_numpy(boards.masks).bool()).exp()[0].numpy()
    return found
