"""Parameters of the classifier and their defaults."""

import numpy as np
import pytest

from minotaur_pymoo import MINOTAUR, InputError, MinotaurClassifier, load_demo
from minotaur_pymoo.estimator.selection import default_tolerance
from minotaur_pymoo.support.metrics import micro_f1
from tests.estimator.examples import GARDEN, quick


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
        ({"soft_labels": "maybe"}, "soft_labels must be True, False or 'auto', not 'maybe'"),
        ({"simplify": 2}, "simplify must be True, False or 'auto', not 2"),
        ({"on_interrupt": "ignore"}, "on_interrupt must be 'raise' or 'keep', not 'ignore'"),
        ({"on_interrupt": None}, "on_interrupt must be 'raise' or 'keep', not None"),
        ({"algorithm": int}, "algorithm must be a pymoo algorithm object"),
        ({"random_state": "text"}, "random_state must be an integer from 0 .*, not 'text'"),
        ({"random_state": -1}, "random_state must be an integer from 0 .*, not -1"),
        ({"random_state": object()}, "not a value of type object"),
        ({"search": np.array([1, 2])}, r"there is no search array\(\[1, 2\]\): choose 'guided' or"),
        ({"callback": int}, r"callback must be an object, not the class int: pass int\(\.\.\.\)"),
        (
            {"callback": 3},
            "callback must be a function of the algorithm, or a pymoo callback, not 3",
        ),
        ({"choice": {}}, "weights must be 2 numbers"),
        ({"choice": 3}, "weights must be 2 numbers"),
        ({"objectives": 3}, "objectives must be a list of names or functions, not 3"),
        ({"feature_groups": 3.0}, "feature_groups must"),
    ],
)
def test_parameters_of_the_wrong_type_raise_input_error(
    parameters: dict[str, object], sentence: str
) -> None:
    classifier = MinotaurClassifier(**{"n_gen": 1, "pop_size": 4, **parameters})
    with pytest.raises(InputError, match=sentence) as caught:
        classifier.fit(GARDEN.X, GARDEN.Y)
    assert str(caught.value).endswith(".")


def test_objectives_are_checked_before_the_data() -> None:
    with pytest.raises(InputError, match="there is no objective 'f1': choose from micro_f1"):
        quick(objectives=["f1", "n_rules"]).fit("no table", GARDEN.Y)


def test_weights_may_be_an_array() -> None:
    fitted = MinotaurClassifier(n_gen=1, choice=np.array([0.7, 0.3]), random_state=1)
    again = MinotaurClassifier(n_gen=1, choice=[0.7, 0.3], random_state=1)
    assert fitted.fit(GARDEN.X, GARDEN.Y).chosen_ == again.fit(GARDEN.X, GARDEN.Y).chosen_


def test_large_data_are_searched_without_soft_labels() -> None:
    many = load_demo(20_001)
    classifier = MinotaurClassifier(n_gen=2, random_state=1).fit(many.X, many.Y)
    assert list(classifier.front_) == ["micro_f1", "n_rules"]
    tolerance = default_tolerance(20_001, soft_label_weight=0.0)
    scores = classifier.front_["micro_f1"]
    near = scores >= (1 - tolerance) * scores.max()
    assert classifier.model_.n_rules == classifier.front_["n_rules"][near].min()


def test_soft_labels_and_simplification_can_be_switched_off() -> None:
    plain = quick(choice="best", soft_labels=False, simplify=False).fit(GARDEN.X, GARDEN.Y)
    assert list(plain.front_) == ["micro_f1", "n_rules"]
    simple = quick(choice="best", soft_labels=False, simplify=True).fit(GARDEN.X, GARDEN.Y)
    assert simple.model_.n_tests < plain.model_.n_tests
    assert simple.front_["micro_f1"].max() > plain.front_["micro_f1"].max() - 0.02
    paper = quick(search="paper").fit(GARDEN.X, GARDEN.Y)
    assert "expected_micro_f1" not in paper.front_


def test_default_choice_is_the_smallest_near_best_model() -> None:
    classifier = MinotaurClassifier(n_gen=30, random_state=1).fit(GARDEN.X, GARDEN.Y)
    expected, n_rules = classifier.front_["expected_micro_f1"], classifier.front_["n_rules"]
    near = expected >= 0.995 * expected.max()
    assert classifier.model_.n_rules == n_rules[near].min()
    # front_ has scores on the hard labels.
    scores = [micro_f1(GARDEN.Y, model.predict(GARDEN.X)) for model in classifier.models_]
    assert classifier.front_["micro_f1"].tolist() == pytest.approx(scores)


# Each of thirty labels has a word of its own, in six texts, and a common word has none.
WORDS = np.repeat(np.eye(30, dtype=int), 6, axis=0)


def test_rare_labels_get_rules_where_these_predict_held_out_texts() -> None:
    X = np.hstack([WORDS, np.random.default_rng(0).integers(2, size=(180, 5))])
    train, test = np.arange(180) % 3 > 0, np.arange(180) % 3 == 0
    small = MinotaurClassifier(n_gen=20, random_state=1).fit(X[train], WORDS[train])
    large = MinotaurClassifier(n_gen=20, random_state=1, min_coverage=5).fit(X[train], WORDS[train])
    assert small.score(X[test], WORDS[test]) > 0.9
    assert large.score(X[test], WORDS[test]) < 0.6
    assert min(rule.n_covered for model in small.models_ for rule in model.rules) < 5


@pytest.mark.parametrize("settings", [{"search": "paper"}, {"min_coverage": 3}])
def test_small_rules_are_tried_only_by_the_guided_search_without_a_minimum(
    settings: dict, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("minotaur_pymoo.estimator.settings.small_rules_pay", None)
    quick(n_gen=2, **settings).fit(GARDEN.X, GARDEN.Y)


def test_smoothing_is_at_most_the_minimum_coverage(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def spy(*args: object, **kwargs: object) -> MINOTAUR:
        seen.append((kwargs["min_coverage"], kwargs["smoothing"]))
        return MINOTAUR(*args, **kwargs)

    monkeypatch.setattr("minotaur_pymoo.estimator.settings.MINOTAUR", spy)
    for min_coverage in ("auto", 3, 30):
        quick(n_gen=1, min_coverage=min_coverage).fit(GARDEN.X, GARDEN.Y)
    quick(n_gen=1).fit(WORDS, WORDS)
    assert seen == [("auto", 10), (3, 3), (30, 10), (2, 2)]
