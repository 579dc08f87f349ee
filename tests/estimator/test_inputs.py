"""Targets, names, sparse and categorical data, and their validation."""

from collections import Counter
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import sparse
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import validation
from sklearn.utils.validation import check_array

from minotaur_pymoo import InputError, MinotaurClassifier
from minotaur_pymoo.data.table import InputTable
from tests.estimator.examples import GARDEN, mixed, quick


@pytest.mark.parametrize("kind", ["names", "numbers", "booleans"])
def test_classes_of_any_type_are_accepted(kind: str) -> None:
    iris = load_iris()
    classes = {
        "names": np.array(["setosa", "versicolor", "virginica"])[iris.target],
        "numbers": iris.target * 10 - 7,
        "booleans": iris.target == 1,
    }
    y = classes[kind]
    classifier = quick().fit(iris.data, y)
    predicted = classifier.predict(iris.data)
    assert predicted.dtype == y.dtype
    assert predicted.shape == y.shape
    assert classifier.score(iris.data, y) == np.mean(predicted == y)
    assert classifier.score(iris.data, y) > 0.8
    assert classifier.classes_.tolist() == np.unique(y).tolist()
    np.testing.assert_allclose(classifier.predict_proba(iris.data).sum(axis=1), 1)
    assert classifier.model_.schema.label_names == tuple(str(c) for c in np.unique(y))


def test_one_column_is_multilabel_only_if_binary() -> None:
    classifier = quick().fit(GARDEN.X, GARDEN.Y[:, :1])
    assert classifier.predict(GARDEN.X).shape == (200, 1)
    with pytest.warns(DataConversionWarning, match="column-vector"):
        classifier = quick().fit(GARDEN.X, GARDEN.Y[:, :1].astype(int) + 5)
    assert set(classifier.predict(GARDEN.X)) <= {5, 6}


def test_frame_columns_name_features_and_labels() -> None:
    X = pd.DataFrame(GARDEN.X, columns=GARDEN.feature_names)
    Y = pd.DataFrame(GARDEN.Y, columns=GARDEN.label_names)
    classifier = quick().fit(X, Y)
    assert classifier.feature_names_in_.tolist() == list(GARDEN.feature_names)
    assert classifier.model_.schema.label_names == GARDEN.label_names
    np.testing.assert_array_equal(
        classifier.predict(X), quick().fit(GARDEN.X, GARDEN.Y).predict(GARDEN.X)
    )
    assert classifier.explain(X.iloc[3]) == classifier.explain(GARDEN.X[3])
    assert classifier.explain(X.iloc[[3]]) == classifier.explain(GARDEN.X[3])
    with pytest.raises(ValueError, match="feature names"):
        classifier.predict(X[X.columns[::-1]])
    with pytest.raises(InputError, match="explain takes one instance"):
        classifier.explain(GARDEN.X[:2])


@pytest.mark.parametrize("form", [sparse.csr_matrix, sparse.lil_matrix, sparse.csc_array])
def test_sparse_data_give_the_same_model(form: type, fitted: MinotaurClassifier) -> None:
    classifier = quick().fit(form(GARDEN.X), form(GARDEN.Y))
    assert str(classifier.model_) == str(fitted.model_)
    np.testing.assert_array_equal(classifier.predict(form(GARDEN.X)), fitted.predict(GARDEN.X))
    assert classifier.score(form(GARDEN.X), form(GARDEN.Y)) == fitted.score(GARDEN.X, GARDEN.Y)


def test_categorical_features_and_missing_values_are_accepted() -> None:
    frame, Y = mixed()
    classifier = quick(n_gen=60).fit(frame, Y)
    assert classifier.score(frame, Y) > 0.85
    assert "colour i" in str(classifier.choose("best").model_)
    objects = frame.astype(object).to_numpy()
    listed = quick(n_gen=60, categorical_features=[0]).fit(objects, Y)
    assert listed.score(objects, Y) > 0.85
    unseen = pd.DataFrame({"colour": ["pink", None], "size": [1.0, np.nan]})
    assert classifier.predict(unseen).shape == (2, 2)
    assert classifier.explain(["pink", None]).startswith("no rule applies")


@pytest.mark.parametrize(
    ("X", "y"),
    [
        ([1.0, 2.0], [0, 1]),
        ([[1.0], [np.inf]], [0, 1]),
        ([[1.0], [{}]], [0, 1]),
        ([[1.0], [2.0]], [0.5, 1.5]),
        ([[1.0], [2.0]], [0]),
        ([[1.0, 2.0], [3.0]], [0, 1]),
        (None, [0, 1]),
    ],
)
def test_scikit_learn_errors_become_one_sentence(X: object, y: object) -> None:
    with pytest.raises(InputError) as caught:
        MinotaurClassifier(n_gen=1).fit(X, y)
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith(".")


def test_malformed_sparse_matrices_raise_input_error() -> None:
    X = sparse.csr_array(GARDEN.X)
    fitted = MinotaurClassifier(n_gen=1, pop_size=4).fit(X, GARDEN.Y)
    X.indices[3] = 2**30
    for use in (fitted.predict, lambda X: fitted.fit(X, GARDEN.Y)):
        with pytest.raises(InputError, match="X is a sparse matrix whose indices do not fit"):
            use(X)
    Y = sparse.csr_array(GARDEN.Y.shape)
    Y.indptr[1] = 2**30
    with pytest.raises(InputError, match="y is a sparse matrix whose indices do not fit"):
        fitted.fit(GARDEN.X, Y)


def test_names_passed_to_fit_are_used_in_the_rules() -> None:
    names = {"feature_names": GARDEN.feature_names, "label_names": GARDEN.label_names}
    schema = quick(n_gen=1).fit(GARDEN.X, GARDEN.Y, **names).model_.schema
    assert schema.feature_names == GARDEN.feature_names
    assert schema.label_names == GARDEN.label_names
    classes = quick(n_gen=1).fit(GARDEN.X, GARDEN.Y[:, 0], label_names=["no", "yes"])
    assert classes.model_.schema.label_names == ("no", "yes")
    with pytest.raises(InputError, match="label_names has 1 names, but there are 5 labels"):
        quick(n_gen=1).fit(GARDEN.X, GARDEN.Y, label_names=["rose"])


@pytest.mark.parametrize("choice", ["near-best", "cv", "validation"])
@pytest.mark.parametrize("categorical", [False, True])
def test_fit_validates_each_table_once(
    choice: str, categorical: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Numeric features are validated by scikit-learn, tables with categories by InputTable."""
    calls: Counter[str] = Counter()
    init = InputTable.__init__

    def counting_init(self: InputTable, table: Any, name: str = "X", columns: str = "") -> None:
        calls[f"InputTable {name}"] += 1
        init(self, table, name, columns)

    def counting_check(array: Any, *args: Any, input_name: str = "", **options: Any) -> Any:
        # The stand-in for a table with categories has a single column.
        calls[f"check_array {input_name}"] += np.shape(array)[1:] == np.shape(X)[1:]
        return check_array(array, *args, input_name=input_name, **options)

    X, Y = mixed() if categorical else (GARDEN.X, GARDEN.Y)
    monkeypatch.setattr(InputTable, "__init__", counting_init)
    monkeypatch.setattr(validation, "check_array", counting_check)
    # The trees behind soft labels and combined features are scikit-learn's, and validate their
    # own input.
    quick(n_gen=3, choice=choice, n_runs=2, soft_labels=False, combine=False).fit(X, Y)
    assert calls["InputTable X"] + calls["check_array X"] == 1
    assert calls["InputTable Y"] == 1


def test_signalling_nan_is_one_sentence() -> None:
    Y = np.array([[Decimal("sNaN"), 0], [1, 0], [0, 1]], dtype=object)
    with pytest.raises(InputError, match="holds a signalling NaN: replace it with NaN"):
        quick(n_gen=1).fit([[1], [2], [3]], Y)
