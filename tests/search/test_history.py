import numpy as np
from pymoo.core.callback import CallbackCollection
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, FrontHistory, RuleSetProblem, load_demo

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)


def test_fronts_are_recorded_also_in_a_callback_collection() -> None:
    alone, collected = FrontHistory(), FrontHistory()
    res = minimize(PROBLEM, MINOTAUR(n_gen=4, one_per_point=False), seed=1, callback=alone)
    both = CallbackCollection(collected)
    minimize(PROBLEM, MINOTAUR(n_gen=4), seed=1, callback=both)
    assert alone.data["n_gen"] == [1, 2, 3, 4, 5]
    assert alone.data["n_eval"] == [80, 120, 160, 200, 240]
    assert np.array_equal(alone.data["F"][-1], res.F)
    for one, other in zip(alone.data["F"], collected.data["F"], strict=True):
        assert np.array_equal(one, other)
