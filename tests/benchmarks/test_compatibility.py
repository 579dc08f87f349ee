import pytest

from benchmarks.compatibility import algorithm_classes, verdict
from minotaur_pymoo import RuleSetProblem, load_demo

GARDEN = load_demo(60)
BOTH = RuleSetProblem(GARDEN.X, GARDEN.Y)
PROBLEMS = {2: BOTH, 1: BOTH.with_objectives("micro_f1")}


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("NSGA2", "works: "),
        ("GA", "works: 1 models"),
        ("DE", "refused: DE cannot search rule sets, as it adds and subtracts variables"),
    ],
)
def test_verdicts(name: str, line: str) -> None:
    classes = algorithm_classes()
    assert verdict(classes[name], PROBLEMS, GARDEN.X, GARDEN.Y).startswith(line)


def test_all_modules_are_searched() -> None:
    assert {"NSGA2", "CMAES", "BracketSearch"} < set(algorithm_classes())
