"""CPU time of the stages that make one mutant of the paper's search."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from benchmarks.clock import cpu
from benchmarks.data import SHAPES, Folded
from minotaur_pymoo import NearestGrowth, RuleSet, RuleSetProblem
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.growth import create_rule, free_box
from minotaur_pymoo.rules import Boxes

STAGES = ("free_box", "growth", "evaluation", "creation")
N_RULES = 10
_N_MUTANTS = 100


def stage_microseconds(
    problem: RuleSetProblem, rule_sets: Sequence[RuleSet], data: Folded
) -> dict[str, float]:
    """CPU microseconds per mutant, by stage.

    Parameters
    ----------
    problem
        The problem whose rule sets are varied.
    rule_sets
        The final population of a search, from which mutants are made.
    data
        The dataset of the problem, which has the paper's target coverage.

    Returns
    -------
    ``free_box_us``, ``growth_us`` and ``evaluation_us`` for the stages of a mutant, and
    ``creation_us`` for a whole rule creation beside ten rules.
    """
    growth = NearestGrowth(SHAPES[data.name].target_coverage)
    # Twice, as the first call compiles.
    for n in (5, _N_MUTANTS):
        spent = _stages(problem, rule_sets, growth, data, n)
    ten_rules = _ten_rules(problem.training, growth.target_coverage)
    draws = (np.random.default_rng(i) for i in range(50))
    creation = [cpu(create_rule, ten_rules, growth, draw)[0] for draw in draws]
    spent["creation"] = float(np.median(creation))
    return {f"{stage}_us": 1e6 * seconds for stage, seconds in spent.items()}


def _stages(
    problem: RuleSetProblem,
    rule_sets: Sequence[RuleSet],
    growth: NearestGrowth,
    data: Folded,
    n_mutants: int,
) -> dict[str, float]:
    """CPU seconds per mutant that adds a rule in place of another one."""
    training = problem.training
    random_state = np.random.default_rng(0)
    spent = dict.fromkeys(STAGES, 0.0)
    remaining, frees, seeds = [], [], []
    for i in range(n_mutants):
        parent = rule_sets[i % len(rule_sets)]
        others = RuleSet.empty(training)
        uncovered = np.arange(training.n_instances)
        if parent.n_rules > 1:
            others = parent.without_rule(i % parent.n_rules)
            uncovered = np.flatnonzero(others.model.apply(data.X) < 0)
        seed = int(random_state.choice(uncovered))
        order = random_state.permutation(training.n_features)
        start = time.thread_time()
        free = free_box(training, others.boxes, seed, order)
        spent["free_box"] += time.thread_time() - start
        if free is not None:
            remaining.append(others)
            frees.append(free)
            seeds.append(seed)
    start = time.thread_time()
    rules = growth.grow_all(training, Boxes.stack(frees, training), seeds)
    spent["growth"] = time.thread_time() - start
    mutants = np.empty((len(rules), 1), dtype=object)
    for i, (others, rule) in enumerate(zip(remaining, rules, strict=True)):
        mutants[i, 0] = others.with_free_rule(rule)
    start = time.thread_time()
    problem.evaluate(mutants)
    spent["evaluation"] = time.thread_time() - start
    return {stage: seconds / len(rules) for stage, seconds in spent.items()}


def _ten_rules(training: TrainingData, target_coverage: Any) -> RuleSet:
    """Ten rules that leave something uncovered, smaller than the paper's where necessary."""
    while True:
        random_state = np.random.default_rng(0)
        rule_set = RuleSet.empty(training)
        while rule_set.n_rules < N_RULES:
            rule = create_rule(rule_set, NearestGrowth(target_coverage), random_state)
            if rule is None:
                break
            rule_set = rule_set.with_free_rule(rule)
        if rule_set.n_rules == N_RULES and rule_set.n_covered < training.n_instances:
            return rule_set
        target_coverage = max(1, target_coverage // 2)
