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
from agents.sight import Seen, Sight
from loop_env.engine.foresight import CHOICE
from loop_env.engine.game import Game

IMPOSSIBLE = -1.0e8
LOOKS = CHOICE + 1  # where an outline tells how good a position looks
TRUST = 10.0  # in what looks best at once, at the start


class Network(nn.Module):
    """Logits for every action, and a value."""

    def __init__(self, game: Game, shape: Shape, sight: Sight) -> None:
        super().__init__()
        self.observed = game.observation.size
        self.encoder = Rows(game, shape.row) if shape.kind == "structured" else Flat(game)
        size = self.encoder.size + sight.outline
        if sight.deed:
            self.deeds = Deeds(sight.deed, shape.row)
            size += shape.row
        layers: list[nn.Module] = []
        for _ in range(shape.layers):
            layers += [linear(size, shape.width, 2**0.5), nn.ReLU()]
            size = shape.width
        self.trunk = nn.Sequential(*layers)
        self.pointers = Pointers(game, shape.row, self.encoder.pointed)
        parts = {"actions": (game.actions.size, 0.01), "value": (1, 1.0), "pointers": (self.pointers.size, 0.1)}
        if sight.deed:
            parts["deeds"] = (self.deeds.context, 1.0)
        self.heads = Heads(size, parts)

    def forward(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """Logits and values; the logits do not know yet what is possible."""
        flat, rows = self.encoder(seen.tables[:, : self.observed])
        known = [flat, seen.tables[:, self.observed :]]
        if seen.deeds is not None:
            places = seen.masks.nonzero()
            deeds = self.deeds.encode(seen.deeds)
            known.append(torch.zeros(len(seen), deeds.shape[1]).index_add(0, places[:, 0], deeds))
        heads = self.heads(self.trunk(torch.cat(known, 1)))
        logits = self.pointers(heads["actions"].float(), rows, heads["pointers"])
        if seen.deeds is not None:  # index_select: indexing would sum gradients in any order
            scores = self.deeds.score(seen.deeds, deeds, heads["deeds"].index_select(0, places[:, 0]))
            logits = logits.index_put((places[:, 0], places[:, 1]), scores, accumulate=True)
        return logits, heads["value"][:, 0]


class Heads(nn.Module):
    """Several layers side by side, as one: `parts` names each with its size and the gain of its first weights."""

    def __init__(self, inputs: int, parts: dict[str, tuple[int, float]]) -> None:
        super().__init__()
        self.names, self.sizes = list(parts), [size for size, _ in parts.values()]
        self.layer = nn.Linear(inputs, sum(self.sizes))
        nn.init.zeros_(self.layer.bias)
        for weights, (_, gain) in zip(self.layer.weight.detach().split(self.sizes), parts.values(), strict=True):
            if len(weights):
                nn.init.orthogonal_(weights, gain)

    def forward(self, body: Tensor) -> dict[str, Tensor]:
        return dict(zip(self.names, self.layer(body).split(self.sizes, 1), strict=True))


class Pointers(nn.Module):
    """Scores of actions that stand for rows: how well a row's encoding fits what is looked for."""

    def __init__(self, game: Game, row: int, pointed: dict[str, list[str]]) -> None:
        super().__init__()
        self.row, self.pointed = row, pointed
        self.size = row * sum(len(actions) for actions in pointed.values())
        slices = [game.actions[action].slice for actions in pointed.values() for action in actions]
        columns = [index for each in slices for index in range(each.start, each.stop)]
        self.register_buffer("columns", torch.tensor(columns, dtype=torch.int64), persistent=False)

    def forward(self, logits: Tensor, rows: dict[str, Tensor], wanted: Tensor) -> Tensor:
        if not self.pointed:
            return logits
        parts = wanted.split([self.row * len(actions) for actions in self.pointed.values()], 1)
        points = [
            (part.unflatten(1, (-1, self.row)) @ rows[table].transpose(1, 2)).flatten(1)
            for table, part in zip(self.pointed, parts, strict=True)
        ]
        columns: Any = self.columns
        return logits.index_add(1, columns, torch.cat(points, 1).float())


class Deeds(nn.Module):
    """What actions would do, each encoded and scored in the same way."""

    def __init__(self, deed: int, row: int) -> None:
        super().__init__()
        self.context = 2 * row  # numbers that tell what the position makes of it
        self.first = nn.Sequential(linear(deed, 2 * row, 2**0.5), nn.ReLU(), linear(2 * row, row, 2**0.5), nn.ReLU())
        self.second, self.last = linear(row, self.context, 1.0), linear(self.context, 1, 0.0)
        self.trust = nn.Parameter(torch.ones(()))

    def encode(self, told: Tensor) -> Tensor:
        """What each deed is like."""
        return self.first(told).float()

    def score(self, told: Tensor, deeds: Tensor, context: Tensor) -> Tensor:
        """A logit for each: how good it looks, and what the position makes of it."""
        scores = self.last(torch.relu(self.second(deeds) + context))[:, 0].float()
        return scores + TRUST * self.trust * told[:, LOOKS].float()


class Flat(nn.Module):
    """The observation as it is."""

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.size = game.observation.size
        self.pointed: dict[str, list[str]] = {}

    def forward(self, observations: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        return observations, {}


class Rows(nn.Module):
    """Tables row by row, everything else as it is. Empty rows, where no card lies, are all alike: one is encoded."""

    def __init__(self, game: Game, row: int) -> None:
        super().__init__()
        self.row = row
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
        self.pointed: dict[str, list[str]] = {}  # tables, with the actions that stand for their rows
        for action, table in game.pointers.items():
            self.pointed.setdefault(table, []).append(action)

    def forward(self, observations: Tensor) -> tuple[Tensor, dict[str, Tensor]]:
        rows = {name: self.encode(observations, name) for name in self.tables}
        plain: Any = self.plain
        seen = [each.sum(1) if name in self.unordered else each.flatten(1) for name, each in rows.items()]
        return torch.cat([observations[:, plain], *seen], 1), rows

    def encode(self, observations: Tensor, name: str) -> Tensor:
        """The rows of a table, encoded."""
        block = self.tables[name]
        table = observations[:, block.slice].reshape(-1, block.shape[1])
        filled = table.any(1).nonzero()[:, 0]
        encoded = self.encoders[str(block.shape[1])](torch.cat([table[filled], table.new_zeros(1, block.shape[1])]))
        empty = encoded[-1].expand(len(table), self.row)
        return empty.index_copy(0, filled, encoded[:-1]).unflatten(0, (-1, block.shape[0]))


def linear(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """A layer with orthogonal weights."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def log_chances(logits: Tensor, masks: Tensor) -> Tensor:
    """Log probabilities of the possible actions."""
    return torch.log_softmax(logits.float().masked_fill(~masks, IMPOSSIBLE), 1)
