"""The tests with the oldest, or the newest, versions of all libraries that the metadata allow.

``python -m tests.tools.versions oldest`` makes a virtual environment with the lower bounds that
``pyproject.toml`` gives, of what the package and its tests need, and runs the tests in it;
``newest`` takes whatever is newest. ``--python`` names other interpreters to use, and ``--quick``
leaves out what has little to do with versions. All other arguments are pytest's.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterable, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
_LOWER = re.compile(r"^([\w.-]+(?:\[[\w,]+\])?)\s*>=\s*([\w.]+)")
# Whole processes and benchmarks, which the other run of the tests has.
SLOW = ("test_benchmarks*", "test_docs*", "test_files*", "test_notebooks*", "test_soak*")


def oldest(requirements: Iterable[str]) -> list[str]:
    """Requirements with their lower bounds as the only versions allowed.

    Examples
    --------
    >>> oldest(["numpy>=2.0", "pymoo>=0.6.2,<0.7", "dask[distributed]>=2024.8"])
    ['numpy==2.0', 'pymoo==0.6.2', 'dask==2024.8']
    """
    pinned = []
    for requirement in requirements:
        match = _LOWER.match(requirement)
        if match is None:
            raise ValueError(f"{requirement} has no lower bound.")
        pinned.append(f"{match[1].split('[')[0]}=={match[2]}")
    return pinned


def requirements() -> list[str]:
    """What the package and its tests need."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["test"]]


def run(which: str, python: str, folder: Path, *, quick: bool, arguments: Sequence[str]) -> int:
    """Make an environment and run the tests in it; pytest's exit code."""

    def call(*command: str) -> int:
        sys.stdout.write(f"+ {' '.join(command)}\n")
        sys.stdout.flush()
        # What is compiled with one version is not for another one.
        own = {"NUMBA_CACHE_DIR": str(folder / "compiled")}
        return subprocess.run(command, cwd=ROOT, env={**os.environ, **own}, check=False).returncode  # noqa: S603

    inside = str(folder / "bin" / "python")
    constraints = folder / "constraints.txt"
    assert call(python, "-m", "venv", str(folder)) == 0
    constraints.write_text("\n".join(oldest(requirements()) if which == "oldest" else []))
    install = ("-m", "pip", "install", "--quiet", "-c", str(constraints), "-e", ".[test]")
    assert call(inside, *install) == 0
    call(inside, "-m", "pip", "list", "--format", "freeze", "--exclude-editable")
    ignored = [f"--ignore-glob=tests/{name}" for name in SLOW] if quick else []
    tests = ["tests", "minotaur_pymoo", *ignored]
    return call(inside, "-m", "pytest", "-q", *tests, *arguments)


def main() -> int:
    """Run the tests with each of the interpreters."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=["oldest", "newest"])
    parser.add_argument("--python", action="append", default=[], metavar="PATH")
    parser.add_argument("--quick", action="store_true")
    given, others = parser.parse_known_args()
    codes = []
    for python in given.python or [sys.executable]:
        with tempfile.TemporaryDirectory() as folder:
            code = run(given.which, python, Path(folder), quick=given.quick, arguments=others)
            codes.append(code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
