"""Learning from a teacher before learning from one's own games.

It goes in rounds. In the first one the teacher plays, later the student does, and the teacher says of every decision
what it would have done (DAgger: so the student learns in the positions that its own mistakes lead to). A lesson is a
game's record, what the teacher recommends there, and what the game earned from there on. The lessons of a round are
studied a few times and forgotten, so a run that was stopped can go on with the next round.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from agents.base import Agent, Boards
from agents.match import Match
from agents.policy import Policy
from agents.ppo import Trainer
from agents.settings import Pretrain
from loop_env.engine.batch import KEEP, Batch
from loop_env.engine.game import Parts

AT_ONCE = 4096  # lessons to look at
TEACHER_SEEDS = 2_000_000_000  # far from those of evaluations


@dataclass
class Lessons:
    """Decisions with two choices or more."""

    records: np.ndarray  # copies with luck of their own; a record is a ninth of the size of an observation
    advice: Tensor  # float16: how much the teacher recommends each action
    returns: Tensor  # what the game earned from there on

    def __len__(self) -> int:
        return len(self.records)


class Student(Agent):
    """Plays as a policy does, or lets the teacher play. Either way it notes what the teacher says."""

    name = "student"

    def __init__(self, teacher: Agent, policy: Policy | None) -> None:
        self.teacher, self.policy = teacher, policy

    def act(self, boards: Boards) -> np.ndarray:
        """One action for each game."""
        self.open = boards.masks.sum(1) > 1
        self.records, self.advice = boards.copies(), self.teacher.advise(boards)
        wishes = self.advice if self.policy is None else self.policy.chances(boards)
        best: np.ndarray = wishes.argmax(1)
        return best


def watch(student: Student, parts: Parts, seeds: np.ndarray, gamma: float, tell: Callable[[int, int], None]) -> Lessons:
    """Play a round. `tell` hears how many games are over, and how many of them were won."""
    match = Match(student, parts, seeds, int(seeds[0]))
    noted: list[tuple[np.ndarray, ...]] = []
    earned: list[np.ndarray] = []
    while len(match.running):
        rows = match.step()
        noted.append((rows, student.open, student.records[student.open], student.advice[student.open]))
        earned.append(match.batch.rewards.copy())
        over = np.flatnonzero(match.batch.games["outcome"])
        tell(len(over), int(match.results(over)["is_success"].sum()))
    ahead, returns = np.zeros(len(seeds)), []
    for (rows, is_open, *_), rewards in zip(reversed(noted), reversed(earned), strict=True):
        ahead[rows] = rewards[rows] + gamma * ahead[rows]
        returns.append(ahead[rows][is_open])
    return Lessons(
        np.concatenate([records for _, _, records, _ in noted]),
        torch.from_numpy(np.concatenate([advice for *_, advice in noted]).astype(np.float16)),
        torch.from_numpy(np.concatenate(returns[::-1]).astype(np.float32)),
    )


def study(trainer: Trainer, lessons: Lessons, settings: Pretrain, rate: float) -> Iterator[tuple[float, float]]:
    """Make the network do as the teacher says. After each pass: how often they agree, and the value's error."""
    inputs, masks = look_up(trainer, lessons)
    size = min(settings.minibatch, len(lessons))
    for group in trainer.optimiser.param_groups:
        group["lr"] = rate
    for _ in range(settings.epochs):
        order = torch.randperm(len(lessons), generator=trainer.chance)
        agreed, errors = [], []
        for first in range(0, len(lessons) - size + 1, size):
            rows = order[first : first + size]
            logs, values = trainer.look(inputs[rows].float(), masks[rows])
            advice = lessons.advice[rows].float()
            error = nn.functional.mse_loss(values, lessons.returns[rows])
            trainer.descend(-(advice * logs).sum(1).mean() + trainer.ppo.value * error)
            agreed.append((logs.argmax(1) == advice.argmax(1)).float().mean())
            errors.append(error.detach())
        yield float(torch.stack(agreed).mean()), float(torch.stack(errors).mean())


def look_up(trainer: Trainer, lessons: Lessons) -> tuple[Tensor, Tensor]:
    """What the network sees in each lesson, as float16 (finer than bfloat16, half of float32), and what is possible."""
    parts = trainer.parts
    inputs = torch.empty(len(lessons), trainer.sight.size, dtype=torch.float16)
    masks = torch.empty(len(lessons), parts.game.actions.size, dtype=torch.bool)
    for first in range(0, len(lessons), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        desk = Batch(parts.game, parts.rules, parts.reward, len(lessons.records[some]), KEEP)
        desk.games[:] = lessons.records[some]
        desk.look()
        inputs[some] = trainer.sight.of(desk.observations, desk.games, desk.rules)
        masks[some] = torch.from_numpy(desk.masks).bool()
    return inputs, masks
