"""Mutants of a source, their descriptions, and the explanations of those that survive."""

from __future__ import annotations

import ast
import contextlib
import difflib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

SURVIVORS = Path(__file__).with_name("survivors.txt")


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """Yield the name of each operator of cosmic-ray with each distinct mutant it creates."""
    from cosmic_ray import plugins  # noqa: PLC0415 - only this needs it
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415

    seen = {meaning(source)}
    for name in sorted(plugins.operator_names()):
        operator = plugins.get_operator(name)
        # Operators with arguments mutate particular variables only.
        for occurrence in range(0 if operator.arguments() else 10_000):
            mutant = mutate_code(source, operator(), occurrence)
            if mutant is None:
                break
            with contextlib.suppress(SyntaxError):
                if (mutated := meaning(mutant)) not in seen:
                    seen.add(mutated)
                    yield name, mutant


def meaning(source: str) -> str:
    """The syntax tree without annotations and docstrings, which have no effect."""
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, ast.arg | ast.AnnAssign):
            node.annotation = ast.Constant(None)
        if isinstance(node, ast.FunctionDef):
            node.returns = None
        if isinstance(node, ast.FunctionDef | ast.ClassDef | ast.Module) and ast.get_docstring(
            node
        ):
            node.body = node.body[1:]
    return ast.dump(tree)


class Change(NamedTuple):
    """Identifies a mutant, independently of its line number.

    Attributes
    ----------
    function
        Qualified name of the function, method or class that is changed, or ``<module>``.
    text
        The removed and added lines; ``- line + ...`` stands for any change of a line.
    """

    function: str
    text: str

    def includes(self, other: Change) -> bool:
        """Whether another change is this one, or one of those that this one stands for."""
        removed = self.text.removesuffix("...")
        same = other.text == self.text or (removed != self.text and other.text.startswith(removed))
        return same and other.function == self.function


def change_of(source: str, mutant: str) -> Change:
    """Describe the difference between a source and its mutant."""
    lines = list(difflib.ndiff(source.splitlines(), mutant.splitlines()))
    kept = [line[0] in " -" for line in lines]
    first = next(i for i, line in enumerate(lines) if line[0] in "-+")
    text = " ".join(f"{line[0]} {line[2:].strip()}" for line in lines if line[0] in "-+")
    return Change(function_at(source, sum(kept[:first]) + 1), text)


def function_at(source: str, line: int) -> str:
    """The qualified name of the innermost definition that contains a line.

    Examples
    --------
    >>> function_at("class A:\\n    def f(self):\\n        return 1\\n", 3)
    'A.f'
    >>> function_at("x = 1\\n", 1)
    '<module>'
    """
    names: list[str] = []
    body = _parse(source).body
    while True:
        for node in body:
            if not isinstance(node, ast.FunctionDef | ast.ClassDef):
                continue
            start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            if start <= line <= (node.end_lineno or start):
                names.append(node.name)
                body = node.body
                break
        else:
            return ".".join(names) or "<module>"


@cache
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def is_current(source: str, change: Change) -> bool:
    """Whether the source still has the line that a change starts with.

    Examples
    --------
    >>> source = "def f():\\n    return 1\\n"
    >>> is_current(source, Change("f", "- return 1 + return 2"))
    True
    >>> is_current(source, Change("f", "- return 3 ..."))
    False
    """
    own = _lines(source).get(change.function, set())
    if change.text.startswith("+ "):
        return bool(own)
    starts = tuple(f"- {line} " for line in own if line)
    return f"{change.text.removesuffix('...')} ".startswith(starts)


@cache
def _lines(source: str) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for number, line in enumerate(source.splitlines(), start=1):
        found.setdefault(function_at(source, number), set()).add(line.strip())
    return found


def explanations() -> dict[tuple[str, Change], str]:
    """Read why some mutants survive, by module and change.

    The file has sections ``[module function]``, with changes and the reason that follows them.
    """
    reasons: dict[tuple[str, Change], str] = {}
    changes: list[str] = []
    module = function = ""
    for line in SURVIVORS.read_text().splitlines():
        if line.startswith("["):
            module, function = line.strip("[]").split()
        elif line.startswith(("- ", "+ ")):
            changes.append(line)
        elif line and not line.startswith("#"):
            for text in changes:
                reasons[module, Change(function, text)] = line
            changes = []
    return reasons
