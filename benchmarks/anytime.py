"""How good runs were after how many evaluations.

The gap of a run is the hypervolume that its front lacks, relative to that of the reference front;
objectives are scaled to [0, 1], with the worst corner as reference point. All functions take the
points of many runs, see `benchmarks.trajectories`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import moocore
import numpy as np
import pandas as pd

from benchmarks.trajectories import RUN, front_at, non_dominated
from minotaur_pymoo import OBJECTIVES
from minotaur_pymoo.search import hypervolume
from minotaur_pymoo.suite import get_problem, list_problems
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

_BOTH = OBJECTIVES["micro_f1"], OBJECTIVES["n_rules"]
# Stored points are rounded to nine digits.
_ROUNDING = 1e-8
Run = tuple[str, str, int]


@dataclass(frozen=True)
class Target:
    """What the runs on a problem are compared with.

    Attributes
    ----------
    front
        The reference front.
    n_eval
        The budget of evaluations.
    status
        ``"exact"`` or ``"best known"``.
    """

    front: FloatArray
    n_eval: int
    status: str


def targets_of(points: pd.DataFrame, n_eval: int | None = None) -> dict[str, Target]:
    """The reference front and budget of every problem that was run.

    A generated problem without a stored front is compared with the best points of all runs.

    Parameters
    ----------
    points
        The points of all runs.
    n_eval
        The budget; by default that of each problem.
    """
    targets = {}
    runs_on = {str(name): own for name, own in points.groupby("function_name")}
    known = list_problems()
    for name in runs_on:
        if name not in known:
            raise InputError(f"there are runs on {name!r}, which is no problem of the suite.")
    for name in filter(runs_on.__contains__, known):
        own, problem = runs_on[name], get_problem(name)
        front, provenance = problem.pareto_front(), problem.provenance
        status = "best known" if provenance is None else provenance.status
        found = non_dominated(own[["raw_y", "F2"]].to_numpy(float))
        if status == "exact":
            _check_not_beaten(name, found, front)
        elif front is None:
            front = found
        targets[name] = Target(front, n_eval or problem.n_eval, status)
    return targets


def _check_not_beaten(name: str, found: FloatArray, front: FloatArray) -> None:
    """Raise if a run is better than an optimum, so that one of them is wrong."""
    for loss, size in found:
        if loss < best_within(front, size) - _ROUNDING:
            raise InputError(f"a run on {name} has beaten the exact front: one of them is wrong.")


def best_within(front: FloatArray, n_rules: float) -> float:
    """The smallest loss of the points with at most so many rules; 0 if there is none.

    Parameters
    ----------
    front
        Negative F1 and number of rules, to be minimised.
    n_rules
        The number of rules.

    Examples
    --------
    >>> best_within(np.array([[-0.5, 1.0], [-0.7, 3.0]]), 2)
    -0.5
    """
    small = front[front[:, 1] <= n_rules, 0]
    return float(small.min()) if len(small) else 0.0


def gap_steps(own: pd.DataFrame, target: Target) -> tuple[FloatArray, FloatArray]:
    """The evaluations at which a run's gap fell, and the gap from then on.

    Parameters
    ----------
    own
        The points of the run.
    target
        What it is compared with.
    """
    ordered = own.sort_values("evaluations")
    F = ordered[["raw_y", "F2"]].to_numpy(float)
    losses = np.column_stack([np.asarray(o.unit_loss(F[:, i])) for i, o in enumerate(_BOTH)])
    worst = np.ones(2)
    reached = np.array(
        [moocore.hypervolume(losses[:n], ref=worst) for n in range(1, len(losses) + 1)]
    )
    return ordered["evaluations"].to_numpy(float), 1 - reached / hypervolume(target.front, _BOTH)


def gaps_at(
    points: pd.DataFrame, targets: Mapping[str, Target], evaluations: Sequence[float]
) -> pd.DataFrame:
    """The gap of every run after some numbers of evaluations; 1 before the first point.

    Parameters
    ----------
    points
        The points of all runs.
    targets
        What they are compared with.
    evaluations
        When, one column each.
    """

    def read(times: FloatArray, gaps: FloatArray) -> FloatArray:
        return np.append(1.0, gaps)[np.searchsorted(times, evaluations, side="right")]

    return _read_steps(points, targets, evaluations, read)


def hitting_times(
    points: pd.DataFrame, targets: Mapping[str, Target], gaps: Sequence[float]
) -> pd.DataFrame:
    """The evaluations that every run needed to reach some gaps; infinite if it never did.

    Parameters
    ----------
    points
        The points of all runs.
    targets
        What they are compared with.
    gaps
        The gaps to reach, one column each.
    """

    def read(times: FloatArray, reached: FloatArray) -> FloatArray:
        first = [np.flatnonzero(reached <= gap + _ROUNDING)[:1] for gap in gaps]
        return np.array([times[index[0]] if len(index) else np.inf for index in first])

    return _read_steps(points, targets, gaps, read)


def expected_running_time(times: pd.DataFrame, targets: Mapping[str, Target]) -> pd.DataFrame:
    """The evaluations of all runs, successful or not, per run that reached a gap.

    Parameters
    ----------
    times
        The times of `hitting_times`.
    targets
        The budgets of the problems.

    Examples
    --------
    Two runs of a budget of 100, one of which needed 40 evaluations, and the other failed:

    >>> index = pd.MultiIndex.from_tuples([("p", "a", 0), ("p", "a", 1)], names=RUN)
    >>> target = Target(np.array([[-1.0, 1.0]]), 100, "exact")
    >>> expected_running_time(pd.DataFrame({0.1: [40, np.inf]}, index), {"p": target}).loc["a", 0.1]
    np.float64(140.0)
    """
    budgets = [targets[name].n_eval for name in times.index.get_level_values(0)]
    spent = times.clip(upper=pd.Series(budgets, times.index), axis=0)
    reached = times.lt(np.inf)
    algorithm = RUN[1]
    n_reached = reached.groupby(level=algorithm, sort=False).sum()
    # Nothing is reached in infinite time.
    return spent.groupby(level=algorithm, sort=False).sum().div(n_reached)


def shortfalls(points: pd.DataFrame, targets: Mapping[str, Target]) -> pd.DataFrame:
    """How far each run is below the reference, in F1, at the end of its budget.

    Parameters
    ----------
    points
        The points of all runs.
    targets
        What they are compared with.

    Returns
    -------
    pandas.DataFrame
        ``shortfall``, the mean difference over the points of the reference front, each compared
        with the best model of at most as many rules; and ``reached``, the share of those points
        that the run has found.
    """
    rows: dict[Run, FloatArray] = {}
    for key, own in _each_run(points):
        target = targets[key[0]]
        found = front_at(own, target.n_eval)
        below = np.array([best_within(found, size) - loss for loss, size in target.front])
        rows[key] = np.array([below.mean(), (below <= _ROUNDING).mean()])
    return _one_row_per_run(rows, ["shortfall", "reached"])


def _each_run(points: pd.DataFrame) -> Iterator[tuple[Run, pd.DataFrame]]:
    """Problem, algorithm and number of each run, and its points."""
    for key, own in points.groupby(RUN, sort=False):
        problem, algorithm, run = cast(Run, key)
        yield (problem, algorithm, run), own


def _read_steps(
    points: pd.DataFrame,
    targets: Mapping[str, Target],
    columns: Sequence[float],
    read: Callable[[FloatArray, FloatArray], FloatArray],
) -> pd.DataFrame:
    """What `read` makes of the `gap_steps` of every run, one value for each column."""
    rows = {key: read(*gap_steps(own, targets[key[0]])) for key, own in _each_run(points)}
    return _one_row_per_run(rows, columns)


def _one_row_per_run(rows: Mapping[Run, FloatArray], columns: Sequence[object]) -> pd.DataFrame:
    index = pd.MultiIndex.from_tuples(list(rows), names=RUN)
    return pd.DataFrame(np.array(list(rows.values())), index, list(columns))
