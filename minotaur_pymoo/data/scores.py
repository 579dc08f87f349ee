"""Scores: means of a few features that together predict a label."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from minotaur_pymoo.support.arrays import FloatArray

# More members hardly raise the correlation, and make a score hard to read.
MAX_MEMBERS = 20
# More labels than this share scores, see `directions`.
MAX_DIRECTIONS = 12
# Directions in addition to those of few labels.
N_MAIN = 3
# Features less related to all labels than these are not considered.
_MAX_FEATURES = 256
_DIGITS = 10
# With a larger share of stored values, products of dense matrices are faster.
_SPARSE_SHARE = 0.2


class Score(NamedTuple):
    """A mean of standardised features, some of them with a negative sign.

    Attributes
    ----------
    members : list of int
        The columns, the most important first.
    signs : list of float
        1 or -1 for each member.
    """

    members: list[int]
    signs: list[float]


def directions(targets: FloatArray) -> FloatArray:
    """What scores are learned for: each label, and the main directions in which labels vary.

    If there are many labels, only the main directions.

    Parameters
    ----------
    targets
        Hard labels, or means of hard and soft ones, instances x labels.

    Examples
    --------
    >>> directions(np.array([[1.0, 0.0], [0.0, 0.0]])).round(1)
    array([[ 0.5,  0. ,  0.5],
           [-0.5,  0. , -0.5]])
    """
    centered = np.asarray(targets - targets.mean(axis=0))
    n_labels = centered.shape[1]
    few = n_labels <= MAX_DIRECTIONS
    n_main = min(N_MAIN, n_labels - 1) if few else MAX_DIRECTIONS
    # Eigenvectors of the labels' covariance, as there are usually fewer labels than instances.
    _, vectors = np.linalg.eigh(centered.T @ centered)
    main = vectors[:, ::-1][:, :n_main]
    # The sign of an eigenvector is arbitrary: a direction points to more labels.
    main = centered @ (main * np.where(main.sum(axis=0) < 0, -1, 1))
    return np.hstack([centered, main]) if few else main


def learn_scores(
    columns: Any, goals: FloatArray, sample_weight: FloatArray | None = None
) -> list[Score]:
    """Return one score per goal, the mean of the features that correlates with it most.

    Features are added one by one, with the sign that raises the correlation most, until the gain
    could be due to chance. All weigh the same, which is easy to read, and nearly as good as the
    best weights, without being fitted to the sample.

    Parameters
    ----------
    columns
        Standardised features without missing values, instances x features. A sparse matrix may
        differ by a constant from each of them.
    goals
        What the scores should correlate with, instances x goals, such as `directions`.
    sample_weight
        How much each instance counts; by default all count the same.

    Examples
    --------
    >>> rng = np.random.default_rng(1)
    >>> columns = rng.normal(size=(200, 6))
    >>> goal = columns[:, [1]] - columns[:, [4]]
    >>> learn_scores(columns, goal)
    [Score(members=[1, 4], signs=[1.0, -1.0])]
    """
    n, n_features = columns.shape
    share = np.full(n, 1 / n) if sample_weight is None else sample_weight / sample_weight.sum()
    goals = goals - share @ goals
    deviations = np.sqrt(share @ goals**2)
    goals = goals / np.where(deviations > 0, deviations, 1.0)
    # The last digits of matrix products depend on the processor, and must not decide. The mean of
    # a feature cancels out, as that of a goal is 0.
    related = (columns.T @ (share[:, None] * goals)).round(_DIGITS)
    kept = np.arange(n_features)
    if n_features > _MAX_FEATURES:
        strength = np.abs(related).max(axis=1)
        kept = np.sort(np.argsort(-strength, kind="stable")[:_MAX_FEATURES])
    related, products = related[kept], _covariances(columns[:, kept], share).round(_DIGITS)
    # A fifth of what the best feature explains by chance: features are correlated, and a few too
    # many do little harm to a mean. Chosen on held-out data.
    chance = 0.4 * np.log(max(n_features, 2)) / n
    scores = [_forward(products, goal, chance) for goal in related.T]
    return [Score(kept[score.members].tolist(), score.signs) for score in scores]


def _covariances(columns: Any, share: FloatArray) -> FloatArray:
    if not isinstance(columns, np.ndarray):
        if columns.nnz < _SPARSE_SHARE * np.prod(columns.shape):
            means = columns.T @ share
            squares = columns.multiply(share[:, None]).T @ columns
            return np.asarray(squares.toarray() - np.outer(means, means))
        columns = columns.toarray()
    centered = columns - share @ columns
    return np.asarray((centered * share[:, None]).T @ centered)


def _forward(products: FloatArray, related: FloatArray, chance: float) -> Score:
    """Add features to a mean while its correlation with a goal rises by more than chance.

    Parameters
    ----------
    products
        The covariances of the features.
    related
        Their covariances with the goal, whose variance is 1.
    chance
        The share of the variance not yet explained that chance would explain.
    """
    members: list[int] = []
    signs: list[float] = []
    variances = np.diag(products)
    shared, variance, with_sum, best = 0.0, 0.0, np.zeros(len(related)), 0.0
    while len(members) < min(MAX_MEMBERS, len(related)):
        correlations = []
        for sign in (1.0, -1.0):
            new_variance = variance + 2 * sign * with_sum + variances
            positive = new_variance > 1e-9
            found = (shared + sign * related) / np.sqrt(np.where(positive, new_variance, 1.0))
            found[~positive] = -1.0
            found[members] = -1.0
            correlations.append(found)
        feature = int(np.argmax(np.maximum(*correlations)))
        sign = 1.0 if correlations[0][feature] >= correlations[1][feature] else -1.0
        correlation = float(max(correlations[0][feature], correlations[1][feature]))
        if correlation**2 - best**2 <= chance * (1 - best**2) or correlation <= best:
            break
        shared += sign * float(related[feature])
        variance += 2 * sign * float(with_sum[feature]) + float(variances[feature])
        with_sum = with_sum + sign * products[:, feature]
        members.append(feature)
        signs.append(sign)
        best = correlation
    return Score(members, signs)
