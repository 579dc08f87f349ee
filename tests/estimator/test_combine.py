"""Combined features from the tables of a user to models and back."""

import copy
import pickle
from dataclasses import fields

import numpy as np
import pandas as pd
import pytest
from pymoo.optimize import minimize
from scipy import sparse
from sklearn.base import clone

from minotaur_pymoo import (
    MINOTAUR,
    Checkpoint,
    InputError,
    InvalidModelError,
    MinotaurClassifier,
    RuleSetProblem,
    check_model,
    export,
    resume,
)
from minotaur_pymoo.growth import combining
from tests.tools.processes import output_of

N = 240
WEEKS = range(1, 7)
GROUPS = {kind: [f"{kind}_{week}" for week in WEEKS] for kind in ("sun", "rain")}


def weather(n: int = N) -> tuple[pd.DataFrame, np.ndarray]:
    """Noisy measurements of sun and rain, whose difference decides about the labels."""
    draws = np.random.default_rng(0)
    sun, rain = draws.normal(size=(2, n))
    columns = {f"sun_{week}": 20 + 5 * (sun + 1.5 * draws.normal(size=n)) for week in WEEKS}
    columns |= {f"rain_{week}": rain + 1.5 * draws.normal(size=n) for week in WEEKS}
    frame = pd.DataFrame(columns)
    frame["soil"] = pd.Categorical(draws.choice(["clay", "loam", "sand"], n))
    return frame, np.column_stack([sun > rain, sun + rain > 0.5]).astype(int)


def quick(**arguments: object) -> MinotaurClassifier:
    defaults = {"n_gen": 15, "random_state": 1, "combine": "pairs", "feature_groups": GROUPS}
    return MinotaurClassifier(**{**defaults, **arguments})


@pytest.fixture(scope="module")
def fitted() -> MinotaurClassifier:
    return quick().fit(*weather())


def test_rules_test_combined_features(fitted: MinotaurClassifier) -> None:
    X, Y = weather()
    assert [group.name for group in fitted.combination_.groups] == ["sun", "rain"]
    assert fitted.combination_ == fitted.model_.schema.combination
    assert "mean(sun) - mean(rain)" in str(fitted.model_)
    assert "\nwhere sun is the mean of (sun_1 - " in str(fitted.model_)
    assert fitted.model_.n_features_used >= 12
    plain = quick(combine=False, feature_groups=None).fit(X, Y)
    assert plain.combination_ is None
    assert fitted.score(X, Y) > plain.score(X, Y)


def test_models_predict_from_the_features_of_the_data(fitted: MinotaurClassifier) -> None:
    X, Y = weather()
    check_model(fitted, X, Y)
    check_model(fitted, X.iloc[::-1])
    rows = [fitted.predict(X.iloc[[index]]) for index in range(len(X))]
    np.testing.assert_array_equal(np.vstack(rows), fitted.predict(X))
    assert fitted.n_features_in_ == 13
    assert fitted.explain(X.iloc[[0]])
    assert fitted.predict_proba(X).shape == Y.shape
    assert fitted.decision_path(X).shape == (N, fitted.model_.n_rules + 1)


def test_sparse_instances_are_predicted_as_dense_ones() -> None:
    X, Y = weather()
    matrix = X.drop(columns="soil").to_numpy()
    groups = {"sun": range(6), "rain": range(6, 12)}
    model = quick(feature_groups=groups).fit(matrix, Y).model_
    holes = np.where(np.random.default_rng(1).random(matrix.shape) < 0.3, 0.0, matrix)
    np.testing.assert_array_equal(model.predict(sparse.csr_array(holes)), model.predict(holes))


def test_saved_models_predict_the_same_in_a_fresh_process(
    fitted: MinotaurClassifier, tmp_path: object
) -> None:
    X, _ = weather()
    export.save(tmp_path / "model.json", fitted.saved())
    X.to_csv(tmp_path / "X.csv", index=False)
    script = (
        "import sys, pandas as pd\nfrom minotaur_pymoo import export\n"
        "model = export.load(sys.argv[1]).model\n"
        "print(''.join(map(str, model.predict(pd.read_csv(sys.argv[2])).ravel())))"
    )
    printed = output_of(script, str(tmp_path / "model.json"), str(tmp_path / "X.csv"))
    assert printed.strip() == "".join(map(str, fitted.predict(X).ravel()))
    assert export.load(tmp_path / "model.json").model == fitted.model_


def test_pickles_and_clones(fitted: MinotaurClassifier) -> None:
    X, Y = weather()
    copied = pickle.loads(pickle.dumps(fitted))
    assert copied.model_ == fitted.model_
    again = clone(fitted).fit(X, Y)
    assert again.models_ == fitted.models_


def test_auto_says_what_was_gained() -> None:
    X, Y = weather(500)
    classifier = quick(combine="auto").fit(X, Y)
    gain = classifier.combination_.gain
    assert gain > 0.005
    text = export.to_text(classifier.model_)
    assert f"Combined features raised micro-F1 on held-out data by {gain:.3f}" in text


@pytest.mark.parametrize("arguments", [{"search": "paper"}, {"algorithm": MINOTAUR(pop_size=10)}])
def test_only_the_guided_search_combines_features_by_itself(arguments: dict) -> None:
    X, Y = weather(60)
    arguments = {**arguments, "n_gen": 2, "pop_size": 10, "n_offsprings": 5, "choice": "best"}
    assert quick(**arguments, combine="auto", feature_groups=None).fit(X, Y).combination_ is None
    asked = quick(**arguments).fit(X, Y)
    assert asked.combination_ is not None
    check_model(asked, X, Y)
    with pytest.raises(InputError, match="feature_groups are for combined features"):
        quick(**arguments, combine="auto").fit(X, Y)


@pytest.mark.parametrize("combine", ["auto", "means"])
def test_sparse_features_give_the_model_of_dense_ones(combine: str, tmp_path: object) -> None:
    draws = np.random.default_rng(0)
    X = draws.integers(1, 4, (400, 30)) * (draws.random((400, 30)) < 0.2)
    # Features that are zero everywhere change nothing.
    X[:, [5, 17]] = 0
    Y = np.column_stack([X[:, :5].sum(axis=1) > 2, X[:, 5:12].sum(axis=1) > 3]).astype(int)
    dense, other = (
        quick(combine=combine, feature_groups=None).fit(table, Y)
        for table in (X, sparse.csr_array(X))
    )
    assert dense.combination_ is not None
    assert any(name in str(dense.model_) for name in dense.combination_.names)
    for name, column in dense.front_.items():
        np.testing.assert_array_equal(other.front_[name], column)
    texts = []
    for classifier in (dense, other):
        export.save(tmp_path / "model.json", classifier.saved())
        texts.append((tmp_path / "model.json").read_text())
    assert texts[0] == texts[1]
    check_model(other, sparse.csr_array(X), Y)
    np.testing.assert_array_equal(other.predict(sparse.csc_array(X)), dense.predict(X))


@pytest.mark.parametrize(("choice", "n_learned"), [("validation", [180]), ("cv", [240, 160])])
def test_groups_are_never_learned_from_held_out_instances(
    choice: str, n_learned: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes = []

    def learn(features: np.ndarray, *arguments: object) -> object:
        sizes.append(len(features))
        return learn_combination(features, *arguments)

    learn_combination = combining.learn_combination
    monkeypatch.setattr(combining, "learn_combination", learn)
    X, Y = weather()
    classifier = quick(choice=choice, n_gen=3).fit(X, Y)
    expected = n_learned[:1] + 3 * n_learned[1:]
    np.testing.assert_allclose(sizes, expected, atol=3)
    assert np.isfinite(classifier.front_[f"{choice}_micro_f1"]).all()


def test_weights_unknown_labels_and_missing_values() -> None:
    X, Y = weather()
    draws = np.random.default_rng(2)
    X = X.mask(draws.random(X.shape) < 0.2)
    Y = np.where(draws.random(Y.shape) < 0.2, np.nan, Y)
    weights = draws.choice([0.0, 1.0, 2.5], N)
    classifier = quick(class_weight="balanced").fit(X, Y, sample_weight=weights)
    assert classifier.combination_ is not None
    check_model(classifier, X, Y, sample_weight=weights)


def test_a_problem_with_combined_features(tmp_path: object) -> None:
    X, Y = weather()
    objectives = "micro_f1", "n_rules", "n_features_used"
    problem = RuleSetProblem(X, Y, objectives, combine="means", feature_groups=GROUPS)
    assert RuleSetProblem(X, Y).training.schema.combination is None
    saved = Checkpoint(tmp_path / "run")
    result = minimize(problem, MINOTAUR(n_gen=6, pop_size=20), seed=1, callback=saved)
    check_model(result, X, Y)
    resumed = resume(saved.path)
    np.testing.assert_array_equal(resumed.F, result.F)
    check_model(resumed, X, Y)
    with pytest.raises(InputError, match="have combined features already: leave combine out"):
        RuleSetProblem(problem.training, combine=True)


def test_check_model_recomputes_combined_features(fitted: MinotaurClassifier) -> None:
    X, Y = weather()
    changed = X.copy()
    changed["sun_1"] += 400
    with pytest.raises(InvalidModelError):
        check_model(fitted, changed, Y)

    class Wrong(type(fitted.combination_)):
        def extend(self, matrix: np.ndarray) -> np.ndarray:
            extended = super().extend(matrix)
            extended[:, matrix.shape[1]] += 1e-9
            return extended

    schema = copy.copy(fitted.model_.schema)
    wrong = Wrong(*(getattr(fitted.combination_, field.name) for field in fields(Wrong)))
    object.__setattr__(schema, "combination", wrong)
    model = copy.copy(fitted.model_)
    object.__setattr__(model, "schema", schema)
    with pytest.raises(InvalidModelError, match="the values that the model reads differ from X"):
        check_model(model, X, Y)


def test_parameters_are_checked_before_the_search() -> None:
    X, Y = weather(40)
    with pytest.raises(InputError, match="combine must be 'auto', 'scores', 'means', 'pairs'"):
        quick(combine="sums").fit(X, Y)
    with pytest.raises(InputError, match="'hail' has the unknown member 'hail_may'"):
        quick(feature_groups={"hail": ["hail_may"]}).fit(X, Y)
