"""The table as a picture: named pieces of SVG in drawing order, with one style sheet.

Every output shares it: notebooks and web pages show the SVG, videos and TensorBoard its pixels. Nothing here knows a
game; a game hands over the pieces.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from loop_env.errors import UserError

CLASS = "loop-env-table"  # all rules of a style sheet begin with it, so that they do not touch the page around


@dataclass(frozen=True)
class Picture:
    """A drawing, and how it looks as SVG, HTML, PNG and pixels."""

    width: int
    height: int
    style: str  # CSS: variables in a rule `.loop-env-table`, perhaps once more for dark screens, then the rules
    parts: dict[str, str]  # pieces of SVG by name, the lowest layer first; all frames of a game have the same names

    def svg(self) -> str:
        """A whole document."""
        return document(self.width, self.height, self.style, "".join(self.parts.values()))

    def _repr_html_(self) -> str:
        """For notebooks."""
        return f'<div style="max-width:{self.width}px">{self.svg()}</div>'

    def png(self, width: int | None = None) -> bytes:
        """The picture as a PNG file, in light colours."""
        return rasterise(self.width, self.height, self.style, "".join(self.parts.values()), width)

    def rgb(self, width: int | None = None) -> NDArray[np.uint8]:
        """The picture as pixels: height, width, 3."""
        from io import BytesIO

        from PIL import Image

        return np.asarray(Image.open(BytesIO(self.png(width))).convert("RGB"))


def document(width: int, height: int, style: str, inside: str) -> str:
    """SVG that fills the width it is given."""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" class="{CLASS}" role="img" '
        f'style="width:100%;height:auto;display:block"><style>{style}</style>{inside}</svg>'
    )


def rasterise(width: int, height: int, style: str, inside: str, to: int | None) -> bytes:
    """A PNG file of an SVG."""
    resvg = find_resvg()
    svg = document(width, height, in_light(style), inside)
    return bytes(resvg.svg_to_bytes(svg_string=svg, width=to or width))


def find_resvg() -> Any:
    """The package that draws SVG, if it is installed."""
    try:
        import resvg_py
    except ImportError:
        raise UserError("pictures need the package resvg_py: pip install 'loop_env[watch]'") from None
    return resvg_py


@lru_cache
def in_light(style: str) -> str:
    """The style sheet without variables, which only browsers know: everything in the light colours."""
    style = re.sub(r"@media[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}", "", style)
    colours = dict(re.findall(r"(--[\w-]+):\s*([^;}]+)", style))
    return re.sub(r"var\((--[\w-]+)\)", lambda found: colours[found[1]], style)
