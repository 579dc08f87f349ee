"""Stratified splitting of multi-label data."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from minotaur_pymoo.support.arrays import CountArray, LabelArray


def stratified_parts(
    Y: LabelArray, shares: Sequence[float], random_state: np.random.Generator
) -> CountArray:
    """The part that each instance is assigned to, by iterative stratification.

    The rarest label is dealt with first, and each of its instances goes to the part that lacks it
    most, so that even rare labels occur in all parts in proportion. (K. Sechidis, G. Tsoumakas and
    I. Vlahavas: On the stratification of multi-label data, 2011.)

    Parameters
    ----------
    Y
        Labels, instances x labels, 0 or 1.
    shares
        The fraction of the instances for each part.
    random_state
        Random number generator.

    Examples
    --------
    >>> Y = np.array([[1, 0], [1, 0], [1, 0], [1, 0], [0, 1], [0, 1]], dtype=np.uint8)
    >>> parts = stratified_parts(Y, [0.5, 0.5], np.random.default_rng(0))
    >>> [Y[parts == part].sum(axis=0).tolist() for part in (0, 1)]
    [[2, 1], [2, 1]]
    """
    n_instances, n_labels = Y.shape
    proportions = np.asarray(shares, dtype=np.float64) / np.sum(shares)
    lacking = proportions * n_instances
    lacking_of_label = np.outer(proportions, Y.sum(axis=0, dtype=np.int64))
    parts = np.full(n_instances, -1, dtype=np.int64)
    shuffled = random_state.permutation(n_instances)
    left_of_label = Y.sum(axis=0, dtype=np.int64)
    labels = [np.flatnonzero(row) for row in Y]

    def assign(instance: int, label: int | None) -> None:
        lack = lacking if label is None else lacking_of_label[:, label]
        candidates = np.flatnonzero(lack == lack.max())
        if len(candidates) > 1:
            candidates = candidates[lacking[candidates] == lacking[candidates].max()]
        part = candidates[0]
        if len(candidates) > 1:
            part = candidates[random_state.integers(len(candidates))]
        parts[instance] = part
        lacking[part] -= 1
        lacking_of_label[part, labels[instance]] -= 1
        left_of_label[labels[instance]] -= 1

    for _ in range(n_labels):
        remaining = np.flatnonzero(left_of_label > 0)
        if len(remaining) == 0:
            break
        rarest = int(remaining[np.argmin(left_of_label[remaining])])
        for instance in shuffled[(Y[shuffled, rarest] == 1) & (parts[shuffled] < 0)]:
            assign(int(instance), rarest)
    for instance in shuffled[parts[shuffled] < 0]:
        assign(int(instance), None)
    return parts
