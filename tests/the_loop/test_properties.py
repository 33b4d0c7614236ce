"""What must hold in every game, whatever is played."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loop_env.engine.batch import NEXT_STEP, SAME_STEP, Batch
from loop_env.engine.fuzz import Fuzzer, digest
from loop_env.the_loop import TheLoopEnv, commands
from loop_env.the_loop.laws import LAWS, broken_law
from loop_env.the_loop.state import BAG, N_CARDS, N_PILES

SETUPS = commands.setups()
seeds, setups = st.integers(0, 2**64 - 1), st.sampled_from(SETUPS)
paths = st.lists(st.integers(0, 2**16), max_size=150)


def batch_of(setup, seed, **options):
    batch = Batch(commands.game(), setup.rules.copy(), commands.reward(), **options)
    batch.start(np.array([seed] * batch.count, np.uint64))
    return batch


def follow(batch, path):
    """Play: each number of the path picks one of the legal actions."""
    for number in path:
        legal = np.flatnonzero(batch.masks[0])
        batch.step(np.full(batch.count, legal[number % len(legal)]))
        yield batch


def env_after(setup, seed, path):
    """An environment in the position that the path leads to."""
    env = TheLoopEnv()
    env.batch = batch_of(setup, seed)
    for _ in follow(env.batch, path):
        pass
    return env


@settings(max_examples=60, deadline=None)
@given(setups, seeds, paths)
def test_conservation_laws(setup, seed, path):
    """30 rift and 30 energy cubes, 28 clones, 79 cards, and a mask bit at least: counted by hand, not by the laws."""
    batch = batch_of(setup, seed)
    for _ in follow(batch, path):
        g = batch.games[0]
        assert g.rifts.sum() + g.fallen.sum() + g.rift_supply + g.damage_red.sum() == 30
        assert (g.energy - g.eternal).sum() + g.energy_supply + (g.damage - g.damage_red).sum() == 30
        plain, supa = g.clone_at[:28], g.clone_at[28:]
        assert ((plain >= BAG) & (plain < 7)).sum() == 28
        assert g.clones.sum() + (plain == BAG).sum() == 28 + (supa >= 0).sum()
        assert g.eternal.sum() + g.eternal_supply == setup.rules["eternal_energy"][0, g.mode, g.level]
        assert np.bincount(g.place, minlength=N_PILES).sum() == N_CARDS == 79
        assert g.pile_size.sum() == 79
        assert batch.masks[0].any()
        assert LAWS[broken_law(g, batch.rules[0])] == LAWS[0]


@settings(max_examples=40, deadline=None)
@given(setups, seeds, paths)
def test_same_seed_and_actions_give_the_same_record(setup, seed, path):
    one, two = batch_of(setup, seed), batch_of(setup, seed)
    for _ in zip(follow(one, path), follow(two, path), strict=True):
        assert one.games.tobytes() == two.games.tobytes()
        assert one.observations.tobytes() == two.observations.tobytes()


@settings(max_examples=40, deadline=None)
@given(setups, seeds, paths, st.integers(-5, 200))
def test_an_illegal_action_changes_nothing(setup, seed, path, action):
    batch = batch_of(setup, seed)
    for _ in follow(batch, path):
        pass
    if 0 <= action < batch.masks.shape[1] and batch.masks[0, action]:
        return
    before = batch.games.tobytes(), batch.observations.tobytes(), batch.masks.tobytes()
    over = bool(batch.games["outcome"][0])
    batch.step(np.array([action]))
    assert (batch.games.tobytes(), batch.observations.tobytes(), batch.masks.tobytes()) == before
    assert bool(batch.illegal[0]) is not over


@settings(max_examples=40, deadline=None)
@given(setups, seeds, paths, seeds)
def test_games_that_differ_in_luck_alone_look_the_same(setup, seed, path, other_seed):
    """Nothing hidden is stored but luck: with other luck, the observation, the mask and the view stay as they are."""
    env = env_after(setup, seed, path)
    before = env.batch.observations.tobytes(), env.batch.masks.tobytes(), env.view(), env.draw(), env.legal_actions()
    env.resample_hidden(other_seed)
    env.batch.look()
    after = env.batch.observations.tobytes(), env.batch.masks.tobytes(), env.view(), env.draw(), env.legal_actions()
    assert before == after


@settings(max_examples=30, deadline=None)
@given(setups, seeds, paths, paths)
def test_save_and_restore_are_exact(setup, seed, path, further):
    env = env_after(setup, seed, path)
    blob = env.save()
    ends = []
    for _ in range(2):
        env.restore(blob)
        assert env.save() == blob
        for _ in follow(env.batch, further):
            pass
        ends.append(env.save())
    assert ends[0] == ends[1]


@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.title)
def test_every_random_game_ends_and_keeps_the_laws(setup):
    fuzzer = Fuzzer(commands.game(), setup.rules, commands.decision_bound())
    for games, breaches in fuzzer.run(150, seed=10**6):
        assert breaches == []
        assert (games["outcome"] > 0).all()
        assert games["decisions"].max() < commands.decision_bound()


def test_fuzzing_finds_what_is_broken():
    """Break a law on purpose: a machine whose rifts come from nowhere."""
    setup = SETUPS[0]
    rules = setup.rules.copy()
    fuzzer = Fuzzer(commands.game(), rules, commands.decision_bound())
    fuzzer.game.blank["energy"] = 1  # 7 cubes too many
    try:
        _, breaches = next(fuzzer.run(3, seed=5))
    finally:
        fuzzer.game.blank["energy"] = 0
    assert [breach.seed for breach in breaches] == [5, 6, 7]
    assert {breach.law for breach in breaches} == {LAWS[2]}
    _, breaches = next(Fuzzer(commands.game(), rules, 3).run(3, seed=5))
    assert {breach.law for breach in breaches} == {"a game ends within 3 decisions"}


def test_gentle_games_reach_every_part_of_the_game():
    """The fuzzing setups are worth something only if they get to drafts, wins and the third cycle."""
    outcomes, archived, won = set(), 0, Counter()
    for setup in SETUPS:
        fuzzer = Fuzzer(commands.game(), setup.rules, commands.decision_bound())
        for games, _ in fuzzer.run(100, seed=0):
            outcomes |= set(games["outcome"].tolist())
            archived += int(games["archived"].sum())
            won[setup.title.split(",")[0]] += int((games["outcome"] == 1).sum())
    assert outcomes == {1, 2, 3, 4}
    assert archived > 500
    assert min(won.values()) > 0, won  # every mode


@pytest.mark.parametrize("autoreset", [NEXT_STEP, SAME_STEP])
def test_autoreset(autoreset):
    """The next game's first observation comes with the next step, or with the same one; either way it is the same."""
    batch = batch_of(SETUPS[0], 3, count=2, autoreset=autoreset)
    rng = np.random.default_rng(1)
    fresh = Batch(commands.game(), SETUPS[0].rules, commands.reward())
    ended = 0
    for _ in range(400):
        seeds_before, over = batch.games["seed"].copy(), batch.games["outcome"] > 0
        actions = [rng.choice(np.flatnonzero(mask)) for mask in batch.masks]
        batch.step(np.array(actions))
        new = np.flatnonzero(over if autoreset == NEXT_STEP else batch.ended)
        for i in new:
            ended += 1
            fresh.start(batch.games["seed"][[i]])
            assert batch.games["seed"][i] != seeds_before[i]
            assert (fresh.observations[0] == batch.observations[i]).all()
            assert fresh.games.tobytes() == batch.games[[i]].tobytes()
            if autoreset == SAME_STEP:
                assert batch.finished["outcome"][i] > 0
                assert batch.last_observations[i].any()
    assert ended > 5


@pytest.mark.parametrize("threads", [1, 2, 3])
def test_threads_and_numbers_of_games_do_not_matter(threads, monkeypatch):
    monkeypatch.setattr("loop_env.engine.batch.SMALLEST_PART", 1)

    def run(count, threads):
        batch = Batch(commands.game(), SETUPS[1].rules, commands.reward(), count, NEXT_STEP, threads)
        batch.start(np.arange(count))
        for step in range(150):
            actions = [np.flatnonzero(mask)[step % mask.sum()] for mask in batch.masks]
            batch.step(np.array(actions))
        return batch

    whole, part = run(7, threads), run(3, 1)
    assert len(whole.parts) == threads
    assert whole.games[:3].tobytes() == part.games.tobytes()
    assert (whole.observations[:3] == part.observations).all()


def uncompiled(games: int, setup: str) -> str:
    command = [
        sys.executable,
        "-m",
        "loop_env",
        "fuzz",
        "the_loop",
        "--digest",
        "--games",
        str(games),
        "--setup",
        setup,
    ]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONWARNINGS": "ignore"}
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout.strip()


SAMPLE = [SETUPS[0], *SETUPS[47::48]]  # plain sabotage; the gentle, solo, level 2 or 3 ends of the list


@pytest.mark.parametrize("setup", SAMPLE, ids=lambda setup: setup.title)
def test_compiled_and_uncompiled_rules_play_the_same_games(setup):
    compiled = f"{setup.title} {digest(commands.game(), setup.rules, commands.reward(), 3, 0)}"
    assert uncompiled(3, setup.title) == compiled


@pytest.mark.slow
@pytest.mark.parametrize("setup", SETUPS, ids=lambda setup: setup.title)
def test_compiled_and_uncompiled_rules_play_many_same_games(setup):
    compiled = f"{setup.title} {digest(commands.game(), setup.rules, commands.reward(), 4, 0)}"
    assert uncompiled(4, setup.title) == compiled
