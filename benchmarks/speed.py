"""How fast rules are created, beside the slow twins that the tests use.

``python -m benchmarks.speed`` prints, for each dataset, CPU microseconds for one rule creation
with ten rules in place, by the package and by the oracle, in the same process. Both make the same
rules, which is checked.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded, load
from minotaur_pymoo import NearestGrowth, RuleSet, TrainingData, create_rule
from tests import oracle
from tests.cases import oracle_rule

N_RULES = 10


def main(arguments: list[str] | None = None) -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.speed", description=__doc__)
    parser.add_argument("--datasets", default=",".join(SHAPES), help="names, separated by commas")
    parser.add_argument("--generated", action="store_true", help="use generated data")
    parser.add_argument("--repeats", type=int, default=200, help="creations by the package")
    parser.add_argument("--oracle-repeats", type=int, default=2, help="creations by the oracle")
    given = parser.parse_args(arguments)
    print("CPU microseconds for one rule creation with ten rules in place, medians")
    print(
        f"{'dataset':<12}{'instances':>10}{'features':>9}{'t':>6}{'ours':>10}{'oracle':>14}{'ratio':>9}"
    )
    for name in given.datasets.split(","):
        data = load(name, generated=given.generated)
        ours, theirs = measure(data, given.repeats, given.oracle_repeats)
        n, d = data.X.shape
        t = SHAPES[name].target_coverage
        note = "  (generated)" if data.generated else ""
        print(
            f"{name:<12}{n:>10}{d:>9}{t:>6}{ours:>10.0f}{theirs:>14.0f}{theirs / ours:>9.0f}{note}"
        )


def measure(data: Folded, repeats: int, oracle_repeats: int) -> tuple[float, float]:
    """Median CPU microseconds of a rule creation, by the package and by the oracle."""
    training = TrainingData(data.X, data.Y)
    target = SHAPES[data.name].target_coverage
    growth = NearestGrowth(target)
    rule_set = ten_rules(training, target)
    # Compile first.
    create_rule(rule_set, growth, np.random.default_rng(0))
    ours = [cpu(create_rule, rule_set, growth, np.random.default_rng(i))[0] for i in range(repeats)]

    X, Y = data.X.tolist(), data.Y.tolist()
    rules = [oracle_rule(rule) for rule in rule_set]
    n_uncovered = training.n_instances - rule_set.n_covered
    theirs = []
    for i in range(oracle_repeats):
        draws = np.random.default_rng(i)
        nth_seed = int(draws.integers(n_uncovered))
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


if __name__ == "__main__":
    main()
