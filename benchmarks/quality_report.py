"""The tables of the quality benchmark."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from benchmarks.quality_methods import CART, OURS, boomer
from minotaur_pymoo.support.arrays import FloatArray

# A loss of F1 that counts.
_LOSS = 0.01


class Outcome:
    """The results of all folds and runs.

    Parameters
    ----------
    content
        What ``python -m benchmarks.quality --json`` writes.

    Examples
    --------
    >>> results = [
    ...     {"method": "ours", "dataset": "garden", "fold": 0, "run": run, "f1": f1}
    ...     for run, f1 in enumerate([0.5, 0.7])
    ... ]
    >>> Outcome({"results": results}).by_fold("ours", "garden", "f1")
    array([0.6])
    """

    def __init__(self, content: Mapping[str, Any]) -> None:
        self.content = content
        self.datasets = list(dict.fromkeys(row["dataset"] for row in content["results"]))

    def by_fold(self, method: str, dataset: str, key: str) -> FloatArray:
        """The values of each fold, means over its runs.

        Parameters
        ----------
        method
            Name of the method.
        dataset
            Name of the dataset.
        key
            Name of the value.
        """
        folds: dict[int, list[Any]] = {}
        for row in self.content["results"]:
            if (row["method"], row["dataset"]) == (method, dataset):
                folds.setdefault(row["fold"], []).append(row[key])
        return np.array([np.mean(folds[fold], axis=0) for fold in sorted(folds)])


def standard_error(values: FloatArray) -> Any:
    """The standard error of the mean over the first axis, NaN for a single value."""
    if len(values) < 2:
        return np.full(values.shape[1:], np.nan)
    return values.std(axis=0, ddof=1) / np.sqrt(len(values))


def signed(mean: float, error: float) -> str:
    """Format a difference."""
    return f"{mean:+.4f} ± {error:.4f}"


def lines(content: Mapping[str, Any], boomer_rules: Sequence[int]) -> list[str]:
    """All tables.

    Parameters
    ----------
    content
        As for `Outcome`.
    boomer_rules
        BOOMER's numbers of rules.
    """
    outcome = Outcome(content)
    n_folds = {len(outcome.by_fold(OURS, name, "f1")) for name in outcome.datasets}
    settings = ", ".join(f"{name}={value}" for name, value in content["settings"].items())
    folds = "/".join(map(str, sorted(n_folds, reverse=True)))
    return [
        f"{settings}; scored on {content['split']}; folds: {folds}; code {content['code']}",
        "",
        *chosen_table(outcome, boomer_rules),
        "",
        *budget_table(outcome),
        "",
        *cart_summary(outcome),
        "",
        *(boomer_summary(outcome, n_rules) for n_rules in boomer_rules),
    ]


def chosen_table(outcome: Outcome, boomer_rules: Sequence[int]) -> list[str]:
    """The chosen models next to BOOMER."""
    width = _width(outcome)
    head = (
        f"{'dataset':<{width}}{'F1':>6}{'±':>7}{'rules':>6}{'tests/rule':>11}{'fit s':>7}"
        f"{'CART s':>7}"
    )
    for n_rules in boomer_rules:
        head += f"{boomer(n_rules):>11}{'difference':>14}{'fit s':>6}"
    title = "the chosen model" + ", and how much higher than BOOMER's its F1 is" * bool(
        boomer_rules
    )
    table = [title, head]
    for name in outcome.datasets:
        f1 = outcome.by_fold(OURS, name, "f1")
        mean = {
            key: outcome.by_fold(OURS, name, key).mean() for key in ("rules", "tests", "seconds")
        }
        row = (
            f"{name:<{width}}{f1.mean():>6.3f}{standard_error(f1):>7.3f}{mean['rules']:>6.1f}"
            f"{mean['tests'] / mean['rules']:>11.1f}{mean['seconds']:>7.1f}"
            f"{outcome.by_fold(CART, name, 'seconds').mean():>7.2f}"
        )
        for n_rules in boomer_rules:
            other = outcome.by_fold(boomer(n_rules), name, "f1")
            seconds = outcome.by_fold(boomer(n_rules), name, "seconds").mean()
            difference = f"{(f1 - other).mean():+.3f}±{standard_error(f1 - other):.3f}"
            row += f"{other.mean():>11.3f}{difference:>14}{seconds:>6.2f}"
        table.append(row)
    return table


def budget_table(outcome: Outcome) -> list[str]:
    """The classifier and the tuned CART at each budget."""
    width = _width(outcome)
    table = [
        "F1 by maximum number of rules / of the tuned CART with as many leaves",
        f"{'dataset':<{width}}"
        + " ".join(f"{budget:>11}" for budget in outcome.content["budgets"]),
    ]
    for name in outcome.datasets:
        ours = outcome.by_fold(OURS, name, "budget_f1").mean(axis=0)
        trees = outcome.by_fold(CART, name, "budget_f1").mean(axis=0)
        cells = (f"{rules:.3f}/{tree:.3f}" for rules, tree in zip(ours, trees, strict=True))
        table.append(f"{name:<{width}}" + " ".join(cells))
    return table


def cart_summary(outcome: Outcome) -> list[str]:
    """At each budget, the number of datasets where the classifier keeps up, and the worst."""
    paired = {
        name: outcome.by_fold(OURS, name, "budget_f1") - outcome.by_fold(CART, name, "budget_f1")
        for name in outcome.datasets
    }
    means = np.array([differences.mean(axis=0) for differences in paired.values()])
    table = [f"{'rules':>5}{'at or above CART':>18}{'more than .01 below':>21}   worst"]
    for index, budget in enumerate(outcome.content["budgets"]):
        worst = outcome.datasets[int(means[:, index].argmin())]
        error = standard_error(paired[worst])[index]
        reached = f"{(means[:, index] >= 0).sum()} of {len(means)}"
        table.append(
            f"{budget:>5}{reached:>18}{(means[:, index] < -_LOSS).sum():>21}"
            f"   {worst} {signed(means[:, index].min(), error)}"
        )
    return table


def boomer_summary(outcome: Outcome, n_rules: int) -> str:
    """The number of datasets where the chosen model is above BOOMER, and the worst."""
    paired = {
        name: outcome.by_fold(OURS, name, "f1") - outcome.by_fold(boomer(n_rules), name, "f1")
        for name in outcome.datasets
    }
    worst = min(paired, key=lambda name: float(paired[name].mean()))
    above = sum(differences.mean() > 0 for differences in paired.values())
    difference = signed(paired[worst].mean(), standard_error(paired[worst]))
    return (
        f"the chosen model is above BOOMER with {n_rules} rules on {above} of {len(paired)};"
        f" worst: {worst} {difference}"
    )


def _width(outcome: Outcome) -> int:
    return max(len(name) for name in [*outcome.datasets, "synthetic0"]) + 2
