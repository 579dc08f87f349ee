"""Problems with exact fronts: few features of small data, in few bins."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.suite.definition import Definition, above, dataset


def _load(name: str) -> Any:
    # Imported here because it is slow.
    from sklearn import datasets  # noqa: PLC0415

    # The original values of diabetes; no other has scaled ones.
    scaled = {"scaled": False} if name == "diabetes" else {}
    return getattr(datasets, f"load_{name}")(**scaled)


def iris_2x8() -> Dataset:
    """Species and petals of irises by their sepals alone.

    Labels: versicolor, virginica, and petals longer than the median. Sepals hardly tell versicolor
    from virginica, so that the best rules are small and many rule sets are nearly as good.
    """
    iris = _load("iris")
    length, width, petal_length, _ = iris.data.T
    return dataset(
        "iris",
        {"sepal_length": length, "sepal_width": width},
        {
            "versicolor": iris.target == 1,
            "virginica": iris.target == 2,
            "long_petals": above(petal_length),
        },
        n_bins=8,
    )


def _wine(n_bins: int, *features: str) -> Dataset:
    wine = _load("wine")
    columns = dict(zip(wine.feature_names, wine.data.T, strict=True))
    return dataset(
        "wine",
        {name: columns[name] for name in features},
        {
            "cultivar_0": wine.target == 0,
            "cultivar_1": wine.target == 1,
            "many_flavanoids": above(columns["flavanoids"]),
        },
        n_bins,
    )


def wine_2x8() -> Dataset:
    """Cultivars of wines, and many flavanoids, by alcohol and colour.

    Labels: the first two cultivars, and flavanoids above the median. The clouds are oblique, and
    the best boxes of each number of rules differ in most bounds.
    """
    return _wine(8, "alcohol", "color_intensity")


def wine_3x6() -> Dataset:
    """Cultivars of wines, and many flavanoids, by alcohol, colour and proline.

    Labels as in wine-2x8. In three dimensions a box can be blocked from many sides, so that rule
    sets cannot be improved rule by rule.
    """
    return _wine(6, "alcohol", "color_intensity", "proline")


def cancer_2x8() -> Dataset:
    """Malignant tumours, and two more properties, by mean radius and texture.

    Labels: malignant, worst concavity above the median, worst area in the upper quarter. The labels
    are nested along one feature and interact with the other, so that splits of the first feature
    look good at first and are wrong in the end.
    """
    cancer = _load("breast_cancer")
    columns = dict(zip(cancer.feature_names, cancer.data.T, strict=True))
    return dataset(
        "cancer",
        {"mean_radius": columns["mean radius"], "mean_texture": columns["mean texture"]},
        {
            "malignant": cancer.target == 0,
            "concave": above(columns["worst concavity"]),
            "large": above(columns["worst area"], 0.75),
        },
        n_bins=8,
    )


def diabetes_4x4() -> Dataset:
    """Progression of diabetes, and blood sugar, by four measurements.

    Labels: progression above the median, progression in the upper quarter, blood sugar above the
    median. Nothing is separable, and F1 grows by less than 0.01 per rule: a flat front.
    """
    diabetes = _load("diabetes")
    columns = dict(zip(diabetes.feature_names, diabetes.data.T, strict=True))
    return dataset(
        "diabetes",
        {name: columns[name] for name in ("bmi", "bp", "s5", "age")},
        {
            "progressed": above(diabetes.target),
            "much": above(diabetes.target, 0.75),
            "sugar": above(columns["s6"]),
        },
        n_bins=4,
    )


def digits_3x6() -> Dataset:
    """Properties of handwritten digits by the ink in three parts of the picture.

    Labels: even, has a loop (0, 6, 8 or 9), and at least 5. Features: the mean ink of the upper
    half, the left half and the centre. Each label is a union of scattered clusters, which needs
    many rules, and few of them are found by greedy splits.
    """
    digits = _load("digits")
    images = digits.images
    return dataset(
        "digits",
        {
            "upper": images[:, :4].mean(axis=(1, 2)),
            "left": images[:, :, :4].mean(axis=(1, 2)),
            "centre": images[:, 2:6, 2:6].mean(axis=(1, 2)),
        },
        {
            "even": digits.target % 2 == 0,
            "loop": np.isin(digits.target, (0, 6, 8, 9)),
            "from_5": digits.target >= 5,
        },
        n_bins=6,
    )


def _squares(n_values: int, n_each: int) -> tuple[Any, Any]:
    """The coordinates of a square grid, with several instances per cell."""
    x, y = np.divmod(np.repeat(np.arange(n_values**2), n_each), n_values)
    return x, y


def checkerboard_2x6() -> Dataset:
    """A checkerboard of 3 x 3 fields, each of 2 x 2 cells, with one label in ten flipped.

    No single split gains anything but noise, and no field is worth more than another: greedy growth
    is blind here. A second label marks the centre and its four neighbours.
    """
    x, y = _squares(6, 6)
    dark = (x // 2 + y // 2) % 2 == 0
    cross = (x // 2 == 1) | (y // 2 == 1)
    flipped = np.random.default_rng(1).random((2, len(x))) < 0.1
    return dataset(
        "checkerboard", {"x": x, "y": y}, {"dark": dark ^ flipped[0], "cross": cross ^ flipped[1]}
    )


def pinwheel_2x7() -> Dataset:
    """Four arms around a centre, each with labels of its own.

    No straight split leaves all arms whole, so that no tree, and no sequence of splits, reaches the
    best rule set of four rules.
    """
    x, y = _squares(7, 4)
    arms = [
        (x < 4) & (y < 3),
        (x >= 4) & (y < 4),
        (x >= 3) & (y >= 4),
        (x < 3) & (y >= 3),
    ]
    flipped = np.random.default_rng(2).random((3, len(x))) < 0.05
    bits = (arms[0] | arms[2], arms[1] | arms[2], arms[3] | arms[2])
    labels = {
        f"bit_{i}": bit ^ noise for i, (bit, noise) in enumerate(zip(bits, flipped, strict=True))
    }
    return dataset("pinwheel", {"x": x, "y": y}, labels)


def staircase_2x8() -> Dataset:
    """Two oblique borders between three labels, which boxes can only approach in steps.

    Every further rule helps a little, and each number of rules has its own best steps: a long front
    whose neighbours have few rules in common.
    """
    x, y = _squares(8, 4)
    noise = np.random.default_rng(3).normal(0, 0.8, (3, len(x)))
    return dataset(
        "staircase",
        {"x": x, "y": y},
        {
            "above": y + noise[0] > x,
            "far": x + y + noise[1] > 8,
            "far_above": (y + noise[2] > x) & (x + y + noise[2] > 10),
        },
    )


PROBLEMS = tuple(
    Definition(f"{make.__name__.replace('_', '-')}-v1", "exact", make, max_rules)
    for make, max_rules in (
        (iris_2x8, 8),
        (wine_2x8, 8),
        (wine_3x6, 8),
        (cancer_2x8, 8),
        (diabetes_4x4, 8),
        (digits_3x6, 8),
        (checkerboard_2x6, 8),
        (pinwheel_2x7, 8),
        (staircase_2x8, 8),
    )
)
