"""Too little memory, injected by ``tests.tools.memory``."""

import subprocess
import sys

import pytest

from tests.tools.examples import ROOT


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="needs limits of address space")
def test_too_little_memory_ends_in_one_sentence() -> None:
    command = [sys.executable, "-m", "tests.tools.memory"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") == 7
