import math
from typing import Any

import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.support.params import (
    MAX_COUNT,
    check_count,
    check_count_or_auto,
    check_flag,
    check_fraction,
    check_list,
    check_not_negative,
)

NOT_INTEGERS: list[Any] = [
    None,
    True,
    np.True_,
    2.5,
    np.float64(3),
    math.nan,
    "3",
    b"3",
    [3],
    np.array(3),
    3j,
]


@pytest.mark.parametrize("value", [1, 80, np.int8(3), np.uint64(7), MAX_COUNT])
def test_check_count_accepts_integers_of_any_type(value: Any) -> None:
    count = check_count("n", value)
    assert type(count) is int
    assert count == value
    assert check_count_or_auto("n", value) == value


@pytest.mark.parametrize("value", [*NOT_INTEGERS, 0, -1, 10**30, np.int64(0)])
def test_check_count_rejects_other_values(value: Any) -> None:
    with pytest.raises(
        InputError, match=r"^n must be (a whole number|at least 1|at most \d+), not"
    ):
        check_count("n", value)
    with pytest.raises(InputError, match=r"^n must be 'auto' or a whole number of at least 1, not"):
        check_count_or_auto("n", value)


def test_check_fraction_and_check_not_negative_check_the_range() -> None:
    assert check_fraction("x", np.float32(0.5)) == 0.5
    assert check_not_negative("x", 3) == 3.0
    for value in (-0.1, 1.1, math.nan, math.inf, "0.5", True, None, 10**400, 1j, [0.5]):
        with pytest.raises(InputError, match="x must be between 0 and 1, not"):
            check_fraction("x", value)
    for value in (-1, math.nan, math.inf, "1", True, None, 10**400, np.array([1, 2])):
        with pytest.raises(InputError, match="x must be a number of at least 0, not"):
            check_not_negative("x", value)


def test_check_flag_and_check_list_check_the_type() -> None:
    assert check_flag("x", np.False_) is False
    for value in (None, 0, 1, "yes", "auto"):
        with pytest.raises(InputError, match="x must be True or False, not"):
            check_flag("x", value)
    assert check_list("x", np.array([1, 2]), "numbers") == (1, 2)
    for value in ("ab", b"ab", 5, None, np.array(3)):
        with pytest.raises(InputError, match="x must be a list of names, not"):
            check_list("x", value, "names")
