"""loop_env beside other turn-based environments: random legal play with observation and mask, in one run.

    python benchmarks/peers.py              # needs .venv-peers: `make peers` makes it and runs this

Each contender runs in a process of its own, one after the other, in several rounds; the medians go into
docs/benchmarks.md with a chart. Batched environments play 1024 games at once, the others one.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

from page import fill

ROOT = Path(__file__).resolve().parent.parent
PAGE = "benchmarks.md"
CHART = ROOT / "docs" / "peers.svg"
PEERS_PYTHON = ROOT / ".venv-peers" / "bin" / "python"
GAMES = 1024


def timed(play: Callable[[int], int], seconds: float) -> float:
    """Steps a second of a function that plays about so many steps and says how many it made."""
    made = play(200)  # compile, import, warm up
    start = time.perf_counter()
    play(200)
    rate = made / max(time.perf_counter() - start, 1e-9)
    start = time.perf_counter()
    made = play(max(200, int(rate * seconds)))
    return made / (time.perf_counter() - start)


def loop_env(seconds: float) -> float:
    """The LOOP, 1024 games, through gymnasium's vector front."""
    import gymnasium as gym
    import numpy as np

    import loop_env as package  # noqa: F401 (registers the ids)
    from loop_env.engine.fuzz import player_luck
    from loop_env.engine.masks import pick_actions

    env: Any = gym.make_vec("loop_env/TheLoop-v0", num_envs=GAMES)
    env.reset(seed=0)
    luck, actions = player_luck(np.arange(GAMES).astype(np.uint64)), np.zeros(GAMES, np.int64)

    def play(steps: int) -> int:
        rounds = max(1, steps // GAMES)
        for _ in range(rounds):
            pick_actions(env.unwrapped.batch.games, luck, actions)
            env.step(actions)
        return rounds * GAMES

    return timed(play, seconds)


def open_spiel(name: str) -> Callable[[float], float]:
    """A game of OpenSpiel."""

    def run(seconds: float) -> float:
        import pyspiel

        game = pyspiel.load_game(name)
        rng = random.Random(0)

        def play(steps: int) -> int:
            made, state = 0, game.new_initial_state()
            while made < steps:
                if state.is_terminal():
                    state = game.new_initial_state()
                elif state.is_chance_node():
                    outcomes, chances = zip(*state.chance_outcomes(), strict=True)
                    state.apply_action(rng.choices(outcomes, chances)[0])
                else:
                    state.observation_tensor(state.current_player())
                    state.legal_actions_mask()
                    state.apply_action(rng.choice(state.legal_actions()))
                    made += 1
            return made

        return timed(play, seconds)

    return run


def pgx(name: str) -> Callable[[float], float]:
    """A game of Pgx, 1024 at once, compiled by jax on the processor."""

    def run(seconds: float) -> float:
        import jax
        import jax.numpy as jnp
        import pgx as package
        from pgx.experimental import auto_reset

        env = package.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))
        rounds = 20

        @jax.jit  # type: ignore[untyped-decorator]
        def many(state: Any, key: Any) -> Any:
            def one(carry: Any, key: Any) -> Any:
                state, total = carry
                pick, luck = jax.random.split(key)
                logits = jnp.log(state.legal_action_mask.astype(jnp.float32))
                action = jax.random.categorical(pick, logits, axis=-1)
                state = step(state, action, jax.random.split(luck, GAMES))
                return (state, total + state.observation.sum(dtype=jnp.float32)), None  # the observation is wanted

            return jax.lax.scan(one, (state, jnp.float32(0)), jax.random.split(key, rounds))[0]

        holder = {"state": jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), GAMES)), "n": 0}

        def play(steps: int) -> int:
            repeats = max(1, steps // (GAMES * rounds))
            for _ in range(repeats):
                holder["n"] += 1
                holder["state"], total = many(holder["state"], jax.random.PRNGKey(holder["n"]))
            total.block_until_ready()
            return repeats * rounds * GAMES

        return timed(play, seconds)

    return run


def rlcard(seconds: float) -> float:
    """RLCard's gin rummy."""
    import rlcard as package

    env = package.make("gin-rummy", config={"seed": 0})
    rng = random.Random(0)

    def play(steps: int) -> int:
        made = 0
        state, _ = env.reset()
        while made < steps:
            if env.is_over():
                state, _ = env.reset()
            state, _ = env.step(rng.choice(list(state["legal_actions"])))
            made += 1
        return made

    return timed(play, seconds)


def catanatron(seconds: float) -> float:
    """catanatron's gym environment."""
    import catanatron_gym.envs  # noqa: F401 (registers the ids)
    import gymnasium as gym

    env = gym.make("catanatron_gym:catanatron-v1", disable_env_checker=True)
    rng = random.Random(0)

    def play(steps: int) -> int:
        made = 0
        _, info = env.reset()
        while made < steps:
            _, _, ended, truncated, info = env.step(rng.choice(info["valid_actions"]))
            made += 1
            if ended or truncated:
                _, info = env.reset()
        return made

    return timed(play, seconds)


CONTENDERS: dict[str, Callable[[float], float]] = {
    "loop_env: The LOOP (1024 games)": loop_env,
    "Pgx: sparrow mahjong (1024 games)": pgx("sparrow_mahjong"),
    "Pgx: backgammon (1024 games)": pgx("backgammon"),
    "OpenSpiel: hanabi": open_spiel("hanabi"),
    "OpenSpiel: backgammon": open_spiel("backgammon"),
    "RLCard: gin rummy": rlcard,
    "catanatron: gym": catanatron,
}


def measure(name: str, seconds: float) -> float | str:
    """One run in a fresh process; what went wrong, if it did."""
    python = sys.executable if name.startswith("loop_env") else str(PEERS_PYTHON)
    command = [python, __file__, "--worker", name, "--seconds", str(seconds)]
    environment = {**os.environ, "OMP_NUM_THREADS": "1", "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false"}
    done = subprocess.run(
        ["taskset", "-c", "0", *command], capture_output=True, text=True, env=environment, check=False
    )
    if done.returncode:
        return done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"exit code {done.returncode}"
    return float(json.loads(done.stdout.splitlines()[-1]))


def write_page(speeds: dict[str, list[float]], failures: dict[str, str], seconds: float) -> None:
    """The table and the chart."""
    from loop_env.bench import machine

    medians = {name: statistics.median(values) for name, values in speeds.items() if values}
    ours = medians[next(iter(CONTENDERS))]
    rows = ["| environment | steps a second | from | to | loop_env is faster by |", "|---|---:|---:|---:|---:|"]
    for name, median in sorted(medians.items(), key=lambda item: -item[1]):
        low, high = min(speeds[name]), max(speeds[name])
        rows.append(f"| {name} | {median:,.0f} | {low:,.0f} | {high:,.0f} | {ours / median:,.1f} |")
    rows += [f"| {name} | did not run: {why} | | | |" for name, why in failures.items()]
    rounds = max(len(values) for values in speeds.values())
    head = (
        f"Measured on {date.today()} with `python benchmarks/peers.py`: {rounds} interleaved rounds of {seconds:g} s, "
        f"each in a process bound to one core; medians. {machine()}."
    )
    fill(PAGE, "peers", [head, "", *rows, "", "![steps a second, log scale](peers.svg)"])
    draw(medians)


def draw(medians: dict[str, float]) -> None:
    """Bars on a log scale."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "peers"
    from matplotlib import pyplot as plt

    order = sorted(medians, key=lambda name: medians[name])
    figure, axes = plt.subplots(figsize=(9, 0.5 * len(order) + 1.2))
    colours = ["#d1495b" if name.startswith("loop_env") else "#8d99ae" for name in order]
    bars = axes.barh(order, [medians[name] for name in order], color=colours)
    axes.bar_label(bars, [f" {medians[name]:,.0f}" for name in order], padding=2)
    axes.set_xscale("log")
    axes.set_xlim(right=max(medians.values()) * 8)
    axes.set_xlabel("steps a second on one core (log scale): random legal play with observation and mask")
    axes.spines[["top", "right"]].set_visible(False)
    figure.tight_layout()
    figure.savefig(CHART, metadata={"Date": None})


def main() -> int:
    """Measure everyone, or be a worker."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=5, help="rounds (default %(default)s)")
    parser.add_argument("--seconds", type=float, default=3.0, help="seconds of play in a round (default %(default)s)")
    parser.add_argument("--worker", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        print(json.dumps(CONTENDERS[options.worker](options.seconds)))
        return 0
    if not PEERS_PYTHON.exists():
        print("benchmarks/peers.py: there is no .venv-peers; run `make peers`", file=sys.stderr)
        return 2
    speeds: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    failures: dict[str, str] = {}
    for number in range(options.rounds):
        for name in CONTENDERS:
            found = measure(name, options.seconds)
            if isinstance(found, str):
                failures[name] = found
            else:
                speeds[name].append(found)
                failures.pop(name, None)
            told = found if isinstance(found, str) else f"{found:,.0f}"
            print(f"round {number + 1} of {options.rounds}: {name}: {told}", flush=True)
    write_page(speeds, failures, options.seconds)
    print(f"written: docs/{PAGE}, {CHART.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
