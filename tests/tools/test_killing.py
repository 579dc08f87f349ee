import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.tools.examples import ROOT
from tests.tools.killing import STAGES


@pytest.mark.thorough
@pytest.mark.parametrize("stage", STAGES)
def test_files_survive_kills_and_reruns_give_the_same_result(stage: str, tmp_path: Path) -> None:
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.tools.killing", stage, str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    n_killed, n_steps = (int(number) for number in re.findall(r"\d+", process.stdout))
    assert n_killed >= 6
    assert n_steps >= 2
