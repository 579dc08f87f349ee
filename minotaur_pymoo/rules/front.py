"""A front of models with their scores and the chosen one: the content of a saved file."""

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
from minotaur_pymoo.support.messages import short_repr


@dataclass(frozen=True)
class SavedModels:
    """Models of the same data, the chosen one among them, and their scores.

    Parameters
    ----------
    models
        At least one model; all must have the same features and labels.
    chosen
        Index of the chosen model.
    scores
        One mapping per model from the name of a score to its value, such as
        ``{"micro_f1": 0.6, "n_rules": 4}``; empty for no scores.

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
        # Copy lists and mappings, which the caller could change later.
        object.__setattr__(self, "models", tuple(self.models))
        object.__setattr__(self, "scores", _check_scores(self.scores, len(self.models)))
        if not self.models:
            raise InputError("models is empty: pass at least one model.")
        if any(model.schema != self.models[0].schema for model in self.models):
            raise InputError(
                "the models differ in their features or labels: pass models of the same data."
            )
        if not 0 <= self.chosen < len(self.models):
            raise InputError(
                f"chosen is {self.chosen}, but there are {len(self.models)} models: pass an index"
                f" from 0 to {len(self.models) - 1}."
            )

    @property
    def model(self) -> Model:
        """The chosen model."""
        return self.models[self.chosen]


def as_saved(models: Any) -> SavedModels:
    """The models of anything that holds some, as `SavedModels`.

    Parameters
    ----------
    models
        A model, a rule set, a fitted classifier, or a sequence of models, of which the first is the
        chosen one.
    """
    if isinstance(models, SavedModels):
        return models
    if hasattr(models, "models_"):
        saved: SavedModels = models.saved()
        return saved
    if isinstance(models, (list, tuple)):
        return SavedModels(tuple(as_model(model) for model in models))
    return SavedModels((as_model(models),))


def as_model(source: Any) -> Model:
    """The model of anything that has one.

    Parameters
    ----------
    source
        A model, a rule set, saved models, of which it is the chosen one, or a fitted classifier.

    Examples
    --------
    >>> as_model("rules.json")
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: a model is expected, not 'rules.json': pass a Model, \
a RuleSet such as res.X[0, 0], saved models or a fitted classifier.
    """
    for model in (source, getattr(source, "model", None), getattr(source, "model_", None)):
        if isinstance(model, Model):
            return model
    # Of the estimators, only this package's holds models; others are no model, fitted or not.
    if hasattr(source, "get_params") and hasattr(source, "saved") and not isinstance(source, type):
        raise InputError(f"this {type(source).__name__} is not fitted: call fit first.")
    raise InputError(
        f"a model is expected, not {short_repr(source)}: pass a Model, a RuleSet such as"
        " res.X[0, 0], saved models or a fitted classifier."
    )


def _check_scores(
    scores: Sequence[Mapping[str, float]], n_models: int
) -> tuple[Mapping[str, float], ...]:
    if not scores:
        return tuple({} for _ in range(n_models))
    if len(scores) != n_models:
        raise InputError(
            f"scores has {len(scores)} entries for {n_models} models: pass one mapping per model,"
            " or none at all."
        )
    return tuple(
        {str(name): _score(name, value) for name, value in entry.items()} for entry in scores
    )


def _score(name: str, value: Any) -> float:
    """Convert a score of any numeric type to a Python number."""
    # isfinite raises OverflowError for an integer that no float can hold.
    with contextlib.suppress(TypeError, ValueError, OverflowError):
        if math.isfinite(value) and not isinstance(value, (bool, np.bool_)):
            return int(value) if isinstance(value, Integral) else float(value)
    raise InputError(
        f"the score {short_repr(name)} is {short_repr(value)}: scores must be finite numbers."
    )
