"""The long fuzz run: ``python -m tests.tools.fuzz --inputs 100000``.

Inputs go through the doors in child processes, so that even a crash of compiled code leaves a
report and the input that caused it. A failing input is kept in a file, and
``python -m tests.tools.fuzz --again FILE`` hands it in once more.
"""

from __future__ import annotations

import argparse
import collections
import faulthandler
import json
import os
import pickle
import resource
import subprocess
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.database import InMemoryExampleDatabase

from tests.tools.fuzzing.doors import DOORS, warm_up
from tests.tools.fuzzing.judge import MAX_SECONDS, REFUSED, WORKS, judge

# A child is given up if it hands in nothing for so long: compiled code cannot be interrupted.
_HANGING = 3 * MAX_SECONDS
# Inputs for one child; each has to start and to warm up.
_CHUNK = 10_000
# Beyond what a child has when it starts; a request for more fails instead of filling the machine.
_MORE_MEMORY = 4 * 2**30


def main() -> int:
    """Run, print the log, and return whether anything failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000)
    parser.add_argument("--doors", default=",".join(DOORS), help="some of: %(default)s")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", type=Path, help="the folder for failing inputs")
    parser.add_argument("--again", type=Path, help="hand in a kept input once more")
    parser.add_argument("--child", nargs=4, metavar=("DOOR", "N", "SEED", "FOLDER"))
    given_ = parser.parse_args()
    if given_.again is not None:
        warm_up()
        name, value = pickle.loads(given_.again.read_bytes())
        print(judge(DOORS[name], value))
        return 0
    if given_.child is not None:
        door, n, number, folder = given_.child
        _run_child(door, int(n), int(number), Path(folder))
        return 0
    folder = given_.keep or Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    return _run(given_.inputs, given_.doors.split(","), given_.seed, folder)


def _run(n_inputs: int, names: list[str], number: int, folder: Path) -> int:
    shares = {name: DOORS[name].share for name in names}
    print(f"{'door':<12}{'inputs':>8}{WORKS:>8}{REFUSED:>9}{'failures':>9}{'seconds':>9}")
    total: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    for name in names:
        began = time.monotonic()
        counts, found = _run_door(
            name, round(n_inputs * shares[name] / sum(shares.values())), number, folder
        )
        _print_line(name, counts, time.monotonic() - began)
        total += counts
        for failure in found:
            _print_failure(failure)
    _print_line("all", total, time.monotonic() - start)
    print(f"\n{total['failed']} failures")
    return int(total["failed"] > 0)


def _print_failure(failure: dict[str, Any]) -> None:
    print(f"\n{failure['door']}, {failure['n']} times: {failure['what']}")
    print(f"    input: {failure['input']}")
    print(f"    again: python -m tests.tools.fuzz --again {failure['file']}")
    print("    " + failure["trace"].rstrip().replace("\n", "\n    ") + "\n", flush=True)


def _print_line(name: str, counts: collections.Counter[str], seconds: float) -> None:
    print(
        f"{name:<12}{counts.total():>8}{counts[WORKS]:>8}{counts[REFUSED]:>9}"
        f"{counts['failed']:>9}{seconds:>9.1f}",
        flush=True,
    )


def _run_door(
    name: str, n_inputs: int, number: int, folder: Path
) -> tuple[collections.Counter[str], list[dict[str, Any]]]:
    """All inputs for one door, in child processes, one after the other."""
    counts: collections.Counter[str] = collections.Counter()
    failures: dict[str, dict[str, Any]] = {}
    while counts.total() < n_inputs:
        n = min(_CHUNK, n_inputs - counts.total())
        number += 1
        report, crash = _start_child(name, n, number, folder)
        counts.update(report["counts"])
        for failure in report["failures"] + crash:
            known = failures.setdefault(failure["what"], failure)
            if known is not failure:
                known["n"] += failure["n"]
        if crash:
            counts["failed"] += 1
        if not report["counts"] and not crash:
            break
    return counts, list(failures.values())


def _start_child(
    name: str, n: int, number: int, folder: Path
) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """One child's report, and what it was doing if it died."""
    current, log = folder / "current", folder / "child.log"
    current.unlink(missing_ok=True)
    report = folder / "report.json"
    report.unlink(missing_ok=True)
    command = [
        sys.executable,
        "-m",
        "tests.tools.fuzz",
        "--child",
        name,
        str(n),
        str(number),
        folder,
    ]
    with log.open("wb") as output:
        child = subprocess.Popen(command, stdout=output, stderr=output)  # noqa: S603
        started = time.time()
        hanging = False
        while child.poll() is None:
            time.sleep(0.05)
            moved = current.stat().st_mtime if current.exists() else started + 5 * _HANGING
            if time.time() - moved > _HANGING:
                hanging = True
                child.kill()
                child.wait()
    found = json.loads(report.read_text()) if report.exists() else {"counts": {}, "failures": []}
    if child.returncode == 0:
        return found, []
    what = "hangs in compiled code" if hanging else f"the process died ({child.returncode})"
    trace = log.read_text(errors="replace")[-3000:]
    if not current.exists():
        raise RuntimeError(f"the child for {name} could not start:\n{trace}")
    kept = folder / f"{name}-{number}-crash.pickle"
    kept.write_bytes(current.read_bytes())
    _, value = pickle.loads(kept.read_bytes())
    failure = _failure(name, what, trace, value, kept)
    return found, [failure]


def _failure(name: str, what: str, trace: str, value: Any, kept: Path) -> dict[str, Any]:
    shown = repr(value)
    return {
        "door": name,
        "what": what,
        "trace": trace,
        "input": shown if len(shown) < 2000 else f"{shown[:2000]}... ({len(shown)} characters)",
        "file": str(kept),
        "n": 1,
        "length": len(shown),
    }


def _run_child(name: str, n: int, number: int, folder: Path) -> None:
    """Hand in so many inputs, and write down what became of them."""
    faulthandler.enable()
    door = DOORS[name]
    warm_up()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + _MORE_MEMORY, resource.RLIM_INFINITY))
    counts: collections.Counter[str] = collections.Counter()
    failures: dict[str, dict[str, Any]] = {}
    current = folder / "current"

    @seed(number)
    @settings(
        max_examples=n,
        phases=[Phase.generate],
        database=InMemoryExampleDatabase(),
        deadline=None,
        derandomize=False,
        suppress_health_check=list(HealthCheck),
    )
    @given(door.inputs)
    def run(value: Any) -> None:
        if counts.total() == n:
            return
        kept = pickle.dumps((name, value))
        current.write_bytes(kept)
        try:
            counts[judge(door, value)] += 1
        except Exception as error:
            counts["failed"] += 1
            last = traceback.extract_tb(error.__traceback__)[-1]
            what = f"{type(error).__name__} in {Path(last.filename).name}:{last.lineno}"
            path = folder / f"{name}-{number}-{len(failures)}.pickle"
            failure = _failure(
                name, f"{what}: {str(error)[:200]}", traceback.format_exc(limit=-4), value, path
            )
            known = failures.get(what)
            if known is not None:
                failure["n"], failure["file"] = known["n"] + 1, known["file"]
            if known is None or failure["length"] < known["length"]:
                Path(failure["file"]).write_bytes(kept)
                failures[what] = failure
            else:
                known["n"] += 1
        if counts.total() % 100 == 0:
            _report(folder, counts, failures)

    run()
    _report(folder, counts, failures)


def _report(folder: Path, counts: Any, failures: dict[str, dict[str, Any]]) -> None:
    text = json.dumps({"counts": counts, "failures": list(failures.values())})
    (folder / "report.tmp").write_text(text)
    (folder / "report.tmp").replace(folder / "report.json")


if __name__ == "__main__":
    sys.exit(main())
