"""What the picture of the table is made of: colours, and the sign of each thing. Signs are drawn round their middle."""

from __future__ import annotations

import math
import re

from loop_env.picture import CLASS
from loop_env.svg import FONT, circle, group, path, rect, text
from loop_env.the_loop.names import DIMENSIONS, ERA_TITLES, ERAS

ERA_COLOURS = dict(
    zip(ERAS, ("#b87a00", "#7d5536", "#c2458a", "#64707d", "#2a72c8", "#0f8a80", "#5a44ad"), strict=True)
)
ERA_SHORT = {era: era[:2].capitalize() for era in ERAS}  # two letters, since Renaissance and Robots share the first
ERA_NAMES = dict(zip(ERAS, (title.split(" of ")[0] for title in ERA_TITLES), strict=True))
AGENT_COLOURS = ("#d9480f", "#0b7285", "#2b8a3e", "#862e9c", "#c2255c")
DIMENSION_COLOURS = dict(zip(DIMENSIONS, ("#1c7ed6", "#d9770a", "#2f9e44", "#343a40"), strict=True))

LIGHT = {
    "paper": "#f3f1ea", "panel": "#ffffff", "ink": "#1d2025", "soft": "#5d6470", "line": "#c9c6bc", "slot": "#f0ece2",
    "track": "#e2decf", "new": "#ffe27a", "pipe": "#d4d0c3",
    "main": "#5d6470", "dark": "#2b2f36", "sign": "#343a40", "vortex": "#2a1038", "accent": "#e8590c",
}  # fmt: skip
DARK = {
    "paper": "#14161a", "panel": "#21252c", "ink": "#eceef1", "soft": "#a8b0bb", "line": "#414853", "slot": "#2b3038",
    "track": "#262a31", "new": "#6b5700", "pipe": "#3b414b",
    "main": "#6d7684", "dark": "#050608", "sign": "#8d97a5", "vortex": "#3a1450", "accent": "#ff8a4c",
}  # fmt: skip
RULES = {
    "text": f"font-family:{FONT};fill:var(--ink)",
    "text.b": "font-weight:bold",
    "text.soft": "fill:var(--soft)",
    "text.white": "fill:#fff",
    "text.red": "fill:var(--accent)",
    ".paper": "fill:var(--paper)",
    ".panel": "fill:var(--panel);stroke:var(--line)",
    ".active": "fill:var(--panel);stroke:var(--accent);stroke-width:3",
    ".at-foo": "fill:none;stroke:var(--ink);stroke-width:4",
    ".slot": "fill:var(--slot);stroke:var(--line)",
    ".hidden": "fill:var(--slot);stroke:var(--line);stroke-dasharray:5 4",
    ".track": "fill:none;stroke:var(--track);stroke-width:34",
    ".chevron": "fill:none;stroke:var(--soft);stroke-width:3;stroke-linecap:round;stroke-linejoin:round",
    ".new": "fill:var(--new)",
    ".pipe": "fill:var(--pipe);stroke:var(--line)",
    ".main-pipe": "fill:var(--main);stroke:var(--line)",
    ".dark": "fill:var(--dark)",
    ".foo": "fill:var(--dark);stroke:var(--sign)",
    ".vortex": "fill:var(--vortex)",
    ".rift": "fill:#d92027;stroke:#8f1015",
    ".danger": "fill:#d92027;stroke:#fff",
    ".crack": "fill:none;stroke:#fff;stroke-width:1.6;stroke-linejoin:round",
    ".energy": "fill:#37a845;stroke:#1f6b2a",
    ".eternal": "fill:#2f7de1;stroke:#184f96",
    ".white": "fill:#fff",
    ".ring": "fill:none;stroke:#fff;stroke-width:1.6",
    ".gold": "fill:none;stroke:#ffd43b;stroke-width:3",
    ".swirl": "fill:none;stroke:#f06bd8;stroke-width:5;stroke-linecap:round",
    ".swirl2": "fill:none;stroke:#9d4edd;stroke-width:5;stroke-linecap:round",
    ".faded": "opacity:.5",
    ".strike": "fill:var(--soft)",
    ".turn": "fill:var(--accent)",
    ".past": "fill:var(--main)",
    ".outline": "fill:none;stroke:var(--soft);stroke-width:1.5",
    **{f"text.era-{era}": f"fill:{colour}" for era, colour in ERA_COLOURS.items()},
}


def variables(colours: dict[str, str]) -> str:
    """Colours as a rule of the style sheet."""
    return f".{CLASS}{{{';'.join(f'--{name}:{colour}' for name, colour in colours.items())}}}"


STYLE = (
    variables(LIGHT)
    + f"@media (prefers-color-scheme:dark){{{variables(DARK)}}}"
    + "".join(f".{CLASS} {what}{{{how}}}" for what, how in RULES.items())
)


def initials(name: str) -> str:
    """Two letters for an agent."""
    words = re.split(r"[\s-]+", name)
    return (words[0][0] + words[1][0] if len(words) > 1 else name[:2]).upper()


def mark(fresh: set[str], place: str, x: float, y: float, width: float, height: float) -> str:
    """A highlight behind what has changed."""
    return rect(x, y, width, height, "new", 6) if place in fresh else ""


# -- things on the board ---------------------------------------------------------------------------
def rift(x: float, y: float, size: float = 20) -> str:
    """A red cube with a crack."""
    crack = path("M-3 -8L2 -3L-2 1L3 8", "crack")
    return group(x, y, rect(-9, -9, 18, 18, "rift", 3) + crack, scale=size / 20)


def empty_slot(x: float, y: float, size: float = 20) -> str:
    """Room for a rift."""
    return rect(x - size * 0.45, y - size * 0.45, size * 0.9, size * 0.9, "slot", 3)


def energy(x: float, y: float, size: float = 20, eternal: bool = False) -> str:
    """A green cube with a bolt; an eternal one is blue, with a ring."""
    sign = circle(0, 0, 4, "ring") if eternal else path("M1.5 -6.5L-4 1H0L-1.5 6.5L4 -1H0Z", "white")
    return group(x, y, rect(-8, -8, 16, 16, "eternal" if eternal else "energy", 5) + sign, scale=size / 20)


def clone(x: float, y: float, doom: str, count: int = 1, supa: bool = False) -> str:
    """A clone in the colour of its destroy era, with that era's letters; a supa clone has horns and a golden ring."""
    body = path("M-9 -8L-12 -17L-4 -12ZM9 -8L12 -17L4 -12Z", fill="#ffb300") if supa else ""
    body += circle(0, 0, 12.5, "", ERA_COLOURS[doom]) + (circle(0, 0, 12.5, "gold") if supa else "")
    body += text(0, 4.2, ERA_SHORT[doom], 11.5, "b white", "middle")
    if count > 1:
        body += circle(10, -9, 7.5, "dark") + text(10, -5.4, str(count), 10.5, "b white", "middle")
    kind = "supa clone" if supa else "clone"
    return group(x, y, body, f"{count} {kind}{'s' if count > 1 else ''}, destroyed in {ERA_NAMES[doom]}")


def pawn(x: float, y: float, colour: str, letters: str, title: str = "", scale: float = 1) -> str:
    """An agent."""
    body = path("M-13 24C-13 8 -7 4 -5 -1A9 9 0 1 1 5 -1C7 4 13 8 13 24Z", "pawn", colour)
    body += text(0, 19, letters, 11.5, "b white", "middle")
    return group(x, y, body, title, scale)


def foo(x: float, y: float, scale: float = 1) -> str:
    """Doctor Foo: a top hat over goggles."""
    hat = rect(-15, -4, 30, 5, "foo", 2) + rect(-9, -19, 18, 17, "foo", 2) + rect(-9, -9, 18, 4, fill="#d92027")
    face = path("M-11 1H11L9 24H-9Z", "foo") + circle(-4.6, 7, 4.2, "white") + circle(4.6, 7, 4.2, "white")
    face += circle(-4.6, 7, 1.8, fill="#d92027") + circle(4.6, 7, 1.8, fill="#d92027")
    return group(x, y, face + hat, "Doctor Foo", scale)


def tick(x: float, y: float) -> str:
    """Done."""
    return group(x, y, rect(-8, -8, 16, 16, "energy", 4) + path("M-4 0L-1 4L5 -4", "crack"))


def hat(x: float, y: float, scale: float = 1) -> str:
    """Foo is still to come."""
    body = rect(-8, 2, 16, 3, "white", 1) + rect(-5, -6, 10, 9, "white", 1)
    return group(x, y, body, "Foo is still to come here in this cycle", scale)


def centrifuge(x: float, y: float, scale: float = 1) -> str:
    """A wheel with three blades."""
    blade = path("M0 -2C8 -4 10 -11 4 -15C0 -11 -1 -6 0 -2Z", fill="#ffd43b")
    turned = "".join(f'<g transform="rotate({angle})">{blade}</g>' for angle in (0, 120, 240))
    return group(x, y, circle(0, 0, 18, "dark") + turned + circle(0, 0, 3, "white"), "centrifuge: no LOOP here", scale)


def vortex(x: float, y: float, scale: float = 1) -> str:
    """Two arms that turn inwards."""
    return group(x, y, path(ARM, "swirl") + path(OTHER_ARM, "swirl2"), scale=scale)


def spiral(turns: float, radius: float, start: float, steps: int) -> str:
    """The points of a spiral."""
    points = [(i / steps * radius, start + i / steps * turns * 2 * math.pi) for i in range(2, steps + 1)]
    return "M" + "L".join(f"{r * math.cos(a):.1f} {r * math.sin(a):.1f}" for r, a in points)


ARM, OTHER_ARM = spiral(2.2, 34, 0, 60), spiral(2.2, 34, math.pi, 60)


# -- cards -----------------------------------------------------------------------------------------
RAYS = [((8, 3.5)[i % 2], i * math.pi / 5) for i in range(10)]
STAR = "M" + "L".join(f"{r * math.sin(a):.1f} {-r * math.cos(a):.1f}" for r, a in RAYS)
DIMENSION_SIGNS = {
    "spiral": f'<path d="{spiral(2.2, 8, 0, 20)}" fill="none" stroke="#fff" stroke-width="1.8"/>',
    "star": path(STAR + "Z", "white"),
    "stripe": "".join(rect(-7, y, 14, 3, "white") for y in (-6.5, -1.5, 3.5)),
    "black hole": circle(0, 0, 8, fill="#000") + circle(0, 0, 6.5, "ring"),
}


def dimension(x: float, y: float, name: str, size: float = 22) -> str:
    """The sign of a card's dimension."""
    body = rect(-11, -11, 22, 22, "", 5, DIMENSION_COLOURS[name]) + DIMENSION_SIGNS[name]
    return group(x, y, body, name, size / 22)


def battery(x: float, y: float, charged: bool) -> str:
    """A battery, full or empty."""
    inside = rect(-8, -4, 16, 8, "energy", 1) if charged else ""
    body = rect(-10, -6, 20, 12, "outline", 2) + rect(10, -2.5, 3, 5, "outline") + inside
    return group(x, y, body, f"battery {'charged' if charged else 'empty'}")


def pile(x: float, y: float, count: int, face_down: bool) -> str:
    """A deck (a dark card) or a discard pile (a light one), with its number."""
    body = rect(-5, -8, 11, 15, "dark" if face_down else "outline", 2)
    words = text(9, 5, str(count), 12, "soft")
    return group(x, y, body + words, f"{'deck' if face_down else 'discard pile'}: {count} cards")
