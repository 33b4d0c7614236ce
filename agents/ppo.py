"""PPO with masks, on the batched core: play, judge, update. Read it from top to bottom.

One network for policy and value, preallocated memory, large minibatches, bfloat16 where the processor has it. All
chance comes from one torch generator and from the games' own records, so a run that goes on from a checkpoint goes on
exactly as it would have.
"""

from __future__ import annotations

import time
from copy import deepcopy
from dataclasses import dataclass, field

import numpy as np
import torch
from torch import Tensor, nn

from agents.checkpoint import NETWORK, OPTIMISER, PLAYER, under, without
from agents.network import Network, log_chances
from agents.settings import PPO
from agents.sight import Seen, Sight
from loop_env.engine.batch import KEEP, SAME_STEP, Batch
from loop_env.engine.game import Parts
from loop_env.engine.luck import player_streams, reseed

SEEDS_APART = np.uint64(1 << 32)  # between the games of two runs


@dataclass
class Report:
    """What an update tells: averages over its minibatches, how games ended, and where the time went."""

    numbers: dict[str, float] = field(default_factory=dict)
    ended: dict[str, np.ndarray] = field(default_factory=dict)


class Memory:
    """Room for a rollout, taken once; only what is seen of deeds has no fixed size."""

    def __init__(self, steps: int, games: int, size: int, actions: int, kind: torch.dtype) -> None:
        self.tables = torch.zeros(steps, games, size, dtype=kind)
        self.masks = torch.zeros(steps, games, actions, dtype=torch.bool)
        self.deeds: list[Tensor | None] = [None] * steps
        self.actions = torch.zeros(steps, games, dtype=torch.int64)
        self.logs, self.values = torch.zeros(steps, games), torch.zeros(steps + 1, games)
        self.rewards, self.ended = torch.zeros(steps, games), torch.zeros(steps, games)
        self.expected = torch.zeros(steps, games)  # what a decision before a draw of luck is worth; NaN: no such one
        self.advantages = torch.zeros(steps, games)

    def see(self, t: int, seen: Seen) -> Seen:
        """Keep what is seen in a step; returns what is kept."""
        self.tables[t], self.masks[t], self.deeds[t] = seen.tables, seen.masks, seen.deeds
        return Seen(self.tables[t], self.masks[t], self.deeds[t])

    def seen(self) -> Seen:
        """All that was seen, step by step."""
        deeds = [each for each in self.deeds if each is not None]
        return Seen(self.tables.flatten(0, 1), self.masks.flatten(0, 1), torch.cat(deeds) if deeds else None)


def training_seeds(seed: int, games: int) -> np.ndarray:
    """Seeds of the first games: far above those that people and evaluations use, so that these are fresh."""
    return np.arange(games).astype(np.uint64) + np.uint64(seed + 1) * SEEDS_APART


class Trainer:
    """Plays many games with a network and makes it better."""

    def __init__(
        self, parts: Parts, network: Network, sight: Sight, ppo: PPO, *, seed: int = 0, bfloat16: bool = False
    ) -> None:
        self.parts, self.network, self.sight, self.ppo, self.bfloat16 = parts, network, sight, ppo, bfloat16
        self.batch = Batch(parts.game, parts.rules, parts.reward, ppo.games, SAME_STEP, sight.threads)
        self.batch.start(training_seeds(seed, ppo.games))
        self.luck = player_streams(
            np.uint64(seed), np.arange(ppo.games).astype(np.uint64)
        )  # for copies to look ahead in
        kind = torch.bfloat16 if bfloat16 else torch.float32  # as the network's layers take it
        self.memory = Memory(ppo.rollout, ppo.games, sight.size, parts.game.actions.size, kind)
        self.player = deepcopy(network).requires_grad_(False)  # an average of the network over its last updates
        self.reset_optimiser()
        self.chance = torch.Generator().manual_seed(seed)
        self.steps = 0

    def settle(self) -> None:
        """The player is the network as it is now."""
        self.player.load_state_dict(self.network.state_dict())

    def reset_optimiser(self) -> None:
        """Forget the momentum."""
        self.optimiser = torch.optim.Adam(self.network.parameters(), self.ppo.learning_rate, eps=1e-5, fused=True)

    def update(self) -> Report:
        """One rollout and what is learnt from it."""
        report = Report()
        begin = time.perf_counter()
        self.roll_out(report)
        middle = time.perf_counter()
        self.judge()
        self.learn(report)
        self.blend()
        end = time.perf_counter()
        made = self.ppo.rollout * self.ppo.games
        self.steps += made
        report.numbers |= {
            "speed/steps_per_second": made / (end - begin),
            "speed/rollout_seconds": middle - begin,
            "speed/update_seconds": end - middle,
        }
        return report

    # -- play --------------------------------------------------------------------------------------
    @torch.no_grad()
    def roll_out(self, report: Report) -> None:
        """Play on in every game and remember it."""
        memory, batch = self.memory, self.batch
        ended: list[dict[str, np.ndarray]] = []
        for t in range(self.ppo.rollout):
            logs, memory.values[t] = self.look(memory.see(t, self.see()))
            actions = self.draw(logs)
            memory.actions[t] = actions
            memory.logs[t] = logs.gather(1, actions[:, None])[:, 0]
            before = batch.games.copy() if self.ppo.redraws else batch.games
            batch.step(actions.numpy())
            memory.rewards[t] = torch.from_numpy(batch.rewards)
            memory.ended[t] = torch.from_numpy(batch.ended)
            memory.expected[t] = torch.nan
            turned = np.flatnonzero(batch.ended | (batch.games["turn"] != before["turn"]))
            if self.ppo.redraws and len(turned):
                memory.expected[t, turned] = self.average_luck(before[turned], actions.numpy()[turned], turned)
            if batch.ended.any():
                ended.append(self.parts.summarise(batch.finished, np.flatnonzero(batch.ended)))
        _, memory.values[self.ppo.rollout] = self.look(self.see())
        if ended:
            report.ended = {key: np.concatenate([each[key] for each in ended]) for key in ended[0]}

    @torch.no_grad()
    def average_luck(self, games: np.ndarray, actions: np.ndarray, rows: np.ndarray) -> Tensor:
        """What ending a turn so is worth, on average over several draws of the luck that strikes then.

        Whoever learns from the one draw that came is mostly taught how lucky it was.
        """
        parts, redraws, streams = self.parts, self.ppo.redraws, self.luck[rows]
        trial = Batch(parts.game, self.batch.rules, parts.reward, redraws * len(rows), KEEP)
        trial.games[:] = np.tile(games, redraws)
        for draw in trial.games.reshape(redraws, -1):
            reseed(draw, streams)
        self.luck[rows] = streams
        trial.started = True
        trial.step(np.tile(actions, redraws))
        worth, on = torch.from_numpy(trial.rewards).float(), np.flatnonzero(~trial.ended)
        if len(on):
            seen = self.sight.of(trial.observations[on], trial.masks[on], trial.games[on], trial.rules)
            worth[on] += self.ppo.gamma * self.look(seen)[1]
        return worth.unflatten(0, (redraws, -1)).mean(0)

    def see(self) -> Seen:
        """What the network sees of the games now."""
        copies = self.batch.games.copy()
        reseed(copies, self.luck)
        return self.sight.of(self.batch.observations, self.batch.masks, copies, self.batch.rules)

    def look(self, seen: Seen) -> tuple[Tensor, Tensor]:
        """Log probabilities and values."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self.bfloat16):
            logits, values = self.network(seen)
        return log_chances(logits, seen.masks), values.float()

    def draw(self, logs: Tensor) -> Tensor:
        """An action for each game, by its probability: the winner of a race of exponential clocks."""
        clocks = torch.empty_like(logs).exponential_(generator=self.chance)
        return (logs - clocks.log()).argmax(1)

    # -- judge -------------------------------------------------------------------------------------
    def judge(self) -> None:
        """Advantages: how much better each decision turned out than expected."""
        memory, ppo = self.memory, self.ppo
        trace = torch.zeros(ppo.games)
        for t in reversed(range(ppo.rollout)):
            goes_on = 1 - memory.ended[t]
            came = memory.rewards[t] + ppo.gamma * memory.values[t + 1] * goes_on
            surprise = torch.where(memory.expected[t].isnan(), came, memory.expected[t]) - memory.values[t]
            trace = surprise + ppo.gamma * ppo.trace * goes_on * trace
            memory.advantages[t] = trace

    # -- learn -------------------------------------------------------------------------------------
    def learn(self, report: Report) -> None:
        """Several passes over the rollout in minibatches."""
        memory, ppo = self.memory, self.ppo
        count = ppo.rollout * ppo.games
        seen = memory.seen()
        flat = {
            "actions": memory.actions.flatten(), "logs": memory.logs.flatten(),
            "advantages": memory.advantages.flatten(), "values": memory.values[:-1].flatten(),
        }  # fmt: skip
        done = min(self.steps / ppo.steps, 1.0)
        rate = ppo.learning_rate + done * (ppo.last_learning_rate - ppo.learning_rate)
        entropy = ppo.entropy + done * (ppo.last_entropy - ppo.entropy)
        for group in self.optimiser.param_groups:
            group["lr"] = rate
        sums: dict[str, list[float]] = {}
        moved = False
        for _ in range(ppo.epochs):
            order = torch.randperm(count, generator=self.chance)
            for first in range(0, count - ppo.minibatch + 1, ppo.minibatch):
                rows = order[first : first + ppo.minibatch]
                told = self.learn_from(seen.rows(rows), {key: values[rows] for key, values in flat.items()}, entropy)
                for key, number in told.items():
                    sums.setdefault(key, []).append(number)
                moved = 0 < ppo.target_kl < told["loss/kl"]
                if moved:
                    break
            if moved:
                break
        report.numbers |= {key: float(np.mean(values)) for key, values in sums.items()}
        report.numbers |= {"loss/learning_rate": rate, "loss/entropy_bonus": entropy}
        error, spread = (flat["advantages"]).var(), (flat["advantages"] + flat["values"]).var()
        report.numbers["loss/explained"] = float(1 - error / spread) if spread > 0 else 0.0

    def learn_from(self, seen: Seen, part: dict[str, Tensor], entropy_bonus: float) -> dict[str, float]:
        """One step of the optimiser."""
        ppo = self.ppo
        logs, values = self.look(seen)
        chosen = logs.gather(1, part["actions"][:, None])[:, 0]
        advantages = part["advantages"]
        targets = advantages + part["values"]
        advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
        change = chosen - part["logs"]
        ratio = change.exp()
        policy = -torch.min(advantages * ratio, advantages * ratio.clamp(1 - ppo.clip, 1 + ppo.clip)).mean()
        value = nn.functional.mse_loss(values, targets)
        entropy = -(logs.exp() * logs).sum(1).mean()
        loss = policy + ppo.value * value - entropy_bonus * entropy
        self.descend(loss)
        with torch.no_grad():
            return {
                "loss/policy": float(policy), "loss/value": float(value), "loss/entropy": float(entropy),
                "loss/kl": float((ratio - 1 - change).mean()),
                "loss/clipped": float(((ratio - 1).abs() > ppo.clip).float().mean()),
            }  # fmt: skip

    def descend(self, loss: Tensor) -> None:
        """Make the loss a little smaller."""
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.network.parameters(), self.ppo.gradient)
        self.optimiser.step()

    @torch.no_grad()
    def blend(self) -> None:
        """Let the player follow the network: single updates sway it less, so it plays better."""
        for mean, own in zip(self.player.parameters(), self.network.parameters(), strict=True):
            mean.lerp_(own, 1 / self.ppo.average)

    # -- to go on later ----------------------------------------------------------------------------
    def state(self) -> dict[str, Tensor]:
        """All that it takes to go on exactly from here, but for the settings."""
        found = under(NETWORK, self.network.state_dict()) | under(PLAYER, self.player.state_dict())
        for i, values in self.optimiser.state_dict()["state"].items():
            found |= under(f"{OPTIMISER}{i}.", values)
        found["chance"] = self.chance.get_state()
        found["games"] = torch.from_numpy(self.batch.games.view(np.uint8).reshape(self.batch.count, -1).copy())
        found["luck"] = torch.from_numpy(self.luck.copy())
        found["steps"] = torch.tensor(self.steps)
        return found

    def restore(self, state: dict[str, Tensor]) -> None:
        """Go on from there."""
        self.network.load_state_dict(without(NETWORK, state))
        self.player.load_state_dict(without(PLAYER, state))
        own = self.optimiser.state_dict()
        own["state"] = {}
        for key, value in without(OPTIMISER, state).items():
            i, name = key.split(".")
            own["state"].setdefault(int(i), {})[name] = value
        self.optimiser.load_state_dict(own)
        self.chance.set_state(state["chance"])
        self.batch.games[:] = state["games"].numpy().reshape(-1).view(self.parts.game.record)
        self.batch.look()
        self.luck[:] = state["luck"].numpy()
        self.steps = int(state["steps"])
