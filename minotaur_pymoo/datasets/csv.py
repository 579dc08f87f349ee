"""CSV files with a header row."""

from __future__ import annotations

import csv
import os
import re
import warnings
from collections.abc import Collection, Mapping, Sequence
from itertools import islice
from pathlib import Path

import numpy as np

from minotaur_pymoo.data.cells import describe_column
from minotaur_pymoo.data.matching import check_unique
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.delimited import find_delimiter
from minotaur_pymoo.datasets.files import open_text, reraise_memory_error
from minotaur_pymoo.datasets.table import HOW_TO_CHOOSE_LABELS, Labels, Table
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path

# The lines that are looked at to find the delimiter; a quoted cell may have several.
_N_LINES = 20
_MISSING = {"", "?", "NA", "nan", "NaN", "NAN"}
_DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?", re.ASCII)


def load_csv(
    path: str | os.PathLike[str], labels: Labels | None, *, delimiter: str | None = None
) -> Dataset:
    r"""Load a CSV or TSV file whose first row contains the column names.

    A column with any value that is not a number becomes a categorical feature, with its categories
    in alphabetical order; one of true and false only becomes 1 and 0. An empty cell, ``?``, ``NA``
    or ``nan`` is a missing value. Between semicolons, ``1,5`` is a number with a decimal comma.

    Parameters
    ----------
    path
        The file, in UTF-8, and packed by gzip if it ends in ``.gz``.
    labels
        The label columns: their number (positive: the last columns, negative: the first), a list
        of names, or a common prefix. Labels must be 0 or 1, or true or false.
    delimiter
        Character between cells; by default the comma, semicolon, tab or bar by which the first two
        rows have the same number of cells.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.csv"
    ...     _ = path.write_text("tempo,genre,calm\n60,folk,1\n120,pop,0\n,folk,1\n")
    ...     music = load_csv(path, labels=1)
    >>> music.X.tolist(), music.Y.tolist(), music.categories
    ([[60.0, 0.0], [120.0, 1.0], [nan, 0.0]], [[1], [0], [1]], {1: ('folk', 'pop')})
    """
    path = check_path(path)
    if labels is None:
        with open_text(path):  # a wrong name is the first thing to mend
            pass
        raise InputError(f"{path} does not define its label columns: {HOW_TO_CHOOSE_LABELS}.")
    with reraise_memory_error(path):
        table = read_csv(path, delimiter=delimiter)
        if len(table.column_names) == 1:
            raise InputError(
                f"{path} has only the column {table.column_names[0]!r}: separate features and"
                f" labels with {delimiter or ','!r}, or pass another delimiter (--sep on the"
                " command line)."
            )
        return table.split(labels)


def read_csv(
    path: Path, *, delimiter: str | None = None, known: Mapping[str, Collection[str]] | None = None
) -> Table:
    """Read all columns of a CSV file.

    Parameters
    ----------
    path
        The file.
    delimiter
        Character between cells; None finds it.
    known
        The categories of columns that a model knows as text, whatever this file holds: "01" stays
        text, and so does "NA" if it is a category.
    """
    names, rows, delimiter = _read(path, delimiter)
    columns = []
    for column, name in enumerate(names):
        cells = [row[column] for row in rows]
        own = None if known is None else known.get(name)
        if own is None:
            cells = _with_decimal_points(cells, delimiter, describe_column(name, str(path)))
        columns.append(_column(cells, own))
    return Table(
        name=path.name.partition(".")[0] or path.stem,
        source=str(path),
        column_names=names,
        values=np.column_stack([values for values, _ in columns]),
        categories={
            column: categories
            for column, (_, categories) in enumerate(columns)
            if categories is not None
        },
    )


def _read(path: Path, delimiter: str | None) -> tuple[tuple[str, ...], list[list[str]], str]:
    if delimiter is not None and (len(delimiter) != 1 or delimiter in '"\r\n'):
        raise InputError(f"delimiter is {delimiter!r}: pass a single character, such as ';'.")
    with open_text(path) as file:
        if delimiter is None:
            delimiter = find_delimiter(path, list(islice(file, _N_LINES)))
            file.seek(0)
        reader = csv.reader(file, delimiter=delimiter, strict=True)
        try:
            nonblank = ([cell.strip() for cell in row] for row in reader if row)
            # A file may start with two byte order marks; decoding removes only the first.
            header = [name.replace("\ufeff", "").strip() for name in next(nonblank, ())] or None
            names = _check_header(header, path)
            rows = []
            for row in nonblank:
                if len(row) != len(names):
                    raise InputError(
                        f"{path}, line {reader.line_num}: the row has {len(row)} cells, but the"
                        f" header has {len(names)}: correct the row."
                    )
                rows.append(row)
        except csv.Error as error:
            raise InputError(
                f"{path}, line {reader.line_num}: invalid CSV ({error}): check the quotes."
            ) from None
    return names, rows, delimiter


def _check_header(names: Sequence[str] | None, path: Path) -> tuple[str, ...]:
    if names is None:
        raise InputError(f"{path} is empty: add a header row and rows of data.")
    if all(map(_is_number, names)) and not all(name.isdigit() for name in names):
        raise InputError(
            f"{path} starts with a row of numbers: add a first row with the column names."
        )
    if "" in names:
        raise InputError(
            f"{path} has no name for column {names.index('') + 1}: name it in the first row, or"
            " remove it (in pandas, write the file with to_csv(index=False))."
        )
    check_unique(names, str(path))
    return tuple(names)


def _column(
    cells: Sequence[str], known: Collection[str] | None
) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Return the values of a column, and its categories if it is not numeric."""
    missing = _MISSING.difference(known or ())
    present = {cell for cell in cells if cell not in missing}
    if known is None and all(map(_is_number, present)):
        codes = {cell: float(cell) for cell in present}
        categories = None
    else:
        categories = tuple(sorted(present))
        codes = {cell: float(index) for index, cell in enumerate(categories)}
    return np.array([codes.get(cell, np.nan) for cell in cells], dtype=np.float64), categories


def _with_decimal_points(cells: list[str], delimiter: str, column: str) -> list[str]:
    """Return numbers with decimal commas as other programs write them; warn about doubtful ones."""
    present = {cell for cell in cells if cell not in _MISSING}
    with_comma = {cell for cell in present if _DECIMAL_COMMA.fullmatch(cell)}
    if not with_comma:
        return cells
    others = present - with_comma
    if delimiter == ";" and not any("." in cell or not _is_number(cell) for cell in others):
        return [cell.replace(",", ".") for cell in cells]
    if all(map(_is_number, others)):
        warnings.warn(
            f"{column} has numbers with commas, such as {min(with_comma)!r}, and is read as"
            " categories: write them with decimal points.",
            stacklevel=2,
        )
    return cells


def _is_number(cell: str) -> bool:
    # Python accepts 1_000 as a number, but other programs do not.
    if "_" in cell:
        return False
    try:
        float(cell)
    except ValueError:
        return False
    return True
