"""The search behind ``fit`` and ``demo``."""

from __future__ import annotations

import sys
from argparse import Namespace
from collections.abc import Callable
from typing import Any

from minotaur_pymoo.datasets import Dataset
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.support.interrupts import StopRequest


def search(args: Namespace, data: Dataset, save: Callable[[SavedModels], None]) -> SavedModels:
    """Fit a classifier and save its front; a signal keeps the front found so far.

    Parameters
    ----------
    args
        The parsed arguments, with those of `add_search_arguments`.
    data
        The dataset.
    save
        Saves the front.
    """
    # Only this needs scikit-learn and pymoo, which take a second to import.
    from minotaur_pymoo.estimator import MinotaurClassifier  # noqa: PLC0415

    classifier = MinotaurClassifier(
        search=args.search,
        pop_size=args.pop_size,
        n_offsprings=args.n_offsprings,
        n_gen=args.n_gen,
        target_coverage=args.target_coverage,
        min_coverage=args.min_coverage,
        combine=False if args.combine == "none" else args.combine,
        choice=args.choice,
        max_rules=args.max_rules,
        validation_fraction=args.validation_fraction,
        categorical_features=sorted(data.categories),
        n_runs=args.runs,
        n_jobs=args.jobs,
        random_state=args.seed,
        objectives=args.objectives,
        checkpoint=_checkpoint(args),
        on_interrupt="keep",
        verbose="progress" if sys.stdout.isatty() else False,
    )
    classifier.termination = _termination(args, classifier, len(data.Y))
    # Once there is a front, a signal must not interrupt the saving either.
    with StopRequest().on_interrupt(when=lambda: hasattr(classifier, "model_")):
        classifier.fit(
            data.table(), data.Y, feature_names=data.feature_names, label_names=data.label_names
        )
        saved = classifier.saved()
        save(saved)
        if classifier.interrupted_:
            again = "" if args.checkpoint is None else " The same command continues the search."
            print(
                f"The search was interrupted: this is the front found so far.{again}",
                file=sys.stderr,
            )
    return saved


def _checkpoint(args: Namespace) -> Any:
    if args.checkpoint is None or not args.trusted:
        return args.checkpoint
    from minotaur_pymoo.estimator.settings import as_checkpoint  # noqa: PLC0415

    return as_checkpoint(args.checkpoint, trusted=True)


def _termination(args: Namespace, classifier: Any, n_instances: int) -> Any:
    """The time limit of each search: searches one after the other share that of the command."""
    if args.time_limit is None:
        return None
    from joblib import effective_n_jobs  # noqa: PLC0415

    from minotaur_pymoo.estimator.settings import (  # noqa: PLC0415
        check_parameters,
        resolve_choice,
    )
    from minotaur_pymoo.search.termination import TimeLimit  # noqa: PLC0415

    check_parameters(classifier)
    n_jobs = effective_n_jobs(args.jobs)
    n_rounds = -(-args.runs // n_jobs)
    if resolve_choice(classifier, n_instances) == "cv":
        n_rounds += -(-classifier.n_cv_folds // n_jobs)
    return TimeLimit(args.time_limit / n_rounds)
