"""The network: one trunk with two heads, which say what to do and how good the position is.

"structured": the observation's tables (eras, agents, cards) go row by row through an encoder that all rows of a kind
share, so that what is learnt of a card in one place holds in every place. Where rows have no order, as cards in a hand,
their encodings are added up (`Game.unordered`). Actions that stand for a row, "play the card in this place", are scored
by that row's encoding as well (`Game.pointers`). "flat": the observation as it is.

A network with foresight also sees what each action would do (`agents/sight.py`), and scores the actions by that, all by
the same few layers, with regard to the position. It begins as a player who does what looks best at once, and learns
what else matters.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn

from agents.settings import Network as Shape
from loop_env.engine.foresight import POSSIBLE
from loop_env.engine.game import Game

IMPOSSIBLE = -1.0e8
LOOKS = POSSIBLE + 1  # where an outline tells how good a position looks
TRUST = 10.0  # in what looks best at once, at the start


class Network(nn.Module):
    """Logits for every action, and a value. `deed`: how many numbers tell what an action would do; 0: nothing does."""

    def __init__(self, game: Game, shape: Shape, deed: int = 0) -> None:
        super().__init__()
        self.observed, self.deed = game.observation.size, deed
        self.encoder = Rows(game, shape.row) if shape.kind == "structured" else Flat(game)
        size = self.encoder.size
        if deed:
            self.deeds = Deeds(deed, shape.row, shape.width)
            size += shape.row
        layers: list[nn.Module] = []
        for _ in range(shape.layers):
            layers += [linear(size, shape.width, 2**0.5), nn.ReLU()]
            size = shape.width
        self.trunk = nn.Sequential(*layers)
        self.actions = linear(size, game.actions.size, 0.01)
        self.value = linear(size, 1, 1.0)
        self.pointers = nn.ModuleDict({action: linear(size, shape.row, 0.1) for action in self.encoder.pointers})
        self.slices = {action: game.actions[action].slice for action in self.encoder.pointers}

    def forward(self, inputs: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values; the logits do not know yet what is possible."""
        flat, rows = self.encoder(inputs[:, : self.observed])
        if self.deed:
            changes = inputs[:, self.observed :].unflatten(1, (-1, self.deed))
            places, deeds, pool = self.deeds.encode(changes)
            flat = torch.cat([flat, pool], 1)
        body = self.trunk(flat)
        logits = self.actions(body).float()
        if self.deed:
            logits = logits + self.deeds.score(places, deeds, body, changes)
        points = torch.zeros_like(logits)
        for action, pointer in self.pointers.items():
            encoded = rows[self.encoder.pointers[action]]
            points[:, self.slices[action]] = torch.einsum("brc,bc->br", encoded, pointer(body)).float()
        return logits + points, self.value(body)[:, 0]


class Deeds(nn.Module):
    """What actions would do, each encoded in the same way. Only what is seen is looked at: it is a small part."""

    def __init__(self, deed: int, row: int, width: int) -> None:
        super().__init__()
        self.first = nn.Sequential(linear(deed, 2 * row, 2**0.5), nn.ReLU(), linear(2 * row, row, 2**0.5), nn.ReLU())
        self.second, self.context = linear(row, 2 * row, 1.0), linear(width, 2 * row, 1.0)
        self.last = linear(2 * row, 1, 0.0)
        self.trust = nn.Parameter(torch.ones(()))

    def encode(self, changes: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        """Where something is seen, what it is like, and all of it added up for each position."""
        places = changes[:, :, POSSIBLE].nonzero()
        deeds = self.first(changes[places[:, 0], places[:, 1]]).float()
        pool = torch.zeros(len(changes), deeds.shape[1]).index_add(0, places[:, 0], deeds)
        return places, deeds, pool

    def score(self, places: Tensor, deeds: Tensor, body: Tensor, changes: Tensor) -> Tensor:
        """A logit for each action: what looks best, and what the position makes of it."""
        context = self.context(body).index_select(0, places[:, 0])  # indexing would sum gradients in any order
        scores = self.last(torch.relu(self.second(deeds) + context))[:, 0].float()
        found = TRUST * self.trust * changes[:, :, LOOKS].float()
        return found.index_put((places[:, 0], places[:, 1]), scores, accumulate=True)


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
        self.unordered = game.unordered
        self.size = len(plain) + row * sum(
            1 if name in self.unordered else block.shape[0] for name, block in self.tables.items()
        )
        self.pointers = dict(game.pointers)

    def forward(self, observations: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        rows = {}
        for name, block in self.tables.items():
            table = observations[:, block.slice].unflatten(1, block.shape)
            rows[name] = self.encoders[str(block.shape[1])](table)
        plain: Any = self.plain
        seen = [each.sum(1) if name in self.unordered else each.flatten(1) for name, each in rows.items()]
        return torch.cat([observations[:, plain], *seen], 1), rows


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def log_chances(logits: Tensor, masks: Tensor) -> Tensor:
    """Log probabilities of the possible actions."""
    return torch.log_softmax(logits.float().masked_fill(~masks, IMPOSSIBLE), 1)
