"""The paper's experiment: the best training model of each run, judged on the fold left out.

``python -m benchmarks.paper --datasets emotions,yeast --folds 3 --runs 3`` prints, for each
dataset, means over folds and runs, with the standard deviation over runs of the mean over folds
as in the paper, beside the figures that the paper reports for all ten folds and thirty runs.
"""

from __future__ import annotations

import argparse
from functools import partial

import numpy as np
from pymoo.optimize import minimize

from benchmarks.clock import cpu
from benchmarks.data import N_FOLDS, SHAPES, Folded
from benchmarks.runner import Result, Task, add_options, grid, run_grid
from minotaur_pymoo import MINOTAUR, RuleSet, RuleSetProblem
from minotaur_pymoo.algorithm import Search
from minotaur_pymoo.metrics import micro_f1

# Micro-averaged F1 on test data and number of rules, from the paper's tables.
PUBLISHED = {
    "CAL500": (0.31, 27.94),
    "emotions": (0.36, 11.03),
    "scene": (0.31, 10.41),
    "synthetic0": (0.59, 9.26),
    "synthetic1": (0.02, 12.36),
    "synthetic2": (0.47, 11.25),
    "synthetic3": (0.64, 13.38),
    "yeast": (0.55, 15.93),
}


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and print its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper", description=__doc__)
    parser.add_argument("--search", choices=["paper"], default="paper")
    add_options(parser, runs=30)
    given = parser.parse_args(arguments)
    tasks = grid([given.search], given)
    results = run_grid(tasks, partial(run, search=given.search), "paper", given)
    print(f"search={given.search}, {given.folds} of {N_FOLDS} folds, {given.runs} runs each")
    print(
        f"{'dataset':<11}{'test F1':>9}{'±':>7}{'rules':>7}{'train F1':>10}{'CPU s':>7}   published"
    )
    for name in given.datasets.split(","):
        outcomes = [results[task] for task in tasks if task.dataset == name]
        print(row(name, outcomes, given.folds, given.runs))


def run(task: Task, data: Folded, search: Search) -> Result:
    """One run on one fold."""
    train, test = data.split(task.fold)
    problem = RuleSetProblem(data.X[train], data.Y[train])
    algorithm = MINOTAUR(search=search, target_coverage=SHAPES[data.name].target_coverage)
    seconds, res = cpu(minimize, problem, algorithm, seed=task.seed)
    best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
    model: RuleSet = res.X[best, 0]
    return {
        "train_f1": -float(res.F[best, 0]),
        "test_f1": micro_f1(data.Y[test], model.predict(data.X[test])),
        "n_rules": model.n_rules,
        "cpu_seconds": seconds,
    }


def row(name: str, outcomes: list[Result], n_folds: int, n_runs: int) -> str:
    """One line of the table."""
    scores = np.array([outcome["test_f1"] for outcome in outcomes]).reshape(n_folds, n_runs)
    n_rules, train, seconds = (
        np.mean([outcome[measure] for outcome in outcomes])
        for measure in ("n_rules", "train_f1", "cpu_seconds")
    )
    f1, rules = PUBLISHED[name]
    return (
        f"{name:<11}{scores.mean():>9.3f}{scores.mean(axis=0).std():>7.3f}{n_rules:>7.1f}"
        f"{train:>10.3f}{seconds:>7.2f}   F1 {f1:.2f}, {rules:.1f} rules"
    )


if __name__ == "__main__":
    main()
