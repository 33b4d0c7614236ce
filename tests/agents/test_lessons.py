"""What a network sees, learning from a teacher, and what a trainer makes of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.base import Boards
from agents.match import Match, play_match
from agents.network import LOOKS, Network
from agents.planner import Planner
from agents.policy import Policy
from agents.ppo import Report, Trainer
from agents.pretrain import TEACHER_SEEDS, Student, study, watch
from agents.registry import load
from agents.settings import PPO, Pretrain, Settings
from agents.settings import Network as Shape
from agents.sight import Seen, Sight, together
from loop_env import UserError
from loop_env.engine.batch import Batch
from loop_env.engine.foresight import CHOICE
from loop_env.engine.luck import player_streams, reseed
from loop_env.games import find

GAME = find("the_loop").game()
PARTS = find("the_loop").parts(reward={"shaping": "value", "gamma": 1})
FEW = 40  # positions


def network(**shape) -> Network:
    torch.manual_seed(0)
    return Network(GAME, Shape(**{"kind": "flat", "width": 32, "layers": 1} | shape), Sight(GAME, 0))


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


def see(shown: Boards, foresight: int) -> Seen:
    """What a network sees of them."""
    return Sight(GAME, foresight).of(shown.observations, shown.masks, shown.copies(), PARTS.rules)


# -- sight -----------------------------------------------------------------------------------------
def test_without_foresight_a_network_sees_the_observation():
    shown = boards()
    seen = see(shown, 0)
    assert np.array_equal(seen.tables.numpy(), shown.observations)
    assert np.array_equal(seen.masks.numpy(), shown.masks == 1)
    assert seen.deeds is None


def test_with_foresight_it_sees_what_each_action_would_do_too():
    shown = boards()
    seen, sight = see(shown, FEW), Sight(GAME, FEW)
    now, deeds = find("the_loop").foresight().foresee(boards().copies(), PARTS.rules, FEW)
    assert seen.tables.shape == (len(shown), sight.size)
    assert np.array_equal(seen.tables.numpy(), np.concatenate([shown.observations, now], 1))
    assert np.array_equal(seen.deeds.numpy(), deeds)
    assert deeds.shape == (shown.masks.sum(), sight.deed)
    assert deeds[:, CHOICE].any()


def test_positions_keep_their_deeds_when_some_are_picked_or_put_together():
    seen = see(boards(), FEW)
    picked = seen.rows(torch.tensor([7, 2, 2, 11]))
    alone = together([see_row(seen, i) for i in (7, 2, 2, 11)])
    assert len(picked) == 4
    for ours, theirs in ((picked.tables, alone.tables), (picked.masks, alone.masks), (picked.deeds, alone.deeds)):
        assert torch.equal(ours, theirs)


def see_row(seen: Seen, i: int) -> Seen:
    """One position, cut out by hand."""
    own = seen.masks.nonzero()[:, 0] == i
    return Seen(seen.tables[i : i + 1], seen.masks[i : i + 1], seen.deeds[own])


def test_a_position_is_judged_alike_in_any_company():
    seen = see(boards(), FEW)
    torch.manual_seed(0)
    judge = Network(GAME, Shape(row=8, width=32, foresight=FEW), Sight(GAME, FEW))
    logits, values = judge(seen)
    some = torch.tensor([13, 0, 5])
    for ours, theirs in zip(judge(seen.rows(some)), (logits[some], values[some]), strict=True):
        assert torch.allclose(ours, theirs, atol=1e-5)


@pytest.mark.parametrize("table", ["hand", "row", "agents", "eras"])
def test_empty_rows_are_encoded_as_if_they_were_looked_at_one_by_one(table):
    shown = torch.from_numpy(boards().observations)
    encoder = network(kind="structured", row=8).encoder
    for layers in encoder.encoders.values():
        torch.nn.init.uniform_(layers[0].bias, -1, 1)  # so that nothing is not 0
    block = GAME.observation[table]
    rows = shown[:, block.slice].reshape(-1, *block.shape)
    assert torch.allclose(encoder.encode(shown, table), encoder.encoders[str(block.shape[1])](rows), atol=1e-6)


@pytest.mark.parametrize("kind", ["flat", "structured"])
def test_a_new_network_with_foresight_does_what_looks_best_at_once(kind):
    sight = Sight(GAME, FEW)
    torch.manual_seed(0)
    player = Policy(Network(GAME, Shape(kind=kind, row=8, width=32, foresight=FEW), sight), sight)
    chances = player.chances(boards())
    told = np.zeros(boards().masks.shape)
    told[boards().masks.nonzero()] = see(boards(), FEW).deeds[:, LOOKS]
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
    player = network(kind="structured", row=8)
    possible = torch.from_numpy(shown.masks).bool()
    (first, value), (second, other) = (
        player(Seen(torch.from_numpy(each), possible)) for each in (shown.observations, turned)
    )
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
    assert len(lessons) == len(lessons.seen) == len(lessons.advice) == len(lessons.returns)
    assert lessons.seen.masks.sum(1).min() > 1
    batch = Batch(GAME, PARTS.rules, PARTS.reward, 6)
    batch.start(np.arange(6))
    worth = np.zeros(6)
    find("the_loop").planner().value_games(batch.games, PARTS.rules, PARTS.reward["weights"], worth)
    first = lessons.returns[:6].numpy()
    assert np.array_equal(lessons.seen.tables[:6].numpy(), batch.observations.astype(np.float16))
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
    before = trainer.network.heads.layer.weight.detach().clone()
    trainer.update()
    after = trainer.network.heads.layer.weight.detach()
    assert not torch.equal(before, after)
    assert torch.allclose(trainer.player.heads.layer.weight, before + (after - before) / average, atol=1e-7)
    assert trainer.player.heads.layer.weight.requires_grad is False
    trainer.settle()
    assert torch.equal(trainer.player.heads.layer.weight, after)


# -- luck ------------------------------------------------------------------------------------------
def trainer_with(redraws: int, **ppo) -> Trainer:
    """A trainer whose network sees no value in anything: what is expected are rewards."""
    own = network()
    for parameter in own.parameters():
        torch.nn.init.zeros_(parameter)
    settings = PPO(**{"games": 64, "rollout": 32, "minibatch": 64, "redraws": redraws} | ppo)
    return Trainer(PARTS, own, Sight(GAME, 0), settings, seed=1)


def test_training_plays_no_game_that_an_evaluation_plays():
    settings = Settings(ppo=PPO(games=64))
    trainer = Trainer(PARTS, network(), Sight(GAME, 0), settings.ppo, seed=0)
    first = trainer.batch.games["seed"].min()
    assert first > settings.evaluate.seed + settings.evaluate.games
    assert first > TEACHER_SEEDS


def test_only_ends_of_turns_are_judged_by_other_draws_and_no_game_is_changed_by_that():
    plain, judged = trainer_with(0), trainer_with(3)
    turns = []
    for trainer in (plain, judged):
        trainer.roll_out(Report())
        turns.append(trainer.batch.games["turn"].copy())
    assert torch.equal(plain.memory.actions, judged.memory.actions)
    assert torch.equal(plain.memory.rewards, judged.memory.rewards)
    assert np.array_equal(*turns)
    assert plain.memory.expected.isnan().all()
    known = ~judged.memory.expected.isnan()
    assert known.any()
    assert known[judged.memory.ended == 1].all()
    names = {GAME.actions.block_of(int(action))[0].name for action in judged.memory.actions[known]}
    assert "stop" in names
    assert names <= {"stop", "row", "take_nothing", "archive", "do_not_archive", "yes", "no"}


def test_what_is_expected_is_the_average_over_draws_of_luck():
    trainer = trainer_with(2000)
    stops = np.full(64, GAME.actions["stop"].start)
    able = np.flatnonzero(trainer.batch.masks[:, stops[0]])[:8]
    games = trainer.batch.games[able].copy()
    before = games.copy()
    told = trainer.average_luck(games, stops[able], able).numpy()
    assert np.array_equal(games, before)
    sums = np.zeros(len(able))
    for draw in range(2000):
        trial = Batch(GAME, PARTS.rules, PARTS.reward, len(able))
        trial.games[:] = games
        reseed(
            trial.games, player_streams(np.uint64(99), np.arange(len(able), dtype=np.uint64) + np.uint64(1000 * draw))
        )
        trial.look()
        trial.step(stops[able])
        sums += trial.rewards
    assert np.abs(sums).max() > 1  # luck is worth something
    assert told == pytest.approx(sums / 2000, abs=0.005)


def test_advantages_take_what_is_expected_in_place_of_what_came():
    trainer = trainer_with(1, gamma=0.5, trace=0.5, rollout=3, games=32)
    memory = trainer.memory
    memory.rewards[:] = torch.tensor([1.0, 2.0, 4.0])[:, None]
    memory.values[:] = torch.tensor([1.0, 1.0, 1.0, 2.0])[:, None]
    memory.ended[:] = 0
    memory.expected[:] = torch.nan
    memory.expected[1] = 7.0
    trainer.judge()
    last = 4 + 0.5 * 2 - 1
    middle = 7 - 1 + 0.25 * last
    first = 1 + 0.5 * 1 - 1 + 0.25 * middle
    assert torch.equal(memory.advantages[:, 0], torch.tensor([first, middle, last]))


# -- hidden information ----------------------------------------------------------------------------
def test_a_trainer_sees_nothing_of_the_future():
    sights = []
    for luck in (0, 1):
        trainer = Trainer(PARTS, network(), Sight(GAME, FEW), PPO(games=32, rollout=2, minibatch=64), seed=3)
        if luck:
            shape = trainer.batch.games["luck"].shape
            trainer.batch.games["luck"] = np.random.default_rng(1).integers(1 << 60, size=shape, dtype=np.uint64)
        sights.append(trainer.see())
    first, second = sights
    assert torch.equal(first.tables, second.tables)
    assert torch.equal(first.deeds, second.deeds)


# -- players that are shipped ----------------------------------------------------------------------
def test_the_shipped_player_plays_and_beats_random():
    player = load("pretrained:the_loop", "the_loop")
    assert player.name == "pretrained:the_loop"
    won = play_match(player, find("the_loop").parts(), np.arange(20)).results["is_success"]
    assert won.sum() >= 8  # 70 % of many games; a random player wins none


@pytest.mark.parametrize("mode", ["sabotage", "supa_clones", "centrifuges", "ultramachina"])
def test_the_shipped_player_of_all_modes_wins_in_each(mode):
    results = play_match(
        load("pretrained:the_loop_all_modes", "the_loop"),
        find("the_loop").parts(mode=mode, agents="any"),
        np.arange(20),
    ).results
    assert set(results["players"]) == {2, 3, 4}
    assert results["is_success"].sum() >= 4  # a random player wins none


def test_an_unknown_shipped_player_gets_one_sentence():
    with pytest.raises(
        UserError,
        match=r"'pretrained:chess' is unknown: 'chess' is not shipped; there are: the_loop, the_loop_all_modes",
    ):
        load("pretrained:chess", "the_loop")
