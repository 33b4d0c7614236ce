"""Checkpoints: numbers in a safetensors file and a few words about them, no pickle. Loading one never runs its code.

The words (settings, steps, versions) are JSON in the file's own header. A checksum of the numbers stands beside them,
so that a damaged file is told from a whole one.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save
from torch import Tensor

from loop_env.errors import UserError

FORMAT = "loop_env checkpoint 1"
NETWORK, OPTIMISER, PLAYER = "network.", "optimiser.", "player."  # how the names of their tensors begin


@dataclass(frozen=True)
class Checkpoint:
    """What a file holds."""

    about: dict[str, Any]  # game, fingerprint of its rules' shape, settings, steps, versions
    tensors: dict[str, Tensor]


def write(path: str | Path, checkpoint: Checkpoint) -> None:
    """Write under another name, then rename: a run that is killed leaves the last whole file."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    tensors = {key: value.detach().contiguous() for key, value in checkpoint.tensors.items()}
    words = {"format": FORMAT, "sum": checksum(tensors), "about": json.dumps(checkpoint.about)}
    passing = path.with_name(f".{path.name}.{os.getpid()}")
    with passing.open("wb") as file:
        file.write(save(tensors, words))
        file.flush()
        os.fsync(file.fileno())
    passing.replace(path)


def read(path: str | Path) -> Checkpoint:
    """Read and check a file; whatever is wrong with it is told in a sentence."""
    path = Path(path)
    if not path.is_file():
        raise UserError(f"there is no checkpoint {str(path)!r}")
    try:
        with safe_open(path, "pt") as file:
            words = file.metadata() or {}
            tensors = {key: file.get_tensor(key) for key in file.keys()}  # noqa: SIM118 (it is no dict)
    except (SafetensorError, OSError, ValueError) as error:
        raise UserError(f"{str(path)!r} is no checkpoint, or a damaged one: {error}") from None
    if words.get("format") != FORMAT:
        raise UserError(f"{str(path)!r} is no checkpoint of this version of loop_env ({FORMAT})")
    if words.get("sum") != checksum(tensors):
        raise UserError(f"{str(path)!r} is damaged: its checksum does not fit")
    return Checkpoint(json.loads(words["about"]), tensors)


def under(start: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """Tensors with a start put before their names."""
    return {start + name: value for name, value in tensors.items()}


def without(start: str, tensors: dict[str, Tensor]) -> dict[str, Tensor]:
    """The tensors whose names begin so, with the rest of their names."""
    return {name.removeprefix(start): value for name, value in tensors.items() if name.startswith(start)}


def checksum(tensors: dict[str, Tensor]) -> str:
    """A hash of all numbers with their names and shapes."""
    found = hashlib.sha256()
    for key in sorted(tensors):
        value = tensors[key].contiguous()
        found.update(f"{key} {value.dtype} {tuple(value.shape)}".encode())
        found.update(value.flatten().view(torch.uint8).numpy().tobytes())
    return found.hexdigest()
