import hashlib
import hmac
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
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
from minotaur_pymoo.support.signing import _key, sign
from tests.tools.examples import ROOT
from tests.tools.processes import START, output_of

GARDEN = load_demo(150)
PROBLEM = RuleSetProblem(GARDEN.X, GARDEN.Y)

# A run that saves every generation, and waits for its end in the thirtieth.
LONG_RUN = """
import sys, time
from pathlib import Path
from tests.search.test_checkpoint import Watched
def wait(n_gen):
    if n_gen == 30:
        time.sleep(3600)
saved = Watched(Path(sys.argv[1]), wait)
minimize(problem, MINOTAUR(n_gen=40), seed=5, callback=saved)
"""


def same(one: object, other: object) -> bool:
    """Whether two results are equal to the bit, rule sets included."""
    return (
        np.array_equal(one.pop.get("F"), other.pop.get("F"))
        and [str(r) for r in one.pop.get("X")[:, 0]] == [str(r) for r in other.pop.get("X")[:, 0]]
        and one.algorithm.n_gen == other.algorithm.n_gen
        and one.algorithm.evaluator.n_eval == other.algorithm.evaluator.n_eval
    )


def forge(path: Path, body: bytes, signed: Callable[[bytes], str]) -> None:
    """Write a checkpoint with any pickle and signature."""
    line = f"{hashlib.sha256(body).hexdigest()} {signed(body)}\n".encode()
    path.write_bytes(b"minotaur_pymoo checkpoint 3 " + line + body)


@pytest.mark.thorough
def test_killed_run_resumes_bit_for_bit(tmp_path: Path) -> None:
    expected = minimize(PROBLEM, MINOTAUR(n_gen=40), seed=5)
    for seconds in (0.0, 0.05, 0.2):
        path = tmp_path / f"{seconds}.checkpoint"
        command = [sys.executable, "-c", START + LONG_RUN, str(path)]
        process = subprocess.Popen(command, cwd=ROOT)  # noqa: S603
        while not path.exists():
            assert process.poll() is None
            time.sleep(0.001)
        time.sleep(seconds)
        process.kill()
        assert process.wait() == -signal.SIGKILL
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
    monkeypatch.setattr(Checkpoint, "save", lambda checkpoint, _: written.append(checkpoint.path))
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
    with pytest.raises(InputError, match="cannot be written: the folder does not exist: create it"):
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
        (b"minotaur_pymoo checkpoint 2 \n", "is not a checkpoint of this version"),
        (b"minotaur_pymoo checkpoint 3 \n", "is damaged"),
        (b"minotaur_pymoo checkpoint 3 " + b"0" * 129 + b"\nnonsense", "is damaged"),
    ],
)
def test_foreign_and_damaged_files_are_rejected(
    tmp_path: Path, content: bytes, message: str
) -> None:
    (tmp_path / "run").write_bytes(content)
    with pytest.raises(InputError, match=message):
        resume(tmp_path / "run")


def test_missing_file_is_rejected(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"there is no file .*: check its name and folder"):
        resume(tmp_path / "run")


def test_single_wrong_bit_is_detected_before_unpickling(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = Checkpoint(tmp_path / "run", every=1)
    minimize(PROBLEM, MINOTAUR(n_gen=2), seed=1, callback=saved)
    content = saved.path.read_bytes()
    monkeypatch.setattr(
        "minotaur_pymoo.search.state_file.pickle.loads", lambda _: pytest.fail("loaded")
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
    forge(tmp_path / "run", b"cno.such.module\nname\n.", sign)
    with pytest.raises(InputError, match="is from other versions of the libraries"):
        resume(tmp_path / "run")


@pytest.mark.parametrize("seconds", [-1, "1", float("nan"), [1]])
def test_invalid_seconds_are_rejected(tmp_path: Path, seconds: object) -> None:
    with pytest.raises(InputError, match="seconds must be a number of at least 0"):
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
        with pytest.raises(InputError, match="is not a termination: pass one of pymoo's"):
            resume(path, termination=wrong)


class Watched(Checkpoint):
    """A checkpoint that calls a function after each generation."""

    def __init__(self, path: Path, watch: Callable[[int], None]) -> None:
        super().__init__(path, every=1)
        self.watch = watch

    def _update(self, algorithm: MINOTAUR) -> None:
        super()._update(algorithm)
        self.watch(algorithm.n_gen)

    def __getstate__(self) -> dict[str, object]:
        return {**super().__getstate__(), "watch": abs}


class Attack:
    """Unpickling it leaves a file behind."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> tuple[object, ...]:
        return Path.touch, (self.path,)


@pytest.mark.parametrize("signature", ["0" * 64, "\xe9" * 32, "made with another key"])
def test_code_in_files_of_others_does_not_run(tmp_path: Path, signature: str) -> None:
    traces = tmp_path / "traces"
    body = pickle.dumps(Attack(traces))
    signed = hmac.new(b"another key", body, hashlib.sha256).hexdigest()
    forge(tmp_path / "run", body, lambda _: signed if "key" in signature else signature)
    with pytest.raises(InputError, match=r"was not written by this user .*: pass trusted=True"):
        resume(tmp_path / "run")
    assert not traces.exists()
    with pytest.raises(AttributeError):  # it ran, and returned no algorithm
        resume(tmp_path / "run", trusted=True)
    assert traces.exists()


def test_trusted_files_of_another_machine_can_be_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    saved = Checkpoint(tmp_path / "run", every=2)
    expected = minimize(PROBLEM, MINOTAUR(n_gen=3), seed=1, callback=saved)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "another machine"))
    with pytest.raises(InputError, match="was not written by this user on this machine"):
        resume(tmp_path / "run")
    assert same(resume(tmp_path / "run", trusted=True), expected)
    key = tmp_path / "another machine" / "minotaur_pymoo" / "checkpoint.key"
    assert key.stat().st_mode & 0o777 == 0o600
    # The same key is found by later processes.
    _key.cache_clear()
    resumed = Checkpoint(tmp_path / "other", every=1)
    minimize(PROBLEM, MINOTAUR(n_gen=2), seed=1, callback=resumed)
    _key.cache_clear()
    resume(tmp_path / "other")


@pytest.mark.parametrize("home", [None, "/dev/null"])
def test_without_a_home_folder_only_the_same_process_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, home: str | None
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null/state")
    if home is None:
        monkeypatch.delenv("XDG_STATE_HOME")
        monkeypatch.setattr(Path, "home", lambda: (_ for _ in ()).throw(RuntimeError("no home")))
    saved = Checkpoint(tmp_path / "run", every=2)
    expected = minimize(PROBLEM, MINOTAUR(n_gen=3), seed=1, callback=saved)
    assert same(resume(tmp_path / "run"), expected)
    _key.cache_clear()
    with pytest.raises(InputError, match="was not written by this user on this machine"):
        resume(tmp_path / "run")
    assert same(resume(tmp_path / "run", trusted=True), expected)


def test_seconds_count_anew_after_a_restart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # A machine that has been up for a year, and then restarts.
    clock = [3e7]
    monkeypatch.setattr("minotaur_pymoo.search.checkpoint.time.monotonic", lambda: clock[0])

    saved = Checkpoint(tmp_path / "run", every=None, seconds=3)
    minimize(PROBLEM, MINOTAUR(n_gen=50), ("n_gen", 2), seed=1, callback=saved)
    clock[0] = 10.0
    written = []
    save = Checkpoint.save
    monkeypatch.setattr(
        Checkpoint, "save", lambda *args: (written.append(clock[0]), save(*args))[1]
    )
    update = Checkpoint._update
    monkeypatch.setattr(
        Checkpoint,
        "_update",
        lambda *args: (clock.__setitem__(0, clock[0] + 1.0), update(*args))[1],
    )
    resume(tmp_path / "run", termination=("n_gen", 15))
    assert written == [13.0, 16.0, 19.0, 22.0, 23.0]


LOCKED = """
import sys
from pathlib import Path
from tests.search.test_checkpoint import Watched
def wait(n_gen):
    if n_gen == 2:
        print("saved", flush=True)
        sys.stdin.readline()
saved = Watched(Path(sys.argv[1]), wait)
minimize(problem, MINOTAUR(n_gen=4, pop_size=10, n_offsprings=5), seed=1, callback=saved)
"""


def test_two_processes_with_one_checkpoint_notice_each_other(tmp_path: Path) -> None:
    path = tmp_path / "run"
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", START + LOCKED, str(path)],
        cwd=ROOT,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "saved\n"
    before = path.read_bytes()
    with pytest.raises(InputError, match="another run uses the checkpoint"):
        resume(path)
    with pytest.raises(InputError, match="another run uses the checkpoint"):
        minimize(PROBLEM, MINOTAUR(n_gen=3), seed=2, callback=Checkpoint(path, every=1))
    assert path.read_bytes() == before
    process.kill()
    process.communicate()
    # The lock ends with the process.
    resume(path)


def test_two_runs_of_one_process_notice_each_other(tmp_path: Path) -> None:
    second = Checkpoint(tmp_path / "run", every=1)

    def start_another(n_gen: int) -> None:
        if n_gen == 2:
            minimize(PROBLEM, MINOTAUR(n_gen=3), seed=2, callback=second)

    first = Watched(tmp_path / "run", start_another)
    with pytest.raises(InputError, match="another run uses the checkpoint"):
        minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=first)
    assert same(resume(tmp_path / "run"), minimize(PROBLEM, MINOTAUR(n_gen=3), seed=2))


def test_interrupted_run_can_be_resumed_in_the_same_process(tmp_path: Path) -> None:
    def interrupt(n_gen: int) -> None:
        if n_gen == 3:
            raise KeyboardInterrupt

    saved = Watched(tmp_path / "run", interrupt)
    with pytest.raises(KeyboardInterrupt):
        minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=saved)
    assert same(resume(saved.path), minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1))


def test_file_replaced_by_another_program_is_noticed(tmp_path: Path) -> None:
    def replace(n_gen: int) -> None:
        if n_gen == 2:
            (tmp_path / "new").write_bytes(b"")
            (tmp_path / "new").replace(tmp_path / "run")

    with pytest.raises(InputError, match="another run uses the checkpoint"):
        minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=Watched(tmp_path / "run", replace))


def test_deleted_checkpoint_is_written_again(tmp_path: Path) -> None:
    def remove(n_gen: int) -> None:
        if n_gen == 2:
            (tmp_path / "run").unlink()

    minimize(PROBLEM, MINOTAUR(n_gen=5), seed=1, callback=Watched(tmp_path / "run", remove))
    assert (tmp_path / "run").exists()
