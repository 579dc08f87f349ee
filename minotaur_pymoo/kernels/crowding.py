"""Crowding distances, as in NSGA-II."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import CountArray, FloatArray


@compiled
def crowding_distances(F: FloatArray, ranks: CountArray, n_fronts: int) -> FloatArray:
    """Mean distance to the neighbours in each objective, within fronts of equal rank.

    The ends of a front are infinitely far; an objective in which all are equal adds nothing. Ranks
    from ``n_fronts`` on are ignored.
    """
    n_points, n_objectives = F.shape
    distances = np.zeros(n_points)
    order = np.empty(n_points, np.int64)
    for rank in range(n_fronts):
        for objective in range(n_objectives):
            values = F[:, objective]
            n = 0
            for point in range(n_points):
                if ranks[point] == rank:
                    # Insertion sort, which is stable and fast for short fronts.
                    index = n
                    while index > 0 and values[order[index - 1]] > values[point]:
                        order[index] = order[index - 1]
                        index -= 1
                    order[index] = point
                    n += 1
            width = values[order[n - 1]] - values[order[0]]
            if n <= 2:
                width = np.inf
            elif width == 0:
                continue
            below = np.inf
            for index in range(n):
                above = np.inf
                if index < n - 1:
                    above = (values[order[index + 1]] - values[order[index]]) / width
                distances[order[index]] += below + above
                below = above
    distances /= n_objectives
    return distances
