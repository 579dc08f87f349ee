import numpy as np
import pytest
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, OBJECTIVES, RuleSet, RuleSetProblem, load_demo
from minotaur_pymoo.search import hypervolume
from tests.tools.processes import output_of

GARDEN = load_demo(150)


def test_display_agrees_with_the_result(capsys: pytest.CaptureFixture[str]) -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
    res = minimize(problem, MINOTAUR(n_gen=5), seed=1, verbose=True)
    lines = capsys.readouterr().out.splitlines()
    assert [name.strip() for name in lines[1].split("|")] == [
        "n_gen",
        "n_eval",
        "micro_f1",
        "its rules",
        "front",
        "hv",
        "failed",
    ]
    last = [cell.strip() for cell in lines[-1].split("|")]
    best = res.F[:, 0].argmin()
    assert last[:2] == ["6", "280"]
    assert float(last[2]) == pytest.approx(-res.F[best, 0], abs=1e-5)
    assert int(last[3]) == res.X[best, 0].n_rules
    assert int(last[4]) == len(res.F)
    assert float(last[5]) == pytest.approx(hypervolume(res.F, problem.objectives), abs=1e-4)
    assert int(last[6]) == res.algorithm.mating.n_failures


def test_display_shows_no_front_without_a_feasible_solution(
    capsys: pytest.CaptureFixture[str],
) -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, constraints=[("micro_f1", ">=", 1)])
    assert minimize(problem, MINOTAUR(n_gen=2), seed=1, verbose=True).F is None
    last = [cell.strip() for cell in capsys.readouterr().out.splitlines()[-1].split("|")]
    assert last[2:6] == ["-", "-", "0", "-"]


def test_display_works_for_custom_objectives(capsys: pytest.CaptureFixture[str]) -> None:
    def size(rule_set: RuleSet) -> float:
        return rule_set.n_rules**2

    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, objectives=[size, "micro_f1"])
    minimize(problem, MINOTAUR(n_gen=3), seed=1, verbose=True)
    lines = capsys.readouterr().out.splitlines()
    assert lines[1].split("|")[2].strip() == "size"
    assert lines[-1].split("|")[5].strip() == "-"


def test_progress_bar_works() -> None:
    # In a new process, as the library behind pymoo's bar keeps the first output stream it sees.
    assert "100%" in output_of("minimize(problem, MINOTAUR(n_gen=3), progress=True)")


def test_hypervolume_is_the_dominated_fraction_of_the_unit_square() -> None:
    objectives = OBJECTIVES["hamming_loss"], OBJECTIVES["n_rules"]
    assert hypervolume(np.array([[0.0, 1.0]]), objectives) == pytest.approx(1.0)
    assert hypervolume(np.array([[0.25, 2.0]]), objectives) == pytest.approx(0.75 * 0.5)
