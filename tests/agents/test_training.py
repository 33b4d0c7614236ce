"""train.py: settings, runs, checkpoints."""

from __future__ import annotations

import json
import os
import pickle
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
import torch

import train as train_module
from agents import checkpoint, settings
from agents.checkpoint import Checkpoint
from agents.policy import load_policy
from agents.registry import load
from agents.sight import Seen
from loop_env import UserError, replay

ROOT = Path(__file__).parent.parent.parent
SMOKE = ROOT / "configs" / "the_loop" / "smoke.yaml"


def command(script: str, *arguments: object) -> list[str]:
    return [sys.executable, str(ROOT / script), *map(str, arguments)]


def train(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("train.py", *arguments), cwd=folder, capture_output=True, text=True, check=False)


def evaluate(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command("evaluate.py", *arguments), capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def run(tmp_path_factory) -> Path:
    """A finished run."""
    folder = tmp_path_factory.mktemp("training")
    done = train(folder, SMOKE, "name=smoke")
    assert done.returncode == 0, done.stderr
    return folder / "runs" / "smoke"


# -- settings --------------------------------------------------------------------------------------
@pytest.mark.parametrize("path", sorted((ROOT / "configs").rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_config_is_valid(path):
    assert settings.read(path).game == "the_loop"


@pytest.mark.parametrize("path", sorted((ROOT / "agents" / "pretrained").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_config_that_begins_with_a_shipped_player_has_its_network(path):
    shipped = settings.read(path).network
    configs = [settings.read(each) for each in (ROOT / "configs").rglob("*.yaml")]
    begun = [config for config in configs if config.begin == f"pretrained:{path.stem}"]
    assert begun
    assert all(config.network == shipped for config in begun)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ("ppo.stpes=3", "ppo.stpes is not a setting; did you mean 'steps'"),
        ("pop.steps=3", "pop is not a setting; did you mean 'ppo'"),
        ("ppo.steps=many", "ppo.steps = 'many' must be a whole number"),
        ("ppo.steps=0", "ppo.steps = 0 must be at least 1"),
        ("ppo.gamma=1.5", r"ppo.gamma = 1.5 must be between 0 and 1"),
        ("ppo.gamma=.nan", "ppo.gamma = nan must be"),
        ("ppo.minibatch=100000", "more than games x rollout"),
        ("network.kind=round", "network.kind = 'round' is unknown"),
        ("precision=float8", "precision = 'float8' is unknown"),
        ("seed=true", "seed = True must be a whole number"),
        ("curriculum=[{until: 0.5}]", "curriculum: the stages end at"),
        ("curriculum=[{untill: 1}]", r"curriculum\[0\].untill is not a setting; did you mean 'until'"),
        ("setup=3", "setup = 3 must be a table"),
        ("ppo=3", "ppo must be a table of settings"),
        ("seed.x=3", "'seed' has no settings of its own"),
        ("steps", "must look like key=value"),
    ],
)
def test_a_mistake_in_the_settings_gets_one_sentence(change, sentence):
    with pytest.raises(UserError, match=sentence) as caught:
        settings.read(SMOKE, ["seed=1", change])
    assert "\n" not in str(caught.value)


def test_every_setting_says_what_it_means():
    rows = settings.describe()
    assert all(about for _, _, about in rows)
    assert {"ppo.steps", "evaluate.games", "curriculum[].until", "network.kind"} <= {name for name, _, _ in rows}


def test_changes_and_numbers_are_read():
    found = settings.read(SMOKE, ["ppo.learning_rate=3e-4", "ppo.steps=10_000", "setup.level=2"])
    assert found.ppo.learning_rate == 3e-4
    assert found.ppo.steps == 10_000
    assert found.setup == {"mode": "sabotage", "level": 2, "agents": 2}


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["no.yaml"], "there is no config 'no.yaml'"),
        ([], "give a config"),
        (["--resume", "nowhere"], "is no run that could go on"),
        ([SMOKE, "setup.level=9"], "level 9 is unknown"),
        ([SMOKE, "setup.colour=9"], "option 'colour' is unknown"),
        ([SMOKE, "game=chess"], "game 'chess' is unknown"),
    ],
)
def test_bad_input_gets_one_sentence_and_exit_code_2(tmp_path, arguments, sentence):
    done = train(tmp_path, *arguments)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(("asked", "found"), [("", "0"), ("300000", "300000")])
def test_threads_do_not_spin_unless_asked_to(monkeypatch, asked, found):
    monkeypatch.setenv("GOMP_SPINCOUNT", asked)
    if not asked:
        monkeypatch.delenv("GOMP_SPINCOUNT")
    assert train_module.main(["--resume", "nowhere"]) == 2
    assert os.environ["GOMP_SPINCOUNT"] == found


def test_print_config_shows_the_resolved_one(tmp_path):
    done = train(tmp_path, SMOKE, "ppo.steps=77", "--print-config")
    (tmp_path / "again.yaml").write_text(done.stdout)
    assert settings.read(tmp_path / "again.yaml").ppo.steps == 77
    assert not (tmp_path / "runs").exists()


# -- a run is a folder -----------------------------------------------------------------------------
def test_a_run_leaves_all_it_should(run):
    assert {path.name for path in run.iterdir()} == {
        "config.yaml", "about.json", "checkpoints", "best.safetensors", "evaluations.jsonl", "games", "tensorboard"
    }  # fmt: skip
    lines = [json.loads(line) for line in (run / "evaluations.jsonl").read_text().splitlines()]
    assert [line["steps"] for line in lines] == [0, 1024, 2048, 3072, 4096]
    assert settings.read(run / "config.yaml").ppo.steps == 4096


def test_the_log_can_be_read_back(run):
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    log = EventAccumulator(str(run / "tensorboard"), {"images": 0, "tensors": 0})  # 0: all of them
    log.Reload()
    tags = set(log.Tags()["scalars"])
    assert {
        "games/win_rate", "games/tiles", "games/vortices", "games/loops", "games/clones", "games/decisions",
        "loss/policy", "loss/value", "loss/entropy", "loss/kl", "speed/steps_per_second", "speed/rollout_seconds",
        "speed/update_seconds", "evaluation/win_rate", "win_rate/sabotage_1", "outcomes/fourth_vortex",
    } <= tags  # fmt: skip
    assert "_hparams_/experiment" in log.summary_metadata
    told = log.Tensors("games/transcript/text_summary")[0].tensor_proto.string_val[0].decode()
    assert "turn 1" in told
    assert "stop" in told
    ended = log.Tensors("games/summary/text_summary")[0].tensor_proto.string_val[0].decode()
    assert ended.startswith(("**lost**: ", "**won**"))
    shown = [event.step for event in log.Images("games/board")]
    assert shown == sorted(set(shown))  # one slider: a game's turns, then the next game's
    assert {1024, 1025, 2048, 2049, 3072, 4096} <= set(shown)
    assert [event.step for event in log.Scalars("evaluation/win_rate")] == [0, 1024, 2048, 3072, 4096]


def test_a_run_is_a_player(run):
    for spec in (run, run / "best.safetensors"):
        assert load(str(spec), "the_loop").name == Path(spec).name
    done = evaluate(run, "--games", 4)
    assert done.returncode == 0, done.stderr
    assert "smoke" in done.stdout


def test_the_games_of_an_evaluation_can_be_seen_again(run):
    for path in (run / "games").iterdir():
        assert len(replay.load(path)) == 4


def test_an_exported_zip_is_a_stock_maskable_ppo_with_the_same_numbers(tmp_path, run):
    from sb3_contrib import MaskablePPO

    done = train(tmp_path, "--export", run, "stock.zip")
    assert done.returncode == 0, done.stderr
    model = MaskablePPO.load(tmp_path / "stock.zip", device="cpu")
    observations = torch.rand(5, model.observation_space.shape[0])
    possible = torch.ones(5, model.action_space.n, dtype=torch.bool)
    logits, values = load_policy(run, "the_loop").network(Seen(observations, possible))
    chances = torch.log_softmax(logits, 1)
    assert torch.allclose(model.policy.get_distribution(observations).distribution.logits, chances, atol=1e-5)
    assert torch.allclose(model.policy.predict_values(observations)[:, 0], values, atol=1e-5)


def test_a_run_is_not_overwritten(run):
    done = train(run.parent.parent, SMOKE, "name=smoke")
    assert done.returncode == 2
    assert "exists already" in done.stderr


# -- the same again --------------------------------------------------------------------------------
def evaluations(folder: Path) -> str:
    return (folder / "evaluations.jsonl").read_text()


def newest(folder: Path) -> Path:
    return max((folder / "checkpoints").glob("*"))


def same(first: Path, second: Path) -> bool:
    ours, theirs = checkpoint.read(newest(first)).tensors, checkpoint.read(newest(second)).tensors
    return ours.keys() == theirs.keys() and all(torch.equal(ours[key], theirs[key]) for key in ours)


def steps(folder: Path) -> int:
    return int(newest(folder).stem.partition("-")[0])


LONG = ("ppo.steps=6144", "evaluate.every=2048", "ppo.average=3", "ppo.redraws=2")
LESSONS = (
    "pretrain={rounds: 3, games: 8, teacher: planner@50, minibatch: 64}",
    "network={kind: structured, row: 8, width: 32, foresight: 4}",
)


@pytest.fixture(scope="module")
def whole(tmp_path_factory) -> Path:
    """A longer run that nobody stopped."""
    folder = tmp_path_factory.mktemp("whole")
    assert train(folder, SMOKE, "name=whole", *LONG, *LESSONS).returncode == 0
    return folder / "runs" / "whole"


@pytest.mark.parametrize(
    ("stop", "after"),
    [
        pytest.param(signal.SIGINT, "evaluations.jsonl", id="SIGINT at the start"),
        pytest.param(signal.SIGINT, "checkpoints/*-0001.*", id="SIGINT in the lessons"),
        pytest.param(signal.SIGKILL, "checkpoints/*-0002.*", id="SIGKILL in the lessons"),
        pytest.param(signal.SIGINT, "checkpoints/*1???-0003.*", id="SIGINT"),
        pytest.param(signal.SIGTERM, "checkpoints/*1???-0003.*", id="SIGTERM"),
        pytest.param(signal.SIGKILL, "checkpoints/*1???-0003.*", id="SIGKILL"),
    ],
)
def test_a_run_that_was_stopped_goes_on_as_if_nothing_had_been(tmp_path, whole, stop, after):
    broken = tmp_path / "runs" / "broken"
    process = subprocess.Popen(
        command("train.py", SMOKE, "name=broken", *LONG, *LESSONS), cwd=tmp_path, stdout=subprocess.DEVNULL
    )
    deadline = time.monotonic() + 240
    while not list(broken.glob(after)):
        assert process.poll() is None, "it ended too early"
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(stop)
    assert process.wait(60) == (-stop if stop == signal.SIGKILL else 130)
    assert steps(broken) < 6144
    done = train(tmp_path, "--resume", broken)
    assert done.returncode == 0, done.stderr
    assert steps(broken) == 6144
    assert same(whole, broken)
    assert evaluations(whole) == evaluations(broken)
    load_policy(broken, "the_loop")


def test_a_checkpoint_on_the_way_plays_as_the_average_does(whole):
    found = checkpoint.read(newest(whole)).tensors
    weight = load_policy(newest(whole), "the_loop").network.heads.layer.weight
    assert torch.equal(weight, found["player.heads.layer.weight"])
    assert not torch.equal(weight, found["network.heads.layer.weight"])


def test_a_damaged_last_checkpoint_is_passed_over(tmp_path, run):
    import shutil

    shutil.copytree(run, tmp_path / "runs" / "copy")
    last = newest(tmp_path / "runs" / "copy")
    last.write_bytes(last.read_bytes()[:1000])
    done = train(tmp_path, "--resume", "runs/copy")
    assert done.returncode == 0, done.stderr
    assert same(run, tmp_path / "runs" / "copy")


def test_another_seed_is_another_run(tmp_path, run):
    assert train(tmp_path, SMOKE, "name=other", "seed=5").returncode == 0
    assert not same(run, tmp_path / "runs" / "other")


# -- beginning with another run's network ----------------------------------------------------------
def test_a_run_can_begin_with_the_network_of_another(tmp_path, run):
    for name, more in (("own", ()), ("theirs", (f"begin={run}",))):
        assert train(tmp_path, SMOKE, f"name={name}", "seed=5", "ppo.steps=512", *more).returncode == 0
    own, theirs = (json.loads(evaluations(tmp_path / "runs" / name).splitlines()[0]) for name in ("own", "theirs"))
    entries = [json.loads(line) for line in evaluations(run).splitlines()]
    best = max(entries, key=lambda entry: entry["win_rate"])  # of equals the first, as in a run
    assert theirs | {"steps": 0} == best | {"steps": 0}
    assert own != theirs


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (["begin=nowhere"], "there is no checkpoint 'nowhere'"),
        (["begin=pretrained:chess"], "'chess' is not shipped"),
        (["begin={run}", "network.width=33"], "has a network of another shape"),
        (["begin={run}", "network.foresight=3"], "has a network of another shape"),
    ],
)
def test_a_network_that_does_not_fit_gets_one_sentence(tmp_path, run, changes, sentence):
    done = train(tmp_path, SMOKE, *(change.format(run=run) for change in changes))
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "runs").exists()


# -- precision -------------------------------------------------------------------------------------
@pytest.mark.parametrize(
    ("processor", "asked", "is_used"),
    [
        ({"avx512_bf16": True, "amx_bf16": False}, "auto", True),
        ({"avx512_bf16": False, "amx_bf16": True}, "auto", True),
        ({"avx512_bf16": False, "avx512_f": True}, "auto", False),  # emulated there: slower than float32
        ({"architecture": "arm"}, "auto", False),
        ({"avx512_bf16": False}, "bfloat16", True),
        ({"avx512_bf16": True}, "float32", False),
    ],
)
def test_bfloat16_is_used_where_the_processor_has_it_or_where_it_is_asked_for(monkeypatch, processor, asked, is_used):
    from agents.run import use_bfloat16

    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: processor)
    assert use_bfloat16(asked) is is_used


# -- checkpoints -----------------------------------------------------------------------------------
def test_a_truncated_checkpoint_is_refused(tmp_path, run):
    (tmp_path / "half").write_bytes((run / "best.safetensors").read_bytes()[:-100])
    with pytest.raises(UserError, match="is no checkpoint, or a damaged one"):
        checkpoint.read(tmp_path / "half")


def test_a_changed_checkpoint_is_refused(tmp_path, run):
    raw = bytearray((run / "best.safetensors").read_bytes())
    raw[-5] ^= 1
    (tmp_path / "bent").write_bytes(raw)
    with pytest.raises(UserError, match="is damaged"):
        checkpoint.read(tmp_path / "bent")


class Trap:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self):
        return os.mkdir, (str(self.path),)


def test_a_malicious_pickle_is_refused_and_not_run(tmp_path):
    trap = tmp_path / "sprung"
    (tmp_path / "best.safetensors").write_bytes(pickle.dumps(Trap(trap)))
    for spec in (tmp_path, tmp_path / "best.safetensors"):
        done = evaluate(spec, "--games", 1)
        assert done.returncode == 2
        assert "is no checkpoint, or a damaged one" in done.stderr
        assert "Traceback" not in done.stderr
    assert not trap.exists()
    pickle.loads((tmp_path / "best.safetensors").read_bytes())
    assert trap.exists()  # the trap would have worked


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"game": "tamashii"}, "is a player of tamashii, not of the_loop"),
        ({"interface": "0" * 16}, "was trained with other actions or observations"),
    ],
)
def test_a_checkpoint_of_another_game_or_version_gets_one_sentence(tmp_path, run, change, sentence):
    found = checkpoint.read(run / "best.safetensors")
    checkpoint.write(tmp_path / "other.safetensors", Checkpoint(found.about | change, found.tensors))
    done = evaluate(tmp_path / "other.safetensors", "--games", 1)
    assert done.returncode == 2
    assert sentence in done.stderr
    assert "Traceback" not in done.stderr
