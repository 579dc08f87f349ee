"""Initial populations of rule sets that exist already."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.individual import Individual
from pymoo.core.sampling import Sampling

from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import prepare
from minotaur_pymoo.search.problem import RuleSetProblem, check_problem
from minotaur_pymoo.search.sampling.trees import TreeSampling
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


class WarmStart(Sampling):  # type: ignore[misc]
    """An initial population of existing rule sets, filled up by another sampling.

    Rule sets may come from another run, process or file, from a problem with other objectives on
    the same data, or from models. If there are more than the population holds, evenly spaced ones
    are taken.

    Parameters
    ----------
    start
        Rule sets or models: one, a list, an array such as ``res.X``, a population such as
        ``res.pop``, a fitted `MinotaurClassifier`, or what `minotaur_pymoo.export.load`
        returns.
    others
        The sampling of what is missing; by default `TreeSampling`.

    Examples
    --------
    >>> from pymoo.algorithms.moo.spea2 import SPEA2
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, load_demo, rule_set_operators
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> res = minimize(problem, MINOTAUR(n_gen=10), seed=1)
    >>> parts = rule_set_operators() | {"sampling": WarmStart(res.X)}
    >>> again = minimize(problem, SPEA2(**parts), ("n_gen", 5), seed=1)
    >>> bool(again.F[:, 0].min() <= res.F[:, 0].min())
    True
    """

    def __init__(self, start: Any, others: Sampling | None = None) -> None:
        super().__init__()
        self.start = list(_flatten(start))
        if not self.start:
            raise InputError("a warm start needs at least one rule set or model.")
        self.others = TreeSampling() if others is None else others

    def _do(
        self,
        problem: RuleSetProblem,
        n_samples: int,
        *args: Any,
        random_state: np.random.Generator,
        **kwargs: Any,
    ) -> npt.NDArray[Any]:
        check_problem(problem, type(self).__name__)
        prepare(kwargs.get("algorithm"))
        start = self.start
        if len(start) > n_samples:
            start = [
                start[i] for i in np.linspace(0, len(start) - 1, n_samples).round().astype(int)
            ]
        X = np.empty((n_samples, 1), dtype=object)
        X[: len(start), 0] = [_to_rule_set(item, problem) for item in start]
        if n_missing := n_samples - len(start):
            others = self.others(problem, n_missing, random_state=random_state, **kwargs)
            X[len(start) :] = others.get("X")
        return X


def as_sampling(sampling: Any, others: Sampling) -> Sampling:
    """A sampling from what a user passes as ``sampling``.

    Parameters
    ----------
    sampling
        A sampling, or what `WarmStart` takes.
    others
        The sampling of what is missing of the latter.
    """
    if isinstance(sampling, Sampling):
        if type(sampling).__module__.startswith("pymoo.operators."):
            raise InputError(
                f"{type(sampling).__name__} samples numbers, not rule sets: pass TreeSampling(),"
                " RuleSampling() or rule sets."
            )
        return sampling
    return WarmStart(sampling, others)


def _flatten(start: Any) -> Iterator[RuleSet | Model]:
    if isinstance(start, (RuleSet, Model)):
        yield start
    elif isinstance(start, Individual):
        yield from _flatten(start.X)
    elif hasattr(start, "models_"):
        yield from _flatten(start.models_)
    elif hasattr(start, "models"):
        # From a file.
        yield from _flatten(start.models)
    elif isinstance(start, (list, tuple, np.ndarray)):
        for item in start:
            yield from _flatten(item)
    else:
        raise InputError(
            f"a search cannot start from {short_repr(start)}: pass rule sets, models, an array or a"
            " population of them, or a sampling."
        )


def _to_rule_set(item: RuleSet | Model, problem: RuleSetProblem) -> RuleSet:
    if isinstance(item, Model):
        return RuleSet.from_model(item, problem.training)
    return problem.adopt(item)
