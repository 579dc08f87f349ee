"""Download those of the paper's datasets that openml.org has."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np

from benchmarks.data import N_FOLDS, path_of
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.datasets import load_openml
from minotaur_pymoo.support.files import make_folder, write_atomically

AT_OPENML = ("emotions", "scene", "yeast")
ORIGIN = "OpenML, seeded stratified folds"
_SEED = 2022


def fetch_missing(names: Iterable[str]) -> list[Path]:
    """Download the datasets that have no file yet; warn about those that openml.org lacks."""
    missing = [name for name in names if not path_of(name).exists()]
    elsewhere = [name for name in missing if name not in AT_OPENML]
    if elsewhere:
        print(
            f"openml.org does not have {', '.join(elsewhere)}: put NAME.npz files (X, Y, fold) into"
            f" {path_of('').parent}; otherwise generated data of the same shape are used.",
            file=sys.stderr,
        )
    return [fetch(name) for name in missing if name in AT_OPENML]


def fetch(name: str) -> Path:
    """Download one dataset and split it into ten stratified folds (not the paper's)."""
    dataset = load_openml(name)
    shares = [1 / N_FOLDS] * N_FOLDS
    fold = stratified_parts(dataset.Y, shares, np.random.default_rng(_SEED))
    content = io.BytesIO()
    np.savez_compressed(content, X=dataset.X, Y=dataset.Y, fold=fold, origin=np.array(ORIGIN))
    path = path_of(name)
    make_folder(path.parent)
    write_atomically(path, content.getvalue())
    return path
