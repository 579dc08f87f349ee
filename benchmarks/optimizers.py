"""Comparison of pymoo's algorithms on the problems of the suite, over time.

``python -m benchmarks.optimizers`` runs each algorithm with the same operators and seeds on the
problems of `minotaur_pymoo.suite` whose fronts are exact or generated. A run counts all models that
it has evaluated, not only those that its algorithm has kept. It is measured by its *gap*: the
hypervolume that it lacks, relative to that of the reference front. Objectives are scaled to [0, 1],
where n rules become 1 - 1/n; the reference point is the worst corner.

``--from FILE`` reads the fronts of all runs from a file that an earlier run has written, adds those
of the algorithms to run, and reports on all.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import inspect
import warnings
from pathlib import Path

import pandas as pd
from pymoo.optimize import minimize

from benchmarks import algorithms, trajectories
from benchmarks.algorithms import ALGORITHMS, CROSSING, DEFAULT, make, termination
from benchmarks.clock import cpu
from benchmarks.optimizer_report import fill
from benchmarks.report import Report, command_line
from benchmarks.runner import Result, Source, Task, add_run_options, package_sources, run_grid
from benchmarks.trajectories import Recorder
from minotaur_pymoo.suite import SuiteProblem, get_problem, list_problems

# What results depend on besides the data, which have a digest of their own.
_LAYERS = ("support", "kernels", "data", "rules", "growth", "search")


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimizers", description=__doc__)
    add_run_options(parser, runs=10)
    parser.add_argument(
        "--problems",
        default="exact,generated",
        help="names or kinds, separated by commas (default: %(default)s)",
    )
    parser.add_argument("--algorithms", default=",".join(DEFAULT), help="separated by commas")
    parser.add_argument("--from", dest="stored", type=Path, help="fronts of an earlier run")
    parser.add_argument("--output", type=Path, help="folder for tables and figures")
    args = parser.parse_args(arguments)
    names = [name for name in args.algorithms.split(",") if name]
    kinds: dict[str, list[str]] = {
        "exact": list_problems("exact"),
        "generated": list_problems("generated"),
        "real": list_problems("real"),
    }
    problems = [name for word in args.problems.split(",") for name in kinds.get(word, [word])]
    for name in names:
        if name.removesuffix(CROSSING) not in ALGORITHMS:
            parser.error(f"unknown algorithm {name!r}: choose from {', '.join(ALGORITHMS)}")
    for name in problems:
        if name not in list_problems():
            parser.error(f"unknown problem {name!r}: choose from {', '.join(list_problems())}")
    report = Report("Optimizers", command_line("benchmarks.optimizers", arguments), args.output)
    tasks = [
        Task(name, problem, 0, run)
        for problem in problems
        for run in range(args.runs)
        for name in names
    ]
    # Not the whole file, since results do not depend on how they are reported.
    code = "".join(inspect.getsource(part) for part in (run, Recorder))
    experiment = f"pymoo {importlib.metadata.version('pymoo')} {code}"
    sources = [*package_sources(*_LAYERS), Path(algorithms.__file__)]
    data = Source(get_problem, lambda name: get_problem(name).digest)
    results = run_grid(tasks, run, experiment, args, sources, data)
    points = trajectories.table(results)
    if args.stored is not None:
        stored = trajectories.read(args.stored)
        points["data_id"] += stored["data_id"].max() + 1
        points = pd.concat([stored, points], ignore_index=True)
    if args.output is not None:
        trajectories.write(args.output / "fronts.csv.gz", points)
    fill(report, points)
    report.finish()


def run(task: Task, problem: SuiteProblem) -> Result:
    """Run one algorithm on one problem.

    Parameters
    ----------
    task
        The algorithm, problem and run.
    problem
        The problem.
    """
    recorder = Recorder(problem.n_eval)
    with warnings.catch_warnings():
        # pymoo divides by the range of objectives, which is zero at times; and PINSGA2 fits a
        # linear value function.
        warnings.simplefilter("ignore")
        seconds, _ = cpu(
            minimize,
            problem,
            make(task.method, problem),
            termination(task.method, problem.n_eval),
            seed=task.seed,
            evaluator=recorder,
        )
    return {"points": recorder.points, "n_eval": recorder.n_recorded, "cpu_seconds": seconds}


if __name__ == "__main__":
    main()
