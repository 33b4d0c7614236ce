"""What does thinking buy? The planner's win rate over its budget, for docs/players.md.

python benchmarks/budget.py [--games 500]
"""

from __future__ import annotations

import argparse
import time
from datetime import date

import numpy as np
from page import draw_win_rates, fill

from agents.match import play_match
from agents.planner import Planner
from agents.statistics import wilson
from loop_env.bench import machine
from loop_env.games import find

BUDGETS = (30, 100, 200, 400, 800, 1500, 3000, 6000, 12000)
FIRST_SEED = 500_000  # games that nothing was tuned on


def main() -> None:
    """Measure, write the table, draw the curve."""
    parser = argparse.ArgumentParser(description="Win rate over budget, in docs/players.md.")
    parser.add_argument("--games", type=int, default=500, help="games for each budget (%(default)s)")
    games = parser.parse_args().games
    rows = []
    for budget in BUDGETS:
        rows.append(measure(budget, games))
        print(rows[-1], flush=True)
    write(rows, games)
    title = "planner: sabotage, level 1, two players"
    budgets = [row["budget"] for row in rows]
    draw_win_rates("budget.svg", budgets, rows, xscale="log", xlabel="positions a decision", title=title)


def measure(budget: int, games: int) -> dict[str, float]:
    """One point of the curve: sabotage, level 1, two players."""
    parts, agent = find("the_loop").parts(), Planner(budget=budget)
    play_match(Planner(budget=1), parts, [0])  # compiles
    start = time.perf_counter()
    results = play_match(agent, parts, np.arange(FIRST_SEED, FIRST_SEED + games)).results
    seconds, wins = time.perf_counter() - start, int(results["is_success"].sum())
    low, high = wilson(wins, games)
    looked_at = agent.looked_at / int(results["decisions"].sum())
    return {
        "budget": budget, "used": looked_at, "rate": wins / games, "low": low, "high": high, "speed": games / seconds
    }  # fmt: skip


def write(rows: list[dict[str, float]], games: int) -> None:
    """Put the table between its markers."""
    lines = [
        f"Measured on {date.today()} with `python benchmarks/budget.py --games {games}`: sabotage, level 1, two "
        f"players, {games} games a row from seed {FIRST_SEED:,}, one process. {machine()}.",
        "",
        "| budget | positions looked at, a decision | won | 95 % | games/s |",
        "|---:|---:|---:|---|---:|",
    ]
    for row in rows:
        sure = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
        lines.append(f"| {row['budget']:,} | {row['used']:,.0f} | {row['rate']:.1%} | {sure} | {row['speed']:.1f} |")
    fill("players.md", "budget", lines)


if __name__ == "__main__":
    main()
