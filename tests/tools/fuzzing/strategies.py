"""Strategies that arrays, frames and sparse matrices share."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st

from tests.tools.fuzzing.damage import ODD_TEXTS, pick

_POOLS = [
    [0.0, 1.0, 2.0, 3.0],
    [-2.5, 0.1, 0.3, 1e6],
    [0.0, -0.0, 5e-324, -5e-324, 2.2e-308],
    [1.7e308, -1.7e308, 1e300, 0.0],
    [1.0, np.nextafter(1.0, 2.0), np.nextafter(1.0, 0.0)],
    [1.0, 2.0, np.nan],
]


class Given(NamedTuple):
    """Tables and how to search on them.

    Attributes
    ----------
    X
        Features.
    Y
        Labels.
    arguments
        Further arguments of the problem.
    search
        The kind of search.
    seed
        Seed of the search.
    """

    X: Any
    Y: Any
    arguments: dict[str, Any]
    search: str
    seed: int


@st.composite
def numbers(draw: st.DrawFn, shape: tuple[int, int]) -> np.ndarray:
    """Draw valid features."""
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    pool = pick(draw, [*_POOLS, None])
    return draws.normal(size=shape) if pool is None else draws.choice(pool, size=shape)


@st.composite
def labels(draw: st.DrawFn, shape: tuple[int, int]) -> np.ndarray:
    """Draw valid labels."""
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    share = pick(draw, [0.0, 0.3, 0.5, 1.0])
    return (draws.random(shape) < share).astype(np.int64)


SHAPES = st.tuples(st.integers(1, 12), st.integers(1, 4), st.integers(1, 3))
OFTEN_NOTHING = [None] * 5


@st.composite
def problem_arguments(draw: st.DrawFn, n_features: int, n_labels: int) -> dict[str, Any]:
    """Draw names, categorical features and soft labels, mostly valid ones."""
    arguments: dict[str, Any] = {}
    names = st.lists(st.sampled_from(ODD_TEXTS), min_size=1, max_size=4)
    if draw(st.integers(0, 3)) == 0:
        fits = [f"f{i}" for i in range(n_features)]
        arguments["feature_names"] = draw(st.sampled_from([fits, "ab", 5, None]) | names)
    if draw(st.integers(0, 3)) == 0:
        fits = [f"l{i}" for i in range(n_labels)]
        arguments["label_names"] = draw(st.sampled_from([fits, "ab", [None, 3], b"x"]) | names)
    if draw(st.integers(0, 3)) == 0:
        odd = [[0], [0], [n_features - 1], ["x0"], [-1], [99], ["no"], 0, "x0", [0.5], [None], True]
        arguments["categorical_features"] = pick(draw, odd)
    if draw(st.integers(0, 9)) == 0:
        arguments["soft_labels"] = pick(
            draw, [np.full((3, 1), 0.5), "out-of-bag", "other", 0.5, [[0.5]], np.nan]
        )
    return arguments


SEARCHES = st.sampled_from(["paper", "guided"])
