"""The problems of the suite by name."""

from __future__ import annotations

import difflib
from typing import get_args

from minotaur_pymoo.suite import bundled, generated, real
from minotaur_pymoo.suite.definition import Definition, Kind
from minotaur_pymoo.suite.problem import SuiteProblem
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

_KINDS: tuple[Kind, ...] = get_args(Kind)
_N_SUGGESTED = 3
_DEFINITIONS: dict[str, Definition] = {
    definition.name: definition
    for definition in (*bundled.PROBLEMS, *generated.PROBLEMS, *real.PROBLEMS)
}


def list_problems(kind: Kind | None = None) -> list[str]:
    """The names of the problems, for `get_problem`.

    Parameters
    ----------
    kind
        ``"exact"``, whose Pareto front is proven; ``"generated"``, with the best front known; or
        ``"real"``, whose data need river or files. By default all.

    Examples
    --------
    >>> list_problems("exact")[:3]
    ['iris-2x8-v1', 'wine-2x8-v1', 'wine-3x6-v1']
    """
    if kind is not None and kind not in _KINDS:
        raise InputError(
            f"there is no kind {short_repr(kind)} of problems: choose from {', '.join(_KINDS)}."
        )
    return [name for name, own in _DEFINITIONS.items() if kind in (None, own.kind)]


def get_problem(name: str) -> SuiteProblem:
    """A benchmark problem with its reference front.

    A problem never changes: data, features, bins, objectives and budget belong to its version.

    Parameters
    ----------
    name
        One of `list_problems`.

    Examples
    --------
    >>> from pymoo.algorithms.moo.nsga2 import NSGA2
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import rule_set_operators
    >>> problem = get_problem("wine-2x8-v1")
    >>> operators = rule_set_operators(problem, max_rules=problem.max_rules, min_coverage=1)
    >>> res = minimize(problem, NSGA2(pop_size=80, **operators), ("n_eval", 400), seed=1)
    >>> bool(res.F[:, 0].min() >= problem.pareto_front()[:, 0].min())
    True
    """
    if not isinstance(name, str) or name not in _DEFINITIONS:
        near = [known for known in _DEFINITIONS if known.startswith(f"{name}-")]
        near = near[:_N_SUGGESTED] or difflib.get_close_matches(str(name), _DEFINITIONS, 1)
        suggested = " or ".join(map(repr, near))
        advice = f"did you mean {suggested}?" if near else "choose one of list_problems()."
        raise InputError(f"there is no problem {short_repr(name)}: {advice}")
    return SuiteProblem(_DEFINITIONS[name])
