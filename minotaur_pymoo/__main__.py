"""The command line: ``minotaur-pymoo``, or ``python -m minotaur_pymoo``."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

import numpy as np

from minotaur_pymoo.algorithm import MINOTAUR
from minotaur_pymoo.datasets import load_demo
from minotaur_pymoo.errors import InputError
from minotaur_pymoo.problem import RuleSetProblem


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    Examples
    --------
    >>> main(["demo", "--generations", "1", "--seed", "1"])  # doctest: +ELLIPSIS
    600 garden plots...
    0
    """
    parser = argparse.ArgumentParser(
        prog="minotaur-pymoo",
        description="Small, consistent, multi-label rule sets: a whole Pareto front of them.",
        epilog="example: minotaur-pymoo demo --seed 7",
    )
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    demo = commands.add_parser("demo", help="search rule sets for generated data, show the front")
    demo.add_argument("--seed", type=int, default=1, help="seed of the search (default: 1)")
    demo.add_argument(
        "--generations", type=int, default=200, help="generations of mutation (default: 200)"
    )
    given = parser.parse_args(arguments)
    try:
        _demo(given.seed, given.generations)
    except InputError as error:
        print(f"minotaur-pymoo: {error}", file=sys.stderr)
        return 1
    return 0


def _demo(seed: int, n_generations: int) -> None:
    # pymoo's optimize is only needed once something runs.
    from pymoo.optimize import minimize  # noqa: PLC0415

    garden = load_demo()
    print(f"{len(garden.X)} garden plots: {', '.join(garden.feature_names)}.")
    print(f"What thrives there: {', '.join(garden.label_names)}.\n")
    problem = RuleSetProblem(
        garden.X,
        garden.Y,
        feature_names=garden.feature_names,
        label_names=garden.label_names,
    )
    res = minimize(problem, MINOTAUR(n_max_gen=n_generations), seed=seed)
    best = {int(rules): (-loss, i) for i, (loss, rules) in enumerate(res.F)}
    print("rules  tests  micro-F1 on the training data")
    for n_rules, (score, i) in sorted(best.items()):
        print(f"{n_rules:5}  {res.X[i, 0].n_tests:5}  {score:.3f}")
    chosen = res.X[int(np.argmin(res.F[:, 0])), 0]
    print(f"\nThe model with the highest score:\n{chosen}\n\nThe search {res.message}.")


if __name__ == "__main__":
    sys.exit(main())
