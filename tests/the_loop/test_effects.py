"""Every pattern of the effect language, played."""

from __future__ import annotations

import pytest

from .helpers import ME, OTHER, TEST_CARD, drop, nonzero, play, table, with_effect

HERE, BEFORE, AFTER = "robots", "globalization", "end"
AT = {ME: HERE, OTHER: "medieval"}


# -- energy and rifts ------------------------------------------------------------------------------
PLACES = [
    ("here", [], [HERE]),
    ("at an adjacent era", [f"era: {AFTER}"], [AFTER]),
    ("at the previous era", [], [BEFORE]),
    ("at the next era", [], [AFTER]),
    ("at another agent", [], ["medieval"]),
    ("at Foo", [], ["renaissance"]),
    ("at a vortex", ["era: dawn"], ["dawn"]),
    ("at each vortex", [], ["dawn", "industrial"]),
    ("at each adjacent era", [], [BEFORE, AFTER]),
    ("at each agent", [], ["medieval", HERE]),
    ("at any era", ["era: dawn"], ["dawn"]),
]


@pytest.mark.parametrize(("place", "answers", "eras"), PLACES)
def test_add_energy(place, answers, eras):
    words = {"at": AT, "foo": "renaissance", "vortices": ["dawn", "industrial"]}
    env = with_effect(f"add 2 energy {place}", *answers, **words)
    assert nonzero(env.view()["energy"]) == dict.fromkeys(eras, 2)
    assert env.view()["supply"]["energy"] == 30 - 2 * len(eras)


@pytest.mark.parametrize(("place", "answers", "eras"), PLACES)
def test_remove_rifts(place, answers, eras):
    every = dict.fromkeys(env_eras(), 3)
    words = {"at": AT, "foo": "renaissance", "vortices": ["dawn", "industrial"], "rifts": every}
    env = with_effect(f"remove 2 rifts {place}", *answers, **words)
    assert env.view()["rifts"] == every | dict.fromkeys(eras, 1)


def env_eras():
    return ["dawn", "medieval", "renaissance", "industrial", "globalization", "robots", "end"]


def test_energy_is_never_more_than_the_supply_holds():
    env = with_effect("add 3 energy here", at=AT, energy={"dawn": 28})
    assert env.view()["energy"][HERE] == 2
    assert env.view()["supply"]["energy"] == 0


def test_removing_takes_what_there_is_and_the_rest_of_the_card_goes_on():
    env = with_effect("remove 2 rifts here, then add 1 energy here", at=AT, rifts={HERE: 1})
    assert env.view()["rifts"][HERE] == 0
    assert env.view()["energy"][HERE] == 1


def test_an_effect_that_cannot_be_applied_does_not_stop_the_later_ones():
    env = with_effect("remove 1 rift at a vortex, then add 1 energy here", at=AT)
    assert env.view()["energy"][HERE] == 1


def test_another_agents_era_may_be_your_own():
    env = with_effect("add 1 energy at another agent", at={ME: HERE, OTHER: HERE})
    assert env.view()["energy"][HERE] == 1


def test_another_agent_is_chosen():
    agents = (ME, OTHER, "v_girl")
    env = with_effect("add 1 energy at another agent", agents=agents, at={**AT, "v_girl": "end"})
    assert env.legal_actions() == ["agent: time_prowler", "agent: v_girl"]
    play(env, "agent: v_girl")
    assert nonzero(env.view()["energy"]) == {"end": 1}


def test_your_era_or_each_vortex_even_if_you_stand_in_one():
    words = {"at": AT, "vortices": [HERE, "dawn"]}
    env = with_effect("add 1 energy here or at each vortex", **words)
    assert env.legal_actions() == ["option: here", "option: each vortex"]
    assert nonzero(play(env, "option: each vortex").view()["energy"]) == {"dawn": 1, HERE: 1}
    env = with_effect("add 1 energy here or at each vortex", "option: here", **words)
    assert nonzero(env.view()["energy"]) == {HERE: 1}


def test_an_option_that_does_nothing_is_not_offered():
    env = with_effect("add 1 energy here or at each vortex", at=AT)
    assert nonzero(env.view()["energy"]) == {HERE: 1}


def test_or_between_two_actions():
    env = with_effect("pull 1 clone or move 1 era", at=AT, clones=[(AFTER, "dawn")])
    assert env.legal_actions() == ["option: pull 1 clone", "option: move 1 era"]
    play(env, "option: pull 1 clone")
    assert env.view()["clones"] == [(HERE, "dawn")]


def test_draw_a_card_then_act_in_its_origin_era():
    top = {ME: ["War Horse"]}  # origin: medieval
    env = with_effect("draw 1 card, then add 1 energy at its origin", at=AT, top_of_deck=top)
    assert nonzero(env.view()["energy"]) == {"medieval": 1}
    assert "War Horse" in env.view()["hand"][ME]
    assert "War Horse" not in env.view()["exhausted"]
    env = with_effect("draw 1 card, then remove 2 rifts at its origin", at=AT, top_of_deck=top, rifts={"medieval": 3})
    assert env.view()["rifts"]["medieval"] == 1


@pytest.mark.parametrize(
    ("effect", "energy", "left"),
    [
        ("add 1 energy here for each clone here", 2, None),
        ("add 1 energy here for each vortex", 3, None),
        ("add 1 energy here for each other agent here", 1, None),
        ("add 1 energy here for each rift here", 2, None),
        ("remove 1 rift here for each clone here", 0, 0),
    ],
)
def test_for_each(effect, energy, left):
    env = with_effect(
        effect,
        at={ME: HERE, OTHER: HERE},
        clones=[(HERE, "dawn"), (HERE, "medieval")],
        vortices=["dawn", "medieval", "end"],
        rifts={HERE: 2},
    )
    assert env.view()["energy"][HERE] == energy
    assert left is None or env.view()["rifts"][HERE] == left


@pytest.mark.parametrize(
    ("effect", "energy", "rifts"),
    [
        ("add energy here up to its rifts", 3, 3),
        ("add energy here up to its clones", 2, 3),
        ("remove rifts here down to its energy", 1, 1),
        ("remove rifts here down to its clones", 1, 2),
    ],
)
def test_level(effect, energy, rifts):
    clones = [(HERE, "dawn"), (HERE, "medieval")]
    env = with_effect(effect, at=AT, energy={HERE: 1}, rifts={HERE: 3}, clones=clones)
    assert (env.view()["energy"][HERE], env.view()["rifts"][HERE]) == (energy, rifts)


@pytest.mark.parametrize("effect", ["add energy here up to its rifts", "remove rifts here down to its energy"])
def test_level_does_nothing_if_already_equal_or_beyond(effect):
    env = with_effect(effect, at=AT, energy={HERE: 2}, rifts={HERE: 1 if "add" in effect else 2})
    assert env.view()["energy"][HERE] == 2
    assert env.view()["rifts"][HERE] == (1 if "add" in effect else 2)


# -- clones ----------------------------------------------------------------------------------------
def test_push_each_clone_to_a_side_of_your_choice():
    clones = [(HERE, "dawn"), (HERE, "medieval")]
    env = with_effect("push 2 clones here", at=AT, clones=clones)
    assert env.legal_actions() == ["clone: robots to dawn", "clone: robots to medieval"]
    play(env, "clone: robots to dawn", f"era: {AFTER}", f"era: {BEFORE}")
    assert env.view()["clones"] == [(BEFORE, "medieval"), (AFTER, "dawn")]


def test_push_from_another_era():
    env = with_effect("push 1 clone at an adjacent era", at=AT, clones=[(AFTER, "medieval")])
    assert sorted(env.legal_actions()) == ["era: dawn", "era: robots"]


def test_pull_clones_from_different_eras():
    env = with_effect("pull 2 clones", at=AT, clones=[(BEFORE, "dawn"), (AFTER, "medieval"), ("dawn", "end")])
    play(env, f"clone: {BEFORE} to dawn")
    assert env.view()["clones"] == [("dawn", "end"), (HERE, "dawn"), (HERE, "medieval")]


def test_destroyed_clones_go_back_to_the_bag():
    env = with_effect("destroy 1 clone here", at=AT, clones=[(HERE, "dawn")])
    assert env.view()["clones"] == []
    assert env.view()["bag"] == 28


def test_a_clone_pulled_into_its_destroy_era_dies():
    env = with_effect("pull 1 clone", at=AT, clones=[(AFTER, HERE)])
    assert env.view()["clones"] == []


@pytest.mark.parametrize(("goes", "left"), [(AFTER, True), (BEFORE, False)])
def test_if_you_pushed_act_where_it_went_even_if_it_died_there(goes, left):
    effect = "push 1 clone here, then if you pushed, add 1 energy where it went"
    env = with_effect(effect, f"era: {goes}", at=AT, clones=[(HERE, BEFORE)])
    assert nonzero(env.view()["energy"]) == {goes: 1}
    assert bool(env.view()["clones"]) is left


def test_if_you_did_not_push_nothing_happens():
    env = with_effect("push 1 clone here, then if you pushed, add 1 energy where it went", at=AT)
    assert nonzero(env.view()["energy"]) == {}


def test_carry_from_a_vortex_only():
    words = {"at": AT, "clones": [(HERE, "dawn"), (AFTER, "medieval")], "vortices": [AFTER]}
    env = with_effect("move 2 eras carrying 1 clone from a vortex", "era: dawn", **words)
    assert env.legal_actions() == ["no", "clone: end to medieval"]


def test_a_carried_clone_dies_on_the_way_through_its_destroy_era():
    env = with_effect("move 3 eras carrying 1 clone", "era: medieval", at=AT, clones=[(HERE, AFTER)])
    play(env, "clone: robots to end")
    assert env.view()["clones"] == []
    assert env.view()["at"][ME] == "medieval"


def test_without_a_clone_to_carry_the_agent_just_moves():
    env = with_effect("move 2 eras carrying 1 clone", "era: dawn", at=AT)
    assert env.view()["at"][ME] == "dawn"


# -- agents ----------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("eras", "goals"), [(1, [AFTER, BEFORE]), (2, ["dawn", "industrial"]), (3, ["medieval", "renaissance"])]
)
def test_move_so_many_eras(eras, goals):
    env = with_effect(f"move {eras} eras", at=AT)
    assert sorted(env.legal_actions()) == sorted(f"era: {goal}" for goal in goals)
    play(env, f"era: {goals[0]}")
    assert env.view()["at"][ME] == goals[0]


def test_move_anywhere_includes_your_own_era():
    env = with_effect("move anywhere", at=AT)
    assert len(env.legal_actions()) == 7
    play(env, f"era: {HERE}")
    assert env.view()["at"][ME] == HERE


def test_move_another_agent_and_any_agent():
    env = with_effect("move another agent 1 era", "era: dawn", at=AT)
    assert env.view()["at"][OTHER] == "dawn"
    env = with_effect("move any agent 1 era", at=AT)
    assert env.legal_actions() == ["agent: mister_time", "agent: time_prowler"]
    play(env, "agent: mister_time", f"era: {AFTER}")
    assert env.view()["at"][ME] == AFTER


def test_move_another_agent_here_then_act_at_that_agent():
    env = with_effect("move another agent here, then add 1 energy at that agent", at=AT)
    assert env.view()["at"][OTHER] == HERE
    assert nonzero(env.view()["energy"]) == {HERE: 1}


# -- swaps -----------------------------------------------------------------------------------------
def test_swap_agents():
    env = with_effect("swap with another agent", at=AT)
    assert env.view()["at"] == {ME: "medieval", OTHER: HERE}


def test_an_agent_in_your_own_era_can_be_swapped_with_for_what_follows():
    env = with_effect("swap with another agent, then add 1 energy at that agent", at={ME: HERE, OTHER: HERE})
    assert nonzero(env.view()["energy"]) == {HERE: 1}


def test_clones_are_swapped_between_two_eras():
    effect = "swap a clone here with a clone at any era"
    env = with_effect(effect, at=AT, clones=[(HERE, "dawn"), (HERE, "medieval")])
    assert env.view()["effect"] is None  # no clone elsewhere: nobody is asked
    env = with_effect(effect, at=AT, clones=[(HERE, "dawn"), (HERE, "medieval"), (AFTER, "medieval")])
    play(env, "clone: robots to dawn")
    assert env.view()["clones"] == [(HERE, "medieval"), (HERE, "medieval"), (AFTER, "dawn")]


def test_swap_clones_both_arrive():
    effect = "swap a clone here with a clone at an adjacent era"
    env = with_effect(effect, at=AT, clones=[(HERE, "dawn"), (AFTER, HERE)])
    assert env.view()["clones"] == [(AFTER, "dawn")]  # the other one has come home, and died


@pytest.mark.parametrize("thing", ["energy", "rifts"])
def test_swapped_cubes_are_neither_added_nor_removed(thing):
    tiles = {HERE: "feed_the_tile", "medieval": "rifts_everywhere"}
    words = {"energy": {HERE: 1, "dawn": 3}, "rifts": {HERE: 1, "dawn": 3}}
    env = with_effect(f"swap {thing} with any era", "era: dawn", at=AT, tiles=tiles, **words)
    assert nonzero(env.view()[thing]) == {HERE: 3, "dawn": 1}
    assert env.record.damage.sum() == 0


# -- conditions ------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("another agent is here", {"at": {ME: HERE, OTHER: HERE}}),
        ("at Foo", {"at": AT, "foo": HERE}),
        ("at a vortex", {"at": AT, "vortices": [HERE]}),
    ],
)
def test_if(condition, words):
    effect = f"if {condition}, add 1 energy here"
    assert with_effect(effect, **words).view()["energy"][HERE] == 1
    assert with_effect(effect, at=AT, foo="dawn").view()["energy"][HERE] == 0


def test_company_counts_once_however_many_agents_are_there():
    agents = (ME, OTHER, "v_girl")
    at = dict.fromkeys(agents, HERE)
    env = with_effect("if another agent is here, add 1 energy here", agents=agents, at=at)
    assert env.view()["energy"][HERE] == 1


def test_you_may_is_optional():
    env = with_effect("you may move 1 era, then add 1 energy here", at=AT)
    assert env.legal_actions() == ["yes", "no"]
    play(env, "no")
    assert env.view()["at"][ME] == HERE
    assert env.view()["energy"][HERE] == 1
    env = with_effect("you may move 1 era, then add 1 energy here", "yes", f"era: {AFTER}", at=AT)
    assert nonzero(env.view()["energy"]) == {AFTER: 1}


def test_effects_follow_the_agent_where_it_went():
    env = with_effect("move 1 era, then remove 1 rift here", f"era: {AFTER}", at=AT, rifts={AFTER: 2, HERE: 2})
    assert env.view()["rifts"][AFTER] == 1
    assert env.view()["rifts"][HERE] == 2


# -- cards -----------------------------------------------------------------------------------------
def test_draw_so_many():
    env = with_effect("draw 2 cards", top_of_deck={ME: ["War Horse", "Holy Grail"]})
    assert env.view()["hand"][ME] == [TEST_CARD, "War Horse", "Holy Grail"]


def test_discard_any_card_of_the_hand_even_the_one_just_played():
    env = with_effect("discard 1 card", hand={ME: ["War Horse"]})
    assert env.legal_actions() == [f"card: {TEST_CARD}", "card: War Horse"]
    play(env, f"card: {TEST_CARD}")
    assert env.view()["discard"][ME] == [TEST_CARD]


def test_destroy_a_card_of_the_hand():
    env = with_effect("destroy 1 card", "card: War Horse", hand={ME: ["War Horse"]})
    assert env.view()["destroyed"] == ["War Horse"]


def test_ready_a_card_offers_the_exhausted_ones():
    hand = {ME: ["War Horse", "Holy Grail", "Matryoshka"]}
    env = with_effect("ready 1 card", hand=hand, exhausted=["War Horse", "Matryoshka"])
    assert env.legal_actions() == ["card: War Horse", "card: Matryoshka"]
    play(env, "card: War Horse")
    assert "play: War Horse" in env.legal_actions()


@pytest.mark.parametrize("name", ["Cheat Code", "Jukebox of Encores"])
def test_cards_that_ready_or_play_cards_are_readied_by_loops_alone(name):
    env = with_effect("ready 1 card", hand={ME: [name]}, exhausted=[name])
    assert env.view()["exhausted"] == [TEST_CARD, name]


@pytest.mark.parametrize(("verb", "pile"), [("discards", "discard"), ("destroys", "destroyed")])
def test_each_player_draws_then_loses_a_card_one_after_the_other(verb, pile):
    env = with_effect(
        f"each player draws 1 card and {verb} 1 card, then add 1 energy here",
        hand={OTHER: ["Holy Grail"]},
        top_of_deck={ME: ["War Horse"], OTHER: ["Matryoshka"]},
        at=AT,
    )
    assert env.view()["acting"] == ME
    assert env.view()["hand"][OTHER] == ["Holy Grail"]  # she draws only when he has made up his mind
    play(env, "card: War Horse")
    assert env.view()["acting"] == OTHER
    assert env.legal_actions() == ["card: Holy Grail", "card: Matryoshka"]
    play(env, "card: Holy Grail")
    lost = env.view()[pile]
    assert sorted(lost if pile == "destroyed" else lost[ME] + lost[OTHER]) == ["Holy Grail", "War Horse"]
    assert env.view()["acting"] == ME
    assert env.view()["energy"][HERE] == 1


def test_revealed_cards_in_a_vortex_are_destroyed_only_after_the_whole_card():
    vortices = ["dawn", "medieval", "renaissance"]
    origins = {card.name: card.origin for card in table().data.artefacts}
    seen = 0
    for seed in range(20):
        env = with_effect("reveal 4 cards, then take a card anywhere", at=AT, vortices=vortices, seed=seed)
        assert env.view()["destroyed"] == []
        assert len(env.view()["available"]) == 4
        doomed = [name for name in env.view()["available"] if origins[name] in vortices]
        while env.view()["effect"]:
            play(env, env.legal_actions()[-1])
        taken = env.view()["top_of_deck"][ME]
        assert sorted(env.view()["destroyed"]) == sorted(set(doomed) - set(taken))
        assert len(taken) == 1
        seen += len(doomed) > 1
    assert seen > 3


def test_take_an_available_card():
    env = with_effect("take a card here", at={ME: "medieval"}, available=["War Horse", "Holy Grail", "Matryoshka"])
    assert env.legal_actions() == ["card: War Horse", "card: Holy Grail"]
    play(env, "card: Holy Grail")
    assert env.view()["top_of_deck"][ME] == ["Holy Grail"]


def test_play_an_available_card_with_your_own_agent():
    env = with_effect("play a card available anywhere", at=AT, available=["War Horse"], rifts={"dawn": 1})
    play(env, "era: dawn")
    assert env.view()["at"][ME] == "dawn"
    assert env.view()["rifts"]["dawn"] == 0
    assert env.view()["available"] == ["War Horse"]


def test_play_a_card_of_another_hand_with_your_own_agent():
    env = with_effect("play a card of another agent, then draw 1 card", at=AT, hand={OTHER: ["Borrowed Hourglass"]})
    assert nonzero(env.view()["energy"]) == {HERE: 1}
    assert "Borrowed Hourglass" in env.view()["exhausted"]
    assert len(env.view()["hand"][ME]) == 2  # the rest of the card follows


def test_another_agent_plays_a_card_relative_to_that_agent():
    hand = {OTHER: ["Borrowed Hourglass", "Jar of Tomorrow"]}
    env = with_effect("another agent plays a card, then add 2 energy here", at=AT, hand=hand)
    play(env, "card: Borrowed Hourglass")
    assert nonzero(env.view()["energy"]) == {"medieval": 1, HERE: 2}
    assert env.view()["acting"] == ME


def test_the_other_agent_decides_for_their_card():
    env = with_effect("another agent plays a card", at=AT, hand={OTHER: ["Spare Battery"]})
    assert env.view()["acting"] == OTHER
    assert sorted(env.legal_actions()) == ["era: dawn", "era: renaissance"]
    play(env, "era: dawn")
    assert env.view()["acting"] == ME


def test_a_card_that_plays_cards_cannot_be_played_by_another():
    env = with_effect("play a card of another agent", at=AT, hand={OTHER: ["Painter's Model"]})
    assert env.view()["effect"] is None
    env = with_effect("play a card available anywhere", at=AT, available=["Camera Obscura"])
    assert env.view()["effect"] is None


def test_a_full_hand_draws_nothing():
    names = [card.name for card in table().data.artefacts if card.agent is None and card.name != TEST_CARD][:9]
    env = with_effect("draw 1 card", hand={ME: names})
    assert len(env.view()["hand"][ME]) == 10
    assert env.view()["deck"][ME] == 6


def test_damage_in_the_middle_of_an_effect_follows_the_newly_opened_tile():
    tiles = {"dawn": "rifts_at_foo", "medieval": "pincer"}
    env = table(foo=HERE, at=AT, rifts={HERE: 3}, tiles=tiles, hand={ME: [TEST_CARD]})
    drop(env)
    play(env, f"play: {TEST_CARD}")
    assert env.view()["damage"]["dawn"] == 2
