"""How hard is each mode at each level? Win rates of the planner and of a random player, for docs/the_loop.md.

    python benchmarks/balance.py [--games 200] [--workers 2]

The games with a player for each agent are those of the leaderboard (docs/leaderboard.json), solo games are played here.
Writes the table between its markers. It also says whether the balance is as it should be: from level 1 to level 3 the
planner's win rate falls clearly in every mode, nothing is unwinnable, and nothing is won at random.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
from datetime import date
from pathlib import Path
from typing import Any

from page import fill

from loop_env.bench import machine

ROOT = Path(__file__).parent.parent
LEADERBOARD = ROOT / "docs" / "leaderboard.json"
BEST, WORST = "planner", "random"


def main() -> int:
    """Play, write the table, judge it: 1 if the balance is off."""
    parser = argparse.ArgumentParser(description="The table of balance in docs/the_loop.md.")
    parser.add_argument("--games", type=int, default=200, help="solo games of each player in each cell (%(default)s)")
    parser.add_argument("--workers", type=int, default=2, help="processes (%(default)s)")
    options = parser.parse_args()
    games: int = options.games
    board: list[dict[str, Any]] = json.loads(LEADERBOARD.read_text())
    records = [r for r in board if r["agent"] in (BEST, WORST)] + measure_solo(games, options.workers)
    head = (
        f"Measured on {date.today()} with `make leaderboard` ({board[0]['games']} games a cell) and `python "
        f"benchmarks/balance.py --games {games}` ({games} solo games a cell), the planner with its default budget; "
        f"95 % intervals (Wilson) in brackets. {machine()}."
    )
    fill("the_loop.md", "balance", [head, "", *table(records)])
    faults = judge(records)
    print("\n".join(faults) if faults else "the balance is as it should be")
    return 1 if faults else 0


def measure_solo(games: int, workers: int) -> list[dict[str, Any]]:
    """The records of `evaluate.py`."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "records.json"
        command = [sys.executable, str(ROOT / "evaluate.py"), BEST, WORST, "--modes", "all", "--levels", "all"]
        command += ["--players", "all", "--games", str(games), "--workers", str(workers), "--json", str(file)]
        subprocess.run([*command, "--solo"], check=True, stdout=subprocess.DEVNULL)
        found: list[dict[str, Any]] = json.loads(file.read_text())
    return found


def table(records: list[dict[str, Any]]) -> list[str]:
    """A row for each mode and number of agents, a column for each level."""
    cells = {(r["agent"], r["mode"], r["level"], r["players"], r["solo"]): r for r in records}
    levels = sorted({r["level"] for r in records})
    lines = [f"| mode | agents | {' | '.join(f'{BEST}, level {n}' for n in levels)} | {WORST}, all levels |"]
    lines.append("|---|---|" + "---:|" * (len(levels) + 1))
    for solo in (False, True):
        for mode in dict.fromkeys(r["mode"] for r in records):
            for players in sorted({r["players"] for r in records}):
                ours = [cells[BEST, mode, level, players, solo] for level in levels]
                lost = [cells[WORST, mode, level, players, solo] for level in levels]
                won, games = sum(r["wins"] for r in lost), sum(r["games"] for r in lost)
                agents = f"{players}, solo" if solo else str(players)
                rates = " | ".join(f"{r['win_rate']:.1%} ({100 * r['low']:.0f} to {100 * r['high']:.0f})" for r in ours)
                lines.append(f"| {mode} | {agents} | {rates} | {won} of {games:,} |")
    return lines


def judge(records: list[dict[str, Any]]) -> list[str]:
    """What is not as it should be, in words."""
    faults = []
    for r in records:
        cell = f"{r['mode']}, level {r['level']}, {r['players']} agents{', solo' if r['solo'] else ''}"
        if r["agent"] == BEST and r["wins"] == 0:
            faults.append(f"unwinnable: {cell}")
        if r["agent"] == WORST and r["win_rate"] >= 0.01:
            faults.append(f"won at random: {cell}, {r['win_rate']:.1%}")
    first, last = min(r["level"] for r in records), max(r["level"] for r in records)
    same = {(r["mode"], r["players"], r["solo"], r["level"]): r for r in records if r["agent"] == BEST}
    for (mode, players, solo, level), easy in same.items():
        if level == first and easy["low"] <= same[mode, players, solo, last]["high"]:
            faults.append(f"no clear slope: {mode}, {players} agents{', solo' if solo else ''}")
    return faults


if __name__ == "__main__":
    sys.exit(main())
