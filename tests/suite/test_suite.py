"""The problems: frozen data, reference fronts, provenance and pymoo's display."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.indicators.igd import IGD
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, InputError, rule_set_operators
from minotaur_pymoo.search import hypervolume
from minotaur_pymoo.suite import exact_front, get_problem, list_problems, reference
from minotaur_pymoo.suite.definition import into_bins
from minotaur_pymoo.suite.real import PROBLEMS as REAL

OFFLINE = [*list_problems("exact"), *list_problems("generated")]


def test_there_are_about_twenty_problems_of_three_kinds() -> None:
    names = list_problems()
    assert len(names) == len(set(names)) == 23
    assert all(name.endswith("-v1") for name in names)
    assert [len(list_problems(kind)) for kind in ("exact", "generated", "real")] == [9, 11, 3]
    with pytest.raises(InputError, match="there is no kind 'hard' of problems: choose from exact"):
        list_problems("hard")  # type: ignore[arg-type]


@pytest.mark.parametrize("name", OFFLINE)
def test_problem_is_frozen(name: str) -> None:
    problem = get_problem(name)
    assert problem.name() == name
    assert len(problem.description) > 80
    # The stored front is that of these data: they have not changed.
    assert problem.provenance is not None
    assert problem.provenance.data == problem.digest
    assert name in problem.provenance.command
    exact = problem.kind == "exact"
    assert problem.provenance.status == ("exact" if exact else "best known")
    front = problem.pareto_front()
    assert front.shape[1] == problem.n_obj == 2
    assert len(front) >= 4
    assert front[:, 1].max() <= problem.max_rules
    ordered = front[np.argsort(front[:, 1])]
    assert (np.diff(ordered, axis=0) * [-1, 1] > 0).all()
    assert problem.training.labels.any(axis=0).all()


@pytest.mark.parametrize("name", ["checkerboard-2x6-v1", "pinwheel-2x7-v1"])
def test_small_fronts_can_be_remade(name: str) -> None:
    problem = get_problem(name)
    points = exact_front(problem.training, problem.max_rules)
    assert all(point.optimal for point in points)
    again = np.array([[-point.micro_f1, point.rule_set.n_rules] for point in points])
    # pymoo sorts fronts by their first objective.
    assert again[::-1] == pytest.approx(problem.pareto_front(), abs=1e-12)


@pytest.mark.parametrize("name", list_problems("exact"))
def test_no_search_beats_an_exact_front(name: str) -> None:
    problem = get_problem(name)
    operators = rule_set_operators(problem, max_rules=problem.max_rules, min_coverage=1)
    res = minimize(problem, NSGA2(pop_size=40, **operators), ("n_gen", 8), seed=1)
    front = problem.pareto_front()
    for loss, n_rules in res.F:
        assert loss >= front[front[:, 1] <= n_rules, 0].min() - 1e-12


def test_displays_show_the_distance_to_the_front(capsys: pytest.CaptureFixture[str]) -> None:
    problem = get_problem("pinwheel-2x7-v1")
    operators = rule_set_operators(problem, max_rules=problem.max_rules)
    res = minimize(problem, NSGA2(pop_size=20, **operators), ("n_gen", 3), seed=1, verbose=True)
    columns, values = table(capsys)
    assert {"igd", "gd", "hv"} <= set(columns)
    front = problem.pareto_front()
    igd = IGD(front, zero_to_one=True)(res.F)
    assert float(values[columns.index("igd")]) == pytest.approx(igd, rel=1e-3)
    # Our own display has the same columns, twice in a row.
    algorithm = MINOTAUR(n_gen=3, max_rules=problem.max_rules)
    for _ in range(2):
        res = minimize(problem, algorithm, seed=1, verbose=True)
        columns, values = table(capsys)
        assert columns[-3:] == ["igd", "gd", "hv gap"]
        igd = IGD(front, zero_to_one=True)(res.F)
        assert float(values[-3]) == pytest.approx(igd, rel=1e-3)
        best, found = (hypervolume(F, problem.objectives) for F in (front, res.F))
        assert best is not None
        assert found is not None
        assert float(values[-1]) == pytest.approx(best - found, rel=1e-3)


def table(capsys: pytest.CaptureFixture[str]) -> tuple[list[str], list[str]]:
    lines = capsys.readouterr().out.splitlines()
    header = next(line for line in lines if "n_gen" in line)
    return tuple([cell.strip() for cell in line.split("|")] for line in (header, lines[-1]))


def test_other_objectives_have_no_reference_front() -> None:
    problem = get_problem("wine-2x8-v1")
    assert problem.pareto_front() is not None
    other = problem.with_objectives("macro_f1", "n_tests")
    assert other.pareto_front() is None
    assert other.provenance is None
    assert problem.pareto_front() is not None


def test_other_data_have_no_reference_front(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("minotaur_pymoo.suite.problem.digest_of", lambda _: "changed")
    problem = get_problem("wine-2x8-v1")
    assert problem.pareto_front() is None
    assert problem.provenance is None


def test_unknown_names_are_refused() -> None:
    with pytest.raises(InputError, match=r"there is no problem 'wine-2x8': did you mean 'wine-2x8"):
        get_problem("wine-2x8")
    with pytest.raises(InputError, match=r"did you mean 'wine-2x8-v1' or 'wine-3x6-v1'\?"):
        get_problem("wine")
    with pytest.raises(InputError, match=r"no problem 'wine-3x6-v2': did you mean 'wine-3x6-v1'"):
        get_problem("wine-3x6-v2")
    with pytest.raises(InputError, match=r"choose one of list_problems\(\)\."):
        get_problem("zzz")


def test_missing_data_are_explained(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MINOTAUR_DATA", str(tmp_path))
    monkeypatch.setitem(sys.modules, "river", None)
    with pytest.raises(InputError, match=r"needs river 0\.26 or newer"):
        get_problem("yeast-v1")
    with pytest.raises(InputError, match="emotions-v1 needs the file"):
        get_problem("emotions-v1")
    np.savez(tmp_path / "emotions.npz", X=[[1.0], [2.0]], Y=[[1], [0]])
    problem = get_problem("emotions-v1")
    assert problem.training.n_instances == 2
    # They are not the data of the stored front.
    assert problem.pareto_front() is None
    assert all(definition.description for definition in REAL)


def test_bins_hold_equally_many_values_and_keep_their_order() -> None:
    values = np.random.default_rng(0).normal(size=(80, 1))
    binned = into_bins(values, 8)
    starts, counts = np.unique(binned, return_counts=True)
    assert counts.tolist() == [10] * 8
    assert (binned <= values).all()
    assert np.isin(starts, values).all()


def test_front_is_stored_and_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "FOLDER", tmp_path)
    assert reference.read_front("x") is None
    provenance = reference.Provenance("best known", "luck", "2026-01-01", "1", 0.5, "make", "abc")
    F = np.array([[-1 / 3, 1.0], [-0.1 - 0.6, 4.0]])
    reference.write_front("x", F, provenance, tmp_path)
    stored = reference.read_front("x")
    assert stored is not None
    assert stored[0].tolist() == F.tolist()
    assert stored[1] == provenance


def test_fronts_are_part_of_the_package() -> None:
    import tomllib  # noqa: PLC0415

    project = Path(__file__).parents[2] / "pyproject.toml"
    data = tomllib.loads(project.read_text())["tool"]["setuptools"]["package-data"]
    assert data["minotaur_pymoo.suite"] == ["fronts/*.csv"]


def test_import_is_fast() -> None:
    script = "import sys, minotaur_pymoo.suite\nprint('sklearn' in sys.modules)"
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert process.stdout == "False\n"
