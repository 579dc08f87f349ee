"""Today's methods on the same folds: F1, size and CPU time, with and without a tuned threshold.

``python -m benchmarks.peers`` compares, on the paper's datasets and folds,

- binary relevance, classifier chains and label powerset over linear SVM, naive Bayes, k-NN (ten
  neighbours) and trees, all with the defaults of scikit-learn and scikit-multilearn;
- BOOMER with several numbers of rules, otherwise with its defaults;
- the *tuned CART*, one multi-output tree, with several numbers of leaves;
- a constant, the same labels for everything;
- this package's paper search (its best model in training) and guided classifier.

Each is judged twice: as it is, where a label is predicted if it is likelier than not, and with one
threshold for all labels that is tuned on training data, as micro-averaged F1 rewards predicting
more. Thresholds come from scores on a third of the training data, which another fit leaves out; the
tuned CART's from its training scores; the constant and the guided search have the labels with the
highest F1 in training, and as they are, those that at least half of the instances have.

Size is a number of rules (BOOMER's without its default rule) or leaves, where there are some. CPU
seconds are those of all threads of the process, so they mean something with ``--backend loky`` or
``dask``, not with threads.
"""

from __future__ import annotations

import argparse
import importlib.metadata
from pathlib import Path

import pandas as pd

from benchmarks.data import N_FOLDS, described
from benchmarks.methods import METHODS, OTHERS, OURS, run
from benchmarks.ranking import rank
from benchmarks.report import Report, command_line
from benchmarks.runner import Result, Task, add_options, grid, package_sources, run_grid

AS_IT_IS = "as it is"
TUNED = "tuned threshold"


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.peers", description=__doc__)
    add_options(parser, runs=1)
    parser.add_argument(
        "--methods", default=";".join(METHODS), help="names, separated by semicolons"
    )
    parser.add_argument("--output", type=Path, help="a folder for tables and pictures")
    given = parser.parse_args(arguments)
    methods = given.methods.split(";")
    for method in methods:
        if method not in METHODS:
            parser.error(f"there is no method {method!r}: choose among {'; '.join(METHODS)}")
    report = Report("Peers", command_line("benchmarks.peers", arguments), given.output)
    # What others reach does not depend on this package's search.
    ours = grid([method for method in methods if method in OURS], given)
    others = grid([method for method in methods if method in OTHERS], given)
    results = run_grid(others, run, f"peers {versions()}", given, _sources())
    results |= run_grid(ours, run, "peers", given, [*_sources(), *package_sources()])
    fill(report, results, methods, given)
    report.finish()


def fill(
    report: Report, results: dict[Task, Result], methods: list[str], given: argparse.Namespace
) -> None:
    """Put tables and rankings into a report."""
    datasets = given.datasets.split(",")
    report.say(
        f"{given.folds} of {N_FOLDS} folds, {given.runs} runs on each; means over them. Data:"
        f" {described(datasets, generated=given.generated)}."
    )
    tables = {
        measure: mean_table(results, measure, methods, datasets)
        for measure in ("plain_f1", "tuned_f1", "size", "cpu_seconds", "tuning_seconds")
    }
    headings = {"plain_f1": f"F1, {AS_IT_IS}", "tuned_f1": f"F1, {TUNED}"}
    for measure, heading in headings.items():
        # One row for each method, as there are more of them than datasets.
        table = tables[measure].T
        table["mean"] = table.mean(axis=1)
        if _can_be_ranked(tables[measure]):
            table["mean rank"] = rank(tables[measure].round(3)).mean_ranks
        shown = table.map("{:.3f}".format)
        report.table(measure.replace("_", "-"), heading, shown)
        if _can_be_ranked(tables[measure]):
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
    """Means over folds and runs, datasets x methods."""
    records = [
        {"dataset": task.dataset, "method": task.method, measure: result[measure]}
        for task, result in results.items()
    ]
    frame = pd.DataFrame(records).astype({measure: float})
    means = frame.groupby(["dataset", "method"])[measure].mean().unstack("method")
    return means.loc[datasets, methods].rename_axis(index=None, columns="method")


def versions() -> str:
    """The libraries that decide what the other methods reach."""
    found = []
    for library in ("scikit-learn", "mlrl-boomer"):
        try:
            found.append(f"{library} {importlib.metadata.version(library)}")
        except importlib.metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def _can_be_ranked(table: pd.DataFrame) -> bool:
    return table.shape[0] > 1 and table.shape[1] > 2


def _sources() -> list[Path]:
    here = Path(__file__).parent
    return [here / name for name in ("methods.py", "cart.py", "transformations.py")]


if __name__ == "__main__":
    main()
