"""Loading is linear in the file, whatever it holds."""

import json
from collections.abc import Sequence
from typing import Any

import pytest

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.export import load
from minotaur_pymoo.export.json_parsing import parse
from minotaur_pymoo.rules import IntervalTest, Model, ModelRule, SetTest
from tests.export.models import example
from tests.speed import slowness
from tests.tools.fuzzing.judge import Usage
from tests.tools.fuzzing.large import JSON, Large, write_large

_SIZE = 2_000_000


@pytest.mark.parametrize("kind", JSON)
def test_time_and_memory_are_linear_in_the_file(kind: str) -> None:
    load_or_refuse(kind, 10_000)
    path = write_large(Large(f"json: {kind}", _SIZE))
    with Usage() as usage:
        load_or_refuse(kind, _SIZE)
    # 10 MB in 5 seconds and in ten times its size, of which a part does not depend on the size.
    assert usage.seconds < 2.5 * slowness()
    assert usage.memory < 8 * path.stat().st_size + 20 * 10**6


@pytest.mark.parametrize(
    "kind", ["labels", "short names", "distinct names", "compact counts", "short fields"]
)
def test_lists_of_tiny_values_take_at_most_ten_times_the_file(kind: str) -> None:
    size = 10_000_000
    load_or_refuse(kind, 10_000)
    path = write_large(Large(f"json: {kind}", size))
    with Usage() as usage:
        load_or_refuse(kind, size)
    assert usage.memory < 10 * path.stat().st_size


def load_or_refuse(kind: str, size: int) -> None:
    try:
        load(write_large(Large(f"json: {kind}", size)))
    except (InputError, InconsistentRulesError) as error:
        assert len(str(error)) < 700  # noqa: PT017 - both outcomes are right


def rule(labels: Sequence[str], counts: Sequence[int]) -> dict[str, Any]:
    tests = [{"feature": "x1", "at_least": 0.5}]
    return {"tests": tests, "labels": labels, "covered": 999, "counts": counts}


@pytest.mark.parametrize("count", [0, 257, 123_456])
@pytest.mark.parametrize("n_labels", [2, 174, 30_000])
def test_models_of_any_shape_are_parsed(n_labels: int, count: int) -> None:
    """The names of all labels in every rule, which take most memory for their length."""
    labels = [f"y{i}" for i in range(n_labels)]
    rules = [rule(labels, [count] * n_labels)] * (1_000_000 // n_labels // 20)
    document = {
        "features": [{"name": f"x{i}"} for i in range(50_000)],
        "labels": labels,
        "models": [{"rules": rules, "default": rule([], [count] * n_labels), "scores": {}}],
    }
    models = parse(json.dumps(document)).get("models")
    assert len(models[0].get("rules")) == len(rules)


def test_conflicts_are_found_among_many_rules() -> None:
    """The first pair in order, as comparing all pairs one after the other would find it."""
    schema = example().model.schema
    rules = [
        ModelRule((IntervalTest("age", i, i + 1.0),), ("aged",) if i % 2 else (), 1, (0, 0))
        for i in range(3000)
    ]
    Model(schema, tuple(rules), rules[0]).check_consistency()
    wrong = ModelRule(
        (IntervalTest("age", 2998.5, 2998.75), SetTest("colour", ("red",))), ("cheap",), 1, (0, 0)
    )
    with pytest.raises(InconsistentRulesError, match=r"where age = 2998\.5, colour = red"):
        Model(schema, (*rules, wrong), rules[0]).check_consistency()
