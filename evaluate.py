"""Win rates of players: python evaluate.py PLAYER... [--modes all] [--levels all] [--players 2,3,4] [--games N]."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from agents import report as looks
from agents.evaluation import Counts, Plan, Report, check, evaluate, make_cells
from agents.registry import FORMS, label
from loop_env.command_line import exit_code, natural, positive
from loop_env.errors import UserError
from loop_env.games import GAMES

WIDE = 160  # columns, if the table goes into a file
FILES = ("json", "csv", "markdown", "plot")
FOLDERS = ("replays", "tensorboard")


def main(arguments: Sequence[str] | None = None) -> int:
    """Play, tell, write; 2 for a mistake in what the user gave, 130 after Ctrl-C."""
    arguments = sys.argv[1:] if arguments is None else list(arguments)
    options = parser().parse_args(arguments)
    command = f"python evaluate.py {shlex.join(arguments)}"
    return exit_code("evaluate", lambda: run(options, command))


def run(options: argparse.Namespace, command: str) -> int:
    """Check everything, then play."""
    check_outputs(options)
    plan = make_plan(options)
    check(plan)
    report = play(plan)
    write(report, options, command)
    return 130 if report.stopped else 0


class Parser(argparse.ArgumentParser):
    """Tells mistakes in one sentence."""

    def error(self, message: str) -> NoReturn:
        """End with code 2."""
        self.exit(2, f"evaluate: {message}\n")


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = Parser("evaluate.py", description="How often do players win? All of them meet the same games.")
    add = top.add_argument
    add("agents", nargs="+", metavar="PLAYER", help=f"{FORMS}; NAME@NUMBER sets a budget")
    add("--game", default=next(iter(GAMES)), help=f"one of: {', '.join(GAMES)} (default %(default)s)")
    add("--modes", default="", metavar="LIST", help="modes, with commas between, or all (default: the first)")
    add("--levels", default="", metavar="LIST", help="levels, or all (default: the first)")
    add("--players", default="", metavar="LIST", help="numbers of players, or all (default: the smallest)")
    add("--solo", action="store_true", help="by the rules for one person who runs all the agents")
    add("--games", type=positive, default=200, metavar="N", help="games of each player in each cell (%(default)s)")
    add("--seed", type=natural, default=0, metavar="S", help="seed of the first game and of the players (%(default)s)")
    add("--workers", type=positive, default=1, metavar="N", help="processes (%(default)s); they change no number")
    add("--batch", type=positive, default=128, metavar="N", help="games played at once (%(default)s)")
    add("--data", metavar="FOLDER", help="a folder with cards and numbers of your own")
    add("--json", metavar="FILE", help="write a record for each player in each cell")
    add("--csv", metavar="FILE", help="write the same as rows")
    add("--markdown", metavar="FILE", help="write the same as a page")
    add("--plot", metavar="FILE", help="draw heatmaps of win rates, mode by level")
    add("--replays", metavar="FOLDER", help="save all games")
    add("--tensorboard", metavar="FOLDER", help="log win rates, and a game of each player in each cell")
    return top


def make_plan(options: argparse.Namespace) -> Plan:
    """What is to be played."""
    return Plan(
        game=options.game,
        agents=options.agents,
        cells=make_cells(options.game, options.modes, options.levels, options.players, options.data),
        games=options.games,
        seed=options.seed,
        batch=options.batch,
        workers=options.workers,
        solo=options.solo,
        data=options.data,
        keep_actions=options.replays is not None or options.tensorboard is not None,
    )


# -- playing ---------------------------------------------------------------------------------------
def play(plan: Plan) -> Report:
    """Play, with a bar on stderr that tells the running win rate."""
    bar = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*bar, console=Console(stderr=True)) as progress:
        task = progress.add_task("starting (compiling first, once)", total=plan.games * len(plan.groups))
        ended = [0] * len(plan.groups)

        def watch(counts: Counts) -> None:
            for group, (cell, agent) in enumerate(plan.groups):
                now, won = counts.of(group)
                if now > ended[group]:
                    words = f"{cell}  {label(agent)}: {looks.percent(won / now)} of {now:,} won"
                    progress.update(task, description=words, advance=now - ended[group])
                    ended[group] = now

        return evaluate(plan, watch)


# -- telling ---------------------------------------------------------------------------------------
def check_outputs(options: argparse.Namespace) -> None:
    """Complain now, not after the games, about files that cannot be written."""
    for name in FILES:
        path = getattr(options, name)
        if path is not None and (Path(path).is_dir() or not path):
            raise UserError(f"--{name}: {path!r} is not the name of a file")
    for name in (*FILES, *FOLDERS):
        path = getattr(options, name)
        if path is not None:
            check_folder(Path(path) if name in FOLDERS else Path(path).parent, name)
    paths = [getattr(options, name) for name in FILES if getattr(options, name) is not None]
    for path in paths:
        if paths.count(path) > 1:
            raise UserError(f"{path!r} cannot be two files at once")
    if options.plot is not None:
        looks.check_picture(options.plot)
    if options.tensorboard is not None and not all(map(find_spec, ("torch", "tensorboard"))):
        raise UserError("--tensorboard needs the packages of 'train': pip install 'loop_env[train]'")


def check_folder(folder: Path, name: str) -> None:
    """Make a folder that is to be written into."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise UserError(f"--{name}: the folder {str(folder)!r} cannot be made: {error.strerror}") from error
    if not os.access(folder, os.W_OK):
        raise UserError(f"--{name}: the folder {str(folder)!r} cannot be written into")


def write(report: Report, options: argparse.Namespace, command: str) -> None:
    """Write the files and print the tables; after Ctrl-C with what is done so far."""
    plan = report.plan
    if report.stopped:
        done = f"{report.games:,} of {plan.games * len(plan.groups):,} games are done (only whole batches count)"
        print(f"evaluate: stopped; {done}", file=sys.stderr)
    if not report.games:
        return
    if options.json:
        looks.write_json(options.json, report, command)
    if options.csv:
        looks.write_csv(options.csv, report, command)
    if options.markdown:
        looks.write_markdown(options.markdown, report, command, options.plot)
    if options.plot:
        looks.write_plot(options.plot, report)
    if options.replays:
        looks.write_replays(options.replays, report)
    if options.tensorboard:
        from agents.show import show_report  # needs torch

        show_report(Path(options.tensorboard), report)
    looks.show(report, Console(width=None if sys.stdout.isatty() else WIDE))


if __name__ == "__main__":
    sys.exit(main())
