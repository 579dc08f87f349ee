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
            n = 0
            for point in range(n_points):
                if ranks[point] == rank:
                    # Insertion sort, which is stable and fast for short fronts.
                    index = n
                    while index > 0 and F[order[index - 1], objective] > F[point, objective]:
                        order[index] = order[index - 1]
                        index -= 1
                    order[index] = point
                    n += 1
            width = F[order[n - 1], objective] - F[order[0], objective]
            if n <= 2:
                width = np.inf
            elif width == 0:
                continue
            below = np.inf
            for index in range(n):
                above = np.inf
                if index < n - 1:
                    gap = F[order[index + 1], objective] - F[order[index], objective]
                    above = gap / width
                distances[order[index]] += below + above
                below = above
    for point in range(n_points):
        distances[point] /= n_objectives
    return distances
