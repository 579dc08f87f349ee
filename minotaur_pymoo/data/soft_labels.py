"""How likely labels are, asked of a forest: a better aim for a search than the bare labels."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.params import check_count

# So many instances teach a tree enough.
_ENOUGH = 2500


def out_of_bag_probabilities(
    data: TrainingData, n_trees: int | None = None, random_state: int = 0
) -> FloatArray:
    """How likely each instance has each label, by the trees of a forest that did not see it.

    A label is one draw from what is likely for its instance. A search that tries thousands of
    boxes finds those that were lucky with the draws; soft labels share luck among similar instances,
    so that fewer boxes look better than they are. Every tree is asked only about instances that
    it was not grown from, so that soft labels do not repeat the labels.

    Parameters
    ----------
    data
        The instances.
    n_trees
        The size of the forest; by default `default_n_trees`.
    random_state
        Seed, for the same soft labels every time.

    Returns
    -------
    array of shape (n_instances, n_labels)
        For ``soft_labels`` of `TrainingData` or `RuleSetProblem`.

    Examples
    --------
    >>> data = TrainingData([[i] for i in range(100)], [[int(i < 50)] for i in range(100)])
    >>> out_of_bag_probabilities(data)[[10, 25, 75, 90], 0].round()
    array([1., 1., 0., 0.])
    """
    # scikit-learn takes long to import, and little needs it.
    from sklearn.ensemble import ExtraTreesRegressor  # noqa: PLC0415

    n = default_n_trees(data.n_instances) if n_trees is None else n_trees
    check_count("n_trees", n)
    check_count("random_state", random_state, at_least=0)
    # Ranks in place of values: trees only compare, and huge values would overflow theirs.
    X = np.ascontiguousarray(data.columns.T, dtype=np.float32)
    forest = ExtraTreesRegressor(
        n,
        bootstrap=True,
        # Of many instances, a tree that sees a part of them is nearly as good, takes less time,
        # and can be asked about all the others.
        max_samples=min(_ENOUGH, data.n_instances),
        min_samples_leaf=2,
        max_features="sqrt",
        random_state=random_state,
    )
    forest.fit(X, data.labels if data.n_labels > 1 else data.labels[:, 0])
    total = np.zeros(data.labels.shape)
    n_asked = np.zeros((data.n_instances, 1))
    for tree, seen in zip(forest.estimators_, forest.estimators_samples_, strict=True):
        unseen = np.ones(data.n_instances, dtype=bool)
        unseen[seen] = False
        if unseen.any():
            total[unseen] += tree.predict(X[unseen]).reshape(-1, data.n_labels)
            n_asked[unseen] += 1
    # An instance that every tree has seen keeps its labels.
    return np.where(n_asked > 0, total / np.maximum(n_asked, 1), data.labels)


def default_n_trees(n_instances: int) -> int:
    """Fewer trees for more instances, as more of them can then be asked; 20 to 100.

    Examples
    --------
    >>> [default_n_trees(n) for n in (534, 2175, 9000)]
    [100, 68, 20]
    """
    return int(np.clip(150_000 // n_instances, 20, 100))
