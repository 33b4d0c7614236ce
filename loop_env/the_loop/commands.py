"""What `python -m loop_env` needs to know of The LOOP."""

from __future__ import annotations

from itertools import product
from typing import Any

import numpy as np

from loop_env.engine.foresight import Foresight
from loop_env.engine.game import Game, Parts, Rule
from loop_env.engine.search import Planner
from loop_env.games import Setup
from loop_env.the_loop import laws
from loop_env.the_loop.actions import ACTIONS
from loop_env.the_loop.env import TheLoopEnv, parts_from
from loop_env.the_loop.game import THE_LOOP
from loop_env.the_loop.names import ERAS
from loop_env.the_loop.observation import AGENT, CARD, ERA, OBSERVATION
from loop_env.the_loop.options import FEWEST_AGENTS, read_data, set_up
from loop_env.the_loop.outline import FORESIGHT, OUTLINE
from loop_env.the_loop.planner import PLANNER
from loop_env.the_loop.state import N_SEATS
from loop_env.the_loop.thumb import follow_rules_of_thumb


def game() -> Game:
    """The rules."""
    return THE_LOOP


def setups() -> list[Setup]:
    """All that fuzzing goes through: every mode, level, number of agents, with and without solo.

    A random player is lost after about six turns. So each setup has a twin with a gentle machine and missions that are
    soon done: those games get through all cycles, archive, draft and win.
    """
    data, found = read_data(None), []
    for mode, level in product(data.modes, data.levels):
        for agents, solo in product((2, 3, 4), (False, True)):
            who = f"{agents} {'agents, solo' if solo else 'players'}"
            rules = set_up(None, mode.id, level.number, agents, solo)
            found.append(Setup(f"{mode.id}, level {level.number}, {who}", rules))
            found.append(Setup(f"{mode.id}, gentle level {level.number}, {who}", gentle(rules)))
    return found


def gentle(rules: np.ndarray) -> np.ndarray:
    """The same rules with a machine that hardly fights."""
    rules = rules.copy()
    rules["cubes"], rules["new_clones"], rules["clumping"] = 0, 1, 0.5
    rules["vortex_tiles"], rules["needed"] = 7, 1
    rules["tiles_to_win"] = 1
    for name in ("supa_clones", "centrifuges", "shutdown_energy"):
        rules[name] = np.minimum(rules[name], 1)
    rules["supa_clones_per_cycle"] = 0
    return rules


def choices(folder: str | None) -> dict[str, list[Any]]:
    """What can be evaluated: modes, levels and numbers of players."""
    data = read_data(folder)
    players = list(range(FEWEST_AGENTS, N_SEATS + 1))
    return {"modes": [m.id for m in data.modes], "levels": [level.number for level in data.levels], "players": players}


def options(mode: str, level: int, players: int, solo: bool = False, data: str | None = None) -> dict[str, Any]:
    """One of these choices as the options of an environment; what is not asked for is left out."""
    found: dict[str, Any] = {"mode": mode, "level": level, "agents": players}
    return found | ({"solo": True} if solo else {}) | ({"data": data} if data else {})


def parts(**options: Any) -> Parts:
    """What a front needs."""
    return parts_from(options)


def planner() -> Planner:
    """The search, with what it knows of the game."""
    return PLANNER


def foresight() -> Foresight:
    """What actions would do."""
    return FORESIGHT


def modes() -> dict[str, Parts]:
    """Every mode at every level, the plain one first: what benchmarks go through."""
    data = read_data(None)
    return {
        f"{mode.id} {level.number}": parts(mode=mode.id, level=level.number)
        for mode, level in product(data.modes, data.levels)
    }


def env(**options: Any) -> TheLoopEnv:
    """One game, with words for people."""
    return TheLoopEnv(**options)


def rules_of_thumb() -> Rule:
    """The scripted player's rules."""
    return follow_rules_of_thumb


def reward() -> np.ndarray:
    """Win or loss."""
    return parts().reward


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
            for after in data.clones.destroy_after
        ],
        "supa_clones": [
            {"spawn": era, "destroy": ERAS[(spawn + data.clones.supa_destroy_after) % len(ERAS)]}
            for spawn, era in enumerate(ERAS)
        ],
        "modes": [vars(mode) for mode in data.modes],
        "levels": [vars(level) for level in data.levels],
        "ultramachina": [{"name": card.name, "bends": card.bends()} for card in data.ultramachina],
        "numbers": vars(data.numbers),
        "actions": ACTIONS.describe(),
        "observation": OBSERVATION.describe(),
        "observation_columns": {"eras": ERA.describe(), "agents": AGENT.describe(), "cards": CARD.describe()},
        "outline": OUTLINE.describe(),
        "decision_bound": laws.decision_bound(data),
    }
