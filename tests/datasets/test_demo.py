from __future__ import annotations

from typing import Any

import pytest

from minotaur_pymoo.datasets import load_demo
from tests.datasets.errors import error_message


def test_demo_is_reproducible() -> None:
    first, second, other = load_demo(), load_demo(), load_demo(seed=1)
    assert (first.X == second.X).all()
    assert (first.Y == second.Y).all()
    assert (first.X != other.X).any()
    assert load_demo(n_instances=7).Y.shape == (7, 5)


@pytest.mark.parametrize("arguments", [{"n_instances": 0}, {"n_instances": 2.5}, {"seed": "a"}])
def test_demo_rejects_invalid_numbers(arguments: dict[str, Any]) -> None:
    assert "must be" in error_message(lambda: load_demo(**arguments))
