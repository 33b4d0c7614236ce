"""python -m loop_env play: a person at the table."""

from __future__ import annotations

import io
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from agents.registry import load as load_player
from agents.table import PERSON, Table, table_from
from loop_env import UserError, replay
from loop_env.__main__ import main

QUICK = "planner@60"  # a bot that does not think long
SETUP = {"mode": "sabotage", "level": 1, "agents": 2}


@pytest.fixture
def play(tmp_path, monkeypatch, capsys):
    """Play with these lines of input; what was printed."""
    monkeypatch.chdir(tmp_path)

    def run(lines: str, *arguments: str, code: int = 0) -> str:
        monkeypatch.setattr(sys, "stdin", io.StringIO(lines))
        assert main(["play", *arguments]) == code
        return capsys.readouterr().out

    return run


def test_a_person_plays_a_whole_game_and_it_is_saved(play):
    told = play("1\n" * 2000, "--agents", "2", "--with", QUICK, "--seed", "7")
    assert "Mister Time: you, Robot 404: planner@60; seed 7" in told
    assert "The game is over" in told
    assert "python -m loop_env watch the_loop-7.jsonl --html game.html --open" in told
    (game,) = replay.load("the_loop-7.jsonl")
    assert game.outcome
    assert game.player == f"{PERSON} | {QUICK}"
    assert "\x1b" not in told  # no colours in a pipe


def test_every_seat_can_be_the_persons(play):
    assert "Mister Time: planner@60, Robot 404: you" in play("", "--seat", "2", "--with", QUICK, "--seed", "7")
    assert "Mister Time: planner@60, Robot 404: you" in play("", "--seat", "robot_404", "--with", QUICK, "--seed", "7")
    assert "Mister Time: you, Robot 404: you" in play("", "--seat", "all", "--seed", "7")
    told = play("", "--agents", "v_girl,time_prowler,mister_time", "--seat", "1,3", "--with", QUICK, "--seed", "7")
    assert "V Girl: you, Time Prowler: planner@60, Mister Time: you" in told


def test_actions_by_number_name_and_start_of_a_name(play):
    told = play("play\nplay: ion\nPLAY: POCKET SUNDIAL\n99\nnonsense\nlog\n", "--seed", "7", "--with", QUICK)
    assert "Mister Time: play: Ion Chronograph" in told
    assert "Mister Time: play: Pocket Sundial" in told
    assert re.search(r"there are actions 1 to \d+", told)
    assert "'play' may be: play: ion chronograph, play: pocket sundial" in told
    assert "'nonsense' is neither possible now nor a command" in told
    assert told.rstrip().split("turn 1")[-1].count("Mister Time: play") == 2  # the log


def test_undo_takes_back_what_revealed_nothing(play):
    told = play("play: ion\nundo\nundo\n", "--seed", "7", "--with", QUICK)
    assert "taken back: play: Ion Chronograph" in told
    assert "there is nothing to undo" in told
    boards = told.split("The LOOP")[1:]
    assert (
        boards[0].split("Mister Time>")[0] == boards[2].split("Mister Time>")[0] != boards[1].split("Mister Time>")[0]
    )


def test_undo_is_refused_after_something_hidden_was_revealed(play):
    told = play("stop\ntake nothing\nundo\n", "--seed", "7", "--with", QUICK)  # the machine has dropped rifts since
    assert "'take nothing' cannot be undone: something hidden was revealed since then" in told


def test_undo_is_refused_after_drawn_cards():
    table = Table("the_loop", SETUP, 6)
    table.seat(["1", "2"], QUICK)
    luck = np.random.default_rng(0)
    for _ in range(200):  # until a decision draws something
        possible = np.flatnonzero(table.env.action_masks())
        before, position = table.env.record.luck.copy(), table.env.save()
        table.step(int(luck.choice(possible)), by_person=True)
        if (before != table.env.record.luck).any():
            with pytest.raises(UserError, match="something hidden was revealed"):
                table.undo()
        else:
            table.undo()
            assert table.env.save() == position
            table.step(int(luck.choice(possible)), by_person=True)
        if table.env.is_over():
            break


def test_undo_skips_what_a_bot_did_in_between():
    table = Table("the_loop", SETUP, 7)
    position = table.env.save()
    for name, by_person in (("play: Ion Chronograph", True), ("play: Pocket Sundial", False)):
        table.step(np.flatnonzero(table.env.action_masks())[table.env.legal_actions().index(name)], by_person)
    assert table.undo().words == "play: Ion Chronograph"
    assert table.env.save() == position
    assert table.done == []


def test_a_hint_tells_reasons(play):
    told = play("hint\n", "--seed", "7", "--with", "planner@500")
    assert re.search(r"planner@500 would do: .+\.", told)
    assert re.search(r"The chance to win, if the turn is played well, is about \d+ % now and \d+ % after that", told)
    assert "chance to win after it" in told
    assert "how likely" not in told
    told = play("hint\n", "--seed", "7", "--with", QUICK, "--advisor", "random")
    assert "how likely random is to do it" in told


def test_saved_and_loaded_it_is_the_same_game(play):
    whole = play("1\n" * 2000, "--with", "random", "--seed", "3", "--save", "whole.jsonl")
    assert "The game is over" in whole
    told = play("1\n1\n1\n1\nsave half.jsonl\nquit\n", "--with", "random", "--seed", "3")
    assert "saved as half.jsonl" in told
    assert "python -m loop_env play --load half.jsonl" in told
    assert replay.load("half.jsonl")[0].outcome == ""
    play("1\n" * 2000, "--load", "half.jsonl")
    (whole_game,), (game,) = replay.load("whole.jsonl"), replay.load("half.jsonl")
    assert game == whole_game


def test_the_end_of_input_and_ctrl_c_lose_nothing(play, monkeypatch):
    told = play("play: ion\n", "--seed", "7", "--with", QUICK)
    assert "to go on: python -m loop_env play --load the_loop-7.jsonl" in told
    assert len(replay.load("the_loop-7.jsonl")[0].actions) == 1
    again = play("play: ion\n", "--seed", "7", "--with", QUICK)  # another game does not take the first one's file
    assert "--load the_loop-7-2.jsonl" in again

    lines = iter(["play: ion"])

    def ask(prompt: str) -> str:
        for line in lines:
            return line
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", ask)
    told = play("", "--seed", "7", "--with", QUICK, "--save", "mine.jsonl", code=130)
    assert "--load mine.jsonl" in told
    assert len(replay.load("mine.jsonl")[0].actions) == 1


def test_where_nothing_can_be_written_the_game_is_kept_elsewhere(play, monkeypatch, tmp_path):
    (tmp_path / "file").write_text("")
    other = tmp_path / "elsewhere"
    monkeypatch.setattr("tempfile.mkdtemp", lambda: str(other))
    told = play("play: ion\n", "--seed", "7", "--with", QUICK, "--save", "file/game.jsonl")
    assert "cannot be written" in told
    assert replay.load(other / "game.jsonl")


def test_a_finished_game_is_not_gone_on_with(play, capsys):
    play("1\n" * 2000, "--with", "random", "--seed", "3", "--save", "whole.jsonl")
    assert main(["play", "--load", "whole.jsonl"]) == 2
    assert "'whole.jsonl' holds no unfinished game; to see it: python -m loop_env watch" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--with", "plannr"], "player 'plannr' is unknown; did you mean 'planner'?"),
        (["--seat", "9"], "seat '9' is not at this table"),
        (["--mode", "peace"], "mode 'peace' is unknown"),
        (["--agents", "9"], "agents = 9 is not possible"),
        (["--load", "nothing.jsonl"], "there is no file 'nothing.jsonl'"),
        (["--load", "nothing.jsonl", "--level", "2"], "leave out --level"),
        (["--save", "."], "'.' is there already; choose another name"),
        (["--load", "nothing.jsonl", "--solo"], "leave out --solo"),
        (["--game", "chess"], "game 'chess' is unknown"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, sentence, play, capsys):
    assert main(["play", *arguments]) == 2
    assert sentence in capsys.readouterr().err


def test_no_file_is_overwritten(play, tmp_path):
    (tmp_path / "diary.txt").write_text("dear diary")
    told = play("play: ion\nsave diary.txt\n", "--seed", "7", "--with", QUICK)
    assert "'diary.txt' is there already" in told
    assert (tmp_path / "diary.txt").read_text() == "dear diary"


def test_another_bot_may_take_over(play):
    play("play: ion\n", "--seed", "7", "--seat", "2", "--with", QUICK, "--save", "game.jsonl")
    assert "Mister Time: random, Robot 404: you" in play("", "--load", "game.jsonl", "--with", "random")
    assert "Mister Time: you, Robot 404: random" in play("", "--load", "game.jsonl", "--with", "random", "--seat", "1")


def test_a_bot_that_fails_does_not_cost_the_game(play, tmp_path, capsys):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, boards):\n        return [9999]\n")
    play("stop\ntake nothing\n", "--seed", "7", "--with", "bad.py:Bad", "--advisor", "random", code=2)
    assert replay.load("the_loop-7.jsonl")[0].actions


def test_solo_the_person_has_every_seat(play):
    assert "Mister Time: you, Robot 404: you" in play("", "--solo", "--seed", "7")


def test_a_loaded_table_is_the_table_that_was_saved(tmp_path):
    table = Table("the_loop", SETUP, 5)
    table.seat(["1"], QUICK)
    for _ in range(30):
        bot = table.bot or load_player(QUICK, "the_loop")
        table.let_bot_act(bot)
    replay.save(tmp_path / "game.jsonl", [table.replay()])
    again = table_from(replay.load(tmp_path / "game.jsonl")[0])
    assert again.env.save() == table.env.save()
    assert again.seats == table.seats
    assert Path(tmp_path / "game.jsonl").stat().st_size < 4000
