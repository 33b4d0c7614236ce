"""The notebooks run from top to bottom, and are committed with outputs."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import nbformat
import pytest
from nbclient.exceptions import CellTimeoutError

FOLDER = Path(__file__).parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))


def runner():
    spec = importlib.util.spec_from_file_location("run_notebooks", FOLDER / "run.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_there_are_five():
    assert [path.name[0] for path in NOTEBOOKS] == list("12345")


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs(path, monkeypatch):
    monkeypatch.setenv("LOOP_ENV_SMALL", "1")
    monkeypatch.setenv("PYTHONPATH", str(FOLDER.parent))
    try:
        ran = runner().run(path, timeout=300)
    except CellTimeoutError:  # on a busy machine a message from the kernel may get lost: not the notebook's fault
        ran = runner().run(path, timeout=300)
    kept = nbformat.read(path, 4)
    for fresh, old in zip(ran.cells, kept.cells, strict=True):  # as much as a reader sees, of the same kinds
        assert kinds(fresh) == kinds(old), old.source


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_shows_something_before_it_is_run(path):
    notebook = nbformat.read(path, 4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any("image/svg+xml" in kinds(cell) or "image/png" in kinds(cell) for cell in code)
    text = path.read_text()
    assert "/home/" not in text
    assert "Traceback" not in text
    assert path.stat().st_size < 600_000


def kinds(cell):
    return {kind for output in cell.get("outputs", []) for kind in output.get("data", {output.output_type: ""})}
