"""How a rule set partitions its data: one region per rule, and the default region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.kernels.consequents import count_hits
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.support.arrays import BitArray, BoolArray, CountArray, read_only


class Partition(NamedTuple):
    """Sizes and label counts of the regions; the default region is last.

    Attributes
    ----------
    weights : array of int, shape (n_rules + 1,)
        Number of instances in each region, times the scale of the targets. For weighted data, an
        array of shape (n_rules + 1, n_labels): the weights of the instances for each label.
    counts : array of int, shape (n_rules + 1, n_labels)
        How many of them have each label, times the scale.
    """

    weights: CountArray
    counts: CountArray


class Covered(NamedTuple):
    """What rules cover together, and what they leave to the default region.

    Attributes
    ----------
    coverage : array of uint64
        Bitset of the instances that some rule covers.
    n_covered : int
        Number of these instances.
    default_counts : array of int, shape (n_labels,)
        Label counts of all other instances, times the scale of the targets.
    default_weights : array of int, shape (n_labels,), or None
        For weighted data, their weights for each label, times the scale.
    """

    coverage: BitArray
    n_covered: int
    default_counts: CountArray
    default_weights: CountArray | None = None

    @classmethod
    def nothing(cls, data: TrainingData) -> Covered:
        """The coverage of no rules: all instances are in the default region."""
        coverage = np.zeros(-(-data.n_instances // 64), np.uint64)
        return cls(coverage, 0, data.target_counts, data.weight_counts)

    @classmethod
    def recount(cls, data: TrainingData, rules: Sequence[Rule]) -> Covered:
        """The coverage of rules that may overlap, counted anew."""
        coverage = np.zeros(-(-data.n_instances // 64), np.uint64)
        for rule in rules:
            coverage |= rule.coverage
        # Read-only, as the coverage of rules is, so that the kernel is compiled only once.
        members = to_members(read_only(coverage[:]), data.n_instances)
        counts, weights = data.split_row(data.count_targets(members))
        left = data.weight_counts
        if left is not None and weights is not None:
            left = left - weights
        return cls(coverage, len(members), data.target_counts - counts, left)

    def add(self, rule: Rule) -> Covered:
        """The coverage after a rule is added that overlaps no other."""
        weights = self.default_weights
        return Covered(
            self.coverage | rule.coverage,
            self.n_covered + rule.n_covered,
            self.default_counts - rule.counts,
            None if weights is None or rule.weights is None else weights - rule.weights,
        )

    def remove(self, rule: Rule) -> Covered:
        """The coverage after a rule is removed that overlaps no other."""
        weights = self.default_weights
        return Covered(
            self.coverage ^ rule.coverage,
            self.n_covered - rule.n_covered,
            self.default_counts + rule.counts,
            None if weights is None or rule.weights is None else weights + rule.weights,
        )


def partition_disjoint(data: TrainingData, rules: Sequence[Rule], covered: Covered) -> Partition:
    """The partition by disjoint rules, collected from what the rules have counted.

    Parameters
    ----------
    data
        The data that the rules were made from.
    rules
        Rules that do not overlap.
    covered
        What they cover.
    """
    rows = [*[rule.counts for rule in rules], covered.default_counts]
    # Joining bytes is faster than np.array, in every mutation.
    counts = np.frombuffer(b"".join([row.data for row in rows]), np.int64).reshape(len(rows), -1)
    if data.weights is not None:
        weights = np.array([*[rule.weights for rule in rules], covered.default_weights])
        return Partition(weights, counts)
    sizes = np.array([*[rule.n_covered for rule in rules], data.n_instances - covered.n_covered])
    return Partition(sizes * data.scale, counts)


def partition_overlapping(data: TrainingData, rules: Sequence[Rule], covered: Covered) -> Partition:
    """The partition by rules that may overlap: an instance belongs to the first that covers it.

    Parameters
    ----------
    data
        The data that the rules were made from.
    rules
        Consistent rules.
    covered
        What they cover.
    """
    before = Covered.nothing(data).coverage
    all_counts: list[CountArray] = []
    all_weights: list[CountArray | int | None] = []
    for rule in rules:
        members = to_members(rule.coverage & ~before, data.n_instances)
        counts, weights = data.split_row(data.count_targets(members))
        all_counts.append(counts)
        all_weights.append(len(members) * data.scale if weights is None else weights)
        before = before | rule.coverage
    all_counts.append(covered.default_counts)
    n_default = (data.n_instances - covered.n_covered) * data.scale
    all_weights.append(n_default if data.weights is None else covered.default_weights)
    return Partition(np.array(all_weights), np.array(all_counts))


def count_micro(
    data: TrainingData, rules: Sequence[Rule], default_labels: BoolArray, covered: Covered
) -> tuple[float, float]:
    """True positives of disjoint rules, and predicted plus true labels, times the scale.

    Parameters
    ----------
    data
        The data that the rules were made from.
    rules
        Rules that do not overlap.
    default_labels
        What is predicted in the default region.
    covered
        What the rules cover.
    """
    hits: float
    predicted: float
    if data.weights is None or covered.default_weights is None:
        hits, n_labels = count_hits(covered.default_counts, default_labels)
        predicted = n_labels * (data.n_instances - covered.n_covered) * data.scale
    else:
        hits = data.weights.total(covered.default_counts, default_labels)
        predicted = data.weights.total(covered.default_weights, default_labels)
    for rule in rules:
        hits += rule.n_hits
        predicted += rule.n_predicted
    return hits, predicted + data.target_total


def count_micro_overlapping(
    data: TrainingData, partition: Partition, region_labels: BoolArray
) -> tuple[float, float]:
    """As `count_micro`, from the partition of rules that may overlap.

    Parameters
    ----------
    data
        The data that the rules were made from.
    partition
        The partition.
    region_labels
        The labels that each region predicts.
    """
    weights, counts = partition
    if data.weights is None:
        hits, predicted = int(counts[region_labels].sum()), int((weights @ region_labels).sum())
        return hits, predicted + data.target_total
    hits_of_labels = np.where(region_labels, counts, 0).sum(axis=0)
    predicted_of_labels = np.where(region_labels, weights, 0).sum(axis=0)
    total = data.weights.total
    return total(hits_of_labels), total(predicted_of_labels) + data.target_total
