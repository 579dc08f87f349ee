"""Text files of cells with a delimiter: which files they are, and which delimiter they have."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from itertools import islice
from pathlib import Path

# In order of preference.
_DELIMITERS = (",", ";", "\t", "|")
_ENDINGS = (".csv", ".tsv")


def is_delimited(path: Path) -> bool:
    """Return whether the name of a file ends in .csv or .tsv, or one of them and .gz.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> is_delimited(Path("songs.tsv")), is_delimited(Path("songs.CSV.gz"))
    (True, True)
    """
    return path.name.lower().removesuffix(".gz").endswith(_ENDINGS)


def find_delimiter(path: Path, lines: Sequence[str]) -> str:
    """Return the delimiter by which the first lines have the same number of cells.

    Parameters
    ----------
    path
        The file; one that ends in .tsv is delimited by tabs.
    lines
        The first lines of the file.

    Examples
    --------
    >>> find_delimiter(Path("songs.csv"), ["tempo, in bpm;calm", "60;1"])
    ';'
    """
    if path.name.lower().removesuffix(".gz").endswith(".tsv"):
        return "\t"
    for delimiter in _DELIMITERS:
        try:
            rows = csv.reader(lines, delimiter=delimiter)
            lengths = {len(row) for row in islice(filter(None, rows), 2)}
        except csv.Error:
            continue
        if len(lengths) == 1 and lengths != {1}:
            return delimiter
    return ","
