import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.data import Schema
from minotaur_pymoo.data.combine_learning import learn_combination


def blocks(n: int = 120, n_blocks: int = 4, size: int = 3, noise: float = 0.3) -> np.ndarray:
    """Blocks of noisy copies of independent features."""
    draws = np.random.default_rng(0)
    return np.repeat(draws.normal(size=(n, n_blocks)), size, axis=1) + noise * draws.normal(
        size=(n, n_blocks * size)
    )


def schema_of(features: np.ndarray, **more: object) -> Schema:
    names = tuple(f"{'abcdefgh'[j // 3]}{j}" for j in range(features.shape[1]))
    return Schema(names, ("y0", "y1"), **more)


def labels_of(features: np.ndarray) -> np.ndarray:
    means = features.reshape(len(features), -1, 3).mean(axis=2)
    return np.column_stack([means[:, 0] > means[:, 1], means[:, 2] + means[:, 3] > 0]).astype(
        np.uint8
    )


def members_of(combination: object) -> list[tuple[int, ...]]:
    return [group.members for group in combination.groups]


def test_similar_features_are_grouped() -> None:
    features = blocks()
    combination = learn_combination(features, labels_of(features), schema_of(features), "means")
    assert members_of(combination) == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
    assert [feature.second for feature in combination.features] == [None] * 4
    pairs = learn_combination(features, labels_of(features), schema_of(features), "pairs")
    assert len(pairs.features) == 4 + 2 * 6
    assert (pairs.mode, pairs.gain, pairs.error) == ("pairs", None, None)


def test_groups_do_not_depend_on_units() -> None:
    features = blocks()
    scaled = (features + np.linspace(-2, 2, 12)) * np.logspace(-150, 150, 12)
    labels = labels_of(features)
    combination = learn_combination(scaled, labels, schema_of(features), "means")
    assert members_of(combination) == [(0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11)]
    values = combination.extend(scaled)[:, 12:]
    assert np.isfinite(values).all()
    assert (abs(values.mean(axis=0)) < 0.1).all()
    # Centers and scales are short numbers.
    assert max(len(f"{abs(s):g}") for g in combination.groups for s in g.scales) <= 9


def test_constant_categorical_and_missing_features() -> None:
    features = blocks()
    features[:, 2] = 7.0
    features[:, 5] = np.nan
    features[:, 8] = features[:, 8] > 0
    features[::7, 6] = np.nan
    schema = schema_of(features, categories={8: ("no", "yes")})
    combination = learn_combination(features, labels_of(blocks()), schema, "means")
    found = {member for members in members_of(combination) for member in members}
    assert not found & {2, 5, 8}
    assert {0, 1} <= found
    assert np.isfinite(combination.extend(features)[:, 12:]).all()


def test_nothing_to_combine() -> None:
    features = blocks(n_blocks=1)
    labels = np.zeros((len(features), 2), np.uint8)
    assert learn_combination(features, labels, schema_of(features), "pairs") is None
    constant = np.ones((20, 9))
    assert learn_combination(constant, labels[:20], schema_of(constant), "pairs") is None


def test_members_that_fall_where_others_rise_are_subtracted() -> None:
    features = blocks()
    features[:, 1] *= -1
    combination = learn_combination(
        features, labels_of(features), schema_of(features), "means", {"G": ["a0", 1, "a2"]}
    )
    [group] = combination.groups
    assert group.members == (0, 1, 2)
    assert [scale < 0 for scale in group.scales] == [False, True, False]


@pytest.mark.parametrize(
    ("groups", "message"),
    [
        (["a0"], "feature_groups must be a mapping"),
        ({}, "feature_groups is empty"),
        ({"": ["a0"]}, "neither empty nor that of a feature"),
        ({3: ["a0"]}, "the feature group 3 needs a name"),
        ({"a1": ["a0"]}, "neither empty nor that of a feature"),
        ({"G": "a0"}, "the feature group 'G' must be a list of names or numbers of features"),
        ({"G": []}, "'G' has no members"),
        ({"G": ["zz"]}, "'G' has the unknown member 'zz': the features are a0, a1,"),
        ({"G": [12]}, "'G' has the unknown member 12"),
        ({"G": [-1]}, "'G' has the unknown member -1"),
        ({"G": [True]}, "'G' has the unknown member True"),
        ({"G": [0.0]}, "'G' has the unknown member 0.0"),
        ({"G": ["a0", 0]}, "'G' has a member twice"),
        ({"G": ["a0", "c8"]}, "'c8', which is categorical"),
    ],
)
def test_invalid_groups_are_rejected(groups: object, message: str) -> None:
    features = blocks()
    features[:, 8] = 0
    schema = schema_of(features, categories={8: ("no", "yes")})
    with pytest.raises(InputError, match=message):
        learn_combination(features, labels_of(features), schema, "means", groups)


def test_names_of_groups() -> None:
    features = blocks(n_blocks=5)
    stems = ["mfcc_1", "mfcc_12", "mfcc_3", "x1", "x2", "x3", "sun may", "sun june", "sun july"]
    stems += ["sky1", "sky2", "sky3", "sky4", "sky5", "group 4"]
    schema = Schema(tuple(stems), ("y0", "y1"))
    combination = learn_combination(features, np.ones((120, 2), np.uint8), schema, "means")
    names = [group.name for group in combination.groups]
    assert names == ["mfcc", "group 2", "sun", "sky", "group 5"]


def test_names_of_groups_never_clash() -> None:
    features = blocks(n_blocks=4)
    long = "long" * 60
    names = [f"{long}{j}" for j in range(3)] + [f"sun {j}" for j in range(3)]
    names += ["mean(sun) - mean(sky)", "mean(group 3)", "mean(group 3) + mean(rain)"]
    names += ["group 1", "group 2", "group 4"]
    schema = Schema(tuple(names), ("y0", "y1"))
    combination = learn_combination(features, np.ones((120, 2), np.uint8), schema, "pairs")
    assert [g.name for g in combination.groups] == ["group 5", "group 6", "mean", "group"]
    assert len(set(Schema(schema.feature_names, ("y",), combination=combination).column_names)) == (
        12 + 4 + 12
    )


def test_a_score_is_the_signed_mean_of_what_tells_a_label() -> None:
    draws = np.random.default_rng(0)
    features = draws.normal(size=(400, 9)) * np.logspace(-3, 3, 9)
    standard = features / features.std(axis=0)
    labels = np.column_stack(
        [standard[:, 1] - standard[:, 4] + standard[:, 7] > 0, standard[:, 2] > 0]
    ).astype(np.uint8)
    combination = learn_combination(features, labels, schema_of(features), "scores")
    score = combination.groups[0]
    assert (score.name, combination.names[0]) == ("y0 score", "y0 score")
    assert set(score.members) == {1, 4, 7}
    assert [scale > 0 for scale in score.scales] == [member != 4 for member in score.members]
    # A single feature predicts the other label: no score is needed.
    assert "y1 score" not in combination.names


def test_scores_of_many_labels_are_numbered_and_names_never_clash() -> None:
    features = blocks(200)
    many = (
        features[:, [0]] - features[:, [5]] + np.random.default_rng(0).normal(size=(200, 30)) > 0
    ).astype(np.uint8)
    names = tuple(f"y{label}" for label in range(30))
    schema = Schema((*schema_of(features).feature_names[:-1], "score 1"), names)
    found = learn_combination(features, many, schema, "scores").names
    assert found[0] == "score 1'"
    assert all(name.startswith("score ") for name in found)
    long = Schema(schema.feature_names, ("long" * 60, "y1"))
    found = learn_combination(features, labels_of(features), long, "scores").names
    assert max(map(len, found)) <= 200


def test_scores_respect_weights() -> None:
    draws = np.random.default_rng(0)
    features = draws.normal(size=(400, 6))
    first = features[:, 0] + features[:, 1] > 0
    last = features[:, 4] + features[:, 5] > 0
    half = np.arange(400) < 200
    labels = np.where(half, first, last)[:, None]
    schema = Schema(tuple("abcdef"), ("y0",))
    for weighted, members in ((half, {0, 1}), (~half, {4, 5})):
        found = learn_combination(features, labels, schema, "scores", sample_weight=weighted + 1e-6)
        assert set(found.groups[0].members) == members


def test_means_are_in_the_units_of_the_data_where_scales_are_alike() -> None:
    features = 20 + blocks()
    schema = schema_of(features)
    labels = labels_of(features)
    for mode in ("means", "pairs"):
        groups = learn_combination(features, labels, schema, mode).groups
        assert all(set(group.scales) == {1.0} and set(group.centers) == {0.0} for group in groups)
    features[:, :3] *= 100
    means = learn_combination(features, labels, schema, "means").groups
    assert all(set(group.scales) == {1.0} for group in means)
    # A sum of means of other units would tell only the larger ones.
    pairs = learn_combination(features, labels, schema, "pairs").groups
    assert all(1.0 not in group.scales for group in pairs)


def test_outliers_do_not_change_the_scale() -> None:
    features = blocks()
    labels = labels_of(features)
    spoilt = features.copy()
    spoilt[0, 0] = 1e9
    groups = [
        learn_combination(matrix, labels, schema_of(features), "scores").groups
        for matrix in (features, spoilt)
    ]
    scales = [
        {m: abs(s) for g in found for m, s in zip(g.members, g.scales, strict=True)}
        for found in groups
    ]
    assert scales[1].get(0, scales[0][0]) == pytest.approx(scales[0][0], rel=0.1)
