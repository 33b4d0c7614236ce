"""python -m loop_env: play, watch, info, fuzz, bench."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from loop_env.command_line import exit_code, natural, positive, seconds
from loop_env.errors import UserError
from loop_env.games import GAMES, Commands, find

OUT, NOTES = Console(), Console(stderr=True)
MANY = 6  # fields that fit side by side


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; the exit code is 2 for a mistake in what the user gave."""
    options = parser().parse_args(arguments)
    return exit_code("loop_env", lambda: int(options.run(options)))


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(
        "python -m loop_env",
        description="Play a game, watch one, look at its cards, fuzz its rules, measure its speed.",
    )
    commands = top.add_subparsers(required=True, metavar="command")
    games = f"one of: {', '.join(GAMES)}"

    play = commands.add_parser("play", help="play a game in the terminal, with bots in the other seats")
    play.add_argument("--with", dest="bot", metavar="PLAYER", help="who has the other seats (default planner)")
    play.add_argument("--seat", metavar="LIST", help="your seats: numbers or agents, or all (default 1)")
    play.add_argument("--load", metavar="FILE", help="go on with a saved game")
    play.add_argument("--save", metavar="FILE", help="where to save the game (default GAME-SEED.jsonl)")
    play.add_argument("--advisor", metavar="PLAYER", help="who gives hints (default: the bot)")
    add_setup(play, "a new one")
    play.set_defaults(run=run_play)

    watch = commands.add_parser("watch", help="watch a player, or a saved game, in the terminal or as a web page")
    watch.add_argument("who", metavar="PLAYER|REPLAY", help="a player, such as planner or runs/mine, or a saved game")
    watch.add_argument("--number", type=positive, metavar="N", help="which game of the file (default 1)")
    watch.add_argument("--advisor", metavar="PLAYER", help="whose opinion to show (default: the player's own)")
    watch.add_argument("--delay", type=seconds, metavar="S", help="seconds between turns in the terminal (default 1)")
    watch.add_argument("--html", metavar="FILE", help="write the game as a web page that needs nothing else")
    watch.add_argument("--open", action="store_true", help="and open it in the browser")
    add_setup(watch, "0")
    watch.set_defaults(run=run_watch)

    info = commands.add_parser("info", help="list a game's cards, numbers, actions and observation")
    info.add_argument("game", help=games)
    info.add_argument("--json", action="store_true", help="print JSON")
    info.add_argument("--data", metavar="FOLDER", help="a folder with your own data")
    info.set_defaults(run=run_info)

    fuzz = commands.add_parser("fuzz", help="play random games and check every law after every decision")
    fuzz.add_argument("game", help=games)
    fuzz.add_argument("--games", type=positive, default=10_000, metavar="N", help="games to play (default %(default)s)")
    fuzz.add_argument(
        "--seed", type=natural, default=0, metavar="S", help="seed of the first game (default %(default)s)"
    )
    fuzz.add_argument("--setup", metavar="TEXT", help="only setups whose title contains this, such as '3 players'")
    fuzz.add_argument("--digest", action="store_true", help="print a hash of all records instead, to compare two runs")
    fuzz.set_defaults(run=run_fuzz)

    bench = commands.add_parser("bench", help="measure steps a second")
    bench.add_argument("game", help=games)
    bench.add_argument("--games", type=positive, default=1024, metavar="N", help="games at once (default %(default)s)")
    bench.add_argument("--json", action="store_true", help="print JSON")
    bench.set_defaults(run=run_bench)
    return top


def add_setup(command: argparse.ArgumentParser, seed: str) -> None:
    """How a new game is set up."""
    add = command.add_argument
    add("--game", default=next(iter(GAMES)), help=f"one of: {', '.join(GAMES)} (default %(default)s)")
    add("--mode", metavar="MODE", help="(default: the first)")
    add("--level", metavar="LEVEL", help="by number or name (default: the first)")
    add("--agents", metavar="N|LIST", help="how many, or which, with commas between (default: as few as can be)")
    add("--solo", action="store_true", help="by the rules for one person who runs all the agents")
    add("--data", metavar="FOLDER", help="a folder with cards and numbers of your own")
    add("--seed", type=natural, metavar="S", help=f"seed of the game (default {seed})")


# -- play and watch: these need players, whom the package does without otherwise --------------------
def run_play(options: argparse.Namespace) -> int:
    """A person plays."""
    one_thread()
    from agents.play import play

    return play(options)


def one_thread() -> None:
    """Keep networks to one core, unless the user says otherwise: there is only one position at a time to look at."""
    os.environ.setdefault("OMP_NUM_THREADS", "1")


def run_watch(options: argparse.Namespace) -> int:
    """A person watches."""
    one_thread()
    from agents.watch import watch

    return watch(options)


# -- info ------------------------------------------------------------------------------------------
def run_info(options: argparse.Namespace) -> int:
    """Lists of all that a game is made of."""
    info = find(options.game).info(options.data)
    if options.json:
        print(json.dumps(info, indent=1))
        return 0
    for title, rows in info.items():
        if isinstance(rows, list):
            OUT.print(table_of(title, rows))
        elif title != "observation_columns":
            OUT.print(f"[bold]{title}[/bold]: {rows}")
    for title, rows in info.get("observation_columns", {}).items():
        OUT.print(table_of(f"observation: columns of {title}", rows))
    return 0


def table_of(title: str, rows: list[dict[str, Any]]) -> Table:
    """Rows as a table; few rows with many fields stand side by side, so that they fit."""
    table = Table(title=f"{title} ({len(rows)})", title_justify="left", title_style="bold")
    fields = list(rows[0])
    lines = [[shown(row[name]) for name in fields] for row in rows]
    headings = [name.replace("_", " ") for name in fields]
    if len(fields) > MANY and len(rows) < len(fields):
        headings, *lines = [list(column) for column in zip(headings, *lines, strict=True)]
    for heading in headings:
        table.add_column(heading)
    for line in lines:
        table.add_row(*line)
    return table


def shown(value: Any) -> str:
    """A cell."""
    if isinstance(value, (list, tuple)):
        return ", ".join(str(item) for item in value)
    return "" if value is None else str(value)


# -- fuzz ------------------------------------------------------------------------------------------
def run_fuzz(options: argparse.Namespace) -> int:
    """Random games; 1 if a law was broken."""
    from loop_env.engine.fuzz import digest

    commands = find(options.game)
    setups = [s for s in commands.setups() if options.setup is None or options.setup in s.title]
    if not setups:
        titles = "; ".join(s.title for s in commands.setups())
        raise UserError(f"no setup of {options.game} contains {options.setup!r}; there are: {titles}")
    if options.digest:
        for setup in setups:
            print(setup.title, digest(commands.game(), setup.rules, commands.reward(), options.games, options.seed))
        return 0
    return fuzz(commands, setups, options)


def fuzz(commands: Commands, setups: list[Any], options: argparse.Namespace) -> int:
    """Play and tell; the games are shared out among the setups."""
    from loop_env.engine.fuzz import Fuzzer

    bound, broken, lengths = commands.decision_bound(), 0, []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=NOTES) as progress:
        task = progress.add_task("fuzzing (compiling first, once)", total=options.games)
        for i, setup in enumerate(setups):
            share = options.games // len(setups) + (i < options.games % len(setups))
            for records, breaches in Fuzzer(commands.game(), setup.rules, bound).run(share, options.seed):
                progress.update(task, advance=len(records), description=f"fuzzing {setup.title}")
                lengths.append(records["decisions"])
                for breach in breaches:
                    broken += 1
                    again = (
                        f"python -m loop_env fuzz {options.game} --games 1 --seed {breach.seed} --setup '{setup.title}'"
                    )
                    OUT.print(f"broken in {setup.title}, seed {breach.seed}, decision {breach.decision}: {breach.law}")
                    OUT.print(f"  to see it again: {again}", highlight=False)
    made = np.concatenate(lengths)
    OUT.print(
        f"{len(made):,} games, {made.sum():,} decisions: {f'{broken} broken laws' if broken else 'nothing found'}. "
        f"Decisions in a game: {made.mean():.1f} on average, {made.max()} at most, {bound:,} by the bound.",
        highlight=False,
    )
    return 1 if broken else 0


# -- bench -----------------------------------------------------------------------------------------
def run_bench(options: argparse.Namespace) -> int:
    """Measure and print."""
    from loop_env.bench import bench, frame_milliseconds

    commands = find(options.game)
    with NOTES.status("measuring ...") as status:
        found = bench(commands.modes(), options.games, note=status.update)
        status.update("drawing ...")
        found["frame_milliseconds"] = frame_milliseconds(commands.env())
    if options.json:
        print(json.dumps(found, indent=1))
        return 0
    table = Table(
        title=f"{options.game}: {options.games} games, random legal play, observation, mask and autoreset included"
    )
    table.add_column("what")
    table.add_column("value", justify="right")
    for key, value in found.items():
        name = key.replace("_", " ")
        rows = {f"{name}: {one}": part for one, part in value.items()} if isinstance(value, dict) else {name: value}
        for title, shown in rows.items():
            table.add_row(title, f"{shown:,}" if isinstance(shown, (int, float)) else str(shown))
    OUT.print(table)
    return 0


if __name__ == "__main__":
    sys.exit(main())
