"""A training run is a folder: the resolved config, checkpoints, evaluations, a TensorBoard log.

- `config.yaml`: what was asked for, with every default
- `about.json`: versions, date
- `checkpoints/`: all that it takes to go on, by steps: written regularly, when stopped, and at the end
- `best.safetensors`: the network that won most on the fixed evaluation seeds
- `evaluations.jsonl`: one line for each evaluation
- `games/`: some games of each evaluation, to be seen again
- `tensorboard/`: the log
"""

from __future__ import annotations

import json
import platform
import signal
from collections import deque
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import torch
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn
from torch.utils.tensorboard import SummaryWriter
from torch.utils.tensorboard.summary import hparams

from agents.checkpoint import NETWORK, Checkpoint, read, under, write
from agents.evaluation import counters
from agents.match import Played, play_match
from agents.network import Network
from agents.planner import Planner
from agents.policy import Policy, interface, network_from
from agents.ppo import Report, Trainer
from agents.pretrain import TEACHER_SEEDS, Student, study, watch
from agents.registry import BEST, checkpoint_of, load
from agents.settings import Settings, as_dict, as_yaml, build
from agents.show import show_game
from agents.sight import Sight
from agents.statistics import wilson
from loop_env.engine.game import Parts
from loop_env.errors import UserError
from loop_env.games import find
from loop_env.replay import Replay, write_text
from loop_env.replay import save as save_games

CHECKPOINTS, EVALUATIONS, CONFIG = "checkpoints", "evaluations.jsonl", "config.yaml"
KEPT = 2  # checkpoints
COLUMNS = (
    TextColumn("{task.description}"), BarColumn(), TaskProgressColumn(), TimeRemainingColumn(),
    TextColumn("{task.fields[told]}"),
)  # fmt: skip
GAMES_KEPT = 5  # of each evaluation
COUNTERS_SHOWN = 2  # of a game's counters, in the line about an evaluation
RECENT = 2000  # games that the running win rate looks back on


class Run:
    """A run, new or continued."""

    def __init__(self, folder: Path, settings: Settings) -> None:
        self.folder, self.settings = folder, settings
        torch.set_num_threads(settings.threads)
        torch.manual_seed(settings.seed)
        self.stages = [(stage.until, self.parts(stage.setup)) for stage in settings.curriculum] or [
            (1.0, self.parts({}))
        ]
        self.judge = self.parts(settings.evaluate.setup)
        first = self.stages[0][1]
        sight = Sight(first.game, settings.network.foresight, settings.threads)
        self.trainer = Trainer(
            copy_of(first), Network(first.game, settings.network, sight), sight, settings.ppo,
            seed=settings.seed, bfloat16=use_bfloat16(settings.precision),
        )  # fmt: skip
        self.rounds = 0  # of lessons so far
        self.best = -1.0
        self.recent: deque[bool] = deque(maxlen=RECENT)
        self.stopped = False

    def parts(self, changes: dict[str, Any]) -> Parts:
        """The game, set up as the settings say."""
        settings = self.settings
        return find(settings.game).parts(**(settings.setup | changes), reward=settings.reward)

    # -- beginning ---------------------------------------------------------------------------------
    @classmethod
    def new(cls, folder: Path, settings: Settings) -> Run:
        """A fresh folder."""
        if folder.exists() and any(folder.iterdir()):
            raise UserError(f"{str(folder)!r} exists already: choose another name=..., or go on with --resume {folder}")
        run = cls(folder, settings)
        if settings.begin:
            run.begin_with(settings.begin)
        write_text(folder / CONFIG, as_yaml(settings))
        write_text(folder / "about.json", json.dumps(versions(), indent=1))
        return run

    def begin_with(self, player: str) -> None:
        """Take over the network of another run."""
        path = checkpoint_of(player)
        network, _ = network_from(read(path), self.settings.game, player)
        try:
            self.trainer.network.load_state_dict(network.state_dict())
        except RuntimeError:
            raise UserError(f"begin = {player!r} has a network of another shape: see its config's `network`") from None
        self.trainer.settle()

    @classmethod
    def resume(cls, folder: Path) -> Run:
        """Go on with a run that was stopped."""
        checkpoint = newest(folder)
        run = cls(folder, build(Settings, checkpoint.about["settings"], ""))
        if checkpoint.about["interface"] != interface(run.judge.game):
            raise UserError(f"{str(folder)!r} was trained with other actions or observations than this version has")
        run.trainer.restore(checkpoint.tensors)
        run.best, run.rounds = checkpoint.about["best"], checkpoint.about["rounds"]
        run.recent.extend(checkpoint.about["recent"])
        run.forget_later_evaluations()
        return run

    def forget_later_evaluations(self) -> None:
        """A run that was killed may have got further than its last checkpoint: that part is played again."""
        path = self.folder / EVALUATIONS
        lines = path.read_text().splitlines() if path.exists() else []
        entries = [(line, json.loads(line)) for line in lines]
        kept = [line for line, e in entries if (e["rounds"], e["steps"]) <= (self.rounds, self.trainer.steps)]
        write_text(path, "".join(line + "\n" for line in kept))

    # -- lessons -----------------------------------------------------------------------------------
    def pretrain(self, progress: Progress) -> None:
        """Learn from a teacher first, if the settings say so."""
        asked = self.settings.pretrain
        task = progress.add_task(
            "lessons", total=asked.rounds * asked.games, told="", visible=self.rounds < asked.rounds
        )
        while self.rounds < asked.rounds and not self.stopped:
            try:
                self.take_lessons(progress, task)
            except InterruptedError:  # nothing has been learnt from this round yet: it will be played again
                break
            self.rounds += 1
            done = self.rounds == asked.rounds
            if done:
                self.trainer.reset_optimiser()
            if done or self.rounds % self.settings.evaluate.rounds == 0:
                self.evaluate(progress)
            self.save()
        progress.update(task, visible=False)

    def take_lessons(self, progress: Progress, task: Any) -> None:
        """One round."""
        asked, trainer = self.settings.pretrain, self.trainer
        teacher = load(asked.teacher, self.settings.game, self.settings.seed)
        if isinstance(teacher, Planner):
            teacher.threads = self.settings.threads
        student = Student(teacher, Policy(trainer.network, trainer.sight), teacher_plays=self.rounds == 0)
        before = self.rounds * asked.games
        seeds = np.arange(asked.games) + before + TEACHER_SEEDS + self.settings.seed * asked.rounds * asked.games

        def tell(over: int, won: int) -> None:
            if self.stopped:
                raise InterruptedError
            progress.update(task, completed=before + over, told=f"{asked.teacher}, {won} of {over} won")

        lessons = watch(student, self.stages[0][1], seeds, self.settings.ppo.gamma, tell)
        done = self.rounds / max(asked.rounds - 1, 1)
        rate = asked.learning_rate + done * (asked.last_learning_rate - asked.learning_rate)
        for agreed, error in study(trainer, lessons, asked, rate):
            self.log.add_scalar("lessons/agreed", agreed, self.rounds)
            self.log.add_scalar("lessons/value_error", error, self.rounds)
        trainer.settle()
        progress.console.print(
            f"{before + asked.games:>12,} games of lessons: agrees with {asked.teacher} in {100 * agreed:.1f} %",
            highlight=False,
            soft_wrap=True,
        )

    # -- training ----------------------------------------------------------------------------------
    def train(self) -> None:
        """Until all steps are made, or someone stops it."""
        ppo = self.settings.ppo
        self.log = SummaryWriter(str(self.folder / "tensorboard"), purge_step=self.trainer.steps)
        for summary in hparams(flat(as_dict(self.settings)), {"evaluation/win_rate": 0.0}):
            self.log._get_file_writer().add_summary(summary)
        with stop_signals(self), Progress(*COLUMNS) as progress:
            if self.best < 0:
                self.evaluate(progress)  # where it starts from
            self.pretrain(progress)
            task = progress.add_task("training", total=ppo.steps, completed=self.trainer.steps, told="")
            while self.trainer.steps < ppo.steps and not self.stopped:
                before = self.trainer.steps
                self.trainer.batch.rules[:] = self.stage().rules
                report = self.trainer.update()
                self.tell(report)
                progress.update(task, completed=self.trainer.steps, told=self.words(report))
                done = self.trainer.steps >= ppo.steps
                if done or passed(before, self.trainer.steps, self.settings.evaluate.every):
                    self.evaluate(progress)
                    progress.update(task, told=self.words(report))  # there may be a new best
                if done or passed(before, self.trainer.steps, self.settings.checkpoint):
                    self.save()
            if self.stopped:
                self.save()
        self.log.close()

    def stage(self) -> Parts:
        """What is played now."""
        done = self.trainer.steps / self.settings.ppo.steps
        return next((parts for until, parts in self.stages if done < until), self.stages[-1][1])

    def tell(self, report: Report) -> None:
        """Write the log."""
        ended = report.ended
        for key, number in report.numbers.items():
            self.log.add_scalar(key, number, self.trainer.steps)
        if not ended:
            return
        self.recent.extend(ended["is_success"].tolist())
        self.log.add_scalar("games/win_rate", ended["is_success"].mean(), self.trainer.steps)
        for key, values in ended.items():
            if values.dtype.kind in "iu":
                self.log.add_scalar(f"games/{key}", values.mean(), self.trainer.steps)
        for outcome in sorted(set(ended["outcome"])):
            self.log.add_scalar(f"outcomes/{outcome}", np.mean(ended["outcome"] == outcome), self.trainer.steps)
        for mode, level in sorted(set(zip(ended["mode"], ended["level"].tolist(), strict=True))):
            those = (ended["mode"] == mode) & (ended["level"] == level)
            self.log.add_scalar(f"win_rate/{mode}_{level}", ended["is_success"][those].mean(), self.trainer.steps)

    def so_far(self) -> str:
        """How much it has learnt from, at the start of a line."""
        if self.rounds and not self.trainer.steps:
            return f"{self.rounds * self.settings.pretrain.games:>12,} games of lessons"
        return f"{self.trainer.steps:>12,} steps"

    def words(self, report: Report) -> str:
        """What the progress bar says."""
        won = f"{100 * np.mean(self.recent):.1f} % won" if self.recent else "no game over yet"
        return f"{report.numbers['speed/steps_per_second']:,.0f} steps/s, {won}, best {100 * max(self.best, 0):.1f} %"

    def evaluate(self, progress: Progress) -> None:
        """Play on the fixed seeds; a better win rate than ever makes a new best."""
        asked = self.settings.evaluate
        seeds = np.arange(asked.seed, asked.seed + asked.games)
        player = Policy(self.trainer.player, self.trainer.sight)
        played = play_match(player, self.judge, seeds, keep_actions=True)
        self.show_games(played)
        results = played.results
        wins = int(results["is_success"].sum())
        low, high = wilson(wins, asked.games)
        rate = wins / asked.games
        counted = {key: float(values.mean()) for key, values in counters(results).items()}
        entry = {
            "rounds": self.rounds, "steps": self.trainer.steps,
            "games": asked.games, "wins": wins, "win_rate": rate, "low": low, "high": high,
            **counted,
        }  # fmt: skip
        with (self.folder / EVALUATIONS).open("a") as file:
            file.write(json.dumps(entry) + "\n")
        self.log.add_scalar("evaluation/win_rate", rate, self.trainer.steps)
        progress.console.print(
            f"{self.so_far()}: {wins} of {asked.games} won, {100 * rate:.1f} % "
            f"({100 * low:.1f} to {100 * high:.1f}), "
            + ", ".join(f"{key} {value:.2f}" for key, value in list(counted.items())[:COUNTERS_SHOWN]),
            highlight=False,
            soft_wrap=True,
        )
        if rate > self.best:
            self.best = rate
            write(self.folder / BEST, Checkpoint(self.about(), under(NETWORK, self.trainer.player.state_dict())))

    def show_games(self, played: Played) -> None:
        """Save some games of an evaluation, and show the first one in the log."""
        options = self.settings.setup | self.settings.evaluate.setup
        env = find(self.settings.game).env(**options)
        games = [
            Replay(self.settings.game, env.fingerprint(), options, int(seed), actions, str(outcome), self.folder.name)
            for seed, actions, outcome in zip(
                played.seeds[:GAMES_KEPT], played.actions, played.results["outcome"], strict=False
            )
        ]
        save_games(self.folder / "games" / f"{self.trainer.steps:012}.jsonl", games)
        show_game(self.log, games[0], self.trainer.steps)

    def save(self) -> None:
        """All that it takes to go on."""
        folder = self.folder / CHECKPOINTS
        write(
            folder / f"{self.trainer.steps:012}-{self.rounds:04}.safetensors",
            Checkpoint(self.about(), self.trainer.state()),
        )
        for old in sorted(folder.glob("*.safetensors"))[:-KEPT]:
            old.unlink()

    def about(self) -> dict[str, Any]:
        """The words in a checkpoint."""
        return {
            "game": self.settings.game,
            "interface": interface(self.judge.game),
            "settings": as_dict(self.settings),
            "steps": self.trainer.steps,
            "rounds": self.rounds,
            "best": self.best,
            "recent": list(self.recent),
            "versions": versions(),
        }


def newest(folder: Path) -> Checkpoint:
    """The last whole checkpoint of a run."""
    found = sorted((folder / CHECKPOINTS).glob("*.safetensors"), reverse=True)
    if not found:
        raise UserError(f"{str(folder)!r} is no run that could go on: it has no checkpoints")
    for path in found[:-1]:
        try:
            return read(path)
        except UserError:  # damaged: the one before it will do
            continue
    return read(found[-1])


def flat(settings: dict[str, Any], place: str = "") -> dict[str, Any]:
    """Settings as one table with dotted names, as TensorBoard wants hyperparameters."""
    found: dict[str, Any] = {}
    for key, value in settings.items():
        if isinstance(value, dict):
            found |= flat(value, f"{place}{key}.")
        else:
            found[place + key] = value if isinstance(value, int | float | str | bool) else str(value)
    return found


def copy_of(parts: Parts) -> Parts:
    """Parts whose rules may be changed."""
    return Parts(parts.game, parts.rules.copy(), parts.reward, parts.seats, parts.summarise)


def passed(before: int, now: int, every: int) -> bool:
    """Whether a multiple of `every` lies between."""
    return before // every < now // every


def use_bfloat16(precision: str) -> bool:
    """bfloat16 is worth it where the processor multiplies it; elsewhere it is emulated, and slower."""
    if precision != "auto":
        return precision == "bfloat16"
    can = torch.cpu.get_capabilities()
    return bool(can.get("avx512_bf16") or can.get("amx_bf16"))


def versions() -> dict[str, str]:
    """All that decides what comes out."""
    names = ("loop_env", "torch", "numpy", "numba", "gymnasium")
    return {name: version(name) for name in names} | {"python": platform.python_version(), "date": str(date.today())}


@contextmanager
def stop_signals(run: Run) -> Iterator[None]:
    """Ctrl-C and SIGTERM stop the run after the update under way, so that nothing is lost."""

    def stop(*_: Any) -> None:
        run.stopped = True

    old = {number: signal.signal(number, stop) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in old.items():
            signal.signal(number, handler)
