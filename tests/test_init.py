"""The public names of the package, and what importing it costs."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import minotaur_pymoo


def test_all_names_are_importable_and_listed() -> None:
    assert len(minotaur_pymoo.__all__) == len(set(minotaur_pymoo.__all__)) == 36
    assert set(minotaur_pymoo.__all__) <= set(dir(minotaur_pymoo))
    names: dict[str, object] = {}
    exec("from minotaur_pymoo import *", names)  # noqa: S102
    assert set(names) - {"__builtins__"} == set(minotaur_pymoo.__all__)


def test_objects_are_defined_inside_the_package() -> None:
    for name in set(minotaur_pymoo.__all__) - {"OBJECTIVES"}:
        assert getattr(minotaur_pymoo, name).__module__.startswith("minotaur_pymoo."), name


def test_stub_matches_the_table_of_lazy_imports() -> None:
    stub = ast.parse(Path(minotaur_pymoo.__file__).with_suffix(".pyi").read_text())
    imports = [node for node in stub.body if isinstance(node, ast.ImportFrom)]
    stated = [
        (f"{node.module}", alias.name, alias.asname) for node in imports for alias in node.names
    ]
    expected = [
        (f"minotaur_pymoo.{package}", name, name)
        for package, names in minotaur_pymoo._PUBLIC.items()
        for name in names
    ]
    assert sorted(stated) == sorted(expected)


def test_unknown_name_raises_attribute_error() -> None:
    with pytest.raises(AttributeError, match="has no attribute 'nonsense'"):
        _ = minotaur_pymoo.nonsense


@pytest.mark.parametrize(
    ("statement", "slow"),
    [
        ("import minotaur_pymoo", ("pymoo", "numba", "sklearn", "scipy", "matplotlib", "pandas")),
        (
            "from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo",
            ("sklearn", "matplotlib.pyplot", "skmultilearn", "pandas"),
        ),
    ],
    ids=["package", "search"],
)
def test_slow_libraries_are_not_imported_before_they_are_needed(
    statement: str, slow: tuple[str, ...]
) -> None:
    script = f"import sys\n{statement}\nprint([name for name in {slow} if name in sys.modules])"
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert process.stdout == "[]\n"
