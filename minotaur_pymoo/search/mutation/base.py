"""The interface of operators."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from minotaur_pymoo.rules.rule_set import RuleSet


class RuleOperator(Protocol):
    """One way to vary a rule set; write your own by giving a class this method."""

    def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
        """A consistent variant of a rule set, or None if this one allows none."""
        ...
