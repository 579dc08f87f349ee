"""ARFF files, dense or sparse, as MULAN and MEKA write them."""

from __future__ import annotations

import csv
import os
from collections.abc import Collection, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from minotaur_pymoo.datasets.arff_header import Header, Lines, read_header
from minotaur_pymoo.datasets.arff_rows import read_dense_rows, read_sparse_rows
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.files import open_text, reraise_memory_error
from minotaur_pymoo.datasets.mulan_xml import read_label_names
from minotaur_pymoo.datasets.table import HOW_TO_CHOOSE_LABELS, Labels, Table
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path


def load_arff(
    path: str | os.PathLike[str],
    labels: Labels | None = None,
    *,
    xml: str | os.PathLike[str] | None = None,
) -> Dataset:
    r"""Load a dense or sparse ARFF file, with or without MULAN's XML file.

    Nominal and string attributes become categorical features, those of true and false only 1 and
    0, and ``?`` becomes NaN. Values omitted from a sparse row are 0, or the first declared category
    of a nominal attribute.

    Parameters
    ----------
    path
        The ARFF file.
    labels
        The label columns: their number (positive: the last columns, negative: the first), a list
        of names, or a common prefix. By default, they are taken from the XML file beside the ARFF
        file (``music.xml`` for ``music.arff``, ``music-train.arff`` and ``music-test.arff``) or,
        if there is none, from MEKA's ``-C`` in the relation.
    xml
        MULAN's XML file with the label names, if it is not beside the ARFF file.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "music.arff"
    ...     _ = path.write_text('''@relation music
    ... @attribute tempo numeric
    ... @attribute genre {folk, pop}
    ... @attribute calm {0, 1}
    ... @data
    ... 60, folk, 1
    ... {0 120, 1 pop}
    ... ''')
    ...     music = load_arff(path, labels=["calm"])
    >>> music.X.tolist(), music.Y.tolist(), music.categories
    ([[60.0, 0.0], [120.0, 1.0]], [[1], [0]], {1: ('folk', 'pop')})
    """
    path = check_path(path)
    if labels is not None and xml is not None:
        raise InputError("labels and xml both define the label columns: pass only one of them.")
    with reraise_memory_error(path):
        table, header = read_arff(path)
        if labels is not None:
            return table.split(labels)
        xml_path = _xml_beside(path) if xml is None else check_path(xml)
        if xml_path is not None:
            return table.split(read_label_names(xml_path), keep_order=True)
        if header.meka_labels is not None:
            return table.split(header.meka_labels)
    raise InputError(
        f"{path} does not define its label columns: {HOW_TO_CHOOSE_LABELS}, or put MULAN's XML"
        " file beside it."
    )


def _xml_beside(path: Path) -> Path | None:
    stem = path.stem.removesuffix("-train").removesuffix("-test")
    candidates = (path.with_suffix(".xml"), path.with_name(f"{stem}.xml"))
    return next((candidate for candidate in candidates if candidate.is_file()), None)


def read_arff(path: Path, *, text: Collection[str] = ()) -> tuple[Table, Header]:
    """Read all columns of an ARFF file, and its header.

    Parameters
    ----------
    path
        The file.
    text
        Names of columns whose numbers are text, such as codes that start with zeros.
    """
    # Imported here because most users never read an ARFF file.
    import arff  # noqa: PLC0415

    try:
        return _read_arff(path, text, is_sparse=True)
    except arff.BadLayout:
        # Some row is not sparse.
        return _read_arff(path, text, is_sparse=False)


def _read_arff(path: Path, text: Collection[str], *, is_sparse: bool) -> tuple[Table, Header]:
    import arff  # noqa: PLC0415

    with open_text(path) as file:
        lines = Lines(str(path), iter(file))
        header = read_header(lines).with_text(text)
        names = tuple(attribute.name for attribute in header.attributes)
        texts = _Texts(header)
        # Only dense rows tell which texts are omitted.
        is_sparse = is_sparse and not texts.any
        kind = arff.LOD_GEN if is_sparse else arff.DENSE_GEN
        try:
            document = arff.load(_normalised(header, lines), encode_nominal=True, return_type=kind)
            categories = _categories(header, document["attributes"], lines)
            if is_sparse:
                values = read_sparse_rows(document["data"], len(names))
            else:
                rows = map(texts.encode, document["data"])
                values = read_dense_rows(rows, len(names), str(path))
        except (arff.ArffException, csv.Error, ValueError, LookupError) as error:
            if isinstance(error, (InputError, UnicodeDecodeError)):
                raise
            if is_sparse and isinstance(error, arff.BadLayout):
                raise
            lines.fail(_explain(error, len(header.attributes)))
    categories |= texts.sort(values)
    return Table(path.stem, str(path), names, values, categories), header


def _normalised(header: Header, lines: Lines) -> Iterator[str]:
    """Yield the file with its header rewritten so that liac-arff reads it correctly."""
    n_header_lines = lines.number
    yield "@RELATION data"
    for column, attribute in enumerate(header.attributes):
        lines.number = attribute.line
        kind = "STRING" if attribute.is_text else "REAL"
        if attribute.categories is not None:
            kind = f"{{{','.join(attribute.categories)}}}"
        yield f"@ATTRIBUTE a{column} {kind}"
    lines.number = n_header_lines
    yield "@DATA"
    yield from lines


class _Texts:
    """The categories of string attributes, which are known only after all rows.

    Parameters
    ----------
    header
        The declared columns.
    """

    def __init__(self, header: Header) -> None:
        self._indices: dict[int, dict[str, int]] = {
            column: {} for column, attribute in enumerate(header.attributes) if attribute.is_text
        }

    @property
    def any(self) -> bool:
        """Whether there are string attributes."""
        return bool(self._indices)

    def encode(self, row: list[Any]) -> list[Any]:
        """Replace the strings of a row by indices."""
        for column, indices in self._indices.items():
            if row[column] is not None:
                row[column] = indices.setdefault(row[column], len(indices))
        return row

    def sort(self, values: FloatArray) -> dict[int, tuple[str, ...]]:
        """Sort the categories, change their indices in all rows, and return them."""
        categories = {}
        for column, indices in self._indices.items():
            names = sorted(indices)
            order = {name: index for index, name in enumerate(names)}
            known = ~np.isnan(values[:, column])
            table = np.array([order[name] for name in indices], dtype=np.float64)
            values[known, column] = table[values[known, column].astype(np.int64)]
            if names:
                categories[column] = tuple(names)
        return categories


def _categories(
    header: Header, parsed: list[tuple[str, Any]], lines: Lines
) -> dict[int, tuple[str, ...]]:
    categories = {}
    for column, (attribute, (_, kind)) in enumerate(zip(header.attributes, parsed, strict=True)):
        if attribute.categories is None:
            continue
        if len(set(kind)) < len(kind):
            lines.number = attribute.line
            lines.fail(f"the attribute {attribute.name!r} lists a category twice: remove one.")
        categories[column] = tuple(kind)
    return categories


def _explain(error: Any, n_attributes: int) -> str:
    """Describe what is wrong with a line; liac-arff's own messages quote all of it or none."""
    kind = type(error).__name__
    if kind == "BadNominalValue":
        value = str(error.message).removeprefix("Data value ").partition(" not found in ")[0]
        return f"{value!r} is not a category declared in the header."
    return {
        "BadAttributeType": "the categories cannot be read: check their quotes and backslashes.",
        "BadDataFormat": f"the row must have {n_attributes} values, one per attribute.",
        "BadNumericalValue": "a value of a numeric attribute is not a number.",
    }.get(kind, "the row cannot be split into values: check its quotes, braces and commas.")
