"""The network: one trunk with two heads, which say what to do and how good the position is.

"structured": the observation's tables (eras, agents, cards) go row by row through an encoder that all rows of a kind
share, so that what is learnt of a card in one place holds in every place. Actions that stand for a row, "play the card
in this place", are scored by that row's encoding as well (`Game.pointers`). "flat": the observation as it is.

A network with foresight also sees what each action may lead to in this turn (`agents/sight.py`). It begins as a player
who does what looks best, and learns when not to.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from agents.settings import Network as Shape
from loop_env.engine.game import Game

IMPOSSIBLE = -1.0e8
TRUST = 20.0  # in foresight, at the start


class Network(nn.Module):
    """Logits for every action, and a value."""

    def __init__(self, game: Game, shape: Shape) -> None:
        super().__init__()
        self.encoder = Rows(game, shape.row) if shape.kind == "structured" else Flat(game)
        layers: list[nn.Module] = []
        self.observed = game.observation.size
        self.trust = nn.Parameter(torch.tensor(TRUST)) if shape.foresight else None
        size = self.encoder.size + (game.actions.size if shape.foresight else 0)
        for _ in range(shape.layers):
            layers += [linear(size, shape.width, 2**0.5), nn.ReLU()]
            size = shape.width
        self.trunk = nn.Sequential(*layers)
        blank = shape.foresight > 0  # then foresight alone decides at first, undisturbed
        self.actions = linear(size, game.actions.size, 0.0 if blank else 0.01)
        self.value = linear(size, 1, 1.0)
        self.pointers = nn.ModuleDict(
            {action: linear(size, shape.row, 0.0 if blank else 0.1) for action in self.encoder.pointers}
        )  # fmt: skip
        self.slices = {action: game.actions[action].slice for action in self.encoder.pointers}

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values; the logits do not know yet what is possible."""
        observations, ahead = inputs[:, : self.observed], inputs[:, self.observed :]
        flat, rows = self.encoder(observations)
        body = self.trunk(torch.cat([flat, ahead], 1))
        logits = self.actions(body)
        if self.trust is not None:
            logits = logits + self.trust * ahead
        for action, pointer in self.pointers.items():
            encoded = rows[self.encoder.pointers[action]]
            points = torch.einsum("brc,bc->br", encoded, pointer(body))
            place = self.slices[action]
            logits = torch.cat([logits[:, : place.start], logits[:, place] + points, logits[:, place.stop :]], 1)
        return logits, self.value(body)[:, 0]


class Flat(nn.Module):
    """The observation as it is."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.size = game.observation.size
        self.pointers: dict[str, str] = {}

    def forward(self, observations: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        return observations, {}


class Rows(nn.Module):
    """Tables row by row, everything else as it is."""

    def __init__(self, game: Game, row: int) -> None:
        super().__init__()
        self.tables = {name: b for name, b in game.observation.blocks.items() if len(b.shape) == 2}
        self.encoders = nn.ModuleDict()
        for block in self.tables.values():  # tables with the same columns hold things of one kind
            if str(block.shape[1]) not in self.encoders:
                self.encoders[str(block.shape[1])] = nn.Sequential(
                    linear(block.shape[1], 2 * row, 2**0.5), nn.ReLU(), linear(2 * row, row, 1.0), nn.ReLU()
                )
        others = [block for name, block in game.observation.blocks.items() if name not in self.tables]
        plain = [index for block in others for index in range(block.start, block.start + block.size)]
        self.register_buffer("plain", torch.tensor(plain), persistent=False)
        self.size = len(plain) + row * sum(block.shape[0] for block in self.tables.values())
        self.pointers = dict(game.pointers)

    def forward(self, observations: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        rows = {}
        for name, block in self.tables.items():
            table = observations[:, block.slice].unflatten(1, block.shape)
            rows[name] = self.encoders[str(block.shape[1])](table)
        plain: Any = self.plain
        return torch.cat([observations[:, plain], *(each.flatten(1) for each in rows.values())], 1), rows


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def log_chances(logits: Tensor, masks: Tensor) -> Tensor:
    """Log probabilities of the possible actions."""
    return torch.log_softmax(logits.float().masked_fill(~masks, IMPOSSIBLE), 1)
