"""README and documentation are true: examples, pictures, names and links."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

import minotaur_pymoo
from minotaur_pymoo import datasets, export, plots
from tests.tools.examples import PAGES, ROOT, run_page

DOCS = ROOT / "docs"


@pytest.fixture
def _drawing_nowhere() -> Iterator[None]:
    mpl.use("Agg")
    plt.close("all")
    yield
    plt.close("all")


@pytest.mark.usefixtures("_drawing_nowhere")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_examples_run_and_print_what_is_said(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    assert run_page(text, tmp_path) == text


def test_a_wrong_output_would_be_noticed(tmp_path: Path) -> None:
    page = "```python\nprint(1 + 1)\n```\n\n```text\n3\n```\nEnd\n"
    assert run_page(page, tmp_path) == page.replace("3", "2")


def test_an_unknown_command_would_be_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="neither run nor known"):
        run_page("```sh\nminotaur demo\n```\n", tmp_path)
    with pytest.raises(AssertionError, match="nowhere"):
        run_page("```sh\nminotaur-pymoo show nowhere.json\n```\n", tmp_path)


def test_the_readme_has_its_commands_and_examples() -> None:
    readme = (ROOT / "README.md").read_text()
    for mark in ("demo", "test"):
        assert re.search(rf"<!-- {mark} -->\n```sh\npython3 -m pip install -e .*\n```", readme)
    assert readme.count("```python") >= 1
    assert "```text" in readme


def test_every_public_name_is_in_the_reference() -> None:
    reference = "".join(path.read_text() for path in (DOCS / "reference").glob("*.md"))
    described = set(re.findall(r"^::: (\S+)$", reference, flags=re.MULTILINE))
    public = {
        f"{module.__name__}.{name}"
        for module in (minotaur_pymoo, export, plots, datasets)
        for name in module.__all__
    }
    twice = {"minotaur_pymoo.datasets.Dataset", "minotaur_pymoo.datasets.load_demo"}
    assert described == public - twice


def test_pictures_are_those_of_the_script() -> None:
    script = runpy.run_path(str(DOCS / "pictures.py"))
    stored = {path.stem for path in (DOCS / "pictures").glob("*.png")}
    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"pictures/([\w-]+)\.png", page.read_text()))
    assert set(script["PICTURES"]) == stored == shown


def test_links_of_the_readme_lead_somewhere() -> None:
    for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md"):
        for link in re.findall(r"\]\(([^)#:]+)\)", (ROOT / name).read_text()):
            assert (ROOT / link).exists(), f"{name}: {link}"


def test_the_site_is_built_without_a_warning(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    pytest.importorskip("mkdocstrings", reason="needs the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) >= 12
    # Described together with the population size, and yet with a default of its own.
    search = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "reference" / "search.html").read_text())
    assert re.search(r"n_offsprings +\( +int +, +default: +40 ", search)
    # Nothing is fetched from elsewhere when a page is shown.
    fetched = re.compile(
        r"""<(?:script|img|iframe)[^>]+src="?https?:|<link[^>]+rel="?(?:stylesheet|preconnect)"?[^>]+href="?https?:"""
    )
    for page in pages:
        assert not fetched.search(page.read_text()), page.name
