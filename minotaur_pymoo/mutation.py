"""How one rule set becomes another."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Sequence
from itertools import accumulate
from numbers import Real
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
from pymoo.core.mutation import Mutation

from minotaur_pymoo.consequents import optimal
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.growth import (
    BatchGrowth,
    Draft,
    Growth,
    NearestGrowth,
    create_rule,
    draw_below,
)
from minotaur_pymoo.parameters import check_list
from minotaur_pymoo.problem import RuleSetProblem
from minotaur_pymoo.rules import RuleSet
from minotaur_pymoo.wording import shown


class RuleOperator(Protocol):
    """One way to vary a rule set; write your own by giving a class this method."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """A consistent variant of a rule set, or None if this one allows none."""
        ...


class AddRule:
    """Grow one rule more; fails if every instance is covered, or there are enough rules."""

    def __init__(self, growth: Growth | None = None, max_rules: int | None = None) -> None:
        self.growth = NearestGrowth() if growth is None else growth
        self.max_rules = max_rules

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule more."""
        if self.max_rules is not None and rule_set.n_rules >= self.max_rules:
            return None
        rule = create_rule(rule_set, self.growth, random_state)
        return None if rule is None else rule_set.with_free_rule(rule)

    def draft(
        self, rule_set: RuleSet, growth: BatchGrowth, random_state: np.random.Generator
    ) -> Draft | None:
        """As `mutant`, with the rule to be grown later."""
        if self.max_rules is not None and rule_set.n_rules >= self.max_rules:
            return None
        return Draft.draw(rule_set, growth, random_state)


class RemoveRule:
    """Drop a random rule; fails if it is the only one."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule less."""
        if rule_set.n_rules == 1:
            return None
        return rule_set.without_rule(draw_below(rule_set.n_rules, random_state))


class SubstituteRule:
    """Drop a random rule and grow another one in the room that this leaves."""

    def __init__(self, growth: Growth | None = None) -> None:
        self.growth = NearestGrowth() if growth is None else growth

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """The rule set with one rule exchanged."""
        reduced = rule_set.without_rule(draw_below(rule_set.n_rules, random_state))
        rule = create_rule(reduced, self.growth, random_state)
        return None if rule is None else reduced.with_free_rule(rule)

    def draft(
        self, rule_set: RuleSet, growth: BatchGrowth, random_state: np.random.Generator
    ) -> Draft | None:
        """As `mutant`, with the rule to be grown later."""
        dropped = draw_below(rule_set.n_rules, random_state)
        return Draft.draw(rule_set, growth, random_state, dropped)


def optimal_labels(rule_set: RuleSet, smoothing: float = 0.0) -> npt.NDArray[np.bool_]:
    """The best consequents for a rule set's boxes, by what its data want most; last the default's.

    Parameters
    ----------
    rule_set
        The boxes.
    smoothing
        As for `optimal`, in instances.

    Examples
    --------
    >>> from minotaur_pymoo import Rule, TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [0], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 2)}, [])])
    >>> optimal_labels(rule_set).tolist()
    [[True], [False]]
    """
    data = rule_set.data
    weights, counts = rule_set.region_weights, rule_set.region_counts
    return optimal(weights, counts, smoothing * data.unit, data.measure)


def with_optimal_labels(rule_set: RuleSet, smoothing: float = 0.0) -> RuleSet:
    """The best consequents for a rule set's boxes, and no rule that says what the default says.

    Rules that overlap keep theirs, as others might not be consistent; rules that were grown in
    free boxes do not overlap.

    Parameters
    ----------
    rule_set
        The boxes.
    smoothing
        As for `optimal`.

    Examples
    --------
    >>> from minotaur_pymoo import Rule, TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [0], [0], [0]])
    >>> tests = {"x0": (None, 2)}, {"x0": (3, 4)}
    >>> rules = [Rule.from_tests(data, test, []) for test in tests]
    >>> print(with_optimal_labels(RuleSet(data, rules)))
    IF x0 < 2 THEN {y0}
    ELSE {}
    """
    if not rule_set.disjoint:
        return rule_set
    return rule_set.with_labels(optimal_labels(rule_set, smoothing)).without_idle_rules()


class RuleMutation(Mutation):  # type: ignore[misc]
    """A weighted mix of ways to vary a rule set.

    It also works as an ordinary pymoo mutation; there, a rule set that the drawn operator cannot
    vary stays as it is.

    Parameters
    ----------
    operators
        The ways; by default the paper's `AddRule`, `RemoveRule` and `SubstituteRule`.
    weights
        How likely each is, in proportion; by default the paper's 1, 2 and 4, or all equal for
        operators of your own.
    growth
        How the default operators grow rules; not used if operators are given.
    finish
        What is done to every mutant, such as `with_optimal_labels`.

    Examples
    --------
    >>> from minotaur_pymoo import RuleSampling
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> random_state = np.random.default_rng(1)
    >>> growth = NearestGrowth(1)
    >>> parents = RuleSampling(growth)(problem, 1, random_state=random_state)
    >>> print(parents[0].X[0])
    IF 3 <= x0 < 4 THEN {}
    ELSE {y0}
    >>> mutation = RuleMutation([AddRule(growth)])
    >>> print(mutation.mutant(parents[0].X[0], random_state))
    IF 3 <= x0 < 4 THEN {}
    IF x0 < 2 THEN {y0}
    ELSE {y0}
    """

    operators: tuple[RuleOperator, ...]

    def __init__(
        self,
        operators: Sequence[RuleOperator] | None = None,
        weights: Sequence[float] | None = None,
        growth: Growth | None = None,
        finish: Callable[[RuleSet], RuleSet] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        if operators is None:
            operators = (AddRule(growth), RemoveRule(), SubstituteRule(growth))
            weights = (1.0, 2.0, 4.0) if weights is None else weights
        operators = check_list("operators", operators, "operators")
        weights = (1.0,) * len(operators) if weights is None else weights
        weights = check_list("weights", weights, "numbers")
        for operator in operators:
            if not callable(getattr(operator, "mutant", None)):
                raise InputError(f"{shown(operator)} is no operator: it has no method mutant.")
        if not operators or len(operators) != len(weights):
            raise InputError(
                f"there are {len(operators)} operators and {len(weights)} weights:"
                " pass at least one operator, and one weight for each."
            )
        if not all(isinstance(weight, Real) for weight in weights):
            raise InputError(f"weights must be numbers, not {shown(weights)}.")
        if not np.isfinite(weights).all() or min(weights) < 0 or sum(weights) <= 0:
            raise InputError("weights must be finite, not negative, and not all zero.")
        self.operators = operators
        self.finish = finish
        self.weights = np.array(weights, dtype=np.float64)
        self.weights.flags.writeable = False
        self._thresholds = list(accumulate(self.weights.tolist()))

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """One try with a randomly drawn operator."""
        mutant = self._drawn(random_state).mutant(rule_set, random_state)
        return mutant if mutant is None or self.finish is None else self.finish(mutant)

    def draft(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | Draft | None:
        """As `mutant`, but a rule whose growth draws nothing may be left to be grown later."""
        operator = self._drawn(random_state)
        if isinstance(operator, AddRule | SubstituteRule):
            growth = operator.growth
            # A user's own operator may be derived from these, and do something else.
            known = type(operator).mutant in (AddRule.mutant, SubstituteRule.mutant)
            if known and isinstance(growth, NearestGrowth):
                return operator.draft(rule_set, growth, random_state)
        return operator.mutant(rule_set, random_state)

    def _drawn(self, random_state: np.random.Generator) -> RuleOperator:
        drawn = random_state.random() * self._thresholds[-1]
        return self.operators[bisect_right(self._thresholds, drawn)]

    def _do(
        self,
        problem: RuleSetProblem,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        mutants = X.copy()
        for place, parent in enumerate(X[:, 0]):
            mutant = self.mutant(parent, random_state)
            mutants[place, 0] = parent if mutant is None else mutant
        return mutants
