"""The five abilities."""

from __future__ import annotations

from .helpers import ME, OTHER, drop, nonzero, play, table, with_effect


# -- Time Prowler ----------------------------------------------------------------------------------
def falling(seed: int):
    """The start of Time Prowler's turn, with two rifts on their way to her era or the next to it."""
    env = table(foo="dawn", foo_left=["end"], at={OTHER: "end"}, tiles={"dawn": "rifts_at_foo"}, seed=seed)
    env.batch.rules["new_clones"] = 0
    return play(env, "stop")


def test_time_prowler_may_cancel_one_rift_that_fell_into_her_era():
    asked = 0
    for seed in range(40):
        env = falling(seed)
        fallen = env.view()["fallen"]["end"]
        if env.view()["phase"] == "foo":
            asked += 1
            assert fallen > 0
            assert env.legal_actions() == ["yes", "no"]
            blob = env.save()
            play(env, "yes")
            assert env.view()["rifts"]["end"] == fallen - 1
            assert env.record.total_removed == 0  # cancelled, not removed
            assert env.view()["damage"].get("dawn") == 0
            env.restore(blob)
            play(env, "no")
            assert env.view()["rifts"]["end"] == fallen
        else:
            assert env.view()["rifts"]["end"] == 0
    assert 10 < asked < 40


def test_a_cancelled_rift_cannot_open_a_vortex():
    for seed in range(40):
        env = falling(seed)
        if env.view()["phase"] == "foo" and env.view()["fallen"]["end"] == 1:
            env.record.rifts[6] = 3
            env.record.rift_supply -= 3
            play(env, "yes")
            assert env.view()["vortices"] == []
            assert env.view()["rifts"]["end"] == 3
            return
    raise AssertionError("no seed dropped a single rift")


def test_time_prowler_is_not_asked_in_another_agents_turn():
    env = drop(table(active=ME, foo="end", at={OTHER: "end"}), end=2)
    assert env.view()["phase"] == "action"
    assert env.view()["rifts"]["end"] == 2


# -- Robot 404 -------------------------------------------------------------------------------------
def test_robot_404_gains_energy_where_every_clone_after_the_first_dies():
    agents = ("robot_404", OTHER)
    env = with_effect("destroy 3 clones here", agents=agents, at={"robot_404": "end"}, clones=[("end", "dawn")] * 3)
    assert env.view()["energy"]["end"] == 2


def test_robot_404_counts_the_whole_turn():
    env = table(
        agents=("robot_404", OTHER),
        at={"robot_404": "end"},
        clones=[("dawn", "end"), ("robots", "end")],
        hand={"robot_404": ["Mechanical Grapple", "Magnet Palm"]},
    )
    play(env, "play: Mechanical Grapple", "clone: dawn to end")
    assert env.view()["energy"]["end"] == 0
    play(env, "play: Magnet Palm")
    assert env.view()["energy"]["end"] == 1


def test_other_agents_gain_nothing_from_clones():
    env = with_effect("destroy 3 clones here", at={ME: "end"}, clones=[("end", "dawn")] * 3)
    assert nonzero(env.view()["energy"]) == {}


def test_robot_404_chooses_which_of_two_clones_dies_first():
    effect = "swap a clone here with a clone at an adjacent era"
    words = {
        "agents": ("robot_404", OTHER),
        "at": {"robot_404": "end"},
        "clones": [("end", "dawn"), ("dawn", "end")],
    }
    env = with_effect(effect, **words)
    assert sorted(env.legal_actions()) == ["clone: dawn to end", "clone: end to dawn"]
    blob = env.save()
    play(env, "clone: end to dawn")  # it dies first, in dawn; the other dies in end and brings energy
    assert nonzero(env.view()["energy"]) == {"end": 1}
    env.restore(blob)
    play(env, "clone: dawn to end")
    assert nonzero(env.view()["energy"]) == {"dawn": 1}


# -- Mister Time -----------------------------------------------------------------------------------
def test_mister_time_moves_another_agent_one_era_once_a_turn():
    env = table(at={OTHER: "end"})
    play(env, "ability")
    assert sorted(env.legal_actions()) == ["era: dawn", "era: robots"]
    play(env, "era: dawn")
    assert env.view()["at"][OTHER] == "dawn"
    assert "ability" not in env.legal_actions()


def test_mister_time_chooses_among_the_other_agents():
    env = table(agents=(ME, OTHER, "v_girl"))
    play(env, "ability")
    assert env.legal_actions() == ["agent: time_prowler", "agent: v_girl"]


def test_agents_without_an_ability_for_the_action_phase_are_not_offered_one():
    for agent in ("time_prowler", "robot_404", "cztwyzzek", "v_girl"):
        assert "ability" not in table(agents=(agent, ME)).legal_actions()


# -- Cztwyzzek -------------------------------------------------------------------------------------
def test_cztwyzzeks_free_move_goes_to_any_era():
    env = table(agents=("cztwyzzek", OTHER), at={"cztwyzzek": "end"})
    moves = [name for name in env.legal_actions() if name.startswith("free move")]
    assert len(moves) == 6
    play(env, "free move: industrial")
    assert env.view()["at"]["cztwyzzek"] == "industrial"
    assert env.view()["battery"]["cztwyzzek"] is False


def test_cztwyzzek_pays_for_a_move_like_everyone():
    env = table(agents=("cztwyzzek", OTHER), at={"cztwyzzek": "end"}, energy={"end": 1})
    assert sorted(n for n in env.legal_actions() if n.startswith("move")) == ["move: dawn", "move: robots"]


# -- V-Girl ----------------------------------------------------------------------------------------
def v_girl(*answers, doom="medieval"):
    words = {"agents": ("v_girl", OTHER), "at": {"v_girl": "robots"}, "clones": [("robots", doom)]}
    return with_effect("push 1 clone here", *answers, **words)


def test_v_girl_pushes_a_clone_up_to_two_eras():
    env = v_girl()
    assert sorted(env.legal_actions()) == ["era: dawn", "era: end", "era: globalization", "era: industrial"]
    assert v_girl("era: dawn").view()["clones"] == [("dawn", "medieval")]


def test_others_push_a_clone_one_era():
    env = with_effect("push 1 clone here", at={ME: "robots"}, clones=[("robots", "medieval")])
    assert sorted(env.legal_actions()) == ["era: end", "era: globalization"]


def test_v_girls_clone_dies_in_its_destroy_era_even_on_the_way():
    assert v_girl("era: dawn", doom="dawn").view()["clones"] == []
    assert v_girl("era: dawn", doom="end").view()["clones"] == []


def test_time_prowler_is_asked_in_the_foo_phase_of_her_own_turn_only():
    asked = {ME: 0, OTHER: 0}
    for active, following in ((ME, OTHER), (OTHER, ME)):
        for seed in range(15):
            env = table(active=active, foo_left=["end"], at={OTHER: "end", ME: "end"}, seed=seed)
            play(env, "stop")
            asked[following] += env.view()["phase"] == "foo"
    assert asked[OTHER] > 3
    assert asked[ME] == 0
