"""A trained network as a player."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import torch

from agents.base import Agent, Boards
from agents.checkpoint import NETWORK, PLAYER, Checkpoint, read, without
from agents.network import Network, log_chances
from agents.registry import checkpoint_of
from agents.settings import Network as Shape
from agents.sight import Seen, Sight
from loop_env.engine.game import Game
from loop_env.errors import UserError
from loop_env.games import find


class Policy(Agent):
    """Plays what the network likes best."""

    name = "policy"

    def __init__(self, network: Network, sight: Sight) -> None:
        self.network, self.sight = network.eval(), sight

    def act(self, boards: Boards) -> np.ndarray:
        """The likeliest possible action of each game."""
        actions: np.ndarray = self.chances(boards).argmax(1)
        return actions

    def chances(self, boards: Boards) -> np.ndarray:
        """The network's probabilities."""
        return self.chances_of(self.see(boards))

    def see(self, boards: Boards) -> Seen:
        """What the network sees."""
        return self.sight.of(boards.observations, boards.masks, boards.copies(), boards.parts.rules)

    def chances_of(self, seen: Seen) -> np.ndarray:
        """The network's probabilities, from what it sees."""
        with torch.inference_mode():
            logits, _ = self.network(seen)
            found: np.ndarray = log_chances(logits, seen.masks).exp().numpy()
        return found

    def advise(self, boards: Boards) -> np.ndarray:
        """As much as it likes each action."""
        return self.chances(boards)


def interface(game: Game) -> str:
    """A short word for a game's actions and all that is seen of it: a network fits only the game it was made for."""
    tables = game.actions, game.observation, find(game.name).foresight().table
    told = [(block.name, block.shape) for table in tables for block in table.blocks.values()]
    return hashlib.sha256(repr(told).encode()).hexdigest()[:16]


def load_policy(path: str | Path, game: str) -> Policy:
    """The player that a checkpoint holds: a file, the best of a run's folder, or a shipped one."""
    path = checkpoint_of(str(path))
    network, sight = network_from(read(path), game, str(path))
    return Policy(network, sight)


def network_from(checkpoint: Checkpoint, game: str, place: str) -> tuple[Network, Sight]:
    """The network in a checkpoint, if it is one for this game, and what it sees."""
    about = checkpoint.about
    if about.get("game") != game:
        raise UserError(f"{place!r} is a player of {about.get('game')}, not of {game}")
    rules = find(game).game()
    if about.get("interface") != interface(rules):
        raise UserError(f"{place!r} was trained with other actions or observations of {game} than this version has")
    shape = Shape(**about["settings"]["network"])
    sight = Sight(rules, shape.foresight)
    network = Network(rules, shape, sight)
    try:
        network.load_state_dict(without(PLAYER, checkpoint.tensors) or without(NETWORK, checkpoint.tensors))
    except RuntimeError:
        raise UserError(f"{place!r} holds weights of another network than this version makes of its settings") from None
    return network, sight
