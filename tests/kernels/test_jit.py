import os
import subprocess
import sys
from pathlib import Path

SCRIPT = """
import logging, sys
from minotaur_pymoo.kernels import bitsets as kernels
from minotaur_pymoo.kernels.jit import log_to_stderr
import numpy as np
if sys.argv[1] == "shown":
    log_to_stderr()
kernels.nth_unset(np.zeros(1, np.uint64), 3)
kernels.to_members(np.zeros(1, np.uint64), 3)
"""


def stderr_of(cache: Path, how: str) -> str:
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache)}
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", SCRIPT, how],
        capture_output=True,
        text=True,
        check=True,
        env=environment,
    )
    return done.stderr


def test_compilation_is_announced_once_and_only_if_it_happens(tmp_path: Path) -> None:
    told = stderr_of(tmp_path / "new", "shown")
    assert told.count("compiling for this machine") == 1
    assert stderr_of(tmp_path / "new", "shown") == ""
    assert stderr_of(tmp_path / "other", "library") == ""
