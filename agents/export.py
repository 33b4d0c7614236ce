"""A checkpoint as a zip file of sb3-contrib's MaskablePPO, which loads without loop_env."""

from __future__ import annotations

from pathlib import Path

from sb3_contrib import MaskablePPO
from torch import Tensor, nn

from agents.checkpoint import read
from agents.network import Flat, Network
from agents.policy import network_from
from agents.registry import checkpoint_of
from loop_env.adapters.sb3 import make
from loop_env.errors import UserError


def export(source: str | Path, target: str | Path) -> None:
    """Write the network of a run or a checkpoint as a stock MaskablePPO.

    Stock policies have a tower each for actions and value; both get our one trunk, so the numbers are the same.
    """
    path = checkpoint_of(str(source))
    checkpoint = read(path)
    about = checkpoint.about
    network, sight = network_from(checkpoint, about["game"], str(path))
    if not isinstance(network.encoder, Flat) or sight.foresight:
        raise UserError(
            f"{str(path)!r} is no stock policy: train with network.kind=flat network.foresight=0 to export a player"
        )
    shape = about["settings"]["network"]
    towers = {"pi": [shape["width"]] * shape["layers"], "vf": [shape["width"]] * shape["layers"]}
    model = MaskablePPO(
        "MlpPolicy", make(about["game"], 1), policy_kwargs={"net_arch": towers, "activation_fn": nn.ReLU}, device="cpu"
    )
    model.policy.load_state_dict(stock_weights(network))
    model.save(target)


def stock_weights(network: Network) -> dict[str, Tensor]:
    """Our weights under SB3's names."""
    found = {}
    for key, value in network.trunk.state_dict().items():
        found[f"mlp_extractor.policy_net.{key}"] = value
        found[f"mlp_extractor.value_net.{key}"] = value.clone()
    for key, value in network.heads.layer.state_dict().items():
        parts = dict(zip(network.heads.names, value.split(network.heads.sizes), strict=True))
        found[f"action_net.{key}"], found[f"value_net.{key}"] = parts["actions"].clone(), parts["value"].clone()
    return found
