import pytest

from minotaur_pymoo import Rule, RuleSet
from minotaur_pymoo.data import TrainingData


@pytest.fixture
def two_rules() -> RuleSet:
    data = TrainingData([[1.0], [2.0], [3.0], [4.0]], [[1], [1], [0], [0]])
    low = Rule.from_tests(data, {"x0": (None, 2)})
    high = Rule.from_tests(data, {"x0": (4, None)})
    return RuleSet(data, [low, high])
