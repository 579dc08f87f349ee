"""The modules that mutation testing covers."""

from __future__ import annotations

import pytest

from tests.tools import mutants


@pytest.mark.parametrize("module", mutants.modules())
def test_the_tests_of_every_module_exist(module: str) -> None:
    assert all((mutants.ROOT / path).exists() for path in mutants.tests_of(module))
