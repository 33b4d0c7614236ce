"""Games in TensorBoard: real event files, read back."""

from __future__ import annotations

import sys
from io import BytesIO

import numpy as np
import pytest

from agents.match import play_match
from agents.registry import load
from agents.show import boards, show_game
from evaluate import main
from loop_env import raster
from loop_env.games import find
from loop_env.replay import Replay

pytest.importorskip("torch")
from tensorboard.backend.event_processing.event_accumulator import EventAccumulator
from torch.utils.tensorboard import SummaryWriter


@pytest.fixture(scope="module")
def game() -> Replay:
    setup = {"mode": "sabotage", "level": 1, "agents": 2}
    commands = find("the_loop")
    played = play_match(load("scripted", "the_loop"), commands.parts(**setup), [3], keep_actions=True)
    version, outcome = commands.env(**setup).fingerprint(), str(played.results["outcome"][0])
    return Replay("the_loop", version, setup, 3, played.actions[0], outcome, "scripted")


def read(folder) -> EventAccumulator:
    log = EventAccumulator(str(folder), {"images": 0, "tensors": 0, "scalars": 0})
    log.Reload()
    return log


def words(log: EventAccumulator, tag: str) -> str:
    return log.Tensors(f"{tag}/text_summary")[0].tensor_proto.string_val[0].decode()


def test_a_game_is_shown_turn_by_turn(tmp_path, game):
    with SummaryWriter(str(tmp_path)) as log:
        show_game(log, game, 5000)
        show_game(log, game, 6000)
    log = read(tmp_path)
    turns = sorted({env.view()["turn"] for env in game.play()})
    images = log.Images("games/board")
    one = [5000 + place for place in range(len(turns) + 1)]  # the start of each turn, and the end
    assert [image.step for image in images] == one + [step + 1000 for step in one]
    from PIL import Image

    opened = [Image.open(BytesIO(image.encoded_image_string)) for image in images]
    assert {picture.size for picture in opened} == {(images[0].width, images[0].height)}
    assert np.asarray(opened[0].convert("RGB")).std() > 10
    assert max(len(image.encoded_image_string) for image in images) < 120_000
    assert [image.encoded_image_string for image in images[: len(one)]] == [
        image.encoded_image_string for image in images[len(one) :]
    ]
    ending = "**won**" if game.outcome == "won" else f"**lost**: {game.outcome.replace('_', ' ')}"
    assert words(log, "games/summary").startswith(ending)
    assert "| vortices | " in words(log, "games/summary")
    assert f"{len(game.actions)}. " in words(log, "games/transcript")


def test_pictures_tell_what_a_turn_changed(game):
    first, second, *_, last = boards(game)
    assert "the game begins" in first.parts["last"]
    assert 'class="new"' not in first.svg()
    assert ">turn 1<" in second.parts["last"]
    assert "Foo: " in second.parts["last"]
    assert 'class="new"' in second.parts["title"]
    assert ("WON" if game.outcome == "won" else "LOST") in last.parts["now"]


def test_without_the_packages_a_run_goes_on(tmp_path, game, monkeypatch):
    raster.engine_with_fonts.cache_clear()
    monkeypatch.setitem(sys.modules, "thorvg_python", None)
    with SummaryWriter(str(tmp_path)) as log:
        show_game(log, game, 0)
    raster.engine_with_fonts.cache_clear()
    assert "pip install" in words(read(tmp_path), "games/board")


def test_evaluate_logs_players_as_runs(tmp_path, capsys):
    asked = ["--games", "4", "--levels", "1,2", "--tensorboard", str(tmp_path / "log")]
    assert main(["scripted", "random", *asked]) == 0
    assert {path.name for path in (tmp_path / "log").iterdir()} == {"scripted", "random"}
    log = read(tmp_path / "log" / "random")
    assert {"win_rate/sabotage_1_2", "win_rate/sabotage_2_2/low", "tiles/sabotage_1_2"} <= set(log.Tags()["scalars"])
    assert set(log.Tags()["images"]) == {"games/sabotage_1_2/board", "games/sabotage_2_2/board"}
    assert "**lost**" in words(log, "games/sabotage_2_2/summary")
    assert "random" in capsys.readouterr().out
