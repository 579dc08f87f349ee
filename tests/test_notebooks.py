"""The notebooks run without warnings, and print what is stored in them."""

import os
import re
from pathlib import Path

import pytest

nbclient = pytest.importorskip("nbclient", reason="needs the extra dev")
pytest.importorskip("ipykernel", reason="needs the extra dev")
pytest.importorskip("river", minversion="0.26", reason="needs the extra data")
import nbformat  # noqa: E402 - installed with nbclient

ROOT = Path(__file__).parents[1]
NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
MAX_BYTES = 300_000
COMPILES = re.compile("(minotaur_pymoo compiles code for its first use.*\n)+")


def test_there_are_five_notebooks() -> None:
    assert [path.stem for path in NOTEBOOKS] == [
        "01_quickstart",
        "02_compare_optimizers",
        "03_reproduce_the_paper",
        "04_your_own_operator_and_objective",
        "05_from_front_to_decision",
    ]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_stored_notebook_is_executed_and_small(path: Path) -> None:
    assert path.stat().st_size < MAX_BYTES
    notebook = nbformat.read(path, as_version=4)
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert [cell.execution_count for cell in code] == list(range(1, len(code) + 1))
    assert any("image/png" in output.get("data", {}) for c in code for output in c.outputs)
    assert not warnings_of(notebook)
    assert str(ROOT) not in path.read_text()


# Starting Jupyter causes warnings in third-party libraries.
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "path",
    [
        pytest.param(path, marks=[pytest.mark.thorough] * (path != NOTEBOOKS[0]))
        for path in NOTEBOOKS
    ],
    ids=lambda path: path.stem,
)
def test_notebook_prints_what_is_stored(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT), os.environ.get("PYTHONPATH", "")]))
    notebook = nbformat.read(path, as_version=4)
    stored = [printed(cell) for cell in notebook.cells]
    resources = {"metadata": {"path": str(tmp_path)}}
    nbclient.NotebookClient(
        notebook, timeout=1200, kernel_name="python3", resources=resources
    ).execute()
    # The first run on a machine says that it compiles, and says so again after a long pause.
    assert not [text for text in warnings_of(notebook) if not COMPILES.fullmatch(text)]
    for cell, expected in zip(notebook.cells, stored, strict=True):
        assert printed(cell) == expected, f"{path.name} is stale: execute it again."


def test_printed_ignores_what_differs_between_runs() -> None:
    def cell(html: str, text: str) -> nbformat.NotebookNode:
        data = {"text/html": html, "text/plain": text}
        output = nbformat.v4.new_output("execute_result", data)
        return nbformat.v4.new_code_cell("x", outputs=[output])

    one = cell('<style>#T_1a {}</style><td id="T_1a_row0">.5</td>', "<Styler at 0x7f58>")
    other = cell('<style>#T_2b {}</style><td id="T_2b_row0">.5</td>', "<Styler at 0x8a01>")
    assert printed(one) == printed(other) == ["<Styler", "at", "0x>", ".5"]
    assert printed(one) != printed(cell("<td>.6</td>", "<Styler at 0x7f58>"))
    one.metadata["tags"] = ["varies"]
    assert printed(one) == []


def warnings_of(notebook: nbformat.NotebookNode) -> list[str]:
    """Everything the notebook wrote to standard error, which includes warnings."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not any(output.output_type == "error" for output in outputs)
    return [output.text for output in outputs if output.get("name") == "stderr"]


def printed(cell: nbformat.NotebookNode) -> list[str]:
    """The words of a cell's outputs, without images, addresses and the names of styles.

    Cells tagged ``varies``, whose output differs between runs, such as times, have none.
    """
    if "varies" in cell.metadata.get("tags", ()):
        return []
    texts = []
    for output in cell.get("outputs", ()):
        if output.get("name") == "stderr":
            continue
        texts.append(output.get("text", ""))
        data = output.get("data", {})
        texts += [f"\n{data[kind]}\n" for kind in ("text/plain", "text/markdown") if kind in data]
        html = re.sub(r"<style.*?</style>", "", data.get("text/html", ""), flags=re.DOTALL)
        texts.append(re.sub(r"<[^>]+>", " ", html))
    # What is printed arrives in parts of any length.
    return re.sub(r"0x[0-9a-f]+", "0x", "".join(texts)).split()
