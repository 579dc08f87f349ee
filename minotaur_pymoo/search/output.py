"""The columns of pymoo's display."""

from __future__ import annotations

from typing import Any

import moocore
import numpy as np
from pymoo.indicators.gd import GD
from pymoo.indicators.igd import IGD
from pymoo.util.display.column import Column
from pymoo.util.display.output import Output, pareto_front_if_possible

from minotaur_pymoo.search.objectives import Objective
from minotaur_pymoo.support.arrays import FloatArray


class RuleSetOutput(Output):  # type: ignore[misc]
    """pymoo's display of a search for rule sets.

    Its columns are the best value of the first objective, the number of rules of the smallest model
    with that value, the number of points of the front, its hypervolume, and the number of failed
    mutations. The hypervolume is that of losses between 0 and 1, see `Objective.unit_loss`, with
    the worst corner as reference point, so that runs can be compared.

    For a problem with a known Pareto front, such as those of `minotaur_pymoo.suite`, further
    columns show how far the front is from it: IGD and GD as pymoo's own display has them, and the
    missing hypervolume.

    Examples
    --------
    >>> [column.name for column in RuleSetOutput().columns]
    ['n_gen', 'n_eval', 'best', 'its rules', 'front', 'hv', 'failed']
    """

    def __init__(self) -> None:
        super().__init__()
        self.best = Column("best", width=10)
        self.rules = Column("its rules", width=9)
        self.front = Column("front", width=6)
        self.hypervolume = Column("hv", width=8)
        self.failed = Column("failed", width=6)
        self.columns += [self.best, self.rules, self.front, self.hypervolume, self.failed]
        self.igd = Column("igd")
        self.gd = Column("gd")
        self.gap = Column("hv gap")
        self.pareto_front: FloatArray | None = None

    def initialize(self, algorithm: Any) -> None:
        """Name the column of the first objective, and compare with the Pareto front if known."""
        self.best.name = algorithm.problem.objectives[0].name
        self.best.width = max(self.best.width, len(self.best.name))
        self.pareto_front = pareto_front_if_possible(algorithm.problem)
        if self.pareto_front is not None and self.igd not in self.columns:
            self.columns += [self.igd, self.gd, self.gap]

    def update(self, algorithm: Any) -> None:
        """Set the columns from the current front."""
        super().update(algorithm)
        objectives = algorithm.problem.objectives
        F, X = algorithm.opt.get("F", "X")
        self.failed.set(getattr(algorithm.mating, "n_failures", None))
        # Without a feasible solution, pymoo's optimum is the least infeasible one.
        if algorithm.problem.has_constraints() and not algorithm.opt.get("FEAS").any():
            self.front.set(0)
            return
        n_rules = np.array([rule_set.n_rules for rule_set in X[:, 0]])
        best = np.lexsort((n_rules, F[:, 0]))[0]
        self.best.set(float(-F[best, 0] if objectives[0].maximise else F[best, 0]))
        self.rules.set(int(n_rules[best]))
        self.front.set(len(np.unique(F, axis=0)))
        reached = hypervolume(F, objectives)
        self.hypervolume.set(reached)
        front = self.pareto_front
        if front is not None:
            self.igd.set(float(IGD(front, zero_to_one=True)(F)))
            self.gd.set(float(GD(front, zero_to_one=True)(F)))
            possible = hypervolume(front, objectives)
            self.gap.set(None if possible is None or reached is None else possible - reached)


def hypervolume(F: FloatArray, objectives: tuple[Objective, ...]) -> float | None:
    """The hypervolume of a front in losses between 0 and 1, or None if a range is unknown.

    Parameters
    ----------
    F
        The front, one row per model, to be minimised.
    objectives
        The objectives in its columns.

    Examples
    --------
    >>> from minotaur_pymoo import OBJECTIVES
    >>> objectives = OBJECTIVES["micro_f1"], OBJECTIVES["n_rules"]
    >>> hypervolume(np.array([[-0.5, 1.0], [-0.6, 2.0]]), objectives)
    0.55
    """
    losses = [objective.unit_loss(F[:, i]) for i, objective in enumerate(objectives)]
    known = [loss for loss in losses if loss is not None]
    if len(known) < len(losses):
        return None
    return round(float(moocore.hypervolume(np.column_stack(known), ref=np.ones(len(known)))), 12)
