import numpy as np
import pytest

from minotaur_pymoo import GuidedGrowth, InputError, NearestGrowth, RuleSampling, RuleSetProblem
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred


def test_sampling_returns_rule_sets_of_one_rule() -> None:
    problem = RuleSetProblem([[1.0], [2.0]], [[1], [0]])
    for n in (1, 7):
        X = RuleSampling()(problem, n, random_state=np.random.default_rng(0)).get("X")
        assert X.shape == (n, 1)
        assert all(rule_set.n_rules == 1 for rule_set in X[:, 0])


def test_deferred_samples_equal_samples_with_the_same_draws() -> None:
    random_state = np.random.default_rng(0)
    X, Y = random_state.normal(size=(40, 3)), random_state.integers(0, 2, size=(40, 2))
    data = RuleSetProblem(X, Y).training
    sampling = RuleSampling(NearestGrowth(5))
    together, alone = np.random.default_rng(1), np.random.default_rng(1)
    deferred = [sampling.defer(data, together) for _ in range(6)]
    assert all(isinstance(sample, DeferredOffspring) for sample in deferred)
    assert grow_deferred(deferred) == [sampling.sample(data, alone) for _ in range(6)]


def test_growth_that_finds_no_rule_is_rejected() -> None:
    problem = RuleSetProblem([[1.0], [2.0]], [[1], [0]])
    sampling = RuleSampling(GuidedGrowth(min_coverage=3))
    with pytest.raises(InputError, match="no rule can cover as many instances"):
        sampling(problem, 1, random_state=np.random.default_rng(0))
