from pathlib import Path

import pytest

from tests.tools import changes
from tests.tools.changes import Change, change_of, explanations, is_current
from tests.tools.mutants import dependents, modules, path_of

SOURCE = "LIMIT = 1\n\n\nclass A:\n    def f(self, x):\n        return x + 1\n"


def test_changes_name_the_function_whatever_its_line() -> None:
    expected = Change("A.f", "- return x + 1 + return x - 1")
    assert change_of(SOURCE, SOURCE.replace("x + 1", "x - 1")) == expected
    moved = f"import math\n{SOURCE}"
    assert change_of(moved, moved.replace("x + 1", "x - 1")) == expected
    assert change_of(SOURCE, SOURCE.replace("LIMIT = 1", "LIMIT = 2")).function == "<module>"


def test_explanations_are_keyed_by_module_function_and_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "survivors.txt"
    path.write_text("# Comment.\n\n[rules.rule A.f]\n- a + b\n- a + c\nSame.\n\n- d + e\nOther.\n")
    monkeypatch.setattr(changes, "SURVIVORS", path)
    assert explanations() == {
        ("rules.rule", Change("A.f", "- a + b")): "Same.",
        ("rules.rule", Change("A.f", "- a + c")): "Same.",
        ("rules.rule", Change("A.f", "- d + e")): "Other.",
    }


def test_explained_changes_are_of_present_code() -> None:
    assert {module for module, _ in explanations()} <= set(modules())
    for module, change in explanations():
        assert is_current(path_of(module).read_text(), change), (module, change)


def test_dependents_include_indirect_importers() -> None:
    assert path_of("growth.cfsbe").exists()
    found = dependents("minotaur_pymoo.growth.cfsbe")
    assert {"minotaur_pymoo.growth.cfsbe", "minotaur_pymoo.search.algorithm"} <= found
    assert "minotaur_pymoo.kernels.bitsets" not in found


def test_a_change_may_stand_for_all_changes_of_its_line() -> None:
    any_change = Change("A.f", "- return x + 1 + ...")
    assert any_change.includes(Change("A.f", "- return x + 1 + return x - 1"))
    assert not any_change.includes(Change("A.f", "- return x + return x - 1"))
    assert not any_change.includes(Change("A.g", "- return x + 1 + return x - 1"))
    one = Change("A.f", "- return x + 1 + return x - 1")
    assert one.includes(one)
    assert not one.includes(Change("A.f", "- return x + 1 + return x - 2"))
