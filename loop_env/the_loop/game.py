"""The LOOP, put together for the fronts."""

from __future__ import annotations

from loop_env.engine.game import make_game
from loop_env.the_loop.actions import ACTIONS
from loop_env.the_loop.laws import LAWS, broken_law
from loop_env.the_loop.observation import OBSERVATION, bounds, observe
from loop_env.the_loop.reward import potential, result
from loop_env.the_loop.setup import new_game
from loop_env.the_loop.state import GAME, blank_game
from loop_env.the_loop.turn import decide

# Actions that stand for a row of a table in the observation.
POINTERS = {
    "hand": "hand", "row": "row", "era": "eras", "free_move": "eras", "supa_clone": "eras", "agent": "agents"
}  # fmt: skip

UNORDERED = ("hand", "row")

THE_LOOP = make_game(
    "the_loop",
    GAME,
    blank_game(),
    ACTIONS,
    OBSERVATION,
    bounds(),
    POINTERS,
    UNORDERED,
    new_game=new_game,
    decide=decide,
    observe=observe,
    potential=potential,
    result=result,
    broken_law=broken_law,
    laws=LAWS,
)
