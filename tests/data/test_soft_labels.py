import numpy as np
import pytest
from hypothesis import given
from scipy import sparse

from minotaur_pymoo import InputError, RuleSetProblem, load_demo, out_of_bag_probabilities
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.search.objectives import OBJECTIVES, hamming_loss, macro_f1, micro_f1
from tests.cases import Case, cases, random_rule_set, seeds, with_random_soft_labels

GARDEN = load_demo(200)


@given(cases(), seeds)
def test_measures_of_soft_labels_are_expected_values(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, random_state)
    rule_set = random_rule_set(data, random_state)
    targets = data.targets / data.scale
    predicted = rule_set.region_labels[rule_set.apply_to_training()]
    found, total = (targets * predicted).sum(axis=0), (targets + predicted).sum(axis=0)
    assert micro_f1(rule_set) == pytest.approx(
        2 * found.sum() / total.sum() if total.sum() else 1.0
    )
    each = [2 * f / t if t else 1.0 for f, t in zip(found, total, strict=True)]
    assert macro_f1(rule_set) == pytest.approx(np.mean(each))
    assert hamming_loss(rule_set) == pytest.approx(np.abs(targets - predicted).mean())


@given(cases(), seeds)
def test_hard_rule_set_has_the_same_rules_and_hard_counts(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = case.data
    softened = with_random_soft_labels(data, random_state)
    rule_set = random_rule_set(softened, random_state)
    hard = rule_set.hard
    assert hard.data is data.hard or hard.data is softened.hard
    assert hard.hard is hard
    assert str(hard) == str(rule_set)
    assert hard.model == rule_set.model
    for name in ("micro_f1", "macro_f1", "hamming_loss", "subset_accuracy", "coverage", "n_tests"):
        predicted = rule_set.region_labels[rule_set.apply_to_training()]
        assert OBJECTIVES[name].measure(hard) == OBJECTIVES[name].measure(rule_set.hard)
        if name == "micro_f1":
            total = predicted.sum() + np.sum(case.Y)
            hits = (predicted & (np.array(case.Y) == 1)).sum()
            assert micro_f1(hard) == pytest.approx(2 * hits / total if total else 1.0)


def test_probabilities_do_not_repeat_the_hard_labels() -> None:
    random_state = np.random.default_rng(0)
    X = random_state.normal(size=(400, 4))
    Y = np.column_stack([random_state.random(400) < 0.5, X[:, 0] > 0]).astype(int)
    soft_labels = out_of_bag_probabilities(TrainingData(X, Y))
    assert soft_labels.shape == (400, 2)
    assert soft_labels.min() >= 0
    assert soft_labels.max() <= 1
    # The first label is pure chance; the second follows from the first feature.
    assert np.corrcoef(soft_labels[:, 0], Y[:, 0])[0, 1] < 0.15
    assert np.corrcoef(soft_labels[:, 1], Y[:, 1])[0, 1] > 0.9


def test_same_seed_gives_the_same_probabilities() -> None:
    data = TrainingData(GARDEN.X, GARDEN.Y)
    one, same, other = (out_of_bag_probabilities(data, 5, random_state=seed) for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_instances_that_every_tree_has_seen_keep_their_labels() -> None:
    data = TrainingData(GARDEN.X, GARDEN.Y)
    soft_labels = out_of_bag_probabilities(data, 1)
    kept = (soft_labels == data.labels).all(axis=1)
    assert 0.5 < kept.mean() < 1
    single = TrainingData([[1.0]], [[1]])
    assert out_of_bag_probabilities(single).tolist() == [[1.0]]


def test_missing_values_categories_and_huge_values_are_supported() -> None:
    X = [[1e300, "a"], [-1e300, "b"], [np.nan, None], [5.0, "a"]] * 20
    data = TrainingData(X, [[1], [0], [1], [1]] * 20, categorical_features=[1])
    soft_labels = out_of_bag_probabilities(data)
    assert soft_labels.shape == (80, 1)
    assert (soft_labels.ravel().round() == data.labels.ravel()).all()


@pytest.mark.parametrize(
    ("soft_labels", "message"),
    [
        ([[0.5]], "soft labels are 1 x 1, but Y is 2 x 1: pass one probability for each"),
        ([[0.5], [1.5]], "soft labels must be probabilities, between 0 and 1"),
        ([[0.5], [np.nan]], "soft labels must be probabilities, between 0 and 1"),
        ("forest", "soft_labels must be a matrix or 'out-of-bag', not 'forest'"),
    ],
)
def test_invalid_soft_labels_are_rejected(soft_labels: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        RuleSetProblem([[1], [2]], [[1], [0]], soft_labels=soft_labels)


def test_weight_of_soft_labels_shrinks_with_more_instances() -> None:
    for n, weight, expected in ((10_000, "auto", 0.5), (30_000, "auto", 0.25), (3, 0.25, 0.25)):
        X, Y = np.arange(n)[:, None], np.ones((n, 1))
        data = RuleSetProblem(X, Y, soft_labels=np.zeros((n, 1)), soft_label_weight=weight).training
        assert data.soft_label_weight == expected
        assert (data.targets == data.scale * (1 - expected)).all()
        assert data.hard.soft_label_weight == 0
    for invalid in (-0.1, 1.5, np.nan, "half", None):
        with pytest.raises(InputError, match="weight must be between 0 and 1, not"):
            data.with_soft_labels(np.zeros((3, 1)), invalid)


def test_problem_computes_out_of_bag_probabilities() -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, soft_labels="out-of-bag")
    data = TrainingData(GARDEN.X, GARDEN.Y)
    assert (
        problem.training.targets == data.with_soft_labels(out_of_bag_probabilities(data)).targets
    ).all()
    assert problem.training.hard.scale == 1


def test_trees_predict_the_instances_that_they_did_not_sample(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("minotaur_pymoo.data.soft_labels.MAX_TREE_SAMPLES", 50)
    data = TrainingData(GARDEN.X, GARDEN.Y)
    some, few = out_of_bag_probabilities(data), out_of_bag_probabilities(data, n_trees=1)
    # A single tree, grown from fifty draws, predicts at least 150 of the two hundred instances.
    repeated = (few == data.labels).all(axis=1).sum()
    assert ((some >= 0.5) == data.labels).mean() > 0.8
    assert repeated < 100


@pytest.mark.parametrize(
    ("kwargs", "message"),
    [
        ({"n_trees": "3"}, "n_trees must be a whole number, not '3'"),
        ({"n_trees": 0}, "n_trees must be at least 1, not 0"),
        ({"random_state": {}}, "random_state must be a whole number, not {}"),
    ],
)
def test_invalid_forest_parameters_are_rejected(kwargs: dict[str, object], message: str) -> None:
    data = TrainingData([[1.0], [2.0]], [[1], [0]])
    with pytest.raises(InputError, match=message):
        out_of_bag_probabilities(data, **kwargs)


def test_sparse_data_have_the_soft_labels_of_dense_data() -> None:
    draws = np.random.default_rng(0)
    X = np.where(draws.random((60, 3)) < 0.4, 0.0, draws.normal(size=(60, 3)))
    Y = (X[:, :2] > 0).astype(int)
    probabilities = out_of_bag_probabilities(TrainingData(sparse.csr_array(X), Y))
    assert probabilities.shape == Y.shape
    assert ((probabilities > 0.5) == Y).mean() > 0.8
