"""Cooperative time-loop board games as reinforcement-learning environments."""

from __future__ import annotations

import gymnasium as gym

from loop_env.errors import UserError

__version__ = "0.1.0"
__all__ = ["UserError", "__version__"]

gym.register(
    "loop_env/TheLoop-v0",
    entry_point="loop_env.the_loop.env:TheLoopEnv",
    vector_entry_point="loop_env.the_loop.env:make_vector",
)
