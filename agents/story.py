"""A game told decision by decision: what was done, what else could have been, and how the chance to win went."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from agents.advice import Advice, Option, advise, win_chance
from agents.base import Agent
from agents.match import play_match
from agents.registry import label, load
from loop_env import replay
from loop_env.adapters.single import GameEnv
from loop_env.games import find
from loop_env.replay import Replay

NOT_SAVED_GAMES = (".safetensors", ".py")  # files that hold players
LUCK, CHOICE = "luck", "choice"  # what a chance may be lost by


@dataclass(frozen=True)
class Moment:
    """The game before a decision, or at its end, and the decision."""

    turn: int
    agent: str  # who decides
    possible: int  # how many actions
    action: int | None  # None: the game is over, or goes on another day
    words: str
    win: float  # the chance to win
    advice: Advice | None  # None: the game is over
    luck: bytes  # where the game's random streams stand

    @property
    def option(self) -> Option | None:
        """What was said of the action that was done."""
        return None if self.advice is None or self.action is None else self.advice.of(self.action)

    @property
    def lost_by_choice(self) -> float:
        """How much better the best action was than the one that was done."""
        if self.advice is None or self.option is None:
            return 0.0
        return max(option.win for option in self.advice.options) - self.option.win


@dataclass(frozen=True)
class Drop:
    """A fall of the chance to win."""

    moment: int  # whose decision it came with
    size: float
    cause: str  # LUCK or CHOICE


def is_replay(who: str) -> bool:
    """Whether somebody means a saved game, not a player."""
    path = Path(who)
    return path.suffix == ".jsonl" or (path.is_file() and path.suffix not in NOT_SAVED_GAMES)


def play_game(who: str, game: str, setup: dict[str, object], seed: int) -> Replay:
    """Let a player play a game: the same one as the first of `evaluate.py --seed`."""
    commands = find(game)
    played = play_match(load(who, game, seed), commands.parts(**setup), [seed], seed=seed, keep_actions=True)
    version, outcome = commands.env(**setup).fingerprint(), str(played.results["outcome"][0])
    return Replay(game, version, setup, seed, played.actions[0], outcome, label(who))


def load_game(path: str, number: int) -> Replay:
    """A game from a file."""
    return replay.load(path, number)[0]


def tell(game: Replay, adviser: Agent) -> Iterator[tuple[GameEnv, Moment]]:
    """The game, moment by moment, with the environment as it is then: always the same object."""
    for i, env in enumerate(game.play()):
        action = game.actions[i] if i < len(game.actions) else None
        advice = None if env.is_over() else advise(env, adviser)
        view = env.view()
        yield (
            env,
            Moment(
                turn=view["turn"],
                agent=view["acting"],
                possible=0 if env.is_over() else int(env.action_masks().sum()),
                action=action,
                words="" if action is None else env.action_name(action),
                win=win_chance(env) if advice is None else advice.win,
                advice=advice,
                luck=env.record.luck.tobytes(),
            ),
        )


def drops(moments: list[Moment]) -> list[Drop]:
    """Every fall of the chance to win, with its cause: a choice that was not the best, or luck that followed.

    Without luck, what is left of a change is that the estimate was mended: nobody's fault.
    """
    found = []
    for i, (now, after) in enumerate(pairwise(moments)):
        fallen = now.win - after.win
        by_choice = min(now.lost_by_choice, fallen)
        found.append(Drop(i, by_choice, CHOICE))
        if now.luck != after.luck:
            found.append(Drop(i, fallen - by_choice, LUCK))
    return [drop for drop in found if drop.size > 0]


def lost_chances(moments: list[Moment], most: int = 5, smallest: float = 0.03) -> list[Drop]:
    """The largest falls, the largest first."""
    return sorted((drop for drop in drops(moments) if drop.size >= smallest), key=lambda drop: -drop.size)[:most]
