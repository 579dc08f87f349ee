"""All entry points by name."""

from __future__ import annotations

import numpy as np
from scipy import sparse

from minotaur_pymoo import MinotaurClassifier
from tests.tools.fuzzing.archives import CHECKPOINT, NPZ
from tests.tools.fuzzing.calls import CLASSIFIER, PARAMETERS
from tests.tools.fuzzing.commands import COMMANDS
from tests.tools.fuzzing.files import ARFF, CSV, XML
from tests.tools.fuzzing.large import LARGE
from tests.tools.fuzzing.models import MODELS
from tests.tools.fuzzing.naming import NAMING
from tests.tools.fuzzing.tables import ARRAYS, ESTIMATOR, FRAMES, SPARSE

ENTRY_POINTS = {
    entry_point.name: entry_point
    for entry_point in (
        ARRAYS,
        FRAMES,
        SPARSE,
        ESTIMATOR,
        ARFF,
        CSV,
        XML,
        NPZ,
        MODELS,
        NAMING,
        LARGE,
        CHECKPOINT,
        COMMANDS,
        PARAMETERS,
        CLASSIFIER,
    )
}


def warm_up() -> None:
    """Compile and import what most inputs need, so that it does not count against their limits."""
    draws = np.random.default_rng(0)
    X = draws.normal(size=(30, 3))
    X[0, 0] = np.nan
    X[:, 2] = X[:, 2] > 0
    Y = draws.integers(0, 2, size=(30, 2))
    for search in ("paper", "guided"):
        for categorical in ([], [2]):
            classifier = MinotaurClassifier(
                search=search, pop_size=8, n_gen=3, categorical_features=categorical
            )
            classifier.fit(X, Y).predict(X)
    # Sparse and weighted data have kernels of their own, and so have data that are both.
    classifier = MinotaurClassifier(pop_size=8, n_gen=3)
    few = sparse.csr_array(np.nan_to_num(X))
    classifier.fit(few, Y)
    for features in (X, few):
        classifier.fit(features, Y, sample_weight=draws.random(30))
