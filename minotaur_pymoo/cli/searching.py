"""The search behind ``fit`` and ``demo``."""

from __future__ import annotations

import sys
from argparse import Namespace

from minotaur_pymoo.datasets import Dataset
from minotaur_pymoo.export import SavedModels


def search(args: Namespace, data: Dataset) -> tuple[SavedModels, bool]:
    """Fit a classifier; Ctrl-C keeps the front found so far.

    Parameters
    ----------
    args
        The parsed arguments, with those of `add_search_arguments`.
    data
        The dataset.

    Returns
    -------
    saved : SavedModels
        The front.
    interrupted : bool
        Whether the search was interrupted.
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
        on_interrupt="keep",
        verbose="progress" if sys.stdout.isatty() else False,
    )
    classifier.fit(
        data.table(), data.Y, feature_names=data.feature_names, label_names=data.label_names
    )
    return classifier.saved(), classifier.interrupted_
