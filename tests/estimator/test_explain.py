from __future__ import annotations

import numpy as np

from minotaur_pymoo import MinotaurClassifier
from tests.estimator.examples import quick


def test_explanations_name_the_class_that_is_predicted() -> None:
    draws = np.random.default_rng(0)
    X, y = draws.normal(size=(60, 2)), draws.integers(1, 4, size=60)
    classifier: MinotaurClassifier = quick(n_gen=10, combine=False).fit(X, y)
    # Otherwise, the rules themselves would tell.
    assert any(len(rule.labels) != 1 for rule in classifier.model_.regions)
    for row, predicted in zip(X, classifier.predict(X), strict=True):
        assert classifier.explain(row).endswith(f'{{"{predicted}"}}')
