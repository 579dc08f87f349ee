"""Who survives a generation: NSGA-II's choice, made alike on every machine."""

from __future__ import annotations

from typing import Any

import numpy as np
from pymoo.core.population import Population
from pymoo.operators.survival.rank_and_crowding import RankAndCrowding
from pymoo.operators.survival.rank_and_crowding.metrics import CrowdingDiversity

from minotaur_pymoo import kernels
from minotaur_pymoo.tables import FloatArray


class CompiledCrowding(CrowdingDiversity):  # type: ignore[misc]
    """pymoo's crowding distance in a tenth of the time.

    Nor does it leave behind what numpy keeps of small arrays of every length that a front has.
    """

    def do(self, F: FloatArray, n_remove: int = 0) -> FloatArray:
        """The distances of the points of a front."""
        return kernels.crowding_distances(F)


class SameRankAndCrowding(RankAndCrowding):  # type: ignore[misc]
    """pymoo's survival by rank and crowding, with ties that no processor decides.

    pymoo shuffles the front that has to be split, and sorts it by crowding with numpy's fastest
    sort, which leaves ties in an order that depends on the instructions that the processor has. A
    stable sort leaves them as shuffled, so that a seed has the same result everywhere.

    Parameters
    ----------
    nds, crowding_func
        As for pymoo's; by default its own, the crowding distance compiled.
    """

    def __init__(self, nds: Any = None, crowding_func: Any = None) -> None:
        super().__init__(nds, CompiledCrowding() if crowding_func is None else crowding_func)

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
        survivors: list[int] = []
        for rank, members in enumerate(self.nds.do(F, n_stop_if_ranked=n_left)):
            n_remove = max(len(survivors) + len(members) - n_left, 0)
            crowding = self.crowding_func.do(F[members], n_remove=n_remove)
            for member, own in zip(pop[members], crowding.tolist(), strict=True):
                member.set("rank", rank)
                member.set("crowding", own)
            kept = np.asarray(members)
            if n_remove:
                shuffled = random_state.permutation(len(members))
                loneliest = np.argsort(-crowding[shuffled], kind="stable")
                kept = kept[shuffled[loneliest[:-n_remove]]]
            survivors.extend(kept.tolist())
        return pop[survivors]
