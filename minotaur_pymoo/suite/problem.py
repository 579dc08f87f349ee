"""A benchmark problem with its reference front."""

from __future__ import annotations

from typing import Any, Self

from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.suite.definition import Definition, Kind
from minotaur_pymoo.suite.reference import Provenance, digest_of, read_front
from minotaur_pymoo.support.arrays import FloatArray


class SuiteProblem(RuleSetProblem):
    """A named problem: maximise micro-F1 and minimise the number of rules, up to a limit.

    Parameters
    ----------
    definition
        The definition of the problem.

    Attributes
    ----------
    kind : str
        ``"exact"``, ``"generated"`` or ``"real"``.
    description : str
        What the problem is, and what makes it hard.
    max_rules : int
        The largest number of rules allowed, which is a constraint.
    n_eval : int
        The number of evaluations after which optimizers are compared.
    provenance : Provenance or None
        Where the reference front comes from; None if there is none for these data.
    digest : str
        A digest of the data.

    Examples
    --------
    >>> from minotaur_pymoo.suite import get_problem
    >>> problem = get_problem("wine-2x8-v1")
    >>> problem.max_rules, problem.n_eval, problem.pareto_front().shape
    (8, 1000, (8, 2))
    """

    kind: Kind
    description: str
    max_rules: int
    n_eval: int
    provenance: Provenance | None
    digest: str
    _front: FloatArray | None

    def __init__(self, definition: Definition) -> None:
        dataset = definition.make()
        super().__init__(
            dataset.X,
            dataset.Y,
            feature_names=dataset.feature_names,
            label_names=dataset.label_names,
            max_rules=definition.max_rules,
        )
        self._name = definition.name
        self.kind = definition.kind
        self.description = definition.description
        self.max_rules = definition.max_rules
        self.n_eval = definition.n_eval
        self.digest = digest_of(dataset)
        stored = read_front(definition.name)
        # Data from elsewhere may have changed.
        if stored is not None and stored[1].data != self.digest:
            stored = None
        self._front, self.provenance = (None, None) if stored is None else stored

    def name(self) -> str:
        """The name of the problem, with its version."""
        return self._name

    def with_objectives(self, *objectives: Any) -> Self:
        """The same data with other objectives, for which no reference front is known.

        Parameters
        ----------
        *objectives
            As for `RuleSetProblem.with_objectives`.
        """
        other = super().with_objectives(*objectives)
        other._front = other.provenance = None
        other.cache = {}
        return other

    def _calc_pareto_front(self, *args: Any, **kwargs: Any) -> FloatArray | None:
        return self._front

    def __repr__(self) -> str:
        return f"get_problem({self._name!r})"
