"""Constraints: measures of a rule set with a limit."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.objectives import OBJECTIVES, as_number, coverage, name_of
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_list


def longest_rule(rule_set: RuleSet) -> int:
    """The largest number of tests of a rule."""
    return max(rule.n_tests for rule in rule_set.rules)


def smallest_rule(rule_set: RuleSet) -> int:
    """The smallest number of instances that a rule covers."""
    return min(rule.n_covered for rule in rule_set.rules)


# What can be limited by name: all objectives, and these.
MEASURES: dict[str, Callable[[RuleSet], float]] = {
    **{name: objective.measure for name, objective in OBJECTIVES.items()},
    "covered_fraction": coverage,
    "instances_per_rule": smallest_rule,
    "tests_per_rule": longest_rule,
}
FRACTIONS = {name for name, objective in OBJECTIVES.items() if objective.kind == "fraction"}
FRACTIONS.add("covered_fraction")


@dataclass(frozen=True)
class Constraint:
    """A measure of a rule set that must not be above, or below, a limit.

    Parameters
    ----------
    name
        Its name in messages.
    measure
        A function of a rule set.
    sense
        ``"<="`` for at most, ``">="`` for at least.
    limit
        The limit.

    Examples
    --------
    >>> from minotaur_pymoo import Rule
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (2, 4)})])
    >>> as_constraint(("covered_fraction", ">=", 0.8)).violation(rule_set)
    0.30000000000000004
    """

    name: str
    measure: Callable[[RuleSet], float]
    sense: Literal["<=", ">="] = "<="
    limit: float = 0.0

    def violation(self, rule_set: RuleSet) -> float:
        """By how much a rule set misses the limit; not positive if it is within.

        Parameters
        ----------
        rule_set
            The rule set to measure.
        """
        value = self.measure(rule_set)
        # True would count as violated, though it may well mean that a limit is kept.
        if isinstance(value, (bool, np.bool_)):
            raise InputError(
                f"the constraint {short_repr(self.name)} is {value} for a rule set: return a number"
                " that is positive where it is violated."
            )
        excess = as_number(value) - self.limit
        if math.isnan(excess):
            raise InputError(
                f"the constraint {short_repr(self.name)} is not a number for a rule set: return a"
                " number for every rule set."
            )
        return excess if self.sense == "<=" else -excess


def as_constraint(constraint: Any) -> Constraint:
    """A constraint from a name with a limit, or from a function.

    Parameters
    ----------
    constraint
        A triple such as ``("n_tests", "<=", 20)`` with a name from `MEASURES` or a function; a
        function that is positive where violated; or a `Constraint`.

    Examples
    --------
    >>> as_constraint(("n_tests", "<=", 20)).limit
    20.0
    """
    if isinstance(constraint, Constraint):
        return constraint
    if callable(constraint):
        return Constraint(name_of(constraint), constraint)
    if not isinstance(constraint, (tuple, list)) or len(constraint) != 3:
        raise InputError(
            f"{short_repr(constraint)} is not a constraint: pass a function, or a measure with a"
            ' limit such as ("n_tests", "<=", 20).'
        )
    name, sense, limit = constraint
    if not callable(name) and not (isinstance(name, str) and name in MEASURES):
        raise InputError(
            f"there is no measure {short_repr(name)} to limit: choose from {', '.join(MEASURES)},"
            " or pass a function."
        )
    if not isinstance(sense, str) or sense not in ("<=", ">="):
        raise InputError(f"a constraint needs '<=' or '>=', not {short_repr(sense)}.")
    is_number = isinstance(limit, (int, float, np.number)) and not isinstance(limit, bool)
    if not is_number or not math.isfinite(limit):
        raise InputError(f"the limit of a constraint must be a number, not {short_repr(limit)}.")
    if isinstance(name, str) and name in FRACTIONS and not 0 <= limit <= 1:
        raise InputError(
            f"{name} is between 0 and 1, so that its limit cannot be {short_repr(limit)}."
        )
    measure = name if callable(name) else MEASURES[name]
    label = name_of(name) if callable(name) else name
    return Constraint(label, measure, sense, float(limit))  # type: ignore[arg-type]


def check_constraints(constraints: Any) -> tuple[Constraint, ...]:
    """Constraints from a list of what `as_constraint` takes, or raise `InputError`.

    Parameters
    ----------
    constraints
        Any number of them.

    Examples
    --------
    >>> check_constraints(("n_rules", "<=", 3))
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: constraints must be a list of limits: pass \
[('n_rules', '<=', 3)].
    """
    checked = check_list("constraints", constraints, "limits")
    if len(checked) == 3 and checked[1] in ("<=", ">="):
        raise InputError(f"constraints must be a list of limits: pass [{short_repr(checked)}].")
    return tuple(map(as_constraint, checked))
