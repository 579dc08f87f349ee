import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from minotaur_pymoo import InputError, MinotaurClassifier, Model, load_demo
from minotaur_pymoo.data import Schema
from minotaur_pymoo.rules import IntervalTest, ModelRule, wilson_interval
from tests.export.models import combined_example, saved_models


@given(size=st.integers(1, 500), part=st.floats(0, 1), level=st.sampled_from([0.5, 0.9, 0.99]))
def test_interval_is_that_of_scipy(size, part, level):
    count = round(part * size)
    expected = binomtest(count, size).proportion_ci(level, method="wilson")
    assert wilson_interval(count, size, level) == pytest.approx(tuple(expected), abs=1e-12)


@pytest.mark.parametrize("level", [0, 1, 2, math.nan, "high"])
def test_levels_lie_between_0_and_1(level):
    with pytest.raises(InputError, match="level must"):
        wilson_interval(1, 2, level)


@given(saved=saved_models())
def test_statistics_follow_from_the_counts(saved):
    model = saved.model
    table = model.statistics()
    assert len(table) == model.n_rules + 1
    n = sum(region.n_covered for region in model.regions)
    for region, entries in zip(model.regions, table, strict=True):
        assert tuple(entry.label for entry in entries) == model.label_names
        assert {entry.label for entry in entries if entry.predicted} == set(region.labels)
        for column, entry in enumerate(entries):
            assert (entry.count, entry.size) == (region.counts[column], region.n_covered)
            if not region.n_covered:
                assert math.isnan(entry.frequency)
                assert (entry.low, entry.high) == (0, 1)
                continue
            assert 0 <= entry.low <= entry.frequency <= entry.high <= 1
            overall = sum(other.counts[column] for other in model.regions) / n
            assert (
                math.isnan(entry.lift)
                if not overall
                else (entry.lift == pytest.approx(entry.frequency / overall))
            )


def test_heavy_instances_do_not_narrow_the_interval():
    def interval(weight):
        region = ModelRule((), ("a",), 10, (5 * weight,), (10 * weight,))
        entry = Model(Schema(("x",), ("a",)), (), region).statistics()[0][0]
        return entry.low, entry.high

    assert interval(7) == pytest.approx(interval(1))
    assert interval(0.5)[1] - interval(0.5)[0] > interval(1)[1] - interval(1)[0]


def test_importances_are_shared_by_tests_and_by_members_of_groups():
    model = combined_example().model
    # The first rule tests may twice, june and rain; the second one these and june.
    counts, n = np.array([[3, 1], [0, 3], [0, 2]]), np.array([4, 3, 3])
    overall = counts.sum(axis=0) / 10
    gains = (n[:, None] * (counts / n[:, None] - overall) ** 2).sum(axis=1)
    expected = gains[0] * np.full(3, 1 / 3) + gains[1] / 2 * np.array([1 / 3, 4 / 3, 1 / 3])
    np.testing.assert_allclose(model.feature_importances, expected / expected.sum())


@given(saved=saved_models())
def test_importances_are_a_distribution_over_tested_features(saved):
    model = saved.model
    values = model.feature_importances
    assert len(values) == model.schema.n_features
    assert (values >= 0).all()
    assert values.sum() == pytest.approx(1) or not values.any()
    assert np.count_nonzero(values) <= model.n_features_used


def test_rules_without_difference_contribute_nothing():
    rule = ModelRule((IntervalTest("x", 0.0, np.inf),), ("a",), 5, (2,))
    model = Model(Schema(("x",), ("a",)), (rule,), ModelRule((), (), 5, (2,)))
    assert model.feature_importances.tolist() == [0.0]


def test_classifier_has_importances_and_label_names():
    garden = load_demo(100)
    classifier = MinotaurClassifier(n_gen=3, random_state=1)
    for name in ("label_names_", "feature_importances_"):
        assert not hasattr(classifier, name)
    classifier.fit(garden.X, garden.Y, label_names=garden.label_names)
    assert classifier.label_names_.tolist() == list(garden.label_names)
    assert classifier.feature_importances_.shape == (garden.X.shape[1],)
    single = MinotaurClassifier(n_gen=2, random_state=1).fit(garden.X, garden.Y[:, 0])
    assert single.label_names_.tolist() == ["0", "1"]
