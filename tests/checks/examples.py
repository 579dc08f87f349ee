"""Small data, rule sets and models for the tests of the checks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    Model,
    Rule,
    RuleSet,
    RuleSetProblem,
    load_demo,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.rules import IntervalTest, ModelRule

COLOURS = ["red", "blue", "green", "red", None, "blue"]

FRAME = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0, np.nan, 2.0], "colour": COLOURS})

FRAME["colour"] = FRAME["colour"].astype("category")

Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0]])

GARDEN = load_demo(120)


def small(softened: bool = False) -> RuleSet:
    """Two rules on six instances, one of whose features has categories."""
    data = TrainingData(FRAME, Y, label_names=["good", "bad"])
    if softened:
        data = data.with_soft_labels(np.full(Y.shape, 0.5))
    low = Rule.from_tests(data, {"size": (None, 3), "colour": ["red", "blue"]}, ["good"])
    high = Rule.from_tests(data, {"size": (3, None)}, ["bad"])
    return RuleSet(data, [low, high])


def run_search(problem: RuleSetProblem, **settings: Any) -> Any:
    return minimize(problem, MINOTAUR(n_gen=4, **settings), seed=1)


def model(**changes: Any) -> Model:
    """A valid model of two rules on the six instances, or with its first rule changed."""
    first = ModelRule((IntervalTest("size", -np.inf, 3.0),), ("good",), 3, (2, 0))
    second = ModelRule((IntervalTest("size", 3.0, np.inf),), ("bad",), 2, (0, 2))
    default = ModelRule((), ("good", "bad"), 1, (1, 1))
    schema = TrainingData(FRAME, Y, label_names=["good", "bad"]).schema
    return Model(schema, (replace(first, **changes), second), default)
