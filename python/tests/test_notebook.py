"""doc/python.ipynb runs as it is, and prints what it is kept with.

Only text is kept: pictures are made when it runs.  UPDATE=1 rewrites what it is kept with.
"""

import json
import os
import pathlib
import sys

import nbclient
import nbformat
import pytest
from conftest import MODELS

NOTEBOOK = MODELS.parent / "doc" / "python.ipynb"


def texts(cell):
    """What a cell has printed and shown, as text."""
    shown = []
    for output in cell.get("outputs", []):
        if output.output_type == "stream":
            shown.append(output.text)
        elif output.output_type == "error":
            shown.append(f"{output.ename}: {output.evalue}")
        else:
            shown.append(output.data["text/plain"])
    return "\n".join(text.rstrip("\n") for text in shown)


def keep_text(cell):
    """The cell as the repository has it."""
    for output in cell.get("outputs", []):
        for kind in list(output.get("data", {})):
            if kind != "text/plain":
                del output.data[kind]
        output.pop("traceback", None)
        if output.output_type == "error":
            output.traceback = []
    cell.metadata = {}


@pytest.fixture
def kernel(tmp_path, monkeypatch):
    """A kernel of this interpreter, whose files are all in a folder of the test."""
    folder = tmp_path / "kernels" / "pepa"
    folder.mkdir(parents=True)
    (folder / "kernel.json").write_text(json.dumps({
        "argv": [sys.executable, "-Xfrozen_modules=off", "-m", "ipykernel_launcher", "-f",
                 "{connection_file}"],
        "display_name": "pepa", "language": "python"}))
    for name in ("HOME", "IPYTHONDIR", "JUPYTER_RUNTIME_DIR", "JUPYTER_CONFIG_DIR", "MPLCONFIGDIR"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setenv("JUPYTER_PATH", str(tmp_path))
    return "pepa"


def test_notebook(kernel):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    before = [texts(cell) for cell in notebook.cells]
    client = nbclient.NotebookClient(notebook, kernel_name=kernel, timeout=600,
                                     resources={"metadata": {"path": str(NOTEBOOK.parent)}})
    metadata = dict(notebook.metadata)
    client.execute()
    shown = [kind for cell in notebook.cells for output in cell.get("outputs", [])
             for kind in output.get("data", {})]
    assert shown.count("text/html") >= 5
    pictures = [output.data["text/html"] for cell in notebook.cells
                for output in cell.get("outputs", [])
                if output.get("data", {}).get("text/html", "").startswith("<svg")]
    assert len(pictures) >= 3
    after = [texts(cell) for cell in notebook.cells]
    if os.environ.get("UPDATE") == "1":
        for cell in notebook.cells:
            keep_text(cell)
        notebook.metadata = metadata
        pathlib.Path(NOTEBOOK).write_text(nbformat.writes(notebook) + "\n")
    else:
        assert after == before
