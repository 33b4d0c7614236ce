"""Words for tests that read like rules."""

from __future__ import annotations

import re
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from loop_env.the_loop import TheLoopEnv, position
from loop_env.the_loop.data import FOLDER, load
from loop_env.the_loop.laws import LAWS, broken_law
from loop_env.the_loop.names import ERAS, FOO_PHASE
from loop_env.the_loop.observation import ERA, OBSERVATION
from loop_env.the_loop.turn import after_the_drop, get_ready

DATA = load(FOLDER)
MODES = [mode.id for mode in DATA.modes]
ME, OTHER = "mister_time", "time_prowler"
TWO_MISSIONS = "two missions are open while there are tiles for it"
TEST_CARD = "Spartan Shield"  # its effect is replaced by `with_effect`


def table(**words: Any) -> TheLoopEnv:
    """A position of Mister Time and Time Prowler with empty hands, unless said otherwise."""
    agents = words.get("agents", (ME, OTHER))
    words["hand"] = {agent: [] for agent in agents} | dict(words.get("hand", {}))
    return position(**words)


@cache
def data_with(effect: str, dimension: str) -> str:
    """A data folder in which the test card has this effect and dimension."""
    folder = Path(tempfile.mkdtemp())
    text = (FOLDER / "arsenal.toml").read_text()
    entry = f'name = "{TEST_CARD}"\norigin = "dawn"\ndimension = "{dimension}"\neffect = "{effect}"'
    pattern = rf'name = "{TEST_CARD}"\norigin = "dawn"\ndimension = "\w+"\neffect = "[^"]*"'
    (folder / "arsenal.toml").write_text(re.sub(pattern, entry, text))
    return str(folder)


def with_effect(effect: str, *answers: str, dimension: str = "spiral", **words: Any) -> TheLoopEnv:
    """The table after the first agent has played a card with this effect and given these answers."""
    agents = words.get("agents", (ME, OTHER))
    hand = dict(words.pop("hand", {}))
    hand[agents[0]] = [TEST_CARD, *hand.get(agents[0], [])]
    env = table(hand=hand, data=data_with(effect, dimension), **words)
    return play(env, f"play: {TEST_CARD}", *answers)


def play(env: TheLoopEnv, *names: str) -> TheLoopEnv:
    """Act, name by name."""
    for name in names:
        env.act(name)
    return env


def drop(env: TheLoopEnv, **fallen: int) -> TheLoopEnv:
    """Let the machine drop these rifts, as in the Foo phase of the active agent."""
    g, r = env.record, env.batch.rules[0]
    for era, count in fallen.items():
        g.fallen[ERAS.index(era)] = count
        g.rift_supply -= count
    g.phase = FOO_PHASE
    after_the_drop(g, r)
    get_ready(g, r)
    env.batch.look()
    return env


def lawful(env: TheLoopEnv) -> TheLoopEnv:
    """Check that no law is broken, but for one: a position set up by hand may lack open missions."""
    assert broken_law(env.record, env.batch.rules[0]) in (0, LAWS.index(TWO_MISSIONS))
    return env


def laid_out(seed: int, **options) -> TheLoopEnv:
    """A game as it is laid out, if the first Foo phase brings nothing."""
    env = TheLoopEnv(**options)
    env.batch.rules["cubes"] = -30
    env.batch.rules["new_clones"] = 0
    env.reset(seed=seed)
    return env


def see(env: TheLoopEnv, block: str) -> np.ndarray:
    """A block of the observation."""
    found = OBSERVATION[block]
    return env.batch.observations[0, found.slice].reshape(found.shape)


def see_era(env: TheLoopEnv, column: str) -> np.ndarray:
    """A column of the observation of eras, from Dawn to End."""
    found = see(env, "eras")[:, ERA[column].slice]
    return np.roll(found, int(env.record.at[env.record.actor]), axis=0)


def nonzero(counts: dict[str, int]) -> dict[str, int]:
    """The eras that have something."""
    return {era: count for era, count in counts.items() if count}
