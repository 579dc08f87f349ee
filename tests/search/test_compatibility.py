from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from pymoo.algorithms.moo.age import AGEMOEA
from pymoo.algorithms.moo.age2 import AGEMOEA2
from pymoo.algorithms.moo.cmopso import CMOPSO
from pymoo.algorithms.moo.ctaea import CTAEA
from pymoo.algorithms.moo.dnsga2 import DNSGA2
from pymoo.algorithms.moo.gde3 import GDE3, GDE3PCD
from pymoo.algorithms.moo.kgb import KGB
from pymoo.algorithms.moo.moead import MOEAD, ParallelMOEAD
from pymoo.algorithms.moo.mopso_cd import MOPSO_CD
from pymoo.algorithms.moo.nsde import NSDE
from pymoo.algorithms.moo.nsder import NSDER
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.moo.nsga3 import NSGA3
from pymoo.algorithms.moo.omni import OmniOptimizer
from pymoo.algorithms.moo.pinsga2 import PINSGA2, AutomatedDM
from pymoo.algorithms.moo.rnsga2 import RNSGA2
from pymoo.algorithms.moo.rnsga3 import RNSGA3
from pymoo.algorithms.moo.rvea import RVEA
from pymoo.algorithms.moo.sms import SMSEMOA
from pymoo.algorithms.moo.spea2 import SPEA2
from pymoo.algorithms.moo.unsga3 import UNSGA3
from pymoo.operators.crossover.nox import NoCrossover
from pymoo.optimize import minimize
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import (
    InputError,
    MutationMating,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
    check_model,
    load_demo,
    rule_set_operators,
)
from minotaur_pymoo.search.compatibility import SUITABLE
from minotaur_pymoo.search.presets import Search
from tests.search.test_mating import OnlyFirstRule

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)
DIRECTIONS = get_reference_directions("das-dennis", 2, n_partitions=19)
REFERENCES = np.array([[-1.0, 1.0], [-0.7, 3.0]])


class PrefersAccuracy(AutomatedDM):  # type: ignore[misc]
    """Answers PINSGA2's questions in place of a person."""

    def makeDecision(self, F: np.ndarray) -> str:  # noqa: N802 - pymoo's name
        return "a" if F[0, 0] <= F[1, 0] else "b"


# Of all algorithms, these take longest.
SLOW = ("PINSGA2", "AGEMOEA2")

MAKERS: dict[str, Callable[..., Any]] = {
    "NSGA2": lambda **kw: NSGA2(pop_size=20, n_offsprings=10, **kw),
    "NSGA3": lambda **kw: NSGA3(DIRECTIONS, **kw),
    "UNSGA3": lambda **kw: UNSGA3(DIRECTIONS, **kw),
    "RNSGA2": lambda **kw: RNSGA2(REFERENCES, pop_size=20, n_offsprings=10, **kw),
    "RNSGA3": lambda **kw: RNSGA3(REFERENCES, pop_per_ref_point=10, **kw),
    "AGEMOEA": lambda **kw: AGEMOEA(pop_size=20, n_offsprings=10, **kw),
    "AGEMOEA2": lambda **kw: AGEMOEA2(pop_size=20, n_offsprings=10, **kw),
    "SMSEMOA": lambda **kw: SMSEMOA(pop_size=20, n_offsprings=10, **kw),
    "SPEA2": lambda **kw: SPEA2(pop_size=20, n_offsprings=10, **kw),
    "RVEA": lambda **kw: RVEA(DIRECTIONS, pop_size=20, n_offsprings=10, **kw),
    "PINSGA2": lambda **kw: PINSGA2(
        pop_size=20, n_offsprings=10, automated_dm=PrefersAccuracy(), **kw
    ),
    "DNSGA2": lambda **kw: DNSGA2(pop_size=20, n_offsprings=10, **kw),
    "CTAEA": lambda **kw: CTAEA(DIRECTIONS, **kw),
    "MOEAD": lambda **kw: MOEAD(DIRECTIONS, n_neighbors=5, **kw),
    "ParallelMOEAD": lambda **kw: ParallelMOEAD(DIRECTIONS, n_neighbors=5, **kw),
}


def run(name: str, search: Search, seed: int) -> Any:
    algorithm = MAKERS[name](**rule_set_operators(PROBLEM, search))
    return minimize(PROBLEM, algorithm, ("n_gen", 20), seed=seed)


def test_every_suitable_algorithm_is_tested() -> None:
    assert set(MAKERS) == set(SUITABLE)


# Rule sets of the first population have one rule each, and pymoo divides by the range of an
# objective, which is then zero.
flat_start = pytest.mark.filterwarnings("ignore:.* encountered in (divide|multiply):RuntimeWarning")


@flat_start
@pytest.mark.parametrize("search", ["guided", "paper"])
@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW)) for name in MAKERS],
)
@pytest.mark.filterwarnings("ignore:delta_grad == 0.0")  # PINSGA2 may fit a linear function
def test_suitable_algorithms_search_rule_sets_reproducibly(name: str, search: Search) -> None:
    res = run(name, search, seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)
    assert np.array_equal(run(name, search, seed=1).F, res.F)
    assert not np.array_equal(run(name, search, seed=2).F, res.F)


@flat_start
@pytest.mark.parametrize("name", [name for name in MAKERS if "MOEAD" not in name])
def test_suitable_algorithms_stop_if_no_rule_set_can_be_varied(name: str) -> None:
    class Stuck:
        def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> None:
            return None

    parts = rule_set_operators(PROBLEM)
    parts["mating"] = MutationMating(RuleMutation([Stuck()]), n_max_failures=50)
    res = minimize(PROBLEM, MAKERS[name](**parts), ("n_gen", 20), seed=1)
    assert res.algorithm.n_gen <= 4
    assert len(res.pop) > 0
    check_model(res, GARDEN.X, GARDEN.Y)


UNSUITABLE = [OmniOptimizer, KGB, NSDE, NSDER, GDE3, GDE3PCD, CMOPSO, MOPSO_CD]


@pytest.mark.parametrize("unsuitable", UNSUITABLE)
def test_unsuitable_algorithms_are_rejected_with_the_reason(unsuitable: type) -> None:
    message = "cannot search rule sets, as it .*: use MINOTAUR or one of NSGA2"
    with pytest.raises(InputError, match=f"{unsuitable.__name__} {message}"):
        rule_set_operators(PROBLEM, algorithm=unsuitable)
    arguments = {"ref_dirs": DIRECTIONS} if unsuitable is NSDER else {}
    algorithm = unsuitable(pop_size=20, sampling=RuleSampling(), **arguments)
    with pytest.raises(InputError, match=message):
        minimize(PROBLEM, algorithm, ("n_gen", 2), seed=1)


def test_no_crossover_is_rejected() -> None:
    algorithm = NSGA2(
        pop_size=20, sampling=RuleSampling(), crossover=NoCrossover(), mutation=RuleMutation()
    )
    with pytest.raises(InputError, match="NoCrossover passes parents to the mutation"):
        minimize(PROBLEM, algorithm, ("n_gen", 2), seed=1)


@pytest.mark.parametrize("name", ["NSGA2", "MOEAD"])
def test_repair_of_the_algorithm_is_applied(name: str) -> None:
    algorithm = MAKERS[name](repair=OnlyFirstRule(), **rule_set_operators(PROBLEM))
    res = minimize(PROBLEM, algorithm, ("n_gen", 5), seed=1)
    assert all(rule_set.n_rules == 1 for rule_set in res.pop.get("X")[:, 0])
