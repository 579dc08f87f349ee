import numpy as np
import pytest
from scipy import sparse

from minotaur_pymoo import InputError, Rule, RuleSet, check_model
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.data.combining import check_combine

X = np.array([[1.0, 2.0, 9.0], [2.0, 3.0, 7.0], [3.0, 5.0, 5.0], [4.0, 5.0, 1.0]])
Y = np.array([[1], [1], [0], [0]])
GROUPS = {"G": ["x0", 1], "H": [2]}


@pytest.mark.parametrize("value", [None, 1, "all", "AUTO", ["means"], np.array([True, False])])
def test_other_values_of_combine_are_rejected(value: object) -> None:
    with pytest.raises(InputError, match="combine must be 'auto', 'means', 'pairs', True or False"):
        check_combine(value)


def test_a_flag_of_numpy_is_a_flag() -> None:
    assert check_combine(np.True_) == "pairs"
    assert check_combine(np.False_) is None


def test_training_data_with_combined_features() -> None:
    data = TrainingData(X, Y, combine="pairs", feature_groups=GROUPS)
    combined = "mean(G)", "mean(H)", "mean(G) + mean(H)", "mean(G) - mean(H)"
    assert data.feature_names == ("x0", "x1", "x2", *combined)
    assert data.schema.feature_names == ("x0", "x1", "x2")
    assert data.n_features == 7
    bound = float(data.encoding.values[3][2])
    rule = Rule.from_tests(data, {"mean(G)": (None, bound)}, ["y0"])
    assert str(rule) == f"IF mean(G) < {bound!r} THEN {{y0}}".replace(".0 ", " ")
    assert rule.n_covered == 2
    rule_set = RuleSet(data, [rule], [])
    assert rule_set.predict(X).tolist() == Y.tolist()
    check_model(rule_set, X, Y)
    check_model(rule_set.model, X, Y)


def test_true_means_pairs_and_false_nothing() -> None:
    pairs = TrainingData(X, Y, combine=True, feature_groups=GROUPS).schema.combination
    assert pairs == TrainingData(X, Y, combine="pairs", feature_groups=GROUPS).schema.combination
    assert TrainingData(X, Y, combine=False).schema.combination is None
    assert TrainingData(X, Y).schema.combination is None
    means = TrainingData(X, Y, combine="means", feature_groups=GROUPS)
    assert means.feature_names[3:] == ("mean(G)", "mean(H)")


def test_groups_without_combined_features_are_rejected() -> None:
    with pytest.raises(InputError, match="pass combine='means' or 'pairs' too"):
        TrainingData(X, Y, feature_groups=GROUPS)


def test_sparse_features_are_not_combined() -> None:
    matrix = sparse.csr_array(X)
    assert TrainingData(matrix, Y, combine="auto").schema.combination is None
    for arguments in ({"combine": True}, {"combine": "auto", "feature_groups": GROUPS}):
        with pytest.raises(InputError, match="sparse features cannot be combined: pass a dense"):
            TrainingData(matrix, Y, **arguments)


def test_a_group_of_missing_values_only_is_missing() -> None:
    features = np.column_stack([X, [np.nan, 1.0, 2.0, np.nan]])
    data = TrainingData(features, Y, combine="means", feature_groups={"G": [3]})
    assert data.ranks.columns[4].tolist() == [2, 0, 1, 2]
    check_model(RuleSet(data, [Rule.from_tests(data, {}, ["y0"])]), features, Y)
