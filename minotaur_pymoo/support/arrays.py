"""Array types, named once for the whole package, and arrays that cannot be written to."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np
import numpy.typing as npt

BoolArray = npt.NDArray[np.bool_]
FloatArray = npt.NDArray[np.float64]
Float32Array = npt.NDArray[np.float32]
# Instance and feature indices, bounds of boxes.
IntArray = npt.NDArray[np.int32]
# Label counts and sizes.
CountArray = npt.NDArray[np.int64]
# A 0/1 label matrix.
LabelArray = npt.NDArray[np.uint8]
# Targets of a search and weights of entries; the smaller type where it is large enough.
TargetArray = npt.NDArray[np.uint8 | np.uint16]
# Ranks of feature values.
RankArray = npt.NDArray[np.uint32]
# One bin of a feature per instance.
BinArray = npt.NDArray[np.uint8]
# A set of instances, 64 to a word.
BitArray = npt.NDArray[np.uint64]
# A set of categories per word.
SetArray = npt.NDArray[np.uint64]
# One 0 or 1 per instance.
MaskArray = npt.NDArray[np.uint8]
# Distances in 65,535 steps.
StepArray = npt.NDArray[np.uint16]

_Array = TypeVar("_Array", bound=npt.NDArray[Any])


def read_only(array: _Array) -> _Array:
    """Make an array read-only, and return it.

    Examples
    --------
    >>> read_only(np.zeros(2)).flags.writeable
    False
    """
    array.setflags(write=False)
    return array


def freeze(value: Any) -> Any:
    """Make all arrays in nested tuples and dicts read-only, and plain, and return the whole.

    Unpickled arrays are writable, and joblib maps large ones from files. To numba these are other
    types, for which it would compile all kernels again.

    Examples
    --------
    >>> freeze({"a": (np.zeros(2), 5)})["a"][0].flags.writeable
    False
    """
    if isinstance(value, np.ndarray):
        return read_only(np.asarray(value))
    if isinstance(value, dict):
        return {key: freeze(item) for key, item in value.items()}
    if isinstance(value, tuple):
        items = [freeze(item) for item in value]
        # Named tuples take their fields one by one.
        return type(value)(*items) if hasattr(value, "_fields") else tuple(items)
    return value
