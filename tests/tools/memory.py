"""Run operations with too little memory: ``python -m tests.tools.memory``.

Each operation runs in forked processes that may allocate only so much. It must succeed, or end in
one sentence; a crash, another exception or a damaged file is a failure.
"""

from __future__ import annotations

import collections
import json
import os
import resource
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import arff  # noqa: F401 - before memory is limited
import numpy as np

from minotaur_pymoo import InputError, export
from minotaur_pymoo.data import Schema
from minotaur_pymoo.datasets import load_arff, load_csv, load_features, load_npz
from minotaur_pymoo.rules import IntervalTest, Model, ModelRule
from tests.tools.fuzzing.judge import check_message

DONE, SENTENCE, OTHER = 0, 10, 20
_N_FEATURES = 20
# MiB that an operation may allocate.
LIMITS = (0, 2, 5, 12, 27, 60, 140, 400)


def operations(folder: Path) -> dict[str, Callable[[], object]]:
    """Return operations that need some 10 to 100 MiB, by name.

    Parameters
    ----------
    folder
        A folder for their files.
    """
    _in_child(lambda: _write_data(folder))
    names = [f"f{i}" for i in range(_N_FEATURES)]
    schema = Schema(tuple(names), ("y",))
    rules = tuple(
        ModelRule((IntervalTest("f0", i, i + 1.0),), ("y",), 3, (2,)) for i in range(9000)
    )
    model = Model(schema, rules, ModelRule((), (), 9, (1,)))
    _in_child(lambda: export.save(folder / "model.json", model))
    _in_child(lambda: export.save(folder / "kept.json", Model(schema, (), model.default)))

    def save() -> None:
        try:
            export.save(folder / "kept.json", model)
        except (InputError, MemoryError):
            _lift_limit()
            # Neither half of the new file nor none at all.
            json.loads((folder / "kept.json").read_bytes())
            raise

    return {
        "load_csv": lambda: load_csv(folder / "a.csv", 1),
        "load_arff": lambda: load_arff(folder / "a.arff", 1),
        "load_npz": lambda: load_npz(folder / "a.npz"),
        "load_features": lambda: load_features(folder / "a.csv", schema),
        "load": lambda: export.load(folder / "model.json"),
        "save": save,
    }


def _write_data(folder: Path) -> None:
    X = np.random.default_rng(0).normal(size=(10_000, _N_FEATURES)).round(3)
    Y = np.ones((len(X), 1), dtype=np.uint8)
    names = [f"f{i}" for i in range(_N_FEATURES)]
    lines = [",".join(map(str, [*row, 1])) for row in X.tolist()]
    (folder / "a.csv").write_text("\n".join([",".join([*names, "y"]), *lines]) + "\n")
    header = [f"@attribute {name} numeric" for name in names]
    parts = ["@relation a", *header, "@attribute y {0,1}", "@data", *lines]
    (folder / "a.arff").write_text("\n".join(parts) + "\n")
    np.savez(folder / "a.npz", X=np.tile(X, 10), Y=Y)


def _in_child(operation: Callable[[], object]) -> None:
    """Run an operation in a forked process, so that this one has no free memory left from it."""
    code = run_limited(operation, 100_000)
    if code != DONE:
        raise RuntimeError(f"failed without a limit ({code})")


def _lift_limit() -> None:
    resource.setrlimit(resource.RLIMIT_AS, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def run_limited(operation: Callable[[], object], limit: int) -> int:
    """Run an operation in a forked process; return its exit code, or minus the signal it died of.

    Parameters
    ----------
    operation
        What to run.
    limit
        MiB that it may allocate.
    """
    child = os.fork()
    if child:
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    code = OTHER
    try:
        used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (used + limit * 2**20, resource.RLIM_INFINITY))
        operation()
        code = DONE
    except InputError as error:
        _lift_limit()
        check_message(str(error))
        code = SENTENCE
    except BaseException as error:
        _lift_limit()
        print(f"    {limit} MiB: {error!r}", file=sys.stderr)
    finally:
        os._exit(code)


def main() -> int:
    """Run all operations with all limits, print a table, and return 1 after a failure."""
    failed = False
    print(f"{'':<14}{'done':>6}{'refused':>9}{'failed':>8}")
    with tempfile.TemporaryDirectory() as folder:
        for name, operation in operations(Path(folder)).items():
            _in_child(operation)
            codes = collections.Counter(run_limited(operation, limit) for limit in LIMITS)
            n_failed = codes.total() - codes[DONE] - codes[SENTENCE]
            print(f"{name:<14}{codes[DONE]:>6}{codes[SENTENCE]:>9}{n_failed:>8}", flush=True)
            # If all runs end alike, the limits test nothing.
            failed |= n_failed > 0 or not codes[DONE] or not codes[SENTENCE]
    return int(failed)


if __name__ == "__main__":
    sys.exit(main())
