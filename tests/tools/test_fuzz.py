"""Random input to all entry points; ``python -m tests.tools.fuzz`` passes much more of it."""

from __future__ import annotations

import collections
import warnings
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from minotaur_pymoo import InputError
from tests.conftest import PROFILE
from tests.tools.fuzzing import judge as judging
from tests.tools.fuzzing.entry_points import ENTRY_POINTS, warm_up
from tests.tools.fuzzing.judge import ACCEPTED, REJECTED, EntryPoint, judge

N_INPUTS = 2000 if PROFILE == "thorough" else 500


def test_shares_add_up_to_100_percent() -> None:
    assert sum(entry_point.share for entry_point in ENTRY_POINTS.values()) == 100


# Generating odd inputs may warn; the judge decides which warnings of the package are errors.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ENTRY_POINTS)
def test_inputs_are_accepted_or_rejected_with_a_clear_message(name: str) -> None:
    warm_up()
    entry_point = ENTRY_POINTS[name]
    outcomes: collections.Counter[str] = collections.Counter()

    @settings(
        max_examples=N_INPUTS * entry_point.share // 100,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(entry_point.inputs)
    def run(value: Any) -> None:
        outcomes[judge(entry_point, value)] += 1

    run()
    # If all inputs are accepted, or all are rejected, the strategy tests little.
    assert outcomes[ACCEPTED] > 0
    assert outcomes[REJECTED] > 0 or outcomes.total() < 50


def entry_point_that(does: Any) -> EntryPoint:
    return EntryPoint("test", st.none(), lambda _: does(), lambda _: 1000, 0)


def reject(message: str) -> Any:
    def does() -> None:
        error = InputError("valid message.")
        error.args = (message,)
        raise error

    return does


def fill_memory() -> None:
    np.ones(judging.ALLOWANCE // 4)


@pytest.mark.parametrize(
    ("does", "complaint"),
    [
        (reject(""), "an empty message"),
        (reject("two\nlines."), r"'\\n' in the message"),
        (reject("no end"), "not a sentence"),
        (reject("x" * 1000 + "."), "a message of 1001 characters"),
        (reject("<object object at 0x7f>."), "an address"),
        (fill_memory, "MiB for an input of 1000 bytes"),
    ],
)
def test_judge_finds_unclear_messages_and_excessive_memory(does: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        judge(entry_point_that(does), None)


def test_judge_raises_internal_errors_and_runtime_warnings() -> None:
    with pytest.raises(ZeroDivisionError):
        judge(entry_point_that(lambda: 1 / 0), None)
    with pytest.raises(RuntimeWarning):
        judge(
            entry_point_that(lambda: warnings.warn("overflow", RuntimeWarning, stacklevel=1)), None
        )


def test_judge_stops_inputs_that_take_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_SECONDS", 0.2)
    with pytest.raises(TimeoutError, match=r"longer than 0\.2 seconds"):
        judge(entry_point_that(lambda: [None for _ in iter(int, 1)]), None)


def test_judge_allows_large_inputs_more_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_SECONDS", 0.01)
    monkeypatch.setattr(judging, "SECONDS_PER_MIB", 1)
    busy = replace(entry_point_that(lambda: sum(range(4_000_000))), size=lambda _: 60 * 2**20)
    assert judge(busy, None) == ACCEPTED
    with pytest.raises(TimeoutError, match=r"for 1000 bytes"):
        judge(replace(busy, size=lambda _: 1000), None)


def test_judge_distinguishes_accepted_from_rejected() -> None:
    assert judge(entry_point_that(lambda: None), None) == ACCEPTED
    assert judge(entry_point_that(reject("this is no table: pass one.")), None) == REJECTED
