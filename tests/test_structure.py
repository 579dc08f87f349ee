"""Limits that keep the package readable: file length, parameters, and their documentation."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import minotaur_pymoo

PACKAGE = Path(minotaur_pymoo.__file__).parent
MODULES = {path.relative_to(PACKAGE).as_posix(): path.read_text() for path in PACKAGE.rglob("*.py")}
MAX_LINES = 400
MAX_PARAMETERS = 8
# "a, b : int" documents two parameters at once.
_SHARED_ENTRY = re.compile(r"\*{0,2}\w+(?:, \*{0,2}\w+)+(?: : .*)?")


def test_files_have_at_most_400_lines() -> None:
    lengths = {name: len(source.splitlines()) for name, source in MODULES.items()}
    assert not {name: length for name, length in lengths.items() if length > MAX_LINES}


def test_functions_have_at_most_8_parameters() -> None:
    counts = {
        f"{name}:{function.lineno} {function.name}": n_parameters(function)
        for name, source in MODULES.items()
        for function in functions(ast.parse(source))
        # Constructors, and the function that takes the same settings as that of MINOTAUR.
        if function.name not in ("__init__", "rule_set_operators")
    }
    assert not {name: count for name, count in counts.items() if count > MAX_PARAMETERS}


def test_every_parameter_has_its_own_docstring_entry() -> None:
    shared = [
        f"{name}:{node.lineno} {node.name}: {line}"
        for name, source in MODULES.items()
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.ClassDef | ast.FunctionDef)
        for line in parameter_section(ast.get_docstring(node) or "")
        if _SHARED_ENTRY.fullmatch(line)
    ]
    assert not shared


def test_n_parameters_does_not_count_self() -> None:
    source = (
        "class A:\n    def f(self, a, /, b, *c, d, **e): ...\n    @staticmethod\n    def g(a): ..."
    )
    assert [n_parameters(function) for function in functions(ast.parse(source))] == [5, 1]


def test_parameter_section_ends_at_the_next_section() -> None:
    section = ["a, b : int", "    One, two.", "c", "    Three."]
    docstring = "\n".join(["Add.", "", "Parameters", "---", *section, "Notes", "---", "x, y"])
    assert parameter_section(docstring) == section
    assert list(filter(_SHARED_ENTRY.fullmatch, section)) == ["a, b : int"]


def functions(tree: ast.AST) -> Iterator[ast.FunctionDef]:
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            yield node


def n_parameters(function: ast.FunctionDef) -> int:
    arguments = function.args
    positional = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    return (
        len([name for name in positional if name not in ("self", "cls")])
        + len(arguments.kwonlyargs)
        + sum(argument is not None for argument in (arguments.vararg, arguments.kwarg))
    )


def parameter_section(docstring: str) -> list[str]:
    section = re.search(r"^Parameters\n-+\n(.*?)(?=^\w+\n-+$|\Z)", docstring, re.DOTALL | re.M)
    return section[1].splitlines() if section else []
