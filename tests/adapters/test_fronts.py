"""All fronts show the same games."""

from __future__ import annotations

import random
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode, VectorEnv

import loop_env
from loop_env.adapters import aec, parallel, sb3

ID = "loop_env/TheLoop-v0"
OPTIONS = {"agents": 3, "reward": {"loss": -1, "shaping": "progress"}}
SEED, STEPS = 20, 160


def choose(mask: np.ndarray, step: int, game: int) -> int:
    """A legal action that depends on nothing but the mask, the step and the game."""
    legal = np.flatnonzero(mask)
    return int(legal[(step * 7 + game * 3) % len(legal)])


def disturb() -> None:
    """Use the global generators, which must not matter."""
    np.random.seed(random.randrange(1000))  # noqa: NPY002
    np.random.random(3)  # noqa: NPY002
    random.random()


# A trace is a list of (observation, mask, reward, ended); after an end the next game's first observation follows.
def single_trace(game: int) -> list:
    env = gym.make(ID, disable_env_checker=True, **OPTIONS)
    obs, info = env.reset(seed=SEED + game)
    trace = [(obs, info["action_mask"], 0.0, False)]
    for step in range(STEPS):
        disturb()
        obs, reward, ended, _, info = env.step(choose(info["action_mask"], step, game))
        trace.append((obs, info["action_mask"], reward, ended))
        if ended:
            obs, info = env.reset()
            trace.append((obs, info["action_mask"], 0.0, False))
    return trace


def vector_traces(games: int, threads: int) -> list[list]:
    env = gym.make_vec(ID, num_envs=games, threads=threads, **OPTIONS)
    obs, infos = env.reset(seed=SEED)
    traces = [[(obs[i], infos["action_mask"][i], 0.0, False)] for i in range(games)]
    steps = [0] * games
    while min(steps) < STEPS:
        disturb()
        over = [trace[-1][3] for trace in traces]
        actions = np.array([choose(infos["action_mask"][i], steps[i], i) for i in range(games)])
        obs, rewards, ended, truncated, infos = env.step(actions)
        assert not truncated.any()
        for i in range(games):
            steps[i] += not over[i]  # the step after an end only brings the next game
            traces[i].append((obs[i], infos["action_mask"][i], rewards[i], bool(ended[i])))
    return traces


def sb3_traces(games: int, threads: int) -> list[list]:
    env = sb3.make("the_loop", games, threads=threads, seed=SEED, **OPTIONS)
    obs = env.reset()
    masks = env.env_method("action_masks")
    traces = [[(obs[i], masks[i], 0.0, False)] for i in range(games)]
    for step in range(STEPS):
        disturb()
        actions = np.array([choose(masks[i], step, i) for i in range(games)])
        obs, rewards, ended, infos = env.step(actions)
        masks = env.env_method("action_masks")
        for i in range(games):
            if ended[i]:
                traces[i].append((infos[i]["terminal_observation"], None, rewards[i], True))
                traces[i].append((obs[i], masks[i], 0.0, False))
            else:
                traces[i].append((obs[i], masks[i], rewards[i], False))
    return traces


def aec_trace(game: int) -> list:
    env = aec.env(**OPTIONS)
    env.reset(seed=SEED + game)
    first = env.observe(env.agent_selection)
    trace = [(first["observation"], first["action_mask"], 0.0, False)]
    for step in range(STEPS):
        disturb()
        env.step(choose(trace[-1][1], step, game))
        seen = env.observe(env.agent_selection)
        ended = any(env.terminations.values())
        trace.append((seen["observation"], seen["action_mask"], env.rewards[env.agent_selection], ended))
        if ended:
            env.reset()
            seen = env.observe(env.agent_selection)
            trace.append((seen["observation"], seen["action_mask"], 0.0, False))
    return trace


def assert_same(one: list, two: list) -> None:
    length = min(len(one), len(two))
    assert length > STEPS
    assert any(ended for *_, ended in one[:length])
    for a, b in zip(one[:length], two[:length], strict=True):
        assert np.array_equal(a[0], b[0])
        assert a[1] is None or b[1] is None or np.array_equal(a[1].astype(bool), b[1].astype(bool))
        assert a[2] == pytest.approx(b[2], abs=1e-7)
        assert a[3] == b[3]


@pytest.fixture(scope="module")
def traces() -> list[list]:
    return [single_trace(game) for game in range(5)]


@pytest.mark.parametrize(("games", "threads"), [(1, 1), (2, 1), (5, 1), (5, 2), (5, 4)])
@pytest.mark.parametrize("front", [vector_traces, sb3_traces])
def test_vector_fronts_play_the_same_games_as_single_ones(front, games, threads, traces, monkeypatch):
    monkeypatch.setattr("loop_env.engine.batch.SMALLEST_PART", 1)
    for game, trace in enumerate(front(games, threads)):
        assert_same(traces[game], trace)


@pytest.mark.parametrize("game", range(3))
def test_the_aec_front_plays_the_same_games(game, traces):
    assert_same(traces[game], aec_trace(game))


# -- gymnasium's vector environment ----------------------------------------------------------------
def test_make_vec_gives_the_batched_core():
    env = gym.make_vec(ID, num_envs=7)
    assert isinstance(env, VectorEnv)
    assert type(env.unwrapped).__name__ == "GameVectorEnv"
    assert env.metadata["autoreset_mode"] == AutoresetMode.NEXT_STEP
    obs, infos = env.reset(seed=1)
    assert obs.shape == env.observation_space.shape == (7, env.single_observation_space.shape[0])
    assert env.observation_space.contains(obs)
    assert infos["action_mask"].dtype == np.int8
    assert infos["_action_mask"].all()


def test_arrays_of_a_step_stay_as_they_are():
    env = gym.make_vec(ID, num_envs=3)
    obs, infos = env.reset(seed=1)
    kept = obs.copy(), infos["action_mask"].copy()
    for step in range(30):
        _, _, _, _, later = env.step(np.array([choose(mask, step, 0) for mask in infos["action_mask"]]))
        infos = later
    assert np.array_equal(obs, kept[0])


def test_vector_episode_ends():
    games = 6
    env = gym.make_vec(ID, num_envs=games, reward={"loss": -1})
    _, infos = env.reset(seed=3)
    lengths, over, seen = np.zeros(games, int), np.zeros(games, bool), 0
    for step in range(300):
        actions = np.array([choose(mask, step, i) for i, mask in enumerate(infos["action_mask"])])
        before = env.unwrapped.batch.games["seed"].copy()
        _, rewards, ended, _, infos = env.step(actions)
        lengths = np.where(over, 0, lengths + 1)
        assert (rewards[over] == 0).all()
        assert not ended[over].any()
        assert (env.unwrapped.batch.games["seed"][over] != before[over]).all()
        if ended.any():
            assert (infos["_outcome"] == ended).all()
            assert (infos["_episode_length"] == ended).all()
            assert (infos["episode_length"][ended] == lengths[ended]).all()
            assert (infos["decisions"][ended] == lengths[ended]).all()
            assert set(infos["outcome"][ended]) <= {"won", "second_vortex", "fourth_vortex", "out_of_time"}
            assert (rewards[ended] == np.where(infos["is_success"][ended], 1, -1)).all()
            assert (infos["episode_return"][ended] == rewards[ended]).all()
            seen += ended.sum()
        else:
            assert "outcome" not in infos
        over = ended
    assert seen > 10


def test_vector_wrappers_of_gymnasium_work():
    env = gym.wrappers.vector.RecordEpisodeStatistics(gym.make_vec(ID, num_envs=4))
    _, infos = env.reset(seed=3)
    ends = 0
    for step in range(150):
        actions = np.array([choose(mask, step, i) for i, mask in enumerate(infos["action_mask"])])
        _, _, ended, _, infos = env.step(actions)
        ends += ended.sum()
        if ended.any():
            assert (infos["episode"]["l"][ended] > 5).all()
    assert ends > 0


def test_seeds_of_vectors():
    env = gym.make_vec(ID, num_envs=3)
    by_number, _ = env.reset(seed=5)
    by_list, _ = env.reset(seed=[5, 6, 7])
    assert np.array_equal(by_number, by_list)
    following, _ = env.reset()
    assert not np.array_equal(by_list, following)
    with pytest.raises(loop_env.UserError, match="2 seeds were given for 3 games"):
        env.reset(seed=[1, 2])


@pytest.mark.parametrize("options", [{"num_envs": 0}, {"num_envs": 2, "threads": 0}])
def test_senseless_numbers_get_a_sentence(options):
    with pytest.raises(loop_env.UserError, match="must be at least 1"):
        gym.make_vec(ID, **options)


@pytest.mark.parametrize("actions", [[1, 2], [1, 2, 3, 4], 5, [[1], [2], [3]], [1.0, 2.0, 3.0]])
def test_a_wrong_number_or_kind_of_actions_gets_a_sentence(actions):
    env, other = gym.make_vec(ID, num_envs=3), sb3.make("the_loop", 3)
    env.reset(seed=1)
    other.reset()
    for front in (env, other):
        with pytest.raises(loop_env.UserError, match="actions must be 3 whole numbers, one for each game"):
            front.step(np.array(actions))


def test_an_unknown_option_gets_a_sentence():
    for make in (lambda **o: gym.make_vec(ID, num_envs=2, **o), lambda **o: sb3.make("the_loop", 2, **o), aec.env):
        with pytest.raises(loop_env.UserError, match="option 'levl' is unknown here; did you mean 'level'"):
            make(levl=2)


# -- stable-baselines3 -----------------------------------------------------------------------------
def test_sb3_check_env():
    from stable_baselines3.common.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gym.make(ID).unwrapped)


def test_sb3_episode_ends():
    env = sb3.make("the_loop", 6, seed=3, reward={"loss": -1})
    env.reset()
    lengths, seen = np.zeros(6, int), 0
    for step in range(250):
        actions = [choose(mask, step, i) for i, mask in enumerate(env.env_method("action_masks"))]
        obs, rewards, ended, infos = env.step(np.array(actions))
        lengths += 1
        for i in range(6):
            if ended[i]:
                info = infos[i]
                assert info["episode"] == {"r": rewards[i], "l": lengths[i]}
                assert info["is_success"] is (info["outcome"] == "won")
                assert info["terminal_observation"].shape == obs[i].shape
                assert not np.array_equal(info["terminal_observation"], obs[i])
                arrays = [key for key, value in info.items() if isinstance(value, np.ndarray)]
                assert arrays == ["terminal_observation"]
                lengths[i], seen = 0, seen + 1
            else:
                assert infos[i] == {}
    assert seen > 10


def test_what_a_wrapper_writes_into_infos_is_not_seen_again():
    env = sb3.make("the_loop", 2, seed=3)
    env.reset()
    for step in range(3):
        actions = [choose(mask, step, i) for i, mask in enumerate(env.env_method("action_masks"))]
        infos = env.step(np.array(actions))[3]
        assert infos == [{}, {}]
        infos[0]["mine"] = step


def test_sb3_tells_of_illegal_actions():
    env = sb3.make("the_loop", 2, seed=3)
    env.reset()
    illegal = int(np.flatnonzero(~env.env_method("action_masks")[0])[0])
    legal = choose(env.env_method("action_masks")[1], 0, 0)
    _, rewards, _, infos = env.step(np.array([illegal, legal]))
    assert infos == [{"illegal_action": True}, {}]
    assert rewards[0] == pytest.approx(-0.01)


def test_env_method_hands_over_the_whole_batch():
    env = sb3.make("the_loop", 4, seed=1)
    env.reset()
    masks = env.env_method("action_masks")
    assert masks.shape == (4, env.action_space.n)
    assert masks.dtype == np.bool_
    assert np.shares_memory(masks, env.batch.masks)
    assert len(env.env_method("action_masks", indices=[1, 2])) == 2
    assert env.has_attr("action_masks")
    assert not env.has_attr("nonsense")


def test_maskable_ppo_learns_and_is_evaluated():
    import torch
    from sb3_contrib import MaskablePPO
    from sb3_contrib.common.maskable.evaluation import evaluate_policy
    from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

    torch.set_num_threads(1)
    env = VecNormalize(VecMonitor(sb3.make("the_loop", 16, seed=0, reward={"shaping": "progress"})), norm_obs=False)
    model = MaskablePPO(
        "MlpPolicy", env, n_steps=32, batch_size=128, n_epochs=1, seed=0, policy_kwargs={"net_arch": [32]}
    )
    before = [p.clone() for p in model.policy.parameters()]
    model.learn(1024)
    assert model.num_timesteps == 1024
    assert any(not torch.equal(a, b) for a, b in zip(before, model.policy.parameters(), strict=True))
    assert model.ep_success_buffer is not None
    assert len(model.ep_info_buffer) > 0
    env.training = False
    rewards, lengths = evaluate_policy(
        model, VecMonitor(sb3.make("the_loop", 4, seed=9)), 8, return_episode_rewards=True
    )
    assert len(rewards) == 8
    assert set(rewards) <= {0.0, 1.0}
    assert min(lengths) > 3


# -- PettingZoo ------------------------------------------------------------------------------------
def test_pettingzoo_api():
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in ("Observation is not", "Observation space for each agent probably should be"):
            warnings.filterwarnings("ignore", message=text)  # a dict with a mask, as in PettingZoo's own games
        api_test(aec.env(agents=3), num_cycles=200)
    seed_test(lambda: aec.env(agents=2), num_cycles=100)


def test_pettingzoo_max_cycles():
    from pettingzoo.test import max_cycles_test, parallel_api_test

    max_cycles_test(parallel)
    parallel_api_test(parallel.parallel_env(max_cycles=50), num_cycles=100)


def test_the_reward_is_shared_and_the_mask_belongs_to_the_decider():
    env = aec.env(agents=3, reward={"loss": -1})
    env.reset(seed=2)
    deciders, totals, step = set(), dict.fromkeys(env.possible_agents, 0.0), 0
    for agent in env.agent_iter():
        seen, reward, ended, truncated, info = env.last()
        totals[agent] += reward
        if ended or truncated:
            assert info["outcome"] in ("second_vortex", "fourth_vortex")
            env.step(None)
            continue
        for other in env.agents:
            assert env.observe(other)["action_mask"].any() == (other == agent)
        deciders.add(agent)
        env.step(choose(seen["action_mask"], step, 0))
        step += 1
    assert len(deciders) == 3
    assert set(totals.values()) == {-1.0}


def test_every_seat_sees_the_table_from_its_own_era():
    env = aec.raw_env(agents=["mister_time", "time_prowler"])
    env.reset(seed=2)
    one, two = (env.observe(agent)["observation"] for agent in env.possible_agents)
    assert not np.array_equal(one, two)
    assert env.observation_space("player_0").contains(env.observe("player_0"))


def test_pettingzoo_fronts_with_numbers_of_agents_that_change():
    """With agents="any" only those who play are there."""
    from pettingzoo.test import api_test, parallel_api_test

    api_test(aec.raw_env(agents="any"), num_cycles=300)
    parallel_api_test(parallel.parallel_env(agents="any"), num_cycles=300)
    env, numbers = parallel.parallel_env(agents="any"), set()
    for seed in range(20):
        observations, _ = env.reset(seed=seed)
        numbers.add(len(observations))
        assert set(observations) == set(env.agents)
    assert numbers == {2, 3, 4}
    env.reset(seed=next(seed for seed in range(50) if len(env.reset(seed=seed)[0]) == 2))
    assert env.agents == ["player_0", "player_1"]
    with pytest.raises(loop_env.UserError, match="'player_3' does not play in this game"):
        env.game.observe("player_3")
