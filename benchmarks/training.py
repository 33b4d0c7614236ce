"""How fast does training go? Our trainer beside stock MaskablePPO, same game, same width of network, in one run.

    python benchmarks/training.py [--seconds 60]

The contenders take turns. "stock" is MaskablePPO with a DummyVecEnv of single environments, as most people would begin;
"stock on our front" is the same algorithm on the batched VecEnv; ours is `agents/ppo.py`, with and without bfloat16.
Steps a second count everything: playing, judging, learning.
"""

from __future__ import annotations

import argparse
import statistics
import time
from collections.abc import Callable
from datetime import date
from typing import Any

import gymnasium as gym
import torch
from page import fill
from sb3_contrib import MaskablePPO
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

WIDTH, LAYERS, EPOCHS = 512, 2, 3
GAMES, ROLLOUT, MINIBATCH = 512, 64, 4096
FEW = 16  # environments of a DummyVecEnv
ROUNDS = 3
REWARD = {"shaping": "progress"}


def stock(env: Any, games: int) -> Callable[[], int]:
    """MaskablePPO: one rollout and one update a call."""
    steps = GAMES * ROLLOUT // games
    towers = {"pi": [WIDTH] * LAYERS, "vf": [WIDTH] * LAYERS}
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=steps, batch_size=MINIBATCH, n_epochs=EPOCHS, device="cpu",
        policy_kwargs={"net_arch": towers, "activation_fn": nn.ReLU},
    )  # fmt: skip

    def learn() -> int:
        model.learn(steps * games, reset_num_timesteps=False)
        return steps * games

    return learn


def ours(bfloat16: bool) -> Callable[[], int]:
    """Our trainer: the same."""
    parts = find("the_loop").parts(reward=REWARD)
    sight = Sight(parts.game, foresight=0, threads=2)
    network = Network(parts.game, Shape(kind="flat", width=WIDTH, layers=LAYERS), sight)
    ppo = PPO(games=GAMES, rollout=ROLLOUT, minibatch=MINIBATCH, epochs=EPOCHS, target_kl=0)
    trainer = Trainer(parts, network, sight, ppo, bfloat16=bfloat16)

    def learn() -> int:
        trainer.update()
        return GAMES * ROLLOUT

    return learn


def main() -> None:
    """Measure and write the table."""
    parser = argparse.ArgumentParser(description="The table of training speed in docs/benchmarks.md.")
    parser.add_argument("--seconds", type=float, default=20, help="for each contender in each round (%(default)s)")
    seconds = parser.parse_args().seconds
    torch.set_num_threads(2)
    dummy = DummyVecEnv([lambda: gym.make("loop_env/TheLoop-v0", reward=REWARD).unwrapped] * FEW)
    contenders = {
        f"stock MaskablePPO, DummyVecEnv of {FEW}": stock(dummy, FEW),
        "stock MaskablePPO on our VecEnv": stock(make("the_loop", GAMES, reward=REWARD), GAMES),
        "ours, float32": ours(False),
        "ours, bfloat16": ours(True),
    }
    speeds: dict[str, list[float]] = {name: [] for name in contenders}
    for learn in contenders.values():
        learn()  # compiles, warms up
    for _ in range(ROUNDS):
        for name, learn in contenders.items():
            speeds[name].append(speed(learn, seconds))
            print(f"{name}: {speeds[name][-1]:,.0f} steps/s", flush=True)
    write({name: statistics.median(values) for name, values in speeds.items()}, seconds)


def speed(learn: Callable[[], int], seconds: float) -> float:
    """Steps a second over about so many seconds."""
    made, start = 0, time.perf_counter()
    while time.perf_counter() - start < seconds:
        made += learn()
    return made / (time.perf_counter() - start)


def write(medians: dict[str, float], seconds: float) -> None:
    """The table."""
    first = next(iter(medians.values()))
    lines = [
        f"Measured on {date.today()} with `python benchmarks/training.py --seconds {seconds:g}`: medians of {ROUNDS} "
        f"rounds, in turns, 2 threads, {LAYERS} layers of {WIDTH}, {GAMES * ROLLOUT:,} steps, {EPOCHS} passes; "
        f"minibatches of {MINIBATCH:,}. {machine()}.",
        "",
        "| | steps/s | ratio |",
        "|---|---:|---:|",
    ]
    lines += [f"| {name} | {value:,.0f} | {value / first:.1f} |" for name, value in medians.items()]
    fill("benchmarks.md", "training", lines)


if __name__ == "__main__":
    main()
