"""Fuzz all entry points: ``python -m tests.tools.fuzz --inputs 100000``.

Inputs are processed in child processes, so that even a crash of compiled code is reported with the
input that caused it. Failing inputs are stored in files, and
``python -m tests.tools.fuzz --replay FILE`` runs one again.
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

from tests.tools.fuzzing.entry_points import ENTRY_POINTS, warm_up
from tests.tools.fuzzing.judge import (
    ACCEPTED,
    ALLOWANCE,
    MAX_SECONDS,
    REJECTED,
    SECONDS_PER_MIB,
    judge,
)

# A child with more CPU time for one input is killed: compiled code cannot be interrupted.
_HANG_SECONDS = 3 * MAX_SECONDS
# Inputs per child, each of which has to warm up.
_INPUTS_PER_CHILD = 10_000
# Memory that a child may allocate after warming up.
_MEMORY_LIMIT = 4 * 2**30


def main() -> int:
    """Run the fuzzer, print its log, and return 1 if an input failed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--inputs", type=int, default=100_000, help="number of inputs")
    parser.add_argument(
        "--entry-points", default=",".join(ENTRY_POINTS), help="some of: %(default)s"
    )
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path, help="folder for failing inputs")
    parser.add_argument("--replay", type=Path, metavar="FILE", help="run a stored input again")
    parser.add_argument(
        "--child", nargs=4, metavar=("NAME", "N", "SEED", "FOLDER"), help=argparse.SUPPRESS
    )
    args = parser.parse_args()
    if args.replay is not None:
        warm_up()
        name, value = pickle.loads(args.replay.read_bytes())
        print(judge(ENTRY_POINTS[name], value))
        return 0
    if args.child is not None:
        name, n, number, folder = args.child
        _run_child(name, int(n), int(number), Path(folder))
        return 0
    folder = args.folder or Path(tempfile.mkdtemp(prefix="fuzz-"))
    folder.mkdir(parents=True, exist_ok=True)
    return _run(args.inputs, args.entry_points.split(","), args.seed, folder)


def _run(n_inputs: int, names: list[str], number: int, folder: Path) -> int:
    shares = {name: ENTRY_POINTS[name].share for name in names}
    print(
        f"budget per input: {MAX_SECONDS} s of CPU time and {SECONDS_PER_MIB} s per MiB of its"
        f" size, {ALLOWANCE >> 20} MiB of memory and its size times the factor"
    )
    print(
        f"{'':<12}{'factor':>7}{'inputs':>8}{ACCEPTED:>9}{REJECTED:>9}{'failures':>9}{'seconds':>9}"
    )
    total: collections.Counter[str] = collections.Counter()
    start = time.monotonic()
    for name in names:
        began = time.monotonic()
        counts, found = _run_entry_point(
            name, round(n_inputs * shares[name] / sum(shares.values())), number, folder
        )
        factor = str(ENTRY_POINTS[name].memory_factor)
        _print_line(name, factor, counts, time.monotonic() - began)
        total += counts
        for failure in found:
            _print_failure(failure)
    _print_line("all", "", total, time.monotonic() - start)
    print(f"\n{total['failed']} failures")
    return int(total["failed"] > 0)


def _print_failure(failure: dict[str, Any]) -> None:
    print(f"\n{failure['name']}, {failure['n']} times: {failure['what']}")
    print(f"    input: {failure['input']}")
    print(f"    replay: python -m tests.tools.fuzz --replay {failure['file']}")
    print("    " + failure["trace"].rstrip().replace("\n", "\n    ") + "\n", flush=True)


def _print_line(name: str, factor: str, counts: collections.Counter[str], seconds: float) -> None:
    print(
        f"{name:<12}{factor:>7}{counts.total():>8}{counts[ACCEPTED]:>9}{counts[REJECTED]:>9}"
        f"{counts['failed']:>9}{seconds:>9.1f}",
        flush=True,
    )


def _run_entry_point(
    name: str, n_inputs: int, number: int, folder: Path
) -> tuple[collections.Counter[str], list[dict[str, Any]]]:
    """Run all inputs of one entry point, in one child process after the other."""
    counts: collections.Counter[str] = collections.Counter()
    failures: dict[str, dict[str, Any]] = {}
    while counts.total() < n_inputs:
        n = min(_INPUTS_PER_CHILD, n_inputs - counts.total())
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
    """Run a child; return its report, and the input that it was processing if it died."""
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
        hanging = False
        last_input, used_before = 0.0, 0.0
        while child.poll() is None:
            time.sleep(0.5)
            used = _cpu_seconds(child.pid)
            if current.exists() and current.stat().st_mtime != last_input:
                last_input, used_before = current.stat().st_mtime, used
            # Warming up may compile everything.
            if used - used_before > (_HANG_SECONDS if last_input else 5 * _HANG_SECONDS):
                hanging = True
                child.kill()
                child.wait()
    found = json.loads(report.read_text()) if report.exists() else {"counts": {}, "failures": []}
    if child.returncode == 0:
        return found, []
    what = "hung in compiled code" if hanging else f"process died ({child.returncode})"
    trace = log.read_text(errors="replace")[-3000:]
    if not current.exists():
        raise RuntimeError(f"the child process for {name} could not start:\n{trace}")
    stored = folder / f"{name}-{number}-crash.pickle"
    stored.write_bytes(current.read_bytes())
    _, value = pickle.loads(stored.read_bytes())
    return found, [_failure(name, what, trace, value, stored)]


def _cpu_seconds(pid: int) -> float:
    """The CPU time of a process so far, as the machine may be busy; 0 once it has ended."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return 0.0
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def _failure(name: str, what: str, trace: str, value: Any, path: Path) -> dict[str, Any]:
    text = repr(value)
    return {
        "name": name,
        "what": what,
        "trace": trace,
        "input": text if len(text) < 2000 else f"{text[:2000]}... ({len(text)} characters)",
        "file": str(path),
        "n": 1,
        "length": len(text),
    }


def _run_child(name: str, n: int, number: int, folder: Path) -> None:
    """Process n inputs in this process, and write a report."""
    faulthandler.enable()
    entry_point = ENTRY_POINTS[name]
    warm_up()
    used = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
    resource.setrlimit(resource.RLIMIT_AS, (used + _MEMORY_LIMIT, resource.RLIM_INFINITY))
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
    @given(entry_point.inputs)
    def run(value: Any) -> None:
        if counts.total() == n:
            return
        content = pickle.dumps((name, value))
        current.write_bytes(content)
        try:
            counts[judge(entry_point, value)] += 1
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
                Path(failure["file"]).write_bytes(content)
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
