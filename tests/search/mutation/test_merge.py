import numpy as np

from benchmarks.merge import MergeRules
from tests.search.mutation.lines import line


def test_rules_are_merged_unless_another_rule_is_between() -> None:
    draws = np.random.default_rng(0)
    merged = MergeRules().mutant(line(9, [(None, 2), (5, 8)]), draws)
    assert merged is not None
    assert str(merged.rules[0]) == "IF x0 < 8 THEN {y0}"
    three = line(9, [(None, 2), (3, 4), (5, 8)])
    mutants = [MergeRules().mutant(three, draws) for _ in range(50)]
    assert {mutant and mutant.n_rules for mutant in mutants} == {None, 2}
    assert MergeRules().mutant(merged, draws) is None
