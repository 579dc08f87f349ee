"""How a rule set partitions its data: one region per rule, and the default region."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.kernels.bitsets import to_members
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.support.arrays import BitArray, CountArray


class Partition(NamedTuple):
    """Sizes and label counts of the regions; the default region is last.

    Attributes
    ----------
    weights : array of int, shape (n_rules + 1,)
        Number of instances in each region, times the scale of the targets.
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
    """

    coverage: BitArray
    n_covered: int
    default_counts: CountArray

    @classmethod
    def nothing(cls, data: TrainingData) -> Covered:
        """What no rules cover."""
        return cls(np.zeros(-(-data.n_instances // 64), np.uint64), 0, data.target_counts)

    @classmethod
    def recount(cls, data: TrainingData, rules: Sequence[Rule]) -> Covered:
        """What any rules cover, counted anew."""
        coverage = np.zeros(-(-data.n_instances // 64), np.uint64)
        for rule in rules:
            coverage |= rule.coverage
        members = to_members(coverage, data.n_instances)
        return cls(coverage, len(members), data.target_counts - data.count_targets(members)[:-1])

    def add(self, rule: Rule) -> Covered:
        """After adding a rule that overlaps no other."""
        return Covered(
            self.coverage | rule.coverage,
            self.n_covered + rule.n_covered,
            self.default_counts - rule.counts,
        )

    def remove(self, rule: Rule) -> Covered:
        """After removing a rule that overlaps no other."""
        return Covered(
            self.coverage ^ rule.coverage,
            self.n_covered - rule.n_covered,
            self.default_counts + rule.counts,
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
    sizes = np.array([*[rule.n_covered for rule in rules], data.n_instances - covered.n_covered])
    counts = np.array([*[rule.counts for rule in rules], covered.default_counts])
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
    counts = []
    for rule in rules:
        counts.append(data.count_targets(to_members(rule.coverage & ~before, data.n_instances)))
        before = before | rule.coverage
    n_default = (data.n_instances - covered.n_covered) * data.scale
    counts.append(np.append(covered.default_counts, n_default))
    *columns, weights = np.array(counts).T
    return Partition(np.ascontiguousarray(weights), np.ascontiguousarray(np.transpose(columns)))
