"""The front of every generation."""

from __future__ import annotations

from typing import Any

from pymoo.core.callback import Callback


class FrontHistory(Callback):  # type: ignore[misc]
    """Record the front of every generation, for convergence plots.

    Attributes
    ----------
    data : dict
        ``n_gen``, ``n_eval`` and ``F``: lists with one entry per generation.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> res = minimize(problem, MINOTAUR(n_gen=5), seed=1, callback=FrontHistory())
    >>> res.algorithm.callback.data["n_eval"]
    [80, 120, 160, 200, 240, 280]
    """

    def __init__(self) -> None:
        super().__init__()
        self.data: dict[str, list[Any]] = {"n_gen": [], "n_eval": [], "F": []}

    def _update(self, algorithm: Any) -> None:
        self.data["n_gen"].append(algorithm.n_gen)
        self.data["n_eval"].append(algorithm.evaluator.n_eval)
        self.data["F"].append(algorithm.opt.get("F"))
