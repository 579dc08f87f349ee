"""The paper's eight datasets, or generated ones of the same shape where they are not at hand."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

N_FOLDS = 10
PROJECT = Path(__file__).resolve().parents[1]
GENERATED = "generated"
PAPERS_FOLDS = "the paper's folds"


@dataclass(frozen=True)
class Shape:
    """What is known of a dataset without having it, and the paper's target coverage for it."""

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
    """A dataset with the number of the fold in which each instance is test data."""

    name: str
    X: npt.NDArray[np.float64]
    Y: npt.NDArray[np.uint8]
    fold: npt.NDArray[np.int64]
    generated: bool
    origin: str = PAPERS_FOLDS

    def split(self, fold: int) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.bool_]]:
        """Which instances are for training and which for testing."""
        test = self.fold == fold
        return ~test, test


def folder() -> Path:
    """Where the datasets are looked for, and put when they are fetched."""
    beside = PROJECT.parent / "shared" / "data"
    own = PROJECT / ".benchmark-data"
    return Path(os.environ.get("MINOTAUR_DATA", beside if beside.exists() else own))


def path_of(name: str) -> Path:
    """The file of a dataset, if it is at hand."""
    return folder() / f"{name}.npz"


def load(name: str, *, generated: bool = False) -> Folded:
    """The dataset of that name, or a generated one of its shape if asked for or not at hand."""
    path = path_of(name)
    if generated or not path.exists():
        return generate(name)
    with np.load(path, allow_pickle=False) as file:
        origin = str(file["origin"]) if "origin" in file else PAPERS_FOLDS
        return Folded(
            name,
            file["X"],
            file["Y"],
            file["fold"].astype(np.int64),
            generated=False,
            origin=origin,
        )


def identity(name: str, *, generated: bool = False) -> str:
    """What tells the data from other data of that name, so that results are never mixed up."""
    path = path_of(name)
    if generated or not path.exists():
        return GENERATED
    return hashlib.sha256(path.read_bytes()).hexdigest()[:8]


def described(names: Sequence[str], *, generated: bool) -> str:
    """The names of datasets, each with where it comes from, for a report."""
    return ", ".join(f"{name} ({load(name, generated=generated).origin})" for name in names)


def generate(name: str) -> Folded:
    """Gaussian features, and labels that follow random directions among them."""
    shape = SHAPES[name]
    random_state = np.random.default_rng(sum(name.encode()))
    X = random_state.normal(size=(shape.n_instances, shape.n_features))
    directions = random_state.normal(size=(shape.n_features, shape.n_labels))
    scores = X @ directions + random_state.normal(size=(shape.n_instances, shape.n_labels))
    Y = scores > np.quantile(scores, 1 - shape.density)
    fold = random_state.permutation(shape.n_instances) % N_FOLDS
    return Folded(name, X, Y.astype(np.uint8), fold, generated=True, origin=GENERATED)
