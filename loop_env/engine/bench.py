"""How fast a game plays: random legal play with observation, mask and autoreset."""

from __future__ import annotations

import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from loop_env.engine.batch import NEXT_STEP, Batch
from loop_env.engine.fuzz import player_luck
from loop_env.engine.game import Game
from loop_env.engine.masks import pick_actions

REPEATS = 5


class Runner:
    """A batch under random play."""

    def __init__(self, game: Game, rules: np.ndarray, reward: np.ndarray, games: int, threads: int) -> None:
        self.batch = Batch(game, rules, reward, games, NEXT_STEP, threads)
        seeds = np.arange(games).astype(np.uint64)
        self.luck, self.actions = player_luck(seeds), np.zeros(games, np.int64)
        self.batch.start(seeds)

    def play(self, steps: int) -> tuple[float, int]:
        """Steps a second, and how many games ended."""
        ended = 0
        start = time.perf_counter()
        for _ in range(steps):
            pick_actions(self.batch.games, self.luck, self.actions)
            self.batch.step(self.actions)
            ended += int(self.batch.ended.sum())
        return steps * self.batch.count / (time.perf_counter() - start), ended


def bench(
    game: Game,
    rules: np.ndarray,
    reward: np.ndarray,
    games: int = 1024,
    seconds: float = 1.0,
    note: Callable[[str], None] = print,
) -> dict[str, Any]:
    """Measure; the runs with one and two threads are interleaved, and the medians told."""
    note("compiling and loading in fresh processes ...")
    cold, cached = compile_seconds(game.name)
    runners = {threads: Runner(game, rules, reward, games, threads) for threads in (1, 2)}
    steps = {t: max(10, int(runner.play(50)[0] * seconds / games)) for t, runner in runners.items()}
    speeds: dict[int, list[float]] = {1: [], 2: []}
    ended = made = 0
    for repeat in range(REPEATS):
        note(f"run {repeat + 1} of {REPEATS} ...")
        for threads, runner in runners.items():
            speed, over = runner.play(steps[threads])
            speeds[threads].append(speed)
            if threads == 1:
                ended, made = ended + over, made + steps[1] * games
    one, two = (statistics.median(speeds[threads]) for threads in (1, 2))
    return {
        "game": game.name,
        "games": games,
        "steps_per_second": round(one),
        "steps_per_second_2_threads": round(two),
        "games_per_second": round(one * ended / made),
        "decisions_per_game": round(made / ended, 2),
        "observation_size": game.observation.size,
        "actions": game.actions.size,
        "bytes_per_game": game.record.itemsize,
        "compile_seconds_cold": round(cold, 2),
        "compile_seconds_cached": round(cached, 2),
        "machine": f"{os.cpu_count()} x {processor()}, Python {platform.python_version()}",
    }


def compile_seconds(name: str) -> tuple[float, float]:
    """From the start of Python to the first step, with an empty cache and with a full one."""
    code = f"import sys; from loop_env.games import first_step; first_step({name!r})"
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            start = time.perf_counter()
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            subprocess.run([sys.executable, "-c", code], env=environment, check=True, stderr=subprocess.DEVNULL)
            taken.append(time.perf_counter() - start)
    return taken[0], taken[1]


def processor() -> str:
    """The processor's name."""
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return names[0] if names else platform.machine()
