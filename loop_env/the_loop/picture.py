"""The table as a picture."""

from __future__ import annotations

from typing import Any
from xml.sax.saxutils import escape

from loop_env.picture import CLASS, Picture
from loop_env.the_loop.data import Data
from loop_env.the_loop.names import ERA_TITLES, ERAS

WIDTH, HEIGHT = 1000, 920
STYLE = (
    f".{CLASS}{{--paper:#fff;--ink:#222}}"
    f"@media (prefers-color-scheme:dark){{.{CLASS}{{--paper:#111;--ink:#eee}}}}"
    f".{CLASS} .paper{{fill:var(--paper);stroke:var(--ink)}}.{CLASS} text{{fill:var(--ink);font-size:14px}}"
)


def draw_picture(data: Data, view: dict[str, Any], before: dict[str, Any] | None, last: str) -> Picture:
    """The table, and what has changed on it."""
    parts = {"paper": f'<rect class="paper" width="{WIDTH}" height="{HEIGHT}"/>'}
    parts["title"] = text(20, 30, f"The LOOP, turn {view['turn']}")
    for number, era in enumerate(ERAS):
        words = f"{ERA_TITLES[number]}: {view['rifts'][era]} rifts, {view['energy'][era]} energy"
        parts[f"era {era}"] = text(20, 80 + 40 * number, words)
    for seat, agent in enumerate(view["agents"]):
        parts[f"hand {agent}"] = text(20, 600 + 30 * seat, f"{agent}: {', '.join(view['hand'][agent])}")
    parts["last"] = text(20, 500, last)
    return Picture(WIDTH, HEIGHT, STYLE, parts)


def text(x: float, y: float, words: str) -> str:
    return f'<text x="{x}" y="{y}">{escape(words)}</text>'
