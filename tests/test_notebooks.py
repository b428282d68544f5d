"""The notebooks of docs/notebooks run from start to end, and what is stored in them is what they give."""

import os
import re
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

FOLDER = Path(__file__).parent.parent / "docs" / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))
EVERY_NOTEBOOK = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
NAMES = {"geometry", "million", "probabilities", "quickstart", "training_data"}


@pytest.fixture(scope="module")
def ran():
    """Runs a notebook, once."""
    found = {}

    def run(path):
        if path not in found:
            notebook = nbformat.read(path, as_version=4)
            client = NotebookClient(notebook, timeout=120, kernel_name="python3", record_timing=False)
            client.execute(env={**os.environ, "MPLBACKEND": "module://matplotlib_inline.backend_inline"})
            found[path] = notebook
        return found[path]

    return run


def code_cells(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell):
    """The kinds of what a cell gave, and its text; not that of cells whose last digits depend on the machine.

    What is printed comes in any number of pieces.
    """
    kinds = [sorted(output.data) for output in cell.outputs if output.output_type != "stream"]
    if "varies" in cell.metadata.get("tags", []):
        return kinds, ""
    texts = [output.get("text") or output.get("data", {}).get("text/plain", "") for output in cell.outputs]
    return kinds, re.sub(r"0x[0-9a-f]+|size \d+x\d+", "", "".join(texts))


def test_there_are_the_notebooks_that_are_promised():
    assert {path.stem for path in NOTEBOOKS} == NAMES


@EVERY_NOTEBOOK
@pytest.mark.filterwarnings("default")
def test_a_notebook_gives_what_is_stored_in_it(path, ran):
    stored = nbformat.read(path, as_version=4)
    for cell, again in zip(code_cells(stored), code_cells(ran(path)), strict=True):
        assert shown(cell) == shown(again), cell.source


@EVERY_NOTEBOOK
def test_a_notebook_was_stored_after_one_run_from_its_start(path):
    notebook = nbformat.read(path, as_version=4)
    nbformat.validate(notebook)
    cells = code_cells(notebook)
    assert [cell.execution_count for cell in cells] == list(range(1, len(cells) + 1))
    assert sum(bool(cell.outputs) for cell in cells) >= 4
    assert not any(output.output_type == "error" for cell in cells for output in cell.outputs)


@EVERY_NOTEBOOK
def test_a_notebook_names_no_place_of_one_machine_and_is_small(path):
    text = path.read_text(encoding="utf-8")
    assert len(text) < 600_000
    assert not re.search(r"/home/|/root/|/tmp/|/work/|C:\\\\", text)


@EVERY_NOTEBOOK
def test_a_notebook_begins_with_what_it_is_about(path):
    first = nbformat.read(path, as_version=4).cells[0]
    assert first.cell_type == "markdown"
    assert first.source.startswith("# ")
