"""Golden results: small runs of each search, which must not change unintentionally.

``python -m tests.golden`` updates ``golden.json`` after an intentional change;
``python -m tests.golden N_JOBS`` prints the results instead.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, MinotaurClassifier, RuleSetProblem, load_demo
from minotaur_pymoo.search.presets import Search
from minotaur_pymoo.support.files import write_atomically

PATH = Path(__file__).with_name("golden.json")
GARDEN = load_demo(200)
NAMES = {"feature_names": GARDEN.feature_names, "label_names": GARDEN.label_names}


def run_search(search: Search) -> dict[str, Any]:
    """Run a search, and return its front exactly."""
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, **NAMES)
    settings: dict[str, Any] = {"pop_size": 30, "n_offsprings": 15, "n_gen": 25}
    res = minimize(problem, MINOTAUR(search, one_per_point=False, **settings), seed=7)
    return {
        "F": res.F.tolist(),
        "n_covered": [rule_set.n_covered for rule_set in res.X[:, 0]],
        "rules": [str(rule_set).splitlines() for rule_set in res.X[:, 0]],
    }


def run_classifier(n_jobs: int | None = None, **settings: Any) -> dict[str, Any]:
    """Fit a classifier, and return its front and its choice."""
    small = {"pop_size": 30, "n_offsprings": 15, "n_gen": 20, "n_runs": 2, "random_state": 7}
    classifier = MinotaurClassifier(**small, n_jobs=n_jobs, **settings)
    classifier.fit(GARDEN.X, GARDEN.Y)
    return {
        "front": {name: column.tolist() for name, column in classifier.front_.items()},
        "chosen": int(classifier.chosen_),
        "rules": [str(model).splitlines() for model in classifier.models_],
    }


RUNS: dict[str, Callable[[int | None], dict[str, Any]]] = {
    "paper": lambda n_jobs: run_search("paper"),
    "guided": lambda n_jobs: run_search("guided"),
    "classifier without soft labels": lambda n_jobs: run_classifier(n_jobs, soft_labels=False),
    # scikit-learn 1.6 to 1.9 grow the same forest; later versions might not.
    "classifier": run_classifier,
}


def all_results(n_jobs: int | None = None) -> str:
    """The results of all runs, as JSON."""
    results = {name: run(n_jobs) for name, run in RUNS.items()}
    return f"{json.dumps(results, indent=1)}\n"


def main() -> None:
    """Write or print the results."""
    if len(sys.argv) > 1:
        sys.stdout.write(all_results(int(sys.argv[1])))
    else:
        write_atomically(PATH, all_results().encode())


if __name__ == "__main__":
    main()
