"""python -m loop_env play: a person at the table, in a terminal."""

from __future__ import annotations

import random
import shlex
import sys
import tempfile
from argparse import Namespace
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import numpy as np
from rich.columns import Columns
from rich.console import Console
from rich.markup import escape
from rich.table import Table as Lines
from rich.text import Text

from agents.advice import advise, look_further
from agents.base import Agent
from agents.registry import load
from agents.table import PERSON, Done, Table, make_setup, table_from
from loop_env import replay
from loop_env.adapters.single import GameEnv
from loop_env.errors import UserError, suggest

BOT = "planner"  # who plays if nobody is asked for
WIDE = 120  # columns, if nobody looks
SHOWN = 6  # actions in a hint
SEEDS = 1_000_000  # to draw one from if none is given
HELP = """[bold]number[/bold] or [bold]name[/bold]  do it, such as 1 or "stop"; the start of a name is enough
[bold]undo[/bold]    take back your last decision of this turn, unless something hidden was revealed since
[bold]hint[/bold]    what the bot would do, and why
[bold]board[/bold]   the table once more
[bold]log[/bold]     all that was done so far
[bold]save[/bold] FILE   save the game and go on
[bold]quit[/bold]    save the game and stop
[bold]help[/bold]    this list"""


class Quit(Exception):  # noqa: N818 (not an error)
    """The person has had enough for now."""


def play(options: Namespace) -> int:
    """Play a game; whatever ends it, it is saved."""
    with suppress(ImportError):
        import readline  # noqa: F401 (arrow keys and history for `input`)
    table = open_table(options)
    talk = Talk(table, find_adviser(options, table), screen(), pick_file(options, table))
    try:
        talk.go_on()
    except KeyboardInterrupt:
        talk.stop("stopped")
        return 130
    except (EOFError, Quit) as reason:
        talk.stop("the input has ended" if isinstance(reason, EOFError) else "until later")
        return 0
    except BaseException:  # a bot's mistake, or nobody listens any more
        replay.save(talk.file, [table.replay()])
        raise
    talk.end()
    return 0


def open_table(options: Namespace) -> Table:
    """A new game, or a saved one."""
    if options.load:
        table = load_table(options)
        if not options.seat and PERSON in table.seats:
            return table  # everybody sits where they sat
    else:
        setup = make_setup(options.game, options.mode, options.level, options.agents, options.solo, options.data)
        seed = random.SystemRandom().randrange(SEEDS) if options.seed is None else options.seed
        table = Table(options.game, setup, seed)
    words = (options.seat or ("all" if options.solo else "1")).split(",")
    table.seat([name for word in words for name in (table.agents if word == "all" else [word])], options.bot or BOT)
    return table


def load_table(options: Namespace) -> Table:
    """A saved game that is not over yet."""
    refuse_setup(options, "--load goes on with a game as it was set up")
    games = [game for game in replay.load(options.load) if not game.outcome]
    if not games:
        raise UserError(f"{options.load!r} holds no unfinished game; to see it: {watch_command(options.load)}")
    return table_from(games[-1], options.bot)


def refuse_setup(options: Namespace, why: str) -> None:
    """A saved game is set up already."""
    names = ("mode", "level", "agents", "solo", "seed", "data")
    given = [f"--{name}" for name in names if getattr(options, name) not in (None, False)]
    if given:
        raise UserError(f"{why}; leave out {', '.join(given)}")


def find_adviser(options: Namespace, table: Table) -> Agent:
    """Who gives hints: whom the user asks for, or else a bot at the table."""
    return load(options.advisor or next((seat for seat in table.seats if seat != PERSON), BOT), table.game)


def pick_file(options: Namespace, table: Table) -> Path:
    """Where the game is saved: where the user says, where it came from, or else a new file."""
    if options.save:
        refuse_to_overwrite(Path(options.save))
        return Path(options.save)
    if options.load and len(Path(options.load).read_text().splitlines()) == 1:
        return Path(options.load)
    stem = f"{table.game}-{table.seed}"
    names = [f"{stem}.jsonl", *(f"{stem}-{n}.jsonl" for n in range(2, 1000))]
    return Path(next(name for name in names if not Path(name).exists()))


def refuse_to_overwrite(path: Path) -> None:
    """A file that is there may be somebody's."""
    if path.exists():
        raise UserError(f"{str(path)!r} is there already; choose another name")


def screen() -> Console:
    """The terminal; what goes into a file or a pipe has lines of a fixed length and no colours."""
    return Console(width=None if sys.stdout.isatty() else WIDE)


def watch_command(path: str | Path) -> str:
    """How to see a saved game."""
    return f"python -m loop_env watch {shlex.quote(str(path))} --html game.html --open"


def board(env: GameEnv) -> Text:
    """The table as text, with the game's colours."""
    text = Text(env.draw())
    for pattern, style in env.colours.items():
        text.highlight_regex(pattern, style)
    return text


def title(agent: str) -> str:
    """An agent's name, to be read."""
    return agent.replace("_", " ").title()


def percent(chance: float) -> str:
    """A chance."""
    return f"{100 * chance:.0f} %"


class Talk:
    """What is said at the table."""

    def __init__(self, table: Table, adviser: Agent, console: Console, file: Path) -> None:
        self.table, self.adviser, self.console, self.file = table, adviser, console, file
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self.undo, "hint": self.hint, "board": self.show, "log": self.log, "save": self.save,
            "quit": self.quit, "help": self.help,
        }  # fmt: skip

    # -- the game ----------------------------------------------------------------------------------
    def go_on(self) -> None:
        """Play until the game is over."""
        self.greet()
        shown = -1  # decisions made when the table was drawn last
        while not self.table.env.is_over():
            bot = self.table.bot
            if bot is not None:
                self.tell(self.table.let_bot_act(bot))
                continue
            if shown != len(self.table.done):
                self.show()
            shown = len(self.table.done)
            self.decide()

    def greet(self) -> None:
        """Who plays what."""
        table = self.table
        pairs = zip(table.agents, table.seats, strict=True)
        who = ", ".join(f"{title(agent)}: {'you' if seat == PERSON else seat}" for agent, seat in pairs)
        self.say(f"{who}; seed {table.seed}. Say help for a list of what you can say.")

    def decide(self) -> None:
        """Ask until something is done."""
        words = input(f"{title(self.table.acting)}> ").strip()
        name, _, rest = words.partition(" ")
        if not words:
            return self.show()
        if name.lower() in self.commands:
            try:
                return self.commands[name.lower()](rest.strip())
            except UserError as error:
                return self.say(str(error))
        action = self.find_action(words)
        if action is not None:
            self.tell(self.table.step(action, by_person=True))
        return None

    def find_action(self, words: str) -> int | None:
        """The possible action that a number, a name or the start of a name means."""
        possible = np.flatnonzero(self.table.env.action_masks()).tolist()
        if words.isdecimal():
            number = int(words[:9])
            if 1 <= number <= len(possible):
                return int(possible[number - 1])
            self.say(f"there are actions 1 to {len(possible)}")
            return None
        names = {self.table.env.action_name(action).lower(): action for action in possible}
        fitting = [name for name in names if name.startswith(words.lower())]
        if words.lower() in names or len(fitting) == 1:
            return names[words.lower() if words.lower() in names else fitting[0]]
        if fitting:
            self.say(f"{words!r} may be: {', '.join(fitting)}")
        else:
            self.say(f"{words!r} is neither possible now nor a command{suggest(words, [*names, *self.commands])}")
        return None

    # -- what can be said --------------------------------------------------------------------------
    def show(self, _: str = "") -> None:
        """The table, and what is possible."""
        env = self.table.env
        self.console.print()
        self.console.print(board(env), soft_wrap=True)
        names = [Text.assemble((f"{i:>3} ", "bold"), name) for i, name in enumerate(env.legal_actions(), 1)]
        self.console.print(Columns(names))

    def undo(self, _: str) -> None:
        """Take back."""
        self.say(f"taken back: {self.table.undo().words}")

    def hint(self, _: str) -> None:
        """The bot's advice with its reasons."""
        env = self.table.env
        advice = advise(env, self.adviser)
        best, plan = advice.best, look_further(env, self.adviser)
        lines = Lines(box=None, pad_edge=False)
        for heading in ("", "action", "chance to win after it"):
            lines.add_column(heading)
        if best.chance is not None:
            lines.add_column(f"how likely {advice.player} is to do it")
        for option in [each for i, each in enumerate(advice.options) if i < SHOWN or each is best]:
            row = [">" if option is best else "", escape(option.name), percent(option.win)]
            lines.add_row(*row, *([] if option.chance is None else [percent(option.chance)]))
        self.console.print(lines, highlight=False)
        then = f", then {', '.join(plan[1:])}" if len(plan) > 1 else ""
        self.say(f"{advice.player} would do: {best.name}{then}.")
        now, after = percent(advice.win), percent(best.win)
        self.say(f"The chance to win, if the turn is played well, is about {now} now and {after} after that.")
        others = [option.win for option in advice.options if option is not best]
        if others and best.win > max(others) + 0.005:
            self.say(f"The best of the other actions leaves {percent(max(others))}.")

    def log(self, _: str) -> None:
        """All that was done."""
        if not self.table.done:
            self.say("nothing was done yet")
        turn = 0
        for done in self.table.done:
            if done.turn != turn:
                turn = done.turn
                self.console.print(f"[bold]turn {turn}[/bold]", highlight=False)
            self.tell(done)

    def save(self, words: str) -> None:
        """Save and go on."""
        path = Path(words.strip("'\"")) if words else self.file
        if path != self.file:
            refuse_to_overwrite(path)
        try:
            replay.save(path, [self.table.replay()])
        except OSError as error:
            raise UserError(f"{str(path)!r} cannot be written: {error.strerror}") from error
        self.file = path
        self.say(f"saved as {path}")

    def quit(self, _: str) -> None:
        """Stop."""
        raise Quit

    def help(self, _: str) -> None:
        """What can be said."""
        self.console.print(HELP, highlight=False)

    # -- telling -----------------------------------------------------------------------------------
    def tell(self, done: Done) -> None:
        """What somebody did."""
        self.say(f"  {title(done.agent)}: {done.words}")

    def say(self, words: str) -> None:
        """A line, as it is."""
        self.console.print(words, markup=False, highlight=False, soft_wrap=True)

    def keep(self) -> None:
        """Save the game, somewhere else if it must be."""
        try:
            self.save("")
        except UserError as error:
            self.say(str(error))
            self.save(str(Path(tempfile.mkdtemp()) / self.file.name))

    def stop(self, why: str) -> None:
        """The game goes on another day."""
        self.console.print()
        self.say(why)
        if self.table.done:
            self.keep()
            self.say(f"to go on: python -m loop_env play --load {shlex.quote(str(self.file))}")

    def end(self) -> None:
        """The game is over."""
        self.console.print()
        self.console.print(board(self.table.env), soft_wrap=True)
        self.keep()
        self.say(f"to see the game as a page: {watch_command(self.file)}")
