"""The parameters of public constructors and functions as entry points."""

from __future__ import annotations

import functools
import math
import operator
from typing import Any, NamedTuple

import numpy as np
from hypothesis import strategies as st
from pymoo.optimize import minimize

import minotaur_pymoo as mp
from minotaur_pymoo.data import TrainingData, out_of_bag_probabilities
from minotaur_pymoo.growth import create_rule
from tests.tools.fuzzing.damage import pick
from tests.tools.fuzzing.files import folder
from tests.tools.fuzzing.judge import EntryPoint

_NUMBERS: list[Any] = [-1, 0, 1, 2, 3, 5, np.int64(3), np.int32(2)]
_ODD: list[Any] = [
    *(2.5, -0.5, math.nan, math.inf, np.float64(3.0), 1j, True, None, "auto", "", "3", "text"),
    *(b"3", [], [1], (1, 2), {}, {"a": 1}, np.array([1, 2]), np.array(3), object(), len, int),
]
_HUGE: list[Any] = [2**31, 2**63, 10**30, -(10**30)]


class Call(NamedTuple):
    """A call of a constructor or function.

    Attributes
    ----------
    what
        Name of the constructor or function.
    arguments
        Its keyword arguments.
    seed
        Seed of the data.
    """

    what: str
    arguments: dict[str, Any]
    seed: int


def _mixed(*good: Any, huge: bool = True) -> list[Any]:
    """Mostly valid values, numbers that may be valid, and invalid values."""
    odd = _ODD + (_HUGE if huge else [])
    return [*(list(good) * (1 + 2 * len(odd) // max(len(good), 1))), *_NUMBERS, *odd]


_SEARCH = {
    "search": _mixed("guided", "paper"),
    "pop_size": _mixed(4, 6, huge=False),
    "n_offsprings": _mixed(2, 3, huge=False),
    "n_max_failures": _mixed(20, 50, huge=False),
    "target_coverage": _mixed("auto", 2, 3),
    "min_coverage": _mixed("auto", 1, 2),
}
_PARAMETERS: dict[str, dict[str, list[Any]]] = {
    "MINOTAUR": {
        **_SEARCH,
        "n_gen": _mixed(1, 2, huge=False),
        "eliminate_duplicates": _mixed(None, True, False),
        "one_per_point": _mixed(True, False),
    },
    "operators": {
        "search": _mixed("guided", "paper"),
        "problem": _mixed(None),
        "target_coverage": _mixed("auto", 2),
        "min_coverage": _mixed("auto", 2),
        "n_max_failures": _mixed(20, huge=False),
        "algorithm": _mixed(None),
    },
    "RuleSetProblem": {
        "objectives": _mixed(
            ["micro_f1", "n_rules"], ("macro_f1", "n_tests"), ["hamming_loss", "coverage"], ["no"]
        ),
        "feature_names": _mixed(None, ["a", "b", "c"], ["a", "a", "b"]),
        "label_names": _mixed(None, ["p", "q"], ["p"], {"p", "q"}),
        "categorical_features": _mixed((), [0], ["x1"], [0, 1]),
        "combine": _mixed(False, "scores", "means", "pairs", "auto", True),
        "feature_groups": _mixed(None, None, {"G": [0, "x1"]}, {"G": [0], "H": [7]}, {"x0": [1]}),
        "max_rules": _mixed(None, 2, 5),
        "constraints": _mixed(
            (), [("n_tests", "<=", 9)], [("covered_fraction", ">=", 0.5)], [len], [("no", "<=", 1)]
        ),
        "soft_labels": _mixed(None, "out-of-bag", np.full((12, 2), 0.3)),
    },
    "MinotaurClassifier": {
        **_SEARCH,
        "n_gen": _mixed(1, 2, huge=False),
        "objectives": _mixed(["micro_f1", "n_rules"], ["n_rules", "coverage"]),
        "soft_labels": _mixed(False, False, False, "auto", True),
        "simplify": _mixed("auto", True, False),
        "combine": _mixed("auto", "scores", "means", "pairs", False, True),
        "feature_groups": _mixed(None, None, {"G": [0, "x1"]}, {"G": []}, {"G": ["x0", 0]}),
        "choice": _mixed("auto", "best", "knee", "near-best", [1, 2], "cv", "validation"),
        "max_rules": _mixed(None, 3),
        "validation_fraction": _mixed(0.25, 0.5),
        "n_cv_folds": _mixed(2, 3, huge=False),
        "categorical_features": _mixed(None, [0], []),
        "algorithm": _mixed(None),
        "termination": _mixed(None, ("n_gen", 2), ("n_eval", 20), ("no", 1), huge=False),
        "callback": _mixed(None, operator.attrgetter("n_gen")),
        "n_runs": _mixed(1, 2, huge=False),
        "n_jobs": _mixed(None, 1, huge=False),
        "random_state": _mixed(None, 1, 2),
    },
    "GuidedGrowth": {
        "min_coverage": _mixed("auto", 1),
        "n_features": _mixed("auto", 2),
        "n_sample": _mixed(5, 400),
        "max_depth": _mixed(1, 4),
    },
    "NearestGrowth": {"target_coverage": _mixed("auto", 1, 4)},
    "TreeSampling": {
        "max_leaves": _mixed(2, 5, huge=False),
        "splitting": _mixed(None),
        "smoothing": _mixed(0.0, 1.0),
    },
    "RuleMutation": {"operators": _mixed(None), "weights": _mixed(None, (1, 2, 4), (0, 0, 1))},
    "Checkpoint": {"every": _mixed(1, 2), "seconds": _mixed(None, 0.5, 10)},
    "load_demo": {"n_instances": _mixed(5, 20, huge=False), "seed": _mixed(0, 1)},
    "out_of_bag_probabilities": {
        "n_trees": _mixed(None, 3, huge=False),
        "random_state": _mixed(0, 1),
    },
    "Rule": {
        "tests": _mixed({"x0": (0, None)}, {"x0": (None, 1)}, {"x1": (-9, 0)}, {"x0": 5}, {}),
        "labels": _mixed(None, ["y0"], [], ["y0", "y1"], ["no"], "y0"),
    },
    "RuleSet": {"default_labels": _mixed(None, ["y0"], [0, 1], [], [0, 2], "y1", [True, False])},
    "choose": {
        "choice": _mixed("best", "knee", "near-best", [1, 0], [0, 0], [1, np.nan], [1e308, 1e308]),
        "max_rules": _mixed(None, 1, 2),
    },
}
_SLOW = {"MinotaurClassifier"}


@st.composite
def calls(draw: st.DrawFn, names: list[str]) -> Call:
    what = pick(draw, names)
    known = _PARAMETERS[what]
    odd = pick(draw, [None, *known])
    names = [name for name in known if name == odd or draw(st.integers(0, 2)) == 0]
    arguments = {}
    for name in names:
        # At most one odd value, as otherwise few calls would be accepted.
        good = known[name][: max(len(known[name]) // 2, 1)]
        arguments[name] = pick(draw, known[name] if name == odd else good)
    return Call(what, arguments, draw(st.integers(0, 9)))


def enter_call(call: Call) -> None:
    """Make the call, and use the result."""
    draws = np.random.default_rng(call.seed)
    X = draws.integers(-2, 3, size=(12, 3)).astype(float)
    Y = draws.integers(0, 2, size=(12, 2))
    _USES[call.what](X, Y, call)


def _use_problem(X: Any, Y: Any, call: Call) -> None:
    _search(mp.RuleSetProblem(X, Y, **call.arguments), {}, X, Y)


def _use_algorithm(X: Any, Y: Any, call: Call) -> None:
    _search(mp.RuleSetProblem(X, Y), call.arguments, X, Y)


def _search(problem: Any, arguments: dict[str, Any], X: Any, Y: Any) -> None:
    quick = {"pop_size": 6, "n_offsprings": 3, "n_gen": 2, "n_max_failures": 50}
    result = minimize(problem, mp.MINOTAUR(**{**quick, **arguments}), seed=1)
    for rule_set in [] if result.X is None else result.X[:, 0]:
        mp.check_model(rule_set, X, Y)


def _use_operators(X: Any, Y: Any, call: Call) -> None:
    parts = mp.rule_set_operators(**call.arguments)
    _search(mp.RuleSetProblem(X, Y), parts, X, Y)


def _use_classifier(X: Any, Y: Any, call: Call) -> None:
    quick = {
        "pop_size": 6,
        "n_offsprings": 3,
        "n_gen": 2,
        "n_max_failures": 50,
        "soft_labels": False,
    }
    classifier = mp.MinotaurClassifier(**{**quick, **call.arguments}).fit(X, Y)
    choice = call.arguments.get("choice")
    # The counts of a model exclude held-out instances.
    held_out = isinstance(choice, str) and choice == "validation"
    for model in classifier.models_:
        mp.check_model(model, X, None if held_out else Y)
    assert np.array_equal(classifier.predict(X), classifier.model_.predict(X))


def _use_growth(X: Any, Y: Any, call: Call) -> None:
    growth = getattr(mp, call.what)(**call.arguments)
    data = TrainingData(X, Y)
    rule_set = mp.RuleSet.empty(data)
    draws = np.random.default_rng(call.seed)
    for _ in range(3):
        rule = create_rule(rule_set, growth, draws)
        rule_set = rule_set if rule is None else rule_set.with_free_rule(rule)
    mp.check_model(rule_set, X, Y)


def _use_trees(X: Any, Y: Any, call: Call) -> None:
    sampling = mp.TreeSampling(**call.arguments)
    _search(mp.RuleSetProblem(X, Y), {"sampling": sampling}, X, Y)


def _use_mutation(X: Any, Y: Any, call: Call) -> None:
    mating = mp.MutationMating(mp.RuleMutation(**call.arguments), 50)
    _search(mp.RuleSetProblem(X, Y), {"mating": mating}, X, Y)


def _use_checkpoint(X: Any, Y: Any, call: Call) -> None:
    saved = mp.Checkpoint(folder() / "parameters", **call.arguments)
    algorithm = mp.MINOTAUR(pop_size=6, n_offsprings=3, n_gen=2)
    result = minimize(mp.RuleSetProblem(X, Y), algorithm, seed=1, callback=saved)
    assert np.array_equal(mp.resume(saved.path).F, result.F)


def _use_demo(X: Any, Y: Any, call: Call) -> None:
    garden = mp.load_demo(**call.arguments)
    assert len(garden.X) == len(garden.Y) > 0
    assert garden.describe()


def _use_soft_labels(X: Any, Y: Any, call: Call) -> None:
    soft_labels = out_of_bag_probabilities(TrainingData(X, Y), **call.arguments)
    assert ((soft_labels >= 0) & (soft_labels <= 1)).all()


def _use_rule(X: Any, Y: Any, call: Call) -> None:
    data = TrainingData(X, Y)
    arguments = {"tests": {}, **call.arguments}
    rule = mp.Rule.from_tests(data, **arguments)
    mp.check_model(mp.RuleSet(data, [rule]), X, Y)


def _use_rule_set(X: Any, Y: Any, call: Call) -> None:
    data = TrainingData(X, Y)
    rule = mp.Rule.from_tests(data, {"x0": (float(X[0, 0]), None)})
    mp.check_model(mp.RuleSet(data, [rule], **call.arguments), X, Y)


@functools.cache
def _fitted() -> Any:
    garden = mp.load_demo(60)
    return mp.MinotaurClassifier(n_gen=5, pop_size=10, random_state=1).fit(garden.X, garden.Y)


def _use_choice(X: Any, Y: Any, call: Call) -> None:
    classifier = _fitted().choose(**{"choice": "best", **call.arguments})
    assert classifier.model_ is classifier.models_[classifier.chosen_]


_USES = {
    "MINOTAUR": _use_algorithm,
    "operators": _use_operators,
    "RuleSetProblem": _use_problem,
    "MinotaurClassifier": _use_classifier,
    "GuidedGrowth": _use_growth,
    "NearestGrowth": _use_growth,
    "TreeSampling": _use_trees,
    "RuleMutation": _use_mutation,
    "Checkpoint": _use_checkpoint,
    "load_demo": _use_demo,
    "out_of_bag_probabilities": _use_soft_labels,
    "Rule": _use_rule,
    "RuleSet": _use_rule_set,
    "choose": _use_choice,
}


PARAMETERS = EntryPoint(
    "parameters",
    calls([name for name in _PARAMETERS if name not in _SLOW]),
    enter_call,
    lambda _: 1000,
    4,
)
CLASSIFIER = EntryPoint("classifier", calls(sorted(_SLOW)), enter_call, lambda _: 1000, 1)
