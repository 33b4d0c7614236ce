"""evaluate.py: the numbers, the files, and what it says when something is wrong."""

from __future__ import annotations

import csv
import json
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from agents.evaluation import Cell, Plan, evaluate, make_cells
from agents.statistics import wilson
from evaluate import main
from loop_env import replay

ROOT = Path(__file__).parent.parent.parent
PASSING = ("decisions_per_second", "games_per_second", "date", "command")  # what may differ between two runs


def command(*arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / "evaluate.py"), *map(str, arguments)]


def run(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command(*arguments), capture_output=True, text=True, check=False, cwd=ROOT)


def lasting(path: Path) -> list[dict]:
    """The records of a JSON file, without what may differ between two runs."""
    return [{k: v for k, v in record.items() if k not in PASSING} for record in json.loads(path.read_text())]


# -- the numbers -----------------------------------------------------------------------------------
def test_one_record_for_each_player_in_each_cell(tmp_path, capsys):
    out = tmp_path / "out.json"
    assert main(["scripted", "random", "--players", "2,3", "--games", "6", "--seed", "5", "--json", str(out)]) == 0
    records = json.loads(out.read_text())
    assert [(r["players"], r["agent"]) for r in records] == [
        (2, "scripted"), (2, "random"), (3, "scripted"), (3, "random")
    ]  # fmt: skip
    for r in records:
        assert (r["mode"], r["level"], r["games"], r["first_seed"], r["last_seed"]) == ("sabotage", 1, 6, 5, 10)
        assert r["win_rate"] == r["wins"] / 6
        assert (r["low"], r["high"]) == wilson(r["wins"], 6)
        assert sum(r["lost_by"].values()) + r["wins"] == 6
        assert r["turns"] > 0
        assert r["decisions_per_second"] > 0
        assert r["command"].startswith("python evaluate.py scripted random --players 2,3 --games 6")
        assert set(r["versions"]) == {"loop_env", "the_loop", "python", "numpy", "numba"}
    ours, theirs = records[0]["against"]["random"], records[1]["against"]["scripted"]
    assert ours["difference"] == -theirs["difference"] == records[0]["win_rate"] - records[1]["win_rate"]
    shown = capsys.readouterr().out
    for words in (
        "sabotage · level 1 · 2 players",
        "6 games, seeds 5-10",
        "lost by",
        "scripted - random",
        "all cells",
    ):
        assert words in shown


def test_workers_and_batches_change_no_number(tmp_path):
    files = [tmp_path / f"{i}.json" for i in range(3)]
    common = ("scripted", "random", "--players", "2,3", "--games", 10, "--json")
    assert run(*common, files[0]).returncode == 0
    assert run(*common, files[1], "--batch", 7).returncode == 0
    assert run(*common, files[2], "--batch", 3, "--workers", 2).returncode == 0
    assert lasting(files[0]) == lasting(files[1]) == lasting(files[2])


def test_cells():
    assert make_cells("the_loop", "", "", "") == [Cell("sabotage", 1, 2)]
    assert [cell.players for cell in make_cells("the_loop", "sabotage", "1", "all")] == [2, 3, 4]


def test_an_interrupt_leaves_whole_batches():
    plan = Plan("the_loop", ["random", "scripted"], [Cell("sabotage", 1, 2)], games=40, batch=10)

    def stop(counts):
        if counts.of(0)[0] > 25:
            raise KeyboardInterrupt

    report = evaluate(plan, stop)
    assert report.stopped
    assert [(r["agent"], r["games"]) for r in report.records()] == [("random", 20)]


# -- files -----------------------------------------------------------------------------------------
def test_files(tmp_path):
    files = {name: tmp_path / "deep" / f"out.{name}" for name in ("json", "csv", "md", "png")}
    outputs = {"--json": "json", "--csv": "csv", "--markdown": "md", "--plot": "png"}
    asked = [word for option, name in outputs.items() for word in (option, str(files[name]))]
    assert main(["scripted", "random", "--games", "6", *asked, "--replays", str(tmp_path / "games")]) == 0
    records = json.loads(files["json"].read_text())
    with files["csv"].open() as file:
        rows = list(csv.DictReader(file))
    assert [(row["agent"], int(row["wins"]), float(row["low"])) for row in rows] == [
        (r["agent"], r["wins"], r["low"]) for r in records
    ]
    page = files["md"].read_text()
    for words in ("python evaluate.py scripted random --games 6", "| sabotage | 1 | 2 | 6 | scripted |", "McNemar"):
        assert words in page
    assert files["png"].read_bytes().startswith(b"\x89PNG")
    assert {path.name for path in (tmp_path / "deep").iterdir()} == {path.name for path in files.values()}
    check_replays(tmp_path / "games", records)


def check_replays(folder: Path, records: list[dict]) -> None:
    """The games that were saved are those that were counted."""
    assert sorted(path.name for path in folder.iterdir()) == [
        "random-sabotage-1-2.jsonl",
        "scripted-sabotage-1-2.jsonl",
    ]
    for record in records:
        games = replay.load(folder / f"{record['agent']}-sabotage-1-2.jsonl")
        assert [game.seed for game in games] == list(range(6))
        assert sum(game.outcome == "won" for game in games) == record["wins"]
        assert np.mean([len(game.actions) for game in games]) == record["decisions"]


# -- an own bot ------------------------------------------------------------------------------------
def test_the_bot_in_the_readme_runs(tmp_path):
    text = (ROOT / "README.md").read_text()
    (bot,) = [block for block in re.findall(r"```python\n(.*?)```", text, re.DOTALL) if "class MyBot" in block]
    (tmp_path / "my_bot.py").write_text(bot)
    done = run(f"{tmp_path}/my_bot.py:MyBot", "random", "--games", 10)
    assert done.returncode == 0, done.stderr
    assert "my_bot.py:MyBot" in done.stdout


# -- mistakes --------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["scriptd"], "player 'scriptd' is unknown; did you mean 'scripted'?"),
        (["README.md"], "'README.md' is no checkpoint, or a damaged one"),
        (["evaluate.py:MyBot"], "'evaluate.py' has no class 'MyBot'"),
        (["random", "--games", "0"], "'0' must be a whole number above 0"),
        (["random", "--games", "9" * 15], "must be a whole number above 0, and at most"),
        (["planner@²"], "the budget '²' must be a whole number"),
        (["planner@"], "the budget '' must be a whole number"),
        (["planner@99999999999"], "must be a whole number from 1 to"),
        (["random@5"], "has no budget to set"),
        (["random", "--json", "a.json", "--csv", "a.json"], "'a.json' cannot be two files at once"),
        (["random", "--workers", "none"], "'none' must be a whole number above 0"),
        ([], "the following arguments are required: PLAYER"),
        (["random", "--modes", "sabotag"], "modes: 'sabotag' is unknown; did you mean 'sabotage'?"),
        (["random", "--levels", "9"], "levels: '9' is unknown"),
        (["random", "--players", "2,2"], "players: '2' is there twice"),
        (["random", "random"], "player 'random' is there twice"),
        (["random", "--game", "chess"], "game 'chess' is unknown"),
        (["random", "--data", "nowhere"], "there is no folder"),
        (["random", "--plot", "out.xyz"], "--plot: 'out.xyz' must end in one of: .png"),
        (["random", "--json", "docs"], "--json: 'docs' is not the name of a file"),
        (["random", "--json", "README.md/out.json"], "--json: the folder 'README.md' cannot be made"),
    ],
)
def test_mistakes_get_one_sentence(arguments, sentence):
    done = run(*arguments)
    assert done.returncode == 2
    assert done.stderr.startswith("evaluate: ")
    assert sentence in done.stderr
    assert done.stderr.count("\n") == 1


def test_an_illegal_bot_gets_one_sentence_from_a_worker_too(tmp_path):
    (tmp_path / "bad.py").write_text("class Bad:\n    def act(self, boards):\n        return boards.rows * 0 + 104\n")
    done = run(f"{tmp_path}/bad.py:Bad", "--workers", 2)
    assert done.returncode == 2
    assert "evaluate: bad.py:Bad chose action 104" in done.stderr
    assert "Traceback" not in done.stderr


# -- Ctrl-C ----------------------------------------------------------------------------------------
SLOW_BOT = """
from pathlib import Path
from agents.random_agent import RandomAgent

class Slow(RandomAgent):
    steps = 0
    def act(self, boards):
        Slow.steps += 1
        if Slow.steps == 500:
            Path(__file__).with_name("begun").touch()
        return super().act(boards)
"""


@pytest.mark.parametrize("workers", [1, 2])
def test_an_interrupt_tells_what_is_done(tmp_path, workers):
    (tmp_path / "slow.py").write_text(SLOW_BOT)
    out = tmp_path / "out.json"
    arguments = (f"{tmp_path}/slow.py:Slow", "--games", 10**6, "--batch", 8, "--workers", workers, "--json", out)
    process = subprocess.Popen(
        command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # tests that run in the background ignore it
    )  # fmt: skip
    for _ in range(1200):
        if process.poll() is not None or (tmp_path / "begun").exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    try:
        shown, said = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert "slow.py:Slow" in shown
    assert "stopped; " in said
    assert "Traceback" not in said
    (record,) = json.loads(out.read_text())
    assert 0 < record["games"] < 10**6
    assert record["games"] % 8 == 0
