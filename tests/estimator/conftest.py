"""A fitted classifier for the tests of the estimator."""

import pytest

from minotaur_pymoo import MinotaurClassifier
from tests.estimator.examples import GARDEN, quick


@pytest.fixture(scope="session")
def fitted() -> MinotaurClassifier:
    return quick().fit(GARDEN.X, GARDEN.Y)
