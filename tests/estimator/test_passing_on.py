"""A classifier stands for its model or its front wherever one is expected."""

from pathlib import Path

import pytest

from minotaur_pymoo import InputError, MinotaurClassifier, RuleSet, export, load_demo, plots
from minotaur_pymoo.data import TrainingData

GARDEN = load_demo(150)
FITTED = MinotaurClassifier(n_gen=5, random_state=1).fit(GARDEN.X, GARDEN.Y)


def test_classifiers_are_exported_as_their_model_or_front(tmp_path: Path) -> None:
    for write in (export.to_text, export.to_markdown, export.to_latex):
        assert write(FITTED) == write(FITTED.model_) == write(FITTED.saved())
    assert export.to_frame(FITTED).equals(export.to_frame(FITTED.model_))
    export.save(tmp_path / "front.json", FITTED)
    assert export.load(tmp_path / "front.json") == FITTED.saved()
    assert export.to_json(FITTED) == export.to_json(FITTED.saved())
    assert export.front_page(FITTED) == export.front_page(FITTED.saved())


def test_rule_sets_are_exported_as_their_model() -> None:
    rule_set = RuleSet.from_model(FITTED.model_, TrainingData(GARDEN.X, GARDEN.Y))
    assert export.to_text(rule_set) == export.to_text(FITTED)
    assert export.to_json(rule_set) == export.to_json(FITTED.model_)


def test_classifiers_are_plotted() -> None:
    axes = plots.plot_front(FITTED)
    assert axes.get_legend_handles_labels()[1] == [
        "training",
        "chosen",
        "expected (soft labels)",
    ]
    assert plots.plot_boxes(FITTED, (GARDEN.X, GARDEN.Y)).patches
    assert plots.plot_frequencies(FITTED) is not None


@pytest.mark.parametrize(
    "function",
    [export.to_text, export.to_json, export.front_page, export.to_frame, plots.plot_frequencies],
)
def test_what_has_no_model_is_refused(function: object) -> None:
    with pytest.raises(InputError, match="this MinotaurClassifier is not fitted: call fit first"):
        function(MinotaurClassifier())
    with pytest.raises(InputError, match=r"a model is expected, not 'rules\.json': pass a Model"):
        function("rules.json")


def test_what_has_no_front_is_refused() -> None:
    with pytest.raises(InputError, match="a fitted classifier or a mapping of columns is expected"):
        plots.plot_front(MinotaurClassifier())
