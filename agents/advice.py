"""What a player thinks of a position: for hints, pages and notebooks.

The chance to win is the planner's estimate, whoever is asked: a network's own value may be that of a shaped reward. It
is what the position can still come to by the end of the turn, before luck strikes, for somebody who plays the turn as
the planner would. Like every player, an adviser sees copies with luck of their own.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from agents.base import Agent, Boards
from agents.random_agent import RandomAgent
from loop_env.adapters.single import GameEnv
from loop_env.engine.luck import player_streams, reseed
from loop_env.errors import UserError
from loop_env.games import find

BUDGET, WORLDS = 6000, 4  # positions to look at for a chance to win, and the worlds they are shared out among
BUDGET_AFTER = 4000  # and for the chance after an action ...
FUTURES = 8  # ... shared out among so many of those that luck may bring, if it comes in
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
    hopes, wins = look_ahead(env, boards.copies(), BUDGET, WORLDS)
    choice = int(player.act(look_at(env))[0])
    chances = chances_of(player, look_at(env))
    options, best = [], float(wins[0])
    for action in np.flatnonzero(boards.masks[0]).tolist():
        chance = None if chances is None else float(chances[action])
        win = win_after(env, action, float(hopes[0, action]))
        options.append(Option(action, env.action_name(action), chance, win))
        if not np.isnan(hopes[0, action]):  # a look from nearer may have found what the first one missed
            best = max(best, win)
    options.sort(key=lambda option: (option.chance or 0.0, option.win), reverse=True)
    return Advice(player.name, choice, best, options)


def look_at(env: GameEnv) -> Boards:
    """The game as an adviser may see it."""
    luck = player_streams(ADVISER, np.array([env.record.decisions], np.uint64))
    return Boards.of(env.parts, env.batch, np.zeros(1, np.int64), luck)


def act_alone(env: GameEnv, player: Agent, seed: np.uint64) -> int:
    """A player's decision in a game of its own, with chance that follows from a seed and the decisions so far."""
    luck = player_streams(seed, np.array([env.record.decisions], np.uint64))
    action = int(player.act(Boards.of(env.parts, env.batch, np.zeros(1, np.int64), luck))[0])
    if action not in np.flatnonzero(env.action_masks()):
        raise UserError(f"{player.name} chose action {action}, which is not possible here")
    return action


def look_further(env: GameEnv, player: Agent, most: int = 12) -> list[str]:
    """What a player would do in this turn, as far as no luck comes in between."""
    before, luck, turn, found = env.save(), env.record.luck.copy(), env.record.turn, list[str]()
    try:
        while len(found) < most and not env.is_over():
            action = int(player.act(look_at(env))[0])
            found.append(env.action_name(action))
            env.step(action)
            if env.record.turn != turn or (env.record.luck != luck).any():
                break
    finally:
        env.restore(before)
    return found


def look_ahead(env: GameEnv, copies: np.ndarray, budget: int, worlds: int) -> tuple[np.ndarray, np.ndarray]:
    """The planner's view of some copies: what each action can come to, and the chance to win."""
    return find(env.game.name).planner().look_ahead(copies, env.batch.rules, budget, worlds, copies["seed"])


def win_chance(env: GameEnv) -> float:
    """The chance to win now; of a finished game 0 or 1."""
    return float(look_ahead(env, look_at(env).copies(), BUDGET, WORLDS)[1][0])


def win_after(env: GameEnv, action: int, hope: float) -> float:
    """The chance to win after an action; if luck comes in, the mean over some futures.

    If the action ends the turn by choice, `hope` says exactly what the search knows of the luck that follows.
    """
    copies = np.repeat(look_at(env).copies(), FUTURES)
    reseed(copies, player_streams(ADVISER, np.arange(FUTURES, dtype=np.uint64) + copies["seed"]))
    before = copies.copy()
    for i in range(FUTURES):
        env.game.decide(copies[i], env.batch.rules[0], action)
    if copies["turn"][0] != before["turn"][0] and not np.isnan(hope):
        return hope
    if (copies["luck"] == before["luck"]).all():
        return float(look_ahead(env, copies[:1], BUDGET_AFTER, WORLDS)[1][0])
    return float(look_ahead(env, copies, BUDGET_AFTER // FUTURES, 1)[1].mean())


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
