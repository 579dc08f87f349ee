"""The effects of the original program's deviations from the paper.

``python -m benchmarks.original --datasets yeast --folds 3`` runs the paper's search with each of
the deviations and with all of them, to explain differences from the published figures. The package
itself follows the paper and has none of these switches.

- ``dominators``: individuals are ranked by the number of others that dominate them, not by fronts.
- ``crowding``: the most crowded individuals of the last front survive, not the least crowded.
- ``labels``: a rule has the majority labels of the t nearest instances, not of all it covers.
- ``bounds``: a lower bound at the smallest training value stays closed, so that no rule covers an
  instance with a smaller value.

Two more switches try settings instead: ``t=256`` another target coverage than the paper's, and
``n_gen=100`` another number of generations.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.operators.survival.rank_and_crowding.metrics import (
    CrowdingDiversity,
    get_crowding_function,
)
from pymoo.optimize import minimize

from benchmarks import published
from benchmarks.data import SHAPES, Folded
from benchmarks.runner import Result, Task, add_options, grid, package_sources, run_grid
from minotaur_pymoo import (
    MINOTAUR,
    MutationMating,
    NearestGrowth,
    Rule,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.kernels.coverage import covered_members
from minotaur_pymoo.rules import Box, Boxes, majority
from minotaur_pymoo.search.survival import ReproducibleRankAndCrowding
from minotaur_pymoo.support.metrics import micro_f1

DEVIATIONS = ("dominators", "crowding", "labels", "bounds")
METHODS = ("paper", *DEVIATIONS, "all")


class ByDominators:
    """Sort into groups with the same number of dominators, instead of fronts."""

    def do(self, F: npt.NDArray[np.float64], **kwargs: Any) -> list[npt.NDArray[np.int64]]:
        """Return the groups of indices, the least dominated first."""
        dominates = (F[:, None] <= F[None]).all(axis=2) & (F[:, None] < F[None]).any(axis=2)
        n_dominators = dominates.sum(axis=0)
        return [np.flatnonzero(n_dominators == n) for n in np.unique(n_dominators)]


class NegatedCrowding(CrowdingDiversity):  # type: ignore[misc]
    """Crowding distances with the wrong sign, so that the most crowded survive."""

    def do(self, F: npt.NDArray[np.float64], n_remove: int = 0) -> npt.NDArray[np.float64]:
        """Return the negated distances."""
        return np.asarray(-get_crowding_function("cd").do(F, n_remove=n_remove))


@dataclass(frozen=True)
class NearestLabels(NearestGrowth):
    """The paper's growth, with majority labels of the nearest instances only."""

    def grow_all(self, data: TrainingData, free: Boxes, seeds: Sequence[int]) -> list[Rule]:
        """Grow a rule around each seed."""
        points = data.points
        coordinates = [
            points.tables[start + data.columns[source]] * points.factor
            for start, source in zip(points.starts, points.sources, strict=True)
        ]
        grown = super().grow_all(data, free, seeds)
        rules = []
        for rule, seed, *box in zip(grown, seeds, *free, strict=True):
            members = covered_members(data.ranks, Box(*box))
            distances = sum((values[members] - values[seed]) ** 2 for values in coordinates)
            nearest = members[np.lexsort((members, distances))][: self.target_coverage]
            counts = data.labels[nearest].sum(axis=0)
            rules.append(rule.with_labels(majority(counts, len(nearest))))
        return rules


def algorithm(deviations: set[str], target_coverage: int, n_gen: int = 200) -> MINOTAUR:
    """The paper's search with some of the deviations.

    Parameters
    ----------
    deviations
        Some of `DEVIATIONS`, of which ``bounds`` only affects predictions.
    target_coverage
        The paper's t.
    n_gen
        Number of generations.
    """
    growth_type = NearestLabels if "labels" in deviations else NearestGrowth
    growth = growth_type(target_coverage)
    survival = ReproducibleRankAndCrowding()
    if deviations & {"dominators", "crowding"}:
        survival = RankAndCrowding(
            nds=ByDominators() if "dominators" in deviations else None,
            crowding_func=NegatedCrowding() if "crowding" in deviations else "cd",
        )
    return MINOTAUR(
        search="paper",
        sampling=RuleSampling(growth),
        mating=MutationMating(RuleMutation(growth=growth)),
        survival=survival,
        n_gen=n_gen,
    )


def predict_bounded(model: RuleSet, X: npt.NDArray[np.float64]) -> npt.NDArray[np.uint8]:
    """Predict with rules whose lower bounds end at the smallest training values."""
    predicted = model.predict(X)
    lowest = np.zeros((1, model.data.n_features), dtype=model.data.rows.dtype)
    below = (model.data.encoding.to_values(lowest) > X).any(axis=1)
    predicted[below] = model.default_labels
    return predicted


def run(task: Task, data: Folded) -> Result:
    """Run one search on one fold."""
    switch, _, value = task.method.partition("=")
    deviations = set(DEVIATIONS) if switch == "all" else {switch}
    train, test = data.split(task.fold)
    problem = RuleSetProblem(data.X[train], data.Y[train])
    target = int(value) if switch == "t" else SHAPES[data.name].target_coverage
    search = algorithm(deviations, target, int(value) if switch == "n_gen" else 200)
    res = minimize(problem, search, seed=task.seed)
    best = np.lexsort((res.F[:, 1], res.F[:, 0]))[0]
    model: RuleSet = res.X[best, 0]
    predict = predict_bounded if "bounds" in deviations else RuleSet.predict
    return {
        "train_f1": -float(res.F[best, 0]),
        "test_f1": micro_f1(data.Y[test], predict(model, data.X[test])),
        "n_rules": model.n_rules,
    }


def main(arguments: list[str] | None = None) -> None:
    """Print one table per dataset."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.original", description=__doc__)
    add_options(parser, runs=1)
    parser.set_defaults(datasets="yeast", folds=3)
    parser.add_argument("--switches", default=",".join(METHODS), help="separated by commas")
    args = parser.parse_args(arguments)
    methods = args.switches.split(",")
    for method in methods:
        if method not in METHODS and not re.fullmatch(r"(t|n_gen)=[1-9]\d*", method):
            parser.error(
                f"unknown switch {method!r}: choose from {', '.join(METHODS)}, t=N, n_gen=N"
            )
    sources = [*package_sources(), Path(__file__)]
    results = run_grid(grid(methods, args), run, "original", args, sources)
    for name in args.datasets.split(","):
        f1 = published.F1.loc[name, published.MINOTAUR]
        n_rules = published.N_RULES.loc[name, published.MINOTAUR]
        print(f"{name}: {args.folds} of 10 folds, runs per fold: {args.runs}")
        print(f"{'':<12}{'test F1':>9}{'± se':>7}{'train F1':>10}{'rules':>7}")
        for method in methods:
            found = [r for t, r in results.items() if (t.method, t.dataset) == (method, name)]
            mean = {key: np.mean([result[key] for result in found]) for key in found[0]}
            error = np.std([result["test_f1"] for result in found]) / np.sqrt(len(found))
            print(
                f"{method:<12}{mean['test_f1']:>9.3f}{error:>7.3f}{mean['train_f1']:>10.3f}"
                f"{mean['n_rules']:>7.1f}"
            )
        print(f"{'published':<12}{f1:>9.2f}{'':>17}{n_rules:>7.1f}")


if __name__ == "__main__":
    main()
