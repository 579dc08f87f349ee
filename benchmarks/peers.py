"""Other multi-label methods on the same folds: six measures and CPU time.

``python -m benchmarks.peers`` compares, on the paper's datasets and folds,

- binary relevance, classifier chains and label powersets over J48, SMO, naive Bayes and IBk, by
  Weka itself with its defaults, as in the paper;
- the same transformations over linear SVM, naive Bayes, k-NN (ten neighbours) and trees of
  scikit-learn, otherwise with the defaults of scikit-learn and scikit-multilearn;
- Clus, with the paper's settings, and HMC-GA, written from its description;
- SeCo with its defaults, and BOOMER with several numbers of rules, otherwise with its defaults;
- the *tuned CART*, one multi-output tree, with several numbers of leaves, and the tree with four
  leaves, on a grid of thresholds, whose training F1 is highest;
- a constant prediction;
- this package's paper search (the model with the highest training F1) and guided classifier, also
  with at most 16 rules, with and without combined features;
- CART and BOOMER with the classifier's combined features too, to tell what comes from the features
  and what from the search.

``--datasets other`` takes other datasets. ``--stored`` reports what has been run so far: a method
without results on all folds of a dataset gets a dash there, and is not ranked. Results of others'
programs are stored in the repository, too; ``--archive`` adds those that were computed here. Weka
and Clus are Java programs that come with the extra ``bench``; SMO takes long for label powersets
of hundreds of label sets.

Each is evaluated twice: as it is, predicting labels with a score of at least 0.5, and with one
tuned threshold for all labels, since micro-averaged F1 rewards predicting more labels. Thresholds
are tuned on a held-out third of the training data with a second fit; CART, Clus and HMC-GA use
their training scores. The constant, the exact tree and the guided search choose F1-optimal labels
instead, and majority labels when evaluated as they are. Weka and SeCo are not tuned.

Size is the number of rules (those of BOOMER and SeCo without the default rule) or leaves, where
applicable. CPU seconds include all threads of the process and the programs it runs, so they are
meaningful with ``--backend loky`` or ``dask``, but not with ``threading``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks.archive import current, write_archive
from benchmarks.data import N_FOLDS, describe
from benchmarks.methods import GROUPS, METHODS, run
from benchmarks.ranking import can_be_ranked, rank
from benchmarks.report import Report, command_line, nothing_stored
from benchmarks.runner import (
    Result,
    Task,
    add_options,
    complete_runs,
    fingerprint,
    grid,
    run_grid,
    stored_results,
)

AS_IT_IS = "as it is"
TUNED = "tuned threshold"
OTHER_MEASURES = {
    "macro_f1": "Macro-averaged F1",
    "example_f1": "Example-averaged F1",
    "hamming_loss": "Hamming loss",
    "subset_accuracy": "Subset accuracy",
}
# File, heading and digits of the other tables.
COSTS = {
    "size": ("size", "Rules or leaves", 1),
    "cpu_seconds": ("cpu", "CPU seconds of a fit", 2),
    "tuning_seconds": ("tuning-cpu", "CPU seconds of tuning the threshold", 2),
}


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add_options(parser, runs=1, other=True)
    parser.set_defaults(datasets="paper", folds=N_FOLDS)
    parser.add_argument(
        "--methods", default=";".join(METHODS), help="names, separated by semicolons"
    )
    parser.add_argument("--stored", action="store_true", help="report stored results, run nothing")
    parser.add_argument(
        "--archive", action="store_true", help="store results of others' programs in the repository"
    )
    parser.add_argument("--output", type=Path, help="folder for tables and figures")
    args = parser.parse_args(arguments)
    methods = args.methods.split(";")
    for method in methods:
        if method not in METHODS:
            parser.error(f"unknown method {method!r}: choose from {'; '.join(METHODS)}")
    report = Report("Peers", command_line("benchmarks.peers", arguments), args.output)
    results: dict[Task, Result] = {}
    for group in GROUPS:
        tasks = grid([method for method in methods if method in group.methods], args)
        if tasks and args.stored:
            stored = stored_results(tasks, group.experiment, args, group.sources)
            results |= complete_runs(stored, args.folds)
        elif tasks:
            results |= run_grid(tasks, run, group.experiment, args, group.sources)
    if not results:
        parser.error(nothing_stored(args.results))
    if args.archive:
        others = [group for group in GROUPS if not group.ours]
        kept = {fingerprint(group.experiment, group.sources) for group in others}
        write_archive(current(args.results, kept))
    fill(report, results, methods, args)
    report.finish()


def fill(
    report: Report, results: dict[Task, Result], methods: list[str], args: argparse.Namespace
) -> None:
    """Add tables and rankings to a report.

    Parameters
    ----------
    report
        The report to extend.
    results
        The results of all tasks.
    methods
        The methods, in the order of the tables.
    args
        The options of the command.
    """
    datasets = args.datasets.split(",")
    report.say(
        f"Means over {args.folds} of {N_FOLDS} folds, runs per fold: {args.runs}. Data:"
        f" {describe(datasets, generated=args.generated)}."
    )
    for kind, heading in (("plain", AS_IT_IS), ("tuned", TUNED)):
        scores = mean_table(results, f"{kind} micro_f1", methods, datasets)
        scores = scores.dropna(axis=1, how="all")
        if scores.empty:
            continue
        # One row per method, as there are more methods than datasets.
        table = scores.T
        whole = scores.dropna(axis=1)
        table["mean"] = whole.mean()
        if can_be_ranked(whole):
            table["mean rank"] = rank(whole.round(3)).mean_ranks
        report.table(f"{kind}-f1", f"Micro-averaged F1, {heading}", table.map(_decimals))
        if can_be_ranked(whole):
            report.ranking(f"ranking-{kind}", f"F1, {heading}", rank(whole.round(3)))
    for measure, heading in OTHER_MEASURES.items():
        table = mean_table(results, f"plain {measure}", methods, datasets).T
        name = f"plain-{measure.replace('_', '-')}"
        report.table(name, f"{heading}, {AS_IT_IS}", table.map(_decimals))
    for measure, (name, heading, digits) in COSTS.items():
        table = mean_table(results, measure, methods, datasets).T
        report.table(name, heading, table.round(digits))


def mean_table(
    results: dict[Task, Result], measure: str, methods: list[str], datasets: list[str]
) -> pd.DataFrame:
    """Means over folds and runs, with one row per dataset and one column per method.

    Parameters
    ----------
    results
        The results of all tasks.
    measure
        The key of the results to average, or two keys with a space between them.
    methods
        The columns, of which those without any results are left out.
    datasets
        The rows.
    """
    records = [
        {"dataset": task.dataset, "method": task.method, measure: _value(result, measure)}
        for task, result in results.items()
    ]
    frame = pd.DataFrame(records).astype({measure: float})
    means = frame.groupby(["dataset", "method"])[measure].mean().unstack("method")
    found = [method for method in methods if method in means]
    return means.reindex(datasets)[found].rename_axis(index=None, columns="method")


def _decimals(score: float) -> str | None:
    return None if pd.isna(score) else f"{score:.3f}"


def _value(result: Result, measure: str) -> float | None:
    value: Any = result
    for key in measure.split():
        value = None if value is None else value[key]
    return None if value is None else float(value)


if __name__ == "__main__":
    main()
