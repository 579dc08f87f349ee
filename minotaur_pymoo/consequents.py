"""Which labels a rule predicts, given how often they occur where it applies."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from minotaur_pymoo.kernels import CountArray


def majority(counts: CountArray, n: int) -> npt.NDArray[np.bool_]:
    """The labels that at least half of the covered instances have.

    Parameters
    ----------
    counts
        How many of the covered instances have each label.
    n
        How many instances are covered.

    Examples
    --------
    >>> majority(np.array([4, 2, 1]), 4)
    array([ True,  True, False])
    """
    return np.asarray(2 * counts >= n)
