import copy
import time
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
from pymoo.mcdm.pseudo_weights import PseudoWeights
from pymoo.operators.crossover.nox import NoCrossover
from pymoo.optimize import minimize
from pymoo.termination import get_termination
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import (
    MINOTAUR,
    InputError,
    MutationMating,
    Rule,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetProblem,
    SubstituteRule,
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


class LikesAccuracy(AutomatedDM):  # type: ignore[misc]
    """Answers PINSGA2's questions in place of a person."""

    def makeDecision(self, F: np.ndarray) -> str:  # noqa: N802 - pymoo's name
        return "a" if F[0, 0] <= F[1, 0] else "b"


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
        pop_size=20, n_offsprings=10, automated_dm=LikesAccuracy(), **kw
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


# The first population has one rule each: pymoo divides by the range of an objective that has none.
flat_start = pytest.mark.filterwarnings("ignore:.* encountered in (divide|multiply):RuntimeWarning")


@flat_start
@pytest.mark.parametrize("search", ["guided", "paper"])
@pytest.mark.parametrize("name", MAKERS)
@pytest.mark.filterwarnings("ignore:delta_grad == 0.0")  # what PINSGA2 fits may be linear
def test_any_suitable_algorithm_searches_rule_sets(name: str, search: Search) -> None:
    res = run(name, search, seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)
    assert np.array_equal(run(name, search, seed=1).F, res.F)
    assert not np.array_equal(run(name, search, seed=2).F, res.F)


@flat_start
@pytest.mark.parametrize("name", [name for name in MAKERS if "MOEAD" not in name])
def test_any_suitable_algorithm_stops_when_nothing_can_be_varied(name: str) -> None:
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
def test_unsuitable_algorithms_are_refused_with_the_reason(unsuitable: type) -> None:
    sentence = "cannot search rule sets, as it .*: use MINOTAUR or one of NSGA2"
    with pytest.raises(InputError, match=f"{unsuitable.__name__} {sentence}"):
        rule_set_operators(PROBLEM, algorithm=unsuitable)
    arguments = {"ref_dirs": DIRECTIONS} if unsuitable is NSDER else {}
    algorithm = unsuitable(pop_size=20, sampling=RuleSampling(), **arguments)
    with pytest.raises(InputError, match=sentence):
        minimize(PROBLEM, algorithm, ("n_gen", 2), seed=1)


def test_no_crossover_is_refused() -> None:
    algorithm = NSGA2(
        pop_size=20, sampling=RuleSampling(), crossover=NoCrossover(), mutation=RuleMutation()
    )
    with pytest.raises(InputError, match="NoCrossover hands parents to the mutation"):
        minimize(PROBLEM, algorithm, ("n_gen", 2), seed=1)


@pytest.mark.parametrize("name", ["NSGA2", "MOEAD"])
def test_the_algorithms_repair_is_honoured(name: str) -> None:
    algorithm = MAKERS[name](repair=OnlyFirstRule(), **rule_set_operators(PROBLEM))
    res = minimize(PROBLEM, algorithm, ("n_gen", 5), seed=1)
    assert all(rule_set.n_rules == 1 for rule_set in res.pop.get("X")[:, 0])


@pytest.mark.parametrize("search", ["guided", "paper"])
def test_200_generations_make_8080_evaluations(search: Search) -> None:
    res = minimize(PROBLEM, MINOTAUR(search), seed=1)
    assert res.algorithm.evaluator.n_eval == 8080
    assert res.message == "reached the limit of 200 generations"
    assert len(res.pop) == 80
    check_model(res, GARDEN.X, GARDEN.Y)


def test_too_many_failures_end_the_run_in_that_generation() -> None:
    class SoonStuck:
        n_left = 23

        def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> RuleSet | None:
            self.n_left -= 1
            return SubstituteRule().mutant(rule_set, random_state) if self.n_left >= 0 else None

    mating = MutationMating(RuleMutation([SoonStuck()]))
    algorithm = MINOTAUR(mating=mating, pop_size=10, n_offsprings=5)
    res = minimize(PROBLEM, algorithm, seed=1, save_history=True)
    # Four generations of five mutants each, three of the fifth, and then failures only.
    assert res.message == "gave up after 2000 failed mutations in generation 5"
    assert res.algorithm.evaluator.n_eval == 10 + 4 * 5
    assert np.array_equal(res.pop.get("F"), res.history[4].pop.get("F"))
    assert len(res.F) > 0


def test_another_termination_is_honoured_and_named() -> None:
    given = MINOTAUR(termination=get_termination("n_eval", 200))
    assert minimize(PROBLEM, given, seed=1).algorithm.evaluator.n_eval == 200
    res = minimize(PROBLEM, MINOTAUR(), ("n_eval", 200), seed=1)
    assert res.message == "ended by MaximumFunctionCallTermination"
    res = minimize(PROBLEM, MINOTAUR(), ("n_gen", 4), seed=1)
    assert res.message == "reached the limit of 3 generations"


def test_ask_and_tell_gives_the_same_front() -> None:
    expected = minimize(PROBLEM, MINOTAUR(n_gen=10), seed=3).F
    algorithm = MINOTAUR(n_gen=10)
    algorithm.setup(PROBLEM, seed=3)
    while algorithm.has_next():
        infills = algorithm.ask()
        algorithm.evaluator.eval(PROBLEM, infills)
        algorithm.tell(infills=infills)
    res = algorithm.result()
    assert np.array_equal(res.F, expected)
    assert res.message == "reached the limit of 10 generations"
    check_model(res, GARDEN.X, GARDEN.Y)


def test_any_number_of_threads_gives_the_same_front() -> None:
    alone, *others = (
        minimize(PROBLEM, MINOTAUR("paper", 20, n_gen=30, n_threads=n), seed=3).pop
        for n in (1, 2, 3)
    )
    for shared in others:
        assert np.array_equal(shared.get("F"), alone.get("F"))
        assert [x[0] for x in shared.get("X")] == [x[0] for x in alone.get("X")]


def test_a_run_in_progress_has_no_reason_to_end_yet() -> None:
    algorithm = MINOTAUR(n_gen=10)
    algorithm.setup(PROBLEM, seed=3)
    algorithm.next()
    assert algorithm.result().message is None


def test_known_rule_sets_can_be_the_start() -> None:
    first = minimize(PROBLEM, MINOTAUR(n_gen=20), seed=1)
    again = minimize(PROBLEM, MINOTAUR(n_gen=5, sampling=first.pop.get("X")), seed=2)
    assert again.F[:, 0].min() <= first.F[:, 0].min()


def test_the_global_generator_is_neither_read_nor_changed() -> None:
    fronts = []
    for seed in (0, 1):
        np.random.seed(seed)  # noqa: NPY002
        before = np.random.get_state()  # noqa: NPY002
        fronts.append(minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1).F)
        after = np.random.get_state()  # noqa: NPY002
        assert before[0] == after[0]
        assert np.array_equal(before[1], after[1])
        assert before[2:] == after[2:]
    assert np.array_equal(*fronts)


def test_history_holds_every_generation_as_it_was() -> None:
    res = minimize(PROBLEM, MINOTAUR(n_gen=10), seed=1, save_history=True)
    assert len(res.history) == 11
    single = MINOTAUR(n_gen=10)
    single.setup(PROBLEM, seed=1)
    for entry in res.history:
        single.next()
        assert np.array_equal(entry.pop.get("F"), single.pop.get("F"))
        assert np.array_equal(entry.pop.get("rank"), single.pop.get("rank"))
        assert np.array_equal(entry.opt.get("F"), single.opt.get("F"))
        assert set(map(id, entry.opt)) <= set(map(id, entry.pop))
        assert entry.evaluator.n_eval == single.evaluator.n_eval


def test_history_costs_less_than_a_millisecond_a_generation_on_large_data() -> None:
    draws = np.random.default_rng(0)
    X, Y = draws.normal(size=(10_000, 80)), draws.integers(0, 2, size=(10_000, 5))
    problem = RuleSetProblem(X, Y)
    algorithm = MINOTAUR("paper", target_coverage=32)
    algorithm.setup(problem, seed=1)
    for _ in range(5):
        algorithm.next()
    # What pymoo leaves out of the copies that it keeps.
    algorithm.history, algorithm.callback, algorithm.display = None, None, None
    seconds = []
    for _ in range(20):
        start = time.process_time()
        copy.deepcopy(algorithm)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.001


def test_duplicates_can_be_eliminated() -> None:
    res = minimize(PROBLEM, MINOTAUR(n_gen=20, eliminate_duplicates=True), seed=1)
    mutants = [x for x in res.pop if x.get("n_gen") > 1]
    assert len({individual.X[0] for individual in mutants}) == len(mutants)


def test_pymoos_decision_making_works() -> None:
    res = minimize(PROBLEM, MINOTAUR(n_gen=10), seed=1)
    chosen = PseudoWeights(np.array([0.5, 0.5])).do(res.F)
    assert res.X[chosen, 0].n_rules >= 1


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"search": "blind"}, "there is no search 'blind': choose 'guided' or 'paper'"),
        ({"target_coverage": 9}, "target_coverage is for search='paper'"),
        ({"search": "paper", "min_coverage": 9}, "min_coverage is for search='guided'"),
        ({"min_coverage": 0}, "min_coverage must be 'auto' or a whole number from 1 on"),
        ({"n_gen": -1}, "n_gen must be at least 0, not -1"),
        ({"n_threads": 2}, "n_threads is for search='paper'"),
        ({"search": "paper", "n_threads": 0}, "n_threads must be at least 1, not 0"),
        (
            {"search": "paper", "target_coverage": 0},
            "target_coverage must be 'auto' or a whole number from 1 on, not 0",
        ),
        (
            {"search": "paper", "target_coverage": "many"},
            "target_coverage must be 'auto' or a whole number from 1 on, not 'many'",
        ),
    ],
)
def test_bad_arguments_get_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        MINOTAUR(**arguments)


def test_operators_need_a_problem_of_ours() -> None:
    with pytest.raises(InputError, match="operators are for a RuleSetProblem"):
        rule_set_operators("emotions")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"search": ["guided"]}, "there is no search"),
        ({"search": np.array(["guided", "paper"])}, "there is no search"),
        ({"pop_size": 0}, "pop_size must be at least 1, not 0"),
        ({"n_offsprings": np.array([1, 2])}, "n_offsprings must be a whole number"),
        ({"n_gen": 2.5}, "n_gen must be a whole number, not 2.5"),
        ({"n_max_failures": {}}, "n_max_failures must be a whole number, not {}"),
        ({"min_coverage": 10**30}, "min_coverage must be 'auto' or a whole number"),
        ({"eliminate_duplicates": "no"}, "eliminate_duplicates must be True or False, not 'no'"),
    ],
)
def test_arguments_of_other_kinds_get_one_sentence(
    arguments: dict[str, Any], sentence: str
) -> None:
    with pytest.raises(InputError, match=sentence):
        MINOTAUR(**arguments)


def test_operators_are_for_a_class() -> None:
    with pytest.raises(InputError, match="algorithm must be a pymoo class, not 2"):
        rule_set_operators(algorithm=2)


def test_the_papers_search_keeps_of_its_rules_what_it_needs_and_no_more() -> None:
    garden = load_demo()
    algorithm = MINOTAUR("paper", target_coverage=8, n_gen=5)
    algorithm.setup(RuleSetProblem(garden.X, garden.Y), seed=1)
    for _ in range(5):
        algorithm.next()
    for individual in algorithm.pop:
        rule_set = individual.X[0]
        assert rule_set._boxes is None
        assert not {"_regions", "region_labels"} & set(vars(rule_set))
        for rule in rule_set:
            for derived in ("box", "labels", "counts"):
                with pytest.raises(AttributeError):
                    vars(Rule)[derived].__get__(rule)
    # What is not kept is there for whoever asks.
    check_model(algorithm.result(), garden.X, garden.Y)
