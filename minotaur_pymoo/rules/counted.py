"""What rules cover in their training data, region by region."""

from __future__ import annotations

from functools import cached_property

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.partition import (
    Covered,
    Partition,
    count_micro,
    count_micro_overlapping,
    partition_disjoint,
    partition_overlapping,
)
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.support.arrays import BitArray, BoolArray, CountArray, IntArray


class CountedRules:
    """Rules and default labels with the counts of their regions, see `RuleSet`."""

    data: TrainingData
    rules: tuple[Rule, ...]
    default_labels: BoolArray
    covered: Covered
    disjoint: bool
    # Not a cached_property, whose lock costs more than the count.
    _micro_counts: tuple[float, float] | None = None

    @property
    def coverage(self) -> BitArray:
        """Bitset of the instances that some rule covers."""
        return self.covered.coverage

    @property
    def n_covered(self) -> int:
        """Number of instances that some rule covers."""
        return self.covered.n_covered

    @property
    def n_rules(self) -> int:
        """Number of rules."""
        return len(self.rules)

    @property
    def tested_features(self) -> CountArray:
        """Indices of the features that some rule tests: no other can keep boxes apart."""
        tested = {feature for rule in self.rules for feature in rule.tested_features}
        return np.array(sorted(tested), dtype=np.int64)

    @cached_property
    def partition(self) -> Partition:
        """Sizes and label counts of the regions, the default region last."""
        if self.disjoint:
            return partition_disjoint(self.data, self.rules, self.covered)
        return partition_overlapping(self.data, self.rules, self.covered)

    @property
    def region_sizes(self) -> CountArray:
        """Number of instances in each rule's region, and last in the default region.

        Where rules with equal labels overlap, an instance belongs to the first of them.
        """
        if self.data.weights is None:
            return self.partition.weights // self.data.scale
        firing = self.apply_to_training()
        return np.bincount(np.where(firing < 0, self.n_rules, firing), minlength=self.n_rules + 1)

    @property
    def region_weights(self) -> CountArray:
        """The sizes of the regions, times the scale of the targets; of weighted data by label."""
        return self.partition.weights

    @property
    def region_counts(self) -> CountArray:
        """How many instances of each region have each label, times the scale of the targets."""
        return self.partition.counts

    @cached_property
    def region_labels(self) -> BoolArray:
        """The labels that each rule predicts, and last the default labels."""
        rows = [*[rule.labels for rule in self.rules], self.default_labels]
        # Joining bytes is faster than np.array, in every mutation.
        return np.frombuffer(b"".join([row.data for row in rows]), bool).reshape(len(rows), -1)

    @property
    def micro_counts(self) -> tuple[float, float]:
        """True positives, and predicted plus true labels, over all instances and labels.

        Both are times the scale of the targets; micro-F1 is twice their ratio.
        """
        if self._micro_counts is None:
            data = self.data
            self._micro_counts = (
                count_micro(data, self.rules, self.default_labels, self.covered)
                if self.disjoint
                else count_micro_overlapping(data, self.partition, self.region_labels)
            )
        return self._micro_counts

    @property
    def f1_threshold(self) -> float:
        """The frequency from which on predicting a label raises F1: half of the F1 reached."""
        hits, total = self.micro_counts
        return hits / total if total else 0.0

    def apply_to_training(self) -> IntArray:
        """As `apply`, for the training data, from the rules' coverage."""
        firing = np.full(self.data.n_instances, -1, dtype=np.int32)
        for index in reversed(range(self.n_rules)):
            firing[to_members(self.rules[index].coverage, self.data.n_instances)] = index
        return firing
