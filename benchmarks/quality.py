"""Test F1 of the classifier, for the chosen model and at rule budgets, compared with a tree.

``python -m benchmarks.quality --search guided`` prints two tables of means over folds and runs. The
first describes the model that the classifier chooses with default settings: micro-averaged F1 on
the test fold with its standard deviation over folds, the number of rules, tests per rule, and CPU
seconds of the search and of the whole fit, also as multiples of the time of pymoo alone (as many
generations of a problem that costs nothing).

The second compares, at each rule budget, the classifier's best model by training objective with the
*tuned CART*: one multi-output scikit-learn tree with as many leaves, and one probability threshold
that maximises micro-F1 on the training data.
"""

from __future__ import annotations

import argparse
from functools import partial
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.cart import cart
from benchmarks.clock import cpu
from benchmarks.data import N_FOLDS, SHAPES, Folded
from benchmarks.pymoo_alone import pymoo_seconds
from benchmarks.runner import Result, Task, add_options, grid, run_grid
from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.search.presets import Search
from minotaur_pymoo.support.metrics import micro_f1

BUDGETS = (2, 4, 8, 16)


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and print its tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--search", choices=["guided", "paper"], default="guided")
    parser.add_argument("--n-gen", type=int, default=200, help="generations per search")
    add_options(parser, runs=1)
    args = parser.parse_args(arguments)
    work = partial(run, search=args.search, n_gen=args.n_gen)
    tasks = grid([args.search], args)
    results = run_grid(tasks, work, f"quality {args.n_gen}", args)
    print(f"search={args.search}, {args.folds} of {N_FOLDS} folds, runs per fold: {args.runs}")
    print("\nthe chosen model")
    print(
        f"{'dataset':<11}{'test F1':>9}{'±':>7}{'rules':>7}{'tests/rule':>11}{'search s':>9}"
        f"{'x pymoo':>8}{'fit s':>7}{'x pymoo':>8}"
    )
    by_name = {
        name: [results[task] for task in tasks if task.dataset == name]
        for name in args.datasets.split(",")
    }
    for name, found in by_name.items():
        print(chosen_row(name, found))
    print("\ntest F1 by maximum number of rules / of the tuned CART with as many leaves")
    print(f"{'dataset':<11}" + "".join(f"{budget:>14}" for budget in BUDGETS))
    for name, found in by_name.items():
        print(budget_row(name, found))


def run(task: Task, data: Folded, search: Search, n_gen: int) -> Result:
    """Fit the classifier and the trees on one fold."""
    train, test = data.split(task.fold)
    X, Y, X_test, Y_test = data.X[train], data.Y[train], data.X[test], data.Y[test]
    target = {"target_coverage": SHAPES[data.name].target_coverage} if search == "paper" else {}
    settings: dict[str, Any] = {"search": search, **target}
    problem = RuleSetProblem(X, Y)
    # Compile and import first.
    MinotaurClassifier(n_gen=1, **settings).fit(X[:200], Y[:200])
    seconds, _ = cpu(minimize, problem, MINOTAUR(n_gen=n_gen, **settings), seed=task.seed)
    classifier = MinotaurClassifier(n_gen=n_gen, random_state=task.seed, **settings)
    fit_seconds, _ = cpu(classifier.fit, X, Y)
    chosen = classifier.model_
    models = [classifier.choose("best", max_rules=budget).model_ for budget in BUDGETS]
    return {
        "chosen_f1": micro_f1(Y_test, chosen.predict(X_test)),
        "chosen_rules": chosen.n_rules,
        "chosen_tests": chosen.n_tests,
        "search_seconds": seconds,
        "fit_seconds": fit_seconds,
        "pymoo_seconds": pymoo_seconds(n_gen),
        "budget_f1": [micro_f1(Y_test, model.predict(X_test)) for model in models],
        "cart_f1": [cart(X, Y, X_test, Y_test, budget) for budget in BUDGETS],
    }


def chosen_row(name: str, found: list[Result]) -> str:
    """One line of the first table."""
    measures = [key for key, value in found[0].items() if not isinstance(value, list)]
    mean = {key: float(np.mean([result[key] for result in found])) for key in measures}
    spread = np.std([result["chosen_f1"] for result in found])
    return (
        f"{name:<11}{mean['chosen_f1']:>9.3f}{spread:>7.3f}{mean['chosen_rules']:>7.1f}"
        f"{mean['chosen_tests'] / mean['chosen_rules']:>11.1f}{mean['search_seconds']:>9.1f}"
        f"{mean['search_seconds'] / mean['pymoo_seconds']:>8.1f}{mean['fit_seconds']:>7.1f}"
        f"{mean['fit_seconds'] / mean['pymoo_seconds']:>8.1f}"
    )


def budget_row(name: str, found: list[Result]) -> str:
    """One line of the second table."""
    ours = np.mean([result["budget_f1"] for result in found], axis=0)
    trees = np.mean([result["cart_f1"] for result in found], axis=0)
    cells = (f"{rules:>8.3f}/{tree:.3f}" for rules, tree in zip(ours, trees, strict=True))
    return f"{name:<11}" + " ".join(cells)


if __name__ == "__main__":
    main()
