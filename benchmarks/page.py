"""Measured tables go into the docs between markers, <!-- name --> ... <!-- end -->, and curves beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"


def fill(page: str, marker: str, lines: Sequence[str]) -> None:
    """Put lines between a page's markers, in place of what was there."""
    path, text = DOCS / page, "\n".join(lines)
    old = path.read_text()
    pattern = rf"<!-- {marker} -->.*?<!-- end -->"
    if not re.search(pattern, old, re.S):
        raise SystemExit(f"{path.name}: there is no marker for {marker!r}")
    path.write_text(re.sub(pattern, lambda _: f"<!-- {marker} -->\n{text}\n<!-- end -->", old, count=1, flags=re.S))


def draw_win_rates(name: str, places: Sequence[float], rows: Sequence[dict[str, Any]], **words: Any) -> None:
    """A curve of win rates ("rate") with their intervals ("low", "high"); `words` are those of the axes."""
    import matplotlib

    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    figure, axis = plt.subplots(figsize=(6.5, 3.5), layout="constrained")
    axis.fill_between(places, [row["low"] for row in rows], [row["high"] for row in rows], alpha=0.25)
    axis.plot(places, [row["rate"] for row in rows], marker="o")
    axis.set(ylim=(0, 1), ylabel="win rate", **words)
    axis.title.set_fontsize(10)
    axis.grid(alpha=0.3)
    figure.savefig(DOCS / name, metadata={"Date": None})
