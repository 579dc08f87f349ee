"""Crowding distances, as in NSGA-II."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.kernels.jit import compiled
from minotaur_pymoo.support.arrays import CountArray, FloatArray


@compiled
def crowding_distances(F: FloatArray, ranks: CountArray, n_fronts: int) -> FloatArray:
    """How far each point is from its neighbours in each objective, on average, as in NSGA-II.

    Neighbours are of the same rank. The first and the last of a front in some objective are
    infinitely far; where all are equal, nothing is. Points of higher ranks are left out.
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
                    # Sorted in by insertion, as fronts are short; equals stay in their order.
                    place = n
                    while place > 0 and values[order[place - 1]] > values[point]:
                        order[place] = order[place - 1]
                        place -= 1
                    order[place] = point
                    n += 1
            width = values[order[n - 1]] - values[order[0]]
            if n <= 2:
                width = np.inf
            elif width == 0:
                continue
            below = np.inf
            for place in range(n):
                above = np.inf
                if place < n - 1:
                    above = (values[order[place + 1]] - values[order[place]]) / width
                distances[order[place]] += below + above
                below = above
    distances /= n_objectives
    return distances
