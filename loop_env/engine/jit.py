"""The compiler's door: numba, with a cache that cannot go stale.

Numba looks at a function's own file when it decides whether its cached machine code is still good, not at the files of
the functions that it calls. So an edited rule would keep running in its old form inside its callers. Here the cache
folder is named after a hash of every source file of the package: a change anywhere means a new folder.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from types import FunctionType
from typing import Any

import numba
import numpy as np
from numba.core import config as _config

PACKAGE = Path(__file__).resolve().parent.parent
CACHES_KEPT = 5
config: Any = _config


def source_key() -> str:
    """A short hash of all that decides what the compiled code looks like."""
    digest = hashlib.sha256()
    for path in sorted(PACKAGE.rglob("*.py")):
        digest.update(path.relative_to(PACKAGE).as_posix().encode())
        digest.update(path.read_bytes())
    digest.update(f"{sys.version_info[:3]} {numba.__version__} {np.__version__} {PACKAGE}".encode())
    for name in sorted(os.environ):  # NUMBA_BOUNDSCHECK and its kin change the code, but not numba's own key
        if name.startswith("NUMBA_") and name != "NUMBA_CACHE_DIR":
            digest.update(f"{name}={os.environ[name]}".encode())
    return digest.hexdigest()[:16]


def caches() -> Path:
    """Where the cache folders lie: NUMBA_CACHE_DIR if set, else the user's cache folder."""
    if chosen := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(chosen) / "loop_env"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "loop_env"


def open_cache() -> Path:
    """Make this version's cache folder and forget the oldest ones."""
    folder = caches() / source_key()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        writable = os.access(folder, os.W_OK)
    except OSError:
        writable = False
    if not writable:
        folder = Path(tempfile.gettempdir()) / f"loop_env-{os.getuid()}" / source_key()
        folder.mkdir(parents=True, exist_ok=True)
    os.utime(folder)
    newest_first = sorted(folder.parent.iterdir(), key=lambda path: path.stat().st_mtime, reverse=True)
    for old in newest_first[CACHES_KEPT:]:
        shutil.rmtree(old, ignore_errors=True)
    return folder


CACHE = open_cache()


def is_compiled() -> bool:
    """Whether this version's rules have been compiled before."""
    return any(CACHE.rglob("*.nbc")) or bool(config.DISABLE_JIT)


def njit(function: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a rule: no Python objects, no global interpreter lock, cached in this version's folder."""
    saved, config.CACHE_DIR = config.CACHE_DIR, str(CACHE)
    try:
        compiled: Callable[..., Any] = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
        return compiled
    finally:
        config.CACHE_DIR = saved


def fill_in(template: Any, name: str, **blanks: Callable[..., Any]) -> Callable[..., Any]:
    """Compile a template: a function in which some names, written in capitals, are left for each game to fill in.

    A closure would do the same, but numba cannot find a closure over compiled functions again in its cache.
    """
    copy = FunctionType(template.__code__, {**template.__globals__, **blanks}, name, template.__defaults__)
    copy.__qualname__ = name
    copy.__module__ = template.__module__
    return njit(copy)
