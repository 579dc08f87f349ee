from __future__ import annotations

import numpy as np
import pytest

from benchmarks import clus
from benchmarks.fitting import Training
from minotaur_pymoo import InputError


def test_clus_learns_one_rule_per_leaf() -> None:
    try:
        clus.jar()
    except InputError as error:
        pytest.skip(str(error))
    X = np.random.default_rng(0).random((120, 2))
    X[5, 1] = np.nan
    Y = np.column_stack([X[:, 0] > 0.5, X[:, 0] <= 0.5]).astype(np.uint8)
    model = clus.Clus(Training(X, Y, 0, X_test=X[:30]))
    assert model.size == 2
    np.testing.assert_array_equal(model.predict(X[:30]), Y[:30])
    np.testing.assert_array_equal(model.predict_tuned(X[:30]), Y[:30])
    with pytest.raises(InputError, match="Clus predicts only the test data"):
        model.predict(X[:29])
    # Features without any information: the tree is its root.
    assert clus.Clus(Training(0 * X, Y, 0, X_test=X)).size == 0
