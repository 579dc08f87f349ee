"""Loading data from any supported source."""

from __future__ import annotations

import os
from pathlib import Path

from minotaur_pymoo.datasets.arff import load_arff
from minotaur_pymoo.datasets.csv import load_csv
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.delimited import is_delimited
from minotaur_pymoo.datasets.demo import load_demo
from minotaur_pymoo.datasets.npz import load_npz
from minotaur_pymoo.datasets.openml import load_openml
from minotaur_pymoo.datasets.river import load_river
from minotaur_pymoo.datasets.table import Labels
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path

# scikit-multilearn's server, which has returned errors for years.
_GONE = {"skmultilearn", "scikit-multilearn"}
_HOSTS = {"openml", "river", *_GONE}
# Sources that define their label columns.
_WITH_LABELS = {"demo", ".npz", "river"}


def load(
    path: str | os.PathLike[str],
    labels: Labels | None = None,
    *,
    xml: str | os.PathLike[str] | None = None,
    delimiter: str | None = None,
) -> Dataset:
    """Load a dataset from a file, a package or an online source.

    Parameters
    ----------
    path
        A file that ends in ``.arff``, ``.csv``, ``.tsv``, ``.csv.gz`` or ``.npz``; or
        ``river:yeast``, ``openml:NAME`` or ``demo``.
    labels
        The label columns: their number (positive: the last columns, negative: the first), a list
        of names, or a common prefix. For ARFF, CSV and OpenML only; the other sources define
        their labels.
    xml
        MULAN's XML file with the label names, for ARFF only.
    delimiter
        The character between cells, for CSV only; by default it is detected.

    Examples
    --------
    >>> load("demo").name
    'garden'
    >>> load("music.xlsx")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: music.xlsx has no known format: use a file that \
ends in .arff, .csv, .tsv, .csv.gz or .npz, or river:NAME, openml:NAME or demo.
    """
    text = os.fspath(check_path(path)) if path != "" else ""
    kind, name = _kind_and_name(text)
    if xml is not None and kind != ".arff":
        raise InputError(f"xml is only for ARFF files, and {text} is not one: omit it.")
    if delimiter is not None and kind != ".csv":
        raise InputError(f"a delimiter is only for CSV files, and {text} is not one: omit it.")
    if labels is not None and kind in _WITH_LABELS:
        raise InputError(f"{text} already defines its label columns: omit labels.")
    if kind in _GONE:
        raise InputError(
            f"{text} cannot be loaded, as scikit-multilearn's server is gone: use openml:{name},"
            " MULAN's ARFF file, or river:yeast."
        )
    match kind:
        case "demo":
            return load_demo()
        case "openml":
            return load_openml(int(name) if name.isdecimal() else name, labels)
        case "river":
            return load_river(name)
        case ".arff":
            return load_arff(path, labels, xml=xml)
        case ".csv":
            return load_csv(path, labels, delimiter=delimiter)
        case ".npz":
            return load_npz(path)
    raise InputError(
        f"{text if text.strip() else repr(text)} has no known format: use a file that ends in"
        " .arff, .csv, .tsv, .csv.gz or .npz, or river:NAME, openml:NAME or demo."
    )


def is_source(path: str | os.PathLike[str]) -> bool:
    """Whether `load` takes a path for data, by its name alone.

    Parameters
    ----------
    path
        As for `load`; the file need not exist.

    Examples
    --------
    >>> is_source("songs.csv"), is_source("demo"), is_source("model.json")
    (True, True, False)
    """
    return _kind_and_name(os.fspath(path))[0] in {*_WITH_LABELS, *_HOSTS, ".arff", ".csv"}


def _kind_and_name(text: str) -> tuple[str, str]:
    """Return the kind of a source, and the name of the dataset if the source is not a file."""
    if text == "demo":
        return "demo", ""
    host, _, name = text.partition(":")
    if name and host in _HOSTS:
        return host, name
    path = Path(text)
    return ".csv" if is_delimited(path) else path.suffix.lower(), ""
