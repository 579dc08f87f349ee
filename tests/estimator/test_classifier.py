"""The classifier as a scikit-learn estimator."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.estimator_checks import estimator_checks_generator
from skmultilearn.problem_transform import BinaryRelevance, LabelPowerset

from minotaur_pymoo import InputError, MinotaurClassifier
from minotaur_pymoo.support.metrics import METRICS, micro_f1
from tests.estimator.examples import GARDEN, quick
from tests.tools.processes import output_of

# The search draws instances at random, so that repeating one is not the same as weighing it twice.
# Counts, scores and consequents are the same: see tests/rules/test_weighted.py.
EXPECTED_FAILURES = {
    f"check_sample_weight_equivalence_on_{kind}_data": "the search draws instances at random"
    for kind in ("dense", "sparse")
}
CHECKS = list(
    estimator_checks_generator(
        MinotaurClassifier(n_gen=8), expected_failed_checks=EXPECTED_FAILURES, mark="skip"
    )
)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.SkipTestWarning")
@pytest.mark.parametrize(
    "number", range(len(CHECKS)), ids=[getattr(c[1], "func", c[1]).__name__ for c in CHECKS]
)
def test_scikit_learns_estimator_checks_pass(number: int) -> None:
    estimator, check = CHECKS[number]
    with warnings.catch_warnings():
        # The checks provoke warnings on purpose and catch them.
        warnings.simplefilter("default")
        check(estimator)


def test_predictions_probabilities_paths_and_explanations_agree(fitted: MinotaurClassifier) -> None:
    predicted = fitted.predict(GARDEN.X)
    assert predicted.shape == GARDEN.Y.shape
    assert predicted.dtype == GARDEN.Y.dtype
    assert fitted.score(GARDEN.X, GARDEN.Y) == pytest.approx(micro_f1(GARDEN.Y, predicted))
    proba = fitted.predict_proba(GARDEN.X)
    path = fitted.decision_path(GARDEN.X).toarray()
    assert path.shape == (200, fitted.model_.n_rules + 1)
    assert (path.sum(axis=1) == 1).all()
    regions = (*fitted.model_.rules, fitted.model_.default)
    overall = np.sum([region.counts for region in regions], axis=0) / fitted.model_.n_instances
    for x, row, fired in zip(GARDEN.X, proba, path.argmax(axis=1), strict=True):
        region = regions[fired]
        expected = (np.array(region.counts) + overall) / (region.n_covered + 1)
        np.testing.assert_allclose(row, expected)
        sentence = fitted.explain(x)
        default = fired == fitted.model_.n_rules
        assert sentence.startswith("no rule applies") if default else sentence == str(region)


def test_front_has_one_entry_per_model_and_score(fitted: MinotaurClassifier) -> None:
    table = pd.DataFrame(fitted.front_)
    assert list(table) == [
        "micro_f1",
        "n_rules",
        "expected_micro_f1",
        "validation_micro_f1",
        "validation_error",
    ]
    assert len(table) == len(fitted.models_)
    assert table["n_rules"].is_monotonic_increasing
    assert table["expected_micro_f1"].is_monotonic_increasing
    assert table["n_rules"].tolist() == [model.n_rules for model in fitted.models_]


def test_choose_changes_the_model_without_refitting(fitted: MinotaurClassifier) -> None:
    classifier = pickle.loads(pickle.dumps(fitted))
    models = classifier.models_
    assert classifier.choose("best") is classifier
    assert classifier.chosen_ == len(models) - 1
    assert classifier.model_ is models[-1]
    assert classifier.choose("best", max_rules=1).model_.n_rules == 1
    assert classifier.choose([0.0, 1.0]).model_.n_rules == models[0].n_rules
    assert classifier.models_ is models
    with pytest.raises(InputError, match="needs scores on held-out data"):
        quick(choice="best").fit(GARDEN.X, GARDEN.Y).choose("validation")
    with pytest.raises(NotFittedError):
        quick().choose("best")


def test_works_in_pipelines_grid_search_and_cross_validation() -> None:
    classifier = quick(max_rules=5)
    assert clone(classifier).get_params() == classifier.get_params()
    pipeline = make_pipeline(StandardScaler().set_output(transform="pandas"), quick())
    pipeline.fit(pd.DataFrame(GARDEN.X, columns=GARDEN.feature_names), GARDEN.Y)
    assert pipeline[-1].feature_names_in_.tolist() == list(GARDEN.feature_names)
    grid = GridSearchCV(
        make_pipeline(StandardScaler(), quick()),
        {"minotaurclassifier__min_coverage": [5, 20]},
        cv=2,
    ).fit(GARDEN.X, GARDEN.Y)
    assert grid.best_params_["minotaurclassifier__min_coverage"] in (5, 20)
    scores = cross_val_score(quick(), GARDEN.X, GARDEN.Y, cv=3)
    assert (scores > 0.4).all()


def test_works_in_scikit_multilearn_transformations() -> None:
    for transformation in (BinaryRelevance, LabelPowerset):
        ensemble = transformation(quick(n_gen=10), require_dense=[True, True])
        ensemble.fit(GARDEN.X, GARDEN.Y)
        assert ensemble.predict(GARDEN.X).shape == GARDEN.Y.shape


def test_front_has_the_given_objectives() -> None:
    objectives = ["hamming_loss", "n_tests"]
    classifier = quick(objectives=objectives, choice="best", soft_labels=False)
    classifier.fit(GARDEN.X, GARDEN.Y)
    assert list(classifier.front_) == ["hamming_loss", "n_tests"]
    best = classifier.predict(GARDEN.X)
    expected = classifier.front_["hamming_loss"].min()
    assert METRICS["hamming_loss"](GARDEN.Y, best) == pytest.approx(expected)


def test_verbose_prints_generations_or_a_progress_bar(capsys: pytest.CaptureFixture[str]) -> None:
    quick(n_gen=3, verbose=True).fit(GARDEN.X, GARDEN.Y)
    assert "its rules" in capsys.readouterr().out
    script = "MinotaurClassifier(n_gen=3, verbose='progress').fit(garden.X, garden.Y)"
    assert "100%" in output_of(script)
    quick(n_gen=3).fit(GARDEN.X, GARDEN.Y)
    assert capsys.readouterr().out == ""


def test_score_rejects_other_labels() -> None:
    fitted = MinotaurClassifier(n_gen=1, pop_size=4).fit(GARDEN.X, GARDEN.Y)
    assert fitted.score(GARDEN.X, sparse.csr_array(GARDEN.Y)) == fitted.score(GARDEN.X, GARDEN.Y)
    for Y, sentence in (
        (GARDEN.Y * 0.5, "every entry must be 0"),
        (-GARDEN.Y.astype(int), "every entry must be 0"),
        (GARDEN.Y[1:], "pass one row of labels for each instance"),
        (GARDEN.Y[:, :1], "Y has 1 labels, but the model has 5"),
    ):
        with pytest.raises(InputError, match=sentence):
            fitted.score(GARDEN.X, Y)
