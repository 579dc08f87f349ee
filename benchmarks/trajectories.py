"""The front of a run over time: every point that was non-dominated when it was found.

Points are kept of all models evaluated so far, whether or not the algorithm has kept them, so that
algorithms with other populations can be compared. The table of all runs has the columns of
iohinspector: ``data_id`` (one per run), ``algorithm_name``, ``function_name`` (the problem),
``run_id``, ``evaluations`` (after which the point was found), ``raw_y`` (the first objective,
negative micro-F1) and ``F2`` (the second, the number of rules).
"""

from __future__ import annotations

import gzip
import io
import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from pymoo.core.evaluator import Evaluator

from benchmarks.runner import Result, Task
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import write_atomically

# What identifies a run.
RUN = ["function_name", "algorithm_name", "run_id"]
COLUMNS = ["data_id", "algorithm_name", "function_name", "run_id", "evaluations", "raw_y", "F2"]


class Recorder(Evaluator):  # type: ignore[misc]
    """An evaluator that records when each non-dominated point was found.

    Parameters
    ----------
    n_eval
        The number of evaluations to record.
    max_rules
        Larger models do not count; needed where this is no constraint of the problem.

    Attributes
    ----------
    points : list
        The evaluation, the negative F1 and the number of rules of each point.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR
    >>> from minotaur_pymoo.suite import get_problem
    >>> recorder = Recorder(120)
    >>> res = minimize(
    ...     get_problem("wine-2x8-v1"), MINOTAUR(n_gen=2, max_rules=8), seed=1, evaluator=recorder
    ... )
    >>> recorder.points[0][0], recorder.points[-1][0] <= 120
    (1, True)
    """

    def __init__(self, n_eval: int, max_rules: float = math.inf) -> None:
        super().__init__()
        self.limit = n_eval
        self.max_rules = max_rules
        self.n_recorded = 0
        self.points: list[tuple[int, float, float]] = []
        self._best: dict[float, float] = {}

    def _eval(self, problem: Any, pop: Any, evaluate_values_of: Any, **kwargs: Any) -> None:
        super()._eval(problem, pop, evaluate_values_of, **kwargs)
        feasible = pop.get("FEAS").ravel() if problem.has_constraints() else [True] * len(pop)
        for (loss, size), valid in zip(pop.get("F").tolist(), feasible, strict=True):
            self.n_recorded += 1
            if not valid or self.n_recorded > self.limit or size > self.max_rules:
                continue
            if all(size < other or loss < best for other, best in self._best.items()):
                self._best[size] = loss
                self.points.append((self.n_recorded, loss, size))


def table(results: Mapping[Task, Result]) -> pd.DataFrame:
    """The points of all runs, in iohinspector's columns.

    Parameters
    ----------
    results
        The results of all tasks, each with its ``points``.
    """
    rows = [
        (index, task.method, task.dataset, task.run, *point)
        for index, (task, result) in enumerate(results.items())
        for point in result["points"]
    ]
    return pd.DataFrame(rows, columns=COLUMNS)


def write(path: Path, points: pd.DataFrame) -> None:
    """Store a table of points as compressed CSV, the same bytes for the same points."""
    content = io.BytesIO()
    with gzip.GzipFile(fileobj=content, mode="wb", mtime=0) as file:
        file.write(points.to_csv(index=False, float_format="%.9g").encode())
    write_atomically(path, content.getvalue())


def read(*paths: Path) -> pd.DataFrame:
    """Read tables that `write` has stored, as one.

    Parameters
    ----------
    *paths
        CSV files, compressed or not, with different runs.
    """
    tables: list[pd.DataFrame] = []
    for path in paths:
        try:
            table = pd.read_csv(path)
        except (OSError, ValueError) as error:
            raise InputError(f"{path} cannot be read as CSV: {error}") from error
        missing = [name for name in COLUMNS if name not in table]
        if missing:
            raise InputError(f"{path} has no column {missing[0]!r}: it needs {', '.join(COLUMNS)}.")
        tables.append(table[COLUMNS])
    return join(*tables)


def join(*tables: pd.DataFrame) -> pd.DataFrame:
    """The points of several tables, in the same order however the runs are divided among them.

    Parameters
    ----------
    *tables
        Points of different runs.
    """
    runs = pd.concat([table[RUN].drop_duplicates() for table in tables], ignore_index=True)
    twice = runs[runs.duplicated()]
    if len(twice):
        problem, algorithm, run = twice.iloc[0]
        raise InputError(
            f"two files have run {run} of {algorithm} on {problem}: give one of the algorithms"
            " another name."
        )
    points = pd.concat(tables).sort_values([*RUN, "evaluations"], ignore_index=True)
    points["data_id"] = points.groupby(RUN).ngroup()
    return points


def front_at(own: pd.DataFrame, evaluations: int) -> FloatArray:
    """The front that a run had after some evaluations, sorted by its number of rules.

    Parameters
    ----------
    own
        The points of the run.
    evaluations
        When.
    """
    return non_dominated(
        own.loc[own["evaluations"] <= evaluations, ["raw_y", "F2"]].to_numpy(float)
    )


def non_dominated(F: FloatArray) -> FloatArray:
    """The distinct non-dominated rows of two objectives, sorted by the second.

    Parameters
    ----------
    F
        Objective values, to be minimised.

    Examples
    --------
    >>> non_dominated(np.array([[-0.5, 1], [-0.7, 3], [-0.7, 3], [-0.6, 4], [-0.6, 2]])).tolist()
    [[-0.5, 1.0], [-0.6, 2.0], [-0.7, 3.0]]
    """
    ordered = F[np.lexsort((F[:, 0], F[:, 1]))]
    best = np.minimum.accumulate(ordered[:, 0])
    better = np.append(True, ordered[1:, 0] < best[:-1])
    return np.asarray(ordered[better[: len(ordered)]])
