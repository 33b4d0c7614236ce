"""python train.py configs/the_loop/quickstart.yaml [key=value ...]: train a player from a config file."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from loop_env.command_line import exit_code
from loop_env.errors import UserError

RUNS = Path("runs")


def main(arguments: Sequence[str] | None = None) -> int:
    """Train; exit code 2 for a mistake in what the user gave, 130 if the run was stopped."""
    options = parser().parse_args(arguments)
    return exit_code("train", lambda: train(options))


def train(options: argparse.Namespace) -> int:
    """Begin or go on."""
    from agents.settings import as_yaml, read

    if options.export:
        return export(*options.export)
    if (options.config is None) == (options.resume is None):
        raise UserError("give a config, such as configs/the_loop/quickstart.yaml, or --resume with a run's folder")
    if options.config and options.print_config:
        print(as_yaml(read(options.config, options.changes)), end="")
        return 0

    # torch's threads wait by spinning; where anything else wants their core that halves the speed (docs/training.md)
    os.environ.setdefault("GOMP_SPINCOUNT", "0")
    from agents.run import Run

    if options.resume:
        if options.changes:
            raise UserError("a run goes on with its own settings: leave out " + " ".join(options.changes))
        run = Run.resume(Path(options.resume))
    else:
        settings = read(options.config, options.changes)
        run = Run.new(folder_for(settings.name, Path(options.config).stem), settings)
    print(f"training in {run.folder}", flush=True)
    run.train()
    if run.stopped:
        done = f"{run.trainer.steps:,} steps" if run.trainer.steps else f"{run.rounds} rounds of lessons"
        print(f"stopped after {done} and saved; go on with: python train.py --resume {run.folder}")
        return 130
    print(f"done; the best is in {run.folder}")
    print(f"  how good it is:   python evaluate.py {run.folder} scripted random --games 1000")
    print(f"  how it learnt:    tensorboard --logdir {run.folder}")
    games = max((run.folder / "games").iterdir())
    print(f"  watch it play:    python -m loop_env watch {games} --html game.html --open")
    return 0


def export(source: str, target: str) -> int:
    """Write a stock SB3 zip."""
    from agents.export import export

    export(source, target)
    print(f"written: {target}; load it with sb3_contrib.MaskablePPO.load({target!r})")
    return 0


def folder_for(name: str, config: str) -> Path:
    """The run's folder: by its name, or the config's with the next free number."""
    if name:
        return RUNS / name
    number = 1
    while (RUNS / f"{config}-{number}").exists():
        number += 1
    return RUNS / f"{config}-{number}"


def parser() -> argparse.ArgumentParser:
    """The command line; the help tells of every setting."""
    from agents.settings import describe

    rows = [f"  {name:<26} {about} (default: {default})" for name, default, about in describe()]
    command = argparse.ArgumentParser(
        "python train.py",
        description="Train a player with PPO from a config file.",
        epilog="settings, in the config or as key=value:\n" + "\n".join(rows),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("config", nargs="?", help="a YAML file, such as configs/the_loop/quickstart.yaml")
    command.add_argument("changes", nargs="*", metavar="key=value", help="changes, such as ppo.steps=1_000_000")
    command.add_argument("--resume", metavar="FOLDER", help="go on with a run that was stopped or killed")
    command.add_argument("--export", nargs=2, metavar=("RUN", "ZIP"), help="write a run's best as a stock SB3 zip file")
    command.add_argument("--print-config", action="store_true", help="print the resolved config and stop")
    return command


if __name__ == "__main__":
    sys.exit(main())
