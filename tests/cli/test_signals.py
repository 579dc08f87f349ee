"""Signals, checkpoints, and output that cannot be written."""

import errno
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from minotaur_pymoo import MinotaurClassifier, export
from minotaur_pymoo.cli.parser import main
from minotaur_pymoo.support import files

Capture = pytest.CaptureFixture[str]

# Shells start background processes with SIGINT ignored, and nohup ignores SIGHUP.
PROGRAM = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
signal.signal(signal.SIGHUP, signal.SIG_DFL)
from minotaur_pymoo.cli import main
sys.exit(main(sys.argv[1:]))
"""
STARTED: list[subprocess.Popen[str]] = []
INTERRUPTED = "The search was interrupted: this is the front found so far."


@pytest.fixture(scope="module", autouse=True)
def _compiled(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Let the searches find compiled code, as they would mention that they compile."""
    path = tmp_path_factory.mktemp("compiled") / "model.json"
    assert main(["fit", "demo", "-o", str(path), "--n-gen", "1"]) == 0


@pytest.fixture(autouse=True)
def _nothing_keeps_running() -> Iterator[None]:
    yield
    while STARTED:
        with suppress(ProcessLookupError):
            os.killpg(STARTED.pop().pid, signal.SIGKILL)


def start(folder: Path, *arguments: str, program: str = PROGRAM) -> subprocess.Popen[str]:
    """Start a search that would take days, and wait for its first checkpoint."""
    command = ["fit", "demo", "-o", "model.json", "--seed", "1", "--n-gen", "10000000"]
    process = subprocess.Popen(  # noqa: S603
        [sys.executable, "-c", program, *command, "--checkpoint", "run", *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    STARTED.append(process)
    # A timeout instead of a test that never ends.
    deadline = time.monotonic() + 300
    while not any(path.name.startswith("run") for path in folder.iterdir()):
        assert process.poll() is None, process.stderr.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    return process


@pytest.mark.parametrize(
    ("number", "arguments"),
    [
        (signal.SIGINT, ["--runs", "3", "--jobs", "2"]),
        (signal.SIGTERM, ["--runs", "3"]),
        (signal.SIGHUP, []),
    ],
)
def test_one_signal_saves_the_front_found_so_far(
    number: int, arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    process = start(tmp_path, *arguments)
    # As a terminal does with Ctrl-C and when it is closed, to all processes at once.
    os.killpg(process.pid, number)
    out, err = process.communicate(timeout=300)
    assert process.returncode == 128 + number
    assert err == f"{INTERRUPTED} The same command continues the search.\n"
    assert "\x1b" not in out, "a progress bar was written to a pipe"
    assert out.endswith("Saved to model.json.\n")
    assert len(export.load(tmp_path / "model.json").models) > 1
    # The same command continues, here to an end in sight.
    monkeypatch.chdir(tmp_path)
    again = "fit demo -o model.json --seed 1 --n-gen 1 --checkpoint run"
    assert main([*again.split(), *arguments]) == 0
    names = {"run.1", "run.2", "run.3"} if arguments else {"run"}
    assert {path.name for path in tmp_path.iterdir()} == {*names, "model.json"}


def test_ignored_signals_stay_ignored(tmp_path: Path) -> None:
    hangup = PROGRAM.replace("SIG_DFL", "SIG_IGN")
    process = start(tmp_path, program=hangup)
    os.kill(process.pid, signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.5)
    os.kill(process.pid, signal.SIGTERM)
    process.communicate(timeout=300)
    assert process.returncode == 128 + signal.SIGTERM


def test_signal_before_the_search_has_the_same_exit_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def load(*_: object, **__: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("minotaur_pymoo.datasets.load", load)
    before = signal.getsignal(signal.SIGTERM)
    assert main(["fit", "demo", "-o", str(tmp_path / "model.json")]) == 143
    assert capsys.readouterr().err == (
        "minotaur-pymoo: interrupted before there was anything to save.\n"
    )
    assert signal.getsignal(signal.SIGTERM) is before


def test_signal_while_saving_does_not_interrupt_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    save = export.save

    def interrupted(path: Path, saved: export.SavedModels) -> None:
        signal.raise_signal(signal.SIGTERM)
        save(path, saved)

    monkeypatch.setattr(export, "save", interrupted)
    path = tmp_path / "model.json"
    assert main(["fit", "demo", "-o", str(path), "--n-gen", "1"]) == 143
    assert export.load(path).models
    assert "Saved to" in capsys.readouterr().out


def test_signal_between_search_and_saving_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    fit = MinotaurClassifier.fit

    def interrupted(classifier: MinotaurClassifier, *args: Any, **kwargs: Any) -> Any:
        fitted = fit(classifier, *args, **kwargs)
        signal.raise_signal(signal.SIGTERM)
        return fitted

    monkeypatch.setattr(MinotaurClassifier, "fit", interrupted)
    path = tmp_path / "model.json"
    assert main(["fit", "demo", "-o", str(path), "--n-gen", "1"]) == 143
    assert export.load(path).models
    assert "Saved to" in capsys.readouterr().out


def test_signal_before_the_first_generation_ends_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def interrupted(*_: object) -> None:
        signal.raise_signal(signal.SIGTERM)

    monkeypatch.setattr("minotaur_pymoo.estimator.classifier.make_searches", interrupted)
    assert main(["fit", "demo", "-o", str(tmp_path / "model.json")]) == 143
    assert "before there was anything to save" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["fit", "demo"])
def test_output_is_tried_before_the_search(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.setattr(
        "minotaur_pymoo.estimator.MinotaurClassifier.fit",
        lambda *_, **__: pytest.fail("searched in vain"),
    )
    (tmp_path / "file").write_text("")
    (tmp_path / "model.json").mkdir()
    bad = {
        "fit": [tmp_path / "file" / "x", tmp_path, tmp_path / "no" / "x", "a\0b"],
        "demo": [tmp_path / "file", tmp_path],
    }
    for output in bad[command]:
        source = ["demo"] if command == "fit" else []
        assert main([command, *source, "-o", str(output)]) == 1
        assert capsys.readouterr().err.count("\n") == 1


def test_front_is_printed_and_saved_elsewhere_if_the_output_fails_in_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    folder, home = tmp_path / "folder", tmp_path / "home"
    for path in (folder, home):
        path.mkdir()
    monkeypatch.chdir(folder)
    monkeypatch.setenv("HOME", str(home))
    write = files.write_and_lock

    def fail(path: object, content: bytes) -> int | None:
        if not Path(os.fspath(path)).is_relative_to(home):
            raise files.InputError(f"{path} cannot be written: {os.strerror(errno.ENOSPC)}.")
        return write(path, content)

    monkeypatch.setattr(files, "write_and_lock", fail)
    assert main(["fit", "demo", "-o", "model.json", "--n-gen", "1"]) == 1
    out, err = capsys.readouterr()
    (place,) = home.iterdir()
    assert err == (
        "minotaur-pymoo: model.json cannot be written: No space left on device. The front was"
        f" saved to {place} instead.\n"
    )
    saved = export.load(place)
    assert export.to_text(saved.model) in out
    assert len(out.splitlines()) > len(saved.models)


def test_front_is_printed_if_no_place_can_be_written_to(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    def fail(path: object, content: bytes) -> None:
        raise files.InputError(f"{path} cannot be written.")

    monkeypatch.setattr(files, "write_and_lock", fail)
    assert main(["fit", "demo", "-o", str(tmp_path / "model.json"), "--n-gen", "1"]) == 1
    out, err = capsys.readouterr()
    assert "IF " in out
    assert err.endswith("the front is only printed.\n")
    assert list(tmp_path.iterdir()) == []


def test_checkpoints_of_others_need_the_option_trusted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    monkeypatch.chdir(tmp_path)
    command = ["fit", "demo", "-o", "model.json", "--n-gen", "1", "--checkpoint", "run"]
    assert main(command) == 0
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "other"))
    capsys.readouterr()
    assert main(command) == 1
    assert "was not written by this user on this machine" in capsys.readouterr().err
    assert main([*command, "--trusted"]) == 0
    assert main(command) == 0, "the trusted run signed its own checkpoint"
    assert main([*command[:-4], "--n-gen", "1", "--seed", "2", "--checkpoint", "run"]) == 1
    assert "is of other data or other settings" in capsys.readouterr().err
