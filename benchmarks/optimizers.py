"""Comparison of fifteen pymoo algorithms as optimizers of rule sets.

``python -m benchmarks.optimizers`` runs each algorithm with the guided search's operators, the same
seeds and the same number of evaluations on the training data of each fold. Its result is the set of
non-dominated models in the final population, without duplicate objective values. It is measured by

- hypervolume, on the training data and, for the same models, on the test fold. Objectives are
  scaled to [0, 1], where n rules or tests become 1 - 1/n; the reference point is always the worst
  corner;
- IGD+ in the same space, the mean distance to the merged front of all algorithms for that fold and
  seed (0 is best);
- test F1 of the model with the highest training F1 among those with at most 2, 4, 8 and 16 rules;
- CPU seconds of the search.

Ranks are computed per fold of a dataset, from means over runs. Since folds share most of their
training data, the tests overstate significance compared with independent datasets.
"""

from __future__ import annotations

import argparse
import importlib.metadata
import inspect
import warnings
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from pymoo.core.callback import Callback
from pymoo.optimize import minimize

from benchmarks import algorithms
from benchmarks.algorithms import ALGORITHMS, make, termination
from benchmarks.clock import cpu
from benchmarks.data import Folded
from benchmarks.fronts import front, on_test
from benchmarks.optimizer_report import fill
from benchmarks.report import Report, command_line
from benchmarks.runner import Result, Task, add_options, grid, package_sources, run_grid
from minotaur_pymoo import RuleSetProblem
from minotaur_pymoo.search import hypervolume
from minotaur_pymoo.support.arrays import FloatArray

CHOICES = ("micro_f1,n_rules", "micro_f1,n_rules,n_tests", "micro_f1,n_rules,coverage")
_N_GEN_WARM_UP = 4


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and report it."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimizers", description=__doc__)
    add_options(parser, runs=1)
    parser.add_argument("--objectives", choices=CHOICES, default=CHOICES[0])
    parser.add_argument("--algorithms", default=",".join(ALGORITHMS), help="separated by commas")
    parser.add_argument("--n-gen", type=_even, default=200, help="generations of 40 evaluations")
    parser.add_argument("--output", type=Path, help="folder for tables and figures")
    args = parser.parse_args(arguments)
    names = args.algorithms.split(",")
    for name in names:
        if name not in ALGORITHMS:
            parser.error(f"unknown algorithm {name!r}: choose from {', '.join(ALGORITHMS)}")
    report = Report("Optimizers", command_line("benchmarks.optimizers", arguments), args.output)
    work = partial(run, objectives=args.objectives, n_gen=args.n_gen)
    # Not the whole file, since results do not depend on how they are reported.
    code = "".join(inspect.getsource(part) for part in (run, front, on_test, Populations))
    version = importlib.metadata.version("pymoo")
    experiment = f"{args.objectives} {args.n_gen} pymoo {version} {code}"
    sources = [*package_sources(), Path(algorithms.__file__)]
    results = run_grid(grid(names, args), work, experiment, args, sources)
    fill(report, results, names, args)
    report.finish()


def _even(text: str) -> int:
    if not text.isdecimal() or int(text) < 2 or int(text) % 2:
        # Some algorithms create a whole population at a time, as others do in two generations.
        raise argparse.ArgumentTypeError(f"must be an even integer of at least 2, not {text!r}")
    return int(text)


class Populations(Callback):  # type: ignore[misc]
    """Record the populations of all generations, which some algorithms do not return."""

    def __init__(self) -> None:
        super().__init__()
        self.n_eval: list[int] = []
        self.F: list[FloatArray] = []

    def _update(self, algorithm: Any) -> None:
        self.n_eval.append(int(algorithm.evaluator.n_eval))
        self.F.append(algorithm.pop.get("F"))


def run(task: Task, data: Folded, objectives: str, n_gen: int) -> Result:
    """Run one algorithm on one fold.

    Parameters
    ----------
    task
        The algorithm, fold and run.
    data
        The dataset.
    objectives
        Names of the objectives, separated by commas.
    n_gen
        Number of generations.
    """
    train, test = data.split(task.fold)
    problem = RuleSetProblem(data.X[train], data.Y[train], objectives.split(","))
    history = Populations()
    with warnings.catch_warnings():
        # From PINSGA2, when it fits a linear value function.
        warnings.filterwarnings("ignore", "delta_grad == 0.0", UserWarning)
        # Compile first.
        minimize(
            problem, make(task.method, problem), termination(task.method, _N_GEN_WARM_UP), seed=0
        )
        seconds, res = cpu(
            minimize,
            problem,
            make(task.method, problem),
            termination(task.method, n_gen),
            seed=task.seed,
            callback=history,
        )
    F, indices = front(res.pop.get("F"))
    models = [rule_set.model for rule_set in res.pop.get("X")[indices, 0]]
    test_F = np.array([on_test(m, data.X[test], data.Y[test], problem.objectives) for m in models])
    return {
        "F": F.tolist(),
        "test_F": test_F.tolist(),
        "n_eval": history.n_eval,
        "hypervolume": [hypervolume(F, problem.objectives) for F in history.F],
        "cpu_seconds": seconds,
    }


if __name__ == "__main__":
    main()
