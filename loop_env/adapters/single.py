"""One game as a `gymnasium.Env`: a batch of one, with words for people.

A game's own environment derives from `GameEnv` and adds what needs its rules: names, the view, the drawing.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import gymnasium as gym
import numpy as np
from numpy.typing import NDArray

from loop_env.adapters.common import FIRST, say_if_compiling, seeds_for, spaces_of, whole
from loop_env.engine.batch import KEEP, Batch
from loop_env.engine.game import Parts
from loop_env.engine.luck import seed_streams
from loop_env.errors import UserError, suggest
from loop_env.picture import Picture

Observation = NDArray[np.float32]


class GameEnv(gym.Env[Observation, np.int64]):
    """A cooperative game, one decision a step, every decision with a mask."""

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 2}  # noqa: RUF012 (gymnasium's own way)
    colours: Mapping[str, str] = {}  # patterns in what `draw` draws, and the styles that rich gives them

    def __init__(
        self,
        parts: Parts,
        *,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        game = parts.game
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UserError(
                f"render_mode {render_mode!r} is unknown{suggest(render_mode, self.metadata['render_modes'])}"
            )
        self.parts, self.game, self.summarise = parts, game, parts.summarise
        self.strict, self.render_mode = strict, render_mode
        self.batch = Batch(game, parts.rules, parts.reward, 1, KEEP)
        self.started_from: np.ndarray | None = None  # a position that reset() goes back to
        self.before: bytes | None = None  # the record before the last decision, and the decision: for pictures
        self.last_action = 0
        self.observation_space, self.action_space = spaces_of(game)
        say_if_compiling(game)

    # -- gymnasium ---------------------------------------------------------------------------------
    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """A new game. Without a seed: the one that follows the last."""
        super().reset(seed=seed)
        seeds = seeds_for(self.batch, seed, self.np_random)
        self.before = None
        if self.started_from is None:
            self.batch.start(seeds)
        else:
            self.batch.games[:] = self.started_from
            self.batch.games["seed"] = seeds
            self.resample_hidden(int(seeds[0]))
            self.batch.look()
        return self.batch.observations[0].copy(), self._info() | self.setting()

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One decision of the acting agent."""
        action = whole(action)
        if self.strict and self.is_over():
            raise UserError("the game is over: call reset() for another one")
        if self.strict and not self._is_possible(action):
            raise UserError(
                f"{self._about(action)} is not possible now; possible are: {', '.join(self.legal_actions())}"
            )
        self.before, self.last_action = self.batch.games.tobytes(), action
        self.batch.step(np.array([action]))
        info = self._info()
        if self.batch.illegal[0]:
            info["illegal_action"] = True
            self.before = None  # nothing was changed
        if self.is_over():
            info |= {key: values.tolist()[0] for key, values in self.summarise(self.batch.games, FIRST).items()}
        return self.batch.observations[0].copy(), float(self.batch.rewards[0]), self.is_over(), False, info

    def render(self) -> Any:
        """The table as text or as pixels, as render_mode says."""
        if self.render_mode is None:
            gym.logger.warn("render() needs a render_mode; make the environment with render_mode='ansi' or 'rgb_array'")
            return None
        return self.draw() if self.render_mode == "ansi" else self.picture().rgb()

    def _repr_html_(self) -> str:
        """What a notebook shows."""
        return self.picture()._repr_html_()

    # -- masks and names ---------------------------------------------------------------------------
    def action_masks(self) -> NDArray[np.bool_]:
        """What is possible now, as sb3-contrib wants it."""
        return self.batch.masks[0].astype(np.bool_)

    def legal_actions(self) -> list[str]:
        """The names of what is possible now."""
        return [self.action_name(int(action)) for action in np.flatnonzero(self.batch.masks[0])]

    def act(self, name: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """A step by name."""
        for action in np.flatnonzero(self.batch.masks[0]):
            if self.action_name(int(action)).lower() == str(name).lower().strip():
                return self.step(action)
        raise UserError(f"{name!r} is not possible now; possible are: {', '.join(self.legal_actions())}")

    # -- copies ------------------------------------------------------------------------------------
    def save(self) -> bytes:
        """The whole game, exactly, with a checksum."""
        record = self.record.tobytes()
        return f"{self._stamp(record)}\n".encode() + record

    def restore(self, blob: bytes) -> None:
        """Go back to a saved game."""
        stamp, _, record = bytes(blob).partition(b"\n")
        if stamp != self._stamp(record).encode() or len(record) != self.game.record.itemsize:
            raise UserError(
                f"this is not a game saved by this version of {self.game.name} with the same cards and numbers"
            )
        self.batch.games[:] = np.frombuffer(record, self.game.record)
        self.before = None
        self.batch.look()

    def resample_hidden(self, seed: int) -> None:
        """Keep the table, change the luck: other hidden cards, another future.

        A record holds no hidden card (a face-down card is drawn only when it is turned up), so fresh streams are all
        that it takes.
        """
        seed_streams(self.record.luck, np.uint64(seed % 2**64))

    # -- for games ---------------------------------------------------------------------------------
    @property
    def record(self) -> Any:
        """The game's record."""
        return self.batch.games[0]

    @property
    def past(self) -> Any:
        """The record before the last decision; None if there was none."""
        return None if self.before is None else np.frombuffer(self.before, self.game.record)[0]

    def is_over(self) -> bool:
        """Whether the game has ended."""
        return bool(self.record.outcome)

    @abstractmethod
    def action_name(self, action: int) -> str:
        """What an action means in the present position."""

    @abstractmethod
    def view(self) -> dict[str, Any]:
        """The position in words: what a person at the table sees. "agents", "acting" and "turn" are among them."""

    @abstractmethod
    def draw(self) -> str:
        """The table as text."""

    @abstractmethod
    def picture(self, before: dict[str, Any] | None = None, last: str | None = None) -> Picture:
        """The table as a picture, with what the last decision changed.

        `before` (a view) and `last` (a sentence) tell of another change than that of the last decision.
        """

    @abstractmethod
    def setting(self) -> dict[str, Any]:
        """What this game is played with, for the first info."""

    @abstractmethod
    def fingerprint(self) -> str:
        """A short word that differs between sets of rules and data."""

    # -- inside ------------------------------------------------------------------------------------
    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.batch.masks[0].copy()}

    def _is_possible(self, action: int) -> bool:
        return 0 <= action < self.game.actions.size and bool(self.batch.masks[0, action])

    def _about(self, action: int) -> str:
        inside = 0 <= action < self.game.actions.size
        return f"action {action} ({self.action_name(action)})" if inside else f"action {action}"

    def _stamp(self, record: bytes) -> str:
        return f"loop_env {self.game.name} {self.fingerprint()} {hashlib.sha256(record).hexdigest()[:16]}"
