"""One class for all mistakes of a user: the commands print its sentence and exit with code 2, without a traceback."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


class UserError(ValueError):
    """Something the user gave is wrong; the message is one sentence that names the place and the fix."""


class MissingPackageError(UserError):
    """Something needs a package that is not installed."""


def suggest(word: object, words: Iterable[str]) -> str:
    """The end of such a sentence: what may have been meant, or else what there is."""
    words = list(words)
    close = get_close_matches(str(word), words, 1, 0.6)
    if close:
        return f"; did you mean {close[0]!r}?"
    return f"; there are: {', '.join(words)}" if len(words) <= 12 else ""
