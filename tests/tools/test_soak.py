import subprocess
import sys

import pytest

from tests.tools.examples import ROOT

pytestmark = pytest.mark.thorough


def test_usage_is_steady() -> None:
    options = ["--fits", "40", "--every", "20"]
    command = [sys.executable, "-m", "tests.tools.soak", *options]
    process = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)  # noqa: S603
    assert process.returncode == 0, process.stdout + process.stderr
    assert process.stdout.endswith("steady\n")


# Memory grows by a tenth with each fit, however much the process has taken to compile.
LEAK = """
import sys
from tests.tools import soak
leaked = []
tenth = lambda: b"1" * (soak.Usage.now().resident // 10)
fit = soak.fit
soak.fit = lambda number: (fit(number), leaked.append(LEAKED))
sys.exit(soak.main(["--fits", "6", "--every", "2"]))
"""


@pytest.mark.parametrize("leaked", ["tenth()", "open('/dev/null')"])
def test_leaks_are_detected(leaked: str) -> None:
    script = LEAK.replace("LEAKED", leaked)
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert process.returncode == 1, process.stderr
    assert process.stdout.endswith("NOT STEADY\n")
