import copy
import inspect
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pymoo.core.individual import Individual
from pymoo.mcdm.pseudo_weights import PseudoWeights
from pymoo.optimize import minimize
from pymoo.termination import get_termination
from pymoo.util.archive import MultiObjectiveArchive

from minotaur_pymoo import (
    MINOTAUR,
    Checkpoint,
    InputError,
    MutationMating,
    RuleMutation,
    RuleSet,
    RuleSetProblem,
    SubstituteRule,
    check_model,
    load_demo,
    resume,
)
from minotaur_pymoo.search.presets import Search
from tests.speed import slowness

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)


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
    # Four generations of five mutants, three mutants in the fifth, and then only failures.
    assert res.message == "gave up after 2000 failed mutations in generation 5"
    assert res.algorithm.evaluator.n_eval == 10 + 4 * 5
    assert np.array_equal(res.pop.get("F"), res.history[4].pop.get("F"))
    assert len(res.F) > 0


def test_other_terminations_are_respected_and_named() -> None:
    algorithm = MINOTAUR(termination=get_termination("n_eval", 200))
    assert minimize(PROBLEM, algorithm, seed=1).algorithm.evaluator.n_eval == 200
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


def test_run_in_progress_has_no_message() -> None:
    algorithm = MINOTAUR(n_gen=10)
    algorithm.setup(PROBLEM, seed=3)
    algorithm.next()
    assert algorithm.result().message is None


def test_known_rule_sets_can_be_the_initial_population() -> None:
    first = minimize(PROBLEM, MINOTAUR(n_gen=20), seed=1)
    again = minimize(PROBLEM, MINOTAUR(n_gen=5, sampling=first.pop.get("X")), seed=2)
    assert again.F[:, 0].min() <= first.F[:, 0].min()


def test_global_random_state_is_neither_read_nor_changed() -> None:
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


def test_history_holds_every_generation_unchanged() -> None:
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


def test_history_costs_less_than_two_milliseconds_per_generation() -> None:
    draws = np.random.default_rng(0)
    X, Y = draws.normal(size=(10_000, 80)), draws.integers(0, 2, size=(10_000, 5))
    problem = RuleSetProblem(X, Y)
    algorithm = MINOTAUR("paper", target_coverage=32)
    algorithm.setup(problem, seed=1)
    for _ in range(5):
        algorithm.next()
    # pymoo does not copy these either.
    algorithm.history, algorithm.callback, algorithm.display = None, None, None
    seconds = []
    for _ in range(20):
        start = time.process_time()
        copy.deepcopy(algorithm)
        seconds.append(time.process_time() - start)
    assert min(seconds) < 0.002 * slowness()


def test_archives_keep_their_settings_in_histories_and_checkpoints(tmp_path: Path) -> None:
    def search(n_gen: int, **options: Any) -> Any:
        archive = MultiObjectiveArchive(max_size=90, truncate_size=80)
        return minimize(PROBLEM, MINOTAUR(n_gen=n_gen, archive=archive), seed=1, **options)

    whole = search(8, save_history=True)
    assert len(whole.archive) > 0
    assert all(entry.archive.max_size == 90 for entry in whole.history)
    search(4, callback=Checkpoint(tmp_path / "run"))
    continued = resume(tmp_path / "run", termination=("n_gen", 9))
    assert [one.X[0] for one in continued.archive] == [one.X[0] for one in whole.archive]


def test_duplicates_can_be_eliminated() -> None:
    res = minimize(PROBLEM, MINOTAUR(n_gen=20, eliminate_duplicates=True), seed=1)
    mutants = [x for x in res.pop if x.get("n_gen") > 1]
    assert len({individual.X[0] for individual in mutants}) == len(mutants)


def test_pymoos_decision_making_works() -> None:
    res = minimize(PROBLEM, MINOTAUR(n_gen=10), seed=1)
    chosen = PseudoWeights(np.array([0.5, 0.5])).do(res.F)
    assert res.X[chosen, 0].n_rules >= 1


@pytest.mark.parametrize("search", ["guided", "paper"])
def test_individuals_are_pymoos_own(search: Search) -> None:
    res = minimize(PROBLEM, MINOTAUR(search, n_gen=3), seed=1)
    assert {type(individual) for individual in res.pop} == {Individual}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"search": "blind"}, "there is no search 'blind': choose 'guided' or 'paper'"),
        ({"target_coverage": 9}, "target_coverage is for search='paper'"),
        ({"search": "paper", "min_coverage": 9}, "min_coverage is for search='guided'"),
        ({"search": "paper", "smoothing": 2}, "smoothing is for search='guided'"),
        ({"smoothing": -1}, "smoothing must be a number of at least 0, not -1"),
        ({"min_coverage": 0}, "min_coverage must be 'auto' or a whole number of at least 1"),
        ({"n_gen": -1}, "n_gen must be at least 0, not -1"),
        ({"n_threads": 2}, "n_threads is for search='paper'"),
        ({"search": "paper", "n_threads": 0}, "n_threads must be at least 1, not 0"),
        (
            {"search": "paper", "target_coverage": 0},
            "target_coverage must be 'auto' or a whole number of at least 1, not 0",
        ),
        (
            {"search": "paper", "target_coverage": "many"},
            "target_coverage must be 'auto' or a whole number of at least 1, not 'many'",
        ),
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
def test_invalid_arguments_are_rejected(arguments: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        MINOTAUR(**arguments)


@pytest.mark.parametrize("search", ["guided", "paper"])
def test_results_have_one_rule_set_per_point_unless_all_are_wanted(search: str) -> None:
    res = minimize(PROBLEM, MINOTAUR(search, n_gen=20), seed=3)
    everything = minimize(PROBLEM, MINOTAUR(search, n_gen=20, one_per_point=False), seed=3)
    assert len(np.unique(everything.F, axis=0)) < len(everything.F)
    assert np.array_equal(np.unique(res.F, axis=0), np.unique(everything.F, axis=0))
    assert len(np.unique(res.F, axis=0)) == len(res.F) == len(res.X) == len(res.opt)
    for row, point in zip(res.X, res.F, strict=True):
        same = [
            other[0] for other, F in zip(everything.X, everything.F, strict=True) if all(point == F)
        ]
        assert row[0].n_tests == min(rule_set.n_tests for rule_set in same)
    # The algorithm itself still has all of them.
    assert len(res.algorithm.opt) == len(everything.F)
    check_model(res, GARDEN.X, GARDEN.Y)


def test_a_single_objective_has_a_single_result() -> None:
    problem = PROBLEM.with_objectives("micro_f1")
    res = minimize(problem, MINOTAUR(n_gen=5), seed=1)
    assert res.F.shape == (1,)
    assert res.X.shape == (1,)


def test_the_class_has_no_problem_but_can_be_inspected() -> None:
    assert not hasattr(MINOTAUR, "problem")
    assert inspect.getmembers(MINOTAUR)
    assert MINOTAUR().problem is None
