"""The LOOP as a gymnasium environment."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from loop_env.adapters.single import GameEnv
from loop_env.errors import UserError, suggest
from loop_env.the_loop.drawing import draw
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import OUT_OF_TIME, OUTCOMES, WON
from loop_env.the_loop.options import read_data, set_up
from loop_env.the_loop.reward import Reward
from loop_env.the_loop.view import Words


class TheLoopEnv(GameEnv):
    """The LOOP: stop Doctor Foo's machine by archiving four of its tiles.

    Arguments:
        mode: what has to be done to win: "sabotage".
        level: how hard the machine fights, by number or name.
        agents: the agents, seat by seat, or a number of players (their agents are then drawn anew for each game).
        data: a folder with TOML files that replace those of the package.
        reward: a `Reward`, or a dict of its fields, such as {"win": 1, "loss": -1, "shaping": "progress"}.
        strict: raise an error on an illegal action instead of giving a small penalty.
        render_mode: "ansi" for a text board.
    """

    def __init__(
        self,
        mode: str = "sabotage",
        level: int | str = 1,
        agents: int | Sequence[str] = 2,
        *,
        data: str | Path | None = None,
        reward: Reward | Mapping[str, Any] | None = None,
        strict: bool = False,
        render_mode: str | None = None,
    ) -> None:
        self.data = read_data(data)
        rules = set_up(data, mode, level, agents)
        self.words = Words(self.data, rules)
        super().__init__(THE_LOOP, rules, make_reward(reward).record(), strict=strict, render_mode=render_mode)

    def action_name(self, action: int) -> str:
        return self.words.action(self.record, action)

    def view(self) -> dict[str, Any]:
        return self.words.view(self.record)

    def draw(self) -> str:
        return draw(self.words, self.record)

    def setting(self) -> dict[str, Any]:
        g = self.record
        return {
            "mode": self.data.modes[g.mode].id,
            "level": self.data.levels[g.level].number,
            "agents": [self.words.agent(g, seat) for seat in range(g.players)],
        }

    def summary(self, record: Any) -> dict[str, Any]:
        return summary(record)

    def fingerprint(self) -> str:
        rules = self.batch.rules.copy()
        for field in ("mode", "level", "players", "seats"):  # a record carries these itself
            rules[field] = 0
        shape = repr(self.game.record.descr).encode()
        return hashlib.sha256(shape + rules.tobytes()).hexdigest()[:16]


def summary(record: Any) -> dict[str, Any]:
    """How a game of The LOOP ended."""
    return {
        "is_success": bool(record.outcome == WON),
        "outcome": OUTCOMES[record.outcome],
        "tiles": int(record.archived),
        "vortices": int(record.vortex.sum()),
        "turns": int(record.turn) + int(record.outcome != OUT_OF_TIME),  # the one under way counts
        "loops": int(record.total_loops),
        "clones": int(record.total_kills),
        "plays": int(record.total_plays),
        "rifts": int(record.total_removed),
        "energy": int(record.total_energy),
        "decisions": int(record.decisions),
    }


def make_reward(reward: Reward | Mapping[str, Any] | None) -> Reward:
    """A reward from what the user gave."""
    if reward is None:
        return Reward()
    if isinstance(reward, Reward):
        return reward
    fields = list(Reward.__dataclass_fields__)
    for key in reward:
        if key not in fields:
            raise UserError(f"reward has no field {key!r}{suggest(key, fields)}")
    return Reward(**reward)
