"""How a player learnt: the win rates of a run's evaluations, as a table and a picture in docs/training.md.

python benchmarks/curve.py runs/sabotage-1
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from page import draw_win_rates, fill

MOST_LABELS = 14  # that fit below the picture


def main() -> None:
    """Read, write, draw."""
    parser = argparse.ArgumentParser(description="The learning curve in docs/training.md.")
    parser.add_argument("evaluations", type=Path, help="a run's folder, or a file of evaluations")
    path = parser.parse_args().evaluations
    path = path / "evaluations.jsonl" if path.is_dir() else path
    if not path.is_file():
        raise SystemExit(f"there is no {str(path)!r}: give the folder of a run of train.py")
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    fill("training.md", "curve", table(rows))
    draw(rows)


def table(rows: list[dict[str, Any]]) -> list[str]:
    """A line for each evaluation."""
    lines = ["| rounds of lessons | own decisions | won | 95 % | tiles | turns |", "|---:|---:|---:|---|---:|---:|"]
    for row in rows:
        sure = f"{100 * row['low']:.1f} to {100 * row['high']:.1f}"
        told = f"{row['wins']} of {row['games']}, {100 * row['win_rate']:.1f} %"
        lines.append(
            f"| {row['rounds']} | {row['steps']:,} | {told} | {sure} | {row['tiles']:.2f} | {row['turns']:.1f} |"
        )
    return lines


def draw(rows: list[dict[str, Any]]) -> None:
    """One evaluation after the other: first those between lessons, then those of its own games."""
    places = range(len(rows))
    every = len(rows) // MOST_LABELS + 1
    labels = [f"{row['steps'] / 1e6:.0f} M" if row["steps"] else str(row["rounds"]) for row in rows]
    labels = [label if place % every == 0 else "" for place, label in enumerate(labels)]
    draw_win_rates(
        "learning.svg", places, [row | {"rate": row["win_rate"]} for row in rows], xticks=places, xticklabels=labels,
        xlabel="rounds of lessons, then own decisions", title="sabotage, level 1, two players, fixed seeds",
    )  # fmt: skip


if __name__ == "__main__":
    main()
