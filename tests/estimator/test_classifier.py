import pickle
import warnings
from collections import Counter
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pymoo.algorithms.moo.spea2 import SPEA2
from scipy import sparse
from sklearn.base import clone
from sklearn.datasets import load_iris
from sklearn.exceptions import DataConversionWarning, NotFittedError
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.utils import validation
from sklearn.utils.estimator_checks import estimator_checks_generator
from sklearn.utils.validation import check_array
from skmultilearn.problem_transform import BinaryRelevance, LabelPowerset

from minotaur_pymoo import MINOTAUR, InputError, MinotaurClassifier, load_demo, rule_set_operators
from minotaur_pymoo.data.table import InputTable
from minotaur_pymoo.support.metrics import METRICS, micro_f1
from tests.tools.processes import output_of

GARDEN = load_demo(200)


def quick(**arguments: object) -> MinotaurClassifier:
    defaults = {"n_gen": 30, "random_state": 1, "choice": "validation"}
    return MinotaurClassifier(**{**defaults, **arguments})


@pytest.fixture(scope="module")
def fitted() -> MinotaurClassifier:
    return quick().fit(GARDEN.X, GARDEN.Y)


CHECKS = list(estimator_checks_generator(MinotaurClassifier(n_gen=8)))


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


def test_default_choice_is_the_smallest_near_best_model() -> None:
    classifier = MinotaurClassifier(n_gen=30, random_state=1).fit(GARDEN.X, GARDEN.Y)
    expected, n_rules = classifier.front_["expected_micro_f1"], classifier.front_["n_rules"]
    near = expected >= 0.995 * expected.max()
    assert classifier.model_.n_rules == n_rules[near].min()
    # front_ has scores on the hard labels.
    scores = [micro_f1(GARDEN.Y, model.predict(GARDEN.X)) for model in classifier.models_]
    assert classifier.front_["micro_f1"].tolist() == pytest.approx(scores)


def test_large_data_are_searched_without_soft_labels() -> None:
    many = load_demo(20_001)
    classifier = MinotaurClassifier(n_gen=2, random_state=1).fit(many.X, many.Y)
    assert list(classifier.front_) == ["micro_f1", "n_rules"]
    near = classifier.front_["micro_f1"] >= 0.995 * classifier.front_["micro_f1"].max()
    assert classifier.model_.n_rules == classifier.front_["n_rules"][near].min()


def test_soft_labels_and_simplification_can_be_switched_off() -> None:
    plain = quick(choice="best", soft_labels=False, simplify=False).fit(GARDEN.X, GARDEN.Y)
    assert list(plain.front_) == ["micro_f1", "n_rules"]
    simple = quick(choice="best", soft_labels=False, simplify=True).fit(GARDEN.X, GARDEN.Y)
    assert simple.model_.n_tests < plain.model_.n_tests
    assert simple.front_["micro_f1"].max() > plain.front_["micro_f1"].max() - 0.02
    paper = quick(search="paper").fit(GARDEN.X, GARDEN.Y)
    assert "expected_micro_f1" not in paper.front_


def test_models_are_made_without_the_held_out_part() -> None:
    classifier = quick(validation_fraction=0.4).fit(GARDEN.X, GARDEN.Y)
    assert {model.n_instances for model in classifier.models_} == {120}
    assert {
        model.n_instances for model in quick(choice="best").fit(GARDEN.X, GARDEN.Y).models_
    } == {200}


def test_cv_compares_sizes_on_left_out_data() -> None:
    arguments = {"choice": "cv", "n_gen": 30, "random_state": 1}
    classifier = MinotaurClassifier(**arguments).fit(GARDEN.X, GARDEN.Y)
    assert list(classifier.front_) == ["micro_f1", "n_rules", "expected_micro_f1", "cv_micro_f1"]
    # Models are made from all data; scores are those of others of their size on left-out data.
    assert {model.n_instances for model in classifier.models_} == {200}
    train, unseen = classifier.front_["micro_f1"], classifier.front_["cv_micro_f1"]
    assert unseen.mean() < train.mean()
    assert unseen[classifier.chosen_] > unseen.max() - 0.05
    again = MinotaurClassifier(**arguments, n_jobs=2).fit(GARDEN.X, GARDEN.Y)
    assert again.front_["cv_micro_f1"].tolist() == unseen.tolist()
    with pytest.raises(InputError, match="n_cv_folds must be at least 2, not 1"):
        MinotaurClassifier(choice="cv", n_gen=2, n_cv_folds=1).fit(GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize("generation", [5, 38])
def test_on_interrupt_keeps_the_front_or_raises(
    generation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The search has 31 generations with the initial one, and cross-validation follows.
    calls = iter(range(1000))
    advance = MINOTAUR.next

    def interrupted(algorithm: MINOTAUR) -> None:
        if next(calls) == generation:
            raise KeyboardInterrupt
        advance(algorithm)

    monkeypatch.setattr(MINOTAUR, "next", interrupted)
    classifier = quick(choice="cv", on_interrupt="keep").fit(GARDEN.X, GARDEN.Y)
    assert classifier.interrupted_
    assert classifier.model_ is classifier.models_[-1]
    assert classifier.predict(GARDEN.X).shape == GARDEN.Y.shape
    calls = iter(range(1000))
    with pytest.raises(KeyboardInterrupt):
        quick(choice="cv").fit(GARDEN.X, GARDEN.Y)


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


def test_same_seed_gives_the_same_models(fitted: MinotaurClassifier) -> None:
    again = quick().fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in again.models_] == [str(model) for model in fitted.models_]
    other = quick(random_state=2).fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in other.models_] != [str(model) for model in fitted.models_]


def test_merged_runs_do_not_depend_on_n_jobs() -> None:
    one = quick(choice="best").fit(GARDEN.X, GARDEN.Y)
    alone = quick(choice="best", n_runs=3).fit(GARDEN.X, GARDEN.Y)
    spread = quick(choice="best", n_runs=3, n_jobs=2).fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in alone.models_] == [str(model) for model in spread.models_]
    assert alone.front_["micro_f1"].max() >= one.front_["micro_f1"].max()
    sizes = alone.front_["n_rules"].tolist()
    assert sizes == sorted(set(sizes))


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


def mixed(n: int = 200) -> tuple[pd.DataFrame, np.ndarray]:
    """Numbers, categories and missing values; a label depends on the colour, the other on size."""
    draws = np.random.default_rng(0)
    colour = draws.choice(["red", "blue", "green", "grey"], n)
    size = draws.normal(size=n).round(2)
    Y = np.column_stack([np.isin(colour, ["red", "blue"]), size > 0]).astype(int)
    frame = pd.DataFrame({"colour": pd.Categorical(colour), "size": size})
    frame.loc[draws.choice(n, 10, replace=False), "colour"] = None
    frame.loc[draws.choice(n, 10, replace=False), "size"] = np.nan
    return frame, Y


def test_categorical_features_and_missing_values_are_accepted() -> None:
    frame, Y = mixed()
    classifier = quick(n_gen=60).fit(frame, Y)
    assert classifier.score(frame, Y) > 0.85
    assert "colour in {" in str(classifier.choose("best").model_)
    objects = frame.astype(object).to_numpy()
    listed = quick(n_gen=60, categorical_features=[0]).fit(objects, Y)
    assert listed.score(objects, Y) > 0.85
    unseen = pd.DataFrame({"colour": ["pink", None], "size": [1.0, np.nan]})
    assert classifier.predict(unseen).shape == (2, 2)
    assert classifier.explain(["pink", None]).startswith("no rule applies")


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


def test_other_algorithms_can_search() -> None:
    spea = SPEA2(pop_size=20, n_offsprings=10, **rule_set_operators())
    with warnings.catch_warnings():
        # SPEA2 divides by the range of an objective that has none in the first population.
        warnings.simplefilter("ignore", RuntimeWarning)
        classifier = quick(algorithm=spea).fit(GARDEN.X, GARDEN.Y)
    assert classifier.score(GARDEN.X, GARDEN.Y) > 0.2
    assert spea.problem is None


def test_front_has_the_given_objectives() -> None:
    classifier = quick(objectives=["hamming_loss", "n_tests"], choice="best")
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


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"n_runs": 0}, "n_runs must be at least 1, not 0"),
        ({"validation_fraction": 1.5}, "validation_fraction must be between 0 and 1, not 1.5"),
        ({"choice": "worst"}, "there is no choice 'worst'"),
        ({"search": "blind"}, "there is no search 'blind'"),
    ],
)
def test_invalid_values_raise_input_error(arguments: dict[str, object], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        quick(n_gen=2, **{k: v for k, v in arguments.items() if k != "n_gen"}).fit(
            GARDEN.X, GARDEN.Y
        )


@pytest.mark.parametrize(
    ("parameters", "sentence"),
    [
        ({"n_runs": 1.5}, "n_runs must be a whole number, not 1.5"),
        ({"n_gen": "many"}, "n_gen must be a whole number, not 'many'"),
        ({"n_jobs": 0}, "n_jobs must not be 0"),
        ({"n_jobs": "all"}, "n_jobs must be a whole number, not 'all'"),
        ({"max_rules": 0}, "max_rules must be at least 1, not 0"),
        ({"n_cv_folds": None}, "n_cv_folds must be a whole number, not None"),
        ({"validation_fraction": 1}, "validation_fraction must be between 0 and 1"),
        ({"validation_fraction": "half"}, "validation_fraction must be between 0 and 1"),
        ({"soft_labels": "maybe"}, "soft_labels must be True or False, not 'maybe'"),
        ({"simplify": 2}, "simplify must be True or False, not 2"),
        ({"on_interrupt": "ignore"}, "on_interrupt must be 'raise' or 'keep', not 'ignore'"),
        ({"on_interrupt": None}, "on_interrupt must be 'raise' or 'keep', not None"),
        ({"algorithm": int}, "algorithm must be a pymoo algorithm object"),
        ({"random_state": "text"}, "'text' cannot be used to seed"),
        ({"random_state": -1}, "Seed must be between 0 and"),
        ({"choice": {}}, "weights must be 2 numbers"),
    ],
)
def test_parameters_of_the_wrong_type_raise_input_error(
    parameters: dict[str, object], sentence: str
) -> None:
    classifier = MinotaurClassifier(**{"n_gen": 1, "pop_size": 4, **parameters})
    with pytest.raises(InputError, match=sentence) as caught:
        classifier.fit(GARDEN.X, GARDEN.Y)
    assert str(caught.value).endswith(".")


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


def test_frames_of_complex_numbers_raise_input_error() -> None:
    X = pd.DataFrame({"a": pd.array([1, 2], dtype="Int64"), "b": [1j, 2j]})
    with pytest.raises(InputError, match="X holds complex numbers"):
        MinotaurClassifier(n_gen=1).fit(X, [0, 1])
    fitted = MinotaurClassifier(n_gen=1).fit(X.assign(b=[1.0, 2.0]), [0, 1])
    with pytest.raises(InputError, match="X holds complex numbers"):
        fitted.predict(X)


def test_score_rejects_other_labels() -> None:
    fitted = MinotaurClassifier(n_gen=1, pop_size=4).fit(GARDEN.X, GARDEN.Y)
    assert fitted.score(GARDEN.X, sparse.csr_array(GARDEN.Y)) == fitted.score(GARDEN.X, GARDEN.Y)
    for Y, sentence in (
        (GARDEN.Y * 0.5, "every entry must be 0"),
        (-GARDEN.Y.astype(int), "every entry must be 0"),
        (GARDEN.Y[1:], "pass one row of labels for each instance"),
        (GARDEN.Y[:, :1], "y has 1 labels, but there are 5"),
    ):
        with pytest.raises(InputError, match=sentence):
            fitted.score(GARDEN.X, Y)


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
    # The forest behind soft labels is scikit-learn's, and validates its own input.
    quick(n_gen=3, choice=choice, n_runs=2, soft_labels=False).fit(X, Y)
    assert calls["InputTable X"] + calls["check_array X"] == 1
    assert calls["InputTable Y"] == 1
