"""The tour of docs/notebooks: run as a notebook, every object is shown, and it can be made a page."""

from __future__ import annotations

import os
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from command import PATIENCE
from effort import IS_DEEP

nbformat = pytest.importorskip("nbformat", reason="nbclient (the extra test) is not installed")
nbclient = pytest.importorskip("nbclient", reason="nbclient (the extra test) is not installed")
pytest.importorskip("ipykernel", reason="ipykernel (the extra test) is not installed")
Config = pytest.importorskip("traitlets.config").Config

ROOT = Path(__file__).parents[2]
TOUR = ROOT / "docs" / "notebooks" / "tour.ipynb"
SHOWN = ("Profile", "Policy", "Release", "Manifest", "Audit", "Evaluation")
FIGURES = ("Who stands out", "Groups and cells of the release", "Accuracy against k")

ONE_REPETITION = "from kanopy.evaluation.trial import FOLDS; del FOLDS[2:]"


IN_FILES = {"KernelManager": {"transport": "ipc"}}  # a port that is free may be taken before it is used


@pytest.fixture(scope="module")
def run_tour() -> Any:
    # Names of such files are short, so they cannot lie below pytest's folder.
    with TemporaryDirectory(prefix="kanopy-") as made, pytest.MonkeyPatch.context() as patched:
        folder = Path(made)
        for name in ("JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
            patched.setenv(name, str(folder / name))
        patched.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "src"), os.environ.get("PYTHONPATH", "")]))
        patched.setenv("JUPYTER_PLATFORM_DIRS", "1")
        notebook = nbformat.read(TOUR, as_version=4)
        if not IS_DEEP:
            notebook.cells.insert(0, nbformat.v4.new_code_cell(ONE_REPETITION))
        # Any Python has a kernel of its own where ipykernel is installed, without being registered.
        how = {"timeout": PATIENCE, "startup_timeout": PATIENCE, "kernel_name": "python3"}
        nbclient.NotebookClient(notebook, config=Config(IN_FILES), **how).execute()
        return notebook


def outputs(notebook: Any) -> list[Any]:
    cells = (cell for cell in notebook.cells if cell.cell_type == "code")
    return [output for cell in cells for output in cell.outputs]


def test_every_object_is_shown(run_tour: Any) -> None:
    pages = [
        output.data["text/html"] for output in outputs(run_tour) if "text/html" in output.get("data", {})
    ]
    for title in (*SHOWN, *FIGURES):
        assert any(f"<h3>{title}" in page for page in pages), title
    assert not [page for page in pages if re.search("<script|https?://", page)]


def test_nothing_fails_or_warns(run_tour: Any) -> None:
    assert [output for output in outputs(run_tour) if output.output_type in ("error", "stream")] == []


def test_every_object_has_a_line_of_text(run_tour: Any) -> None:
    texts = [
        output.data["text/plain"] for output in outputs(run_tour) if output.output_type == "execute_result"
    ]
    assert len(texts) == 10
    assert all(len(text) < 400 and "object at 0x" not in text for text in texts)


def test_the_notebook_is_kept_without_outputs() -> None:
    kept = nbformat.read(TOUR, as_version=4)
    nbformat.validate(kept)
    assert outputs(kept) == []


def test_it_becomes_a_page(run_tour: Any) -> None:
    nbconvert = pytest.importorskip("nbconvert", reason="nbconvert (the extra test) is not installed")
    page, _ = nbconvert.HTMLExporter(template_name="basic").from_notebook_node(run_tour)
    assert page.count('class="kanopy"') >= len(SHOWN) + len(FIGURES)
