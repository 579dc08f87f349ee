"""Fits that are stopped and resumed."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from minotaur_pymoo import Checkpoint, InputError, MinotaurClassifier, resume
from minotaur_pymoo.estimator import settings
from minotaur_pymoo.search.state_file import StateFile
from minotaur_pymoo.support.locks import try_lock
from tests.estimator.examples import GARDEN, quick
from tests.tools.examples import ROOT


def models(classifier: MinotaurClassifier) -> list[str]:
    return [str(model) for model in classifier.models_]


def interrupt_in(generation: int) -> object:
    def callback(algorithm: object) -> None:
        if algorithm.n_gen == generation:
            signal.raise_signal(signal.SIGINT)

    return callback


@pytest.mark.parametrize("n_runs", [1, 3])
def test_interrupted_fit_resumes_with_the_same_result(tmp_path: Path, n_runs: int) -> None:
    arguments = {"choice": "best", "n_runs": n_runs, "n_gen": 12}
    expected = quick(**arguments).fit(GARDEN.X, GARDEN.Y)
    arguments |= {"checkpoint": tmp_path / "run", "on_interrupt": "keep"}
    stopped = quick(**arguments, callback=interrupt_in(5)).fit(GARDEN.X, GARDEN.Y)
    assert stopped.interrupted_
    # One signal ends all runs.
    assert [path.name for path in tmp_path.iterdir()] == ["run" if n_runs == 1 else "run.1"]
    resumed = quick(**arguments).fit(GARDEN.X, GARDEN.Y)
    assert not resumed.interrupted_
    assert models(resumed) == models(expected)
    # A finished fit is loaded, and a longer one continues it.
    seen: list[int] = []
    arguments["n_gen"] = 15
    longer = quick(**arguments, callback=lambda a: seen.append(a.n_gen)).fit(GARDEN.X, GARDEN.Y)
    assert seen == [14, 15, 16] * n_runs
    arguments["checkpoint"] = None
    assert models(longer) == models(quick(**arguments).fit(GARDEN.X, GARDEN.Y))


KILLED = """
import sys
from minotaur_pymoo.estimator import settings
from tests.estimator.examples import GARDEN, quick
settings.CHECKPOINT_SECONDS = 0.0
arguments = {"choice": "best", "n_runs": 2, "n_jobs": 2, "on_interrupt": "keep"}
quick(**arguments, n_gen=10**6, checkpoint=sys.argv[1]).fit(GARDEN.X, GARDEN.Y)
"""


@pytest.mark.thorough
def test_killed_parallel_fit_leaves_no_workers_and_resumes(tmp_path: Path) -> None:
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", KILLED, str(tmp_path / "run")], cwd=ROOT, start_new_session=True
    )
    while len(list(tmp_path.glob("run.[12]"))) < 2:
        assert process.poll() is None
        time.sleep(0.01)
    process.kill()
    process.wait()
    # The workers end too, and unlock their files.
    deadline = time.monotonic() + 300
    for path in tmp_path.glob("run.[12]"):
        while True:
            file = StateFile(path)
            try:
                file._lock()
            except InputError:
                assert time.monotonic() < deadline
                time.sleep(0.1)
            else:
                file.close()
                break
    resumed = quick(choice="best", n_gen=1, n_runs=2, checkpoint=tmp_path / "run")
    assert len(resumed.fit(GARDEN.X, GARDEN.Y).models_) > 1


def test_other_data_and_settings_are_rejected(tmp_path: Path) -> None:
    arguments = {"choice": "best", "n_gen": 2, "checkpoint": tmp_path / "run"}
    quick(**arguments).fit(GARDEN.X, GARDEN.Y)
    for other in ({"pop_size": 30}, {"random_state": 9}, {"min_coverage": 7}, {"max_rules": 5}):
        with pytest.raises(InputError, match="is of other data or other settings: delete it"):
            quick(**{**arguments, **other}).fit(GARDEN.X, GARDEN.Y)
    changed = GARDEN.X.copy()
    changed[0, 0] += 100
    with pytest.raises(InputError, match="is of other data or other settings"):
        quick(**arguments).fit(changed, GARDEN.Y)
    # The choice of a model and the number of processes do not matter to a search.
    quick(**{**arguments, "choice": "knee", "n_jobs": 2}).fit(GARDEN.X, GARDEN.Y)


def test_fit_without_a_seed_resumes_whatever_the_seed_was(tmp_path: Path) -> None:
    arguments = {"choice": "best", "n_gen": 2, "random_state": None}
    first = quick(**arguments, checkpoint=tmp_path / "run").fit(GARDEN.X, GARDEN.Y)
    again = quick(**arguments, checkpoint=tmp_path / "run").fit(GARDEN.X, GARDEN.Y)
    assert models(first) == models(again)


def test_checkpoint_of_a_fit_can_be_resumed_as_a_search(tmp_path: Path) -> None:
    quick(choice="best", n_gen=3, checkpoint=tmp_path / "run").fit(GARDEN.X, GARDEN.Y)
    assert resume(tmp_path / "run", termination=("n_gen", 6)).algorithm.n_gen == 7


def test_time_limits_count_from_the_resumption(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seconds = [time.time()]
    monkeypatch.setattr(time, "time", lambda: seconds[0])
    quick(choice="best", n_gen=3, checkpoint=tmp_path / "run").fit(GARDEN.X, GARDEN.Y)
    seconds[0] += 1000
    seen: list[int] = []

    def take_a_second(algorithm: object) -> None:
        seen.append(algorithm.n_gen)
        seconds[0] += 1

    quick(
        choice="best",
        checkpoint=tmp_path / "run",
        termination=("time", 5),
        callback=take_a_second,
    ).fit(GARDEN.X, GARDEN.Y)
    # pymoo looks at the clock before it calls back, so that the sixth generation is the last.
    assert len(seen) == 6


def test_places_that_cannot_be_written_are_noticed_before_the_search(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "no" / "run", "a\0b", 5):
        with pytest.raises(InputError, match=r"cannot be (written|the name of a file)"):
            quick(checkpoint=path, callback=lambda _: pytest.fail("searched")).fit(
                GARDEN.X, GARDEN.Y
            )


def test_full_disk_during_the_search_is_a_warning(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = StateFile.write
    calls = iter(range(1000))

    def fail_later(file: StateFile, algorithm: object) -> None:
        if next(calls) > 0:
            raise InputError("the disk is full.")
        write(file, algorithm)

    monkeypatch.setattr(StateFile, "write", fail_later)
    saved = Checkpoint(tmp_path / "run", every=1)
    with pytest.warns(UserWarning, match=r"the disk is full\. The search goes on\."):
        fitted = quick(choice="best", n_gen=3, checkpoint=saved).fit(GARDEN.X, GARDEN.Y)
    assert len(fitted.models_) > 1


def test_two_fits_with_one_checkpoint_notice_each_other(tmp_path: Path) -> None:
    held = os.open(tmp_path / "run", os.O_RDWR | os.O_CREAT)
    try:
        assert try_lock(held)
        with pytest.raises(InputError, match="another run uses the checkpoint"):
            quick(n_gen=2, checkpoint=tmp_path / "run").fit(GARDEN.X, GARDEN.Y)
    finally:
        os.close(held)


def test_paths_are_saved_to_every_ten_seconds() -> None:
    saved = settings.as_checkpoint("run")
    assert (saved.every, saved.seconds) == (None, 10.0)
    assert not saved.is_due(10)


def test_second_signal_raises_at_once() -> None:
    def twice(algorithm: object) -> None:
        if algorithm.n_gen == 2:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    handler = signal.getsignal(signal.SIGINT)
    kept = quick(choice="best", on_interrupt="keep", callback=twice)
    # The second one interrupts the generation, whose front is there.
    assert kept.fit(GARDEN.X, GARDEN.Y).interrupted_
    assert signal.getsignal(signal.SIGINT) is handler
    with pytest.raises(KeyboardInterrupt):
        quick(choice="best", callback=twice).fit(GARDEN.X, GARDEN.Y)
    assert np.isfinite(kept.front_["micro_f1"]).all()
