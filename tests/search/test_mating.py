import numpy as np
import pytest
from pymoo.core.mutation import Mutation
from pymoo.core.repair import Repair
from pymoo.operators.mutation.pm import PM

from minotaur_pymoo import (
    AddRule,
    InputError,
    MutationMating,
    NearestGrowth,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
)

PROBLEM = RuleSetProblem([[1.0], [2.0], [3.0], [4.0]], [[1], [1], [0], [0]])


class Recorder:
    """Records its parents; the first mutations fail."""

    def __init__(self, n_failures: int = 0) -> None:
        self.parents: list[RuleSet] = []
        self.n_failures = n_failures

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        self.parents.append(rule_set)
        if len(self.parents) <= self.n_failures:
            return None
        return AddRule(NearestGrowth(1)).mutant(rule_set, random_state)


def population(n: int = 5, target: int = 1) -> object:
    draws = np.random.default_rng(0)
    return RuleSampling(NearestGrowth(target))(PROBLEM, n, random_state=draws)


def test_parents_are_drawn_uniformly_with_replacement() -> None:
    pop, recorder = population(5), Recorder()
    mating = MutationMating(RuleMutation([recorder]))
    mating.do(PROBLEM, pop, 1000, random_state=np.random.default_rng(1))
    identities = [id(rule_set) for rule_set in pop.get("X")[:, 0]]
    drawn = [identities.index(id(parent)) for parent in recorder.parents]
    assert np.bincount(drawn).min() > 150
    assert len(set(drawn[:5])) < 5 or len(set(drawn[5:10])) < 5


def test_failures_are_retried_and_counted_per_generation() -> None:
    recorder = Recorder(n_failures=7)
    mating = MutationMating(RuleMutation([recorder]), n_max_failures=8)
    off = mating.do(PROBLEM, population(), 10, random_state=np.random.default_rng(1))
    assert len(off) == 10
    assert mating.n_failures == 7
    assert not mating.failed
    mating.do(PROBLEM, population(), 10, random_state=np.random.default_rng(1))
    assert mating.n_failures == 0


def test_too_many_failures_leave_no_offspring() -> None:
    mating = MutationMating(RuleMutation([Recorder(n_failures=8)]), n_max_failures=8)
    off = mating.do(PROBLEM, population(), 10, random_state=np.random.default_rng(1))
    assert len(off) == 0
    assert mating.failed


def test_offspring_are_new_unevaluated_individuals() -> None:
    pop = population()
    off = MutationMating().do(PROBLEM, pop, 20, random_state=np.random.default_rng(1))
    assert not set(map(id, off)) & set(map(id, pop))
    assert all(not individual.evaluated for individual in off)


def test_duplicates_count_as_failures_if_eliminated() -> None:
    pop = population(30)
    distinct = len(set(pop.get("X")[:, 0]))
    assert distinct == 4
    growth = NearestGrowth(1)
    mating = MutationMating(RuleMutation(growth=growth), eliminate_duplicates=True)
    off = mating.do(PROBLEM, pop, 6, random_state=np.random.default_rng(1))
    together = set(off.get("X")[:, 0]) | set(pop.get("X")[:, 0])
    assert len(together) == distinct + 6
    assert mating.n_failures > 0


class OnlyFirstRule(Repair):  # type: ignore[misc]
    """Repairs a rule set by dropping all rules but the first."""

    def _do(self, problem: RuleSetProblem, X: np.ndarray, **kwargs: object) -> np.ndarray:
        for row in X:
            row[0] = RuleSet(row[0].data, row[0].rules[:1])
        return X


def test_repair_is_applied() -> None:
    mutation = RuleMutation([AddRule(NearestGrowth(1))])
    mating = MutationMating(mutation, repair=OnlyFirstRule())
    off = mating.do(PROBLEM, population(), 5, random_state=np.random.default_rng(1))
    assert [rule_set.n_rules for rule_set in off.get("X")[:, 0]] == [1] * 5


def test_each_row_of_parents_has_exactly_one_offspring() -> None:
    pop = population(4)
    chosen = pop[np.array([[2], [0], [2]])]
    mutation = RuleMutation([AddRule(NearestGrowth(1))])
    off = MutationMating(mutation).do(
        PROBLEM, pop, int(1e12), parents=chosen, random_state=np.random.default_rng(1)
    )
    first_rules = [rule_set.rules[0] for rule_set in off.get("X")[:, 0]]
    assert first_rules == [pop[i].X[0].rules[0] for i in (2, 0, 2)]

    covered = population(2, target=4)
    stuck = MutationMating(mutation, n_max_failures=3)
    off = stuck.do(
        PROBLEM, covered, 1, parents=covered[np.array([[1]])], random_state=np.random.default_rng(1)
    )
    assert off[0].X[0] is covered[1].X[0]
    assert off[0] is not covered[1]
    assert stuck.n_failures == 3


def test_limit_below_one_is_rejected() -> None:
    with pytest.raises(InputError, match="n_max_failures must be at least 1, not 0"):
        MutationMating(n_max_failures=0)


class DropsLast(Mutation):  # type: ignore[misc]
    """A pymoo mutation that knows nothing of this package but its rule sets."""

    def _do(self, problem: RuleSetProblem, X: np.ndarray, **kwargs: object) -> np.ndarray:
        varied = X.copy()
        for row in varied:
            if row[0].n_rules > 1:
                row[0] = row[0].without_rule(row[0].n_rules - 1)
        return varied


def test_any_pymoo_mutation_can_be_used() -> None:
    draws = np.random.default_rng(1)
    pop = MutationMating(RuleMutation([AddRule(NearestGrowth(1))])).do(
        PROBLEM, population(), 5, random_state=draws
    )
    off = MutationMating(DropsLast()).do(PROBLEM, pop, 4, random_state=draws)
    assert [individual.X[0].n_rules for individual in off] == [1] * 4
    stuck = MutationMating(DropsLast(), n_max_failures=7)
    assert len(stuck.do(PROBLEM, population(), 4, random_state=draws)) == 0
    assert stuck.n_failures == 7


def test_mutations_of_other_things_are_rejected() -> None:
    with pytest.raises(InputError, match="PM does not work on rule sets: pass RuleMutation"):
        MutationMating(PM())
    with pytest.raises(InputError, match="mutation must be a pymoo mutation, not 'add'"):
        MutationMating("add")
    with pytest.raises(InputError, match="crossover must be a RuleSetCrossover, not 'nonsense'"):
        MutationMating(crossover="nonsense")

    class Nonsense(Mutation):  # type: ignore[misc]
        def _do(self, problem: RuleSetProblem, X: np.ndarray, **kwargs: object) -> np.ndarray:
            return np.full(X.shape, 5.0)

    with pytest.raises(
        InputError, match=r"the mutation Nonsense returned np.float64\(5.0\): it must"
    ):
        MutationMating(Nonsense()).do(
            PROBLEM, population(), 4, random_state=np.random.default_rng(1)
        )
