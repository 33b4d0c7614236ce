"""A table at which people and bots sit: who decides, what was done, how to take it back, how to go on later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from agents.advice import act_alone
from agents.base import Agent
from agents.registry import load
from loop_env.errors import UserError
from loop_env.games import find
from loop_env.replay import Replay

PERSON = "person"  # who a seat without a bot belongs to
BETWEEN = " | "  # seats, in a saved game


@dataclass(frozen=True)
class Done:
    """A decision, and the game before it."""

    action: int
    words: str
    agent: str  # who decided, in the game
    turn: int
    by_person: bool
    before: bytes
    luck: bytes  # of the game, before it


def make_setup(
    game: str, mode: str | None, level: str | None, agents: str | None, solo: bool, data: str | None
) -> dict[str, Any]:
    """The options of an environment, from words on a command line; what is not said is the first there is."""
    commands = find(game)
    known = commands.choices(data)
    players: Any = known["players"][0]
    if agents:
        players = int(agents) if agents.isdecimal() else [name.strip() for name in agents.split(",")]
    return commands.options(
        mode=mode or known["modes"][0],
        level=int(level) if level and level.isdecimal() else level or known["levels"][0],
        players=players,
        solo=solo,
        data=data,
    )


class Table:
    """One game, under way."""

    def __init__(self, game: str, setup: dict[str, Any], seed: int) -> None:
        self.game, self.setup, self.seed = game, setup, seed
        self.env = find(game).env(**setup, strict=True)
        self.env.reset(seed=seed)
        self.agents: list[str] = self.env.view()["agents"]
        self.seats = [PERSON] * len(self.agents)
        self.bots: dict[str, Agent] = {}
        self.done: list[Done] = []
        self.outcome = ""

    def seat(self, people: list[str], bot: str) -> None:
        """Give the people their seats, by number or agent, and all others to a bot."""
        taken = [self.find_seat(person) for person in people]
        self.sit([PERSON if i in taken else bot for i in range(len(self.agents))])

    def find_seat(self, word: str) -> int:
        """The seat that a number, counted from 1, or an agent's name means."""
        names = [name.lower() for name in self.agents]
        if word.lower() in names:
            return names.index(word.lower())
        if not word.isdecimal() or not 1 <= int(word) <= len(names):
            raise UserError(f"seat {word!r} is not at this table; there are: 1 to {len(names)}, {', '.join(names)}")
        return int(word) - 1

    def sit(self, seats: list[str]) -> None:
        """Who sits where, seat by seat: bots by name, or a person."""
        self.seats = seats
        self.bots = {name: load(name, self.game, self.seed) for name in set(seats) - {PERSON}}

    # -- deciding ----------------------------------------------------------------------------------
    @property
    def acting(self) -> str:
        """The agent who decides now."""
        name: str = self.env.view()["acting"]
        return name

    @property
    def bot(self) -> Agent | None:
        """The bot that decides now, if it is not a person."""
        return self.bots.get(self.seats[self.agents.index(self.acting)])

    def step(self, action: int, by_person: bool) -> Done:
        """Make a decision."""
        env, view = self.env, self.env.view()
        done = Done(action, env.action_name(action), view["acting"], view["turn"], by_person, env.save(),
                    env.record.luck.tobytes())  # fmt: skip
        self.outcome = env.step(action)[4].get("outcome", "")
        self.done.append(done)
        return done

    def let_bot_act(self, bot: Agent) -> Done:
        """Let a bot decide. Its luck follows from the seed and the decisions so far: a saved game goes on alike."""
        return self.step(act_alone(self.env, bot, np.uint64(self.seed)), by_person=False)

    def undo(self) -> Done:
        """Take back the last decision of a person, with all that followed, if nothing hidden has been revealed since.

        A game's random streams move only when something is drawn, turned up or dropped: as long as they stand where
        they stood, nobody has seen anything that was hidden.
        """
        last = next((i for i in reversed(range(len(self.done))) if self.done[i].by_person), None)
        if last is None:
            raise UserError("there is nothing to undo")
        done = self.done[last]
        if done.luck != self.env.record.luck.tobytes():
            raise UserError(f"{done.words!r} cannot be undone: something hidden was revealed since then")
        if done.turn != self.env.view()["turn"]:
            raise UserError(f"{done.words!r} cannot be undone: it belongs to another turn")
        self.env.restore(done.before)
        del self.done[last:]
        return done

    # -- later -------------------------------------------------------------------------------------
    def replay(self) -> Replay:
        """The game so far."""
        actions = [done.action for done in self.done]
        return Replay(
            self.game, self.env.fingerprint(), self.setup, self.seed, actions, self.outcome, BETWEEN.join(self.seats)
        )


def table_from(replay: Replay, bot: str | None = None) -> Table:
    """A table at which a saved game goes on, with everybody where they sat, or another bot for those who were there."""
    table = Table(replay.game, replay.setup, replay.seed)
    seats = replay.player.split(BETWEEN)
    if len(seats) == len(table.agents):
        table.sit([seat if seat == PERSON else bot or seat for seat in seats])
    for action in replay.actions:
        table.step(action, by_person=table.bot is None)
    return table
