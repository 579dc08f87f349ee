import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import sys
import numpy as np
from minotaur_pymoo.kernels import bitsets
from minotaur_pymoo.kernels.jit import log_to_stderr
if sys.argv[1] == "command line":
    log_to_stderr()
bitsets.nth_unset(np.zeros(1, np.uint64), 3)
bitsets.to_members(np.zeros(1, np.uint64), 3)
"""


def stderr_of(cache: Path, used_as: str) -> str:
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", SCRIPT, used_as],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    return done.stderr


def test_compilation_is_logged_once_and_only_if_it_happens(tmp_path: Path) -> None:
    first = stderr_of(tmp_path / "new", "command line")
    assert first.count("compiling for this machine") == 1
    assert stderr_of(tmp_path / "new", "command line") == ""
    assert stderr_of(tmp_path / "other", "library") == ""
