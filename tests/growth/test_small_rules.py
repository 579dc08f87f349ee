import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo import load_demo
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import held_out, small_rules
from minotaur_pymoo.growth.held_out import HeldOutParts, predict_by_trees
from minotaur_pymoo.growth.small_rules import small_rules_pay
from minotaur_pymoo.support.metrics import micro_f1

# Each label has a word of its own, in five texts.
WORDS = np.repeat(np.eye(60, dtype=int), 5, axis=0)


def test_small_rules_pay_where_words_tell_rare_labels() -> None:
    assert small_rules_pay(TrainingData(WORDS, WORDS))
    assert small_rules_pay(TrainingData(sparse.csr_array(WORDS), WORDS))


def test_small_rules_do_not_pay_where_labels_are_noisy() -> None:
    draws = np.random.default_rng(1)
    for _ in range(5):
        X = draws.normal(size=(400, 8))
        Y = X[:, :3] + draws.normal(size=(400, 3)) > 0
        assert not small_rules_pay(TrainingData(X, Y))
    garden = load_demo(200)
    assert not small_rules_pay(TrainingData(garden.X, garden.Y))


def test_small_rules_do_not_pay_for_a_model_of_few_rules() -> None:
    assert not small_rules_pay(TrainingData(WORDS, WORDS), max_rules=2)
    assert not small_rules_pay(TrainingData(WORDS, WORDS), max_rules=1)


def test_few_and_many_instances_are_not_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(small_rules, "HeldOutParts", None)
    assert not small_rules_pay(TrainingData(WORDS[:20], WORDS[:20]))
    monkeypatch.setattr(small_rules, "MAX_INSTANCES", 299)
    assert not small_rules_pay(TrainingData(WORDS, WORDS))


def test_unknown_labels_and_weights_do_not_count() -> None:
    unknown = np.where(np.arange(300)[:, None] % 5 < 4, WORDS, np.nan)
    assert small_rules_pay(TrainingData(WORDS, unknown))
    # Noise that weighs nothing.
    draws = np.random.default_rng(0)
    X = np.vstack([WORDS, draws.integers(2, size=WORDS.shape)])
    Y = np.vstack([WORDS, draws.integers(2, size=WORDS.shape)])
    assert not small_rules_pay(TrainingData(X, Y))
    weights = np.repeat([1.0, 1e-9], 300)
    assert small_rules_pay(TrainingData(X, Y, sample_weight=weights))


def test_each_instance_is_held_out_once() -> None:
    garden = load_demo(100)
    data = TrainingData(garden.X, garden.Y)
    parts = list(HeldOutParts(data))
    assert sorted(np.concatenate([part.rows for part in parts]).tolist()) == list(range(100))
    for training, rows, features in parts:
        assert training.n_instances == 100 - len(rows)
        others = np.setdiff1d(np.arange(100), rows)
        np.testing.assert_array_equal(training.labels, data.labels[others])
        np.testing.assert_array_equal(features, data.values_of(rows))


def test_too_few_instances_are_not_held_out() -> None:
    assert not list(HeldOutParts(TrainingData([[1], [2]], [[0], [1]])))


def test_gain_is_the_difference_of_f1() -> None:
    parts = HeldOutParts(TrainingData(WORDS, WORDS))
    half = WORDS * (np.arange(300)[:, None] % 2)
    gain, error = parts.gain(half[None].astype(np.uint8), WORDS[None].astype(np.uint8))
    assert gain == pytest.approx(1 - micro_f1(WORDS, half))
    assert 0 < error < gain / 3
    assert parts.gain(half[None], half[None]) == (0, 0)


def test_trees_have_the_sizes_asked_for() -> None:
    data = TrainingData([[1], [2], [3], [8], [9], [10]], [[1], [1], [1], [0], [0], [1]])
    predicted = predict_by_trees(data, data.values_of(np.arange(6)), [1, 2, 9], 0, min_coverage=1)
    assert predicted[:, :, 0].tolist() == [[1] * 6, [1, 1, 1, 0, 0, 0], [1, 1, 1, 0, 0, 1]]


def test_many_instances_are_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(held_out, "MAX_INSTANCES", 100)
    assert len(HeldOutParts(TrainingData(WORDS, WORDS)).labels) == 100
