"""A report's looks: tables for people, JSON, CSV, Markdown, a heatmap, replays."""

from __future__ import annotations

import csv
import io
import json
import os
import platform
import re
from collections.abc import Sequence
from datetime import date
from importlib.metadata import version
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from agents.evaluation import Cell, Report, counters
from agents.registry import label
from agents.statistics import Paired
from loop_env import __version__, replay
from loop_env.errors import UserError
from loop_env.games import find

PICTURES = (".png", ".svg", ".pdf")
COUNTERS_SHOWN = 3  # of a game's counters, in tables
BRIGHT = 0.6  # the win rate from which on a cell of the heatmap is bright


def about(report: Report, command: str) -> dict[str, Any]:
    """Where the numbers come from: the command, the date, and the versions of all that decides them."""
    plan = report.plan
    versions = {"loop_env": __version__, plan.game: find(plan.game).env(**plan.options(plan.cells[0])).fingerprint()}
    versions |= {"python": platform.python_version()} | {name: version(name) for name in ("numpy", "numba")}
    return {"command": command, "date": date.today().isoformat(), "versions": versions}


# -- words -----------------------------------------------------------------------------------------
def percent(rate: float, sign: str = "") -> str:
    """A rate for people."""
    return f"{100 * rate:{sign}.1f} %"


def interval(low: float, high: float) -> str:
    """From here to there, in percent."""
    return f"{100 * low:.1f} to {100 * high:.1f}"


def losses(record: dict[str, Any]) -> str:
    """How often lost in which way."""
    return " · ".join(f"{cause.replace('_', ' ')} {count:,}" for cause, count in record["lost_by"].items())


def chance(p: float) -> str:
    """McNemar's p."""
    return "p < 0.0001" if p < 0.0001 else f"p = {p:.4f}"


def compared(one: str, other: str, pair: Paired) -> str:
    """A comparison in a line."""
    alone = f"won alone: {pair.only_first:,} to {pair.only_second:,}"
    return (
        f"{one} - {other}: {percent(pair.difference, '+')} ({interval(pair.low, pair.high)}), {alone}, {chance(pair.p)}"
    )


def columns(report: Report) -> list[str]:
    """The headings of a table, the game's own counters among them."""
    return ["player", "wins", "win rate", "95 %", *shown_counters(report), "lost by", "decisions/s", "games/s"]


def shown_counters(report: Report) -> list[str]:
    """The game's first counters."""
    some = next(played for batches in report.batches.values() for played in batches.values())
    return list(counters(some.results))[:COUNTERS_SHOWN]


def row(report: Report, record: dict[str, Any]) -> list[str]:
    """A record under these headings."""
    rate, sure = percent(record["win_rate"]), interval(record["low"], record["high"])
    counted = [f"{record[key]:.2f}" for key in shown_counters(report)]
    speeds = [f"{record['decisions_per_second']:,.0f}", f"{record['games_per_second']:,.1f}"]
    return [record["agent"], f"{record['wins']:,}", rate, sure, *counted, losses(record), *speeds]


def records_of(report: Report, cell: Cell) -> list[dict[str, Any]]:
    """The players' records in a cell."""
    return [report.record(cell, agent) for agent in report.plan.agents if report.played(cell, agent)]


# -- for people ------------------------------------------------------------------------------------
def show(report: Report, out: Console) -> None:
    """Tables, cell by cell, and the comparisons over all cells."""
    cells = [cell for cell in report.plan.cells if records_of(report, cell)]
    for cell in cells:
        show_cell(report, cell, out)
    if len(cells) > 1 and report.comparisons(cells):
        out.print("[bold]all cells[/bold]")
        for comparison in report.comparisons(cells):
            out.print("  " + compared(*comparison), highlight=False)


def show_cell(report: Report, cell: Cell, out: Console) -> None:
    """A table and the comparisons."""
    records = records_of(report, cell)
    games = " to ".join(f"{number:,}" for number in sorted({record["games"] for record in records}))
    seeds = f"{report.plan.seed}-{max(record['last_seed'] for record in records)}"
    solo = " · solo" if report.plan.solo else ""
    out.print(f"[bold]{cell}{solo}[/bold]        {games} games, seeds {seeds}", highlight=False)
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in columns(report):
        table.add_column(heading, justify="left" if heading in ("player", "lost by") else "right", no_wrap=True)
    for record in records:
        table.add_row(*row(report, record))
    out.print(table)
    for comparison in report.comparisons([cell]):
        out.print("  " + compared(*comparison), highlight=False)
    out.print()


# -- files -----------------------------------------------------------------------------------------
def write_json(path: str, report: Report, command: str) -> None:
    """A list with one record for each player in each cell."""
    replay.write_text(path, json.dumps(report.records(**about(report, command)), indent=1) + "\n")


def write_csv(path: str, report: Report, command: str) -> None:
    """The same as rows; comparisons, which are not flat, are left to JSON."""
    text = io.StringIO()
    records = report.records(**about(report, command))
    rows = [{key: flat(value) for key, value in record.items() if key != "against"} for record in records]
    writer = csv.DictWriter(text, rows[0])
    writer.writeheader()
    writer.writerows(rows)
    replay.write_text(path, text.getvalue())


def flat(value: Any) -> Any:
    """A value for one field of a row."""
    return "; ".join(f"{key} {count}" for key, count in value.items()) if isinstance(value, dict) else value


def write_markdown(path: str, report: Report, command: str, plot: str | None = None) -> None:
    """A page: who won how often, and who is better than whom; with the heatmap, if there is one."""
    facts = about(report, command)
    versions = ", ".join(f"{name} {number}" for name, number in facts["versions"].items())
    lines = [
        f"# Leaderboard{', solo' if report.plan.solo else ''}",
        "",
        f"Written on {facts['date']} by",
        "```",
        command,
        "```",
        f"with {versions}.",
        "",
    ]
    lines += ["Every player met the same games. Intervals are at 95 % (Wilson). Speeds are those of one process.", ""]
    if plot:
        lines += [f"![win rates]({os.path.relpath(plot, Path(path).parent)})", ""]
    lines += markdown_table(["mode", "level", "players", "games", *columns(report)], result_rows(report))
    pairs = pair_rows(report)
    if pairs:
        lines += [
            "",
            "## Player against player",
            "",
            "The difference of the win rates on the same games, and McNemar's",
        ]
        lines += ["exact test: how likely such a difference is between equal players.", ""]
        lines += markdown_table(["games of", "players", "difference", "95 %", "won alone", "McNemar"], pairs)
    replay.write_text(path, "\n".join(lines) + "\n")


def result_rows(report: Report) -> list[list[str]]:
    """All records, the same cell's side by side."""
    keys = ("mode", "level", "players", "games")
    return [
        [*(str(record[key]) for key in keys), *row(report, record)]
        for cell in report.plan.cells
        for record in records_of(report, cell)
    ]


def pair_rows(report: Report) -> list[list[str]]:
    """Comparisons, those over all cells last."""
    places: list[tuple[str, Sequence[Cell]]] = [(str(cell), [cell]) for cell in report.plan.cells]
    if len(places) > 1:
        places.append(("all cells", report.plan.cells))
    return [
        [
            place,
            f"{one} - {other}",
            percent(pair.difference, "+"),
            interval(pair.low, pair.high),
            f"{pair.only_first:,} to {pair.only_second:,}",
            chance(pair.p),
        ]
        for place, cells in places
        for one, other, pair in report.comparisons(cells)
    ]


def markdown_table(headings: list[str], rows: list[list[str]]) -> list[str]:
    """Lines of a Markdown table."""
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    return lines + ["| " + " | ".join(row) + " |" for row in rows]


def write_replays(folder: str, report: Report) -> None:
    """A file for each player in each cell, with a line for each game."""
    for cell, agent in report.batches:
        solo = "-solo" if report.plan.solo else ""
        name = re.sub(r"[^\w.@-]+", "_", f"{label(agent)}-{cell.mode}-{cell.level}-{cell.players}{solo}")
        replay.save(Path(folder) / f"{name}.jsonl", report.replays(cell, agent))


# -- a picture -------------------------------------------------------------------------------------
def pyplot() -> Any:
    """matplotlib, which only pictures need."""
    try:
        import matplotlib
    except ImportError:
        raise UserError("--plot needs matplotlib: pip install matplotlib") from None
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt

    return plt


def check_picture(path: str) -> None:
    """Complain about a picture that cannot be drawn."""
    if Path(path).suffix not in PICTURES:
        raise UserError(f"--plot: {path!r} must end in one of: {', '.join(PICTURES)}")
    pyplot()


def write_plot(path: str, report: Report) -> None:
    """Heatmaps of win rates, mode by level: a row for each player, a column for each number of players."""
    plt, plan = pyplot(), report.plan
    counts, modes = sorted({cell.players for cell in plan.cells}), list(dict.fromkeys(cell.mode for cell in plan.cells))
    levels = sorted({cell.level for cell in plan.cells})
    size = (1.5 + len(counts) * (0.9 + 0.9 * len(levels)), 0.6 + len(plan.agents) * (0.9 + 0.5 * len(modes)))
    figure, axes = plt.subplots(len(plan.agents), len(counts), figsize=size, squeeze=False, layout="constrained")
    for axis_row, agent in zip(axes, plan.agents, strict=True):
        for axis, players in zip(axis_row, counts, strict=True):
            rates = [[rate(report, Cell(mode, level, players), agent) for level in levels] for mode in modes]
            axis.imshow(rates, vmin=0, vmax=1, cmap="viridis", aspect="auto")
            axis.set_title(f"{label(agent)}, {players} {'agents, solo' if plan.solo else 'players'}", fontsize=9)
            axis.set_xticks(range(len(levels)), [f"level {level}" for level in levels], fontsize=8)
            axis.set_yticks(range(len(modes)), modes, fontsize=8)
            for y, line in enumerate(rates):
                for x, value in enumerate(line):
                    told, colour = "" if value != value else percent(value), "white" if value < BRIGHT else "black"
                    axis.text(x, y, told, color=colour, ha="center", va="center", fontsize=8)
    passing = Path(path).with_name(f".passing-{Path(path).name}")
    figure.savefig(passing, dpi=150)
    plt.close(figure)
    passing.replace(path)


def rate(report: Report, cell: Cell, agent: str) -> float:
    """A win rate; not a number if nothing was played."""
    return float(report.results(cell, agent)["is_success"].mean()) if report.played(cell, agent) else float("nan")
