"""Parameters of the classifier: their validation, and the values behind ``"auto"``."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from pymoo.core.algorithm import Algorithm
from pymoo.core.termination import TerminateIfAny
from pymoo.termination.max_gen import MaximumGenerationTermination

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.estimator.runs import Searches
from minotaur_pymoo.growth.combining import Combine, check_combine
from minotaur_pymoo.growth.small_rules import SMALL_COVERAGE, small_rules_pay
from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.search.algorithm import MINOTAUR
from minotaur_pymoo.search.checkpoint import Checkpoint
from minotaur_pymoo.search.objectives import check_objectives
from minotaur_pymoo.search.presets import check_search
from minotaur_pymoo.search.termination import TimeLimit, as_termination, is_default
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_writable
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import (
    MAX_COUNT,
    check_count,
    check_count_or_auto,
    check_fraction,
    is_auto,
)
from minotaur_pymoo.support.version import installed_version

if TYPE_CHECKING:
    from minotaur_pymoo.estimator.classifier import MinotaurClassifier

# On larger data, the noise of single labels matters little and forests are slow.
MAX_SOFT_LABEL_INSTANCES = 20_000
# Saving takes well below a second.
CHECKPOINT_SECONDS = 10.0


def check_parameters(classifier: MinotaurClassifier) -> None:
    """Check the parameters that would otherwise fail only after the search, or never.

    Parameters
    ----------
    classifier
        The classifier, not fitted yet.
    """
    check_search(classifier.search)
    check_combine(classifier.combine)
    check_objectives(classifier.objectives)
    check_count("n_runs", classifier.n_runs)
    check_count("n_gen", classifier.n_gen, at_least=0)
    check_count("n_cv_folds", classifier.n_cv_folds, at_least=2)
    if not 0 < check_fraction("validation_fraction", classifier.validation_fraction) < 1:
        raise InputError("validation_fraction must be between 0 and 1, both excluded.")
    for name in ("soft_labels", "simplify"):
        if not is_auto(value := getattr(classifier, name)) and not isinstance(value, bool):
            raise InputError(f"{name} must be True, False or 'auto', not {short_repr(value)}.")
    if classifier.max_rules is not None:
        check_count("max_rules", classifier.max_rules)
    if classifier.n_jobs is not None and check_count("n_jobs", classifier.n_jobs, -MAX_COUNT) == 0:
        raise InputError("n_jobs must not be 0: pass 1, or -1 for all processors.")
    if classifier.algorithm is not None and not isinstance(classifier.algorithm, Algorithm):
        raise InputError(
            f"algorithm must be a pymoo algorithm object, not {short_repr(classifier.algorithm)}."
        )
    if classifier.termination is not None:
        as_termination(classifier.termination)
    if classifier.checkpoint is not None:
        as_checkpoint(classifier.checkpoint)
    callback = classifier.callback
    if isinstance(callback, type):
        name = callback.__name__
        raise InputError(f"callback must be an object, not the class {name}: pass {name}(...).")
    if callback is not None and not callable(callback):
        raise InputError(
            f"callback must be a function of the algorithm, or a pymoo callback, not"
            f" {short_repr(callback)}."
        )
    verbose = classifier.verbose
    if not isinstance(verbose, bool) and not (isinstance(verbose, str) and verbose == "progress"):
        raise InputError(f"verbose must be True, False or 'progress', not {short_repr(verbose)}.")
    on_interrupt = classifier.on_interrupt
    if not isinstance(on_interrupt, str) or on_interrupt not in ("raise", "keep"):
        raise InputError(f"on_interrupt must be 'raise' or 'keep', not {short_repr(on_interrupt)}.")


def as_checkpoint(checkpoint: Any, *, trusted: bool = False) -> Checkpoint:
    """Return the checkpoint that a path means.

    Parameters
    ----------
    checkpoint
        A path, which is saved to every ten seconds, or a `Checkpoint`.
    trusted
        As for `Checkpoint`, for a path.
    """
    if isinstance(checkpoint, Checkpoint):
        return checkpoint
    return Checkpoint(checkpoint, every=None, seconds=CHECKPOINT_SECONDS, trusted=trusted)


def resolve_choice(classifier: MinotaurClassifier, n_instances: int) -> str | Sequence[float]:
    """Return the choice of a model that the classifier's `choice` means.

    Parameters
    ----------
    classifier
        The classifier.
    n_instances
        The number of instances to fit.
    """
    if is_auto(classifier.choice):
        large = n_instances > MAX_SOFT_LABEL_INSTANCES
        return "near-best" if large or _uses_soft_labels(classifier, n_instances) else "cv"
    choice: Any = classifier.choice
    # An array of weights cannot be compared with a name.
    resolved: str | Sequence[float] = choice.tolist() if isinstance(choice, np.ndarray) else choice
    return resolved


def resolve_min_coverage(
    classifier: MinotaurClassifier, data: TrainingData
) -> int | Literal["auto"]:
    """Return the minimum coverage to search with: a small one where small rules pay.

    Parameters
    ----------
    classifier
        The classifier.
    data
        The data to search on.
    """
    n_min = check_count_or_auto("min_coverage", classifier.min_coverage)
    if n_min != "auto" or not _is_guided(classifier):
        return n_min
    return SMALL_COVERAGE if small_rules_pay(data, classifier.max_rules) else "auto"


def make_searches(
    classifier: MinotaurClassifier, n_instances: int, min_coverage: int | Literal["auto"]
) -> Searches:
    """Return the searches that the classifier's parameters describe.

    Parameters
    ----------
    classifier
        The classifier.
    n_instances
        The number of instances to fit.
    min_coverage
        The minimum coverage of the guided search.
    """
    simplify = classifier.simplify
    return Searches(
        objectives=classifier.objectives,
        make_algorithm=lambda n_gen: _make_algorithm(classifier, n_gen, min_coverage),
        callback=classifier.callback,
        soft_labels=_uses_soft_labels(classifier, n_instances),
        simplify=_is_guided(classifier) if is_auto(simplify) else bool(simplify),
        combine=_resolve_combine(classifier),
        feature_groups=classifier.feature_groups,
        n_jobs=classifier.n_jobs,
        verbose=classifier.verbose,
        on_interrupt=classifier.on_interrupt,
        checkpoint=_resolve_checkpoint(classifier),
        settings=_describe_search(classifier),
        seeded=classifier.random_state is not None,
    )


def _resolve_checkpoint(classifier: MinotaurClassifier) -> Checkpoint | None:
    if classifier.checkpoint is None:
        return None
    checkpoint = as_checkpoint(classifier.checkpoint)
    check_writable(checkpoint.path)
    return checkpoint


def _describe_search(classifier: MinotaurClassifier) -> str:
    """Return what a run depends on beside its data, its seed and when it ends."""
    algorithm = classifier.algorithm
    names = (
        *("search", "pop_size", "n_offsprings", "n_max_failures"),
        *("target_coverage", "min_coverage", "max_rules"),
    )
    values = [getattr(classifier, name) for name in names] if algorithm is None else []
    objectives = [objective.name for objective in check_objectives(classifier.objectives)]
    return repr((installed_version(), type(algorithm).__name__, values, objectives))


def _is_guided(classifier: MinotaurClassifier) -> bool:
    return classifier.algorithm is None and classifier.search == "guided"


def _uses_soft_labels(classifier: MinotaurClassifier, n_instances: int) -> bool:
    if is_auto(classifier.soft_labels):
        return _is_guided(classifier) and n_instances <= MAX_SOFT_LABEL_INSTANCES
    return bool(classifier.soft_labels)


def _resolve_combine(classifier: MinotaurClassifier) -> Combine:
    # The paper's search, and other algorithms, get the features as they are, unless asked.
    return (
        classifier.combine if not is_auto(classifier.combine) else _is_guided(classifier) and "auto"
    )


def _make_algorithm(
    classifier: MinotaurClassifier, n_gen: int, min_coverage: int | Literal["auto"]
) -> Algorithm:
    termination = classifier.termination
    if termination is not None:
        # A termination counts what it has seen, so each run gets its own.
        termination = copy.deepcopy(as_termination(termination))
    if isinstance(termination, TimeLimit):
        # pymoo counts the initial population as a generation.
        termination = TerminateIfAny(MaximumGenerationTermination(n_gen + 1), termination)
    if classifier.algorithm is None:
        return MINOTAUR(
            search=classifier.search,
            target_coverage=classifier.target_coverage,
            min_coverage=min_coverage,
            max_rules=classifier.max_rules if classifier.search == "guided" else None,
            # More smoothing would outweigh the few instances of a small rule.
            smoothing=SMOOTHING if min_coverage == "auto" else min(SMOOTHING, min_coverage),
            pop_size=classifier.pop_size,
            n_offsprings=classifier.n_offsprings,
            n_gen=n_gen,
            n_max_failures=classifier.n_max_failures,
            termination=termination,
        )
    algorithm = copy.deepcopy(classifier.algorithm)
    if termination is not None:
        algorithm.termination = termination
    elif is_default(algorithm.termination):
        # pymoo counts the initial population as a generation.
        algorithm.termination = MaximumGenerationTermination(n_gen + 1)
    return algorithm
