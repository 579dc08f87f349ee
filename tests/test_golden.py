"""Searches reproduce the stored results, whatever the number of threads and the processor."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.golden import PATH, RUNS


@pytest.mark.parametrize("name", RUNS)
def test_results_are_unchanged(name: str) -> None:
    assert RUNS[name](None) == json.loads(PATH.read_text())[name], (
        "the results of a search have changed: if that is intentional, run python -m tests.golden."
    )


def threads(n: int) -> dict[str, str]:
    names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return dict.fromkeys(names, str(n))


# SIMD extensions that numpy uses on this machine, but that others may lack.
EXTRAS = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])

HASWELL = {"OPENBLAS_CORETYPE": "Haswell"} if {"AVX2", "X86_V3"} & set(EXTRAS) else {}

# Environment variables and n_jobs. OpenBLAS has different code for each of these processors.
ENVIRONMENTS: dict[str, tuple[dict[str, str], int]] = {
    "many threads": ({**threads(4), "PYTHONHASHSEED": "2", **HASWELL}, 2),
    "one thread of an old processor": (
        {
            **threads(1),
            "PYTHONHASHSEED": "1",
            "OPENBLAS_CORETYPE": "Prescott",
            "NPY_DISABLE_CPU_FEATURES": " ".join(EXTRAS),
        },
        1,
    ),
}


# One of them always runs; each is a new process with a dozen searches.
@pytest.mark.parametrize(
    "environment",
    [
        pytest.param(name, marks=[] if name == "many threads" else pytest.mark.thorough)
        for name in ENVIRONMENTS
    ],
)
def test_results_do_not_depend_on_threads_and_processor(environment: str) -> None:
    variables, n_jobs = ENVIRONMENTS[environment]
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.golden", str(n_jobs)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    assert process.stdout == PATH.read_text()
