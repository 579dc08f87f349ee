import numpy as np

from minotaur_pymoo import Model
from minotaur_pymoo.plots.style import format_antecedents
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.plots.examples import MODEL, SCHEMA


def test_bounds_are_rounded() -> None:
    tests = IntervalTest("age", 1 / 3, np.inf), SetTest("kind", ("red", "white"))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    assert format_antecedents(model, width=60)[0] == " 1   age ≥ 0.3333 and kind in {red, white}"


def test_long_rules_are_cut_between_tests() -> None:
    tests = tuple(IntervalTest(f"feature {n}", float(n), n + 0.5) for n in range(9))
    model = Model(SCHEMA, (ModelRule(tests, (), 1, (0, 0)),), MODEL.default)
    first, last = format_antecedents(model)
    assert first.count("\n") == 2
    assert first.endswith(" …")
    for line in first.removesuffix(" …").split("\n"):
        assert line.count("≤") == line.count("<")
    assert last == "otherwise"
