import numpy as np
import pytest

from minotaur_pymoo import SplitRule
from tests.search.mutation.lines import line


def test_halves_cover_what_the_split_rule_covered() -> None:
    parent = line(20, [(None, None)])
    split = SplitRule(min_coverage=3).mutant(parent, np.random.default_rng(0))
    assert split is not None
    assert split.n_rules == 2
    assert split.n_covered == 20
    assert min(rule.n_covered for rule in split) >= 3
    assert SplitRule(min_coverage=11).mutant(parent, np.random.default_rng(0)) is None


def test_rule_sets_at_the_limit_are_not_split() -> None:
    parent, draws = line(20, [(None, None)]), np.random.default_rng(0)
    assert SplitRule(min_coverage=1, max_rules=1).mutant(parent, draws) is None
    assert SplitRule(min_coverage=1, max_rules=2).mutant(parent, draws) is not None


def test_parameters_are_keyword_only() -> None:
    with pytest.raises(TypeError):
        SplitRule(3)
