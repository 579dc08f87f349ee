"""Best-first multi-output trees, whose leaves become rules."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.splitting import Split, Splitting, halves
from minotaur_pymoo.rules.box import Box
from minotaur_pymoo.rules.relabel import optimal_labels, with_optimal_labels
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.support.arrays import IntArray


class Leaf:
    """A leaf, and how it would be split."""

    def __init__(self, data: TrainingData, box: Box, members: IntArray, split: Split | None):
        self.data, self.box, self.members, self.split = data, box, members, split

    @cached_property
    def rule(self) -> Rule:
        """The leaf as a rule, which trees of all sizes share."""
        return Rule.from_members(self.data, self.box, self.members)


def grow_trees(
    data: TrainingData, splitting: Splitting, max_leaves: int, random_state: np.random.Generator
) -> Iterator[list[Leaf]]:
    """The leaves of a best-first tree after each split, beginning with one leaf.

    Parameters
    ----------
    data
        The data to split.
    splitting
        How splits are searched.
    max_leaves
        Maximum number of leaves.
    random_state
        Random number generator.
    """

    def make_leaf(box: Box, members: IntArray) -> Leaf:
        return Leaf(data, box, members, splitting.best_split(data, members, random_state))

    leaves = [make_leaf(Box.whole(data), np.arange(data.n_instances, dtype=np.int32))]
    yield list(leaves)
    while len(leaves) < max_leaves:
        leaves.sort(key=lambda leaf: -np.inf if leaf.split is None else leaf.split.gain)
        split = leaves[-1].split
        if split is None:
            break
        leaf = leaves.pop()
        for part in halves(data, leaf.box, leaf.members, split):
            leaves.append(make_leaf(*part))
        yield list(leaves)


def read_tree(
    data: TrainingData, leaves: Sequence[Leaf], default: Leaf | None = None, smoothing: float = 0.0
) -> RuleSet:
    """Return the rules of a tree with optimal consequents.

    Parameters
    ----------
    data
        The data that the tree was grown from.
    leaves
        The leaves of the tree.
    default
        The leaf that becomes the default region, by default the largest one. So do all that predict
        the same.
    smoothing
        Smoothing of the consequents, as for `optimal`.
    """
    if default is None:
        default = max(leaves, key=lambda leaf: len(leaf.members))
    tree = RuleSet.empty(data)
    for leaf in leaves:
        tree = tree.with_free_rule(leaf.rule)
    labels = optimal_labels(tree, smoothing)
    labels[-1] = labels[leaves.index(default)]
    reduced = tree.with_labels(labels).without_redundant_rules()
    return with_optimal_labels(reduced, smoothing)
