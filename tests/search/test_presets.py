import pytest

from minotaur_pymoo import (
    GuidedMutation,
    InputError,
    RuleMutation,
    RuleSampling,
    TreeSampling,
    rule_set_operators,
)


def test_searches_have_their_own_sampling_and_mutation() -> None:
    guided, paper = rule_set_operators(), rule_set_operators(search="paper", target_coverage=8)
    assert isinstance(guided["sampling"], TreeSampling)
    assert isinstance(guided["mating"].mutation, GuidedMutation)
    assert guided["mating"].only_new
    assert isinstance(paper["sampling"], RuleSampling)
    assert type(paper["mating"].mutation) is RuleMutation
    assert not paper["mating"].only_new
    assert paper["sampling"].growth.target_coverage == 8


def test_other_problems_are_rejected() -> None:
    with pytest.raises(InputError, match="problem must be a RuleSetProblem"):
        rule_set_operators("emotions")  # type: ignore[arg-type]


def test_algorithm_must_be_a_class() -> None:
    with pytest.raises(InputError, match="algorithm must be a pymoo class, not 2"):
        rule_set_operators(algorithm=2)
