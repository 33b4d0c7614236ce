"""Cards and numbers as data: complete, varied, checked."""

from __future__ import annotations

import shutil
from collections import Counter
from pathlib import Path

import gymnasium as gym
import pytest

import loop_env  # noqa: F401 (registers the ids)
from loop_env.the_loop import TheLoopEnv
from loop_env.the_loop.data import FOLDER, DataError, load
from loop_env.the_loop.language import EffectError, compile_effect
from loop_env.the_loop.names import DIMENSIONS, ERAS

DATA = load()
NINE = {
    "Spartan Shield": "remove 2 rifts here",
    "Super Underpants": "remove 1 rift here",
    "Gutenberg's Wormhole": "remove 1 rift here, then remove 1 rift at a vortex",
    "Ion Chronograph": "add 1 energy at another agent",
    "Mechanical Grapple": "pull 1 clone",
    "Holy Grail": "add energy at an adjacent era up to its rifts",
    "War Horse": None,
    "Matryoshka": None,
    "Dual Joystick": None,
}
# Section 5 of the digest, as the language says it.
PATTERNS = (
    *(
        f"{thing} {place}"
        for thing in ("energy", "rifts")
        for place in (
            "here", "at an adjacent era", "at the previous era", "at the next era", "at another agent", "at foo",
            "at a vortex", "at each vortex", "here or at each vortex", "at its origin", "where it went",
        )
    ),
    "push here", "push elsewhere", "push several", "pull", "pull several", "destroy here", "destroy elsewhere",
    "carry", "carry from a vortex", "move 1 era", "move several eras", "move anywhere", "move another agent",
    "move any agent", "swap agents", "swap clones", "swap energy", "swap rifts", "draw", "discard", "destroy card",
    "each player draws and discards", "each player draws and destroys", "reveal", "take", "ready",
    "play an available card", "play a card of another agent", "another agent plays", "level energy", "level rifts",
    "if another agent is here", "if you pushed", "if at foo", "if at a vortex", "for each", "or", "you may", "then",
)  # fmt: skip


def test_thirty_starting_cards_and_forty_nine_in_the_arsenal():
    starting = [card for card in DATA.artefacts if card.agent]
    arsenal = [card for card in DATA.artefacts if not card.agent]
    assert Counter(card.agent for card in starting) == {agent.id: 6 for agent in DATA.agents}
    assert Counter(card.origin for card in arsenal) == dict.fromkeys(ERAS, 7)
    assert len(DATA.artefacts) == 79


def test_no_two_cards_are_alike():
    assert len({card.name for card in DATA.artefacts}) == 79
    assert len({card.effect for card in DATA.artefacts}) == 79


def test_every_pattern_of_the_digest_is_used_by_at_least_two_cards():
    counts = Counter(pattern for card in DATA.artefacts for pattern in card.program.patterns)
    assert {pattern: counts[pattern] for pattern in PATTERNS if counts[pattern] < 2} == {}


def test_dimensions_are_balanced():
    arsenal = Counter(card.dimension for card in DATA.artefacts if not card.agent)
    assert arsenal == {"spiral": 14, "star": 14, "stripe": 14, "black hole": 7}
    for agent in DATA.agents:  # a starting deck invites a LOOP
        split = Counter(card.dimension for card in DATA.artefacts if card.agent == agent.id)
        assert sorted(split.values()) == [1, 2, 3]
        assert "black hole" not in split


def test_the_nine_cards_of_the_rulebooks():
    for name, effect in NINE.items():
        card = DATA.artefacts[DATA.card(name)]
        assert effect is None or card.effect == effect
    by_name = {card.name: card for card in DATA.artefacts}
    assert by_name["War Horse"].origin == "medieval"
    assert by_name["Matryoshka"].origin == "industrial"
    assert by_name["Ion Chronograph"].dimension == by_name["Gutenberg's Wormhole"].dimension
    assert "carrying 1 clone from a vortex" in by_name["Dual Joystick"].effect


def test_twenty_eight_clones():
    assert len(ERAS) * len(DATA.clones.destroy_after) == 28
    assert DATA.clones.destroy_after == (1, 2, 3, 5)


def test_no_agent_starts_in_medieval():
    assert "medieval" not in [agent.start for agent in DATA.agents]


# -- a folder of one's own -------------------------------------------------------------------------
@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for path in FOLDER.glob("*.toml"):
        shutil.copy(path, tmp_path)
    return tmp_path


def change(folder: Path, file: str, old: str, new: str) -> None:
    text = (folder / file).read_text()
    assert old in text
    (folder / file).write_text(text.replace(old, new, 1))


def test_a_user_can_load_an_own_folder(tmp_path):
    arsenal = (FOLDER / "arsenal.toml").read_text()
    (tmp_path / "arsenal.toml").write_text(arsenal.replace('"remove 2 rifts here"', '"remove 4 rifts here"', 1))
    env = gym.make("loop_env/TheLoop-v0", data=str(tmp_path))
    assert isinstance(env.unwrapped, TheLoopEnv)
    card = env.unwrapped.data.card("Spartan Shield")
    assert env.unwrapped.data.artefacts[card].effect == "remove 4 rifts here"
    env.reset(seed=1)


@pytest.mark.parametrize(
    ("file", "old", "new", "words"),
    [
        ("arsenal.toml", "remove 2 rifts here", "remove 2 rifts hear", ["arsenal.toml", "'Spartan Shield'", "'hear'"]),
        ("arsenal.toml", "remove 2 rifts here", "banish 2 rifts", ["arsenal.toml", "'Spartan Shield'", "'banish'"]),
        ("arsenal.toml", '"remove 2 rifts here"', '""', ["arsenal.toml", "'Spartan Shield'", "the end"]),
        ("arsenal.toml", '"spiral"', '"spirral"', ["arsenal.toml", "'Spartan Shield'", "did you mean 'spiral'"]),
        ("arsenal.toml", 'origin = "dawn"', 'origin = "dusk"', ["arsenal.toml", "'Spartan Shield'", "'dusk'"]),
        ("arsenal.toml", 'origin = "dawn"', 'origin = "end"', ["arsenal.toml", "'dawn' has 6 cards"]),
        ("arsenal.toml", 'origin = "dawn"\n', "", ["arsenal.toml", "'Spartan Shield'", "'origin' is missing"]),
        ("arsenal.toml", 'name = "Spartan Shield"', 'name = "War Horse"', ["two artefacts", "'War Horse'"]),
        ("arsenal.toml", "effect =", "colour = 1\neffect =", ["arsenal.toml", "'Spartan Shield'", "'colour'"]),
        ("arsenal.toml", "[[artefact]]", "[[artefact", ["arsenal.toml", "not valid TOML"]),
        ("starting.toml", '"time_prowler"', '"time_prowlr"', ["starting.toml", "did you mean 'time_prowler'"]),
        ("starting.toml", '"time_prowler"', '"v_girl"', ["starting.toml", "'time_prowler' has 5 cards"]),
        ("missions.toml", "needed = 3", "needed = 0", ["missions.toml", "'pincer'", "needed = 0"]),
        ("missions.toml", 'event = "rift"', 'event = "drift"', ["missions.toml", "'rifts_at_foo'", "'rift'"]),
        ("missions.toml", "needed = 7", "needed = 8", ["missions.toml", "'rifts_everywhere'", "7 eras"]),
        ("levels.toml", "[1, 2, 3]", "[1, 2]", ["levels.toml", "'employee_of_the_month'", "clones_per_cycle"]),
        ("agents.toml", '"move another', '"hurl another', ["agents.toml", "'mister_time'", "'hurl'"]),
        ("agents.toml", "push_range = 2", "push_range = 'far'", ["agents.toml", "'v_girl'", "must be a whole number"]),
        ("clones.toml", "[1, 2, 3, 5]", "[1, 2, 3, 7]", ["clones.toml", "destroy_after"]),
        ("game.toml", "[0.3, 0.4, 0.3]", "[0.3, 0.4, 0.4]", ["game.toml", "split", "add up to 1"]),
        ("game.toml", "clumping = 0.0", "clumping = 1.0", ["game.toml", "clumping"]),
        ("game.toml", "cycles = 3", "cycles = 9", ["game.toml", "cycles = 9"]),
        ("game.toml", "cycles = 3", "cicles = 3", ["game.toml", "'cycles' is missing"]),
        ("modes.toml", "[[mode]]", "[[modes]]", ["modes.toml", "[[mode]]"]),
    ],
)  # fmt: skip
def test_a_mistake_gives_one_sentence_with_file_entry_and_word(folder, file, old, new, words):
    change(folder, file, old, new)
    with pytest.raises(DataError) as caught:
        load(folder)
    message = str(caught.value)
    assert "\n" not in message
    for word in words:
        assert word in message


def test_a_foreign_file_and_a_missing_folder(folder, tmp_path):
    with pytest.raises(DataError, match="there is no folder"):
        load(tmp_path / "nowhere")
    (folder / "arsenal.toml").unlink()
    (folder / "arsenal.toml").mkdir()
    with pytest.raises(DataError, match=r"arsenal\.toml cannot be read"):
        load(folder)
    (folder / "arsenall.toml").write_text("")
    with pytest.raises(DataError, match=r"arsenall\.toml is not a data file; did you mean 'arsenal'"):
        load(folder)


# -- the language ----------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("effect", "complaint"),
    [
        ("", "the end does not fit here"),
        ("teleport 1 era", "'teleport' does not fit here; expected one of the verbs"),
        ("add 1 energy", "the end does not fit here"),
        ("add 9 energy here", "'9' does not fit here; expected a number from 1 to 4"),
        ("add one energy here", "'one' does not fit here"),
        ("add 1 energy here and move 1 era", "'and' does not fit here; expected one of: , then"),
        ("if raining, add 1 energy here", "'raining' does not fit here"),
        ("pull 1 clone or here", "'here' does not fit here; expected an action"),
        ("add 1 energy at each vortex for each clone here", "'for each' does not fit here"),
        ("move 4 eras", "'4' does not fit here; expected a number from 1 to 3"),
        ("push 1 clone at each vortex", "'at each vortex' does not fit here"),
        ("add 1 energy at an adjacent erra", "'erra' does not fit here"),
        (", then ".join(["push 4 clones here"] * 4), "too long"),
        (" or ".join(["move 1 era"] * 5), "5 options are too many"),
    ],
)
def test_a_word_that_does_not_fit_is_named(effect, complaint):
    with pytest.raises(EffectError) as caught:
        compile_effect(effect)
    assert complaint in str(caught.value)


def test_options_are_labelled_by_what_differs():
    assert compile_effect("add 1 energy at another agent or at each vortex").labels == {
        0: ["another agent", "each vortex"]
    }
    assert compile_effect("pull 1 clone or push 1 clone here").labels == {0: ["pull 1 clone", "push 1 clone here"]}


def test_every_dimension_word_is_known():
    assert {card.dimension for card in DATA.artefacts} == set(DIMENSIONS)
