import warnings
from typing import Any

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.algorithms.soo.nonconvex.ga import GA
from pymoo.core.population import Population
from pymoo.operators.crossover.nox import NoCrossover
from pymoo.operators.mutation.nom import NoMutation
from pymoo.optimize import minimize
from pymoo.util.archive import MultiObjectiveArchive

from benchmarks.compatibility import algorithm_classes, create
from minotaur_pymoo import (
    GuidedMutation,
    InputError,
    MutationMating,
    RuleMutation,
    RuleSampling,
    RuleSet,
    RuleSetCrossover,
    RuleSetDuplicates,
    RuleSetProblem,
    TreeSampling,
    WarmStart,
    check_model,
    load_demo,
    rule_set_operators,
)
from minotaur_pymoo.search.compatibility import SUITABLE, SUITABLE_FOR_ONE_OBJECTIVE, WHY_NOT
from minotaur_pymoo.search.presets import Search
from tests.search.test_mating import OnlyFirstRule

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)
ONE = RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1"])
CLASSES = algorithm_classes()
SUITED = [*SUITABLE, *SUITABLE_FOR_ONE_OBJECTIVE]
REFUSED = [name for name in CLASSES if name not in (*SUITED, "GeneticAlgorithm")]
# Of all algorithms, these take longest.
SLOW = ("PINSGA2", "AGEMOEA2")


def problem_for(name: str) -> RuleSetProblem:
    return ONE if name in SUITABLE_FOR_ONE_OBJECTIVE else PROBLEM


def run(name: str, seed: int, n_gen: int = 15, **parts: Any) -> Any:
    algorithm = create(CLASSES[name], parts)
    with warnings.catch_warnings():
        # pymoo divides by the range of an objective, which may be zero.
        warnings.simplefilter("ignore")
        return minimize(problem_for(name), algorithm, ("n_gen", n_gen), seed=seed)


def thorough(names: list[str]) -> list[Any]:
    return [pytest.param(name, marks=[pytest.mark.thorough] * (name in SLOW)) for name in names]


def test_every_class_of_pymoo_is_either_suitable_or_refused_for_a_reason() -> None:
    assert set(SUITED) < set(CLASSES)
    for name in REFUSED:
        assert any(ancestor.__name__ in WHY_NOT for ancestor in CLASSES[name].__mro__), name
    # Optuna's class can only be imported with its library.
    assert set(WHY_NOT) <= {*CLASSES, "Optuna"}


@pytest.mark.parametrize("search", ["guided", "paper"])
@pytest.mark.parametrize("name", thorough(SUITED))
def test_suitable_algorithms_search_rule_sets_reproducibly(name: str, search: Search) -> None:
    if name == "RandomSearch":
        pytest.skip("it has no mating")
    res = run(name, 1, **rule_set_operators(search=search))
    check_model(res, GARDEN.X, GARDEN.Y)
    assert np.array_equal(run(name, 1, **rule_set_operators(search=search)).F, res.F)
    assert not np.array_equal(run(name, 2, **rule_set_operators(search=search)).F, res.F)


PARTS = {
    "guided": {"sampling": TreeSampling(), "mutation": GuidedMutation()},
    "paper": {"sampling": RuleSampling(), "mutation": RuleMutation()},
}


@pytest.mark.parametrize("duplicates", [True, False])
@pytest.mark.parametrize("search", PARTS)
@pytest.mark.parametrize("name", thorough(SUITED))
def test_parts_plug_in_one_by_one(name: str, search: str, duplicates: bool) -> None:
    parts = {"crossover": RuleSetCrossover(), **PARTS[search]}
    if duplicates:
        parts["eliminate_duplicates"] = RuleSetDuplicates()
    res = run(name, 1, n_gen=5, **parts)
    check_model(res, GARDEN.X, GARDEN.Y)
    assert np.array_equal(run(name, 1, n_gen=5, **parts).F, res.F)
    # Algorithms of a fixed size keep duplicates, at least those they start with.
    if duplicates and name not in ("CTAEA", "MOEAD", "ParallelMOEAD", "RandomSearch"):
        assert len({individual.X[0] for individual in res.pop}) == len(res.pop)


@pytest.mark.parametrize("name", [name for name in SUITABLE if "MOEAD" not in name])
def test_suitable_algorithms_stop_if_no_rule_set_can_be_varied(name: str) -> None:
    class Stuck:
        def mutant(self, rule_set: RuleSet, random_state: np.random.Generator) -> None:
            return None

    parts = rule_set_operators(PROBLEM)
    parts["mating"] = MutationMating(RuleMutation([Stuck()]), n_max_failures=50)
    res = run(name, 1, **parts)
    assert res.algorithm.n_gen <= 4
    assert len(res.pop) > 0
    check_model(res, GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize("name", REFUSED)
def test_unsuitable_algorithms_are_refused_with_the_reason(name: str) -> None:
    message = f"{name} cannot search rule sets, as it .*: use MINOTAUR or one of NSGA2"
    with pytest.raises(InputError, match=message):
        rule_set_operators(PROBLEM, algorithm=CLASSES[name])
    if name in ("LineSearch", "WolfeSearch", "MetaAlgorithm2"):
        return  # parts of other algorithms, which cannot be run alone
    problem = PROBLEM if ".moo." in CLASSES[name].__module__ else ONE
    directions = {"ref_dirs": np.eye(2)} if name == "NSDER" else {}
    for given in ({"sampling": RuleSampling()}, {}):
        with pytest.raises(InputError, match=message):
            minimize(problem, CLASSES[name](**directions, **given), ("n_gen", 2), seed=1)
    # Rule sets are first compared as floats by some.
    start = minimize(problem, NSGA2(20, **rule_set_operators()), ("n_gen", 1), seed=1).pop.get("X")
    with pytest.raises(InputError, match=f"{message}|a rule set is not a number: pass"):
        minimize(problem, CLASSES[name](sampling=start, **directions), ("n_gen", 2), seed=1)


@pytest.mark.parametrize("name", SUITABLE)
def test_defaults_for_numbers_are_refused(name: str) -> None:
    with pytest.raises(InputError, match=r"does not work on rule sets|evaluates rule sets|bounds"):
        run(name, 1)
    with pytest.raises(InputError, match=f"the crossover SBX of {name} does not work on rule sets"):
        run(name, 1, sampling=TreeSampling(), mutation=GuidedMutation())
    with pytest.raises(InputError, match=f"the mutation PM of {name} does not work on rule sets"):
        run(name, 1, sampling=TreeSampling(), crossover=RuleSetCrossover())


def test_no_crossover_is_rejected() -> None:
    with pytest.raises(InputError, match="NoCrossover passes parents to the mutation"):
        run("NSGA2", 1, crossover=NoCrossover(), **PARTS["paper"])


START = minimize(PROBLEM, NSGA2(20, **rule_set_operators()), ("n_gen", 3), seed=1).pop


def search_from(start: Population, problem: RuleSetProblem = PROBLEM, **parts: Any) -> Any:
    parts = {"crossover": RuleSetCrossover(), "mutation": GuidedMutation(), **parts}
    algorithm = NSGA2(20, sampling=start, eliminate_duplicates=RuleSetDuplicates(), **parts)
    res = minimize(problem, algorithm, ("n_gen", 4), seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)
    return res


def test_no_crossover_is_rejected_also_after_an_evaluated_population() -> None:
    with pytest.raises(InputError, match="NoCrossover passes parents to the mutation"):
        search_from(START, crossover=NoCrossover())


def test_evaluated_populations_are_not_evaluated_again() -> None:
    assert search_from(START).algorithm.evaluator.n_eval == 3 * 20
    X = START.get("X")
    n_different = len(set(X[:, 0]))
    assert n_different < len(X)
    res = search_from(Population.new(X=X))
    assert res.algorithm.evaluator.n_eval == n_different + 3 * 20


@pytest.mark.parametrize(
    "problem",
    [
        PROBLEM.with_objectives("hamming_loss", "n_tests"),
        PROBLEM.with_objectives("micro_f1", "n_rules", "n_tests"),
        RuleSetProblem(GARDEN.X, GARDEN.Y, max_rules=8),
    ],
)
@pytest.mark.parametrize(
    "parts",
    [
        {},
        {"mating": MutationMating(GuidedMutation())},
        {"crossover": RuleSetCrossover(prob=0), "mutation": OnlyFirstRule()},
    ],
)
def test_populations_of_other_problems_need_a_warm_start(
    problem: RuleSetProblem, parts: dict[str, Any]
) -> None:
    with pytest.raises(InputError, match=r"evaluated for another problem: pass sampling=WarmStart"):
        search_from(START, problem, **parts)
    search_from(WarmStart(START), problem, **parts)


@pytest.mark.parametrize("part", ["crossover", "mutation", "eliminate_duplicates"])
def test_classes_in_place_of_objects_are_refused(part: str) -> None:
    parts = {"crossover": RuleSetCrossover(), **PARTS["guided"]}
    parts |= {"eliminate_duplicates": RuleSetDuplicates()}
    name = type(parts[part]).__name__
    parts[part] = type(parts[part])
    with pytest.raises(InputError, match=f"{part} must be an object, not the class {name}: pass"):
        run("NSGA2", 1, **parts)


def test_crossover_alone_and_mutation_alone() -> None:
    for parts in (
        {**PARTS["guided"], "crossover": RuleSetCrossover(), "mutation": NoMutation()},
        {**PARTS["guided"], "crossover": RuleSetCrossover(prob=0.0)},
    ):
        check_model(run("NSGA2", 1, **parts), GARDEN.X, GARDEN.Y)


def test_archives_compare_rule_sets_by_hash() -> None:
    parts = {**PARTS["guided"], "crossover": RuleSetCrossover()}
    res = run("NSGA2", 1, archive=MultiObjectiveArchive(), **parts)
    rule_sets = [individual.X[0] for individual in res.archive]
    assert len(set(rule_sets)) == len(rule_sets) > 0


def test_user_defined_duplicate_elimination_is_kept() -> None:
    class Never(RuleSetDuplicates):
        def _do(self, pop: Any, other: Any, is_duplicate: Any) -> Any:
            return is_duplicate

    parts = {**PARTS["guided"], "crossover": RuleSetCrossover()}
    res = run("NSGA2", 1, eliminate_duplicates=Never(), **parts)
    assert type(res.algorithm.mating.eliminate_duplicates) is Never


def test_one_objective_is_required_by_ga() -> None:
    algorithm = GA(
        20, sampling=TreeSampling(), crossover=RuleSetCrossover(), mutation=GuidedMutation()
    )
    with pytest.raises(InputError, match="GA has one objective and the problem 2: use MINOTAUR"):
        minimize(PROBLEM, algorithm, ("n_gen", 2), seed=1)


@pytest.mark.parametrize("name", ["CTAEA", "MOEAD"])
def test_too_few_rule_sets_are_refused_where_the_size_is_fixed(name: str) -> None:
    start = run("NSGA2", 1, n_gen=1, **rule_set_operators()).pop.get("X")[:5]
    parts = {"crossover": RuleSetCrossover(), "mutation": GuidedMutation(), "sampling": start}
    if name == "CTAEA":
        parts["eliminate_duplicates"] = RuleSetDuplicates()
    with pytest.raises(InputError, match=f"{name} starts with 20 rule sets, and sampling has 5"):
        run(name, 1, **parts)


@pytest.mark.parametrize("name", ["NSGA2", "MOEAD"])
def test_repair_of_the_algorithm_is_applied(name: str) -> None:
    res = run(name, 1, n_gen=5, repair=OnlyFirstRule(), **rule_set_operators(PROBLEM))
    assert all(rule_set.n_rules == 1 for rule_set in res.pop.get("X")[:, 0])
