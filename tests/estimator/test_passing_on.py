"""A classifier stands for its model or its front wherever one is expected."""

from pathlib import Path

import pytest
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import GridSearchCV

from minotaur_pymoo import InputError, MinotaurClassifier, RuleSet, export, load_demo, plots
from minotaur_pymoo.data import TrainingData

GARDEN = load_demo(150)


@pytest.fixture(scope="module")
def fitted() -> MinotaurClassifier:
    return MinotaurClassifier(n_gen=5, random_state=1).fit(GARDEN.X, GARDEN.Y)


def test_classifiers_are_exported_as_their_model_or_front(
    fitted: MinotaurClassifier, tmp_path: Path
) -> None:
    for write in (export.to_text, export.to_markdown, export.to_latex):
        assert write(fitted) == write(fitted.model_) == write(fitted.saved())
    assert export.to_frame(fitted).equals(export.to_frame(fitted.model_))
    export.save(tmp_path / "front.json", fitted)
    assert export.load(tmp_path / "front.json") == fitted.saved()
    assert export.to_json(fitted) == export.to_json(fitted.saved())
    assert export.front_page(fitted) == export.front_page(fitted.saved())


def test_rule_sets_are_exported_as_their_model(fitted: MinotaurClassifier) -> None:
    rule_set = RuleSet.from_model(fitted.model_, TrainingData(GARDEN.X, GARDEN.Y))
    assert export.to_text(rule_set) == export.to_text(fitted)
    assert export.to_json(rule_set) == export.to_json(fitted.model_)


def test_classifiers_are_plotted(fitted: MinotaurClassifier) -> None:
    axes = plots.plot_front(fitted)
    assert axes.get_legend_handles_labels()[1] == [
        "training",
        "chosen",
        "expected (soft labels)",
    ]
    assert plots.plot_boxes(fitted, (GARDEN.X, GARDEN.Y)).patches
    assert plots.plot_frequencies(fitted) is not None


@pytest.mark.parametrize(
    "function",
    [export.to_text, export.to_json, export.front_page, export.to_frame, plots.plot_frequencies],
)
def test_what_has_no_model_is_refused(function: object) -> None:
    with pytest.raises(InputError, match="this MinotaurClassifier is not fitted: call fit first"):
        function(MinotaurClassifier())
    with pytest.raises(InputError, match=r"a model is expected, not 'rules\.json': pass a Model"):
        function("rules.json")


@pytest.mark.parametrize(
    ("estimator", "name"),
    [
        (GridSearchCV(MinotaurClassifier(), {}), "GridSearchCV"),
        (RandomForestClassifier(), "RandomForestClassifier"),
        (MinotaurClassifier, "the class MinotaurClassifier"),
    ],
)
def test_other_estimators_are_no_models(estimator: object, name: str) -> None:
    with pytest.raises(InputError, match=rf"a model is expected, not {name}"):
        export.to_text(estimator)


def test_what_has_no_front_is_refused() -> None:
    with pytest.raises(InputError, match="a fitted classifier or a mapping of columns is expected"):
        plots.plot_front(MinotaurClassifier())
