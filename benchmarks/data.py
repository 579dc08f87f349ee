"""The datasets of the benchmarks, with their folds.

The paper's eight are generated in the same shape where a file is missing. Any others are the files
in the subfolder ``other``.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.support.errors import InputError

N_FOLDS = 10
# Larger datasets take long, and fewer of their folds give small standard errors.
LARGE = 5_000
N_FOLDS_LARGE = 5
PROJECT = Path(__file__).resolve().parents[1]
GENERATED = "generated"
PAPERS_FOLDS = "the paper's folds"
STORED_FOLDS = "stored folds"


@dataclass(frozen=True)
class Shape:
    """The published shape of a dataset and the paper's target coverage for it.

    Attributes
    ----------
    n_instances
        Number of instances.
    n_features
        Number of features.
    n_labels
        Number of labels.
    density
        The mean share of labels that an instance has.
    target_coverage
        The paper's t.
    """

    n_instances: int
    n_features: int
    n_labels: int
    density: float
    target_coverage: int


SHAPES = {
    "CAL500": Shape(502, 68, 174, 0.15, 64),
    "emotions": Shape(593, 72, 6, 0.31, 128),
    "scene": Shape(2407, 294, 6, 0.18, 512),
    "synthetic0": Shape(10000, 10, 5, 0.34, 4096),
    "synthetic1": Shape(10000, 80, 22, 0.10, 32),
    "synthetic2": Shape(10000, 30, 8, 0.32, 2048),
    "synthetic3": Shape(10000, 21, 7, 0.34, 1024),
    "yeast": Shape(2417, 103, 14, 0.30, 512),
}


@dataclass(frozen=True)
class Folded:
    """A dataset with cross-validation folds.

    Attributes
    ----------
    name
        Name of the dataset.
    X
        Features, NaN where missing.
    Y
        Labels, 0 or 1.
    fold
        For each instance, the fold in which it is test data.
    generated
        Whether the data are generated.
    origin
        Where the data and folds come from, for reports.
    categorical
        Indices of the categorical features.
    feature_names
        Names of the features, if the file has any.
    label_names
        Names of the labels, if the file has any.
    """

    name: str
    X: npt.NDArray[Any]
    Y: npt.NDArray[np.uint8]
    fold: npt.NDArray[np.int64]
    generated: bool
    origin: str = PAPERS_FOLDS
    categorical: tuple[int, ...] = ()
    feature_names: tuple[str, ...] | None = None
    label_names: tuple[str, ...] | None = None

    def split(self, fold: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Masks of the training and test instances of a fold."""
        test = self.fold == fold
        return ~test, test


def folder() -> Path:
    """The folder of dataset files: ``MINOTAUR_DATA``, or a default."""
    beside = PROJECT.parent / "shared" / "data"
    default = beside if beside.exists() else PROJECT / ".benchmark-data"
    return Path(os.environ.get("MINOTAUR_DATA", default))


def path_of(name: str) -> Path:
    """The file of a dataset, which may not exist."""
    return (folder() if name in SHAPES else folder() / "other") / f"{name}.npz"


def groups() -> dict[str, list[str]]:
    """The names of datasets by group: ``paper``, ``other`` (those that have a file) and ``all``."""
    other = sorted(path.stem for path in (folder() / "other").glob("*.npz"))
    return {"paper": list(SHAPES), "other": other, "all": [*SHAPES, *other]}


def load(name: str, *, generated: bool = False) -> Folded:
    """Load a dataset.

    Parameters
    ----------
    name
        Name of the dataset.
    generated
        Whether to generate data of the same shape, as is done anyway if there is no file.
    """
    path = path_of(name)
    if _is_generated(name, generated):
        return generate(name)
    folds = PAPERS_FOLDS if name in SHAPES else STORED_FOLDS
    with np.load(path, allow_pickle=False) as file:
        return Folded(
            name,
            file["X"],
            file["Y"],
            file["fold"].astype(np.int64),
            generated=False,
            origin=str(file["origin"]) if "origin" in file else folds,
            categorical=tuple(file["categorical"].tolist()) if "categorical" in file else (),
            feature_names=_names(file, "feature_names"),
            label_names=_names(file, "label_names"),
        )


def default_folds(name: str, *, generated: bool = False) -> int:
    """The number of folds to run if none is given: all, or some if the dataset is large."""
    if _is_generated(name, generated):
        n_instances = SHAPES[name].n_instances
    else:
        with np.load(path_of(name), allow_pickle=False) as file:
            n_instances = len(file["fold"])
    return N_FOLDS_LARGE if n_instances > LARGE else N_FOLDS


def _is_generated(name: str, generated: bool) -> bool:
    missing = not path_of(name).exists()
    if name not in SHAPES and (generated or missing):
        reason = f"there is no file {path_of(name)}" if missing else "it cannot be generated"
        raise InputError(f"dataset {name!r} is not available: {reason}.")
    return generated or missing


def _names(file: Any, key: str) -> tuple[str, ...] | None:
    return tuple(str(name) for name in file[key]) if key in file else None


def identity(name: str, *, generated: bool = False) -> str:
    """An identifier of the data, to keep results of different data apart."""
    if _is_generated(name, generated):
        return GENERATED
    return hashlib.sha256(path_of(name).read_bytes()).hexdigest()[:8]


def describe(names: Sequence[str], *, generated: bool) -> str:
    """List datasets with their origins, for a report."""
    return ", ".join(f"{name} ({load(name, generated=generated).origin})" for name in names)


def generate(name: str) -> Folded:
    """Generate Gaussian features, and labels that depend on random linear combinations of them."""
    shape = SHAPES[name]
    random_state = np.random.default_rng(sum(name.encode()))
    X = random_state.normal(size=(shape.n_instances, shape.n_features))
    directions = random_state.normal(size=(shape.n_features, shape.n_labels))
    scores = X @ directions + random_state.normal(size=(shape.n_instances, shape.n_labels))
    Y = scores > np.quantile(scores, 1 - shape.density)
    fold = random_state.permutation(shape.n_instances) % N_FOLDS
    return Folded(name, X, Y.astype(np.uint8), fold, generated=True, origin=GENERATED)
