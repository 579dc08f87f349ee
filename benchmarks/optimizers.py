"""Comparison of pymoo's algorithms on the problems of the suite, over time.

``python -m benchmarks.optimizers`` runs each algorithm with the same operators and seeds on the
problems of `minotaur_pymoo.suite` whose fronts are exact or generated. A run counts all models that
it has evaluated, not only those that its algorithm has kept. It is measured by its *gap*: the
hypervolume that it lacks, relative to that of the reference front. Objectives are scaled to [0, 1],
where n rules become 1 - 1/n; the reference point is the worst corner.

``--from FILE ...`` reads fronts that earlier runs have written, does the runs that are missing, and
reports on all. ``--algorithms ""`` does no runs.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import inspect
import warnings
from functools import partial
from pathlib import Path

from pymoo.optimize import minimize

from benchmarks import algorithms, trajectories
from benchmarks.algorithms import (
    ALGORITHMS,
    CANNOT_CROSS,
    CROSSING,
    DEFAULT,
    make,
    searched,
    termination,
)
from benchmarks.clock import cpu
from benchmarks.optimizer_report import fill
from benchmarks.report import Report, command_line
from benchmarks.runner import (
    Result,
    Source,
    Task,
    add_run_options,
    integer,
    package_sources,
    run_grid,
)
from benchmarks.trajectories import RUN, Recorder
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
    parser.add_argument(
        "--from", dest="stored", type=Path, nargs="+", default=[], help="fronts of earlier runs"
    )
    parser.add_argument(
        "--evaluations", type=integer(1), help="budget of a run (default: that of its problem)"
    )
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
        base = name.removesuffix(CROSSING)
        if base not in ALGORITHMS:
            parser.error(f"unknown algorithm {name!r}: choose from {', '.join(ALGORITHMS)}")
        if name != base and base in CANNOT_CROSS:
            parser.error(f"{base} has no crossover: use {base!r}")
    for name in problems:
        if name not in list_problems():
            parser.error(f"unknown problem {name!r}: choose from {', '.join(list_problems())}")
    stored = [trajectories.read(*args.stored)] if args.stored else []
    known = set(stored[0][RUN].itertuples(index=False, name=None)) if stored else set()
    report = Report("Optimizers", command_line("benchmarks.optimizers", arguments), args.output)
    tasks = [
        Task(name, problem, 0, run)
        for problem in problems
        for run in range(args.runs)
        for name in names
        if (problem, name, run) not in known
    ]
    # Not the whole file, since results do not depend on how they are reported.
    code = "".join(inspect.getsource(part) for part in (run, Recorder))
    experiment = f"pymoo {importlib.metadata.version('pymoo')} {code}"
    if args.evaluations is not None:
        experiment += f" {args.evaluations}"
    sources = [*package_sources(*_LAYERS), Path(algorithms.__file__)]
    data = Source(get_problem, lambda name: get_problem(name).digest)
    work = partial(run, n_eval=args.evaluations)
    results = run_grid(tasks, work, experiment, args, sources, data)
    points = trajectories.join(*stored, trajectories.table(results))
    if args.output is not None:
        trajectories.write(args.output / "fronts.csv.gz", points)
    fill(report, points, args.evaluations)
    report.finish()


def run(task: Task, problem: SuiteProblem, n_eval: int | None = None) -> Result:
    """Run one algorithm on one problem.

    Parameters
    ----------
    task
        The algorithm, problem and run.
    problem
        The problem.
    n_eval
        The number of evaluations; by default the problem's budget.
    """
    n_eval = n_eval or problem.n_eval
    recorder = Recorder(n_eval, problem.max_rules)
    with warnings.catch_warnings():
        # pymoo divides by the range of objectives, which is zero at times; and PINSGA2 fits a
        # linear value function.
        warnings.simplefilter("ignore")
        seconds, _ = cpu(
            minimize,
            searched(task.method, problem),
            make(task.method, problem),
            termination(task.method, n_eval),
            seed=task.seed,
            evaluator=recorder,
        )
    return {"points": recorder.points, "n_eval": recorder.n_recorded, "cpu_seconds": seconds}


if __name__ == "__main__":
    main()
