"""Two thousand strange inputs through all doors; ``python -m tests.tools.fuzz`` sends many more."""

from __future__ import annotations

import collections
import time
import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from minotaur_pymoo import InputError
from tests.tools.fuzzing import judge as judging
from tests.tools.fuzzing.doors import DOORS, warm_up
from tests.tools.fuzzing.judge import REFUSED, WORKS, Door, judge

N_INPUTS = 2000


def test_the_shares_of_the_doors_add_up() -> None:
    assert sum(door.share for door in DOORS.values()) == 100


# Making strange inputs may warn; while they are handed in, the judge decides what is an error.
@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DOORS)
def test_what_comes_in_works_or_is_refused_in_one_sentence(name: str) -> None:
    warm_up()
    door = DOORS[name]
    outcomes: collections.Counter[str] = collections.Counter()

    @settings(
        max_examples=N_INPUTS * door.share // 100,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
        database=None,
    )
    @given(door.inputs)
    def run(value: Any) -> None:
        outcomes[judge(door, value)] += 1

    run()
    # A door that refuses everything, or nothing, tests little.
    assert outcomes[WORKS] > 0
    assert outcomes[REFUSED] > 0 or outcomes.total() < 50


def door_that(does: Any) -> Door:
    return Door("test", st.none(), lambda _: does(), lambda _: 1000, 0)


def refuse(sentence: str) -> Any:
    def does() -> None:
        error = InputError("fine.")
        error.args = (sentence,)
        raise error

    return does


def fill_memory() -> None:
    np.ones(judging.ALLOWANCE // 4)


@pytest.mark.parametrize(
    ("does", "complaint"),
    [
        (refuse(""), "an empty message"),
        (refuse("two\nlines."), "holds '\\\\n'"),
        (refuse("no end"), "not a sentence"),
        (refuse("x" * 1000 + "."), "1001 characters long"),
        (refuse("<object object at 0x7f>."), "an address"),
        (fill_memory, "MiB for an input of 1000 bytes"),
    ],
)
def test_the_judge_finds_what_is_wrong(does: Any, complaint: str) -> None:
    with pytest.raises(AssertionError, match=complaint):
        judge(door_that(does), None)


def test_the_judge_lets_errors_from_inside_through() -> None:
    with pytest.raises(ZeroDivisionError):
        judge(door_that(lambda: 1 / 0), None)
    with pytest.raises(RuntimeWarning):
        judge(door_that(lambda: warnings.warn("overflow", RuntimeWarning, stacklevel=1)), None)


def test_the_judge_does_not_wait_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judging, "MAX_SECONDS", 0.2)
    with pytest.raises(TimeoutError, match=r"longer than 0\.2 seconds"):
        judge(door_that(lambda: time.sleep(60)), None)


def test_the_judge_tells_what_works_from_what_is_refused() -> None:
    assert judge(door_that(lambda: None), None) == WORKS
    assert judge(door_that(refuse("this is no table: pass one.")), None) == REFUSED
