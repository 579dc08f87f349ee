"""Columns of names: the distinct names, and which of them each instance has."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.data.cells import category_name
from minotaur_pymoo.support.arrays import CountArray, FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import format_number, short_repr

# Equal cells of these types have equal names, unlike 1 and True.
_PLAIN = ("str", "float", "NoneType", "NAType")


class Names(NamedTuple):
    """A column of names.

    Attributes
    ----------
    codes : array of int, shape (n_instances,)
        The index of each instance's name, -1 for a missing value.
    names : tuple of str
        The distinct names, each of which occurs.

    Examples
    --------
    >>> Names.of_cells(["red", None, "blue", 10, 9.0])
    Names(codes=array([ 3, -1,  2,  1,  0]), names=('9', '10', 'blue', 'red'))
    """

    codes: CountArray
    names: tuple[str, ...]

    @classmethod
    def of_cells(cls, cells: Sequence[Any], order: Iterable[Any] | None = None) -> Names:
        """Name the cells of a column.

        Parameters
        ----------
        cells
            Values of any type.
        order
            All values that a cell can have, in the order of their names. By default, numbers come
            first, then text.
        """
        types = set(map(type, cells))
        if str in types and len(types) > 1:
            _check_one_kind(cells)
        if any(type_.__name__ not in _PLAIN for type_ in types):
            cells = [category_name(cell) for cell in cells]
        indices: dict[Any, int] = {}
        codes = (indices.setdefault(cell, len(indices)) for cell in cells)
        found = np.fromiter(codes, dtype=np.int64, count=len(cells))
        return cls.of_codes(found, list(indices), order)

    @classmethod
    def of_codes(
        cls, codes: CountArray, values: Sequence[Any], order: Iterable[Any] | None = None
    ) -> Names:
        """Name the values behind codes.

        Parameters
        ----------
        codes
            The index of each instance's value, -1 for a missing value.
        values
            The values, which may be missing, unused, or have equal names.
        order
            As for `of_cells`.
        """
        used = np.unique(codes[codes >= 0]).tolist()
        _check_one_kind(values[code] for code in used)
        named = {code: name for code in used if (name := category_name(values[code])) is not None}
        occurring = set(named.values())
        if order is None:
            names = sorted(occurring, key=_number_then_text)
        else:
            # A dict, because different values may have equal names.
            listed = dict.fromkeys(map(category_name, order))
            names = [name for name in listed if name is not None and name in occurring]
        indices = {name: index for index, name in enumerate(names)}
        # The last element is that of code -1.
        table = np.full(len(values) + 1, -1, dtype=np.int64)
        for code, name in named.items():
            table[code] = indices[name]
        return cls(table[codes], tuple(names))

    @classmethod
    def of_numbers(cls, values: FloatArray) -> Names:
        """Name numbers, NaN for missing ones.

        Parameters
        ----------
        values
            One number per instance.
        """
        # Adding zero turns -0.0 into 0.0.
        distinct, codes = np.unique(values + 0.0, return_inverse=True)
        known = distinct[~np.isnan(distinct)]
        codes = np.where(codes < len(known), codes, -1)
        return cls(codes, tuple(map(format_number, known.tolist())))

    @property
    def counts(self) -> CountArray:
        """The number of instances of each name."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.names))

    def indices_in(self, categories: Sequence[str], unknown: float = np.nan) -> FloatArray:
        """Return the index of each instance's name among known categories, NaN if it is missing.

        Parameters
        ----------
        categories
            The known categories.
        unknown
            The index of a name that is not among them.

        Examples
        --------
        >>> Names.of_cells(["red", None, "blue"]).indices_in(["grey", "red"])
        array([ 1., nan, nan])
        """
        known = {name: float(index) for index, name in enumerate(categories)}
        # The last element is that of code -1.
        table = [*(known.get(name, unknown) for name in self.names), np.nan]
        return np.array(table)[self.codes]


def _check_one_kind(cells: Iterable[Any]) -> None:
    """Raise `InputError` if different values have the same name, such as 1 and "1"."""
    texts, others = set(), {}
    for cell in cells:
        if isinstance(cell, str):
            texts.add(cell)
        elif (name := category_name(cell)) is not None:
            others[name] = cell
    if both := texts & others.keys():
        name = min(both)
        raise InputError(
            f"holds both {short_repr(others[name])} and the text {short_repr(name)}, which would be"
            " one category: convert all of its values to text, or all to numbers."
        )


def _number_then_text(name: str) -> tuple[float, str]:
    try:
        value = float(name)
    except ValueError:
        return np.inf, name
    # The text "nan" could not be sorted as a number.
    return (np.inf if np.isnan(value) else value), name
