"""Measured tables go into the docs between markers: <!-- name --> ... <!-- end -->."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

DOCS = Path(__file__).parent.parent / "docs"


def fill(page: str, marker: str, lines: Sequence[str]) -> None:
    """Put lines between a page's markers, in place of what was there."""
    path, text = DOCS / page, "\n".join(lines)
    old = path.read_text()
    pattern = rf"<!-- {marker} -->.*?<!-- end -->"
    if not re.search(pattern, old, re.S):
        raise SystemExit(f"{path.name}: there is no marker for {marker!r}")
    path.write_text(re.sub(pattern, lambda _: f"<!-- {marker} -->\n{text}\n<!-- end -->", old, count=1, flags=re.S))
