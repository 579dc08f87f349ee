"""Weights and unknown labels in the classifier."""

import numpy as np
import pandas as pd
import pytest
import sklearn
from numpy.typing import ArrayLike
from sklearn.metrics import accuracy_score, f1_score, recall_score
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils.class_weight import compute_sample_weight
from sklearn.utils.fixes import parse_version

from minotaur_pymoo import InputError, MinotaurClassifier, check_model, export
from tests.estimator.examples import GARDEN, quick

X, Y = GARDEN.X, GARDEN.Y
WEIGHTS = np.random.default_rng(0).integers(0, 4, len(X)).astype(float)
CLASSES = np.where(X[:, 0] > np.median(X[:, 0]), "old", "new")


def with_unknown(share: float = 0.3) -> np.ndarray:
    draws = np.random.default_rng(1)
    labels = Y.astype(float)
    labels[draws.random(labels.shape) < share] = np.nan
    labels[::7] = np.nan
    return labels


def test_score_is_weighted_micro_f1(fitted: MinotaurClassifier) -> None:
    predicted = fitted.predict(X)
    expected = f1_score(Y, predicted, average="micro", sample_weight=WEIGHTS)
    assert fitted.score(X, Y, sample_weight=WEIGHTS) == pytest.approx(expected)
    assert fitted.score(X, Y, sample_weight=np.ones(len(X))) == fitted.score(X, Y)
    labels = with_unknown()
    known = ~np.isnan(labels)
    expected = f1_score(Y[known], predicted[known])
    assert fitted.score(X, labels) == pytest.approx(expected)


def test_score_of_classes_is_weighted_accuracy() -> None:
    classifier = quick(n_gen=5).fit(X, CLASSES, sample_weight=WEIGHTS)
    predicted = classifier.predict(X)
    expected = accuracy_score(CLASSES, predicted, sample_weight=WEIGHTS)
    assert classifier.score(X, CLASSES, WEIGHTS) == pytest.approx(expected)
    some = CLASSES.astype(object)
    some[:50] = None
    expected = accuracy_score(CLASSES[50:], predicted[50:], sample_weight=WEIGHTS[50:])
    assert classifier.score(X, some, WEIGHTS) == pytest.approx(expected)


@pytest.mark.parametrize("choice", ["auto", "cv", "validation"])
def test_front_and_held_out_scores_are_weighted(choice: str) -> None:
    labels = with_unknown()
    classifier = quick(choice=choice, n_gen=6, class_weight={"y1": 2.5})
    classifier.fit(X, labels, sample_weight=WEIGHTS)
    assert set(np.unique(classifier.predict(X))) <= {0, 1}
    assert np.isfinite(classifier.predict_proba(X)).all()
    for column in classifier.front_.values():
        assert np.isfinite(column).all()
    if choice != "validation":
        check_model(classifier, X, labels, sample_weight=WEIGHTS)
        saved = classifier.saved()
        assert export.from_json(export.to_json(saved)).models == saved.models
        assert "<title>" in export.front_page(saved, test=(X, labels))


def test_front_holds_the_weighted_score_of_each_model() -> None:
    classifier = quick(choice="best", n_gen=6).fit(X, Y, sample_weight=WEIGHTS)
    for model, score in zip(classifier.models_, classifier.front_["micro_f1"], strict=True):
        expected = f1_score(Y, model.predict(X), average="micro", sample_weight=WEIGHTS)
        assert score == pytest.approx(expected)


def test_instances_of_weight_zero_are_left_out() -> None:
    kept = WEIGHTS > 0
    one = quick(choice="best", n_gen=5).fit(X, Y, sample_weight=kept)
    two = quick(choice="best", n_gen=5).fit(X[kept], Y[kept])
    assert one.models_ == two.models_


def test_equal_weights_change_nothing() -> None:
    one = quick(choice="best", n_gen=5).fit(X, Y, sample_weight=np.full(len(X), 0.3))
    two = quick(choice="best", n_gen=5).fit(X, Y)
    assert one.models_ == two.models_


def test_heavy_instances_decide() -> None:
    values = np.arange(100.0)[:, None]
    labels = (np.arange(100) % 2)[:, None]
    for heavy in (0, 1):
        weights = np.where(labels[:, 0] == heavy, 50.0, 1.0)
        classifier = quick(choice="best", n_gen=5, soft_labels=False)
        classifier.fit(values, labels, sample_weight=weights)
        assert classifier.predict_proba(values)[:, 0].round().mean() == heavy


def rare_label(n: int = 1000) -> tuple[np.ndarray, np.ndarray]:
    """A label of half of the instances, and one of few, each behind a feature with noise."""
    draws = np.random.default_rng(3)
    values = draws.normal(size=(n, 4))
    noise = draws.normal(scale=0.6, size=(n, 2))
    return values, np.column_stack(
        [values[:, 0] + noise[:, 0] > 0, values[:, 1] + noise[:, 1] > 2.1]
    ).astype(int)


def test_balanced_labels_raise_the_recall_of_rare_ones() -> None:
    values, labels = rare_label()
    recalls = []
    for class_weight in (None, "balanced"):
        classifier = quick(choice="best", max_rules=2, class_weight=class_weight)
        predicted = classifier.fit(values, labels).predict(values)
        recalls.append(recall_score(labels[:, 1], predicted[:, 1], zero_division=0))
    assert recalls[1] > recalls[0] + 0.2


def test_class_weight_of_classes_weighs_their_instances() -> None:
    one = quick(choice="best", n_gen=5, class_weight={"old": 3}).fit(X, CLASSES)
    weights = np.where(CLASSES == "old", 3.0, 1.0)
    two = quick(choice="best", n_gen=5).fit(X, CLASSES, sample_weight=weights)
    assert one.models_ == two.models_
    check_model(one, X, CLASSES)
    rare = np.where(X[:, 0] > np.quantile(X[:, 0], 0.9), "rare", CLASSES)
    three = quick(choice="best", n_gen=5, class_weight="balanced").fit(X, rare)
    weights = compute_sample_weight("balanced", rare)
    four = quick(choice="best", n_gen=5).fit(X, rare, sample_weight=weights)
    assert [str(model) for model in three.models_] == [str(model) for model in four.models_]


@pytest.mark.parametrize("search", ["guided", "paper"])
def test_unknown_labels_have_no_influence(search: str) -> None:
    labels = with_unknown()
    frame = pd.DataFrame(labels, columns=list("abcde"))
    one = quick(choice="best", n_gen=5, search=search).fit(X, labels)
    two = quick(choice="best", n_gen=5, search=search).fit(X, frame.astype("Int64"))
    assert [str(model) for model in two.models_] == [
        str(model)
        .replace("y0", "a")
        .replace("y1", "b")
        .replace("y2", "c")
        .replace("y3", "d")
        .replace("y4", "e")
        for model in one.models_
    ]
    assert one.predict(X).dtype == np.int64
    check_model(one, X, labels)


def test_unknown_classes() -> None:
    for unknown in (None, np.nan):
        some = CLASSES.astype(object)
        some[::3] = unknown
        classifier = quick(choice="best", n_gen=5).fit(X, some)
        assert classifier.classes_.tolist() == ["new", "old"]
        assert classifier.score(X, CLASSES) > 0.9
    numbers = (CLASSES == "old").astype(float)
    numbers[::3] = np.nan
    assert quick(choice="best", n_gen=5).fit(X, numbers).classes_.tolist() == [0, 1]
    with pytest.raises(InputError, match="every class in y is unknown"):
        quick().fit(X, np.full(len(X), np.nan))


def test_unlabelled_rows_help_through_soft_labels() -> None:
    labels = Y.astype(float)
    labels[60:] = np.nan
    classifier = quick(choice="best", n_gen=10).fit(X, labels)
    assert classifier.model_.n_instances == len(X)
    assert sum(region.weights[0] for region in classifier.model_.regions) == 60
    assert "expected_micro_f1" in classifier.front_


@pytest.fixture
def routing() -> object:
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.mark.usefixtures("routing")
def test_metadata_routing() -> None:
    classifier = quick(n_gen=3, choice="best")
    classifier.set_fit_request(sample_weight=True).set_score_request(sample_weight=True)
    scaler = StandardScaler().set_fit_request(sample_weight=True)
    pipeline = make_pipeline(scaler, classifier)
    params = {"sample_weight": WEIGHTS}
    pipeline.fit(X, Y, **params)
    weighted = pipeline.score(X, Y, **params)
    assert weighted == pytest.approx(
        f1_score(Y, pipeline.predict(X), average="micro", sample_weight=WEIGHTS)
    )
    if parse_version(sklearn.__version__) < parse_version("1.8"):
        pytest.skip("scikit-learn cannot route the score of a pipeline yet")
    scores = cross_validate(pipeline, X, Y, params=params, cv=2)["test_score"]
    assert np.isfinite(scores).all()
    grid = GridSearchCV(pipeline, {"minotaurclassifier__class_weight": [None, "balanced"]}, cv=2)
    grid.fit(X, Y, **params)
    assert np.isfinite(grid.best_score_)


@pytest.mark.parametrize(
    ("weights", "sentence"),
    [
        (WEIGHTS[1:], r"sample_weight has the shape \(199,\), but there are 200 instances"),
        (-WEIGHTS, "weights must be finite and not negative"),
        (np.zeros(len(X)), "sample_weight is zero everywhere"),
    ],
)
def test_wrong_weights_are_rejected(weights: ArrayLike, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        quick().fit(X, Y, sample_weight=weights)
    fitted = quick(n_gen=1, choice="best").fit(X, Y)
    with pytest.raises(InputError, match=sentence):
        fitted.score(X, Y, sample_weight=weights)


@pytest.mark.parametrize(
    ("class_weight", "target", "sentence"),
    [
        ("even", Y, "class_weight must be 'balanced', a dict or one weight for each label"),
        ({"y9": 2}, Y, "class_weight names 'y9', which is not a label: the labels are y0, y1"),
        ({"older": 2}, CLASSES, "class_weight names 'older', which is not a label"),
        ([1, 2], Y, r"class_weight has the shape \(2,\), but there are 5 labels"),
    ],
)
def test_wrong_class_weights_are_rejected(
    class_weight: object, target: np.ndarray, sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        quick(class_weight=class_weight).fit(X, target)


def test_labels_that_are_never_known_are_rejected() -> None:
    labels = Y.astype(float)
    labels[:, 2] = np.nan
    with pytest.raises(InputError, match="the label 'y2' is unknown"):
        quick().fit(X, labels)
    with pytest.raises(InputError, match="every label in Y is unknown"):
        quick(n_gen=1).fit(X, Y).score(X, np.full(Y.shape, np.nan))
