"""The contribution of each part of the guided search, measured on held-out data.

``python -m benchmarks.ablation`` runs the complete guided search and variants in which one part is
missing or replaced. Since the table guides design decisions, it never uses the test folds: of each
fold's *training* data, three quarters are for the search and one quarter is for validation. Per
rule budget, the model with the highest training F1 is validated. The figures are differences from
the complete search, times 1,000, with standard errors over folds and runs.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.clock import cpu
from benchmarks.data import Folded
from benchmarks.runner import Result, Task, add_options, grid, run_grid
from minotaur_pymoo import (
    MINOTAUR,
    AddRule,
    GuidedGrowth,
    GuidedMutation,
    Model,
    MoveBound,
    MutationMating,
    NearestGrowth,
    RemoveRule,
    Rule,
    RuleMutation,
    RuleOperator,
    RuleSampling,
    RuleSet,
    RuleSetCrossover,
    RuleSetProblem,
    SplitRule,
    SubstituteRule,
    TreeSampling,
)
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.growth import default_min_coverage
from minotaur_pymoo.rules.consequents import SMOOTHING
from minotaur_pymoo.search.mutation.guided import MAX_RULES
from minotaur_pymoo.support.metrics import micro_f1

BUDGETS = (4, 8, 16, 32)
WHOLE = "whole"


class MergeRules:
    """Replace two random rules by their bounding box; fails if that overlaps a third rule.

    Not part of the guided search, which it does not improve.

    Examples
    --------
    >>> from minotaur_pymoo.data import TrainingData
    >>> data = TrainingData([[1], [2], [3], [8], [9]], [[1], [1], [1], [0], [0]])
    >>> tests = {"x0": (None, 2)}, {"x0": (3, 8)}
    >>> rule_set = RuleSet(data, [Rule.from_tests(data, test, ["y0"]) for test in tests])
    >>> print(MergeRules().mutant(rule_set, np.random.default_rng(1)))
    IF x0 < 8 THEN {y0}
    ELSE {y0}
    """

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """Create a rule set with one rule less.

        Parameters
        ----------
        rule_set
            The parent.
        random_state
            Source of randomness.
        """
        if rule_set.n_rules == 1 or not rule_set.disjoint:
            return None
        first = int(random_state.random() * rule_set.n_rules)
        second = int(random_state.random() * (rule_set.n_rules - 1))
        second += second >= first
        box = rule_set.rules[first].box.joined(rule_set.rules[second].box)
        if np.count_nonzero(rule_set.boxes.overlapping(box)) > 2:
            return None
        others = rule_set.without_rule(max(first, second)).without_rule(min(first, second))
        return others.with_free_rule(Rule.from_box(rule_set.data, box))


def without(*dropped: type) -> Callable[[], dict[str, Any]]:
    """A variant without some of the operators."""

    def settings() -> dict[str, Any]:
        return mating(*(pair for pair in _weighted_operators() if not isinstance(pair[0], dropped)))

    return settings


def mating(*weighted: tuple[RuleOperator, float], **mutation: Any) -> dict[str, Any]:
    """The guided search's mating with other operators or mutation settings."""
    operators, weights = zip(*weighted, strict=True)
    settings = {"finish": GuidedMutation().finish, **mutation}
    mixture = RuleMutation(list(operators), list(weights), **settings)
    return {"mating": MutationMating(mixture, eliminate_duplicates=True)}


def _weighted_operators() -> list[tuple[RuleOperator, float]]:
    """The operators of the guided search and their weights."""
    whole = GuidedMutation()
    return list(zip(whole.operators, whole.weights.tolist(), strict=True))


def _nearest() -> dict[str, Any]:
    """Growth by nearest neighbours, which ignores the labels."""
    growth = NearestGrowth()

    def with_nearest_growth(operator: RuleOperator) -> RuleOperator:
        if isinstance(operator, AddRule):
            return AddRule(growth, operator.max_rules)
        return SubstituteRule(growth) if isinstance(operator, SubstituteRule) else operator

    return mating(
        *((with_nearest_growth(operator), weight) for operator, weight in _weighted_operators())
    )


def _smoothed(smoothing: float) -> dict[str, Any]:
    """Another smoothing of the consequents."""
    finish = GuidedMutation(smoothing=smoothing).finish
    return {
        "sampling": TreeSampling(smoothing=smoothing),
        **mating(*_weighted_operators(), finish=finish),
    }


def _crossover(share: float) -> dict[str, Any]:
    """Crossover of two parents in place of some of the mutations."""
    mutation = GuidedMutation()
    crossover = RuleSetCrossover(MAX_RULES, mutation.finish, prob=share)
    return {"mating": MutationMating(mutation, eliminate_duplicates=True, crossover=crossover)}


class RandomTrees(TreeSampling):
    """Initial trees that are all random."""

    def best_trees(self, *args: Any, **kwargs: Any) -> list[RuleSet]:
        """No rule sets."""
        return []


VARIANTS: dict[str, Callable[[], dict[str, Any]]] = {
    WHOLE: dict,
    "no initial trees": lambda: {"sampling": RuleSampling(GuidedGrowth())},
    "nearest growth": _nearest,
    "majority consequents": lambda: mating(*_weighted_operators(), finish=None),
    "no smoothing": lambda: _smoothed(0.0),
    "half the smoothing": lambda: _smoothed(SMOOTHING / 2),
    "twice the smoothing": lambda: _smoothed(SMOOTHING * 2),
    "only random trees": lambda: {"sampling": RandomTrees(smoothing=SMOOTHING)},
    "no soft labels": lambda: {"soft_labels": None},
    "no combined features": lambda: {"combine": False},
    "scores always": lambda: {"combine": "scores"},
    "pairs of similar features": lambda: {"combine": "pairs"},
    "means of similar features": lambda: {"combine": "means"},
    "no adding": without(AddRule),
    "no removing": without(RemoveRule),
    "no substituting": without(SubstituteRule),
    "no splitting": without(SplitRule),
    "no moving": without(MoveBound),
    "with merging": lambda: mating(*_weighted_operators(), (MergeRules(), 1.0)),
    "a fifth crossover": lambda: _crossover(0.2),
    "half crossover": lambda: _crossover(0.5),
    "duplicates kept": lambda: {"eliminate_duplicates": False},
    "half min_coverage": lambda: {"min_coverage": "half"},
    "twice min_coverage": lambda: {"min_coverage": "twice"},
}


def main(arguments: list[str] | None = None) -> None:
    """Run the experiment and print its table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.ablation", description=__doc__)
    add_options(parser, runs=1)
    parser.set_defaults(datasets="CAL500,emotions,scene,synthetic3", folds=3)
    parser.add_argument("--variants", default=",".join(VARIANTS), help="separated by commas")
    args = parser.parse_args(arguments)
    variants = args.variants.split(",")
    results = run_grid(grid(variants, args), run, "ablation", args)
    names = args.datasets.split(",")
    print(f"{args.folds} of 10 folds, runs per fold: {args.runs}; mean F1 at {BUDGETS} rules")
    print(f"{'':<24}" + "".join(f"{name:>16}" for name in names) + f"{'mean':>14}{'CPU s':>7}")
    for variant in variants:
        print(row(variant, names, results))


def run(task: Task, data: Folded) -> Result:
    """Run one variant on one fold."""
    train, _ = data.split(task.fold)
    X, Y = data.X[train], data.Y[train]
    parts = stratified_parts(Y, [0.75, 0.25], np.random.default_rng(task.seed))
    changes = VARIANTS[task.method]()
    soft_labels = changes.pop("soft_labels", "out-of-bag")
    combine = changes.pop("combine", "auto")
    problem = RuleSetProblem(
        X[parts == 0],
        Y[parts == 0],
        soft_labels=soft_labels,
        combine=combine,
        categorical_features=data.categorical,
    )
    factor = {"half": 0.5, "twice": 2.0}.get(changes.get("min_coverage", ""))
    if factor is not None:
        default = default_min_coverage(problem.training.n_instances)
        changes["min_coverage"] = round(factor * default)
    algorithm = MINOTAUR(**changes)
    seconds, res = cpu(minimize, problem, algorithm, seed=task.seed)
    models = [best_within(res, budget) for budget in BUDGETS]
    scores = [micro_f1(Y[parts == 1], model.predict(X[parts == 1])) for model in models]
    return {"f1": float(np.mean(scores)), "cpu_seconds": seconds}


def best_within(res: Any, budget: int) -> Model:
    """The model with the highest training F1 among those within a rule budget."""
    small = np.flatnonzero(res.F[:, 1] <= budget)
    best: Model = res.X[small[np.argmin(res.F[small, 0])], 0].model
    return best


def row(variant: str, names: list[str], results: dict[Task, Result]) -> str:
    """One line of the table; for the complete search, the F1 itself."""
    cells, means, seconds = [], [], []
    for name in names:
        found = {t: r for t, r in results.items() if (t.method, t.dataset) == (variant, name)}
        scores = np.array([result["f1"] for result in found.values()])
        seconds += [result["cpu_seconds"] for result in found.values()]
        if variant != WHOLE:
            scores -= [results[Task(WHOLE, t.dataset, t.fold, t.run)]["f1"] for t in found]
        error = scores.std(ddof=1) / np.sqrt(len(scores)) if len(scores) > 1 else np.nan
        means.append(scores.mean())
        cells.append(f"{1000 * scores.mean():>+10.1f}±{1000 * error:<4.1f}")
    total = f"{1000 * np.mean(means):>+13.1f}"
    return f"{variant:<24}" + " ".join(cells) + f"{total}{np.mean(seconds):>7.1f}"


if __name__ == "__main__":
    main()
