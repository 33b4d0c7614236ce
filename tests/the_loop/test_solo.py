"""Solo: one player, several agents, one common deck."""

from __future__ import annotations

import numpy as np
import pytest

from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.observation import CARD, OBSERVATION
from loop_env.the_loop.state import DECK, DISCARD, HAND

from .helpers import ME, OTHER, lawful, play, table


def solo(**words) -> TheLoopEnv:
    return table(solo=True, **words)


@pytest.mark.parametrize("agents", [2, 3, 4])
def test_solo_setup_takes_the_column_for_one_player(agents):
    env = TheLoopEnv(agents=agents, solo=True)
    env.batch.rules["cubes"], env.batch.rules["new_clones"], env.batch.rules["new_cards"] = -30, 0, 0
    env.reset(seed=3)
    view = env.view()
    assert len(view["clones"]) == 7
    assert len(view["available"]) == 2
    assert len(view["agents"]) == agents
    assert view["solo"] is True


@pytest.mark.parametrize("agents", [2, 3, 4])
def test_solo_agents_share_one_deck(agents):
    env = TheLoopEnv(agents=agents, solo=True)
    for seed in range(10):
        env.reset(seed=seed)
        places = set(env.record.place.tolist())
        assert not places & {DECK + seat for seat in range(1, 4)} | places & {DISCARD + s for s in range(1, 4)}
        hands = env.record.pile_size[HAND : HAND + 4].sum()
        assert env.record.pile_size[DECK] + hands == 6 * agents


def test_solo_starting_cards_are_dealt_to_their_owners_until_an_agent_holds_three():
    for seed in range(20):
        env = TheLoopEnv(agents=3, solo=True)
        env.reset(seed=seed)
        view = env.view()
        if view["phase"] == "foo":
            env.act("no")
            view = env.view()
        sizes = [len(view["hand"][agent]) for agent in view["agents"]]
        assert sorted(sizes)[-1] == 3
        assert sizes.count(3) == 1
        assert len(view["hand"][view["active"]]) == 3
        for agent, cards in view["hand"].items():
            assert {env.data.artefacts[env.data.card(card)].agent for card in cards} <= {agent}


def dealt_arsenal_card(**words) -> TheLoopEnv:
    """The next card of the common deck is one of the arsenal."""
    words = {"foo_left": ["end"], "top_of_deck": {ME: ["War Horse"]}} | words
    env = solo(hand={ME: ["Spartan Shield"], OTHER: ["Mammoth Whistle", "Jousting Lance"]}, **words)
    env.batch.rules["new_clones"] = 0
    return play(env, "stop")


def test_solo_any_other_card_goes_to_an_agent_of_the_players_choice():
    env = lawful(dealt_arsenal_card())
    assert env.view()["phase"] == "deal"
    assert sorted(env.legal_actions()) == [f"agent: {ME}", f"agent: {OTHER}"]
    play(env, f"agent: {OTHER}")
    assert env.view()["hand"][OTHER] == ["Mammoth Whistle", "Jousting Lance", "War Horse"]
    assert env.view()["active"] == OTHER  # the first to hold three
    assert lawful(env).view()["phase"] == "action"


def test_solo_the_card_on_show_is_in_the_observation():
    env = dealt_arsenal_card()
    block = OBSERVATION["row"]
    row = env.batch.observations[0, block.slice].reshape(block.shape)
    assert row[:, CARD["present"].start].sum() == 1
    assert env.view()["draft"] == ["War Horse"]


def test_solo_only_the_active_hand_is_discarded():
    env = solo(hand={ME: ["Spartan Shield"], OTHER: ["War Horse"]}, foo_left=["end"])
    play(env, "stop")
    view = env.view()
    assert "Spartan Shield" in view["discard"][ME]
    assert view["discard"][ME] == view["discard"][OTHER]
    assert "War Horse" in view["hand"][OTHER]


def test_solo_a_taken_card_goes_on_top_of_the_common_deck():
    env = solo(at={ME: "medieval"}, available=["War Horse"], hand={OTHER: ["Spartan Shield"]}, foo_left=["end"])
    env.batch.rules["hand_size"] = 1  # the other agent is active at once
    play(env, "stop", "take: War Horse")
    assert env.view()["top_of_deck"] == {ME: ["War Horse"], OTHER: ["War Horse"]}


def test_solo_draft_reveals_two_cards_and_takes_one():
    env = solo(at={ME: "end"}, tiles={"end": "pincer", "dawn": "overcharge"}, damage={"end": 3})
    play(env, "stop", "archive")
    view = env.view()
    assert len(view["draft"]) == 2
    play(env, f"draft: {view['draft'][0]}")
    assert env.view()["draft"] == [] or env.view()["phase"] == "deal"
    assert view["draft"][1] in env.view()["destroyed"]


def test_solo_a_full_hand_is_active_without_dealing():
    hand = {ME: [], OTHER: ["Spartan Shield", "War Horse", "Matryoshka"]}
    env = solo(hand=hand, foo_left=["end"], at={OTHER: "medieval"})
    deck = env.record.pile_size[DECK]
    play(env, "stop")
    assert env.view()["active"] == OTHER
    assert env.record.pile_size[DECK] == deck


def test_solo_with_nothing_left_to_deal_the_largest_hand_is_active():
    env = solo(hand={ME: [], OTHER: ["Spartan Shield"]}, foo_left=["end"], at={OTHER: "medieval"})
    g = env.record
    for card in np.flatnonzero(g.place == DECK):
        g.place[card] = 16  # out of the game
    g.pile_size[DECK] = 0
    play(env, "stop")
    assert env.view()["active"] == OTHER
    assert env.view()["phase"] == "action"


def test_solo_time_prowler_may_cancel_in_every_foo_phase():
    asked = 0
    for seed in range(20):
        env = solo(active=ME, foo_left=["end"], at={OTHER: "end"}, seed=seed)
        play(env, "stop")
        if env.view()["phase"] == "foo":
            asked += 1
            fallen = env.view()["fallen"]["end"]
            assert env.view()["acting"] == OTHER
            play(env, "yes")
            assert env.view()["rifts"]["end"] == fallen - 1
            lawful(env)
    assert asked > 5


@pytest.mark.parametrize("mode", ["sabotage", "supa_clones", "centrifuges", "ultramachina"])
def test_solo_games_run_to_their_end(mode):
    env = TheLoopEnv(mode=mode, level=2, agents=3, solo=True)
    rng = np.random.default_rng(1)
    for seed in range(5):
        env.reset(seed=seed)
        while not env.is_over():
            env.step(rng.choice(np.flatnonzero(env.action_masks())))
            lawful(env)
        assert env.view()["outcome"] != "running"


def test_solo_a_starting_card_goes_to_its_owner_whenever_it_is_dealt():
    own = table().data.artefacts
    theirs = next(card.name for card in own if card.agent == OTHER)
    env = dealt_arsenal_card(top_of_deck={ME: [theirs]})
    assert theirs in env.view()["hand"][OTHER]
    assert env.view()["active"] == OTHER


def test_solo_the_active_agents_battery_is_recharged():
    env = solo(battery={ME: False, OTHER: False}, foo_left=["end"])
    play(env, "stop")
    assert env.view()["battery"] == {ME: True, OTHER: False}
