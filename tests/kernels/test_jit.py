import gc
import os
import pickle
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numba.core.dispatcher import Dispatcher
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo

START = """
import sys
import numpy as np
from pymoo.optimize import minimize
from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
from minotaur_pymoo.kernels import bitsets, jit
from minotaur_pymoo.kernels.jit import log_to_stderr
"""
SEARCH = "garden = load_demo(100); problem = RuleSetProblem(garden.X, garden.Y)\n"
NOTICE = (
    "minotaur_pymoo compiles code for its first use on this machine, which takes some seconds ..."
)


def output_of(script: str, cache: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603
        [sys.executable, "-c", START + script],
        capture_output=True,
        text=True,
        check=True,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )


def test_long_compilation_is_announced_once_and_only_if_it_happens(tmp_path: Path) -> None:
    # On a busy machine, the search itself may take longer than the pause.
    script = "jit._PAUSE = 1e9\n" + SEARCH
    script += "minimize(problem, MINOTAUR(n_gen=0, pop_size=3), seed=1, progress=True)"
    first = output_of(script, tmp_path)
    assert first.stderr.count(NOTICE) == 1
    # On a line of its own, before which a progress bar writes at most how far it is.
    (line,) = [line for line in first.stderr.splitlines() if NOTICE in line]
    assert line.removeprefix("on 0.0%: ") == NOTICE
    assert output_of(script, tmp_path).stderr == ""


def test_the_command_line_announces_compilation_too(tmp_path: Path) -> None:
    script = "jit._PATIENCE = 0; log_to_stderr(); bitsets.to_bits(np.zeros(1, np.int32), 3)"
    assert output_of(script, tmp_path).stderr == NOTICE + "\n"


def test_other_code_is_announced_again_after_a_pause(tmp_path: Path) -> None:
    script = "import time; jit._PATIENCE, jit._PAUSE = 0.001, 0.5\n"
    script += "bitsets.to_bits(np.zeros(1, np.int32), 3); time.sleep(1)\n"
    script += "bitsets.to_bits(np.zeros(1, np.int64), 3)"
    assert output_of(script, tmp_path).stderr == f"{NOTICE}\n" * 2


def test_short_compilation_is_not_mentioned(tmp_path: Path) -> None:
    script = "bitsets.to_bits(np.zeros(1, np.int32), 3)\n"
    # Longer than one kernel takes on a busy machine; the process outlives it.
    wait = "time.sleep(jit._PATIENCE + 1)\n"
    assert output_of(f"import time\njit._PATIENCE = 10\n{script}{wait}", tmp_path).stderr == ""


def test_garbage_collection_pauses_only_while_a_kernel_is_compiled(tmp_path: Path) -> None:
    script = """
import gc
from numba.core import event
states = []
class Watch(event.Listener):
    def on_start(self, event): states.append(gc.isenabled())
    def on_end(self, event): pass
event.register("numba:compile", Watch())
bitsets.to_bits(np.zeros(1, np.int32), 3)
print(any(states), len(states) > 0, gc.isenabled())
gc.disable()
bitsets.to_bits(np.zeros(1, np.int64), 3)
print(gc.isenabled())
"""
    assert output_of(script, tmp_path).stdout.split() == ["False", "True", "True", "False"]


def signatures() -> set[tuple[str, str]]:
    """All kernels that are loaded, with the types that they are compiled for."""
    kernels = [kernel for kernel in gc.get_objects() if isinstance(kernel, Dispatcher)]
    return {(str(kernel), str(types)) for kernel in kernels for types in kernel.overloads}


@pytest.mark.parametrize("search", ["guided", "paper"])
def test_unpickled_data_and_rule_sets_need_no_other_signatures(search: str) -> None:
    garden = load_demo(100)
    problem = RuleSetProblem(garden.X, garden.Y)
    arguments = {"search": search, "n_gen": 8}
    res = minimize(problem, MINOTAUR(**arguments), seed=1)
    before = signatures()
    copied = pickle.loads(pickle.dumps(problem))
    start = pickle.loads(pickle.dumps(list(res.X[:, 0])))
    again = minimize(copied, MINOTAUR(**arguments), seed=1)
    assert np.array_equal(again.F, res.F)
    minimize(problem, MINOTAUR(sampling=start, **arguments), seed=2)
    minimize(RuleSetProblem(start[0].data), MINOTAUR(sampling=start, **arguments), seed=3)
    assert signatures() == before
