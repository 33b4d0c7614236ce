"""How fast a game plays: random legal play with observation, mask and autoreset, bare and through the vector fronts."""

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

from loop_env.adapters.single import GameEnv
from loop_env.adapters.vector import GameVectorEnv
from loop_env.engine.batch import NEXT_STEP, Batch
from loop_env.engine.fuzz import player_luck
from loop_env.engine.game import Parts
from loop_env.engine.masks import pick_actions
from loop_env.errors import MissingPackageError

REPEATS = 5
FRAMES = 100  # pictures that are drawn


class Runner:
    """Games under random play, stepped by whoever."""

    def __init__(self, batch: Batch, step: Callable[[np.ndarray], Any]) -> None:
        self.batch, self.step = batch, step
        self.luck = player_luck(np.arange(batch.count).astype(np.uint64))
        self.actions = np.zeros(batch.count, np.int64)

    def play(self, steps: int) -> tuple[float, int]:
        """Steps a second, and how many games ended."""
        ended = 0
        start = time.perf_counter()
        for _ in range(steps):
            pick_actions(self.batch.games, self.luck, self.actions)
            self.step(self.actions)
            ended += int(self.batch.ended.sum())
        return steps * self.batch.count / (time.perf_counter() - start), ended


def bare(parts: Parts, games: int, threads: int) -> Runner:
    """The batched core itself."""
    batch = Batch(parts.game, parts.rules, parts.reward, games, NEXT_STEP, threads)
    batch.start(np.arange(games))
    return Runner(batch, batch.step)


def through_gymnasium(parts: Parts, games: int) -> Runner:
    """gymnasium's vector environment."""
    env = GameVectorEnv(parts, games)
    env.reset(seed=0)
    return Runner(env.batch, env.step)


def through_sb3(parts: Parts, games: int) -> Runner | None:
    """SB3's VecEnv, if SB3 is installed."""
    try:
        from loop_env.adapters.sb3 import GameVecEnv
    except ImportError:
        return None
    env = GameVecEnv(parts, games)
    env.seed(0)
    env.reset()

    def step(actions: np.ndarray) -> None:
        env.step(actions)
        env.env_method("action_masks")

    return Runner(env.batch, step)


def bench(
    modes: dict[str, Parts], games: int = 1024, seconds: float = 1.0, note: Callable[[str], None] = print
) -> dict[str, Any]:
    """Measure the first mode in all ways, the others beside it; the runs are interleaved, and the medians told."""
    first, parts = next(iter(modes.items()))
    note("compiling and loading in fresh processes ...")
    cold, cached = compile_seconds(parts.game.name)
    contenders = {
        "one": bare(parts, games, 1),
        "two": bare(parts, games, 2),
        "vector": through_gymnasium(parts, games),
        "sb3": through_sb3(parts, games),
        **{name: bare(other, games, 1) for name, other in modes.items() if name != first},
    }
    runners = {name: runner for name, runner in contenders.items() if runner is not None}
    steps = {name: max(10, int(runner.play(50)[0] * seconds / games)) for name, runner in runners.items()}
    speeds: dict[str, list[float]] = {name: [] for name in runners}
    ended = 0
    for repeat in range(REPEATS):
        note(f"run {repeat + 1} of {REPEATS} ...")
        for name, runner in runners.items():
            speed, over = runner.play(steps[name])
            speeds[name].append(speed)
            ended += over if name == "one" else 0
    medians = {name: statistics.median(values) for name, values in speeds.items()}
    made = REPEATS * steps["one"] * games
    return {
        "game": parts.game.name,
        "games": games,
        "steps_per_second": round(medians["one"]),
        "steps_per_second_2_threads": round(medians["two"]),
        "vector_ratio": round(medians["vector"] / medians["one"], 3),
        "sb3_ratio": round(medians["sb3"] / medians["one"], 3) if "sb3" in medians else None,
        "mode_ratios": {name: round(medians.get(name, medians["one"]) / medians["one"], 3) for name in modes},
        "games_per_second": round(medians["one"] * ended / made),
        "decisions_per_game": round(made / ended, 2),
        "observation_size": parts.game.observation.size,
        "actions": parts.game.actions.size,
        "bytes_per_game": parts.game.record.itemsize,
        "compile_seconds_cold": round(cold, 2),
        "compile_seconds_cached": round(cached, 2),
        "machine": machine(),
    }


def frame_milliseconds(env: GameEnv) -> dict[str, float | None]:
    """How long a picture of the table takes: to draw it, and to have it as pixels or as a PNG file (medians)."""
    ways: dict[str, Callable[[], Any]] = {
        "svg": lambda: env.picture().svg(),
        "rgb_array": lambda: env.picture().rgb(),
        "png": lambda: env.picture().png(),
    }
    taken: dict[str, list[float]] = {name: [] for name in ways}
    info = env.reset(seed=0)[1]
    for _ in range(FRAMES):
        over, info = env.step(env.action_space.sample(info["action_mask"]))[2::2]
        info = env.reset()[1] if over else info
        for name, draw in ways.items():
            start = time.perf_counter()
            try:
                draw()
            except MissingPackageError:  # this way is not open here
                continue
            taken[name].append(1000 * (time.perf_counter() - start))
    return {name: round(statistics.median(values), 1) if values else None for name, values in taken.items()}


def compile_seconds(name: str) -> tuple[float, float]:
    """From the start of Python to the first step, with an empty cache and with a full one."""
    code = f"from loop_env.bench import first_step; first_step({name!r})"
    taken = []
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            start = time.perf_counter()
            environment = {**os.environ, "NUMBA_CACHE_DIR": folder}
            subprocess.run([sys.executable, "-c", code], env=environment, check=True, stderr=subprocess.DEVNULL)
            taken.append(time.perf_counter() - start)
    return taken[0], taken[1]


def first_step(name: str) -> None:
    """Make one step, so that everything is compiled or loaded."""
    from loop_env.games import find

    bare(find(name).parts(), 2, 1).play(1)


def machine() -> str:
    """Where this was measured."""
    try:
        with open("/proc/cpuinfo") as file:
            names = [line.split(":", 1)[1].strip() for line in file if line.startswith("model name")]
    except OSError:
        names = []
    return f"{os.cpu_count()} x {names[0] if names else platform.machine()}, Python {platform.python_version()}"
