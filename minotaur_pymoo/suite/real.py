"""Real problems, whose data a user has installed or downloaded."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.npz import load_npz
from minotaur_pymoo.datasets.river import load_river
from minotaur_pymoo.suite.definition import Definition
from minotaur_pymoo.support.errors import InputError


def yeast() -> Dataset:
    """The functions of 2,417 yeast genes by 103 measurements, as the package river has them.

    Two labels are frequent and the others hardly predictable, so that small models are good at once
    and larger ones gain little.
    """
    return load_river("yeast")


def paper(name: str) -> Dataset:
    """One of the paper's datasets, from the folder that the variable MINOTAUR_DATA names.

    Many features, of which each says little about the labels, and more instances than the other
    problems have.
    """
    path = Path(os.environ.get("MINOTAUR_DATA", ".benchmark-data")) / f"{name}.npz"
    if not path.exists():
        raise InputError(
            f"{name}-v1 needs the file {path}: set MINOTAUR_DATA to a folder with {name}.npz, which"
            " holds the arrays X and Y."
        )
    return load_npz(path)


def _of_paper(name: str) -> Definition:
    make = partial(paper, name)
    make.__doc__ = paper.__doc__
    return Definition(f"{name}-v1", "real", make, 16)


PROBLEMS = (
    Definition("yeast-v1", "real", yeast, 16),
    _of_paper("emotions"),
    _of_paper("scene"),
)
