"""Make the reference fronts of the suite, which are stored in the package.

``python -m benchmarks.reference_fronts NAME ...`` makes those of some problems, by default of all
whose front is exact; ``--list`` prints a table of all problems instead. Exact fronts come from
`exact_front`. The others are the best points of all runs in the files that ``--from`` names,
written by `benchmarks.optimizers`, and of ``--runs`` long runs of `MINOTAUR` without smoothing.
"""

from __future__ import annotations

import argparse
import datetime
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
from pymoo.optimize import minimize

from benchmarks import trajectories
from benchmarks.algorithms import operators
from benchmarks.clock import cpu
from benchmarks.report import markdown
from benchmarks.runner import versions
from benchmarks.trajectories import non_dominated
from minotaur_pymoo import MINOTAUR
from minotaur_pymoo.suite import Provenance, SuiteProblem, exact_front, get_problem, list_problems
from minotaur_pymoo.suite.reference import FOLDER, write_front
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

_LIBRARIES = ("minotaur_pymoo", "scipy", "pymoo", "numpy")
# Generations of each long run, of 40 evaluations.
_N_GEN = 200
# Stored scores have nine digits, so that the true one may be worse by this much.
_ROUNDING = 5e-10


def main(arguments: list[str] | None = None) -> None:
    """Make fronts and store them."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.reference_fronts", description=__doc__
    )
    parser.add_argument("names", nargs="*", default=list_problems("exact"), metavar="NAME")
    parser.add_argument("--list", action="store_true", help="print a table of all problems")
    parser.add_argument("--runs", type=int, default=1, help="long runs where no front is exact")
    parser.add_argument(
        "--from", dest="stored", type=Path, nargs="+", default=[], help="fronts of experiments"
    )
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where to store the fronts")
    args = parser.parse_args(arguments)
    if args.list:
        print(markdown(overview()))
        return
    for name in args.names:
        problem = get_problem(name)
        F, provenance = make_front(problem, args.runs, args.stored)
        write_front(name, F, provenance, args.folder)
        print(f"{name}: {provenance.status}, {len(F)} points, {provenance.seconds:g} CPU seconds")


def make_front(
    problem: SuiteProblem, n_runs: int, stored: Sequence[Path] = ()
) -> tuple[FloatArray, Provenance]:
    """The reference front of a problem, and its provenance.

    Parameters
    ----------
    problem
        The problem.
    n_runs
        Number of long runs, if its front is not exact.
    stored
        Files with the points of other runs.
    """
    name = problem.name()
    command = f"python -m benchmarks.reference_fronts {name}"
    if problem.kind == "exact":
        seconds, points = cpu(exact_front, problem.training, problem.max_rules)
        if not all(point.optimal for point in points):
            raise InputError(f"the front of {name} is not proven: allow more time.")
        F = np.array([[-point.micro_f1, point.rule_set.n_rules] for point in points])
        method = "exact_front, a set packing inside Dinkelbach's iteration"
    else:
        seconds, found = cpu(_long_runs, problem, n_runs)
        method = f"{n_runs} runs of MINOTAUR with {80 + 40 * _N_GEN} evaluations"
        for path in stored:
            others = trajectories.read(path)
            own = others[others["function_name"] == name]
            points = own[["raw_y", "F2"]].to_numpy(float)
            points[:, 0] += _ROUNDING
            found.append(points)
            method += f", {own['data_id'].nunique()} runs of benchmarks.optimizers"
        if stored:
            command += f" --from {' '.join(map(str, stored))}"
        F = np.vstack(found)
        command += f" --runs {n_runs}"
    provenance = Provenance(
        status="exact" if problem.kind == "exact" else "best known",
        method=method,
        date=str(datetime.datetime.now(datetime.UTC).date()),
        version=versions(*_LIBRARIES),
        seconds=round(seconds, 1),
        command=command,
        data=problem.digest,
    )
    return non_dominated(F), provenance


def _long_runs(problem: SuiteProblem, n_runs: int) -> list[FloatArray]:
    return [
        minimize(problem, MINOTAUR(n_gen=_N_GEN, **operators(problem)), seed=seed).F
        for seed in range(n_runs)
    ]


def overview() -> pd.DataFrame:
    """One row per problem whose data are available: its size, its front and where that is from."""
    rows: list[dict[str, object]] = []
    for name in list_problems():
        try:
            problem = get_problem(name)
        except InputError as error:
            rows.append({"problem": name, "front": str(error)})
            continue
        data, provenance = problem.training, problem.provenance
        front = problem.pareto_front()
        rows.append(
            {
                "problem": name,
                "kind": problem.kind,
                "instances": data.n_instances,
                "features": data.n_features,
                "labels": data.n_labels,
                "front": "none" if provenance is None else provenance.status,
                "points": 0 if front is None else len(front),
                "best F1": "" if front is None else f"{-front[:, 0].min():.3f}",
                "CPU seconds": "" if provenance is None else provenance.seconds,
            }
        )
    return pd.DataFrame(rows, dtype=object).fillna("").set_index("problem")


if __name__ == "__main__":
    main()
