"""What cannot work is refused in one sentence that says what to do."""

from pathlib import Path

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize
from pymoo.problems import get_problem

from minotaur_pymoo import (
    MINOTAUR,
    Checkpoint,
    GuidedMutation,
    InputError,
    RuleSampling,
    RuleSet,
    RuleSetCrossover,
    RuleSetProblem,
    TreeSampling,
    load_demo,
)

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"foo": 1}, "MINOTAUR has no parameter 'foo': choose from search, target_coverage"),
        ({"popsize": 1}, r"MINOTAUR has no parameter 'popsize': did you mean 'pop_size'\?"),
        ({"n_generations": 1}, "MINOTAUR has no parameter 'n_generations'"),
        ({"maxrules": 1}, "did you mean 'max_rules'"),
        ({"save_histroy": True}, "did you mean 'save_history'"),
        (
            {"mutation": GuidedMutation()},
            r"parameter 'mutation': pass mating=MutationMating\(mutation\), or use pymoo's NSGA2",
        ),
        ({"crossover": "nonsense"}, r"no parameter 'crossover': pass mating=MutationMating\(Guid"),
        ({"selection": 1}, "no parameter 'selection': parents are drawn at random, so use pymoo's"),
    ],
)
def test_unknown_arguments_are_type_errors(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(TypeError, match=message) as caught:
        MINOTAUR(**arguments)
    assert isinstance(caught.value, InputError)


def test_known_arguments_of_pymoo_are_passed_on() -> None:
    algorithm = MINOTAUR(n_gen=1, seed=3, save_history=True, verbose=False)
    res = minimize(PROBLEM, algorithm)
    assert len(res.history) == 2


def test_problems_without_rule_sets_are_refused() -> None:
    zdt1 = get_problem("zdt1")
    with pytest.raises(InputError, match="MINOTAUR searches rule sets, which ZDT1 does not have"):
        minimize(zdt1, MINOTAUR())
    for sampling in (TreeSampling(), RuleSampling()):
        name = type(sampling).__name__
        with pytest.raises(InputError, match=f"{name} searches rule sets, which ZDT1 does not"):
            minimize(zdt1, NSGA2(sampling=sampling))


def test_float_duplicate_elimination_is_refused_where_it_cannot_be_replaced() -> None:
    start = minimize(PROBLEM, MINOTAUR(n_gen=0), seed=1).X
    algorithm = NSGA2(sampling=start, crossover=RuleSetCrossover(), mutation=GuidedMutation())
    with pytest.raises(InputError, match="a rule set is not a number: pass eliminate_duplicates"):
        minimize(PROBLEM, algorithm, ("n_gen", 2))


def undefined(rule_set: RuleSet) -> float:
    return np.nan


def test_objectives_that_are_not_numbers_end_the_run() -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1", undefined])
    with pytest.raises(InputError, match="the objective 'undefined' is not a number for a rule"):
        minimize(problem, MINOTAUR(), seed=1)


@pytest.mark.parametrize("kind", ["objective", "constraint"])
def test_checkpoints_name_the_function_that_cannot_be_pickled(kind: str, tmp_path: Path) -> None:
    local = lambda rule_set: rule_set.n_tests  # noqa: E731
    parts = {"objectives": ["micro_f1", local]} if kind == "objective" else {"constraints": [local]}
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, **parts)
    message = f"the {kind} '<lambda>' cannot be pickled, and a checkpoint is a pickle: define it"
    with pytest.raises(InputError, match=message):
        minimize(problem, MINOTAUR(n_gen=1), seed=1, callback=Checkpoint(tmp_path / "run"))
