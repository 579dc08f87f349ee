"""Compare two results of the quality benchmark, such as those of two settings.

``python -m benchmarks.compare A.json B.json`` pairs the classifier's results in two files of
``python -m benchmarks.quality --json`` by dataset, fold and run. It prints how much higher F1 is in
the second file, times 1,000, with standard errors over folds: for the chosen model and at each rule
budget. The last lines are means over datasets, with standard errors over datasets, and the numbers
of datasets with higher and lower F1. ``s`` and ``x`` are the CPU seconds of a fit in the second
file, and their ratio to those in the first.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.quality_methods import OURS
from benchmarks.quality_report import Outcome, standard_error
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError

Key = tuple[str, int, int]


def main(arguments: list[str] | None = None) -> None:
    """Print the comparison."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.compare", description=__doc__)
    parser.add_argument("first", type=Path, help="the results to start from")
    parser.add_argument("second", type=Path, help="the results to compare with them")
    args = parser.parse_args(arguments)
    try:
        contents = [json.loads(path.read_text()) for path in (args.first, args.second)]
        print("\n".join(lines(*contents)))
    except (OSError, ValueError) as error:
        parser.error(str(error))
    except KeyError as error:
        parser.error(f"not made by python -m benchmarks.quality --json: a file has no {error}")


def lines(first: dict[str, Any], second: dict[str, Any]) -> list[str]:
    """The table of differences.

    Parameters
    ----------
    first
        The results to start from.
    second
        The results to compare with them.
    """
    before, after = paired(first, second)
    width = max(len(name) for name in [*after.datasets, "synthetic0"]) + 1
    columns = ["chosen", *(str(budget) for budget in first["budgets"])]
    table = [
        *(f"{name}: {describe(content)}" for name, content in (("A", first), ("B", second))),
        f"B - A, F1 x 1000, scored on {first['split']}",
        "",
        f"{'':<{width}}" + "".join(f"{column:>12}" for column in columns) + f"{'s':>7}{'x':>6}",
    ]
    means, times = [], []
    for name in after.datasets:
        difference = scores(after, name) - scores(before, name)
        means.append(difference.mean(axis=0))
        seconds = [o.by_fold(OURS, name, "seconds").mean() for o in (before, after)]
        times.append(seconds)
        table.append(f"{name:<{width}}{cells(difference)}{_time(seconds)}")
    every = np.array(means)
    counts = [(every > 0).sum(axis=0), (every < 0).sum(axis=0)]
    return [
        *table,
        "",
        f"{'mean':<{width}}{cells(every)}{_time(np.mean(times, axis=0))}",
        *(
            f"{label:<{width}}" + "".join(f"{n:>12}" for n in count)
            for label, count in zip(("B higher", "B lower"), counts, strict=True)
        ),
    ]


def paired(first: dict[str, Any], second: dict[str, Any]) -> tuple[Outcome, Outcome]:
    """The classifier's results on what both files have.

    Parameters
    ----------
    first
        One file's content.
    second
        The other's.
    """
    for key, meaning in {"split": "scored on", "budgets": "of the budgets"}.items():
        if first[key] != second[key]:
            raise InputError(
                f"the first file's results are {meaning} {first[key]}, the second's"
                f" {second[key]}: run both with the same options."
            )
    rows = [
        {_key(row): row for row in content["results"] if row["method"] == OURS}
        for content in (first, second)
    ]
    common = [
        key for key in rows[0] if key in rows[1] and first["data"][key[0]] == second["data"][key[0]]
    ]
    if not common:
        raise InputError("the files have no dataset, fold and run in common.")
    before, after = (Outcome({"results": [found[key] for key in common]}) for found in rows)
    return before, after


def scores(outcome: Outcome, name: str) -> FloatArray:
    """F1 of the chosen model and at each budget, one row per fold."""
    chosen = outcome.by_fold(OURS, name, "f1")
    return np.column_stack([chosen, outcome.by_fold(OURS, name, "budget_f1")])


def cells(differences: FloatArray) -> str:
    """Format the means of the rows, with their standard errors."""
    errors = standard_error(differences)
    return "".join(
        f"{f'{1000 * mean:+.1f}±{1000 * error:.1f}':>12}"
        for mean, error in zip(differences.mean(axis=0), errors, strict=True)
    )


def describe(content: dict[str, Any]) -> str:
    """The settings and code of a file."""
    settings = ", ".join(f"{name}={value}" for name, value in content["settings"].items())
    return f"{settings}; code {content['code']}"


def _key(row: dict[str, Any]) -> Key:
    return row["dataset"], row["fold"], row["run"]


def _time(seconds: Any) -> str:
    return f"{seconds[1]:>7.1f}{seconds[1] / seconds[0]:>6.2f}"


if __name__ == "__main__":
    main()
