"""Files are written atomically, and errors while writing them keep the previous content."""

from __future__ import annotations

import ast
import errno
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from stat import S_ISDIR
from typing import Any

import pytest

from minotaur_pymoo import Checkpoint, InputError, export, load_demo, resume
from minotaur_pymoo.datasets import load, load_arff, load_csv, load_npz
from minotaur_pymoo.export import load as load_model
from minotaur_pymoo.support import files
from minotaur_pymoo.support.files import (
    check_path,
    check_writable,
    create_once,
    make_folder,
    write_atomically,
)
from minotaur_pymoo.support.locks import wait_for_lock
from tests.tools.examples import ROOT

SOURCES = [*(ROOT / "minotaur_pymoo").rglob("*.py"), *(ROOT / "benchmarks").rglob("*.py")]


def test_only_write_atomically_writes_files() -> None:
    writing = {"write_text", "write_bytes", "savez", "savez_compressed", "tofile"}
    found = set()
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            texts = [a.value for a in node.args if isinstance(a, ast.Constant)]
            opens = name == "open" and any(set(str(text)) & set("wxa+") for text in texts)
            if name in writing or opens:
                found.add((path.name, name))
    # The last three write to memory, to a device of the system, and to a temporary folder.
    assert found == {
        ("files.py", "open"),
        ("files.py", "write_bytes"),
        ("fetch.py", "savez_compressed"),
        ("memory.py", "write_text"),
        ("clus.py", "write_text"),
    }


FULL = """
import resource, sys
from minotaur_pymoo.cli import main
resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
sys.exit(main(sys.argv[1:]))
"""


def run(script: str, *arguments: str, **options: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", script, *arguments],
        stderr=subprocess.PIPE,
        text=True,
        check=False,
        **{"stdout": subprocess.PIPE, **options},
    )


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    from minotaur_pymoo import MinotaurClassifier  # noqa: PLC0415

    garden = load_demo(100)
    path = tmp_path_factory.mktemp("models") / "model.json"
    names = {"feature_names": garden.feature_names, "label_names": garden.label_names}
    fitted = MinotaurClassifier(n_gen=4, random_state=0).fit(garden.X, garden.Y, **names)
    export.save(path, fitted.saved())
    return path


def test_full_disk_raises_one_sentence_and_keeps_the_old_file(tmp_path: Path, model: Path) -> None:
    old = tmp_path / "old.csv"
    old.write_text("previous content")
    done = run(FULL, "predict", str(model), "demo", "-o", str(old))
    assert done.returncode == 1
    assert done.stderr == (
        f"minotaur-pymoo: {old} cannot be written: File too large; its previous content is kept.\n"
    )
    assert [path.name for path in tmp_path.iterdir()] == ["old.csv"]
    assert old.read_text() == "previous content"


CHECKPOINTS = """
import resource, sys
from pymoo.optimize import minimize
from minotaur_pymoo import *
garden = load_demo(100)
problem = RuleSetProblem(garden.X, garden.Y)
algorithm = MINOTAUR(n_gen=3, pop_size=10, n_offsprings=5)
try:
    if sys.argv[2] == "full":
        resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
    minimize(problem, algorithm, seed=1, callback=Checkpoint(sys.argv[1], every=1))
except InputError as error:
    print(error)
"""


@pytest.mark.thorough
def test_full_disk_keeps_the_last_checkpoint(tmp_path: Path) -> None:
    path = tmp_path / "run"
    assert run(CHECKPOINTS, str(path), "empty").stdout == ""
    before = path.read_bytes()
    done = run(CHECKPOINTS, str(path), "full")
    kept = "File too large; its previous content is kept.\n"
    assert done.stdout == f"{path} cannot be written: {kept}"
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_unwritable_output_prints_one_sentence(model: Path) -> None:
    program = "import sys; from minotaur_pymoo.cli import main; sys.exit(main(sys.argv[1:]))"
    with Path("/dev/full").open("w") as full:
        for arguments in (["show", str(model)], ["show", str(model), "--format", "json"]):
            done = run(program, *arguments, stdout=full)
            assert done.returncode == 1
            assert done.stderr == (
                "minotaur-pymoo: the output cannot be used: No space left on device.\n"
            )
    done = run(program, "predict", str(model), "demo", "-o", "/dev/full")
    assert done.returncode == 1
    assert (
        "/dev/full cannot be written: No space left on device; it is not a regular file"
        in done.stderr
    )
    done = run(program, "predict", str(model), "demo", "-o", "/dev/null/x")
    assert "/dev/null/x cannot be written: Not a directory" in done.stderr


def test_closed_pipe_is_not_an_error(model: Path) -> None:
    program = "import sys; from minotaur_pymoo.cli import main; sys.exit(main(sys.argv[1:]))"
    reading, writing = os.pipe()
    os.close(reading)
    try:
        done = run(program, "show", str(model), stdout=writing)
    finally:
        os.close(writing)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("step", ["fsync", "replace"])
def test_errors_at_any_step_leave_no_temporary_file(
    step: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")

    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(InputError, match="No space left on device; its previous content is kept"):
        write_atomically(path, b"new")
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def test_new_files_have_default_permissions(tmp_path: Path) -> None:
    ordinary = tmp_path / "ordinary"
    ordinary.write_bytes(b"")
    write_atomically(tmp_path / "file", b"new")
    assert (tmp_path / "file").stat().st_mode == ordinary.stat().st_mode


@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127])
def test_names_may_be_as_long_as_the_system_allows(name: str, tmp_path: Path) -> None:
    files.check_writable(tmp_path / name)
    files.write_atomically(tmp_path / name, b"content")
    assert [path.name for path in tmp_path.iterdir()] == [name]
    with pytest.raises(InputError, match="File name too long; choose another path"):
        files.check_writable(tmp_path / f"{name}xx")


def test_a_folder_that_was_removed_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: the folder does not exist: create it"):
        files.write_atomically(tmp_path / "removed" / "model.json", b"content")


def test_links_and_pipes_are_preserved(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    file, link, pipe = tmp_path / "folder" / "file", tmp_path / "link", tmp_path / "pipe"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write_atomically(link, b"new")
    assert link.is_symlink()
    assert file.read_bytes() == b"new"
    os.mkfifo(pipe)
    received: list[bytes] = []
    reader = threading.Thread(target=lambda: received.append(pipe.read_bytes()))
    reader.start()
    write_atomically(pipe, b"through")
    reader.join()
    assert received == [b"through"]
    assert pipe.is_fifo()
    write_atomically("/dev/null", b"lost")
    assert not Path("/dev/null").is_file()


def test_existing_folders_and_files_in_the_way_raise_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: Is a directory"):
        write_atomically(tmp_path, b"new")
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match=r"the folder .*file/folder cannot be created: Not a d"):
        make_folder(tmp_path / "file" / "folder")
    assert make_folder(tmp_path / "one" / "two").is_dir()


def test_check_path_accepts_strings_bytes_and_paths(tmp_path: Path) -> None:
    assert check_path("a") == check_path(Path("a")) == check_path(b"a") == Path("a")


@pytest.mark.parametrize("path", ["a\x00b", "\ud800", None, 5, ["a"]])
def test_invalid_paths_raise_input_error(path: Any) -> None:
    functions = [
        check_path,
        lambda path: write_atomically(path, b""),
        load,
        load_arff,
        lambda path: load_csv(path, 1),
        load_npz,
        load_model,
        resume,
        Checkpoint,
    ]
    for function in functions:
        with pytest.raises(InputError, match="cannot be the name of a file: pass another one"):
            function(path)


@pytest.mark.parametrize("mode", [0o600, 0o664, 0o444])
def test_replaced_files_keep_their_mode(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    path.chmod(mode)
    seen = []
    replace = os.replace
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            os, "replace", lambda a, b: (seen.append(os.stat(a).st_mode & 0o777), replace(a, b))
        )
        write_atomically(path, b"new")
    assert path.read_bytes() == b"new"
    assert path.stat().st_mode & 0o777 == mode
    assert seen == [mode], "others could read the temporary file"


KILLED = """
import os, sys
from minotaur_pymoo.support import files
os.fsync = lambda _: os.kill(os.getpid(), 9)
files.write_atomically(sys.argv[1], b"never")
"""


def test_temporary_files_of_killed_processes_are_removed(tmp_path: Path) -> None:
    assert run(KILLED, str(tmp_path / "file")).returncode == -9
    stale = [path.name for path in tmp_path.iterdir()]
    assert len(stale) == 1
    # Neither a file that is being written, nor one of another program, is stale.
    used, other = tmp_path / f".x.{'0' * 16}.minotaur-tmp", tmp_path / f".x.{'0' * 16}"
    other.write_bytes(b"")
    with used.open("wb") as file:
        wait_for_lock(file.fileno())
        files._remove_stale_files.cache_clear()
        write_atomically(tmp_path / "another file", b"new")
        assert {path.name for path in tmp_path.iterdir()} == {used.name, other.name, "another file"}


def test_temporary_file_removed_by_another_process_is_created_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    created = []

    def steal_first(descriptor: int) -> None:
        created.extend(path for path in tmp_path.iterdir() if path not in created)
        if len(created) == 1:
            created[0].unlink()

    monkeypatch.setattr(files, "wait_for_lock", steal_first)
    write_atomically(tmp_path / "file", b"new")
    assert len(created) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_folder_is_synced_after_the_file_is_renamed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    replace = os.replace
    monkeypatch.setattr(
        os, "fsync", lambda fd: steps.append("folder" if S_ISDIR(os.fstat(fd).st_mode) else "file")
    )
    monkeypatch.setattr(os, "replace", lambda a, b: (steps.append("rename"), replace(a, b)))
    write_atomically(tmp_path / "file", b"new")
    assert steps == ["file", "rename", "folder"]


def test_writability_is_known_before_writing(tmp_path: Path) -> None:
    existing = tmp_path / "existing"
    existing.write_bytes(b"old")
    for path in (existing, tmp_path / "new", Path("/dev/null")):
        check_writable(path)
    assert [path.name for path in tmp_path.iterdir()] == ["existing"]
    assert existing.read_bytes() == b"old"
    for path, reason in (
        (tmp_path, "it is a folder"),
        (tmp_path / "no" / "file", "the folder does not exist"),
        (existing / "file", "Not a directory"),
        (Path("/proc/file"), "the folder does not exist"),
    ):
        with pytest.raises(InputError, match=reason):
            check_writable(path)


def test_links_that_form_a_loop_are_one_sentence(tmp_path: Path) -> None:
    (tmp_path / "first").symlink_to("second")
    (tmp_path / "second").symlink_to("first")
    for write in (check_writable, lambda path: write_atomically(path, b"")):
        with pytest.raises(InputError, match="first cannot be written: "):
            write(tmp_path / "first")


def test_full_disk_is_noticed_before_writing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*arguments: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(InputError, match="No space left on device; choose another path"):
        check_writable(tmp_path / "file")
    assert list(tmp_path.iterdir()) == []


def test_files_created_once_have_one_content_for_all(tmp_path: Path) -> None:
    path = tmp_path / "folder" / "key"
    with ThreadPoolExecutor(8) as pool:
        found = set(pool.map(lambda n: create_once(path, b"%d" % n), range(50)))
    assert len(found) == 1
    assert path.stat().st_mode & 0o777 == 0o600
    assert [file.name for file in path.parent.iterdir()] == ["key"]
