"""NSGA-II's survival, with the same result on every machine."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

from pymoo.core.population import Population
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding

from minotaur_pymoo.support.arrays import FloatArray


class ReproducibleRankAndCrowding(RankAndCrowding):  # type: ignore[misc]
    """pymoo's survival by rank and crowding, with ties that do not depend on the processor.

    pymoo shuffles the front that survives in part, and sorts it by crowding with numpy's fastest
    sort, which orders ties by the vector instructions that the processor has. A stable sort leaves
    them as shuffled, so that a seed gives the same result everywhere.
    """

    def __init__(self) -> None:
        # Another crowding function would not be used.
        super().__init__()

    def _do(
        self,
        problem: Any,
        pop: Population,
        *args: Any,
        random_state: Any = None,
        n_survive: int | None = None,
        **kwargs: Any,
    ) -> Population:
        F = pop.get("F").astype(float, copy=False)
        n_left = len(pop) if n_survive is None else n_survive
        fronts = self.nds.do(F, n_stop_if_ranked=n_left)
        survivors: list[int] = []
        for rank, front in enumerate(fronts):
            members = front.tolist()
            crowding = crowding_distances(F, members)
            for member in members:
                pop[member].data.update(rank=rank, crowding=crowding[member])
            n_remove = max(len(survivors) + len(members) - n_left, 0)
            if n_remove:
                shuffled = [members[i] for i in random_state.permutation(len(members))]
                members = sorted(shuffled, key=crowding.__getitem__, reverse=True)[:-n_remove]
            survivors += members
        return pop[survivors]


def crowding_distances(F: FloatArray, members: list[int]) -> dict[int, float]:
    """The mean distance to the neighbours in each objective, for each member of a front.

    The ends of a front are infinitely far; an objective in which all are equal adds nothing. Fronts
    are short, so that this takes less time than pymoo's function for arrays.

    Parameters
    ----------
    F
        The objectives of all individuals.
    members
        The indices of those in the front.
    """
    # By index, so that ties do not depend on the order in which fronts are found.
    members = sorted(members)
    distances = dict.fromkeys(members, 0.0)
    for values in F.T.tolist():
        order = sorted(members, key=values.__getitem__)
        width = values[order[-1]] - values[order[0]]
        if len(order) <= 2:
            width = math.inf
        elif width == 0:
            continue
        below = math.inf
        for member, following in pairwise(order):
            above = (values[following] - values[member]) / width
            distances[member] += below + above
            below = above
        distances[order[-1]] += math.inf
    return {member: distance / F.shape[1] for member, distance in distances.items()}
