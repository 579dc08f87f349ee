"""Reports: tables and figures in a folder, with what is needed to reproduce them."""

from __future__ import annotations

import datetime
import platform
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
from joblib import cpu_count
from matplotlib.figure import Figure

from benchmarks.ranking import Ranking, write_figure
from benchmarks.runner import versions
from minotaur_pymoo.support.files import make_folder, write_atomically

LIBRARIES = (
    "minotaur_pymoo",
    "pymoo",
    "numpy",
    "numba",
    "scipy",
    "scikit-learn",
    "scikit-multilearn",
    "scikit-posthocs",
    "mlrl-boomer",
)


class Report:
    """A Markdown page of paragraphs, tables and figures, with each table as a CSV file too.

    Parameters
    ----------
    title
        Heading of the page.
    command
        The command that reproduces it, without ``python -m``.
    folder
        Where to write it; if None, the page is only printed.

    Examples
    --------
    >>> report = Report("One table", "benchmarks.nothing")
    >>> report.table("sizes", "Sizes", pd.DataFrame({"rules": [3.25]}, index=["garden"]))
    >>> print(report.page)  # doctest: +ELLIPSIS
    # One table
    ...
    ## Sizes
    <BLANKLINE>
    |  | rules |
    | --- | --- |
    | garden | 3.25 |
    """

    def __init__(self, title: str, command: str, folder: Path | None = None) -> None:
        self.folder = folder
        if folder is not None:
            make_folder(folder)
        self._parts = [f"# {title}", f"    python -m {command}", environment()]

    @property
    def page(self) -> str:
        """The page in Markdown."""
        return "\n\n".join(self._parts)

    def say(self, sentence: str) -> None:
        """Add a paragraph."""
        self._parts.append(sentence)

    def table(self, name: str, heading: str, table: pd.DataFrame) -> None:
        """Add a table and write it to a CSV file.

        Parameters
        ----------
        name
            Name of the file, without suffix.
        heading
            Heading above the table.
        table
            The table.
        """
        self._parts += [f"## {heading}", markdown(table)]
        if self.folder is not None:
            write_atomically(self.folder / f"{name}.csv", table.to_csv().encode())

    def figure(self, name: str, caption: str, figure: Figure) -> None:
        """Add a figure, if the report has a folder.

        Parameters
        ----------
        name
            Name of the file, without suffix.
        caption
            Alternative text.
        figure
            The figure.
        """
        if self.folder is not None:
            write_figure(self.folder / f"{name}.svg", figure)
            self._parts.append(f"![{caption}]({name}.svg)")

    def ranking(self, name: str, heading: str, ranking: Ranking) -> None:
        """Add test results and their diagram; write mean ranks and p-values to CSV files.

        Parameters
        ----------
        name
            Name of the files, without suffix.
        heading
            Title of the diagram.
        ranking
            The ranking.
        """
        self.say(
            f"{heading}: Friedman p = {ranking.friedman_p:.2g}; Nemenyi critical difference"
            f" {ranking.critical_difference:.2f} at a level of 5 %."
        )
        if self.folder is not None:
            ranks = ranking.mean_ranks.to_frame("mean rank")
            for kind, table in {"": ranks, "-nemenyi": ranking.nemenyi_p}.items():
                write_atomically(self.folder / f"{name}{kind}.csv", table.to_csv().encode())
            ranking.draw(self.folder / f"{name}.svg", heading)
            self._parts.append(f"![{heading}]({name}.svg)")

    def finish(self) -> None:
        """Print the page and write it."""
        print(self.page)
        if self.folder is not None:
            write_atomically(self.folder / "README.md", f"{self.page}\n".encode())


def environment() -> str:
    """The date, number of cores and library versions of a run."""
    today = datetime.datetime.now(datetime.UTC).date()
    return (
        f"Made on {today} on {cpu_count()} cores with Python {platform.python_version()},"
        f" {versions(*LIBRARIES)}."
    )


def command_line(module: str, arguments: Sequence[str] | None) -> str:
    """The command line, quoted for a shell.

    Examples
    --------
    >>> command_line("benchmarks.peers", ["--methods", "constant;CART, 4 leaves"])
    "benchmarks.peers --methods 'constant;CART, 4 leaves'"
    """
    return shlex.join([module, *(sys.argv[1:] if arguments is None else arguments)])


def markdown(table: pd.DataFrame) -> str:
    """Format a table in Markdown, with dashes for missing values."""
    head = ["" if table.index.name is None else str(table.index.name), *map(str, table.columns)]
    rows = [
        [str(name), *("-" if pd.isna(cell) else str(cell) for cell in row)]
        for name, row in zip(table.index, table.itertuples(index=False), strict=True)
    ]
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def nothing_stored(folder: Path) -> str:
    """What is wrong if there is nothing to report.

    Parameters
    ----------
    folder
        The folder of stored results.
    """
    return (
        f"{folder} has no results of the present code for all folds: leave out --stored to compute"
        " them"
    )
