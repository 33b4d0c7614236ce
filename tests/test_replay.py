"""Saved games."""

from __future__ import annotations

import json

import pytest

from agents.match import play_match
from agents.random_agent import RandomAgent
from loop_env import UserError, replay
from loop_env.games import find
from loop_env.replay import Replay

SETUP = {"mode": "sabotage", "level": 1, "agents": 3}


@pytest.fixture
def games() -> list[Replay]:
    commands = find("the_loop")
    played = play_match(RandomAgent(), commands.parts(**SETUP), range(3), keep_actions=True)
    version = commands.env(**SETUP).fingerprint()
    return [
        Replay("the_loop", version, SETUP, seed, actions, outcome)
        for seed, actions, outcome in zip(range(3), played.actions, played.results["outcome"], strict=True)
    ]


def test_a_saved_game_is_the_same_game(tmp_path, games):
    path = tmp_path / "games.jsonl"
    replay.save(path, games)
    assert replay.load(path) == games
    assert [json.loads(line)["format"] for line in path.read_text().splitlines()] == [1, 1, 1]
    steps = [env.record.decisions for env in games[0].play()]
    assert steps == list(range(len(games[0].actions) + 1))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"version": "0123456789abcdef"}, "line 1: this game was played with other rules or data"),
        ({"format": 2}, "line 1: format 2 is unknown"),
        ({"game": "chess"}, "line 1: game 'chess' is unknown"),
        ({"actions": []}, "line 1: this game ended as 'unfinished'"),
        ({"actions": [104]}, "line 1: action 104 .* is not possible now"),
        ({"setup": {"mode": "sabotage", "colour": "red"}}, "line 1: the setup .* does not fit"),
        ({"colour": "red"}, "line 1: this is not a saved game"),
        ({"actions": None}, "line 1: this is not a saved game"),
        ({"actions": ["x"]}, "line 1: this is not a saved game"),
        ({"seed": -1}, "line 1: this is not a saved game"),
        ({"setup": 3}, "line 1: this is not a saved game"),
    ],
)
def test_what_cannot_be_seen_again(tmp_path, games, change, sentence):
    path = tmp_path / "games.jsonl"
    replay.save(path, games)
    lines = path.read_text().splitlines()
    lines[0] = json.dumps(json.loads(lines[0]) | change)
    path.write_text("\n".join(lines))
    with pytest.raises(UserError, match=sentence):
        replay.load(path)


def test_no_file_and_no_json(tmp_path):
    with pytest.raises(UserError, match="there is no file"):
        replay.load(tmp_path / "nothing.jsonl")
    (tmp_path / "noise.jsonl").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(UserError, match="holds no saved games"):
        replay.load(tmp_path / "noise.jsonl")
    (tmp_path / "words.jsonl").write_text("once upon a time\n")
    with pytest.raises(UserError, match="line 1: this is not a saved game"):
        replay.load(tmp_path / "words.jsonl")
