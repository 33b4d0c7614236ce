"""How fast does training go, and does it learn as well? Our trainer beside stock MaskablePPO, in one run.

    python benchmarks/training.py [--steps 1_000_000] [--threads 2]

"stock" is MaskablePPO with a DummyVecEnv of single environments, as most people would begin; "stock on our VecEnv" is
the same algorithm on the batched front; ours is `agents/ppo.py`, in float32 and in bfloat16. Same game, same settings,
same width of network, same number of decisions; they take turns, an update each, so that a noisy machine is noisy for
all. Seconds count everything: playing, judging, learning. How well they learn is told by the games that end while they
train: turns survived and tiles archived.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import gymnasium as gym
import numpy as np
import torch
from page import DOCS, fill
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from stable_baselines3.common.vec_env import DummyVecEnv
from torch import nn

from agents.network import Network
from agents.ppo import Trainer
from agents.settings import PPO
from agents.settings import Network as Shape
from agents.sight import Sight
from loop_env.adapters.sb3 import make
from loop_env.bench import machine
from loop_env.games import find

WIDTH, LAYERS = 512, 2
GAMES, ROLLOUT, MINIBATCH, EPOCHS = 512, 64, 4096, 3
RATE, GAMMA, TRACE, ENTROPY = 5e-4, 0.97, 0.95, 0.01  # clip, value and gradient are alike by default
FEW = 16  # environments of a DummyVecEnv
MADE = GAMES * ROLLOUT  # decisions in an update
WINDOWS = 8  # parts of a run that the picture shows
REWARD = {"shaping": "value", "softness": 2, "gamma": 1}
TOLD = ("turns", "tiles")

Ended = dict[str, np.ndarray]


@dataclass
class Contender:
    """Someone who learns: `learn` makes one update and tells of the games that ended in it."""

    learn: Callable[[], Ended]
    seconds: list[float] = field(default_factory=list)
    games: list[Ended] = field(default_factory=list)

    def go(self) -> None:
        """One update, timed."""
        start = time.perf_counter()
        self.games.append(self.learn())
        self.seconds.append(time.perf_counter() - start)

    def speed(self) -> float:
        """Decisions a second; the first update compiles and warms up."""
        return float(MADE / np.median(self.seconds[1:]))

    def curve(self) -> np.ndarray:
        """Turns and tiles of the games that ended in each part of the run."""
        parts = np.array_split(np.arange(len(self.games)), WINDOWS)
        return np.array([[np.concatenate([self.games[i][key] for i in part]).mean() for key in TOLD] for part in parts])


class Endings(BaseCallback):
    """Notes how games end in stock training."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: dict[str, list[int]] = {key: [] for key in TOLD}

    def _on_step(self) -> bool:
        infos: Any = self.locals["infos"]
        for info in infos:
            if "terminal_observation" in info:
                for key in TOLD:
                    self.noted[key].append(info[key])
        return True

    def take(self) -> Ended:
        """What was noted since the last time."""
        noted, self.noted = self.noted, {key: [] for key in TOLD}
        return {key: np.array(values) for key, values in noted.items()}


def stock(env: Any) -> Contender:
    """MaskablePPO: one rollout and one update a call."""
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=MADE // env.num_envs, batch_size=MINIBATCH, n_epochs=EPOCHS, learning_rate=RATE,
        gamma=GAMMA, gae_lambda=TRACE, ent_coef=ENTROPY, device="cpu", seed=0,
        policy_kwargs={"net_arch": {"pi": [WIDTH] * LAYERS, "vf": [WIDTH] * LAYERS}, "activation_fn": nn.ReLU},
    )  # fmt: skip
    endings = Endings()

    def learn() -> Ended:
        model.learn(MADE, callback=endings, reset_num_timesteps=False)
        return endings.take()

    return Contender(learn)


def ours(threads: int, bfloat16: bool) -> Contender:
    """Our trainer: the same."""
    torch.manual_seed(0)
    parts = find("the_loop").parts(reward=REWARD)
    sight = Sight(parts.game, foresight=0, threads=threads)
    network = Network(parts.game, Shape(kind="flat", width=WIDTH, layers=LAYERS), sight)
    ppo = PPO(
        games=GAMES, rollout=ROLLOUT, minibatch=MINIBATCH, epochs=EPOCHS, gamma=GAMMA, trace=TRACE, target_kl=0,
        learning_rate=RATE, last_learning_rate=RATE, entropy=ENTROPY, last_entropy=ENTROPY,
    )  # fmt: skip
    trainer = Trainer(parts, network, sight, ppo, bfloat16=bfloat16)
    return Contender(lambda: trainer.update().ended)


def main() -> None:
    """Train, write the table, draw."""
    parser = argparse.ArgumentParser(description="The comparison of trainers in docs/benchmarks.md.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of each run (%(default)s)")
    parser.add_argument("--threads", type=int, default=2, help="for the networks and the games (%(default)s)")
    asked = parser.parse_args()
    updates = max(WINDOWS, asked.steps // MADE)
    torch.set_num_threads(asked.threads)
    single = [lambda: gym.make("loop_env/TheLoop-v0", reward=REWARD).unwrapped] * FEW
    contenders = {
        f"stock MaskablePPO, DummyVecEnv of {FEW}": stock(DummyVecEnv(single)),
        "stock MaskablePPO on our VecEnv": stock(make("the_loop", GAMES, threads=asked.threads, reward=REWARD)),
        "ours, float32": ours(asked.threads, bfloat16=False),
        "ours, bfloat16": ours(asked.threads, bfloat16=True),
    }
    for update in range(updates):
        for contender in contenders.values():
            contender.go()
        times = ", ".join(f"{contender.seconds[-1]:.1f}" for contender in contenders.values())
        print(f"update {update + 1} of {updates}: {times} seconds", flush=True)
    fill("benchmarks.md", "training", table(contenders, updates, asked.threads))
    draw(contenders)


def table(contenders: dict[str, Contender], updates: int, threads: int) -> list[str]:
    """Speed, and the games that ended in the last part of training."""
    first = next(iter(contenders.values())).speed()
    found = [
        f"Measured on {date.today()} with `python benchmarks/training.py --steps {updates * MADE} --threads "
        f"{threads}`: in turns, an update of {MADE:,} decisions each, {LAYERS} layers of {WIDTH}, {EPOCHS} passes, "
        f"minibatches of {MINIBATCH:,}, no foresight; medians of {updates - 1} updates. Turns and tiles are those of "
        f"the games that ended in the last eighth of {updates * MADE:,} decisions, single runs. {machine()}.",
        "",
        "| | steps/s | ratio | turns survived | tiles |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, contender in contenders.items():
        (turns, tiles), speed = contender.curve()[-1], contender.speed()
        found.append(f"| {name} | {speed:,.0f} | {speed / first:.1f} | {turns:.2f} | {tiles:.3f} |")
    return [*found, "", "![turns survived over decisions and over seconds](trainers.svg)"]


def draw(contenders: dict[str, Contender]) -> None:
    """Turns survived, over decisions and over seconds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, (over_decisions, over_seconds) = plt.subplots(1, 2, figsize=(9, 3.5), layout="constrained", sharey=True)
    for name, contender in contenders.items():
        ends = np.array([part[-1] for part in np.array_split(np.arange(len(contender.seconds)), WINDOWS)])
        turns = contender.curve()[:, 0]
        over_decisions.plot((ends + 1) * MADE / 1e6, turns, marker="o", markersize=3, label=name)
        over_seconds.plot(np.cumsum(contender.seconds)[ends], turns, marker="o", markersize=3)
    over_decisions.set(xlabel="million decisions", ylabel="turns survived")
    over_seconds.set(xlabel="seconds")
    over_decisions.legend(fontsize=8)
    for axis in (over_decisions, over_seconds):
        axis.grid(alpha=0.3)
    figure.savefig(DOCS / "trainers.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
