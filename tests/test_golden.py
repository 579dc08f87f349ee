"""The same seed gives the same front: today's is stored, and nothing around a run changes it."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.golden import FINDINGS, PATH


@pytest.mark.parametrize("name", FINDINGS)
def test_searches_find_what_they_always_found(name: str) -> None:
    assert FINDINGS[name](None) == json.loads(PATH.read_text())[name], (
        "a search finds something else than before: if that is meant, python -m tests.golden"
        " writes what it finds now."
    )


def threads(n: int) -> dict[str, str]:
    names = ("NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
    return dict.fromkeys(names, str(n))


# What numpy uses of this machine beyond what all have, and so may have to do without elsewhere.
EXTRAS = np.show_config(mode="dicts")["SIMD Extensions"].get("found", [])

# Each is another process too. The kinds of processor are those that OpenBLAS has other code for.
SURROUNDINGS: dict[str, tuple[dict[str, str], int]] = {
    "one thread": ({**threads(1), "PYTHONHASHSEED": "1"}, 1),
    "many threads": ({**threads(4), "PYTHONHASHSEED": "2"}, 2),
    "old processor": (
        {"OPENBLAS_CORETYPE": "Prescott", "NPY_DISABLE_CPU_FEATURES": " ".join(EXTRAS)},
        1,
    ),
}
if {"AVX2", "X86_V3"} & set(EXTRAS):
    SURROUNDINGS["newer processor"] = ({"OPENBLAS_CORETYPE": "Haswell"}, 1)
if {"AVX512_SKX", "X86_V4"} & set(EXTRAS):
    SURROUNDINGS["newest processor"] = ({"OPENBLAS_CORETYPE": "SkylakeX"}, 1)


@pytest.mark.parametrize("surroundings", SURROUNDINGS)
def test_nothing_around_a_run_changes_what_it_finds(surroundings: str) -> None:
    variables, n_jobs = SURROUNDINGS[surroundings]
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tests.golden", str(n_jobs)],
        env={**os.environ, **variables},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == PATH.read_text()
