import subprocess
import sys

import pytest

from tests.tools.examples import ROOT


def test_memory_files_and_threads_stay_as_they_are() -> None:
    command = [sys.executable, "-m", "tests.tools.soak", "--fits", "60", "--every", "30"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.endswith("steady\n")


LEAK = """
import sys
from tests.tools import soak
kept = []
fit = soak.fit
soak.fit = lambda number: (fit(number), kept.append(KEPT))
sys.exit(soak.main(["--fits", "6", "--every", "2"]))
"""


@pytest.mark.parametrize("kept", ["bytes(range(256)) * 2**14", "open('/dev/null')"])
def test_a_leak_would_be_noticed(kept: str) -> None:
    script = LEAK.replace("KEPT", kept)
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1, done.stderr
    assert done.stdout.endswith("NOT STEADY\n")
