import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest
from pymoo.algorithms.moo.moead import MOEAD
from pymoo.optimize import minimize
from pymoo.termination import get_termination
from pymoo.util.ref_dirs import get_reference_directions

from minotaur_pymoo import (
    MINOTAUR,
    Checkpoint,
    InputError,
    RuleSetProblem,
    load_demo,
    resume,
    rule_set_operators,
)
from tests.tools.processes import output_of

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)

# A run that takes some seconds and saves every generation.
LONG_RUN = """
import sys
from pymoo.optimize import minimize
from minotaur_pymoo import MINOTAUR, Checkpoint, RuleSetProblem, load_demo
garden = load_demo(150)
problem = RuleSetProblem(garden.X, garden.Y)
minimize(problem, MINOTAUR(n_gen=80), seed=5, callback=Checkpoint(sys.argv[1], every=1))
"""


def same(one: object, other: object) -> bool:
    """Whether two results are equal to the bit, rule sets included."""
    return (
        np.array_equal(one.pop.get("F"), other.pop.get("F"))
        and [str(r) for r in one.pop.get("X")[:, 0]] == [str(r) for r in other.pop.get("X")[:, 0]]
        and one.algorithm.n_gen == other.algorithm.n_gen
        and one.algorithm.evaluator.n_eval == other.algorithm.evaluator.n_eval
    )


@pytest.mark.thorough
def test_killed_run_resumes_bit_for_bit(tmp_path: Path) -> None:
    expected = minimize(PROBLEM, MINOTAUR(n_gen=80), seed=5)
    draws = np.random.default_rng()
    for attempt in range(3):
        path = tmp_path / f"{attempt}.checkpoint"
        process = subprocess.Popen([sys.executable, "-c", LONG_RUN, str(path)])  # noqa: S603
        while not path.exists():
            time.sleep(0.001)
        time.sleep(float(draws.uniform(0, 0.4)))
        process.kill()
        assert process.wait() == -signal.SIGKILL, "the run was over before it could be killed"
        assert same(resume(path), expected)


def test_resuming_any_checkpoint_gives_the_same_result(tmp_path: Path) -> None:
    for generations in (3, 4, 7):
        expected = minimize(PROBLEM, MINOTAUR(n_gen=12), seed=1)
        saved = Checkpoint(tmp_path / "run", every=1)
        minimize(PROBLEM, MINOTAUR(n_gen=12), ("n_gen", generations), seed=1, callback=saved)
        resumed = resume(tmp_path / "run", termination=get_termination("n_gen", 13))
        assert same(resumed, expected)


def test_finished_run_resumes_to_its_result(tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path / "run", every=1000)
    res = minimize(PROBLEM, MINOTAUR(n_gen=7), seed=1, callback=saved)
    resumed = resume(tmp_path / "run")
    assert same(resumed, res)
    assert resumed.message == "reached the limit of 7 generations"


def test_run_with_progress_bar_can_be_saved_and_resumed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    script = """
import sys
saved = Checkpoint(sys.argv[1], every=5)
minimize(problem, MINOTAUR(), ("n_gen", 6), seed=1, callback=saved, progress=True)
"""
    assert "100%" in output_of(script, str(tmp_path / "run"))
    resume(tmp_path / "run", termination=get_termination("n_gen", 9), verbose=True)
    assert capsys.readouterr().out.splitlines()[-1].split("|")[0].strip() == "9"


def test_checkpoints_are_written_every_so_many_generations_or_seconds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = []
    monkeypatch.setattr(
        "minotaur_pymoo.search.checkpoint.write_atomically",
        lambda path, content: written.append(path),
    )
    minimize(PROBLEM, MINOTAUR(n_gen=9), seed=1, callback=Checkpoint(tmp_path / "a", every=4))
    assert len(written) == 3  # after generations 4 and 8, and after the last, the tenth
    written.clear()
    always = Checkpoint(tmp_path / "a", every=1000, seconds=0)
    minimize(PROBLEM, MINOTAUR(n_gen=9), seed=1, callback=always)
    assert len(written) == 10


def test_no_other_files_are_left_behind(tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path / "run", every=1)
    minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=saved)
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


def test_unwritable_paths_and_invalid_intervals_are_rejected(tmp_path: Path) -> None:
    saved = Checkpoint(tmp_path / "nowhere" / "run", every=1)
    with pytest.raises(InputError, match="cannot be written: No such file or directory"):
        minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=saved)
    with pytest.raises(InputError, match="every must be at least 1, not 0"):
        Checkpoint("run", every=0)


def test_moead_can_be_resumed(tmp_path: Path) -> None:
    def algorithm() -> MOEAD:
        directions = get_reference_directions("das-dennis", 2, n_partitions=9)
        return MOEAD(directions, n_neighbors=3, **rule_set_operators(PROBLEM))

    expected = minimize(PROBLEM, algorithm(), ("n_gen", 9), seed=1)
    saved = Checkpoint(tmp_path / "run", every=1)
    minimize(PROBLEM, algorithm(), ("n_gen", 4), seed=1, callback=saved)
    assert same(resume(tmp_path / "run", termination=get_termination("n_gen", 9)), expected)


def test_runs_that_cannot_be_pickled_are_rejected(tmp_path: Path) -> None:
    algorithm = MINOTAUR(n_gen=3)
    algorithm.data["function"] = lambda: 0
    saved = Checkpoint(tmp_path / "run", every=1)
    with pytest.raises(InputError, match="this MINOTAUR cannot be pickled"):
        minimize(PROBLEM, algorithm, seed=1, callback=saved)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"something else", "is not a checkpoint of this version"),
        (b"", "is not a checkpoint of this version"),
        (b"minotaur_pymoo checkpoint 1\nnonsense", "is not a checkpoint of this version"),
        (b"minotaur_pymoo checkpoint 2 \n", "is damaged"),
        (b"minotaur_pymoo checkpoint 2 " + b"0" * 64 + b"\nnonsense", "is damaged"),
    ],
)
def test_foreign_and_damaged_files_are_rejected(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(InputError, match=message):
        resume(tmp_path / "run")


def test_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        resume(tmp_path / "run")


def test_single_wrong_bit_is_detected_before_unpickling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = Checkpoint(tmp_path / "run", every=1)
    minimize(PROBLEM, MINOTAUR(n_gen=2), seed=1, callback=saved)
    content = saved.path.read_bytes()
    monkeypatch.setattr(
        "minotaur_pymoo.search.checkpoint.pickle.loads", lambda _: pytest.fail("loaded")
    )
    for index in (len(content) // 3, len(content) // 2, len(content) - 1):
        wrong = bytearray(content)
        wrong[index] ^= 1
        saved.path.write_bytes(wrong)
        with pytest.raises(InputError, match="is damaged: start a new run"):
            resume(saved.path)
    saved.path.write_bytes(content[:-1])
    with pytest.raises(InputError, match="is damaged"):
        resume(saved.path)


def test_checkpoints_of_other_library_versions_are_rejected(tmp_path: Path) -> None:
    body = b"cno.such.module\nname\n."
    digest = hashlib.sha256(body).hexdigest().encode()
    (tmp_path / "run").write_bytes(b"minotaur_pymoo checkpoint 2 " + digest + b"\n" + body)
    with pytest.raises(InputError, match="is from other versions of the libraries"):
        resume(tmp_path / "run")


@pytest.mark.parametrize("seconds", [-1, "1", float("nan"), [1]])
def test_invalid_seconds_are_rejected(tmp_path: Path, seconds: object) -> None:
    with pytest.raises(InputError, match="seconds must be a number, not negative"):
        Checkpoint(tmp_path / "run", seconds=seconds)


def test_resume_accepts_terminations_as_minimize_does(tmp_path: Path) -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y)
    path = tmp_path / "run"
    minimize(problem, MINOTAUR(n_gen=2), seed=1, callback=Checkpoint(path, every=1))
    content = path.read_bytes()
    for termination in (("n_gen", 5), ["n_gen", 5], get_termination("n_gen", 5)):
        path.write_bytes(content)
        assert resume(path, termination=termination).algorithm.n_iter == 6
    for wrong in ("never", ("never", 5), 5, ()):
        with pytest.raises(InputError, match="is no termination: pass one of pymoo's"):
            resume(path, termination=wrong)
