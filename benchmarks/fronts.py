"""What the fronts of optimizers are measured by."""

from __future__ import annotations

import moocore
import numpy as np
import numpy.typing as npt
import pandas as pd
from pymoo.indicators.igd_plus import IGDPlus

from benchmarks.algorithms import BUDGETS
from benchmarks.runner import Result, Task
from minotaur_pymoo import Model, Objective
from minotaur_pymoo.search import hypervolume
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.metrics import micro_f1

TRAINING, TEST, DISTANCE = "hypervolume, training", "hypervolume, test", "IGD+"
SECONDS = "CPU s"


def front(F: FloatArray) -> tuple[FloatArray, npt.NDArray[np.intp]]:
    """The distinct non-dominated rows, sorted by the first objective, and their indices.

    Examples
    --------
    >>> front(np.array([[-0.5, 2.0], [-0.6, 4.0], [-0.5, 3.0], [-0.6, 4.0]]))[0].tolist()
    [[-0.6, 4.0], [-0.5, 2.0]]
    """
    distinct, first = np.unique(F, axis=0, return_index=True)
    best = np.flatnonzero(moocore.is_nondominated(distinct))
    return distinct[best], first[best]


def on_test(
    model: Model,
    X: npt.NDArray[np.float64],
    Y: npt.NDArray[np.uint8],
    objectives: tuple[Objective, ...],
) -> list[float]:
    """The objective values of a model on test data, to be minimised.

    Parameters
    ----------
    model
        The model.
    X
        Features.
    Y
        Labels.
    objectives
        The objectives of the search.
    """
    values = {
        "micro_f1": -micro_f1(Y, model.predict(X)),
        "n_rules": float(model.n_rules),
        "n_tests": float(model.n_tests),
        "coverage": -float(np.mean(model.apply(X) >= 0)),
    }
    return [values[objective.name] for objective in objectives]


def measures(results: dict[Task, Result], objectives: tuple[Objective, ...]) -> pd.DataFrame:
    """The measures of all runs, one row per run."""
    fronts: dict[tuple[str, int, int], list[FloatArray]] = {}
    for task, result in results.items():
        key = task.dataset, task.fold, task.run
        fronts.setdefault(key, []).append(np.array(result["F"]))
    merged = {key: front(np.vstack(found))[0] for key, found in fronts.items()}
    rows = []
    for task, result in results.items():
        F, test_F = np.array(result["F"]), np.array(result["test_F"])
        rows.append(
            {
                "dataset": task.dataset,
                "fold": task.fold,
                "run": task.run,
                "algorithm": task.method,
                TRAINING: hypervolume(F, objectives),
                TEST: hypervolume(test_F, objectives),
                DISTANCE: distance(F, merged[task.dataset, task.fold, task.run], objectives),
                **{budget_name(n): best_within(F, test_F, n) for n in BUDGETS},
                SECONDS: result["cpu_seconds"],
            }
        )
    return pd.DataFrame(rows)


def budget_name(budget: int) -> str:
    """The column name of a rule budget."""
    return f"F1, ≤ {budget} rules"


def distance(F: FloatArray, target: FloatArray, objectives: tuple[Objective, ...]) -> float:
    """IGD+ of a front relative to a target front, with objectives scaled to [0, 1]."""

    def losses(values: FloatArray) -> FloatArray:
        columns = [o.unit_loss(values[:, i]) for i, o in enumerate(objectives)]
        return np.column_stack([column for column in columns if column is not None])

    return float(IGDPlus(losses(target))(losses(F)))


def best_within(F: FloatArray, test_F: FloatArray, budget: int) -> float:
    """Test F1 of the model with the highest training F1 within a rule budget."""
    small = np.flatnonzero(F[:, 1] <= budget)
    if not small.size:
        return float("nan")
    return -float(test_F[small[np.argmin(F[small, 0])], 0])
