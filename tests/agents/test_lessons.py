"""What a network sees, and learning from a teacher."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.base import Boards
from agents.match import Match, play_match
from agents.network import Network
from agents.planner import Planner
from agents.policy import Policy
from agents.ppo import Trainer
from agents.pretrain import Student, study, watch
from agents.registry import load
from agents.settings import PPO, Pretrain
from agents.settings import Network as Shape
from agents.sight import Sight
from loop_env import UserError
from loop_env.engine.batch import Batch
from loop_env.engine.foresight import POSSIBLE
from loop_env.games import find

GAME = find("the_loop").game()
PARTS = find("the_loop").parts(reward={"shaping": "value", "gamma": 1})
FEW = 40  # positions


def network(**shape) -> Network:
    torch.manual_seed(0)
    return Network(GAME, Shape(**{"kind": "flat", "width": 32, "layers": 1} | shape))


def boards(seeds: int = 20, decisions: int = 6) -> Boards:
    """Games under way, as a player sees them."""
    shown: list[Boards] = []

    class Watcher(Planner):
        def act(self, boards: Boards) -> np.ndarray:
            shown.append(boards)
            return super().act(boards)

    match = Match(Watcher(FEW), PARTS, np.arange(seeds))
    for _ in range(decisions):
        match.step()
    return shown[-1]


# -- sight -----------------------------------------------------------------------------------------
def test_without_foresight_a_network_sees_the_observation():
    shown = boards()
    seen = Sight(GAME, 0).of(shown.observations, shown.copies(), PARTS.rules)
    assert np.array_equal(seen.numpy(), shown.observations)


def test_with_foresight_it_sees_what_each_action_would_do_too():
    shown = boards()
    sight = Sight(GAME, FEW)
    seen = sight.of(shown.observations, shown.copies(), PARTS.rules).numpy()
    assert seen.shape == (len(shown), sight.size)
    assert np.array_equal(seen[:, : GAME.observation.size], shown.observations)
    told = seen[:, GAME.observation.size :].reshape(len(shown), GAME.actions.size, sight.deed)
    real = shown.masks.sum(1) > 1
    assert np.array_equal(told[real][:, :, POSSIBLE], shown.masks[real])


@pytest.mark.parametrize("kind", ["flat", "structured"])
def test_a_new_network_with_foresight_does_what_looks_best_at_once(kind):
    sight = Sight(GAME, FEW)
    torch.manual_seed(0)
    player = Policy(Network(GAME, Shape(kind=kind, row=8, width=32, foresight=FEW), sight.deed), sight)
    chances = player.chances(boards())
    told = find("the_loop").foresight().foresee(boards().copies(), PARTS.rules, FEW)[:, :, 1]
    best = np.where(boards().masks == 1, told, -np.inf).max(1)
    second = np.sort(np.where(boards().masks == 1, told, -np.inf), 1)[:, -2]
    clear = (second < best - 0.05) & (boards().masks.sum(1) > 1)  # by 0.2 logits
    assert clear.any()
    assert (told[np.arange(len(best)), chances.argmax(1)] == best)[clear].all()


def test_the_order_of_the_cards_in_a_hand_does_not_matter():
    shown = boards()
    block = GAME.observation["hand"]
    hands = shown.observations[:, block.slice].reshape(-1, *block.shape)
    turned = shown.observations.copy()
    turned[:, block.slice] = hands[:, ::-1].reshape(len(hands), -1)
    torch.manual_seed(0)
    player = Network(GAME, Shape(row=8, width=32))
    (first, value), (second, other) = player(torch.from_numpy(shown.observations)), player(torch.from_numpy(turned))
    cards = GAME.actions["hand"].slice
    assert torch.allclose(value, other, atol=1e-5)
    assert torch.allclose(first[:, cards.stop :], second[:, cards.stop :], atol=1e-5)
    turn = first[:, cards] - second[:, cards]  # each card takes its score along
    assert turn.abs().max() > 1e-4
    assert torch.allclose(turn, -turn.flip(1), atol=1e-5)


# -- lessons ---------------------------------------------------------------------------------------
def test_advice_is_shared_out_among_possible_actions_and_is_most_for_the_choice():
    shown = boards()
    planner = Planner(FEW)
    advice = planner.advise(shown)
    assert advice.sum(1) == pytest.approx(1, abs=1e-5)
    assert (advice[shown.masks == 0] == 0).all()
    shown = boards()
    assert np.array_equal(advice.max(1), advice[np.arange(len(shown)), planner.act(shown)])
    assert (advice.max(1) < 0.999).any()


def test_a_player_without_scores_recommends_what_it_does():
    advice = load("scripted", "the_loop").advise(boards())
    assert (advice.max(1) == 1).all()
    assert (advice.sum(1) == 1).all()


def student(teacher: str, *, teacher_plays: bool, **shape) -> Student:
    return Student(load(teacher, "the_loop"), Policy(network(**shape), Sight(GAME, 0)), teacher_plays)


def test_lessons_are_the_decisions_with_a_choice_and_what_the_games_earned():
    heard: list[tuple[int, int]] = []
    taught = student(f"planner@{FEW}", teacher_plays=True)
    lessons = watch(taught, PARTS, np.arange(6), 1.0, lambda *told: heard.append(told))
    assert heard[-1][0] == 6
    assert len(lessons) == len(lessons.masks) == len(lessons.advice) == len(lessons.returns)
    assert lessons.masks.sum(1).min() > 1
    batch = Batch(GAME, PARTS.rules, PARTS.reward, 6)
    batch.start(np.arange(6))
    worth = np.zeros(6)
    find("the_loop").planner().value_games(batch.games, PARTS.rules, PARTS.reward["weights"], worth)
    first = lessons.returns[:6].numpy()
    assert np.array_equal(lessons.inputs[:6].numpy(), batch.observations.astype(np.float16))
    assert first[first < 0] == pytest.approx(-worth[first < 0], abs=1e-6)  # all that there was to lose


def test_a_student_learns_what_the_teacher_does():
    taught = student("scripted", teacher_plays=True, width=128)
    ppo = PPO(games=2, rollout=2, minibatch=4)
    trainer = Trainer(PARTS, taught.policy.network, taught.policy.sight, ppo, seed=1)
    lessons = watch(taught, PARTS, np.arange(8), 1.0, lambda *told: None)
    agreed = [share for share, _ in study(trainer, lessons, Pretrain(epochs=8, minibatch=64), 2e-3)]
    assert agreed[-1] > agreed[0] + 0.1
    assert agreed[-1] > 0.5


def test_later_the_student_plays_and_the_teacher_only_advises():
    taught = student(f"planner@{FEW}", teacher_plays=False)
    lessons = watch(taught, PARTS, np.arange(4), 1.0, lambda *told: None)
    own = play_match(taught.policy, PARTS, np.arange(4)).results["decisions"]
    assert 0 < len(lessons) <= own.sum()
    assert lessons.advice.float().sum(1).numpy() == pytest.approx(1, abs=0.01)


# -- the player ------------------------------------------------------------------------------------
@pytest.mark.parametrize("average", [1, 4])
def test_the_player_is_an_average_of_the_network_over_its_updates(average):
    ppo = PPO(games=8, rollout=8, minibatch=64, average=average)
    trainer = Trainer(PARTS, network(), Sight(GAME, 0), ppo, seed=1)
    before = trainer.network.value.weight.detach().clone()
    trainer.update()
    after = trainer.network.value.weight.detach()
    assert not torch.equal(before, after)
    assert torch.allclose(trainer.player.value.weight, before + (after - before) / average, atol=1e-7)
    assert trainer.player.value.weight.requires_grad is False
    trainer.settle()
    assert torch.equal(trainer.player.value.weight, after)


# -- hidden information ----------------------------------------------------------------------------
def test_a_trainer_sees_nothing_of_the_future():
    sights = []
    for luck in (0, 1):
        trainer = Trainer(PARTS, network(), Sight(GAME, FEW), PPO(games=32, rollout=2, minibatch=64), seed=3)
        if luck:
            shape = trainer.batch.games["luck"].shape
            trainer.batch.games["luck"] = np.random.default_rng(1).integers(1 << 60, size=shape, dtype=np.uint64)
        sights.append(trainer.see())
    assert torch.equal(*sights)


# -- players that are shipped ----------------------------------------------------------------------
def test_the_shipped_player_plays_and_beats_random():
    player = load("pretrained:the_loop", "the_loop")
    assert player.name == "pretrained:the_loop"
    won = play_match(player, find("the_loop").parts(), np.arange(20)).results["is_success"]
    assert won.sum() >= 8  # 70 % of many games; a random player wins none


def test_an_unknown_shipped_player_gets_one_sentence():
    with pytest.raises(UserError, match=r"'pretrained:chess' is unknown: 'chess' is not shipped; there are: the_loop"):
        load("pretrained:chess", "the_loop")
