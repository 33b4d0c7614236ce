"""Learning from a teacher before learning from one's own games.

It goes in rounds. In the first one the teacher plays, later the student does, and the teacher says of every decision
what it would have done (DAgger: so the student learns in the positions that its own mistakes lead to). A lesson is what
the network sees, what the teacher recommends there, and what the game earned from there on. The lessons of a round are
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
from agents.sight import Seen, together
from loop_env.engine.game import Parts

TEACHER_SEEDS = 2_000_000_000  # far from those of evaluations


@dataclass
class Lessons:
    """Decisions with two choices or more."""

    seen: Seen  # what the network sees; float16: half the memory, and finer than bfloat16
    advice: Tensor  # float16: how much the teacher recommends each action
    returns: Tensor  # what the game earned from there on

    def __len__(self) -> int:
        return len(self.seen)


class Student(Agent):
    """Plays as its network does, or lets the teacher play. Either way it notes what the teacher says."""

    name = "student"

    def __init__(self, teacher: Agent, policy: Policy, teacher_plays: bool) -> None:
        self.teacher, self.policy, self.teacher_plays = teacher, policy, teacher_plays

    def act(self, boards: Boards) -> np.ndarray:
        """One action for each game."""
        seen, advice = self.policy.see(boards), self.teacher.advise(boards)
        wishes = advice if self.teacher_plays else self.policy.chances_of(seen)
        self.open = boards.masks.sum(1) > 1
        self.seen = seen.rows(torch.from_numpy(self.open).nonzero()[:, 0]).to(torch.float16)
        self.advice = torch.from_numpy(advice[self.open].astype(np.float16))
        best: np.ndarray = wishes.argmax(1)
        return best


def watch(student: Student, parts: Parts, seeds: np.ndarray, gamma: float, tell: Callable[[int, int], None]) -> Lessons:
    """Play a round. `tell` hears how many games are over, and how many of them were won."""
    match = Match(student, parts, seeds, int(seeds[0]))
    seen: list[Seen] = []
    advice: list[Tensor] = []
    earned: list[tuple[np.ndarray, np.ndarray, np.ndarray]] = []
    while len(match.running):
        rows = match.step()
        seen.append(student.seen)
        advice.append(student.advice)
        earned.append((rows, student.open, match.batch.rewards.copy()))
        over = np.flatnonzero(match.batch.games["outcome"])
        tell(len(over), int(match.results(over)["is_success"].sum()))
    ahead, returns = np.zeros(len(seeds)), []
    for rows, is_open, rewards in reversed(earned):
        ahead[rows] = rewards[rows] + gamma * ahead[rows]
        returns.append(ahead[rows][is_open])
    earned_later = torch.from_numpy(np.concatenate(returns[::-1]).astype(np.float32))
    return Lessons(together(seen), torch.cat(advice), earned_later)


def study(trainer: Trainer, lessons: Lessons, settings: Pretrain, rate: float) -> Iterator[tuple[float, float]]:
    """Make the network do as the teacher says. After each pass: how often they agree, and the value's error."""
    size = min(settings.minibatch, len(lessons))
    for group in trainer.optimiser.param_groups:
        group["lr"] = rate
    for _ in range(settings.epochs):
        order = torch.randperm(len(lessons), generator=trainer.chance)
        agreed, errors = [], []
        for first in range(0, len(lessons) - size + 1, size):
            rows = order[first : first + size]
            logs, values = trainer.look(lessons.seen.rows(rows).to(torch.float32))
            advice = lessons.advice[rows].float()
            error = nn.functional.mse_loss(values, lessons.returns[rows])
            trainer.descend(-(advice * logs).sum(1).mean() + trainer.ppo.value * error)
            agreed.append((logs.argmax(1) == advice.argmax(1)).float().mean())
            errors.append(error.detach())
        yield float(torch.stack(agreed).mean()), float(torch.stack(errors).mean())
