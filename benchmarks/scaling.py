"""Steps a second over the number of games and threads, and where a decision's time goes.

python benchmarks/scaling.py            # writes docs/benchmarks.md and docs/scaling.svg
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import numba
import numpy as np
from page import fill

import loop_env.engine.masks as masks
import loop_env.the_loop.observation as observation
from loop_env.bench import bare, machine
from loop_env.games import find
from loop_env.the_loop.names import PHASES

ROOT = Path(__file__).resolve().parent.parent
PAGE, CHART = "benchmarks.md", ROOT / "docs" / "scaling.svg"
SIZES = [4**k for k in range(8)]  # 1 to 16,384
THREADS = (1, 2)
ROUNDS = 3


def measure_sizes() -> dict[int, list[float]]:
    """Medians for each number of threads; the threads' runs are interleaved."""
    parts = find("the_loop").parts()
    found: dict[int, list[float]] = {threads: [] for threads in THREADS}
    for games in SIZES:
        runners = {threads: bare(parts, games, threads) for threads in THREADS}
        steps = max(20, 1_000_000 // games if games > 16 else 100_000 // games)
        speeds: dict[int, list[float]] = {threads: [] for threads in THREADS}
        for _ in range(ROUNDS):
            for threads, runner in runners.items():
                runner.play(10)
                speeds[threads].append(runner.play(steps)[0])
        for threads in THREADS:
            found[threads].append(statistics.median(speeds[threads]))
        print(f"{games} games: " + ", ".join(f"{t} threads {found[t][-1]:,.0f}" for t in THREADS))
    return found


def measure_parts() -> dict[str, float]:
    """Nanoseconds of each part of writing an observation and a mask, over positions of random games."""
    runner = bare(find("the_loop").parts(), 1024, 1)
    runner.play(30)
    o = observation

    @numba.njit
    def clear(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        looks[i] = blank[0]

    @numba.njit
    def whole(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        looks[i] = blank[0]
        o.observe(g, r, looks[i])

    @numba.njit
    def turn(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        o.observe_turn(g, r, looks[i])

    @numba.njit
    def eras(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        o.observe_eras(g, r, int(g.at[g.actor]), looks[i])

    @numba.njit
    def agents(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        o.observe_agents(g, r, int(g.at[g.actor]), looks[i])

    @numba.njit
    def mask(g: Any, r: Any, looks: Any, blank: Any, mask: Any, i: int) -> None:
        masks.write_mask(g, mask, i)

    parts = {
        "observation": whole,
        "  clearing it": clear,
        "  the turn": turn,
        "  the eras": eras,
        "  the agents": agents,
    }
    return {name: time_of(part, runner.batch) for name, part in (parts | {"mask": mask}).items()}


def time_of(part: Callable[..., None], batch: Any) -> float:
    """Nanoseconds a game."""

    @numba.njit
    def loop(games: Any, rules: Any, looks: Any, blank: Any, mask: Any, rounds: int) -> None:
        for _ in range(rounds):
            for i in range(len(games)):
                part(games[i], rules[0], looks, blank, mask, i)

    arguments = (batch.games, batch.rules, batch.looks, batch.blank_look, batch.masks)
    loop(*arguments, 1)
    taken = []
    for _ in range(5):
        start = time.perf_counter()
        loop(*arguments, 50)
        taken.append((time.perf_counter() - start) / 50 / batch.count * 1e9)
    return statistics.median(taken)


def measure_phases() -> dict[str, tuple[float, float]]:
    """Nanoseconds of a decision by the phase it is made in, and that phase's share of all decisions."""
    commands = find("the_loop")
    parts, decide = commands.parts(), commands.game().decide
    runner = bare(parts, 4096, 1)
    taken: dict[int, list[float]] = {}
    counts = np.zeros(len(PHASES), int)

    @numba.njit
    def make(games: Any, rules: Any, actions: Any) -> None:
        for i in range(len(games)):
            decide(games[i], rules[0], actions[i])

    make(runner.batch.games[:0], runner.batch.rules, runner.actions)
    for _ in range(60):
        masks.pick_actions(runner.batch.games, runner.luck, runner.actions)
        phases = runner.batch.games["phase"]
        counts += np.bincount(phases, minlength=len(PHASES))
        for phase in np.unique(phases[runner.batch.games["outcome"] == 0]):
            chosen = np.flatnonzero((phases == phase) & (runner.batch.games["outcome"] == 0))
            games, actions = runner.batch.games[chosen], runner.actions[chosen]
            start = time.perf_counter()
            make(games, runner.batch.rules, actions)
            if len(chosen) >= 20:
                taken.setdefault(int(phase), []).append((time.perf_counter() - start) / len(chosen) * 1e9)
        runner.step(runner.actions)
    share = counts / counts[: len(PHASES) - 1].sum()
    return {PHASES[phase]: (statistics.median(times), share[phase]) for phase, times in sorted(taken.items())}


def write_page(sizes: dict[int, list[float]], parts: dict[str, float], phases: dict[str, tuple[float, float]]) -> None:
    """The tables and the chart."""
    lines = [f"Measured on {date.today()} with `python benchmarks/scaling.py`, medians. {machine()}.", ""]
    lines += [
        "| games | " + " | ".join(f"{t} thread{'s' * (t > 1)}" for t in THREADS) + " |",
        "|---:|" + "---:|" * len(THREADS),
    ]
    for row, games in enumerate(SIZES):
        lines.append(f"| {games:,} | " + " | ".join(f"{sizes[t][row]:,.0f}" for t in THREADS) + " |")
    lines += ["", "![steps a second over games and threads](scaling.svg)", ""]
    lines += ["| part of a step (1024 games) | ns |", "|---|---:|"]
    lines += [f"| {name.replace('  ', '&nbsp;&nbsp;')} | {ns:.0f} |" for name, ns in parts.items()]
    lines += ["", "| a decision of the rules, made in phase | ns | share of decisions |", "|---|---:|---:|"]
    lines += [f"| {phase} | {ns:.0f} | {100 * share:.1f} % |" for phase, (ns, share) in phases.items()]
    fill(PAGE, "scaling", lines)


def draw(sizes: dict[int, list[float]]) -> None:
    """Lines over the number of games."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "scaling"
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(7, 4))
    for threads, colour in zip(THREADS, ("#d1495b", "#30638e"), strict=True):
        label = f"{threads} thread{'s' * (threads > 1)}"
        axes.plot(SIZES, [speed / 1e6 for speed in sizes[threads]], "o-", color=colour, label=label)
    axes.set_xscale("log", base=2)
    axes.set_xlabel("games at once")
    axes.set_ylabel("million steps a second")
    axes.set_ylim(bottom=0)
    axes.grid(alpha=0.3)
    axes.spines[["top", "right"]].set_visible(False)
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(CHART, metadata={"Date": None})


def main() -> int:
    """Measure and write."""
    sizes = measure_sizes()
    draw(sizes)
    write_page(sizes, measure_parts(), measure_phases())
    print(f"written: docs/{PAGE}, {CHART.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
