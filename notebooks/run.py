"""Run notebooks from top to bottom and keep their outputs: python notebooks/run.py [NOTEBOOK ...] (by default all).

With LOOP_ENV_SMALL=1 they play fewer games; the tests run them like that, and keep nothing.
"""

from __future__ import annotations

import sys
from pathlib import Path

import nbformat
from nbclient import NotebookClient

FOLDER = Path(__file__).parent
WIDGET = "application/vnd.jupyter.widget-view+json"


def run(path: Path, timeout: int = 1200) -> nbformat.NotebookNode:
    """The notebook with fresh outputs; a cell that fails raises its error."""
    notebook = nbformat.read(path, 4)
    where = {"metadata": {"path": str(FOLDER.parent)}}
    NotebookClient(notebook, timeout=timeout, coalesce_streams=True, resources=where).execute()
    notebook.metadata = {"kernelspec": notebook.metadata["kernelspec"]}  # not what differs between machines
    for cell in notebook.cells:
        cell.metadata = {}
        if cell.cell_type == "code":
            cell.outputs = [output for output in cell.outputs if is_kept(output)]
    return notebook


def is_kept(output: nbformat.NotebookNode) -> bool:
    """Whether an output says something to a reader: no warning, no widget that only lives in a running notebook."""
    return output.get("name") != "stderr" and WIDGET not in output.get("data", {})


if __name__ == "__main__":
    for name in sys.argv[1:] or sorted(FOLDER.glob("*.ipynb")):
        print(name)
        nbformat.write(run(Path(name)), name)
