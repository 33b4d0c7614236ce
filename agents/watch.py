"""python -m loop_env watch: a game in the terminal, turn by turn, or as a web page."""

from __future__ import annotations

import sys
import time
import webbrowser
from argparse import Namespace
from pathlib import Path

from rich.console import Console
from rich.rule import Rule

from agents.base import Agent
from agents.play import BOT, board, percent, refuse_setup, screen, title
from agents.registry import load
from agents.story import CHOICE, Drop, Moment, drops, is_replay, load_game, lost_chances, play_game, tell
from agents.table import make_setup
from loop_env.errors import UserError
from loop_env.replay import Replay

DELAY = 1.0  # seconds between turns, if somebody looks
WORTH_TELLING = 0.03  # falls of the chance to win


def watch(options: Namespace) -> int:
    """Find or play the game, then show it."""
    if options.open and not options.html:
        raise UserError("--open opens a page: say where to write it with --html game.html")
    game, adviser = find_game(options)
    if options.html:
        return write(options, game, adviser)
    delay = options.delay if options.delay is not None else DELAY * sys.stdout.isatty()
    show(game, adviser, screen(), delay)
    return 0


def find_game(options: Namespace) -> tuple[Replay, Agent]:
    """The game that is meant, and whose opinion of it is asked for."""
    if is_replay(options.who):
        refuse_setup(options, f"{options.who!r} is a saved game, set up already")
        game = load_game(options.who, options.number or 1)
        return game, load(options.advisor or BOT, game.game)
    if options.number is not None:
        raise UserError(f"--number is for files of saved games, and {options.who!r} is a player")
    setup = make_setup(options.game, options.mode, options.level, options.agents, options.solo, options.data)
    adviser = load(options.advisor or options.who, options.game, options.seed or 0)
    with Console(stderr=True).status(f"{adviser.name} plays ..."):
        return play_game(options.who, options.game, setup, options.seed or 0), adviser


# -- in the terminal -------------------------------------------------------------------------------
def show(game: Replay, adviser: Agent, console: Console, delay: float) -> None:
    """The table at the start of each turn, and what was done in it."""
    moments: list[Moment] = []
    for env, moment in tell(game, adviser):
        last = moments[-1] if moments else None
        moments.append(moment)
        if last is not None:
            console.print(line(last, moments), markup=False, highlight=False, soft_wrap=True)
        if moment.action is None or last is None or last.turn != moment.turn:
            if last is not None:
                time.sleep(delay)
            heading = "the end" if env.is_over() else f"turn {moment.turn}, {title(moment.agent)}"
            console.print(Rule(f"{heading}, chance to win {percent(moment.win)}"))
            console.print(board(env), soft_wrap=True)
            console.print()
    sum_up(game, moments, console)


def line(done: Moment, moments: list[Moment]) -> str:
    """What was done, and what it cost."""
    fallen = [drop for drop in drops(moments[-2:]) if drop.size >= WORTH_TELLING]
    lost = "".join(f"   {words(drop)}" for drop in fallen)
    likely = done.option.chance if done.option else None
    chance = "" if likely is None else f" ({percent(likely)})"
    return f"  {title(done.agent)}: {done.words}{chance}{lost}"


def words(drop: Drop) -> str:
    """A fall of the chance to win."""
    return f"-{percent(drop.size)} by {'this choice' if drop.cause == CHOICE else 'the luck that followed'}"


def sum_up(game: Replay, moments: list[Moment], console: Console) -> None:
    """How it ended, and where it was lost."""
    ending = (game.outcome or "not over yet").replace("_", " ")
    console.print(
        f"{game.player or 'somebody'}, seed {game.seed}: {ending} after {len(game.actions)} decisions",
        highlight=False,
        markup=False,
    )
    lost = lost_chances(moments)
    if lost:
        console.print("The largest falls of the chance to win:", highlight=False)
    for drop in lost:
        done = moments[drop.moment]
        console.print(
            f"  turn {done.turn}, {title(done.agent)}: {done.words}   {words(drop)}", highlight=False, markup=False
        )


# -- as a page -------------------------------------------------------------------------------------
def write(options: Namespace, game: Replay, adviser: Agent) -> int:
    """Write the page; open it if asked to."""
    from agents.page import write_page

    path = Path(options.html)
    if path.is_dir():
        raise UserError(f"--html: {options.html!r} is a folder, not the name of a file")
    with Console(stderr=True).status("drawing the page ..."):
        try:
            write_page(path, game, adviser)
        except OSError as error:
            raise UserError(f"--html: {options.html!r} cannot be written: {error.strerror}") from error
    print(f"{path} ({path.stat().st_size / 1e6:.1f} MB)")
    if options.open and not webbrowser.open(path.resolve().as_uri()):
        raise UserError(f"no browser could be started; open {path} yourself")
    return 0
