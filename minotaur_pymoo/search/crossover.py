"""Crossover of rule sets."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.crossover import Crossover

from minotaur_pymoo.growth.base import draw_below
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare_after_start
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.params import check_count, check_fraction


class RuleSetCrossover(Crossover):  # type: ignore[misc]
    """Two rule sets have two consistent offspring, each with rules of both.

    An offspring gets a random part of one parent's rules, and the other parent's rules that
    overlap none of them; for the second offspring the parents swap roles. The default labels are
    those of the first parent.

    Parameters
    ----------
    max_rules
        Maximum number of rules of an offspring; by default there is no limit.
    finish
        A function applied to every offspring, such as `with_optimal_labels`.
    **kwargs
        Further arguments of pymoo's ``Crossover``, such as ``prob``, the probability that two
        parents are crossed at all.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> low = Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])
    >>> high = Rule.from_tests(data, {"x0": (3, None)}, [])
    >>> crossover = RuleSetCrossover()
    >>> parents = RuleSet(data, [low]), RuleSet(data, [high])
    >>> print(crossover.child(*parents, np.random.default_rng(1)))
    IF x0 < 3 THEN {y0}
    IF x0 >= 3 THEN {}
    ELSE {y0}
    """

    def __init__(
        self,
        max_rules: int | None = None,
        finish: Callable[[RuleSet], RuleSet] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(n_parents=2, n_offsprings=2, **kwargs)
        check_fraction("prob", self.prob.value)
        self.max_rules = None if max_rules is None else check_count("max_rules", max_rules)
        self.finish = finish

    def child(self, first: RuleSet, second: RuleSet, random_state: np.random.Generator) -> RuleSet:
        """One offspring: some rules of the first parent, and what fits of the second.

        Parameters
        ----------
        first
            The parent that passes on its default labels and a random part of its rules.
        second
            The parent whose rules are added where they overlap none of those.
        random_state
            Random number generator.
        """
        n_kept = 1 + draw_below(first.n_rules, random_state)
        rules = [first.rules[i] for i in random_state.permutation(first.n_rules)[:n_kept]]
        rules += free_rules(second, rules, random_state)
        rules = rules[: self.max_rules]
        crossed = first.with_rules(rules, disjoint=first.disjoint and second.disjoint)
        return crossed if self.finish is None else self.finish(crossed)

    def _do(
        self,
        problem: RuleSetProblem,
        X: npt.NDArray[Any],
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        prepare_after_start(kwargs.get("algorithm"))
        offspring = np.empty_like(X)
        for mating in range(X.shape[1]):
            first, second = (problem.adopt(parent) for parent in X[:, mating, 0])
            offspring[0, mating, 0] = self.child(first, second, random_state)
            offspring[1, mating, 0] = self.child(second, first, random_state)
        return offspring


def free_rules(
    rule_set: RuleSet, rules: list[Rule], random_state: np.random.Generator
) -> list[Rule]:
    """The rules of a rule set that overlap none of some others, in random order.

    Parameters
    ----------
    rule_set
        The rules to choose from.
    rules
        The rules that they must not overlap.
    random_state
        Random number generator.
    """
    free = np.ones(rule_set.n_rules, dtype=bool)
    for rule in rules:
        free &= ~rule_set.boxes.overlapping(rule.box)
        for index, own in enumerate(rule_set.rules):
            if own.written or rule.written:
                free[index] &= not own.overlaps(rule)
    order = random_state.permutation(rule_set.n_rules)
    return [rule_set.rules[index] for index in order if free[index]]
