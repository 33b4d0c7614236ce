"""Small pieces of SVG for drawings: shapes, and text that is measured, since SVG does not wrap it."""

from __future__ import annotations

from xml.sax.saxutils import escape, quoteattr

FONT = "'DejaVu Sans',Verdana,Arial,sans-serif"  # the first one is measured; the others are no wider
# Letters by their width, in hundredths of the size.
PLAIN = {
    27: "'", 28: 'ijl', 29: 'IJ', 32: ' ,.·', 34: '/:;\\|', 35: 'f', 36: '-', 39: '()[]t', 40: '!', 41: 'r', 46: '"',
    50: '*_`–', 52: 'sz', 53: '?', 55: 'c', 56: 'L', 58: 'Fk', 59: 'vxy', 60: 'P', 61: 'TYao', 62: 'eé',
    63: 'ESbdghnpqu', 64: '$0123456789{}', 66: 'K', 68: 'AV', 69: 'BRXZ', 70: 'C', 73: 'U', 75: 'HN', 77: 'DG▶',
    78: '&', 79: 'OQ', 82: 'w', 83: '∞', 84: '#+<=>^~→×', 86: 'M', 95: '%', 97: 'm', 99: 'W', 100: '@…',
}  # fmt: skip
BOLD = {
    31: "'", 34: 'ijl', 35: ' ', 37: '/IJ\\|', 38: ',.·', 40: ':;', 42: '-', 44: 'f', 46: '!()[]', 48: 't', 49: 'r',
    50: '_`–', 52: '"*', 58: '?z', 59: 'c', 60: 's', 64: 'L', 65: 'vxy', 67: 'ak', 68: 'EFTeé', 69: 'o',
    70: '$0123456789', 71: 'hnu{}', 72: 'SYbdgpq', 73: 'CPZ', 76: 'B', 77: 'AKRVX▶', 81: 'U', 82: 'G', 83: 'D∞',
    84: '#+<=>HN^~→×', 85: 'OQ', 87: '&', 92: 'w', 100: '%@M…', 104: 'm', 110: 'W',
}  # fmt: skip
WIDTHS = [{letter: width / 100 for width, letters in table.items() for letter in letters} for table in (PLAIN, BOLD)]


def measure(words: str, size: float, bold: bool = False) -> float:
    """How wide a text is."""
    widths = WIDTHS[bold]
    return sum(widths.get(letter, 0.8) for letter in words) * size


def clip(words: str, room: float, size: float, bold: bool = False) -> str:
    """A text that fits, with an ellipsis for what is cut off."""
    if measure(words, size, bold) <= room:
        return words
    room -= measure("…", size, bold)
    kept = 0
    while kept < len(words) and (room := room - measure(words[kept], size, bold)) >= 0:
        kept += 1
    return words[:kept].rstrip(" ,·") + "…"


def wrap(words: str, room: float, size: float, lines: int, bold: bool = False) -> list[str]:
    """A text in at most so many lines; the last one is clipped."""
    found: list[str] = []
    rest = words.split()
    while rest and len(found) < lines - 1:
        line = rest.pop(0)
        while rest and measure(f"{line} {rest[0]}", size, bold) <= room:
            line += " " + rest.pop(0)
        found.append(clip(line, room, size, bold))
    return [*found, clip(" ".join(rest), room, size, bold)] if rest else found


def text(x: float, y: float, words: str, size: float, kind: str = "", anchor: str = "start") -> str:
    """A line of text; `kind` are classes of the style sheet ("b" is bold)."""
    place = "" if anchor == "start" else f' text-anchor="{anchor}"'
    return f'<text x="{x:g}" y="{y:g}" font-size="{size:g}"{place}{named(kind)}>{escape(words)}</text>'


def fitted(x: float, y: float, words: str, size: float, room: float, kind: str = "", anchor: str = "start") -> str:
    """A line of text that is clipped to its room."""
    return text(x, y, clip(words, room, size, "b" in kind.split()), size, kind, anchor)


def lines(x: float, y: float, found: list[str], size: float, kind: str = "", leading: float = 1.25) -> str:
    """Lines of text, one below the other."""
    return "".join(text(x, y + number * size * leading, line, size, kind) for number, line in enumerate(found))


def rect(x: float, y: float, width: float, height: float, kind: str = "", radius: float = 0, fill: str = "") -> str:
    """A rectangle."""
    round_ = f' rx="{radius:g}"' if radius else ""
    paint = f' fill="{fill}"' if fill else ""
    return f'<rect x="{x:g}" y="{y:g}" width="{width:g}" height="{height:g}"{round_}{paint}{named(kind)}/>'


def circle(x: float, y: float, radius: float, kind: str = "", fill: str = "") -> str:
    """A disc."""
    paint = f' fill="{fill}"' if fill else ""
    return f'<circle cx="{x:g}" cy="{y:g}" r="{radius:g}"{paint}{named(kind)}/>'


def path(steps: str, kind: str = "", fill: str = "") -> str:
    """A path."""
    paint = f' fill="{fill}"' if fill else ""
    return f'<path d="{steps}"{paint}{named(kind)}/>'


def group(x: float, y: float, inside: str, title: str = "", scale: float = 1) -> str:
    """Things moved to a place together; the title shows when the mouse rests on them."""
    size = "" if scale == 1 else f" scale({scale:g})"
    told = f"<title>{escape(title)}</title>" if title else ""
    return f'<g transform="translate({x:g} {y:g}){size}">{told}{inside}</g>'


def named(kind: str) -> str:
    """The classes of an element."""
    return f" class={quoteattr(kind)}" if kind else ""
