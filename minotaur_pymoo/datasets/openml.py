"""Datasets from openml.org, fetched by scikit-learn."""

from __future__ import annotations

import os
import warnings
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError, URLError

import numpy as np
from scipy import sparse

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.table import HOW_TO_CHOOSE_LABELS, Labels, Table
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

# Ids, and numbers of instances, features and labels. Names are ambiguous: single-label variants
# have the same ones.
_KNOWN = {
    "emotions": (40589, (593, 72, 6)),
    "scene": (40595, (2407, 294, 6)),
    "yeast": (40597, (2417, 103, 14)),
}
_ALTERNATIVES = "load a MULAN ARFF file, a CSV file, or the embedded demo"


def load_openml(
    name: str | int,
    labels: Labels | None = None,
    *,
    data_home: str | os.PathLike[str] | None = None,
) -> Dataset:
    """Load a dataset from openml.org, or from scikit-learn's cache.

    Parameters
    ----------
    name
        ``emotions``, ``scene`` or ``yeast``, whose multi-label variants are fetched, or the
        name or id of any other dataset.
    labels
        The label columns: their number (positive: the last columns, negative: the first), a list
        of names, or a common prefix. By default, the targets declared on OpenML.
    data_home
        Folder of scikit-learn's cache; by default, scikit-learn's data folder.

    Examples
    --------
    >>> load_openml("emotions").Y.shape  # doctest: +SKIP
    (593, 6)
    """
    source = f"the OpenML dataset {name!r}"
    data_id, expected = _KNOWN.get(str(name).lower(), (None, None))
    request: dict[str, Any] = {"data_home": data_home}
    if data_id is not None or isinstance(name, int):
        request["data_id"] = name if data_id is None else data_id
    else:
        request["name"] = name
    if labels is not None or expected is None:
        # Fetch all columns as features: in targets of sparse data, scikit-learn leaves omitted
        # values uninitialised.
        bunch = _fetch(source, target_column=None, **request)
        chosen = _declared_targets(bunch, source) if labels is None else labels
        return _table(bunch, name, source).split(chosen)
    bunch = _fetch(source, target_column="default-target", **request)
    dataset = _table(bunch, name, source).split([str(target) for target in bunch.target_names])
    shape = (*dataset.X.shape, dataset.Y.shape[1])
    if shape != expected:
        raise InputError(
            f"{source} has {_format_shape(shape)} instead of {_format_shape(expected)}:"
            f" empty scikit-learn's data folder and try again, or {_ALTERNATIVES}."
        )
    return dataset


def _fetch(source: str, **request: Any) -> Any:
    # Imported here because it is slow, and most users do not need it.
    from sklearn.datasets import fetch_openml  # noqa: PLC0415

    with warnings.catch_warnings():
        # scikit-learn warns before every retry; the final error is enough.
        warnings.filterwarnings("ignore", message="A network error occurred")
        try:
            # This parser does not need pandas, and encodes categories as indices.
            return fetch_openml(as_frame=False, parser="liac-arff", **request)
        except (URLError, TimeoutError, ConnectionError, HTTPException) as error:
            reason = f"error {error.code}" if isinstance(error, HTTPError) else "no connection"
            raise InputError(
                f"{source} cannot be fetched ({reason}): check the network, or {_ALTERNATIVES}."
            ) from error
        except OSError as error:
            raise InputError(
                f"{source} cannot be stored in scikit-learn's data folder ({error}):"
                " pass a writable folder as data_home."
            ) from error
        except Exception as error:
            # Malformed data can raise almost anything.
            reason = str(error).partition(". ")[0].rstrip(".") or type(error).__name__
            raise InputError(
                f"{source} cannot be used ({reason}): choose another one, or {_ALTERNATIVES}."
            ) from error


def _declared_targets(bunch: Any, source: str) -> list[str]:
    text = bunch.details.get("default_target_attribute") or ""
    targets = [target.strip() for target in text.split(",") if target.strip()]
    if not targets:
        raise InputError(f"{source} does not define its label columns: {HOW_TO_CHOOSE_LABELS}.")
    return targets


def _table(bunch: Any, name: str | int, source: str) -> Table:
    is_sparse = sparse.issparse(bunch.data)
    data = bunch.data.toarray() if is_sparse else np.asarray(bunch.data)
    columns = [str(column) for column in bunch.feature_names]
    parts: list[FloatArray] = [data.astype(np.float64)]
    categories = {
        columns.index(str(column)): tuple(str(category) for category in found)
        for column, found in (bunch.categories or {}).items()
    }
    if bunch.target is not None:
        targets = np.asarray(bunch.target).reshape(len(data), -1)
        for column, target in zip(bunch.target_names, targets.T, strict=True):
            values, found = _encoded(target)
            if found is not None:
                categories[len(columns)] = found
            columns.append(str(column))
            parts.append(values[:, np.newaxis])
    return Table(_title(bunch, name), source, tuple(columns), np.hstack(parts), categories)


def _encoded(target: Any) -> tuple[FloatArray, tuple[str, ...] | None]:
    """Return a target as numbers, and its categories if its values are strings."""
    if target.dtype.kind in "biuf":
        return target.astype(np.float64), None
    categories, indices = np.unique(target.astype(str), return_inverse=True)
    return indices.astype(np.float64), tuple(str(category) for category in categories)


def _title(bunch: Any, name: str | int) -> str:
    return name if isinstance(name, str) else str(bunch.details.get("name", name))


def _format_shape(shape: tuple[int, ...]) -> str:
    return "{} instances, {} features and {} labels".format(*shape)
