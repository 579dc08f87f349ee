"""The two searches, as keyword arguments of pymoo algorithms."""

from __future__ import annotations

from typing import Any, Literal

from minotaur_pymoo.growth.nearest import NearestGrowth
from minotaur_pymoo.growth.splitting import Splitting
from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.search.compatibility import refuse_unsuitable
from minotaur_pymoo.search.mating import MutationMating
from minotaur_pymoo.search.mutation.guided import MAX_RULES, GuidedMutation
from minotaur_pymoo.search.mutation.mutation import RuleMutation
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.search.sampling.base import RuleSetSampling
from minotaur_pymoo.search.sampling.rules import RuleSampling
from minotaur_pymoo.search.sampling.trees import TreeSampling
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_flag, is_auto

Search = Literal["guided", "paper"]


def rule_set_operators(
    problem: RuleSetProblem | None = None,
    search: Search = "guided",
    *,
    target_coverage: int | Literal["auto"] = "auto",
    min_coverage: int | Literal["auto"] = "auto",
    max_rules: int | None = None,
    smoothing: float = SMOOTHING,
    n_max_failures: int = 2000,
    eliminate_duplicates: bool | None = None,
    n_threads: int = 1,
    algorithm: type | None = None,
) -> dict[str, Any]:
    """The keyword arguments that make a pymoo algorithm search rule sets.

    Parameters
    ----------
    problem
        The problem to solve; only checked, so that a wrong type is reported early.
    search
        ``"guided"`` starts from trees, grows, splits and moves rules by their labels, and
        gives them optimal consequents. ``"paper"`` grows rules around nearest neighbours, and adds,
        removes and substitutes them.
    target_coverage
        Number of instances that a new rule is grown around, see `NearestGrowth`. Only for
        ``"paper"``.
    min_coverage
        Minimum number of instances that a rule covers, see `GuidedGrowth`. Only for ``"guided"``.
    max_rules
        Maximum number of rules, by default 64. Only for ``"guided"``.
    smoothing
        Smoothing of the consequents, as for `optimal`. Only for ``"guided"``.
    n_max_failures
        A generation with this many failed mutations ends the run.
    eliminate_duplicates
        Whether to reject mutants that are in the population already; by default only the guided
        search does.
    n_threads
        Number of threads, see `NearestGrowth`. Only for ``"paper"``.
    algorithm
        The algorithm's class; only checked, so that one that cannot search rule sets is reported
        at once.

    Examples
    --------
    >>> from pymoo.algorithms.moo.spea2 import SPEA2
    >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
    >>> algorithm = SPEA2(pop_size=80, n_offsprings=40, **rule_set_operators(problem))
    """
    if problem is not None and not isinstance(problem, RuleSetProblem):
        raise InputError(
            f"problem must be a RuleSetProblem, not {short_repr(problem)}: make one from your data"
            " first."
        )
    if algorithm is not None:
        if not isinstance(algorithm, type):
            raise InputError(f"algorithm must be a pymoo class, not {short_repr(algorithm)}.")
        refuse_unsuitable(algorithm)
    check_search(search)
    sampling: RuleSetSampling
    mutation: RuleMutation
    if search == "guided":
        if not is_auto(target_coverage):
            raise InputError("target_coverage is for search='paper': pass that, or min_coverage.")
        if n_threads != 1:
            raise InputError("n_threads is for search='paper': use n_runs and n_jobs instead.")
        limit = MAX_RULES if max_rules is None else check_count("max_rules", max_rules)
        splitting = Splitting(min_coverage=min_coverage)
        # One leaf becomes the default region.
        sampling = TreeSampling(limit + 1, splitting, smoothing)
        mutation = GuidedMutation(min_coverage, limit, smoothing)
    else:
        if not is_auto(min_coverage):
            raise InputError("min_coverage is for search='guided': pass that, or target_coverage.")
        if max_rules is not None:
            raise InputError("max_rules is for search='guided': pass it to the problem instead.")
        if smoothing != SMOOTHING:
            raise InputError("smoothing is for search='guided': pass that, or leave it out.")
        growth = NearestGrowth(target_coverage, n_threads)
        sampling, mutation = RuleSampling(growth), RuleMutation(growth=growth)
    if eliminate_duplicates is None:
        eliminate_duplicates = search == "guided"
    check_flag("eliminate_duplicates", eliminate_duplicates)
    mating = MutationMating(mutation, n_max_failures, eliminate_duplicates)
    return {"sampling": sampling, "mating": mating}


def check_search(search: Any) -> None:
    """Raise `InputError` unless there is a search of that name.

    Parameters
    ----------
    search
        The name.

    Examples
    --------
    >>> check_search("random")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: there is no search 'random': choose 'guided' or \
'paper'.
    """
    if not isinstance(search, str) or search not in ("guided", "paper"):
        raise InputError(f"there is no search {short_repr(search)}: choose 'guided' or 'paper'.")
