"""The LOOP as a gymnasium environment."""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Mapping
from functools import partial
from math import isfinite
from pathlib import Path
from typing import Any

import numpy as np

from loop_env.adapters.single import GameEnv
from loop_env.adapters.vector import GameVectorEnv
from loop_env.engine.game import Parts
from loop_env.errors import UserError, suggest
from loop_env.picture import Picture
from loop_env.the_loop.drawing import COLOURS, draw
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import OUT_OF_TIME, OUTCOMES, WON
from loop_env.the_loop.options import read_data, set_up
from loop_env.the_loop.picture import draw_picture
from loop_env.the_loop.reward import Reward
from loop_env.the_loop.view import Words

OUTCOME_NAMES = np.array(OUTCOMES, object)


class TheLoopEnv(GameEnv):
    """The LOOP: stop Doctor Foo's machine by archiving four of its tiles.

    Arguments:
        mode: what has to be done to win: "sabotage", "supa_clones", "centrifuges" or "ultramachina".
        level: how hard the machine fights, by number or name.
        agents: the agents, seat by seat, or their number (which ones is then drawn anew for each game).
        solo: one player runs all agents, with one common deck.
            Mode, level, number of agents and solo may also be "any", a list, or a dict with weights: every new game
            then draws one of them.
        data: a folder with TOML files that replace those of the package.
        reward: a `Reward`, or a dict of its fields, such as {"win": 1, "loss": -1, "shaping": "progress"}.
        strict: raise an error on an illegal action instead of giving a small penalty.
        render_mode: "ansi" for a text board, "rgb_array" for a picture.
    """

    colours = COLOURS

    def __init__(
        self,
        mode: Any = "sabotage",
        level: Any = 1,
        agents: Any = 2,
        solo: Any = False,
        *,
        data: str | Path | None = None,
        reward: Reward | Mapping[str, Any] | None = None,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.data = read_data(data)
        parts = make_parts(mode, level, agents, solo, data=data, reward=reward)
        self.words = Words(self.data, parts.rules)
        super().__init__(parts, strict=strict, render_mode=render_mode)

    def action_name(self, action: int) -> str:
        return self.words.action(self.record, action)

    def view(self) -> dict[str, Any]:
        return self.words.view(self.record)

    def draw(self) -> str:
        return draw(self.words, self.record)

    def picture(self, before: dict[str, Any] | None = None, last: str | None = None) -> Picture:
        past = self.past
        if past is not None:
            before = before or self.words.view(past)
            last = last or f"{self.words.acting(past)}: {self.words.action(past, self.last_action)}"
        return draw_picture(self.data, self.view(), before, last or "")

    def setting(self) -> dict[str, Any]:
        g = self.record
        return {
            "mode": self.data.modes[g.mode].id,
            "level": self.data.levels[g.level].number,
            "agents": [self.words.agent(g, seat) for seat in range(g.players)],
            "solo": bool(g.solo),
        }

    def fingerprint(self) -> str:
        rules = self.batch.rules.copy()
        for field in ("mode_odds", "level_odds", "agents_odds", "solo_odds", "seats"):  # a record carries these itself
            rules[field] = 0
        shape = repr(self.game.record.descr).encode()
        return hashlib.sha256(shape + rules.tobytes()).hexdigest()[:16]


def make_parts(
    mode: Any = "sabotage",
    level: Any = 1,
    agents: Any = 2,
    solo: Any = False,
    *,
    data: str | Path | None = None,
    reward: Reward | Mapping[str, Any] | None = None,
) -> Parts:
    """What every front needs, from what the user asked for."""
    modes = np.array([mode.id for mode in read_data(data).modes], object)
    rules = set_up(data, mode, level, agents, solo)
    seats = 1 + int(np.argmax(rules["agents_odds"][0] >= 1))
    return Parts(THE_LOOP, rules, make_reward(reward).record(rules), seats, partial(summarise, modes))


def parts_from(options: Mapping[str, Any]) -> Parts:
    """`make_parts` with options by name, for fronts that pass them on."""
    known = list(inspect.signature(make_parts).parameters)
    for key in options:
        if key not in known:
            raise UserError(f"option {key!r} is unknown here{suggest(key, known)}")
    return make_parts(**options)


def make_vector(num_envs: int = 1, *, threads: int = 1, **options: Any) -> GameVectorEnv:
    """The entry point of `gymnasium.make_vec`."""
    return GameVectorEnv(parts_from(options), num_envs, threads)


def summarise(modes: np.ndarray, records: np.ndarray, rows: np.ndarray) -> dict[str, np.ndarray]:
    """How games of The LOOP ended: those in the given rows."""
    outcome = records["outcome"][rows]
    return {
        "is_success": outcome == WON,
        "outcome": OUTCOME_NAMES[outcome],
        "mode": modes[records["mode"][rows]],
        "level": records["level"][rows] + 1,
        "players": records["players"][rows],
        "solo": records["solo"][rows] > 0,
        "tiles": records["archived"][rows],
        "vortices": records["vortex"][rows].sum(1),
        "turns": records["turn"][rows] + (outcome != OUT_OF_TIME),  # the one under way counts
        "loops": records["total_loops"][rows],
        "clones": records["total_kills"][rows],
        "plays": records["total_plays"][rows],
        "rifts": records["total_removed"][rows],
        "energy": records["total_energy"][rows],
        "decisions": records["decisions"][rows],
    }


def make_reward(reward: Reward | Mapping[str, Any] | None) -> Reward:
    """A reward from what the user gave."""
    if reward is None:
        return Reward()
    if isinstance(reward, Reward):
        return reward
    fields = list(Reward.__dataclass_fields__)
    if not isinstance(reward, Mapping):
        raise UserError(f"reward = {reward!r} must be a Reward or a dict with some of: {', '.join(fields)}")
    for key, value in reward.items():
        if key not in fields:
            raise UserError(f"reward has no field {key!r}{suggest(key, fields)}")
        if key != "shaping" and (isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value)):
            raise UserError(f"reward: {key} = {value!r} must be a number")
    return Reward(**reward)
