"""Games in TensorBoard: the board turn by turn, the transcript, and how it ended.

Under `games/`, or another name, a game leaves
- `games/board`: a picture at the start of each turn and at the end. The slider runs over the turns: a picture's step is
  that of the game plus its place in it. So the games of a training run follow one another on one slider, the newest
  last, as long as there are more training steps than turns between them.
- `games/summary`: won or lost and why, what was counted.
- `games/transcript`: the table at the start and at the end, and every decision.

An evaluation (`evaluate.py --tensorboard FOLDER`) leaves a run for each player, with `win_rate/CELL` and a game for
each cell, under `games/CELL/`. A cell is called after mode, level and number of players: `sabotage_1_2`.

TensorBoard keeps ten pictures of a tag unless told otherwise: `tensorboard --samples_per_plugin images=1000`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tensorboard.compat.proto.summary_pb2 import Summary
from torch.utils.tensorboard import SummaryWriter

from agents.evaluation import Report, counters
from agents.registry import label
from loop_env.adapters.common import FIRST
from loop_env.errors import MissingPackageError
from loop_env.picture import Picture
from loop_env.raster import png
from loop_env.replay import Replay

WIDTH = 900  # of the pictures: some 70 KB each


def show_game(log: SummaryWriter, game: Replay, step: int, name: str = "games") -> None:
    """Write a game into the log."""
    log.add_text(f"{name}/summary", summary(game), step)
    log.add_text(f"{name}/transcript", "\n".join(transcript(game)), step)
    try:
        for place, picture in enumerate(boards(game)):
            add_picture(log, f"{name}/board", picture, step + place)
    except MissingPackageError as missing:  # no reason to stop a training run
        log.add_text(f"{name}/board", str(missing), step)


def show_report(folder: Path, report: Report) -> None:
    """Write what came out of an evaluation, and one game for each player in each cell."""
    for cell, agent in report.batches:
        where = re.sub(r"\W+", "_", f"{cell.mode}_{cell.level}_{cell.players}{'_solo' if report.plan.solo else ''}")
        with SummaryWriter(str(folder / re.sub(r"[^\w.@-]+", "_", label(agent)))) as log:
            found = report.record(cell, agent)
            for key in ("win_rate", "low", "high"):
                log.add_scalar(f"win_rate/{where}" + ("" if key == "win_rate" else f"/{key}"), found[key], 0)
            for key in counters(report.results(cell, agent)):
                log.add_scalar(f"{key}/{where}", found[key], 0)
            show_game(log, report.replays(cell, agent)[0], 0, f"games/{where}")


def add_picture(log: SummaryWriter, tag: str, picture: Picture, step: int) -> None:
    """Write a picture as it is; `add_image` would make it three times as large."""
    pixels = picture.rgb(WIDTH)
    height, width, colours = pixels.shape
    image = Summary.Image(height=height, width=width, colorspace=colours, encoded_image_string=png(pixels))
    log._get_file_writer().add_summary(Summary(value=[Summary.Value(tag=tag, image=image)]), step)


def boards(game: Replay) -> Iterator[Picture]:
    """The table at the start of each turn and at the end, each with what has changed since the one before."""
    before: dict[str, Any] | None = None
    for number, env in enumerate(game.play()):
        view = env.view()
        if before is None or view["turn"] != before["turn"] or number == len(game.actions):
            yield env.picture(before, f"turn {before['turn']}" if before else "the game begins")
            before = view


def summary(game: Replay) -> str:
    """How a game ended, as Markdown."""
    *_, env = game.play()
    counted = {key: values.tolist()[0] for key, values in env.summarise(env.batch.games, FIRST).items()}
    ending = "won" if counted.pop("is_success") else "lost"
    why = str(counted.pop("outcome")).replace("_", " ")
    rows = "\n".join(f"| {key} | {value} |" for key, value in counted.items())
    player = f" by {game.player}" if game.player else ""
    reason = "" if why == ending else f": {why}"
    return f"**{ending}**{reason} (seed {game.seed}, played{player})\n\n| | |\n|---|---|\n{rows}"


def transcript(game: Replay) -> Iterator[str]:
    """A game in words, as Markdown: the table at the start, every decision, the table at the end."""
    yield f"seed {game.seed}: {game.outcome.replace('_', ' ')}\n"
    for number, env in enumerate(game.play()):
        if number in (0, len(game.actions)):
            yield f"```\n{env.draw()}\n```"
        if number < len(game.actions):
            yield f"{number + 1}. {env.action_name(game.actions[number])}"
