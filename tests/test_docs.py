"""The README and the documentation: examples, figures, reference and links."""

import re
import runpy
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import matplotlib as mpl
import pytest
from matplotlib import pyplot as plt

import minotaur_pymoo
from tests.tools.examples import PAGES, ROOT, run_page

DOCS = ROOT / "docs"
# The subpackages for users; support, kernels and cli are internal.
SUBPACKAGES = (
    "checks",
    "data",
    "datasets",
    "estimator",
    "export",
    "growth",
    "plots",
    "rules",
    "search",
)


@pytest.fixture
def _no_display() -> Iterator[None]:
    mpl.use("Agg")
    plt.close("all")
    yield
    plt.close("all")


@pytest.mark.usefixtures("_no_display")
@pytest.mark.parametrize(
    "page",
    [
        pytest.param(page, marks=[pytest.mark.thorough] * (page.stem in ("how-to", "plots")))
        for page in PAGES
    ],
    ids=lambda page: page.stem,
)
def test_examples_print_the_output_shown(page: Path, tmp_path: Path) -> None:
    text = page.read_text()
    assert run_page(text, tmp_path) == text


def test_run_page_replaces_wrong_output(tmp_path: Path) -> None:
    page = "```python\nprint(1 + 1)\n```\n\n```text\n3\n```\nEnd\n"
    assert run_page(page, tmp_path) == page.replace("3", "2")


def test_run_page_rejects_unknown_and_failing_commands(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="unknown command"):
        run_page("```sh\nminotaur demo\n```\n", tmp_path)
    with pytest.raises(AssertionError, match="nowhere"):
        run_page("```sh\nminotaur-pymoo show nowhere.json\n```\n", tmp_path)


def test_readme_has_the_marked_commands_and_examples() -> None:
    readme = (ROOT / "README.md").read_text()
    for mark in ("demo", "test"):
        assert re.search(rf"<!-- {mark} -->\n```sh\npython3 -m pip install -e .*\n```", readme)
    assert readme.count("```python") >= 1
    assert "```text" in readme


def test_reference_lists_every_public_name_once() -> None:
    reference = "".join(path.read_text() for path in (DOCS / "reference").glob("*.md"))
    listed = re.findall(r"^::: (\S+)$", reference, flags=re.MULTILINE)
    top_level = set(minotaur_pymoo.__all__)
    expected = {f"minotaur_pymoo.{name}" for name in top_level}
    for package in SUBPACKAGES:
        names = set(import_module(f"minotaur_pymoo.{package}").__all__) - top_level
        expected |= {f"minotaur_pymoo.{package}.{name}" for name in names}
    assert sorted(listed) == sorted(expected)


def test_every_figure_is_drawn_by_the_script_and_shown() -> None:
    script = runpy.run_path(str(DOCS / "pictures.py"))
    stored = {path.stem for path in (DOCS / "pictures").glob("*.png")}
    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"pictures/([\w-]+)\.png", page.read_text()))
    assert set(script["PICTURES"]) == stored == shown


def test_relative_links_exist() -> None:
    pages = [*PAGES, ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_site_builds_without_warnings(tmp_path: Path) -> None:
    pytest.importorskip("material", reason="needs the extra docs")
    pytest.importorskip("mkdocstrings", reason="needs the extra docs")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-d", str(tmp_path)]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert process.returncode == 0, process.stderr
    pages = list(tmp_path.rglob("*.html"))
    assert len(pages) >= 17
    search = re.sub(r"<[^>]+>|\s+", " ", (tmp_path / "reference" / "search.html").read_text())
    assert re.search(r"n_offsprings +\( +int +, +default: +40 ", search)
    # Pages must work offline.
    fetched = re.compile(
        r"""<(?:script|img|iframe)[^>]+src="?https?:|<link[^>]+rel="?(?:stylesheet|preconnect)"?[^>]+href="?https?:"""
    )
    for page in pages:
        assert not fetched.search(page.read_text()), page.name
