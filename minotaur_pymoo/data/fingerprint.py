"""Fingerprints, by which data are equal wherever they were unpickled."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from minotaur_pymoo.data.combine import Combination


class Fingerprinted:
    """Equality by content of `TrainingData`, computed once and only if objects differ."""

    @cached_property
    def table_fingerprint(self) -> str:
        """Equal for data with the same features, labels, weights and names."""
        data: Any = self
        hard = data.hard
        weights = hard.weights
        parts = (
            repr(replace(data.schema, combination=None)),
            _content(data.schema.combination),
            data.features,
            data.ranks,
            data.encoding.values,
            data.label_bits,
            None if weights is None else (weights.sample_weight, weights.label_weights),
            None if weights is None else weights.known,
        )
        return _digest(parts)

    @cached_property
    def fingerprint(self) -> str:
        """Equal for data that also have the same targets, and the same measure to optimise."""
        data: Any = self
        soft = None if data.hard is data else (data.targets, data.weight_lanes)
        return _digest((self.table_fingerprint, data.measure, data.scale, soft))

    def same_table(self, other: Any) -> bool:
        """Whether other data differ in targets and measure at most.

        Parameters
        ----------
        other
            Other training data.

        Examples
        --------
        >>> from minotaur_pymoo.data import TrainingData
        >>> data = TrainingData([[1], [2]], [[1], [0]])
        >>> data.same_table(data.with_measure("macro_f1")), data == data.with_measure("macro_f1")
        (True, False)
        """
        return self is other or (
            isinstance(other, Fingerprinted)
            and hash(self) == hash(other)
            and self.table_fingerprint == other.table_fingerprint
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Fingerprinted):
            return NotImplemented
        return self is other or (self.same_table(other) and self.fingerprint == other.fingerprint)

    def __hash__(self) -> int:
        data: Any = self
        return hash((data.n_instances, data.n_features, data.n_labels))


def _content(combination: Combination | None) -> Any:
    """What combined features are, without how much they gained when they were chosen."""
    if combination is None:
        return None
    groups = tuple(
        (g.name, *(np.array(part, float) for part in (g.members, g.centers, g.scales)))
        for g in combination.groups
    )
    features = tuple((f.first, f.second, f.sign) for f in combination.features)
    return combination.mode, groups, features


def _digest(parts: Any) -> str:
    state = hashlib.blake2b(digest_size=16)
    _update(state, parts)
    return state.hexdigest()


def _update(state: Any, part: Any) -> None:
    if isinstance(part, np.ndarray):
        # Values only: their type depends on the size of the data at most.
        state.update(f"array {part.dtype.str} {part.shape}".encode())
        state.update(np.ascontiguousarray(part).data)
    elif isinstance(part, tuple):
        state.update(f"tuple {len(part)}".encode())
        for item in part:
            _update(state, item)
    else:
        state.update(repr(part).encode("utf-8", "backslashreplace"))
