"""Rules and rule sets of weighted data, and of data with unknown labels."""

import numpy as np
import pytest
from hypothesis import given

from minotaur_pymoo import Rule, RuleSet, check_model, export, simplify
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import Splitting
from minotaur_pymoo.rules.consequents import optimal, optimal_weighted
from minotaur_pymoo.rules.relabel import optimal_labels
from minotaur_pymoo.search.objectives import OBJECTIVES, micro_f1
from minotaur_pymoo.support.metrics import METRICS
from tests import label_oracle, oracle
from tests.cases import (
    Case,
    cases,
    few_examples,
    overlapping_rule_set,
    random_rule_set,
    seeds,
    with_random_soft_labels,
    with_random_weights,
)


def predictions(rule_set: RuleSet) -> list[list[int]]:
    return rule_set.region_labels.astype(int)[rule_set.apply_to_training()].tolist()


def with_nan(data: TrainingData) -> np.ndarray:
    Y = data.labels.astype(float)
    if data.hard.weights is not None and data.hard.weights.known is not None:
        Y[~data.hard.weights.known] = np.nan
    return Y


@given(cases(), seeds)
def test_measures_equal_those_of_the_predictions(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_weights(case, random_state)
    for rule_set in (random_rule_set(data, random_state), overlapping_rule_set(data, random_state)):
        if rule_set is None:
            continue
        predicted = predictions(rule_set)
        matrix = np.ones(data.labels.shape) if data.weights is None else data.weights.matrix
        rounding = 1e-3 if data.scale > 5 else 1e-9
        expected = label_oracle.micro_f1(data.labels.tolist(), predicted, matrix.tolist())
        assert micro_f1(rule_set) == pytest.approx(expected, abs=rounding)
        for name, metric in METRICS.items():
            value = metric(data.labels, np.array(predicted, dtype=np.uint8), matrix)
            assert OBJECTIVES[name].measure(rule_set) == pytest.approx(value, abs=rounding), name


@few_examples
@given(cases(), seeds)
def test_weighted_rule_sets_pass_all_checks(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_weights(case, random_state)
    weights = {}
    if data.weights is not None:
        weights = {
            "sample_weight": data.weights.sample_weight,
            "class_weight": data.weights.label_weights,
        }
    for own in (data, with_random_soft_labels(data, random_state)):
        rule_set = random_rule_set(own, random_state)
        if rule_set.n_rules:
            for checked in (rule_set, simplify(rule_set, 0.1)):
                check_model(checked, case.table(case.X), with_nan(data), **weights)


@given(cases(), seeds)
def test_changing_unknown_labels_changes_nothing(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_weights(case, random_state)
    weightless = np.ones(data.labels.shape, bool) if data.weights is None else data.weights.matrix
    unknown = np.asarray(weightless) == 0
    flipped = np.where(unknown, 1 - np.array(case.Y), case.Y)
    other = TrainingData.from_arrays(
        data.schema.read(case.table(case.X)), flipped, data.schema, data.weights
    )
    one = random_rule_set(data, np.random.default_rng(seed))
    two = random_rule_set(other, np.random.default_rng(seed))
    assert str(one) == str(two)
    assert one.micro_counts == two.micro_counts
    assert one.region_counts.tolist() == two.region_counts.tolist()
    assert optimal_labels(one).tolist() == optimal_labels(two).tolist()
    assert one.model == two.model


@given(cases(max_instances=8), seeds)
def test_whole_weights_equal_repeated_instances(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    n = len(case.X)
    repeats = random_state.integers(1, 4, n)
    arguments = {"categorical_features": case.categorical}
    weighted = TrainingData(case.table(case.X), case.Y, sample_weight=repeats, **arguments)
    rows = np.repeat(np.arange(n), repeats)
    repeated = TrainingData(
        case.table([case.X[row] for row in rows]), [case.Y[row] for row in rows], **arguments
    )
    rule_set = random_rule_set(weighted, random_state)
    # The ranks are the same, and so are the boxes.
    twin = RuleSet.empty(repeated, rule_set.default_labels)
    for rule in rule_set:
        twin = twin.with_free_rule(Rule.from_box(repeated, rule.box))
    assert [rule.labels.tolist() for rule in rule_set] == [rule.labels.tolist() for rule in twin]
    # Equal weights are as good as none, and then all counts are smaller.
    unit = 1 if weighted.weights is not None else repeats[0]
    assert (unit * rule_set.region_counts).tolist() == twin.region_counts.tolist()
    assert tuple(unit * count for count in rule_set.micro_counts) == twin.micro_counts
    for measure in ("micro_f1", "macro_f1", "hamming_loss"):
        one, two = weighted.with_measure(measure), repeated.with_measure(measure)
        labels = [
            optimal_labels(RuleSet._trusted(d, r.rules, r.default_labels, r.covered, True))
            for d, r in ((one, rule_set), (two, twin))
        ]
        occupied = twin.region_sizes > 0
        assert labels[0][occupied].tolist() == labels[1][occupied].tolist()
    splitting = Splitting(min_coverage=1, n_features=10, n_sample=10_000)
    everything = [np.arange(d.n_instances, dtype=np.int32) for d in (weighted, repeated)]
    for threshold in (None, 0.2):
        splits = [
            splitting.best_split(d, members, random_state, threshold)
            for d, members in zip((weighted, repeated), everything, strict=True)
        ]
        assert (splits[0] is None) == (splits[1] is None)
        if splits[0] is not None:
            # The sums are the same, but of ties, rounding may prefer another one.
            gains = [unit * splits[0].gain * weighted.scale, splits[1].gain]
            assert gains[0] == pytest.approx(gains[1], abs=1e-9)


@given(cases(max_instances=6, max_features=2), seeds)
def test_optimal_consequents_equal_the_best_of_all(case: Case, seed: int) -> None:
    random_state = np.random.default_rng(seed)
    data = with_random_weights(case, random_state)
    if data.weights is None:
        return
    rule_set = random_rule_set(data, random_state, max_rules=2)
    best = rule_set.with_labels(optimal_labels(rule_set))
    weights, counts = (part * data.label_weights for part in rule_set.partition)
    assert micro_f1(best) == pytest.approx(
        oracle.best_f1(weights.tolist(), counts.tolist()) if counts.sum() else micro_f1(best)
    )


@given(seeds)
def test_optimal_weighted_equals_optimal_for_equal_weights(seed: int) -> None:
    random_state = np.random.default_rng(seed)
    sizes = random_state.integers(0, 9, 4)
    counts = random_state.integers(0, sizes[:, None] + 1, (4, 3))
    weights = np.repeat(sizes[:, None], 3, axis=1)
    for measure in ("micro_f1", "macro_f1", "hamming_loss"):
        for smoothing in (0, 2):
            expected = optimal(sizes, counts, smoothing, measure)
            added = np.full(3, float(smoothing))
            found = optimal_weighted(weights, counts, added, measure, np.ones(3))
            occurring = counts.sum(axis=0) > 0
            assert found[:, occurring].tolist() == expected[:, occurring].tolist()
            assert measure == "hamming_loss" or not found[:, ~occurring].any()


def test_label_without_known_entries_in_a_region_is_predicted_as_for_all_data() -> None:
    nan = np.nan
    Y = [[1, nan], [1, nan], [0, 1], [0, 1]]
    data = TrainingData([[1], [2], [3], [4]], Y)
    rule = Rule.from_tests(data, {"x0": (None, 3)})
    assert rule.label_names == ("y0", "y1")
    assert (rule.counts.tolist(), rule.weights.tolist()) == ([2, 0], [2, 0])
    rule_set = RuleSet(data, [rule])
    assert optimal_labels(rule_set).tolist() == [[True, True], [False, True]]


def test_models_show_instances_and_weighted_frequencies() -> None:
    data = TrainingData(
        [[1], [2], [3], [4]],
        [[1, 0], [0, np.nan], [0, 1], [1, 1]],
        sample_weight=[3, 1, 0.5, 0.5],
    )
    rule_set = RuleSet(data, [Rule.from_tests(data, {"x0": (None, 3)}, ["y0"])], ["y1"])
    model = rule_set.model
    assert model.n_instances == 4
    assert (model.rules[0].n_covered, model.default.n_covered) == (2, 2)
    assert (model.rules[0].counts, model.rules[0].weights) == ((3, 0), (4, 3))
    assert model.default.counts == (0.5, 1)
    assert export.to_text(model).splitlines()[1] == "    2 of 4 instances (50%): y0 75%"
    np.testing.assert_allclose(model.predict_proba([[1], [4]]), [[0.75, 0], [0.5, 1]])
    smooth = model.predict_proba([[1]], prior_weight=1.0)[0, 0]
    # One more instance of the average weight, 5/4, with the overall frequency, 3.5/5.
    assert smooth == pytest.approx((3 + 1.25 * 0.7) / (4 + 1.25))
    assert export.from_json(export.to_json(model)).model == model
    predicted = model.predict([[1], [2], [3], [4]])
    regions = export.count_regions(model, [[1], [2]], [[1, np.nan], [np.nan, np.nan]])
    assert regions[0] == (2, (1, 0), (1, 0))
    matrix = data.weights.matrix.tolist()
    expected = label_oracle.micro_f1(data.labels.tolist(), predicted.tolist(), matrix)
    assert micro_f1(rule_set) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ('"counts": [1], "weights": [2, 2]', "must contain one count for each of the 2 labels"),
        ('"counts": [1, 2], "weights": [2]', "must contain one weight for each of the 2 labels"),
        ('"counts": [1, 3], "weights": [2, 2]', "must lie between 0 and the weights"),
        ('"counts": [-1, 1], "weights": [2, 2]', "must lie between 0 and the weights"),
        ('"counts": [1.5, 1]', "must be a whole number"),
    ],
)
def test_wrong_weights_in_a_saved_model_are_rejected(fields: str, sentence: str) -> None:
    text = (
        '{"format": "minotaur_pymoo model", "version": 1, "features": [{"name": "age"}],'
        ' "labels": ["a", "b"], "chosen": 0, "models": [{"rules": [], "scores": {},'
        f' "default": {{"labels": [], "covered": 6, {fields}}}}}]}}'
    )
    with pytest.raises(ValueError, match=sentence):
        export.from_json(text)
