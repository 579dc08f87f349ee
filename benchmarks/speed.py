"""CPU time and memory of both searches, relative to pymoo alone.

``python -m benchmarks.speed`` prints one line per dataset:

- CPU seconds of `minimize` with ``search="paper"`` (the paper's target coverage) and with
  ``search="guided"``, and both as multiples of the time that pymoo needs in the same process for as
  many generations of a problem that costs nothing. The paper's search has a limit. Each time is the
  minimum of several repeats, interleaved, after compilation.
- Peak memory of each search above that of the imported libraries, measured in a separate process,
  and its limit: four times the data from 10 MB on, 50 MB below.
- The wall-clock speed-up of the paper's search with two threads, which needs a spare core.
- CPU microseconds per mutant by stage: the free box, the growth of its rule, the evaluation; and of
  one whole rule creation.

``--growth`` adds the cost on 10,000 and 100,000 instances, ``--million`` a guided search on a
million. ``--json FILE`` stores the figures, ``--compare FILE`` lists what got slower than in such a
file. The latest figures of the project are in `benchmarks/results/speed.json`.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from pymoo.optimize import minimize

from benchmarks import memory
from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded, load
from benchmarks.pymoo_alone import pymoo_seconds
from benchmarks.stages import STAGES, stage_microseconds
from minotaur_pymoo import MINOTAUR, RuleSetProblem
from minotaur_pymoo.support.files import write_atomically

SEARCHES = ("paper", "guided")
# CPU time of the paper's search, in multiples of pymoo's own.
LIMITS = {
    "CAL500": 2.5,
    "emotions": 2.5,
    "scene": 5.0,
    "synthetic0": 3.0,
    "synthetic1": 4.0,
    "synthetic2": 4.0,
    "synthetic3": 3.0,
    "yeast": 3.0,
}
# Below this size of the data, the memory limit is a constant.
LARGE_DATA = 10_000_000
SMALL_DATA_LIMIT = 50_000_000
# A smaller increase is noise on a shared machine.
NOISE = 1.15
# Compared between runs: on the paper's datasets only ratios, which a busy machine hardly changes.
RATIOS = ("paper_x_pymoo", "guided_x_pymoo")
TOTALS = ("paper_seconds", "guided_seconds")
PEAKS = ("paper_peak_bytes", "guided_peak_bytes")
# Names in files that were stored before both searches were measured.
_OLD_NAMES = {
    "x_pymoo": "paper_x_pymoo",
    "peak_bytes": "paper_peak_bytes",
    "paper": "paper_seconds",
    "guided": "guided_seconds",
}

Figures = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Measure and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--datasets", default=",".join(SHAPES), help="names, separated by commas")
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument("--n-gen", type=int, default=200, help="generations per search")
    parser.add_argument("--repeats", type=int, default=3, help="searches per dataset")
    parser.add_argument("--growth", action="store_true", help="add 10,000 and 100,000 instances")
    parser.add_argument("--million", action="store_true", help="add a million instances")
    parser.add_argument("--json", type=Path, help="store the figures in this file")
    parser.add_argument("--compare", type=Path, help="figures that were stored before")
    args = parser.parse_args(arguments)
    # Read first, so that a wrong name fails at once.
    before: Figures | None = json.loads(args.compare.read_text()) if args.compare else None
    figures: Figures = {}
    print("CPU time and memory; x: multiples of pymoo alone; µs: CPU microseconds")
    print(header())
    for name in args.datasets.split(","):
        data = load(name, generated=args.generated)
        figures[name] = measure(data, args.n_gen, args.repeats)
        print(row(name, figures[name]) + ("  (generated)" if data.generated else ""), flush=True)
    sizes = [10_000, 100_000] if args.growth else []
    for n in sizes + [1_000_000] * args.million:
        figures[f"{n} x 50"] = measure_large(n)
        print(large_row(n, figures), flush=True)
    if args.json:
        write_atomically(args.json, json.dumps(figures, indent=1).encode())
    if before is not None:
        print("\n".join(slower(before, figures)) or "nothing got slower")


def measure(data: Folded, n_gen: int, repeats: int) -> Figures:
    """Measure everything on one dataset.

    Parameters
    ----------
    data
        The dataset, all folds together.
    n_gen
        Generations per search.
    repeats
        How often each search is run; the fastest run counts.
    """
    problem = RuleSetProblem(data.X, data.Y)
    for search in SEARCHES:
        # Compile first.
        minimize(problem, MINOTAUR(n_gen=2, **_settings(search, data.name)), seed=0)
    pymoo_seconds(2)
    seconds: dict[str, list[float]] = {"pymoo": [], "paper": [], "guided": []}
    walls: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeats):
        seconds["pymoo"].append(pymoo_seconds(n_gen))
        for search in SEARCHES:
            algorithm = MINOTAUR(n_gen=n_gen, **_settings(search, data.name))
            start = time.perf_counter()
            seconds[search].append(cpu(minimize, problem, algorithm, seed=1)[0])
            if search == "paper":
                walls[1].append(time.perf_counter() - start)
        algorithm = MINOTAUR(n_gen=n_gen, n_threads=2, **_settings("paper", data.name))
        start = time.perf_counter()
        paper_result = minimize(problem, algorithm, seed=1)
        walls[2].append(time.perf_counter() - start)
    figures: Figures = {"pymoo_seconds": min(seconds["pymoo"])}
    for search in SEARCHES:
        figures[f"{search}_seconds"] = min(seconds[search])
        figures[f"{search}_x_pymoo"] = min(seconds[search]) / min(seconds["pymoo"])
        peak = memory.in_own_process("peak_of_search", data.name, search, data.generated)
        figures[f"{search}_peak_bytes"] = peak
    return {
        **figures,
        "data_bytes": data.X.nbytes,
        "two_threads": min(walls[1]) / min(walls[2]),
        **stage_microseconds(problem, paper_result.pop.get("X")[:, 0], data),
    }


def _settings(search: str, name: str) -> dict[str, Any]:
    target = {"target_coverage": SHAPES[name].target_coverage} if search == "paper" else {}
    return {"search": search, **target}


def memory_limit(data_bytes: int) -> float:
    """The peak memory that a search may take on data of a size, in bytes.

    Examples
    --------
    >>> memory_limit(1_000_000), memory_limit(20_000_000)
    (50000000, 80000000)
    """
    return SMALL_DATA_LIMIT if data_bytes < LARGE_DATA else 4 * data_bytes


def header() -> str:
    """The column names of the table of datasets."""
    columns = (
        f"{'dataset':<11}{'paper s':>8}{'x':>6}{'limit':>6}{'guided s':>10}{'x':>6}"
        f"{'paper MB':>10}{'guided MB':>10}{'limit':>6}{'2 threads':>11}"
    )
    return columns + "".join(f"{stage.replace('_', ' ') + ' µs':>15}" for stage in STAGES)


def row(name: str, figures: Figures) -> str:
    """One line of the table of datasets."""
    stages = "".join(f"{figures[f'{stage}_us']:>15.1f}" for stage in STAGES)
    return (
        f"{name:<11}{figures['paper_seconds']:>8.2f}{figures['paper_x_pymoo']:>6.2f}"
        f"{LIMITS[name]:>6.1f}{figures['guided_seconds']:>10.2f}{figures['guided_x_pymoo']:>6.2f}"
        f"{figures['paper_peak_bytes'] / 1e6:>10.1f}{figures['guided_peak_bytes'] / 1e6:>10.1f}"
        f"{memory_limit(figures['data_bytes']) / 1e6:>6.0f}{figures['two_threads']:>11.2f}{stages}"
    )


def measure_large(n: int) -> Figures:
    """Measure short searches on n instances, or a whole guided search on a million."""
    million = n >= 1_000_000
    figures: Figures = {"generations": 200 if million else 30}
    for search in ["guided"] if million else SEARCHES:
        found = memory.in_own_process("large", n, search, figures["generations"])
        figures[f"{search}_seconds"] = found["seconds"]
        figures[f"{search}_peak_bytes"] = found["peak_bytes"]
        figures["predict_seconds"] = found["predict_seconds"]
        if "two_threads" in found:
            figures["two_threads"] = found["two_threads"]
    return figures


def large_row(n: int, figures: Figures) -> str:
    """One line of the growth table, with factors relative to 10,000 instances."""
    large: Figures = figures[f"{n} x 50"]
    base: Figures = figures.get("10000 x 50", large)
    searches = ", ".join(
        f"{search} {large[f'{search}_seconds']:.1f} s"
        f" ({large[f'{search}_seconds'] / base[f'{search}_seconds']:.1f} x)"
        f" and {large[f'{search}_peak_bytes'] / (400 * n):.1f} x data"
        f" ({large[f'{search}_peak_bytes'] / 1e6:.0f} MB)"
        for search in SEARCHES
        if f"{search}_seconds" in large
    )
    threads = ""
    if "two_threads" in large:
        threads = f"; {large['two_threads']:.2f} x faster with two threads"
    return (
        f"{n:>9} x 50: {large['generations']} generations, {searches};"
        f" {large['predict_seconds']:.2f} s to predict all{threads}"
    )


def slower(before: Figures, now: Figures) -> list[str]:
    """List the figures that grew by more than noise.

    Files that were stored by older versions of this program have other figures too; what both have
    is compared.

    Parameters
    ----------
    before
        Stored figures.
    now
        The figures of this run.
    """
    lines = []
    for name in now:
        if name not in before:
            continue
        old = {_OLD_NAMES.get(key, key): value for key, value in before[name].items()}
        new = now[name]
        compared = (RATIOS if "paper_x_pymoo" in new else TOTALS) + PEAKS
        for figure in compared:
            if figure not in old or figure not in new or new[figure] <= NOISE * old[figure]:
                continue
            if figure in PEAKS and new[figure] <= SMALL_DATA_LIMIT:
                continue
            lines.append(f"{name}: {figure} was {old[figure]:.2f}, is {new[figure]:.2f}")
    return lines


if __name__ == "__main__":
    main()
