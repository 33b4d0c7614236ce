"""The LOOP, the flagship: five agents against Doctor Foo's machine.

The names are loaded when they are used, so that `import loop_env` stays quick.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from loop_env.the_loop.env import TheLoopEnv
    from loop_env.the_loop.position import position
    from loop_env.the_loop.reward import Reward

__all__ = ["Reward", "TheLoopEnv", "position"]
_HOMES = {"TheLoopEnv": "env", "position": "position", "Reward": "reward"}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    globals()[name] = value  # the function `position` from now on, not the module it lives in
    return value
