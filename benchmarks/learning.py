"""Does our trainer learn as well as stock MaskablePPO, and does bfloat16 cost learning? One run of each, side by side.

    python benchmarks/learning.py [--steps 1_000_000] [--seeds 1]

Same game, same settings, same number of decisions, two layers of the same width. What is compared is the games that end
while they train: tiles archived and turns survived, over decisions and over seconds. The contenders take turns, an
update each, so that a noisy machine is noisy for all.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date
from typing import Any

import numpy as np
import torch
from page import DOCS, fill
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback
from torch import nn

from agents.network import Network
from agents.ppo import Trainer
from agents.settings import PPO
from agents.settings import Network as Shape
from agents.sight import Sight
from loop_env.adapters.sb3 import make
from loop_env.bench import machine
from loop_env.games import find

WIDTH, LAYERS = 256, 2
GAMES, ROLLOUT, MINIBATCH, EPOCHS = 512, 64, 2048, 3
RATE, GAMMA, TRACE, ENTROPY = 5e-4, 0.97, 0.95, 0.01  # clip, value and gradient are alike by default
MADE = GAMES * ROLLOUT  # decisions in an update
REWARD = {"shaping": "value", "softness": 2, "gamma": 1}
WINDOWS = 8  # parts of a run that the table and the picture show

Ended = dict[str, np.ndarray]


@dataclass
class Contender:
    """Someone who learns: `learn` makes one update and tells how the games went that ended in it."""

    learn: Callable[[], Ended]
    seconds: list[float] = field(default_factory=list)
    games: list[Ended] = field(default_factory=list)

    def go(self) -> None:
        """One update, timed."""
        start = time.perf_counter()
        self.games.append(self.learn())
        self.seconds.append(time.perf_counter() - start)


class Endings(BaseCallback):
    """Notes how games end in stock training."""

    def __init__(self) -> None:
        super().__init__()
        self.noted: list[tuple[int, int]] = []

    def _on_step(self) -> bool:
        infos: Any = self.locals["infos"]
        self.noted += [(info["tiles"], info["turns"]) for info in infos if "tiles" in info]
        return True

    def take(self) -> Ended:
        """What was noted since the last time."""
        tiles, turns = zip(*self.noted, strict=True) if self.noted else ((), ())
        self.noted = []
        return {"tiles": np.array(tiles), "turns": np.array(turns)}


def stock(seed: int) -> Contender:
    """MaskablePPO on our VecEnv."""
    env = make("the_loop", GAMES, threads=2, reward=REWARD, seed=seed)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=ROLLOUT, batch_size=MINIBATCH, n_epochs=EPOCHS, learning_rate=RATE, gamma=GAMMA,
        gae_lambda=TRACE, ent_coef=ENTROPY, device="cpu", seed=seed,
        policy_kwargs={"net_arch": {"pi": [WIDTH] * LAYERS, "vf": [WIDTH] * LAYERS}, "activation_fn": nn.ReLU},
    )  # fmt: skip
    endings = Endings()

    def learn() -> Ended:
        model.learn(MADE, callback=endings, reset_num_timesteps=False)
        return endings.take()

    return Contender(learn)


def ours(seed: int, bfloat16: bool) -> Contender:
    """Our trainer."""
    torch.manual_seed(seed)
    parts = find("the_loop").parts(reward=REWARD)
    network = Network(parts.game, Shape(kind="flat", width=WIDTH, layers=LAYERS))
    ppo = PPO(
        games=GAMES, rollout=ROLLOUT, minibatch=MINIBATCH, epochs=EPOCHS, gamma=GAMMA, trace=TRACE, target_kl=0,
        learning_rate=RATE, last_learning_rate=RATE, entropy=ENTROPY, last_entropy=ENTROPY,
    )  # fmt: skip
    trainer = Trainer(parts, network, Sight(parts.game, 0, threads=2), ppo, seed=seed, bfloat16=bfloat16)
    return Contender(lambda: trainer.update().ended)


def main() -> None:
    """Train, write the table, draw."""
    parser = argparse.ArgumentParser(description="The comparison of learning in docs/benchmarks.md.")
    parser.add_argument("--steps", type=int, default=1_000_000, help="decisions of each run (%(default)s)")
    parser.add_argument("--seeds", type=int, default=1, help="runs of each contender (%(default)s)")
    options = parser.parse_args()
    torch.set_num_threads(2)
    updates = max(WINDOWS, options.steps // MADE)
    runs: dict[str, list[Contender]] = {
        "stock MaskablePPO on our VecEnv": [stock(seed) for seed in range(options.seeds)],
        "ours, float32": [ours(seed, bfloat16=False) for seed in range(options.seeds)],
        "ours, bfloat16": [ours(seed, bfloat16=True) for seed in range(options.seeds)],
    }
    for update in range(updates):
        for contenders in runs.values():
            for contender in contenders:
                contender.go()
        print(f"{update + 1} of {updates} updates", flush=True)
    curves = {name: [curve(each) for each in contenders] for name, contenders in runs.items()}
    fill("benchmarks.md", "learning", lines(curves, runs, options.seeds, updates))
    draw(curves, runs)


def curve(contender: Contender) -> np.ndarray:
    """Tiles and turns of the games that ended in each part of a run."""
    parts = np.array_split(np.arange(len(contender.games)), WINDOWS)
    found = []
    for part in parts:
        games = [contender.games[i] for i in part if "tiles" in contender.games[i]]
        found.append([np.concatenate([each[key] for each in games]).mean() for key in ("tiles", "turns")])
    return np.array(found)


def lines(curves: dict[str, list[np.ndarray]], runs: dict[str, list[Contender]], seeds: int, updates: int) -> list[str]:
    """The table: the last part of the runs."""
    found = [
        f"Measured on {date.today()} with `python benchmarks/learning.py --steps {updates * MADE} --seeds {seeds}`, "
        f"from nothing, {LAYERS} layers of {WIDTH}, no foresight, 2 threads, in turns. Games that ended in the last of "
        f"{WINDOWS} parts of training, actions drawn by their chances. {machine()}.",
        "",
        "| | tiles | turns | seconds |",
        "|---|---:|---:|---:|",
    ]
    for name, each in curves.items():
        last = np.mean([one[-1] for one in each], 0)
        seconds = np.mean([sum(contender.seconds) for contender in runs[name]])
        found.append(f"| {name} | {last[0]:.3f} | {last[1]:.2f} | {seconds:,.0f} |")
    return found


def draw(curves: dict[str, list[np.ndarray]], runs: dict[str, list[Contender]]) -> None:
    """Turns survived, over decisions and over seconds."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axes = plt.subplots(1, 2, figsize=(8, 3.2), layout="constrained", sharey=True)
    for colour, (name, each) in enumerate(curves.items()):
        for contender, one in zip(runs[name], each, strict=True):
            ends = np.array([part[-1] for part in np.array_split(np.arange(len(contender.seconds)), WINDOWS)])
            label = name if contender is runs[name][0] else None
            style = {"color": f"C{colour}", "marker": "o", "markersize": 3, "label": label}
            axes[0].plot((ends + 1) * MADE / 1e6, one[:, 1], **style)
            axes[1].plot(np.cumsum(contender.seconds)[ends], one[:, 1], **style)
    axes[0].set(xlabel="million decisions", ylabel="turns survived")
    axes[1].set(xlabel="seconds")
    axes[0].legend(fontsize=8)
    for axis in axes:
        axis.grid(alpha=0.3)
    figure.savefig(DOCS / "trainers.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
