"""The README and the documentation: examples, figures, reference and links."""

import html
import inspect
import json
import os
import re
import runpy
import shutil
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
REPOSITORY = "https://example.org/somebody/minotaur_pymoo"
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
    "suite",
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
    if "river:" in text:
        pytest.importorskip("river", minversion="0.26", reason="needs the extra data")
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


def test_readme_is_short_and_its_table_narrow() -> None:
    text = re.sub(r"```.*?```", "", (ROOT / "README.md").read_text(), flags=re.DOTALL)
    tables = [line for line in text.splitlines() if line.startswith("|")]
    assert tables
    assert max(line.count("|") for line in tables) <= 7
    # Cells wrap, but names and numbers do not.
    assert max(len(line) for line in tables) <= 100
    prose = re.sub(r"^\|.*$|\]\([^)]*\)|<!--.*?-->", "", text, flags=re.MULTILINE)
    assert len(prose.split()) <= 700


def test_picture_of_the_readme_shows_its_example() -> None:
    readme, home = (page.read_text() for page in (ROOT / "README.md", DOCS / "index.md"))
    example = re.search(r"```python\n.*?```\n\n```text\n.*?```", readme, re.DOTALL)
    assert example is not None
    assert example[0] in home
    assert readme.index("pictures/overview.png") < readme.index("```python")


def test_reference_lists_every_public_name_once() -> None:
    reference = "".join(path.read_text() for path in (DOCS / "reference").glob("*.md"))
    listed = re.findall(r"^::: (\S+)$", reference, flags=re.MULTILINE)
    top_level = set(minotaur_pymoo.__all__)
    expected = {f"minotaur_pymoo.{name}" for name in top_level}
    for package in SUBPACKAGES:
        names = set(import_module(f"minotaur_pymoo.{package}").__all__) - top_level
        expected |= {f"minotaur_pymoo.{package}.{name}" for name in names}
    assert sorted(listed) == sorted(expected)


def test_every_public_class_and_function_has_an_example() -> None:
    packages = [minotaur_pymoo, *(import_module(f"minotaur_pymoo.{name}") for name in SUBPACKAGES)]
    public = {
        f"{package.__name__}.{name}": getattr(package, name)
        for package in packages
        for name in package.__all__
    }
    without = [
        name
        for name, member in public.items()
        if (inspect.isclass(member) or inspect.isfunction(member))
        and "Examples\n" not in (inspect.getdoc(member) or "")
    ]
    assert not without


def test_every_figure_is_drawn_by_the_script_and_shown() -> None:
    script = runpy.run_path(str(DOCS / "pictures.py"))
    stored = {path.stem for path in (DOCS / "pictures").glob("*.png")}
    shown = set()
    for page in PAGES:
        shown |= set(re.findall(r"pictures/([\w-]+)\.png", page.read_text()))
    on_page = {
        name
        for _, text in script["figures_of_page"](DOCS / "plots.md")
        for name in script["names_in"](text)
    }
    assert set(script["PICTURES"]) | on_page == stored == shown


def test_relative_links_exist() -> None:
    pages = [*PAGES, *(ROOT / f"{name}.md" for name in ("CONTRIBUTING", "CHANGELOG"))]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The site, built in a copy of the sources; warnings are errors."""
    pytest.importorskip("zensical", reason="needs the extra docs")
    pytest.importorskip("mkdocstrings", reason="needs the extra docs")
    folder = tmp_path_factory.mktemp("site")
    for name in ("docs", "minotaur_pymoo", "notebooks"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "mkdocs.yml", folder)
    command = [sys.executable, "-m", "zensical", "build", "--strict"]
    environment = os.environ | {"REPOSITORY_URL": REPOSITORY}
    process = subprocess.run(  # noqa: S603
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert process.returncode == 0, process.stdout + process.stderr
    return folder / "site"


def test_site_has_all_pages_and_works_offline(site: Path) -> None:
    pages = list(site.rglob("*.html"))
    assert len(pages) >= 1 + len(list(DOCS.rglob("*.md")))
    fetched = re.compile(
        r"""<(?:script|img|iframe)[^>]+src="?https?:|<link[^>]+rel="?(?:stylesheet|preconnect)"?[^>]+href="?https?:"""
    )
    for page in pages:
        assert not fetched.search(page.read_text()), page.name


def test_home_links_the_repository_and_every_notebook_with_its_output(site: Path) -> None:
    home = (site / "index.html").read_text()
    assert f'href="{REPOSITORY}"' in home
    notebooks = sorted((ROOT / "notebooks").glob("*.ipynb"))
    assert len(notebooks) == len(list((DOCS / "notebooks").iterdir()))
    for path in notebooks:
        assert re.search(rf'<td><a href="notebooks/{path.stem}.html">', home)
        page = (site / "notebooks" / f"{path.stem}.html").read_text()
        outputs = [
            output
            for cell in json.loads(path.read_text())["cells"]
            for output in cell.get("outputs", [])
        ]
        n_plots = sum("image/png" in output.get("data", {}) for output in outputs)
        assert page.count("data:image/png") == n_plots
        text = html.unescape(re.sub(r"<[^>]+>", "", page))
        for output in outputs:
            for line in output.get("text", []):
                assert line.strip() in text
        assert "notebook:" not in text


def test_reference_shows_defaults_inherited_methods_and_wrapped_signatures(site: Path) -> None:
    search = re.sub(r"<[^>]+>|\s+", " ", (site / "reference" / "search.html").read_text())
    assert re.search(r"n_offsprings +\( +int +, +default: +40 ", search)
    estimator = (site / "reference" / "estimator.html").read_text()
    assert 'id="minotaur_pymoo.MinotaurClassifier.explain"' in estimator
    signatures = re.findall(r'<div class="doc-signature[^>]*>.*?</div>', estimator, re.DOTALL)
    lines = [line for text in signatures for line in re.sub(r"<[^>]+>", "", text).splitlines()]
    assert len(lines) > 30
    assert max(map(len, lines)) < 100


def test_names_of_the_reference_are_links(site: Path) -> None:
    plots = (site / "reference" / "plots.html").read_text()
    link = r'<a [^>]*href="search\.html#minotaur_pymoo\.Objective\.unit_loss"[^>]*><code>'
    assert re.search(link, plots)
    names = runpy.run_path(str(DOCS / "crossrefs.py"))["read_reference"](DOCS / "reference")
    for page in site.rglob("*.html"):
        # Names of parameters are bold.
        text = re.sub(r"<(pre|h\d|nav|b|strong)\b.*?</\1>", "", page.read_text(), flags=re.DOTALL)
        linked = re.sub(r"<a .*?</a>", "", text, flags=re.DOTALL)
        for name in re.findall(r"<code>(?:minotaur_pymoo\.)?([\w.]+)</code>", linked):
            assert name not in names, f"{page.name}: {name} is not a link"
