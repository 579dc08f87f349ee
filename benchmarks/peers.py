"""Other multi-label methods on the same folds: F1, size and CPU time.

``python -m benchmarks.peers`` compares, on the paper's datasets and folds,

- binary relevance, classifier chains and label powerset over linear SVM, naive Bayes, k-NN (ten
  neighbours) and trees, all with the defaults of scikit-learn and scikit-multilearn;
- BOOMER with several numbers of rules, otherwise with its defaults;
- the *tuned CART*, one multi-output tree, with several numbers of leaves;
- a constant prediction;
- this package's paper search (the model with the highest training F1) and guided classifier, also
  with at most 16 rules, with and without combined features;
- CART and BOOMER with the classifier's combined features too, to tell what comes from the features
  and what from the search.

Each is evaluated twice: as it is, predicting labels with a score of at least 0.5, and with one
tuned threshold for all labels, since micro-averaged F1 rewards predicting more labels. Thresholds
are tuned on a held-out third of the training data with a second fit; the tuned CART uses its
training scores. The constant and the guided search choose F1-optimal labels instead, and majority
labels when evaluated as they are.

Size is the number of rules (BOOMER's without its default rule) or leaves, where applicable. CPU
seconds include all threads of the process, so they are meaningful with ``--backend loky`` or
``dask``, but not with ``threading``.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import pandas as pd

from benchmarks.data import N_FOLDS, describe
from benchmarks.methods import METHODS, OTHERS, OURS, run
from benchmarks.ranking import can_be_ranked, rank
from benchmarks.report import Report, command_line
from benchmarks.runner import (
    Result,
    Task,
    add_options,
    grid,
    package_sources,
    run_grid,
    versions,
)

AS_IT_IS = "as it is"
TUNED = "tuned threshold"


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add_options(parser, runs=1)
    parser.add_argument(
        "--methods", default=";".join(METHODS), help="names, separated by semicolons"
    )
    parser.add_argument("--output", type=Path, help="folder for tables and figures")
    args = parser.parse_args(arguments)
    methods = args.methods.split(";")
    for method in methods:
        if method not in METHODS:
            parser.error(f"unknown method {method!r}: choose from {'; '.join(METHODS)}")
    report = Report("Peers", command_line("benchmarks.peers", arguments), args.output)
    # Results of the other methods do not depend on this package's code.
    ours = grid([method for method in methods if method in OURS], args)
    others = grid([method for method in methods if method in OTHERS], args)
    libraries = versions("scikit-learn", "mlrl-boomer")
    results = run_grid(others, run, f"peers {libraries}", args, _sources())
    results |= run_grid(ours, run, "peers", args, [*_sources(), *package_sources()])
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
    tables = {
        measure: mean_table(results, measure, methods, datasets)
        for measure in ("plain_f1", "tuned_f1", "size", "cpu_seconds", "tuning_seconds")
    }
    headings = {"plain_f1": f"F1, {AS_IT_IS}", "tuned_f1": f"F1, {TUNED}"}
    for measure, heading in headings.items():
        # One row per method, as there are more methods than datasets.
        table = tables[measure].T
        table["mean"] = table.mean(axis=1)
        if can_be_ranked(tables[measure]):
            table["mean rank"] = rank(tables[measure].round(3)).mean_ranks
        shown = table.map("{:.3f}".format)
        report.table(measure.replace("_", "-"), heading, shown)
        if can_be_ranked(tables[measure]):
            name = f"ranking-{measure.removesuffix('_f1')}"
            report.ranking(name, heading, rank(tables[measure].round(3)))
    report.table("size", "Rules or leaves", tables["size"].T.round(1))
    report.table("cpu", "CPU seconds of a fit", tables["cpu_seconds"].T.round(2))
    report.table(
        "tuning-cpu", "CPU seconds of tuning the threshold", tables["tuning_seconds"].T.round(2)
    )


def mean_table(
    results: dict[Task, Result], measure: str, methods: list[str], datasets: list[str]
) -> pd.DataFrame:
    """Means over folds and runs, with one row per dataset and one column per method.

    Parameters
    ----------
    results
        The results of all tasks.
    measure
        The key of the results to average.
    methods
        The columns.
    datasets
        The rows.
    """
    records = [
        {"dataset": task.dataset, "method": task.method, measure: result[measure]}
        for task, result in results.items()
    ]
    frame = pd.DataFrame(records).astype({measure: float})
    means = frame.groupby(["dataset", "method"])[measure].mean().unstack("method")
    return means.loc[datasets, methods].rename_axis(index=None, columns="method")


def _sources() -> list[Path]:
    here = Path(__file__).parent
    return [here / name for name in ("methods.py", "cart.py", "transformations.py")]


if __name__ == "__main__":
    main()
