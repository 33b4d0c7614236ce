"""Win rates: some players, some ways to set up a game, the same seeds for all.

The games of a player in a cell (a mode, a level, a number of players) are cut into batches. Every batch is a job of its
own with a player made anew, so the numbers do not depend on how many processes share the work.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, nullcontext
from dataclasses import asdict, dataclass, field
from functools import cached_property
from itertools import combinations, islice, product
from typing import Any

import numpy as np

from agents.match import Match, Played, play_match
from agents.registry import label, load
from agents.statistics import Paired, compare, wilson
from loop_env.errors import UserError, suggest
from loop_env.games import find
from loop_env.replay import Replay

ALL = "all"
NOT_COUNTED = ("is_success", "outcome", "mode", "level", "players", "solo")
GLANCE = 0.2  # seconds between two looks at how far the processes have come


@dataclass(frozen=True)
class Cell:
    """One way to set up a game."""

    mode: str
    level: int
    players: int

    def __str__(self) -> str:
        return f"{self.mode} · level {self.level} · {self.players} players"


@dataclass(frozen=True)
class Plan:
    """What is to be played."""

    game: str
    agents: list[str]
    cells: list[Cell]
    games: int
    seed: int = 0
    batch: int = 128
    workers: int = 1
    solo: bool = False
    data: str | None = None
    keep_actions: bool = False

    def options(self, cell: Cell) -> dict[str, Any]:
        """A cell as the options of an environment."""
        return find(self.game).options(**asdict(cell), solo=self.solo, data=self.data)

    @cached_property
    def groups(self) -> list[tuple[Cell, str]]:
        """Every player in every cell."""
        return list(product(self.cells, self.agents))

    def jobs(self) -> Iterator[Job]:
        """Every batch of every player in every cell."""
        for group, (cell, agent) in enumerate(self.groups):
            for first in range(0, self.games, self.batch):
                seeds = range(self.seed + first, self.seed + min(first + self.batch, self.games))
                yield Job(self, group, cell, agent, seeds)


@dataclass(frozen=True)
class Job:
    """One batch of games."""

    plan: Plan
    group: int
    cell: Cell
    agent: str
    seeds: range


def make_cells(game: str, modes: str, levels: str, players: str, data: str | None = None) -> list[Cell]:
    """The cells that three lists mean, each a list with commas, `all`, or nothing for the first there is."""
    asked = {"modes": modes, "levels": levels, "players": players}
    known = find(game).choices(data)
    return [Cell(*values) for values in product(*(pick(word, asked[word], known[word]) for word in asked))]


def pick(word: str, asked: str, known: list[Any]) -> list[Any]:
    """What is asked for, of what there is."""
    if not asked:
        return known[:1]
    if asked == ALL:
        return known
    by_name = {str(value): value for value in known}
    names = [name.strip() for name in asked.split(",")]
    for name in names:
        if name not in by_name:
            raise UserError(f"{word}: {name!r} is unknown{suggest(name, by_name)}")
        if names.count(name) > 1:
            raise UserError(f"{word}: {name!r} is there twice")
    return [by_name[name] for name in names]


def check(plan: Plan) -> None:
    """Complain before anything is played."""
    for agent in plan.agents:
        if [label(other) for other in plan.agents].count(label(agent)) > 1:
            raise UserError(f"player {label(agent)!r} is there twice")
        load(agent, plan.game, plan.seed)
    for cell in plan.cells:
        find(plan.game).parts(**plan.options(cell))


# -- playing ---------------------------------------------------------------------------------------
class Counts:
    """Games ended and won so far, of each group: kept in memory that processes share, if need be."""

    def __init__(self, numbers: Any) -> None:
        self.numbers = numbers
        self.lock = getattr(numbers, "get_lock", nullcontext)

    def add(self, group: int, ended: int, won: int) -> None:
        """Count some games."""
        with self.lock():
            self.numbers[2 * group] += ended
            self.numbers[2 * group + 1] += won

    def of(self, group: int) -> tuple[int, int]:
        """Games ended, and of these won."""
        return self.numbers[2 * group], self.numbers[2 * group + 1]


Watch = Callable[[Counts], None]


def evaluate(plan: Plan, watch: Watch = lambda counts: None) -> Report:
    """Play all there is to play; what an interrupt leaves is a report too."""
    report = Report(plan)
    share = work_alone if plan.workers == 1 else work_together
    try:
        for job, played in share(list(plan.jobs()), watch):
            report.add(job, played)
    except KeyboardInterrupt:
        report.stopped = True
    return report


def work_alone(jobs: list[Job], watch: Watch) -> Iterator[tuple[Job, Played]]:
    """One batch after the other."""
    counts = Counts([0] * 2 * len(jobs[0].plan.groups))
    for job in jobs:
        yield job, play(job, counts, lambda: watch(counts))


def work_together(jobs: list[Job], watch: Watch) -> Iterator[tuple[Job, Played]]:
    """Batches shared out among processes, in whatever order they come back."""
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may hang
    counts = Counts(context.Array("q", 2 * len(jobs[0].plan.groups)))
    workers = min(jobs[0].plan.workers, len(jobs))
    pool = ProcessPoolExecutor(workers, context, initializer=join_in, initargs=(counts.numbers,))
    to_do = iter(jobs)
    try:
        with interrupts_ignored():
            waiting = {pool.submit(play_there, job): job for job in islice(to_do, 2 * workers)}
        while waiting:
            done, _ = wait(waiting, GLANCE, FIRST_COMPLETED)
            watch(counts)
            waiting |= {pool.submit(play_there, job): job for job in islice(to_do, len(done))}
            yield from ((waiting.pop(future), result(future)) for future in done)
    finally:
        pool.shutdown(wait=False, cancel_futures=True)
        for process in multiprocessing.active_children():
            process.terminate()


@contextmanager
def interrupts_ignored() -> Iterator[None]:
    """Processes that are started in here do not hear Ctrl-C: it is for us to end them."""
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def result(future: Future[Played]) -> Played:
    """What a process has played."""
    try:
        return future.result()
    except BrokenProcessPool:
        raise UserError("a worker process died; try fewer --workers or a smaller --batch") from None


shared: Counts  # in a worker process: where it counts its games


def join_in(numbers: Any) -> None:
    """The start of a worker process. One core each: a network that takes them all would slow the others down."""
    os.environ["OMP_NUM_THREADS"] = "1"
    global shared
    shared = Counts(numbers)


def play_there(job: Job) -> Played:
    """Play a batch in a worker process."""
    return play(job, shared)


def play(job: Job, counts: Counts, then: Callable[[], None] = lambda: None) -> Played:
    """Play a batch."""
    plan = job.plan
    parts = find(plan.game).parts(**plan.options(job.cell))
    agent = load(job.agent, plan.game, plan.seed)
    Match(load(job.agent, plan.game, plan.seed), parts, [0]).step()  # compiling should not count as thinking

    def on_end(results: dict[str, np.ndarray]) -> None:
        won = results["is_success"]
        counts.add(job.group, len(won), int(won.sum()))
        then()

    return play_match(agent, parts, job.seeds, seed=plan.seed, keep_actions=plan.keep_actions, on_end=on_end)


# -- what came out ---------------------------------------------------------------------------------
@dataclass
class Report:
    """The games that were played, and what can be said about them."""

    plan: Plan
    batches: dict[tuple[Cell, str], dict[int, Played]] = field(default_factory=dict)
    stopped: bool = False

    def add(self, job: Job, played: Played) -> None:
        """One more batch."""
        self.batches.setdefault((job.cell, job.agent), {})[job.seeds.start] = played

    def played(self, cell: Cell, agent: str) -> list[Played]:
        """The batches of a player in a cell, by seed."""
        return [batch for _, batch in sorted(self.batches.get((cell, agent), {}).items())]

    @property
    def games(self) -> int:
        """All games of all batches."""
        return sum(len(batch.seeds) for batches in self.batches.values() for batch in batches.values())

    def results(self, cell: Cell, agent: str) -> dict[str, np.ndarray]:
        """What was counted, game by game."""
        batches = self.played(cell, agent)
        return {key: np.concatenate([batch.results[key] for batch in batches]) for key in batches[0].results}

    def records(self, **about: Any) -> list[dict[str, Any]]:
        """A record for each player in each cell; `about` goes into all of them."""
        return [self.record(cell, agent) | about for cell, agent in self.plan.groups if self.played(cell, agent)]

    def record(self, cell: Cell, agent: str) -> dict[str, Any]:
        """All about a player in a cell."""
        found, batches = self.results(cell, agent), self.played(cell, agent)
        games, wins = len(found["is_success"]), int(found["is_success"].sum())
        low, high = wilson(wins, games)
        seconds = sum(batch.seconds for batch in batches)
        others = [other for other in self.plan.agents if other != agent and self.played(cell, other)]
        return {
            "agent": label(agent),
            "game": self.plan.game,
            **asdict(cell),
            "solo": self.plan.solo,
            "games": games,
            "first_seed": int(batches[0].seeds[0]),
            "last_seed": int(batches[-1].seeds[-1]),
            "wins": wins,
            "win_rate": wins / games,
            "low": low,
            "high": high,
            **{key: float(values.mean()) for key, values in counters(found).items()},
            "lost_by": lost_by(found),
            "decisions_per_second": round(float(found["decisions"].sum()) / seconds, 1),
            "games_per_second": round(games / seconds, 2),
            "against": {label(other): self.paired(agent, other, [cell]).record() for other in others},
        }

    def paired(self, first: str, second: str, cells: Sequence[Cell]) -> Paired:
        """Two players on the games that both have played."""
        won: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
        for cell in cells:
            ours, theirs = self.batches.get((cell, first), {}), self.batches.get((cell, second), {})
            for start in sorted(ours.keys() & theirs.keys()):
                won[0].append(ours[start].results["is_success"])
                won[1].append(theirs[start].results["is_success"])
        nothing = [np.zeros(0, np.bool_)]
        return compare(np.concatenate(won[0] or nothing), np.concatenate(won[1] or nothing))

    def comparisons(self, cells: Sequence[Cell]) -> list[tuple[str, str, Paired]]:
        """Every two players, by name, if there are games that both have played."""
        pairs = [(one, other, self.paired(one, other, cells)) for one, other in combinations(self.plan.agents, 2)]
        return [(label(one), label(other), pair) for one, other, pair in pairs if pair.games]

    def replays(self, cell: Cell, agent: str) -> list[Replay]:
        """A player's games in a cell, to be seen again."""
        options = self.plan.options(cell)
        version = find(self.plan.game).env(**options).fingerprint()
        return [
            Replay(self.plan.game, version, options, int(seed), actions, str(outcome), label(agent))
            for batch in self.played(cell, agent)
            for seed, actions, outcome in zip(batch.seeds, batch.actions, batch.results["outcome"], strict=True)
        ]


def counters(results: dict[str, np.ndarray]) -> dict[str, np.ndarray]:
    """What a game counts, beside how it ended and what was played."""
    return {key: values for key, values in results.items() if key not in NOT_COUNTED}


def lost_by(results: dict[str, np.ndarray]) -> dict[str, int]:
    """How often a game was lost in which way, the most frequent first."""
    lost = results["outcome"][~results["is_success"].astype(np.bool_)].astype(str)
    names, numbers = np.unique(lost, return_counts=True)
    order = np.argsort(-numbers, kind="stable")
    return {str(names[i]): int(numbers[i]) for i in order}
