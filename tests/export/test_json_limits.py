"""Loading is linear in the file, whatever it holds."""

import pytest

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.export import load
from minotaur_pymoo.rules import IntervalTest, Model, ModelRule, SetTest
from tests.export.models import example
from tests.tools.fuzzing.judge import Usage
from tests.tools.fuzzing.large import JSON, Large, write_large

_SIZE = 2_000_000


@pytest.mark.parametrize("kind", JSON)
def test_time_and_memory_are_linear_in_the_file(kind: str) -> None:
    load_or_refuse(kind, 10_000)
    path = write_large(Large(f"json: {kind}", _SIZE))
    with Usage() as usage:
        load_or_refuse(kind, _SIZE)
    # 10 MB in 5 seconds; lists of the shortest strings and numbers take more than ten times.
    assert usage.seconds < 2.5
    assert usage.memory < 14 * path.stat().st_size + 4 * 2**20


def load_or_refuse(kind: str, size: int) -> None:
    try:
        load(write_large(Large(f"json: {kind}", size)))
    except (InputError, InconsistentRulesError) as error:
        assert len(str(error)) < 700  # noqa: PT017 - both outcomes are right


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
