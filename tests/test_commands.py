"""python -m loop_env."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from loop_env.__main__ import main


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, "-m", "loop_env", *arguments], capture_output=True, text=True, check=False)


def test_info_lists_everything(capsys):
    assert main(["info", "the_loop", "--json"]) == 0
    info = json.loads(capsys.readouterr().out)
    sizes = {
        key: len(info[key]) for key in ("artefacts", "agents", "missions", "clones", "modes", "levels", "ultramachina")
    }
    assert sizes == {
        "artefacts": 79, "agents": 5, "missions": 10, "clones": 28, "modes": 4, "levels": 3, "ultramachina": 14
    }  # fmt: skip
    assert {row["name"] for row in info["actions"]} >= {"hand", "move", "free_move", "loop", "ability", "stop", "era"}
    assert {row["name"] for row in info["observation"]} >= {"eras", "agents", "hand", "row"}


def test_info_for_people(capsys):
    assert main(["info", "the_loop"]) == 0
    shown = capsys.readouterr().out
    for words in ("artefacts (79)", "Spartan Shield", "mister_time", "clones_at_foo", "Express Cloning"):
        assert words in shown
    for row in (("centrifuges   ", "3, 3, 3"), ("clones per cycle", "2, 3, 4"), ("start rifts", "3")):
        line = next(line for line in shown.splitlines() if row[0] in line)
        assert row[1] in line


def test_fuzz_finds_nothing(capsys):
    assert main(["fuzz", "the_loop", "--games", "60", "--seed", "7"]) == 0
    assert "nothing found" in capsys.readouterr().out


def test_fuzz_one_setup(capsys):
    assert main(["fuzz", "the_loop", "--games", "5", "--setup", "level 1, 3 players"]) == 0
    assert capsys.readouterr().out.startswith("5 games")


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["info", "the_lop"], "game 'the_lop' is unknown; did you mean 'the_loop'?"),
        (["info", "the_loop", "--data", "nowhere"], "there is no folder"),
        (["fuzz", "the_loop", "--setup", "9 players"], "no setup of the_loop contains '9 players'"),
        (["fuzz", "the_loop", "--games", "0"], "must be a whole number above 0"),
        (["fuzz", "the_loop", "--seed", "-1"], "must be a whole number from 0"),
        (["fuzz", "the_loop", "--seed", "9" * 30], "must be a whole number from 0"),
        (["bench", "chess"], "game 'chess' is unknown; there are: the_loop"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(arguments, sentence):
    done = run(*arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


def test_help_tells_of_every_command():
    done = run("--help")
    assert done.returncode == 0
    for command in ("play", "watch", "info", "fuzz", "bench"):
        assert command in done.stdout


@pytest.mark.slow
def test_bench_tells_what_it_measured():
    done = run("bench", "the_loop", "--json", "--games", "64")
    found = json.loads(done.stdout)
    assert done.returncode == 0
    for key in (
        "steps_per_second", "steps_per_second_2_threads", "games_per_second", "decisions_per_game",
        "observation_size", "actions", "compile_seconds_cold", "compile_seconds_cached",
    ):  # fmt: skip
        assert found[key] > 0


def test_the_tables_in_the_docs_are_those_of_the_code():
    page = Path(__file__).parent.parent / "docs" / "make_tables.py"
    done = subprocess.run([sys.executable, str(page), "--check"], check=False)
    assert done.returncode == 0, "docs/the_loop.md is out of date: run `make docs`"
