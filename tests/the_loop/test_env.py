"""The gymnasium environment."""

from __future__ import annotations

import random
import subprocess
import sys
import warnings

import gymnasium as gym
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import loop_env
from loop_env.the_loop import Reward, TheLoopEnv, position
from loop_env.the_loop.actions import ACTIONS
from loop_env.the_loop.features import FEATURES
from loop_env.the_loop.names import ERAS, EVENTS
from loop_env.the_loop.observation import CARD, ERA, OBSERVATION, PURPOSES
from loop_env.the_loop.options import set_up
from loop_env.the_loop.value import value, weigh

from .helpers import DATA, ME, OTHER, play, table

THE_LOOP_RULES = set_up(None)


def make(**options) -> TheLoopEnv:
    env = gym.make("loop_env/TheLoop-v0", **options).unwrapped
    assert isinstance(env, TheLoopEnv)
    return env


def play_randomly(env, seed, steps=10_000):
    """Random legal play: every observation, mask and reward."""
    rng = np.random.default_rng(seed)
    obs, info = env.reset(seed=seed)
    trace = [(obs, info["action_mask"], 0.0)]
    for _ in range(steps):
        obs, reward, terminated, truncated, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        trace.append((obs, info["action_mask"], reward))
        assert not truncated
        if terminated:
            break
    return trace, info


@pytest.mark.parametrize("agents", [2, 3, ["v_girl", "robot_404", "cztwyzzek", "mister_time"]])
def test_check_env_passes_without_warnings(agents):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(make(agents=agents, render_mode="ansi"))


def test_importing_is_quick_and_needs_neither_torch_nor_sb3():
    code = (
        "import time, sys; start = time.perf_counter(); import loop_env; took = time.perf_counter() - start; "
        "assert not {'torch', 'stable_baselines3', 'sb3_contrib', 'numba'} & set(sys.modules); print(took)"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert float(found.stdout) < 1


def test_masks_in_both_conventions():
    env = make()
    _, info = env.reset(seed=3)
    assert info["action_mask"].dtype == np.int8
    assert env.action_masks().dtype == np.bool_
    assert (env.action_masks() == info["action_mask"]).all()
    for _ in range(50):
        assert info["action_mask"][env.action_space.sample(info["action_mask"])]


def test_an_illegal_action_changes_nothing_and_costs_a_little():
    env = make()
    env.reset(seed=3)
    before, obs_before = env.save(), env.batch.observations.copy()
    for action in (*np.flatnonzero(~env.action_masks()), -1, 10_000):
        obs, reward, terminated, truncated, info = env.step(action)
        assert env.save() == before
        assert (obs == obs_before[0]).all()
        assert reward == pytest.approx(-0.01)
        assert info["illegal_action"] is True
        assert not terminated
        assert not truncated


def test_strict_raises_on_an_illegal_action():
    env = make(strict=True)
    env.reset(seed=3)
    illegal = int(np.flatnonzero(~env.action_masks())[0])
    with pytest.raises(loop_env.UserError, match=f"action {illegal} .*is not possible now; possible are: "):
        env.step(illegal)
    with pytest.raises(loop_env.UserError, match="action 999 is not possible now"):
        env.step(999)


def test_act_by_name():
    env = table(at={ME: "end"}, energy={"end": 1})
    env.act("Move: Dawn")
    assert env.view()["at"][ME] == "dawn"
    with pytest.raises(loop_env.UserError, match=r"'move: end' is not possible now; possible are: .*stop"):
        env.act("move: end")


def test_every_legal_action_has_a_name_of_its_own():
    for seed in range(20):
        env = make(agents=2 + seed % 3)
        rng = np.random.default_rng(seed)
        _, info = env.reset(seed=seed)
        for _ in range(60):
            names = env.legal_actions()
            assert len(set(names)) == len(names) > 0
            _, _, terminated, _, info = env.step(rng.choice(np.flatnonzero(info["action_mask"])))
            if terminated:
                break


def test_every_action_can_be_named_in_every_position():
    env = make()
    env.reset(seed=1)
    assert all(env.action_name(action) for action in range(ACTIONS.size))


def test_the_documented_names_of_actions():
    env = table(at={ME: "dawn"}, energy={"dawn": 1}, hand={ME: ["Spartan Shield"]})
    assert set(env.legal_actions()) == {
        "play: Spartan Shield", "move: medieval", "move: end", "free move: medieval", "free move: end",
        "loop: spiral", "loop: star", "loop: stripe", "ability", "stop",
    }  # fmt: skip


def test_same_seed_and_actions_give_the_same_game():
    traces = []
    for _ in range(2):
        np.random.seed(1)  # noqa: NPY002 (the global generators must not matter)
        random.seed(1)
        traces.append(play_randomly(make(), 11)[0])
        np.random.random()  # noqa: NPY002
    for one, two in zip(*traces, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, two, strict=True))


def test_no_global_random_state_is_touched():
    before = np.random.get_state()[1].copy(), random.getstate()  # noqa: NPY002
    play_randomly(make(), 5)
    assert (np.random.get_state()[1] == before[0]).all()  # noqa: NPY002
    assert random.getstate() == before[1]


def test_different_seeds_give_different_games():
    assert make().reset(seed=1)[0].tolist() != make().reset(seed=2)[0].tolist()


def test_reset_without_a_seed_goes_on_to_another_game():
    env = make()
    first, _ = env.reset(seed=1)
    second, _ = env.reset()
    env.reset(seed=1)
    again, _ = env.reset()
    assert first.tolist() != second.tolist()
    assert second.tolist() == again.tolist()


def test_save_and_restore_are_exact():
    env = make()
    env.reset(seed=9)
    for _ in range(5):
        env.step(np.flatnonzero(env.action_masks())[0])
    blob = env.save()
    path = [int(np.flatnonzero(env.action_masks())[-1])]
    first = [env.step(path[-1])]
    for _ in range(20):
        path.append(int(np.flatnonzero(env.action_masks())[-1]))
        first.append(env.step(path[-1]))
    other = make()
    other.reset(seed=1)
    other.restore(blob)
    assert other.save() == blob
    for action, (obs, reward, *_) in zip(path, first, strict=True):
        obs2, reward2, *_ = other.step(action)
        assert np.array_equal(obs, obs2)
        assert reward == reward2
    assert other.save() == env.save()


@pytest.mark.parametrize("blob", [b"", b"nonsense", b"loop_env the_loop 0000000000000000\n" + b"\0" * 776])
def test_a_foreign_or_truncated_save_is_refused(blob):
    env = make()
    env.reset(seed=1)
    before = env.save()
    damaged = before[:-40] + bytes(40)
    assert damaged != before
    for bad in (blob, before[:-1], damaged):
        with pytest.raises(loop_env.UserError, match="not a game saved by this version"):
            env.restore(bad)
    assert env.save() == before


def test_resample_hidden_keeps_the_table_and_changes_the_future():
    env = make()
    obs, _ = env.reset(seed=4)
    view, blob = env.view(), env.save()
    futures = set()
    for seed in range(20):
        env.restore(blob)
        env.resample_hidden(seed)
        env.batch.look()
        assert env.view() == view
        assert np.array_equal(env.batch.observations[0], obs)
        env.act("stop")
        while env.view()["phase"] != "action" and env.view()["outcome"] == "running":
            env.step(np.flatnonzero(env.action_masks())[-1])
        futures.add(env.view()["foo"])
    assert len(futures) > 2


def test_the_end_of_a_game_is_told():
    trace, info = play_randomly(make(), 3)
    assert info["outcome"] in ("second_vortex", "fourth_vortex", "out_of_time", "won")
    assert info["is_success"] is (info["outcome"] == "won")
    for counter in ("tiles", "vortices", "loops", "clones", "turns", "plays", "rifts", "energy"):
        assert isinstance(info[counter], int)
    assert info["decisions"] == len(trace) - 1
    assert trace[-1][1].any()


def test_a_step_after_the_end_does_nothing():
    env = make()
    play_randomly(env, 3)
    before = env.save()
    _, reward, terminated, _, info = env.step(0)
    assert reward == 0
    assert terminated
    assert info["outcome"] != "running"
    assert env.save() == before
    env.strict = True
    with pytest.raises(loop_env.UserError, match="the game is over"):
        env.step(0)


def test_a_step_before_the_first_reset_gets_a_sentence():
    with pytest.raises(loop_env.UserError, match=r"call reset\(\) before step"):
        TheLoopEnv().step(0)


@pytest.mark.parametrize("action", [1.5, "stop", None, np.array([1, 2]), float("nan")])
def test_an_action_is_a_whole_number(action):
    env = make()
    env.reset(seed=1)
    with pytest.raises(loop_env.UserError, match="is not a whole number"):
        env.step(action)


# -- observation -----------------------------------------------------------------------------------
def test_observations_stay_within_their_bounds():
    for seed in range(30):
        env = make(agents=2 + seed % 3)
        low, high = env.observation_space.low, env.observation_space.high
        for obs, _, _ in play_randomly(env, seed)[0]:
            assert obs.dtype == np.float32
            assert (obs >= low).all()
            assert (obs <= high).all()


def look(env, name):
    block = OBSERVATION[name]
    return env.batch.observations[0, block.slice].reshape(block.shape)


def test_eras_are_counted_from_the_acting_agent():
    env = table(foo="dawn", at={ME: "robots", OTHER: "end"}, rifts={"robots": 3, "end": 1}, energy={"dawn": 5})
    eras = look(env, "eras")
    assert eras[:, ERA["rifts"].start] == pytest.approx([1, 1 / 3, 0, 0, 0, 0, 0])
    assert eras[:, ERA["energy"].start] == pytest.approx([0, 0, 0.5, 0, 0, 0, 0])
    assert eras[:, ERA["foo"].start].tolist() == [0, 0, 1, 0, 0, 0, 0]
    assert eras[0, ERA["agents"].slice].tolist() == [1, 0, 0, 0]
    assert eras[1, ERA["agents"].slice].tolist() == [0, 1, 0, 0]


def test_the_same_table_turned_round_the_ring_looks_the_same():
    eras = ["dawn", "medieval", "renaissance", "industrial", "globalization", "robots", "end"]
    seen = []
    for turn in range(7):
        at = [eras[(k + turn) % 7] for k in range(7)]
        env = table(
            foo=at[2],
            at={ME: at[0], OTHER: at[3]},
            rifts={at[1]: 2},
            clones=[(at[4], at[6])],
            vortices=[at[5]],
            energy={at[0]: 2},
        )
        eras_seen = look(env, "eras").copy()
        eras_seen[:, ERA["risk"].start] = 0  # depends a little on which tokens are in the bag
        seen.append(np.concatenate([eras_seen.ravel(), look(env, "agents").ravel()]))
    assert all(np.allclose(seen[0], other) for other in seen)


def test_risk_is_part_of_the_observation():
    env = table(foo="dawn", foo_left=["end"], at={ME: "end"}, rifts={"end": 3})
    assert look(env, "eras")[0, ERA["risk"].start] == pytest.approx(env.view()["risk"]["end"], abs=1e-4)
    assert env.view()["risk"]["end"] > 0.3


def test_cards_are_described_by_what_they_do():
    env = table(hand={ME: ["Spartan Shield", "Pneumatic Piston"]}, exhausted=["Pneumatic Piston"])
    hand = look(env, "hand")
    features = hand[:, CARD["features"].slice]
    assert hand[:3, CARD["present"].start].tolist() == [1, 1, 0]
    assert hand[:2, CARD["ready"].start].tolist() == [1, 0]
    assert hand[:2, CARD["dimension"].slice].tolist() == [[1, 0, 0, 0], [0, 1, 0, 0]]
    assert described(features[0]) == {"rifts here": 2}
    assert described(features[1]) == {"pull": 3}


def described(features: np.ndarray) -> dict[str, int]:
    """What a card does, and how much of it."""
    return {FEATURES[i]: round(3 * float(features[i])) for i in np.flatnonzero(features)}


def test_no_two_cards_with_different_effects_look_alike():
    features = THE_LOOP_RULES["features"][0]
    looks = {tuple(features[i]): card.effect for i, card in enumerate(DATA.artefacts)}
    assert all(looks[tuple(features[i])] == card.effect for i, card in enumerate(DATA.artefacts))


@pytest.mark.parametrize(
    ("card", "does"),
    [
        ("Skeleton Key of Ages", {"rifts next": 2}),
        ("Health Potion", {"rifts previous": 2}),
        ("Rivet Cannon", {"push elsewhere": 1}),
        ("Last Candle", {"rifts here": 2, "level cubes": 1}),
        ("Hidden Camera", {"pull": 1, "if at Foo": 1, "destroy clones here": 1}),
        ("Dugout Canoe", {"carry": 1, "move": 1, "energy next": 1, "energy previous": 1}),
    ],
)
def test_places_and_conditions_of_a_card_are_told_apart(card, does):
    number = [c.name for c in DATA.artefacts].index(card)
    assert described(THE_LOOP_RULES["features"][0, number]) == does


@pytest.mark.parametrize(
    ("mission", "words", "column", "eras"),
    [
        ("rifts_at_foo", {}, "rift", ["globalization"]),
        ("loops_at_foo", {}, "loop", ["globalization"]),
        ("feed_the_tile", {}, "energy", ["dawn"]),
        ("overcharge", {}, "energy", []),  # not without energy in every era
        ("overcharge", {"energy": dict.fromkeys(ERAS, 1)}, "energy", ["dawn"]),
        ("clones_everywhere", {"damage": {"dawn": ["robots", "end"]}}, "clone", ERAS[:5]),
    ],
)
def test_the_observation_tells_where_something_would_damage_a_tile(mission, words, column, eras):
    env = table(foo="globalization", at={ME: "dawn"}, tiles={"dawn": mission}, **words)
    damages = look(env, "eras")[:, ERA["damages"].slice]
    assert [ERAS[i] for i in np.flatnonzero(damages[:, EVENTS.index(column)])] == list(eras)
    assert damages.sum() == len(eras) / 2


def test_the_observation_tells_what_a_choice_is_for():
    env = play(
        table(hand={ME: ["Pocket Sundial"]}, at={ME: "dawn"}, rifts={"end": 1, "medieval": 1}), "play: Pocket Sundial"
    )
    assert [PURPOSES[i] for i in np.flatnonzero(look(env, "purpose"))] == ["remove rifts"]
    env = play(table(hand={ME: ["Company Bicycle"]}), "play: Company Bicycle")
    assert [PURPOSES[i] for i in np.flatnonzero(look(env, "purpose"))] == ["move an agent"]
    assert not look(table(hand={ME: ["Company Bicycle"]}), "purpose").any()


def test_cards_with_the_same_effect_look_the_same_whatever_their_number(tmp_path):
    from loop_env.the_loop.data import FOLDER

    text = (FOLDER / "arsenal.toml").read_text().replace('"Spartan Shield"', '"A Shield Nobody Has Seen"')
    (tmp_path / "arsenal.toml").write_text(text)
    known = table(hand={ME: ["Spartan Shield"]})
    new = table(hand={ME: ["A Shield Nobody Has Seen"]}, data=tmp_path)
    assert np.array_equal(known.batch.observations, new.batch.observations)


def test_the_row_shows_what_there_is_to_choose_from():
    env = table(at={ME: "medieval"}, available=["War Horse", "Holy Grail"])
    assert look(env, "row")[:3, 0].tolist() == [1, 1, 0]
    play(env, "free move: renaissance")
    assert look(env, "row").sum() == 0


def test_hidden_things_are_not_in_the_observation():
    """Two tables that differ in luck alone, to the last bit of the record, look and read the same."""
    one, two = (position(seed=seed, hand={ME: ["War Horse"], OTHER: ["Holy Grail"]}) for seed in (1, 2))
    assert not np.array_equal(one.record.luck, two.record.luck)
    assert np.array_equal(one.batch.observations, two.batch.observations)
    assert one.view() == two.view()
    assert one.draw() == two.draw()
    differing = [n for n in one.record.dtype.names if not np.array_equal(one.record[n], two.record[n])]
    assert differing == ["seed", "luck"]


# -- reward ----------------------------------------------------------------------------------------
def test_reward_is_win_or_loss_by_default():
    trace, _ = play_randomly(make(), 3)
    assert {reward for _, _, reward in trace} == {0.0}
    trace, _ = play_randomly(make(reward={"loss": -1}), 3)
    assert [reward for _, _, reward in trace if reward] == [-1]


def test_shaping_adds_up_to_what_the_start_was_worth():
    """Potential-based: the discounted sum of the extra rewards is minus the first potential, whatever is played."""
    gamma = 0.9
    shaped = make(reward=Reward(shaping="progress", gamma=gamma))
    for seed in range(5):
        trace, info = play_randomly(shaped, seed)
        total = sum(gamma**t * reward for t, (_, _, reward) in enumerate(trace[1:]))
        shaped.reset(seed=seed)
        g = shaped.record
        opened = g.tile >= 0
        assert not info["is_success"]
        damage = (g.damage[opened] / shaped.batch.rules[0].needed[g.tile[opened]]).sum()
        first = 0.1 * damage - 0.1 * g.vortex.sum() - 0.01 * g.rifts.sum() - 0.004 * g.clones.sum()
        assert total == pytest.approx(-first)


@pytest.mark.parametrize("softness", [1, 3])
def test_shaping_by_value_pays_for_the_chance_to_win_as_the_planner_sees_it(softness):
    shaped = make(reward=Reward(shaping="value", gamma=1, value=2, softness=softness))
    for seed in range(5):
        trace, info = play_randomly(shaped, seed)
        shaped.reset(seed=seed)
        chance = value(shaped.record, shaped.batch.rules[0], weigh(shaped.batch.rules)[0])
        odds = (chance / (1 - chance)) ** (1 / softness)
        assert not info["is_success"]
        assert 0 < chance < 1
        assert sum(reward for _, _, reward in trace) == pytest.approx(-2 * odds / (1 + odds))


MODES = "sabotage, supa_clones, centrifuges, ultramachina"
AGENTS = "time_prowler, robot_404, mister_time, cztwyzzek, v_girl"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"mode": "sabotge"}, f"mode 'sabotge' is unknown; there are: {MODES}"),
        ({"mode": 5}, f"mode 5 is unknown; there are: {MODES}"),
        ({"mode": ["sabotage", "peace"]}, f"mode 'peace' is unknown; there are: {MODES}"),
        ({"mode": {"sabotage": -1}}, "mode: the weight of 'sabotage' is -1, but it must be a number from 0 on"),
        ({"mode": {"sabotage": 0}}, "leaves nothing to draw from"),
        ({"mode": np.array(["peace"])}, "mode 'peace' is unknown"),
        ({"level": 9}, r"level 9 is unknown; there are: 1 \(employee_of_the_month\), 2 \(field_veteran\), 3 \(living"),
        ({"level": True}, "level True is unknown"),
        ({"solo": "yes"}, "solo = 'yes' must be True, False or 'any'"),
        ({"agents": 1}, f"agents = 1 is not possible; 2 to 4 of these play: {AGENTS}"),
        ({"agents": 5}, f"agents = 5 is not possible; 2 to 4 of these play: {AGENTS}"),
        ({"agents": []}, "leaves nothing to draw from"),
        ({"agents": ["v_girl", "v_girl"]}, "agent 'v_girl' is there twice"),
        ({"agents": ["v_girl", "v_boy"]}, f"agent 'v_boy' is unknown; there are: {AGENTS}"),
        ({"agents": "v_girl"}, f"agents = 'v_girl' must be a number, 'any', or a list of some of: {AGENTS}"),
        ({"agents": ["time_prowler", "robot_404", "mister_time", "cztwyzzek", "v_girl"]}, "5 agents are not possible"),
        ({"reward": {"wins": 1}}, "reward has no field 'wins'; did you mean 'win'"),
        ({"reward": {"shaping": "magic"}}, "reward shaping 'magic' is unknown"),
        ({"reward": {"softness": 0}}, "softness = 0 must be greater than 0"),
        ({"reward": "progress"}, "reward = 'progress' must be a Reward or a dict"),
        ({"reward": {"win": "a"}}, "reward: win = 'a' must be a number"),
        ({"data": 3}, "data = 3 must be the path of a folder"),
        ({"data": ""}, "data = '' must be the path of a folder"),
        ({"render_mode": "human"}, "render_mode 'human' is unknown"),
        ({"data": "no/such/folder"}, "there is no folder"),
    ],
)
def test_bad_options_get_one_sentence(options, sentence):
    with pytest.raises(ValueError, match=sentence) as caught:
        TheLoopEnv(**options)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ({"foo": "dusk"}, "era 'dusk' is unknown"),
        ({"at": {"v_girl": "dawn"}}, "agent 'v_girl' does not play here"),
        ({"hand": {ME: ["Spartan Sheild"]}}, "no artefact is called 'Spartan Sheild'; did you mean 'Spartan Shield'"),
        ({"hand": {ME: ["War Horse"]}, "available": ["War Horse"]}, "the card 'War Horse' is there twice"),
        ({"rifts": {"dawn": 4}}, "rifts: 4 in dawn, but an era has 3 slots"),
        ({"energy": {"dawn": 31}}, "energy: 31 cubes"),
        ({"energy": {"dawn": 1.5}}, "energy in dawn = 1.5 must be a whole number"),
        ({"rifts": {"dawn": "x"}}, "rifts in dawn = 'x' must be a whole number"),
        ({"archived": 200}, "archived = 200 must be a whole number from 0 to 7"),
        ({"archived": 4}, "this game is won already"),
        ({"loops": -1}, "loops = -1 must be a whole number"),
        ({"seed": "x"}, "seed = 'x' must be a whole number"),
        ({"supa_clones": 5}, "clones = 5 must be a list"),
        ({"level": 2, "vortices": ["dawn"], "energy": {"dawn": 1}}, "energy: none stays in dawn, where a mega-vortex"),
        ({"machina": "Recoil"}, "this mode has no ultramachina cards"),
        ({"clones": [("dawn", "dawn")]}, "none can stand in its destroy era"),
        ({"clones": [("dawn", "end")] * 5}, "clones: there are no more with the destroy era end"),
        ({"tiles": {"dawn": "sabotage"}}, "mission 'sabotage' is unknown"),
        ({"tiles": {"dawn": "pincer", "end": "pincer"}}, "the mission 'pincer' is there twice"),
        ({"damage": {"dawn": 1}}, "dawn has no open tile"),
        ({"vortices": ["dawn", "medieval", "robots", "end"]}, "vortices: 4, but there are 3"),
        ({"vortices": "dawn"}, "vortices = 'dawn' must be a list"),
        ({"hand": {ME: "Spartan Shield"}}, "hand = 'Spartan Shield' must be a list"),
        ({"clones": ["dawn"]}, "clones: 'dawn' must be a pair"),
        ({"agents": 3}, "agents = 3 must be a list of agents"),
        ({"cycle": 4}, "cycle = 4 must be a whole number from 1 to 3"),
        ({"vortices": ["dawn"], "available": ["Spartan Shield"]}, "where a vortex destroys cards"),
    ],
)
def test_bad_positions_get_one_sentence(words, sentence):
    with pytest.raises(loop_env.UserError, match=sentence):
        position(**words)


def test_a_view_can_be_read_as_a_position():
    env = make(agents=[ME, OTHER])
    env.reset(seed=12)
    if env.view()["phase"] == "foo":
        env.act("no")
    view = env.view()
    words = (
        "agents", "active", "foo", "foo_left", "cycle", "at", "battery", "rifts", "energy", "clones", "vortices",
        "tiles", "damage", "archived", "hand", "exhausted", "discard", "available", "destroyed",
    )  # fmt: skip
    again = position(**{word: view[word] for word in words}).view()
    for word in (*words, "supply", "deck", "arsenal", "bag", "turn"):
        assert again[word] == view[word], word


def test_a_position_env_resets_to_its_position():
    env = table(foo="end", rifts={"end": 2})
    view = env.view()
    env.act("stop")
    env.reset(seed=3)
    assert env.view() == view


# -- the text board --------------------------------------------------------------------------------
def test_the_text_board_shows_the_table():
    env = table(
        foo="globalization",
        at={ME: "robots"},
        rifts={"robots": 3},
        energy={"robots": 1},
        clones=[("robots", "globalization")],
        vortices=["dawn"],
        tiles={"globalization": "clones_at_foo"},
        damage={"globalization": 2},
        available=["Dual Joystick"],
        hand={ME: ["Spartan Shield"]},
        exhausted=["Spartan Shield"],
        render_mode="ansi",
    )
    text = env.render()
    for words in (
        "FOO",
        "###",
        ">glo",
        "(( VORTEX ))",
        "clones_at_foo",
        "2 of 4",
        "Dual Joystick",
        "(@ Spartan Shield)",
    ):
        assert words in text
    assert max(len(line) for line in text.splitlines()) <= 120
