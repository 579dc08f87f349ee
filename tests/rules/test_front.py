import math

import pytest

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.rules import ModelRule


def model_on(feature: str) -> Model:
    return Model(Schema((feature,), ("aged",)), (), ModelRule((), (), 4, (3,)))


MODEL = model_on("age")


def test_models_of_different_data_are_rejected() -> None:
    with pytest.raises(InputError, match="differ in their features or labels"):
        SavedModels((MODEL, model_on("price")))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (((),), "models is empty"),
        (((MODEL,), 1), "chosen is 1, but there are 1 models: pass an index from 0 to 0"),
        (((MODEL,), -1), "chosen is -1"),
        (((MODEL,), 0, ({}, {})), "scores has 2 entries for 1 models"),
        (((MODEL,), 0, ({"f": math.nan},)), "the score 'f' is nan: scores must be finite"),
        (((MODEL,), 0, ({"f": "high"},)), "the score 'f' is 'high'"),
        (((MODEL,), 0, ({"f": True},)), "the score 'f' is True"),
        (((MODEL,), 0, ({"f": 10**400},)), "scores must be finite"),
    ],
)
def test_invalid_arguments_are_rejected(arguments: tuple, message: str) -> None:
    with pytest.raises(InputError, match=message):
        SavedModels(*arguments)


def test_later_changes_to_the_arguments_have_no_effect() -> None:
    models, scores = [MODEL], [{"micro_f1": 0.5}]
    saved = SavedModels(models, 0, scores)
    models.clear()
    scores[0]["micro_f1"] = 0.9
    assert saved.models == (MODEL,)
    assert saved.scores == ({"micro_f1": 0.5},)
