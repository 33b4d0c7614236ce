"""What the commands share: how they end, and numbers on the command line."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from loop_env.errors import UserError

MOST = 100_000_000
LONGEST = 3600  # seconds


def exit_code(name: str, run: Callable[[], int]) -> int:
    """Run a command: 2 and a sentence for a mistake in what the user gave, 130 after Ctrl-C; never a traceback."""
    try:
        return run()
    except UserError as error:
        print(f"{name}: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print(f"{name}: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:  # the reader, `head` say, has seen enough
        sys.stderr.close()
        return 0


def positive(text: str) -> int:
    """A whole number above zero."""
    if not text.isdecimal() or not 0 < int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number above 0, and at most {MOST}")
    return int(text)


def natural(text: str) -> int:
    """A whole number, zero included."""
    if not text.isdecimal() or int(text) >= 2**62:
        raise argparse.ArgumentTypeError(f"{text!r} must be a whole number from 0 to {2**62 - 1}")
    return int(text)


def seconds(text: str) -> float:
    """A time, zero included."""
    try:
        found = float(text)
    except ValueError:
        found = -1
    if not 0 <= found <= LONGEST:
        raise argparse.ArgumentTypeError(f"{text!r} must be a number of seconds from 0 to {LONGEST}")
    return found
