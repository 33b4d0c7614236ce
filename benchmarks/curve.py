"""How a player learnt: the win rates of a run's evaluations as a picture, and as a table in docs/training.md.

python benchmarks/curve.py runs/sabotage-1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from page import DOCS, fill


def main() -> None:
    """Read, write, draw."""
    parser = argparse.ArgumentParser(description="The learning curve in docs/training.md.")
    parser.add_argument("evaluations", type=Path, help="a run's folder, or a file of evaluations")
    path = parser.parse_args().evaluations
    path = path / "evaluations.jsonl" if path.is_dir() else path
    if not path.is_file():
        raise SystemExit(f"there is no {str(path)!r}: give the folder of a run of train.py")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    write(rows)
    draw(rows)


def write(rows: list[dict[str, Any]]) -> None:
    """The table."""
    lines = ["| decisions | won | 95 % | tiles | turns |", "|---:|---:|---|---:|---:|"]
    for row in rows:
        sure = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
        told = f"{row['wins']} of {row['games']}, {100 * row['win_rate']:.1f} %"
        lines.append(f"| {row['steps']:,} | {told} | {sure} | {row['tiles']:.2f} | {row['turns']:.1f} |")
    fill("training.md", "curve", lines)


def draw(rows: list[dict[str, Any]]) -> None:
    """The curve."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
    millions = [row["steps"] / 1e6 for row in rows]
    axis.fill_between(millions, [row["low"] for row in rows], [row["high"] for row in rows], alpha=0.25)
    axis.plot(millions, [row["win_rate"] for row in rows], marker="o")
    axis.axhline(0.7, color="grey", linestyle="--", linewidth=1, label="the one record of people, 7 of 10")
    axis.set(ylim=(0, 1), xlabel="million decisions", ylabel="win rate")
    axis.set_title("sabotage, level 1, two players: games of each evaluation", fontsize=10)
    axis.legend(fontsize=8, loc="lower right")
    axis.grid(alpha=0.3)
    figure.savefig(DOCS / "learning.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
