import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from joblib import Parallel, delayed
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.population import Population
from pymoo.core.result import Result
from pymoo.operators.sampling.rnd import FloatRandomSampling
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    GuidedMutation,
    InputError,
    MinotaurClassifier,
    RuleSampling,
    RuleSet,
    RuleSetCrossover,
    RuleSetDuplicates,
    RuleSetProblem,
    WarmStart,
    check_model,
    export,
    load_demo,
)

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)


@pytest.fixture(scope="module")
def first() -> Result:
    return minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1)


def best(res: object) -> float:
    return float(res.F[:, 0].min())


@pytest.mark.parametrize(
    "start_of",
    [
        lambda first: first.X,
        lambda first: first.X[:, 0],
        lambda first: list(first.X[:, 0]),
        lambda first: first.pop,
        lambda first: first.opt,
        lambda first: first.X[np.argmin(first.F[:, 0]), 0],
        lambda first: [rule_set.model for rule_set in first.X[:, 0]],
        lambda first: WarmStart(first.X),
    ],
    ids=["array", "vector", "list", "population", "optimum", "rule set", "models", "sampling"],
)
@pytest.mark.parametrize("search", ["guided", "paper"])
def test_searches_start_from_anything(
    start_of: Callable[[Result], object], search: str, first: Result
) -> None:
    algorithm = MINOTAUR(search=search, sampling=start_of(first), n_gen=2)
    res = minimize(PROBLEM, algorithm, seed=1)
    assert best(res) <= best(first)
    assert res.algorithm.evaluator.n_eval == 80 + 2 * 40
    check_model(res, GARDEN.X, GARDEN.Y)


def test_evaluated_individuals_are_evaluated_anew_for_other_objectives(first: Result) -> None:
    other = PROBLEM.with_objectives("hamming_loss", "n_tests", "n_rules")
    res = minimize(other, MINOTAUR(sampling=first.pop, n_gen=2), seed=1)
    assert res.F.shape[1] == 3
    check_model(res, GARDEN.X, GARDEN.Y)


def test_arrays_from_problems_with_other_targets_are_counted_anew(first: Result) -> None:
    soft = PROBLEM.with_objectives("hamming_loss", "n_tests")
    soft = RuleSetProblem(soft.training, soft_labels="out-of-bag")
    parts = {"crossover": RuleSetCrossover(), "eliminate_duplicates": RuleSetDuplicates()}
    algorithm = NSGA2(pop_size=30, sampling=first.X, mutation=GuidedMutation(), **parts)
    res = minimize(soft, algorithm, ("n_gen", 4), seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)
    # Offspring are made from the data of the problem.
    assert any(individual.X[0].data is soft.training for individual in res.pop)


def test_missing_rule_sets_are_sampled_and_too_many_are_thinned_out(first: Result) -> None:
    draws = np.random.default_rng(1)
    three = [rule_set.model for rule_set in first.X[:3, 0]]
    pop = WarmStart(three, RuleSampling())(PROBLEM, 10, random_state=draws)
    assert [individual.X[0].model for individual in pop[:3]] == three
    assert [individual.X[0].n_rules for individual in pop[3:]] == [1] * 7
    everything = first.pop.get("X")[:, 0]
    pop = WarmStart(first.pop)(PROBLEM, 5, random_state=draws)
    chosen = [0, 20, 40, 59, 79]
    assert [individual.X[0] for individual in pop] == [everything[i] for i in chosen]


def test_classifiers_start_searches() -> None:
    classifier = MinotaurClassifier(n_gen=5, random_state=1).fit(GARDEN.X, GARDEN.Y)
    res = minimize(PROBLEM, MINOTAUR(sampling=classifier, n_gen=0), seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)
    assert best(res) <= -classifier.front_["micro_f1"].max()
    saved = export.from_json(export.to_json(classifier))
    again = minimize(PROBLEM, MINOTAUR(sampling=saved, n_gen=0), seed=1)
    assert np.array_equal(again.F, res.F)


def search(problem: RuleSetProblem, seed: int) -> object:
    return minimize(problem, MINOTAUR(n_gen=2), seed=seed).opt


def test_fronts_of_other_processes_are_merged_and_continued() -> None:
    fronts = Parallel(n_jobs=2)(delayed(search)(PROBLEM, seed) for seed in (1, 2))
    merged = RuleSetDuplicates().do(Population.merge(*fronts))
    assert all(individual.X[0].data is not PROBLEM.training for individual in merged)
    assert all(individual.X[0].data == PROBLEM.training for individual in merged)
    for algorithm in (
        MINOTAUR(sampling=merged, n_gen=3),
        # As pymoo's own users would, without a sampling of ours.
        NSGA2(
            sampling=merged.get("X"),
            crossover=RuleSetCrossover(),
            mutation=GuidedMutation(),
            eliminate_duplicates=RuleSetDuplicates(),
        ),
    ):
        res = minimize(PROBLEM, algorithm, ("n_gen", 4), seed=1)
        assert best(res) <= min(front.get("F")[:, 0].min() for front in fronts)
        check_model(res, GARDEN.X, GARDEN.Y)


def test_rule_sets_of_a_pickle_from_another_process_start_a_search(tmp_path: Path) -> None:
    path = tmp_path / "front.pickle"
    script = (
        "import pickle, sys\n"
        "from pymoo.optimize import minimize\n"
        "from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo\n"
        "garden = load_demo(150)\n"
        "res = minimize(RuleSetProblem(garden.X, garden.Y), MINOTAUR(n_gen=2), seed=3)\n"
        "pickle.dump(list(res.X[:, 0]), open(sys.argv[1], 'wb'))\n"
    )
    subprocess.run([sys.executable, "-c", script, str(path)], check=True)  # noqa: S603
    start: list[RuleSet] = pickle.loads(path.read_bytes())
    assert {rule_set.data for rule_set in start} == {PROBLEM.training}
    res = minimize(PROBLEM, MINOTAUR(sampling=start, n_gen=1), seed=1)
    check_model(res, GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize(
    ("start", "message"),
    [
        ([], "a warm start needs at least one rule set or model"),
        (5, "a search cannot start from 5: pass rule sets, models, an array or a population"),
        ("tree", "a search cannot start from 'tree'"),
        ([1.0, 2.0], r"a search cannot start from 1\.0"),
        (FloatRandomSampling(), "FloatRandomSampling samples numbers, not rule sets"),
    ],
)
def test_other_things_are_refused(start: object, message: str) -> None:
    with pytest.raises(InputError, match=message):
        MINOTAUR(sampling=start)


def test_rule_sets_of_other_data_are_refused(first: Result) -> None:
    other = RuleSetProblem(GARDEN.X[:100], GARDEN.Y[:100])
    with pytest.raises(InputError, match="the rule set was made from other data: use RuleSet"):
        minimize(other, MINOTAUR(sampling=first.X), seed=1)
