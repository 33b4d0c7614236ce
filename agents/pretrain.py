"""Learning from a teacher's games before one's own: what to do, and how such games turn out."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor, nn

from agents.match import Match
from agents.ppo import Trainer
from agents.registry import load
from agents.settings import Pretrain, Settings
from loop_env.engine.game import Parts

AT_ONCE = 256  # games
TEACHER_SEEDS = 2_000_000_000  # far from those of evaluations


@dataclass
class Lessons:
    """Decisions of the teacher with two choices or more, and what each game earned from there on."""

    observations: Tensor  # float16: half the memory, and finer than bfloat16 can see
    masks: Tensor
    actions: Tensor
    returns: Tensor

    def __len__(self) -> int:
        return len(self.actions)


def watch(settings: Settings, parts: Parts, tell: Callable[[int, int], None]) -> Lessons:
    """Let the teacher play. `tell` hears how many games are over and how many of them were won."""
    asked, seed = settings.pretrain, TEACHER_SEEDS + settings.seed
    found: list[Lessons] = []
    over = won = 0
    for first in range(0, asked.games, AT_ONCE):
        seeds = np.arange(first, min(first + AT_ONCE, asked.games)) + seed
        match = Match(load(asked.teacher, settings.game, seed), parts, seeds, seed)
        found.append(watch_match(match, settings.ppo.gamma))
        over, won = over + len(seeds), won + int(match.results(np.arange(len(seeds)))["is_success"].sum())
        tell(over, won)
    return Lessons(*(torch.cat([getattr(one, name) for one in found]) for name in Lessons.__dataclass_fields__))


def watch_match(match: Match, gamma: float) -> Lessons:
    """All decisions of a match."""
    seen, earned = [], []
    while len(match.running):
        observations, masks = match.batch.observations.copy(), match.batch.masks.copy()
        rows = match.step()
        seen.append((rows, observations[rows].astype(np.float16), masks[rows], match.chosen[rows].copy()))
        earned.append(match.batch.rewards.copy())
    ahead = np.zeros(len(match.seeds))
    returns = []
    for (rows, *_), rewards in zip(reversed(seen), reversed(earned), strict=True):
        ahead[rows] = rewards[rows] + gamma * ahead[rows]
        returns.append(ahead[rows].astype(np.float32))
    real = np.concatenate([masks.sum(1) > 1 for _, _, masks, _ in seen])
    return Lessons(
        torch.from_numpy(np.concatenate([each for _, each, _, _ in seen])[real]),
        torch.from_numpy(np.concatenate([each for _, _, each, _ in seen])[real]).bool(),
        torch.from_numpy(np.concatenate([each for _, _, _, each in seen])[real]),
        torch.from_numpy(np.concatenate(returns[::-1])[real]),
    )


def study(trainer: Trainer, lessons: Lessons, settings: Pretrain) -> Iterator[tuple[float, float]]:
    """Make the network do as the teacher did. After each pass: how often they agree, and the value's error."""
    size = min(settings.minibatch, len(lessons))
    steps, made = settings.epochs * (len(lessons) // size), 0
    for _ in range(settings.epochs):
        order = torch.randperm(len(lessons), generator=trainer.chance)
        agreed, errors = [], []
        for first in range(0, len(lessons) - size + 1, size):
            for group in trainer.optimiser.param_groups:
                group["lr"] = settings.learning_rate * (1 - 0.9 * made / steps)
            rows = order[first : first + size]
            logs, values = trainer.look(lessons.observations[rows].float(), lessons.masks[rows])
            actions = lessons.actions[rows]
            error = nn.functional.mse_loss(values, lessons.returns[rows])
            loss = nn.functional.nll_loss(logs, actions) + trainer.ppo.value * error
            trainer.optimiser.zero_grad(set_to_none=True)
            loss.backward()
            nn.utils.clip_grad_norm_(trainer.network.parameters(), 1.0)
            trainer.optimiser.step()
            agreed.append(float((logs.argmax(1) == actions).float().mean()))
            errors.append(float(error.detach()))
            made += 1
        yield float(np.mean(agreed)), float(np.mean(errors))
