"""python -m loop_env watch, in the terminal."""

from __future__ import annotations

import re

import pytest

from agents.registry import load
from agents.story import CHOICE, LUCK, drops, lost_chances, play_game, tell
from agents.table import make_setup
from loop_env import replay
from loop_env.__main__ import main

SETUP = make_setup("the_loop", None, None, None, False, None)


@pytest.fixture
def file(tmp_path) -> str:
    """Two saved games."""
    replay.save(tmp_path / "games.jsonl", [play_game("random", "the_loop", SETUP, seed) for seed in (1, 2)])
    return str(tmp_path / "games.jsonl")


def test_a_player_is_watched_turn_by_turn(capsys):
    assert main(["watch", "random", "--agents", "3", "--mode", "centrifuges", "--level", "2", "--seed", "4"]) == 0
    told = capsys.readouterr().out
    assert "turn 1, " in told
    assert "centrifuges, level 2" in told
    assert re.search(r"random, seed 4: .+ after \d+ decisions", told)
    assert "the end, chance to win 0 %" in told
    assert "\x1b" not in told
    turns = [int(turn) for turn in re.findall(r"─ turn (\d+), ", told)]
    assert turns == list(range(1, len(turns) + 1))


def test_a_saved_game_is_watched(file, capsys):
    assert main(["watch", file]) == 0
    assert "random, seed 1:" in capsys.readouterr().out
    assert main(["watch", file, "--number", "2", "--delay", "0"]) == 0
    assert "random, seed 2:" in capsys.readouterr().out


def test_it_is_the_game_that_the_player_would_play_in_an_evaluation():
    from agents.evaluation import Cell, Plan, evaluate

    cell = Cell("sabotage", 1, 2)
    report = evaluate(Plan("the_loop", ["random"], [cell], 1, seed=11, keep_actions=True))
    assert play_game("random", "the_loop", SETUP, 11) == report.replays(cell, "random")[0]


def test_a_story_tells_all_decisions_and_where_chances_were_lost():
    game = play_game("random", "the_loop", SETUP, 4)
    moments = [moment for _, moment in tell(game, load("random", "the_loop"))]
    assert [moment.action for moment in moments[:-1]] == game.actions
    assert moments[-1].win == 0
    assert all(0 <= moment.win <= 1 for moment in moments)
    fallen = drops(moments)
    assert {drop.cause for drop in fallen} == {LUCK, CHOICE}
    for drop in fallen:
        now, after = moments[drop.moment], moments[drop.moment + 1]
        assert drop.size <= now.win - after.win + 1e-9
        if drop.cause == LUCK:
            assert now.luck != after.luck
    largest = lost_chances(moments, 3)
    assert [drop.size for drop in largest] == sorted((drop.size for drop in fallen), reverse=True)[:3]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["plannr"], "player 'plannr' is unknown"),
        (["nothing.jsonl"], "there is no file 'nothing.jsonl'"),
        (["planner", "--number", "2"], "--number is for files of saved games"),
        (["planner", "--open"], "say where to write it"),
        (["planner", "--delay", "-1"], "must be a number of seconds"),
        (["planner", "--level", "9"], "level 9 is unknown"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, sentence, capsys):
    try:
        code = main(["watch", *arguments])
    except SystemExit as end:  # argparse's own
        code = end.code
    assert code == 2
    assert sentence in capsys.readouterr().err


def test_bad_files_get_one_sentence(file, tmp_path, capsys):
    assert main(["watch", file, "--number", "3"]) == 2
    assert "has no game 3; it holds 2" in capsys.readouterr().err
    assert main(["watch", file, "--seed", "3"]) == 2
    assert "leave out --seed" in capsys.readouterr().err
    (tmp_path / "broken.jsonl").write_text("{")
    assert main(["watch", str(tmp_path / "broken.jsonl")]) == 2
    assert "broken.jsonl, line 1: this is not a saved game" in capsys.readouterr().err
    (tmp_path / "empty.jsonl").write_text("")
    assert main(["watch", str(tmp_path / "empty.jsonl")]) == 2
    assert "has no game 1; it holds 0" in capsys.readouterr().err
