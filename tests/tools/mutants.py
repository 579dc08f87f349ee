"""Small errors put into the core one by one: the tests must notice.

``python -m tests.tools.mutants cfsbe rules consequents growth`` lets cosmic-ray make the mutants of these
modules, and runs the tests that are about them for each, in a process forked from this one, so
that nothing is imported or compiled anew but what depends on the mutant. What the tests do not
notice is printed, with the reason where `survivors.txt` has one. Needs ``pip install cosmic-ray``.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import difflib
import gc
import importlib.abc
import importlib.util
import io
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "minotaur_pymoo"
SURVIVORS = Path(__file__).with_name("survivors.txt")

# For each module the tests that are about it.
TESTS = {
    "cfsbe": ["tests/test_cfsbe.py", "minotaur_pymoo/cfsbe.py"],
    "consequents": ["minotaur_pymoo/consequents.py", "tests/test_consequents.py"],
    "rules": [
        "minotaur_pymoo/rules.py",
        "tests/test_rules.py",
        "tests/test_invariants.py",
        "tests/test_simplification.py",
        "tests/test_individual.py",
    ],
    "growth": ["minotaur_pymoo/growth.py", "tests/test_growth.py", "tests/test_mutation.py"],
}
N_EXAMPLES = 40


def mutants(source: str) -> Iterator[tuple[str, str]]:
    """What every operator of cosmic-ray makes of a source, where that is something else."""
    from cosmic_ray import plugins  # noqa: PLC0415 - only this needs it
    from cosmic_ray.mutating import mutate_code  # noqa: PLC0415

    seen = {meaning(source)}
    for name in sorted(plugins.operator_names()):
        operator = plugins.get_operator(name)
        # Those that take arguments are for experiments with single variables.
        for occurrence in range(0 if operator.arguments() else 10_000):
            mutant = mutate_code(source, operator(), occurrence)
            if mutant is None:
                break
            with contextlib.suppress(SyntaxError):
                if (meant := meaning(mutant)) not in seen:
                    seen.add(meant)
                    yield name, mutant


def meaning(source: str) -> str:
    """The program without what has no effect: annotations and docstrings."""
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


def difference(source: str, mutant: str) -> str:
    """The changed lines, in one."""
    lines = difflib.ndiff(source.splitlines(), mutant.splitlines())
    return " ".join(f"{line[0]} {line[2:].strip()}" for line in lines if line[0] in "-+")


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from another source."""

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self.name:
            return None
        location = str(PACKAGE / f"{name.rpartition('.')[2]}.py")
        return importlib.util.spec_from_file_location(name, location, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, module.__file__, "exec"), module.__dict__)  # noqa: S102


@cache
def dependents(name: str) -> set[str]:
    """The module and all that import it, directly or not."""
    imports = {}
    for path in PACKAGE.rglob("*.py"):
        parts = path.relative_to(ROOT).with_suffix("").parts
        own = ".".join(parts[:-1] if parts[-1] == "__init__" else parts)
        tree = ast.parse(path.read_text())
        nodes = [node for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)]
        imports[own] = {
            found
            for node in nodes
            for found in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
        }
    # The package itself imports only what it is asked for.
    del imports["minotaur_pymoo"]
    found = {name}
    while True:
        more = {own for own, imported in imports.items() if imported & found} | found
        if more == found:
            return found
        found = more


class Quickly:
    """Fewer examples of each test than usual, and the quickest tests first."""

    def __init__(self) -> None:
        # Measured without a mutant, and known to all processes that are forked later.
        self.seconds: Counter[str] = Counter()

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        items.sort(key=lambda item: self.seconds[item.nodeid])
        for item in items:
            function = getattr(item, "obj", None)
            given = getattr(function, "_hypothesis_internal_use_settings", None)
            if given is not None:
                fewer = min(given.max_examples, N_EXAMPLES)
                # A failure is enough: nobody reads its smallest example.
                phases = (Phase.explicit, Phase.generate)
                function._hypothesis_internal_use_settings = settings(
                    given, max_examples=fewer, phases=phases
                )


quickly = Quickly()


def run_tests(module: str) -> int:
    """pytest's exit code; what it prints is of no interest."""
    options = [
        "-x",
        "-q",
        "--tb=no",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        # It would look through all objects at the end of each run.
        "-p",
        "no:unraisableexception",
        "-o",
        "addopts=",
        # What takes long on a busy computer says nothing of a mutant.
        "-k",
        "not under_a_second",
    ]
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        code = pytest.main([*options, "--doctest-modules", *TESTS[module]], plugins=[quickly])
    if code == pytest.ExitCode.USAGE_ERROR:
        sys.stdout.write(silence.getvalue())
    return int(code)


def survives(module: str, mutant: str, seconds: int) -> bool:
    """Whether the tests pass, in so many seconds, with the mutant in place of the module."""
    modules = dependents(f"minotaur_pymoo.{module}")
    # What is there already stays, so that nobody need look through it in every process.
    gc.freeze()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            # Some never end.
            signal.alarm(seconds)
            for name in modules:
                sys.modules.pop(name, None)
            for name in [name for name in sys.modules if name.startswith("tests.")]:
                del sys.modules[name]
            # The package keeps the public names that it was asked for.
            package = sys.modules["minotaur_pymoo"]
            for name in package.__all__:
                package.__dict__.pop(name, None)
            sys.meta_path.insert(0, Mutated(f"minotaur_pymoo.{module}", mutant))
            # Before pytest puts an importer of its own in front.
            importlib.import_module(f"minotaur_pymoo.{module}")
            code = run_tests(module)
        finally:
            os._exit(code)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def explanations() -> dict[str, str]:
    """Why some survive: lines of a reason, after lines of the changes it is for."""
    reasons: dict[str, str] = {}
    changes: list[str] = []
    for line in SURVIVORS.read_text().splitlines() if SURVIVORS.exists() else ():
        if line.startswith("- ") or line.startswith("+ "):
            changes.append(line)
        elif line and not line.startswith("#"):
            reasons.update(dict.fromkeys(changes, line))
            changes = []
    return reasons


def main() -> int:
    """Try all mutants of some modules."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("modules", nargs="+", choices=TESTS)
    parser.add_argument(
        "--only", nargs="+", default=[""], help="only changes with one of these texts in them"
    )
    parser.add_argument("--part", default="1/1", help="of several runs at once, such as 1/2")
    given = parser.parse_args()
    number, n_parts = (int(text) for text in given.part.split("/"))
    reasons = explanations()
    code = 0
    for module in given.modules:
        started = time.monotonic()
        if run_tests(module) != 0:
            raise SystemExit(f"the tests of {module} fail without any mutant.")
        seconds = 10 + 2 * int(time.monotonic() - started)
        source = (PACKAGE / f"{module}.py").read_text()
        counts: Counter[str] = Counter()
        started = time.monotonic()
        for place, (operator, mutant) in enumerate(mutants(source)):
            change = difference(source, mutant)
            if place % n_parts != number - 1 or not any(text in change for text in given.only):
                continue
            counts["all"] += 1
            if survives(module, mutant, seconds):
                reason = reasons.get(change)
                counts["explained" if reason else "unexplained"] += 1
                sys.stdout.write(f"{change}\n    {operator}: {reason or 'NOT EXPLAINED'}\n")
            if counts["all"] % 50 == 0:
                sys.stdout.write(f"... {counts['all']} mutants tried\n")
            sys.stdout.flush()
        if not counts["all"]:
            raise SystemExit(f"there are no such mutants of {module}.")
        killed = counts["all"] - counts["explained"] - counts["unexplained"]
        code |= killed < 0.9 * counts["all"] or bool(counts["unexplained"])
        sys.stdout.write(
            f"{module}: {counts['all']} mutants, {killed} killed ({killed / counts['all']:.1%}),"
            f" {counts['explained']} explained, {counts['unexplained']} not explained,"
            f" {time.monotonic() - started:.0f} s\n"
        )
        sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
