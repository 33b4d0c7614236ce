"""The table as a picture: named pieces of SVG in drawing order, with one style sheet.

Every output shares it: notebooks and web pages show the SVG, videos and TensorBoard its pixels. Nothing here knows a
game; a game hands over the pieces.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

CLASS = "loop-env-table"  # all rules of a style sheet begin with it, so that they do not touch the page around


@dataclass(frozen=True)
class Picture:
    """A drawing, and how it looks as SVG, HTML, PNG and pixels."""

    width: int
    height: int
    style: str  # CSS: variables in a rule `.loop-env-table`, once more for dark screens, then rules for classes
    parts: dict[str, str]  # pieces of SVG by name, the lowest layer first; all frames of a game have the same names

    def svg(self) -> str:
        """A whole document, which shrinks to the width it is given; light or dark as the screen is."""
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" {size} class="{CLASS}" role="img" '
            f'style="max-width:100%;height:auto;display:block"><style>{self.style}</style>'
            f"{''.join(self.parts.values())}</svg>"
        )

    def _repr_html_(self) -> str:
        """For notebooks."""
        return self.svg()

    def rgb(self, width: int | None = None) -> NDArray[np.uint8]:
        """The pixels, in light colours: an array of height, width, 3."""
        from loop_env.raster import pixels

        return pixels("".join(self.parts.values()), self.style, self.width, self.height, width)

    def png(self, width: int | None = None) -> bytes:
        """The same as a PNG file."""
        from loop_env.raster import png

        return png(self.rgb(width))
