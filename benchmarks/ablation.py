"""What each part of the guided search is worth: the search without it, on data left out.

``python -m benchmarks.ablation`` runs the guided search as it is and with one part off, or
exchanged, at a time. Test folds stay untouched, as parts are kept or dropped by this table: of each
fold's *training* data three quarters are searched on, and the model with the highest F1 there, of
at most so many rules, is judged on the fourth. Figures are differences to the whole search, times
1,000; the standard error is that over folds and runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.clock import cpu
from benchmarks.data import Folded
from benchmarks.merge import MergeRules
from benchmarks.runner import Result, Task, add_options, grid, run_grid
from minotaur_pymoo import (
    MINOTAUR,
    AddRule,
    GuidedGrowth,
    Model,
    MoveBound,
    MutationMating,
    NearestGrowth,
    RemoveRule,
    RuleMutation,
    RuleSampling,
    RuleSetProblem,
    SplitRule,
    SubstituteRule,
    TreeSampling,
)
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.growth.splitting import default_min_coverage
from minotaur_pymoo.search.mutation.base import RuleOperator
from minotaur_pymoo.search.mutation.guided import GuidedMutation
from minotaur_pymoo.support.metrics import micro_f1

BUDGETS = (4, 8, 16)
WHOLE = "whole"


def without(*dropped: type) -> Callable[[], dict[str, Any]]:
    """The guided search without some of its operators."""

    def parts() -> dict[str, Any]:
        return mating(*(pair for pair in _weighted() if not isinstance(pair[0], dropped)))

    return parts


def mating(*weighted: tuple[RuleOperator, float], **mutation: Any) -> dict[str, Any]:
    """A mating with these operators, and otherwise as in the guided search."""
    operators, weights = zip(*weighted, strict=True)
    given = {"finish": GuidedMutation().finish, **mutation}
    mix = RuleMutation(list(operators), list(weights), **given)
    return {"mating": MutationMating(mix, eliminate_duplicates=True)}


def _weighted() -> list[tuple[RuleOperator, float]]:
    """The operators of the guided search with their weights."""
    whole = GuidedMutation()
    return list(zip(whole.operators, whole.weights.tolist(), strict=True))


def _nearest() -> dict[str, Any]:
    """Rules grown blindly, by nearest neighbours."""
    growth = NearestGrowth()

    def blind(operator: RuleOperator) -> RuleOperator:
        if isinstance(operator, AddRule):
            return AddRule(growth, operator.max_rules)
        return SubstituteRule(growth) if isinstance(operator, SubstituteRule) else operator

    return mating(*((blind(operator), weight) for operator, weight in _weighted()))


VARIANTS: dict[str, Callable[[], dict[str, Any]]] = {
    WHOLE: dict,
    "no trees to start from": lambda: {"sampling": RuleSampling(GuidedGrowth())},
    "blind growth": _nearest,
    "majority consequents": lambda: mating(*_weighted(), finish=None),
    "no smoothing": lambda: {
        "sampling": TreeSampling(),
        **mating(*_weighted(), finish=GuidedMutation(smoothing=0).finish),
    },
    "no soft labels": lambda: {"soft_labels": None},
    "no adding": without(AddRule),
    "no removing": without(RemoveRule),
    "no substituting": without(SubstituteRule),
    "no splitting": without(SplitRule),
    "no moving": without(MoveBound),
    "merging too": lambda: mating(*_weighted(), (MergeRules(), 1.0)),
    "duplicates kept": lambda: {"eliminate_duplicates": False},
    "half the coverage": lambda: {"min_coverage": "half"},
    "twice the coverage": lambda: {"min_coverage": "twice"},
}


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and print its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    add_options(parser, runs=1)
    parser.set_defaults(datasets="CAL500,emotions,scene,synthetic3", folds=3)
    parser.add_argument("--variants", default=",".join(VARIANTS), help="separated by commas")
    given = parser.parse_args(arguments)
    variants = given.variants.split(",")
    results = run_grid(grid(variants, given), run, "ablation", given)
    names = given.datasets.split(",")
    print(f"{given.folds} of 10 folds, {given.runs} runs each; F1 at {BUDGETS} rules, on average")
    print(f"{'':<24}" + "".join(f"{name:>16}" for name in names) + f"{'mean':>14}{'CPU s':>7}")
    for variant in variants:
        print(row(variant, names, results))


def run(task: Task, data: Folded) -> Result:
    """One variant on one fold."""
    train, _ = data.split(task.fold)
    X, Y = data.X[train], data.Y[train]
    parts = stratified_parts(Y, [0.75, 0.25], np.random.default_rng(task.seed))
    changes = VARIANTS[task.method]()
    soft_labels = changes.pop("soft_labels", "out-of-bag")
    problem = RuleSetProblem(X[parts == 0], Y[parts == 0], soft_labels=soft_labels)
    factor = {"half": 0.5, "twice": 2.0}.get(changes.get("min_coverage", ""))
    if factor is not None:
        least = default_min_coverage(problem.training.n_instances)
        changes["min_coverage"] = round(factor * least)
    algorithm = MINOTAUR(**changes)
    seconds, res = cpu(minimize, problem, algorithm, seed=task.seed)
    models = [best_within(res, budget) for budget in BUDGETS]
    scores = [micro_f1(Y[parts == 1], model.predict(X[parts == 1])) for model in models]
    return {"f1": float(np.mean(scores)), "cpu_seconds": seconds}


def best_within(res: Any, budget: int) -> Model:
    """The model of a front with the highest training F1, of those with few enough rules."""
    few = np.flatnonzero(res.F[:, 1] <= budget)
    best: Model = res.X[few[np.argmin(res.F[few, 0])], 0].model
    return best


def row(variant: str, names: list[str], results: dict[Task, Result]) -> str:
    """One line of the table; of the whole search the F1 itself."""
    cells, means, seconds = [], [], []
    for name in names:
        own = {t: r for t, r in results.items() if (t.method, t.dataset) == (variant, name)}
        scores = np.array([result["f1"] for result in own.values()])
        seconds += [result["cpu_seconds"] for result in own.values()]
        if variant != WHOLE:
            scores -= [results[Task(WHOLE, t.dataset, t.fold, t.run)]["f1"] for t in own]
        error = scores.std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else np.nan
        means.append(scores.mean())
        cells.append(f"{1000 * scores.mean():>+10.1f}±{1000 * error:<4.1f}")
    total = f"{1000 * np.mean(means):>+13.1f}"
    return f"{variant:<24}" + " ".join(cells) + f"{total}{np.mean(seconds):>7.1f}"


if __name__ == "__main__":
    main()
