"""What `python -m loop_env` needs to know of The LOOP."""

from __future__ import annotations

from typing import Any

import numpy as np

from loop_env.engine.game import Game, Parts
from loop_env.games import Setup
from loop_env.the_loop import laws
from loop_env.the_loop.actions import ACTIONS
from loop_env.the_loop.env import parts_from
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.observation import AGENT, CARD, ERA, OBSERVATION
from loop_env.the_loop.options import read_data, set_up
from loop_env.the_loop.reward import Reward


def game() -> Game:
    """The rules."""
    return THE_LOOP


def setups() -> list[Setup]:
    """All that fuzzing goes through; benchmarks take the first.

    A random player is lost after about six turns. So half of the setups have a gentle machine and missions that are
    soon done: those games get through all cycles, archive and draft.
    """
    found = []
    for players in (2, 3, 4):
        rules = set_up(agents=players)
        found.append(Setup(f"sabotage, level 1, {players} players", rules))
        gentle = rules.copy()
        gentle["cubes"], gentle["new_clones"], gentle["clumping"] = 0, 1, 0.5
        gentle["vortex_tiles"], gentle["needed"] = 7, 1
        found.append(Setup(f"sabotage, gentle, {players} players", gentle))
    return found


def parts(**options: Any) -> Parts:
    """What a front needs."""
    return parts_from(options)


def reward() -> np.ndarray:
    """Win or loss."""
    return Reward().record()


def decision_bound() -> int:
    """No game is longer."""
    return laws.decision_bound(read_data(None))


def info(folder: str | None) -> dict[str, Any]:
    """All data and tables, as plain lists and dicts."""
    data = read_data(folder)
    return {
        "artefacts": [
            {
                "name": card.name,
                "agent": card.agent,
                "origin": card.origin,
                "dimension": card.dimension,
                "effect": card.effect,
            }
            for card in data.artefacts
        ],
        "agents": [{k: v for k, v in vars(agent).items() if k != "program"} for agent in data.agents],
        "missions": [vars(mission) for mission in data.missions],
        "clones": [
            {"spawn": ERAS[spawn], "destroy": ERAS[(spawn + after) % len(ERAS)]}
            for spawn in range(len(ERAS))
            for after in data.destroy_after
        ],
        "modes": [vars(mode) for mode in data.modes],
        "levels": [vars(level) for level in data.levels],
        "numbers": vars(data.numbers),
        "actions": ACTIONS.describe(),
        "observation": OBSERVATION.describe(),
        "observation_columns": {"eras": ERA.describe(), "agents": AGENT.describe(), "cards": CARD.describe()},
        "decision_bound": laws.decision_bound(data),
    }
