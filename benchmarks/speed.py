"""How fast the paper's search is: beside pymoo itself, beside the oracle, stage by stage.

``python -m benchmarks.speed`` prints, for each dataset,

- CPU seconds of a whole `minimize` with ``search="paper"``, the paper's target coverage and 200
  generations; how often that is what pymoo takes in the same process for as many generations of a
  problem that costs nothing; and the most that it should be. Each is the least of some repeats,
  taken in turns, with everything compiled.
- how often the oracle of the tests, which makes the same rules (that is checked), takes what one
  rule creation takes with ten rules in place.
- peak memory above the imported libraries, in a process of its own, and how often that is the size
  of the data as float64.
- how much less time on the wall the same search takes with two threads; on a machine that has no
  core to spare for the second one, that is nothing.
- CPU microseconds for one mutant, by stage, on the rule sets that the search ends with.

``--growth`` adds how cost grows with the number of instances, ``--million`` a guided search on a
million of them. ``--json FILE`` keeps the figures, and ``--compare FILE`` shows what became slower
than in such a file; the figures that this project had last are in `benchmarks/results/speed.json`.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from pymoo.optimize import minimize

from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded, load
from benchmarks.pymoo_alone import pymoo_seconds
from minotaur_pymoo import MINOTAUR, NearestGrowth, RuleSet, RuleSetProblem
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule
from minotaur_pymoo.growth.deferred import DeferredOffspring, grow_deferred
from minotaur_pymoo.kernels.bitsets import pack_marked
from minotaur_pymoo.kernels.bounding import shrink
from minotaur_pymoo.kernels.consequents import count_covered, majority_labels
from minotaur_pymoo.kernels.coverage import sweep_box
from minotaur_pymoo.kernels.distances import products_with
from minotaur_pymoo.kernels.nearest import mark_nearest
from minotaur_pymoo.support.files import write_atomically
from tests import oracle
from tests.cases import oracle_rule

N_RULES = 10
AT_MOST = {
    "CAL500": 2,
    "emotions": 2,
    "scene": 5,
    "synthetic0": 3,
    "synthetic1": 4,
    "synthetic2": 4,
    "synthetic3": 3,
    "yeast": 3,
}
STAGES = ("free box", "coverage", "nearest", "bounds", "consequent", "evaluation")
# What a comparison looks at.
FIGURES = (
    "x_pymoo",
    "creation_us",
    "x_data",
    "paper",
    "paper_peak_bytes",
    "guided",
    "guided_peak_bytes",
)
# A figure that grew by less is noise on a machine that others use too.
NOISE = 1.15

Figures = dict[str, Any]


def main(arguments: list[str] | None = None) -> None:
    """Print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--datasets", default=",".join(SHAPES), help="names, separated by commas")
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument("--generations", type=int, default=200, help="of a search")
    parser.add_argument("--repeats", type=int, default=3, help="searches on each dataset")
    parser.add_argument("--oracle-repeats", type=int, default=2, help="creations by the oracle")
    parser.add_argument("--growth", action="store_true", help="10,000 and 100,000 instances too")
    parser.add_argument("--million", action="store_true", help="a million instances too")
    parser.add_argument("--json", type=Path, help="where to keep the figures")
    parser.add_argument("--compare", type=Path, help="figures kept before")
    given = parser.parse_args(arguments)
    # Read first, so that a wrong name is known at once.
    before: Figures | None = json.loads(given.compare.read_text()) if given.compare else None
    figures: Figures = {}
    print(
        "search='paper', CPU; ratios to pymoo and to the oracle; peak memory; speed-up by two"
        " threads; µs a mutant by stage"
    )
    print(
        f"{'dataset':<11}{'s':>6}{'x pymoo':>9}{'at most':>8}{'x faster':>10}{'MB':>7}{'x data':>7}"
        f"{'2 threads':>11}" + "".join(f"{stage:>11}" for stage in STAGES)
    )
    for name in given.datasets.split(","):
        data = load(name, generated=given.generated)
        figures[name] = measure(data, given.generations, given.repeats, given.oracle_repeats)
        print(row(name, figures[name]) + ("  (generated)" if data.generated else ""), flush=True)
    sizes = [10_000, 100_000] if given.growth else []
    for n in sizes + [1_000_000] * given.million:
        figures[f"{n} x 50"] = large(n)
        print(large_row(n, figures), flush=True)
    if given.json:
        write_atomically(given.json, json.dumps(figures, indent=1).encode())
    if before is not None:
        print("\n".join(slower(before, figures)) or "nothing became slower")


def measure(data: Folded, n_gen: int, repeats: int, oracle_repeats: int) -> Figures:
    """All figures of one dataset."""
    target = SHAPES[data.name].target_coverage
    problem = RuleSetProblem(data.X, data.Y)
    settings: dict[str, Any] = {"search": "paper", "target_coverage": target}
    # Compile first.
    minimize(problem, MINOTAUR(n_gen=2, **settings), seed=0)
    pymoo_seconds(2)
    seconds, alone = [], []
    walls: dict[int, list[float]] = {1: [], 2: []}
    for _ in range(repeats):
        alone.append(pymoo_seconds(n_gen))
        for n_threads, own in walls.items():
            algorithm = MINOTAUR(n_gen=n_gen, n_threads=n_threads, **settings)
            start = time.perf_counter()
            took, res = cpu(minimize, problem, algorithm, seed=1)
            own.append(time.perf_counter() - start)
            if n_threads == 1:
                seconds.append(took)
    ours, theirs = beside_oracle(data, problem.training, oracle_repeats)
    peak = peak_memory(data.name, generated=data.generated)
    return {
        "seconds": min(seconds),
        "pymoo_seconds": min(alone),
        "x_pymoo": min(seconds) / min(alone),
        "creation_us": ours,
        "oracle_us": theirs,
        "peak_bytes": peak,
        "x_data": peak / data.X.nbytes,
        "two_threads": min(walls[1]) / min(walls[2]),
        # Twice, as the first time compiles what is else called from compiled code only.
        "stages_us": [stages(problem, res, target, n) for n in (5, 100)][-1],
    }


def row(name: str, figures: Figures) -> str:
    """One line of the first table."""
    stages = "".join(f"{figures['stages_us'][stage]:>11.1f}" for stage in STAGES)
    return (
        f"{name:<11}{figures['seconds']:>6.2f}{figures['x_pymoo']:>9.2f}{AT_MOST[name]:>8}"
        f"{figures['oracle_us'] / figures['creation_us']:>10.0f}"
        f"{figures['peak_bytes'] / 1e6:>7.1f}{figures['x_data']:>7.1f}"
        f"{figures['two_threads']:>11.2f}{stages}"
    )


def stages(problem: RuleSetProblem, res: Any, target: int, n: int = 100) -> dict[str, float]:
    """CPU microseconds of each stage for one mutant that a rule is grown for."""
    data = problem.training
    random_state = np.random.default_rng(0)
    parents = [individual.X[0] for individual in res.pop]
    growth = NearestGrowth(target)
    spent = dict.fromkeys(STAGES, 0.0)

    def timed(stage: str, function: Callable[..., Any], *arguments: Any) -> Any:
        start = time.thread_time()
        result = function(*arguments)
        spent[stage] += time.thread_time() - start
        return result

    deferred: list[DeferredOffspring] = []
    for place in range(10 * n):
        parent = parents[place % len(parents)]
        dropped = place % parent.n_rules
        defer = timed("free box", DeferredOffspring.draw, parent, growth, random_state, dropped)
        if defer is not None and len(deferred) < n:
            deferred.append(defer)
    spent["free box"] /= 10
    n_instances, points = data.n_instances, data.points
    marks = np.zeros((len(deferred), -(-n_instances // 64) * 64), dtype=np.uint8)
    marks[:, :n_instances] = 1
    for defer, own in zip(deferred, marks, strict=True):
        timed("coverage", sweep_box, *data.layout, *defer.free, own)
    sizes = marks.sum(axis=1, dtype=int).tolist()
    seeds = [d.seed for d, size in zip(deferred, sizes, strict=True) if size > target]
    crowded = np.array(seeds, dtype=np.int32)
    products = np.empty((len(seeds), n_instances), dtype=np.float32)
    timed("nearest", products_with, points.near, n_instances, crowded, products)
    taken = 0
    layout = data.columns, data.rows, data.ends, data.n_values, data.categorical, data.full_sets
    for defer, own, size in zip(deferred, marks, sizes, strict=True):
        nearest = own
        if size > target:
            nearest = np.zeros_like(own)
            timed(
                "nearest",
                mark_nearest,
                own,
                products[taken],
                points.norms,
                float(points.norms.max()),
                data.columns,
                data.rows,
                *points[2:],
                defer.seed,
                target,
                nearest,
            )
            taken += 1
        box = defer.free.copy()
        n_nearest = min(size, target)

        n_covered = timed("bounds", shrink, *layout, nearest, n_nearest, own, size, *box)
        covered = np.empty(len(own) // 64, dtype=np.uint64)
        timed("consequent", pack_marked, own, covered)
        counts, labels = np.empty(data.n_labels, np.int64), np.empty(data.n_labels, np.bool_)
        timed("consequent", count_covered, data.label_bits, covered, counts)
        timed(
            "consequent",
            majority_labels,
            counts,
            n_covered,
            data.majority,
            labels,
        )
    mutants = np.empty((len(deferred), 1), dtype=object)
    mutants[:, 0] = grow_deferred(deferred)
    timed("evaluation", problem.evaluate, mutants)
    return {stage: 1e6 * spent[stage] / len(deferred) for stage in STAGES}


def beside_oracle(data: Folded, training: TrainingData, repeats: int) -> tuple[float, float]:
    """Median CPU microseconds of a rule creation, by the package and by the oracle."""
    target = SHAPES[data.name].target_coverage
    growth = NearestGrowth(target)
    rule_set = ten_rules(training, target)
    ours = [cpu(create_rule, rule_set, growth, np.random.default_rng(i))[0] for i in range(50)]
    X, Y = data.X.tolist(), data.Y.tolist()
    rules = [oracle_rule(rule) for rule in rule_set]
    n_uncovered = training.n_instances - rule_set.n_covered
    theirs = []
    for i in range(repeats):
        draws = np.random.default_rng(i)
        nth_seed = int(draws.random() * n_uncovered)
        order = draws.permutation(training.n_features).tolist()
        seconds, slow = cpu(oracle.create_rule, X, Y, rules, nth_seed, order, target)
        theirs.append(seconds)
        fast = create_rule(rule_set, growth, np.random.default_rng(i))
        assert fast is not None
        assert oracle_rule(fast) == slow, "the oracle made another rule"
    return float(np.median(ours)) * 1e6, float(np.median(theirs)) * 1e6


def ten_rules(training: TrainingData, target: int) -> RuleSet:
    """Ten rules that leave something uncovered; smaller ones where the paper's would not."""
    while True:
        random_state = np.random.default_rng(0)
        rule_set = RuleSet.empty(training)
        while rule_set.n_rules < N_RULES:
            rule = create_rule(rule_set, NearestGrowth(target), random_state)
            if rule is None:
                break
            rule_set = rule_set.with_free_rule(rule)
        if rule_set.n_rules == N_RULES and rule_set.n_covered < training.n_instances:
            return rule_set
        target = max(1, target // 2)


def peak_memory(name: str, *, generated: bool) -> int:
    """Bytes that loading a dataset and searching on it take at most, libraries not counted."""
    script = (
        "from benchmarks import memory\n"
        f"print(memory.peak_of_search({name!r}, generated={generated}))"
    )
    return int(output_of(script))


def large(n: int) -> Figures:
    """Short searches of both kinds on 50 features, or a whole guided one on a million instances."""
    million = n >= 1_000_000
    figures: Figures = {"generations": 200 if million else 30}
    for search in ["guided"] if million else ["paper", "guided"]:
        script = (
            "import json\nfrom benchmarks import memory\n"
            f"print(json.dumps(memory.large({n}, {search!r}, {figures['generations']})))"
        )
        own = json.loads(output_of(script))
        figures[search] = own["seconds"]
        figures[f"{search}_peak_bytes"] = own["peak_bytes"]
        figures["predict_seconds"] = own["predict_seconds"]
        if "two_threads" in own:
            figures["two_threads"] = own["two_threads"]
    return figures


def large_row(n: int, figures: Figures) -> str:
    """One line of the growth table."""
    own: Figures = figures[f"{n} x 50"]
    base: Figures = figures.get("10000 x 50", own)
    searches = ", ".join(
        f"{search} {own[search]:.1f} s ({own[search] / base[search]:.1f} x)"
        f" and {own[f'{search}_peak_bytes'] / (400 * n):.1f} x data"
        f" ({own[f'{search}_peak_bytes'] / 1e6:.0f} MB)"
        for search in ("paper", "guided")
        if search in own
    )
    threads = f"; {own['two_threads']:.2f} by two threads" if "two_threads" in own else ""
    return (
        f"{n:>9} x 50: {own['generations']} generations, {searches};"
        f" {own['predict_seconds']:.2f} s to predict all{threads}"
    )


def output_of(script: str) -> str:
    """What a script prints in a process of its own."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=False
    )
    if done.returncode:
        sys.exit(done.stderr)
    return done.stdout.splitlines()[-1]


def slower(before: Figures, now: Figures) -> list[str]:
    """What grew by more than noise, a line for each figure."""
    lines = []
    for name in now:
        if name not in before:
            continue
        for figure in FIGURES:
            old, new = before[name].get(figure), now[name].get(figure)
            if old and new and new > NOISE * old:
                lines.append(f"{name}: {figure} was {old:.2f}, is {new:.2f}")
    return lines


if __name__ == "__main__":
    main()
