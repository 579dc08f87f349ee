"""Individuals of a search for rule sets, without what only other kinds of problems need."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from pymoo.core.individual import Individual, default_config
from pymoo.core.population import Population


def _constant(*values: Any) -> npt.NDArray[Any]:
    array = np.array(values)
    array.flags.writeable = False
    return array


_NOTHING = _constant()
_NO_VIOLATION = _constant(0.0)
_FEASIBLE = _constant(True)
_CONFIG = default_config()
_OWN = frozenset({"F", "rank", "crowding", "n_gen", "n_iter"})


class RuleSetIndividual(Individual):  # type: ignore[misc]
    """A pymoo individual that is made, read and written in a fraction of the time.

    pymoo makes many of them, and asks each several times a generation for everything it has. This
    one has no derivatives, looks for what survival leaves with it where it is put, and without
    constraints knows itself to be feasible. Slots take a quarter of what a dictionary takes.
    """

    __slots__ = ("_CV", "_F", "_X", "crowding", "data", "evaluated", "n_gen", "n_iter", "rank")

    _G = _H = _dF = _dG = _dH = _ddF = _ddG = _ddH = _NOTHING  # noqa: N815 - pymoo's names
    config = _CONFIG

    def __init__(self, X: Any = _NOTHING, **kwargs: Any) -> None:
        self._X = X
        self._F = _NOTHING
        self._CV = self.rank = self.crowding = self.n_gen = self.n_iter = None
        self.evaluated: set[str] = set()
        self.data: dict[str, Any] = {}
        for name, value in kwargs.items():
            self.set(name, value)

    @property
    def CV(self) -> Any:  # noqa: N802 - pymoo's name
        """The violation of all constraints."""
        if self._CV is None and not len(self._G) and not len(self._H):
            return _NO_VIOLATION
        return Individual.CV.fget(self)

    @CV.setter
    def CV(self, value: Any) -> None:  # noqa: N802
        self._CV = value

    @property
    def FEAS(self) -> Any:  # noqa: N802
        """Whether no constraint is violated."""
        return _FEASIBLE if self.CV is _NO_VIOLATION else Individual.FEAS.fget(self)

    def set(self, key: str, value: Any) -> RuleSetIndividual:
        """Set the value of a key."""
        if key in _OWN or hasattr(self, key):
            setattr(self, key, value)
        else:
            self.data[key] = value
        return self

    def get(self, *keys: str) -> Any:
        """The values of one or several keys, None for what is not there."""
        if len(keys) == 1:
            try:
                return getattr(self, keys[0])
            except AttributeError:
                return self.data.get(keys[0])
        return tuple(self.get(key) for key in keys)


def population(rule_sets: list[Any]) -> Population:
    """A population of new individuals."""
    individuals = np.empty(len(rule_sets), dtype=object)
    for place, rule_set in enumerate(rule_sets):
        # An array for each: parts of one array would keep all rule sets in memory.
        X = np.empty(1, dtype=object)
        X[0] = rule_set
        individuals[place] = RuleSetIndividual(X)
    return individuals.view(Population)
