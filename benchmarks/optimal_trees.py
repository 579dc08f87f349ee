"""The F1-optimal tree of each depth, next to the exact front of the suite's problems.

``python -m benchmarks.optimal_trees`` finds it with STreeD (``pip install pystreed``): for a fixed
guess F of the F1, a leaf that predicts some labels costs, for each of its instances and predicted
labels, F/2 less 1 if the instance has the label. The tree with the smallest costs has a better F1,
or proves that there is none (Dinkelbach's iteration). The leaves of a tree are disjoint boxes, one
of which can be the default region, so that no tree of depth d may be better than the best rule set
of 2**d - 1 rules: other software confirms the exact fronts from below, and the difference is what
trees cannot express.

The check is only worth something if the solver is not ours, and must reach depth three, so it does
not share the solver of `benchmarks.exact_trees`, whose trees have depth two, any number of labels
and real data to predict.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np
import numpy.typing as npt
import pandas as pd

from benchmarks.anytime import best_within
from benchmarks.clock import cpu
from benchmarks.report import markdown
from minotaur_pymoo.suite import SuiteProblem, get_problem, list_problems
from minotaur_pymoo.support.errors import InputError

DEPTHS = (1, 2, 3)


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.optimal_trees", description=__doc__)
    parser.add_argument("names", nargs="*", default=list_problems("exact"), metavar="NAME")
    args = parser.parse_args(arguments)
    rows = {}
    for name in args.names:
        problem = get_problem(name)
        front = problem.pareto_front()
        row: dict[str, str] = {}
        seconds = 0.0
        for depth in DEPTHS:
            spent, score = cpu(optimal_tree_f1, problem, depth)
            seconds += spent
            best = -best_within(front, 2**depth - 1)
            if score > best + 1e-9:
                raise InputError(f"a tree of depth {depth} has beaten the exact front of {name}.")
            n_rules = "1 rule" if depth == 1 else f"{2**depth - 1} rules"
            row |= {f"depth {depth}": f"{score:.4f}", n_rules: f"{best:.4f}"}
        rows[name] = {**row, "CPU seconds": f"{seconds:.1f}"}
    print(markdown(pd.DataFrame.from_dict(rows, orient="index")))


def optimal_tree_f1(problem: SuiteProblem, depth: int) -> float:
    """The micro-F1 of the best tree of a depth.

    Parameters
    ----------
    problem
        A problem with few labels and few distinct values.
    depth
        The depth of the tree.
    """
    try:
        # An optional dependency.
        from pystreed import STreeDInstanceCostSensitiveClassifier  # noqa: PLC0415
    except ImportError as error:
        raise InputError("optimal trees need STreeD: pip install pystreed.") from error
    data = problem.training
    Y = data.labels.astype(float)
    consequents = np.array(list(itertools.product((0, 1), repeat=data.n_labels)))
    tests = thresholds(data.columns, data.n_values)
    score = 0.0
    while True:
        # Costs must not be negative; a constant per instance changes no decision.
        costs = (score / 2 - Y) @ consequents.T
        costs -= costs.min(axis=1, keepdims=True)
        solver = STreeDInstanceCostSensitiveClassifier(max_depth=depth, time_limit=600)
        solver.fit(tests, costs)
        predicted = consequents[np.asarray(solver.predict(tests), dtype=int)]
        found = 2 * float((predicted * Y).sum()) / float(predicted.sum() + Y.sum())
        if found <= score + 1e-12:
            return score
        score = found


def thresholds(
    ranks: npt.NDArray[np.integer], n_values: npt.NDArray[np.integer]
) -> npt.NDArray[np.int64]:
    """A binary feature for each test that separates two values of a feature.

    Parameters
    ----------
    ranks
        The ranks of all instances, one row per feature.
    n_values
        The number of values of each feature.

    Examples
    --------
    >>> thresholds(np.array([[0, 1, 2]]), np.array([3])).tolist()
    [[0, 0], [1, 0], [1, 1]]
    """
    columns = [
        own >= bound
        for own, n in zip(ranks, n_values.tolist(), strict=True)
        for bound in range(1, n)
    ]
    return np.column_stack(columns).astype(np.int64)


if __name__ == "__main__":
    main()
