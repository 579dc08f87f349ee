"""The paper's experiment: its tables, tests and figures, compared with the published ones.

``python -m benchmarks.paper`` runs the whole protocol: ten folds and thirty runs on each of the
eight datasets, with the paper's target coverage. Of each run, the model with the highest training
F1 is tested. ``--runs`` and ``--folds`` reduce this, which the report then states. As in the paper,
standard deviations are over runs, of means over folds.

The guided search, with at most 16 rules, is ranked as a sixteenth method, with the model that the
classifier chooses on the training data; ``--guided-runs 0`` omits it. Scores are rounded to two
decimals before ranking, as in the published tables. ``--stored`` reports what has been run so far,
with the number of runs of each dataset.

The paper's other methods are shown three times: as published; corrected, where the published
figures are wrong (`benchmarks.corrections`); and live, from what ``python -m benchmarks.peers`` has
stored in the same folder of results, with as many runs of HMC-GA as there are. A method without
results on all folds of a dataset gets a dash there.

Compromise plots show the non-dominated rows of the final population's objectives, averaged over
runs and folds. The paper does not specify the order of individuals; here it is by number of rules,
then by F1.
"""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Collection
from pathlib import Path

import numpy as np
from pymoo.optimize import minimize

from benchmarks import published
from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded
from benchmarks.measures import measure
from benchmarks.paper_live import live_results, report_live
from benchmarks.paper_report import fill
from benchmarks.report import Report, command_line, nothing_stored
from benchmarks.runner import (
    Result,
    Task,
    add_options,
    complete_runs,
    grid,
    integer,
    package_sources,
    run_grid,
    stored_results,
)
from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSet, RuleSetProblem

# What the paper's search consists of: changes to the classifier do not concern it.
LAYERS = ("search", "growth", "rules", "data", "kernels", "support")


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description=__doc__)
    add_options(parser, runs=published.RUNS)
    parser.add_argument("--guided-runs", type=integer(0), default=1, help="guided runs per fold")
    parser.add_argument("--stored", action="store_true", help="report stored results, run nothing")
    parser.add_argument("--output", type=Path, help="folder for tables and figures")
    args = parser.parse_args(arguments)
    report = Report(
        "The paper's experiment", command_line("benchmarks.paper", arguments), args.output
    )
    results = measured("paper", args.runs, args, package_sources(*LAYERS))
    if not results:
        parser.error(nothing_stored(args.results))
    results |= measured("guided", args.guided_runs, args, package_sources())
    fill(report, results, args)
    report_live(report, results, live_results(args), args)
    report.finish()


def measured(
    method: str, n_runs: int, args: argparse.Namespace, sources: Collection[Path]
) -> dict[Task, Result]:
    """Run a search on all folds, or read what has been run.

    Parameters
    ----------
    method
        The search: paper or guided.
    n_runs
        The number of runs per fold.
    args
        The options of the command.
    sources
        The source files that results depend on.
    """
    tasks = grid([method], args, n_runs)
    # Not the whole file, since results do not depend on how they are reported.
    experiment = inspect.getsource(_METHODS[method])
    if args.stored:
        return complete_runs(stored_results(tasks, experiment, args, sources), args.folds)
    return run_grid(tasks, run, experiment, args, sources)


def run(task: Task, data: Folded) -> Result:
    """Run one method on one fold."""
    return _METHODS[task.method](task, data)


def search(task: Task, data: Folded) -> Result:
    """Run the paper's search, and test the model with the highest training F1."""
    train, test = data.split(task.fold)
    problem = RuleSetProblem(data.X[train], data.Y[train])
    algorithm = MINOTAUR(search="paper", target_coverage=SHAPES[data.name].target_coverage)
    seconds, res = cpu(minimize, problem, algorithm, seed=task.seed)
    best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
    model: RuleSet = res.X[best, 0]
    fitness = np.asarray(res.pop.get("F"))
    return {
        "train_f1": -float(res.F[best, 0]),
        **measure(data.Y[test], model.predict(data.X[test])),
        "n_rules": model.n_rules,
        "cpu_seconds": seconds,
        "population": [[-float(f1), int(n_rules)] for f1, n_rules in fitness],
    }


def guided(task: Task, data: Folded) -> Result:
    """Fit the classifier, and test the model that it chooses."""
    train, test = data.split(task.fold)
    X, Y = data.X[train], data.Y[train]
    classifier = MinotaurClassifier(max_rules=16, random_state=task.seed)
    seconds, _ = cpu(classifier.fit, X, Y)
    return {
        "train_f1": classifier.score(X, Y),
        **measure(data.Y[test], classifier.predict(data.X[test])),
        "n_rules": classifier.model_.n_rules,
        "cpu_seconds": seconds,
    }


_METHODS = {"paper": search, "guided": guided}


if __name__ == "__main__":
    main()
