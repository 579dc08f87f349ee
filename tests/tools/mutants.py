"""Mutation testing of the core: the tests must detect small errors.

``python -m tests.tools.mutants growth.cfsbe rules.consequents`` lets cosmic-ray create mutants of
these modules, and runs the tests of their folder on each of them; kernels are not compiled, and
only the tests of their own module run. A mutant runs in a forked process, which imports and
compiles only what depends on it. Mutants that no test detects are
printed, with the reason if `survivors.txt` has one. Needs ``pip install cosmic-ray``.
"""

from __future__ import annotations

import argparse
import ast
import contextlib
import gc
import importlib.abc
import importlib.util
import io
import os
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import Phase, settings

from tests.tools.changes import Change, change_of, explanations, mutants

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "minotaur_pymoo"

# The tests of each folder whose modules can be mutated.
TESTS = {
    "growth": ["minotaur_pymoo/growth", "tests/growth", "tests/search/mutation"],
    "rules": [
        "minotaur_pymoo/rules",
        "tests/rules",
        "tests/checks/test_invariants.py",
    ],
    "kernels": ["tests/kernels"],
}
# Kernels with tests in other files than their own, and those whose tests need compiled code.
_TESTED_BY = {
    "coverage": ["coverage", "columns"],
    "find_bound": ["splits"],
    "weighted": ["splits", "consequents"],
    "worth": ["splits"],
}
_COMPILED = ("cache", "jit", "layouts")
N_EXAMPLES = 40


def modules() -> list[str]:
    """The names of all modules that can be mutated, relative to the package."""
    return sorted(
        f"{folder}.{path.stem}"
        for folder in TESTS
        for path in (PACKAGE / folder).glob("*.py")
        if path.stem != "__init__" and not (folder == "kernels" and path.stem in _COMPILED)
    )


def tests_of(module: str) -> list[str]:
    """What pytest is to run for a module."""
    folder, name = module.split(".")
    if folder != "kernels":
        return TESTS[folder]
    return [f"tests/kernels/test_{file}.py" for file in _TESTED_BY.get(name, [name])]


def path_of(module: str) -> Path:
    """The source file of a module."""
    return PACKAGE / f"{module.replace('.', '/')}.py"


class Mutated(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a mutated source.

    Parameters
    ----------
    name
        Full name of the module.
    source
        The mutated source.
    """

    def __init__(self, name: str, source: str) -> None:
        self.name, self.source = name, source

    def find_spec(self, name: str, path: Any, target: Any = None) -> Any:
        if name != self.name:
            return None
        location = str(path_of(name.removeprefix("minotaur_pymoo.")))
        return importlib.util.spec_from_file_location(name, location, loader=self)

    def exec_module(self, module: Any) -> None:
        exec(compile(self.source, module.__file__, "exec"), module.__dict__)  # noqa: S102


@cache
def dependents(name: str) -> set[str]:
    """The module and all modules that import it, directly or indirectly."""
    imports = {module_name(path): imported_by(path) for path in PACKAGE.rglob("*.py")}
    # The package itself imports lazily.
    del imports["minotaur_pymoo"]
    found = {name}
    while True:
        more = {module for module, imported in imports.items() if imported & found} | found
        if more == found:
            return found
        found = more


def module_name(path: Path) -> str:
    """The full name of the module in a file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imported_by(path: Path) -> set[str | None]:
    """The full names of all modules and objects that a file imports."""
    nodes = [
        node for node in ast.walk(ast.parse(path.read_text())) if isinstance(node, ast.ImportFrom)
    ]
    return {
        name
        for node in nodes
        for name in (node.module, *(f"{node.module}.{alias.name}" for alias in node.names))
    }


class FastTestsFirst:
    """Pytest plugin that runs first what detects mutants fastest, with few examples each."""

    def __init__(self) -> None:
        # Measured without a mutant, and inherited by forked processes.
        self.seconds: Counter[str] = Counter()
        # How many mutants each test has detected so far.
        self.n_detected: Counter[str] = Counter()
        # Where a forked process writes which test has failed.
        self.pipe: int | None = None

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds[report.nodeid] += report.duration
        if report.failed and self.pipe is not None:
            os.write(self.pipe, report.nodeid.encode())

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        # Starting a test takes some time, too.
        items.sort(
            key=lambda item: (0.05 + self.seconds[item.nodeid]) / (1 + self.n_detected[item.nodeid])
        )
        for item in items:
            function = getattr(item, "obj", None)
            current = getattr(function, "_hypothesis_internal_use_settings", None)
            if current is not None:
                fewer = min(current.max_examples, N_EXAMPLES)
                # Without shrinking, as any failure is enough.
                phases = (Phase.explicit, Phase.generate)
                function._hypothesis_internal_use_settings = settings(
                    current, max_examples=fewer, phases=phases
                )


fast_tests_first = FastTestsFirst()


def run_tests(module: str, *, show_failures: bool = False) -> int:
    """Run the tests of a module, and return pytest's exit code.

    Parameters
    ----------
    module
        Name of the module, relative to the package.
    show_failures
        Whether to print pytest's output if a test fails.
    """
    options = [
        "-x",
        "-q",
        "--tb=no",
        "-W",
        "ignore::pytest.PytestAssertRewriteWarning",
        # Unsigned numbers wrap round, of which numpy warns where kernels are not compiled.
        "-W",
        "ignore:overflow encountered:RuntimeWarning",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        # It collects garbage after each run, which is slow.
        "-p",
        "no:unraisableexception",
        "-o",
        "addopts=",
        # The first fails on a busy machine, the second without compiled code, and the third takes
        # half a minute without it.
        "-k",
        "not under_a_second and not however_many_features and not no_longer_with_many",
    ]
    silence = io.StringIO()
    with contextlib.redirect_stdout(silence), contextlib.redirect_stderr(silence):
        arguments = [*options, "--doctest-modules", *tests_of(module)]
        code = pytest.main(arguments, plugins=[fast_tests_first])
    if code == pytest.ExitCode.USAGE_ERROR or (show_failures and code):
        sys.stdout.write(silence.getvalue())
    return int(code)


def survives(module: str, mutant: str, seconds: int) -> bool:
    """Whether the tests pass with a mutant in place of the module.

    Parameters
    ----------
    module
        Name of the module, relative to the package.
    mutant
        The mutated source.
    seconds
        Time limit; mutants that take longer count as detected.
    """
    stale = dependents(f"minotaur_pymoo.{module}")
    # Exempt existing objects from garbage collection in the forked processes.
    gc.freeze()
    failed, pipe = os.pipe()
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            signal.alarm(seconds)
            fast_tests_first.pipe = pipe
            for name in stale:
                sys.modules.pop(name, None)
            for name in [name for name in sys.modules if name.startswith("tests.")]:
                del sys.modules[name]
            # The package caches public names on first access.
            package = sys.modules["minotaur_pymoo"]
            for name in package.__all__:
                package.__dict__.pop(name, None)
            sys.meta_path.insert(0, Mutated(f"minotaur_pymoo.{module}", mutant))
            # Before pytest inserts its own importer.
            importlib.import_module(f"minotaur_pymoo.{module}")
            code = run_tests(module)
        finally:
            os._exit(code)
    os.close(pipe)
    with open(failed) as detected_by:
        fast_tests_first.n_detected[detected_by.read()] += 1
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def run_module(module: str, only: Sequence[str], part: str) -> Counter[str]:
    """Run the tests on the mutants of a module, and print the survivors.

    Parameters
    ----------
    module
        Name of the module, relative to the package.
    only
        Texts, one of which a change must contain.
    part
        ``i/n`` for the i-th of n shares of the mutants.

    Returns
    -------
    Numbers of mutants: all, and explained and unexplained survivors.
    """
    started = time.monotonic()
    if run_tests(module, show_failures=True) != 0:
        raise SystemExit(f"the tests of {module} fail without a mutant.")
    seconds = 10 + 2 * int(time.monotonic() - started)
    source = path_of(module).read_text()
    reasons = {
        change: reason for (name, change), reason in explanations().items() if name == module
    }
    unused: set[Change | None] = set(reasons)
    counts: Counter[str] = Counter()
    for operator, mutant, change in selected_mutants(source, only, part):
        if module.startswith("kernels.") and operator == "core/RemoveDecorator":
            # Kernels are not compiled here.
            continue
        counts["all"] += 1
        if survives(module, mutant, seconds):
            explained = next((known for known in reasons if known.includes(change)), None)
            reason = None if explained is None else reasons[explained]
            unused.discard(explained)
            counts["explained" if reason else "unexplained"] += 1
            sys.stdout.write(f"[{module} {change.function}]\n{change.text}\n")
            sys.stdout.write(f"    {operator}: {reason or 'NOT EXPLAINED'}\n")
        if counts["all"] % 50 == 0:
            sys.stdout.write(f"... {counts['all']} mutants\n")
        sys.stdout.flush()
    if (list(only), part) == ([""], "1/1"):
        for change in sorted(unused):
            sys.stdout.write(f"unused explanation: [{module} {change.function}]\n{change.text}\n")
    return counts


def selected_mutants(
    source: str, only: Sequence[str], part: str
) -> Iterator[tuple[str, str, Change]]:
    """Yield operator, source and change of the mutants that `run_module` is to run."""
    number, n_parts = (int(text) for text in part.split("/"))
    for index, (operator, mutant) in enumerate(mutants(source)):
        change = change_of(source, mutant)
        if index % n_parts == number - 1 and any(text in change.text for text in only):
            yield operator, mutant, change


def main() -> int:
    """Run the tests on the mutants of some modules; return 0 if enough are detected."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "modules", nargs="+", choices=modules(), metavar="MODULE", help=", ".join(modules())
    )
    parser.add_argument(
        "--only", nargs="+", default=[""], help="only changes that contain one of these texts"
    )
    parser.add_argument("--part", default="1/1", help="a share of the mutants, such as 1/2")
    args = parser.parse_args()
    if any(module.startswith("kernels.") for module in args.modules):
        # Read when numba is imported.
        os.environ["NUMBA_DISABLE_JIT"] = "1"
    code = 0
    for module in args.modules:
        started = time.monotonic()
        counts = run_module(module, args.only, args.part)
        if not counts["all"]:
            raise SystemExit(f"{module} has no such mutants.")
        killed = counts["all"] - counts["explained"] - counts["unexplained"]
        code |= killed < 0.9 * counts["all"] or bool(counts["unexplained"])
        sys.stdout.write(
            f"{module}: {counts['all']} mutants, {killed} detected ({killed / counts['all']:.1%}),"
            f" {counts['explained']} explained, {counts['unexplained']} not explained,"
            f" {time.monotonic() - started:.0f} s\n"
        )
        sys.stdout.flush()
    return code


if __name__ == "__main__":
    sys.exit(main())
