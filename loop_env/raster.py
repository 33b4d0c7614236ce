"""SVG as pixels, by ThorVG: a small library without needs of its own, and quick.

ThorVG reads plain SVG: no style sheets, no anchored text, no escaped letters. So a drawing is first said in plain
words, in its light colours. It draws what `loop_env.svg` writes.
"""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loop_env.errors import MissingPackageError
from loop_env.svg import measure

NEEDED = "pictures as pixels need the packages of 'watch': pip install 'loop_env[watch]'"
FONTS = ("DejaVuSans", "DejaVuSans-Bold")  # matplotlib brings them along, so a machine needs no fonts
PAD = 4096  # texts of few different lengths, as the library remembers each length
COLOURS = 128  # in a PNG file
SHARE = {"start": 0.0, "middle": 0.5, "end": 1.0}  # of a text's width that lies left of its anchor
TAG = re.compile(r"<(\w+)((?:[^<>\"]|\"[^\"]*\")*?)(/?)>")
TEXT = re.compile(r'<text x="([^"]+)"([^>]*)>([^<]*)</text>')


def pixels(svg: str, style: str, width: int, height: int, to_width: int | None = None) -> NDArray[np.uint8]:
    """A drawing (the inside of an SVG) as an array: height, width, 3."""
    to_width = to_width or width
    to_height = round(height * to_width / width / 2) * 2  # even: videos want that
    plain = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">{in_plain_words(svg, style)}</svg>'
    )
    data = plain.encode()
    data += b" " * (-len(data) % PAD)
    thorvg, engine = engine_with_fonts()
    canvas = thorvg.SwCanvas(engine)
    try:
        canvas.set_target(to_width, to_height)
        picture = thorvg.Picture(engine)
        picture.load_data(data, "svg", None, True)
        picture.set_size(to_width, to_height)
        canvas.add(picture)
        canvas.draw(True)
        canvas.sync()
        drawn = np.frombuffer(canvas.buffer_arr, np.uint8).reshape(to_height, to_width, 4)
        return np.ascontiguousarray(drawn[..., :3])
    finally:
        canvas.destroy()


@lru_cache
def engine_with_fonts() -> tuple[Any, Any]:
    """The library, started once."""
    fonts = find_spec("matplotlib")
    try:
        thorvg: Any = import_module("thorvg_python")
    except ImportError:
        raise MissingPackageError(NEEDED) from None
    if fonts is None or fonts.origin is None:
        raise MissingPackageError(NEEDED)
    engine = thorvg.Engine(threads=0)
    text = thorvg.Text(engine)
    for name in FONTS:
        text.font_load(str(Path(fonts.origin).parent / f"mpl-data/fonts/ttf/{name}.ttf"))
    return thorvg, engine


# -- in plain words --------------------------------------------------------------------------------
def in_plain_words(svg: str, style: str) -> str:
    """SVG with all that its style sheet says written at each element."""
    rules = read_style(style)
    svg = re.sub(r"<title>.*?</title>", "", svg)
    svg = TEXT.sub(lambda found: plain_text(*found.groups()), svg)
    return TAG.sub(lambda found: f"<{found[1]}{styled(rules, found[1], found[2])}{found[3]}>", svg)


def plain_text(x: str, about: str, words: str) -> str:
    """A text that begins where it is told to, with its letters as they are."""
    words = words.replace("&lt;", "‹").replace("&gt;", "›").replace("&amp;", "&")
    anchor = re.search(r' text-anchor="(\w+)"', about)
    if anchor:
        size = re.search(r'font-size="([^"]+)"', about)
        bold = re.search(r'class="[^"]*\bb\b', about) is not None
        wide = measure(words, float(size[1]) if size else 16, bold)
        return f'<text x="{float(x) - SHARE[anchor[1]] * wide:.1f}"{about.replace(anchor[0], "")}>{words}</text>'
    return f'<text x="{x}"{about}>{words}</text>'


def styled(rules: tuple[tuple[str, str], ...], tag: str, about: str) -> str:
    """The attributes of an element, with those that its classes give it."""
    found = re.search(r' class="([^"]*)"', about)
    kinds = found[1] if found else ""
    own = about.replace(found[0], "") if found else about
    return own + given(rules, tag, kinds)


@lru_cache(maxsize=1000)
def given(rules: tuple[tuple[str, str], ...], tag: str, kinds: str) -> str:
    """What the style sheet gives to such an element; later rules win."""
    classes = kinds.split()
    wanted = {tag, *(f".{kind}" for kind in classes), *(f"{tag}.{kind}" for kind in classes)}
    told: dict[str, str] = {}
    for what, how in rules:
        if what in wanted:
            told |= dict(part.split(":", 1) for part in how.split(";"))
    if tag == "text":
        told["font-family"] = FONTS[told.pop("font-weight", "") == "bold"]
    return "".join(f' {name}="{value}"' for name, value in told.items())


@lru_cache
def read_style(style: str) -> tuple[tuple[str, str], ...]:
    """The rules of a style sheet, in its light colours: what they are for, and what they say."""
    style = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    colours = dict(re.findall(r"(--[\w-]+):([^;}]+)", style))
    style = re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], style)
    return tuple((what.split()[-1], how) for what, how in re.findall(r"([^{}]+)\{([^{}]*)\}", style))


# -- files -----------------------------------------------------------------------------------------
def png(image: NDArray[np.uint8]) -> bytes:
    """An image as a PNG file with a palette: a third of the size, and a drawing loses nothing that one could see."""
    from PIL import Image  # matplotlib brings it along

    file = BytesIO()
    Image.fromarray(image).quantize(COLOURS, Image.Quantize.FASTOCTREE, dither=Image.Dither.NONE).save(file, "PNG")
    return file.getvalue()
