"""Features to ranks and back, and the checks of what comes in.

Everything behind the door works on ranks: the position of a value among the sorted distinct
values of its feature. Interval bounds are then small integers, 0 meaning -inf and the number of
distinct values meaning +inf, and every bound is a value of the data by construction.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
from scipy import sparse

from minotaur_pymoo.errors import InputError

FloatArray = npt.NDArray[np.float64]
IntArray = npt.NDArray[np.int32]
RankArray = npt.NDArray[np.uint16 | np.uint32]
LabelArray = npt.NDArray[np.uint8]

_NUMERIC_KINDS = "biuf"
_MAX_UINT16 = np.iinfo(np.uint16).max


@dataclass(frozen=True)
class Encoding:
    """The sorted distinct values of every feature, and the names of features and labels.

    Parameters
    ----------
    values
        For each feature its distinct values in increasing order.
    feature_names, label_names
        One name for each feature and each label.

    Examples
    --------
    >>> encoding = Encoding.learn([[1.5, 7], [2.5, 7], [1.5, 9]])
    >>> encoding.to_ranks([[1.5, 9], [2.0, 8], [99, -99]])
    array([[0, 1],
           [0, 0],
           [1, 0]], dtype=uint16)
    """

    values: tuple[FloatArray, ...]
    feature_names: tuple[str, ...]
    label_names: tuple[str, ...] = ()

    @classmethod
    def learn(cls, X: Any, feature_names: Sequence[str] | None = None) -> Encoding:
        """Read the distinct values off a feature matrix."""
        matrix = check_features(X, names=feature_names)
        names = check_names(feature_names, column_names(X), matrix.shape[1], "feature", "x")
        return cls(tuple(np.unique(column) for column in matrix.T), names)

    @property
    def n_features(self) -> int:
        """Number of features."""
        return len(self.values)

    @property
    def n_values(self) -> IntArray:
        """Number of distinct values of each feature: the rank that means +inf."""
        return np.array([len(values) for values in self.values], dtype=np.int32)

    @property
    def rank_dtype(self) -> np.dtype[np.uint16 | np.uint32]:
        """The smallest type that holds every rank and the rank that means +inf."""
        largest = max(len(values) for values in self.values)
        return np.dtype(np.uint16 if largest <= _MAX_UINT16 else np.uint32)

    def to_ranks(self, X: Any) -> RankArray:
        """Ranks of any data, known or not, such that comparing ranks is comparing values.

        A value between two known ones gets the rank of the smaller; below all, rank 0. As a lower
        bound of rank 0 means -inf, ``lower <= x < upper`` is the same in ranks and in floats.
        """
        matrix = check_features(X, n_features=self.n_features, names=self.feature_names)
        ranks = np.empty(matrix.shape, dtype=self.rank_dtype)
        for feature, values in enumerate(self.values):
            positions = np.searchsorted(values, matrix[:, feature], side="right")
            ranks[:, feature] = np.maximum(positions - 1, 0)
        return ranks

    def to_values(self, ranks: RankArray) -> FloatArray:
        """The known values that have these ranks."""
        columns = [values[ranks[:, feature]] for feature, values in enumerate(self.values)]
        return np.column_stack(columns)

    def lower_value(self, feature: int, rank: int) -> float:
        """The float that a lower bound of this rank stands for."""
        return -np.inf if rank == 0 else float(self.values[feature][rank])

    def upper_value(self, feature: int, rank: int) -> float:
        """The float that an upper bound of this rank stands for."""
        values = self.values[feature]
        return np.inf if rank == len(values) else float(values[rank])

    def bound_rank(self, feature: int, value: float, *, upper: bool) -> int:
        """The rank of a bound; the value must be one of the data, or infinite."""
        values = self.values[feature]
        name = self.feature_names[feature]
        if value == (np.inf if upper else -np.inf):
            return len(values) if upper else 0
        rank = int(np.searchsorted(values, value))
        if rank == len(values) or values[rank] != value:
            nearby = ", ".join(format_number(v) for v in values[max(rank - 1, 0) : rank + 1])
            raise InputError(
                f"{format_number(value)} is not a value of {name!r} in the data, and bounds must"
                f" be: use an infinity or a known value (nearest: {nearby})."
            )
        return rank


def format_number(value: float) -> str:
    """The shortest text that reads back as the same number.

    Examples
    --------
    >>> format_number(15.0), format_number(0.1), format_number(1e300)
    ('15', '0.1', '1e+300')
    """
    return repr(float(value)).removesuffix(".0")


def check_features(
    X: Any,
    *,
    n_features: int | None = None,
    names: Sequence[str] | None = None,
) -> FloatArray:
    """A finite float matrix of what was given as features, or one sentence on why not.

    Parameters
    ----------
    X
        A list of lists, a numpy array, a pandas frame or a scipy sparse matrix.
    n_features
        How many columns there must be, where that is known.
    names
        Feature names for the messages, where the caller has them.
    """
    matrix = np.asarray(_dense_numbers(X, "X"), dtype=np.float64)
    if matrix.ndim != 2:
        raise InputError(
            f"X must have two dimensions, instances x features, not {matrix.ndim}:"
            " reshape it, for instance with X.reshape(-1, 1) for a single feature."
        )
    if n_features is not None and matrix.shape[1] != n_features:
        raise InputError(
            f"X has {matrix.shape[1]} columns, but the data learned from had {n_features}:"
            " pass the same features in the same order."
        )
    if matrix.shape[0] == 0:
        raise InputError("X has no rows: pass at least one instance.")
    if matrix.shape[1] == 0:
        raise InputError("X has no columns: pass at least one feature.")
    # A sum is one pass without a temporary; only a suspicious one is worth the exact search.
    with np.errstate(over="ignore", invalid="ignore"):
        suspicious = not np.isfinite(matrix.sum())
    if suspicious and not (finite := np.isfinite(matrix)).all():
        row, column = (int(place) for place in np.argwhere(~finite)[0])
        known = names if names is not None else column_names(X)
        name = _name(known, column, "x")
        what = "NaN" if np.isnan(matrix[row, column]) else "an infinity"
        raise InputError(
            f"X holds {what} in row {row}, column {column} ({name!r}): fill or drop it first."
        )
    return matrix


def check_labels(Y: Any, n_instances: int | None = None) -> LabelArray:
    """A 0/1 matrix of what was given as labels, or one sentence on why not.

    Parameters
    ----------
    Y
        A list of lists, a numpy array, a pandas frame or a scipy sparse matrix.
    n_instances
        How many rows there must be, where that is known.
    """
    matrix = np.asarray(_dense_numbers(Y, "Y"))
    if matrix.ndim != 2:
        raise InputError(
            f"Y must have two dimensions, instances x labels, not {matrix.ndim}:"
            " reshape it, for instance with Y.reshape(-1, 1) for a single label."
        )
    if n_instances is not None and matrix.shape[0] != n_instances:
        raise InputError(
            f"Y has {matrix.shape[0]} rows, but X has {n_instances}:"
            " pass one row of labels for each instance."
        )
    if matrix.shape[1] == 0:
        raise InputError("Y has no columns: pass at least one label.")
    strange = (matrix != 0) & (matrix != 1)
    if strange.any():
        row, column = (int(place) for place in np.argwhere(strange)[0])
        raise InputError(
            f"Y holds {matrix[row, column]} in row {row}, column {column}:"
            " every entry must be 0 (label absent) or 1 (label present)."
        )
    return np.ascontiguousarray(matrix, dtype=np.uint8)


def check_names(
    given: Sequence[str] | None,
    found: Sequence[str] | None,
    n: int,
    what: str,
    prefix: str,
) -> tuple[str, ...]:
    """The names to use: those given, else those found in the data, else numbered ones.

    Examples
    --------
    >>> check_names(None, None, 3, "feature", "x")
    ('x0', 'x1', 'x2')
    """
    source = given if given is not None else found
    if source is None:
        return tuple(f"{prefix}{i}" for i in range(n))
    if isinstance(source, str):
        raise InputError(f"{what}_names must be a list of names, not the single text {source!r}.")
    names = tuple(str(name) for name in source)
    if len(names) != n:
        raise InputError(
            f"{what}_names has {len(names)} names, but there are {n} {what}s: pass one for each."
        )
    if len(set(names)) != n:
        twice = next(name for name in names if names.count(name) > 1)
        raise InputError(f"the {what} name {twice!r} occurs twice: every {what} needs its own.")
    return names


def column_names(table: Any) -> tuple[str, ...] | None:
    """The column names of a data frame, None for anything else."""
    columns = getattr(table, "columns", None)
    return None if columns is None else tuple(str(column) for column in columns)


def _name(names: Sequence[str] | None, column: int, prefix: str) -> str:
    return f"{prefix}{column}" if names is None or column >= len(names) else str(names[column])


def _dense_numbers(table: Any, what: str) -> npt.NDArray[Any]:
    """A dense numeric array of whatever table this is, of any dimension."""
    if sparse.issparse(table):
        matrix: Any = table
        table = matrix.toarray()
    elif hasattr(table, "dtypes") and hasattr(table, "columns"):
        return _frame_numbers(table, what)
    try:
        array = np.asarray(table)
    except (ValueError, TypeError):
        raise InputError(
            f"{what} cannot be read as a table of numbers: pass rows of equal length."
        ) from None
    if array.dtype.kind not in _NUMERIC_KINDS:
        raise InputError(
            f"{what} has the type {array.dtype}, but must hold real numbers:"
            " convert it first, for instance with .astype(float)."
        )
    return array


def _frame_numbers(frame: Any, what: str) -> npt.NDArray[Any]:
    for name, dtype in zip(frame.columns, frame.dtypes, strict=True):
        if getattr(dtype, "kind", "O") not in _NUMERIC_KINDS:
            raise InputError(
                f"column {str(name)!r} of {what} has the type {dtype}, but must hold real numbers:"
                " convert or drop it first."
            )
    return np.asarray(frame.to_numpy(dtype=np.float64, na_value=np.nan))
