"""What one file holds: some models of the same data, which one is chosen, and their scores."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from numbers import Integral
from typing import Any

import numpy as np

from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.errors import InputError


@dataclass(frozen=True)
class SavedModels:
    """A front of models, the chosen one among them, and what each of them scored.

    Parameters
    ----------
    models
        At least one model; all have the same features and labels.
    chosen
        The number of the chosen model.
    scores
        For each model its scores by name, such as ``{"micro_f1": 0.6, "n_rules": 4}``.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> saved = SavedModels((model,), scores=({"micro_f1": 0.75},))
    >>> print(saved.model)
    ELSE {cheap}
    """

    models: tuple[Model, ...]
    chosen: int = 0
    scores: tuple[Mapping[str, float], ...] = ()

    def __post_init__(self) -> None:
        # Lists are welcome, but what is kept must not change.
        object.__setattr__(self, "models", tuple(self.models))
        object.__setattr__(self, "scores", _one_for_each(self.scores, len(self.models)))
        if not self.models:
            raise InputError("there is no model to save: pass at least one.")
        if any(model.schema != self.models[0].schema for model in self.models):
            raise InputError(
                "the models differ in their features or labels: save only models of the same"
                " data together."
            )
        if not 0 <= self.chosen < len(self.models):
            raise InputError(
                f"model number {self.chosen} cannot be the chosen one: there are"
                f" {len(self.models)} models, numbered from 0."
            )

    @property
    def model(self) -> Model:
        """The chosen model."""
        return self.models[self.chosen]


def as_saved(models: SavedModels | Model | Sequence[Model]) -> SavedModels:
    """One model or several as what a file holds."""
    if isinstance(models, SavedModels):
        return models
    return SavedModels((models,) if isinstance(models, Model) else tuple(models))


def _one_for_each(
    scores: Sequence[Mapping[str, float]], n_models: int
) -> tuple[Mapping[str, float], ...]:
    if not scores:
        return tuple({} for _ in range(n_models))
    if len(scores) != n_models:
        raise InputError(
            f"there are {len(scores)} scores for {n_models} models: pass one mapping for each"
            " model, or none at all."
        )
    return tuple(
        {str(name): _score(name, value) for name, value in entry.items()} for entry in scores
    )


def _score(name: str, value: Any) -> float:
    """A number as Python's own kind, whatever library it is from."""
    # A whole number that is too large for a float is as good as infinite.
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(value) and not isinstance(value, (bool, np.bool_)):
            return int(value) if isinstance(value, Integral) else float(value)
    raise InputError(f"the score {name!r} is {value!r}: scores must be finite numbers.")
