"""Run the tests with the oldest or newest supported versions of all libraries.

``python -m tests.tools.versions oldest`` creates a virtual environment with the lower bounds in
``pyproject.toml`` and runs the tests in it; ``newest`` installs the newest versions. ``--python``
selects interpreters, and ``--quick`` skips tests that hardly depend on versions. ``--pymoo`` then
replaces pymoo by another version, whatever ``pyproject.toml`` says: what pip installs, pre-releases
included, such as ``pymoo`` for the newest one, the folder of a checkout, or
``git+https://github.com/anyoptimization/pymoo`` for the development version. All other arguments
are passed to pytest.
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
# Slow tests that hardly depend on versions: benchmarks, documentation, and whole processes.
SLOW = (
    "benchmarks/*",
    "cli/*",
    "export/*",
    # pymoo has only one supported version
    "search/test_compatibility*",
    "test_docs*",
    "support/test_files*",
    "test_notebooks*",
    "tools/*",
)


def oldest(requirements: Iterable[str]) -> list[str]:
    """Pin requirements to their lower bounds.

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
    """The requirements of the package and its tests."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [*project["dependencies"], *project["optional-dependencies"]["test"]]


def run(
    which: str,
    python: str,
    folder: Path,
    *,
    quick: bool,
    pymoo: str | None,
    arguments: Sequence[str],
) -> int:
    """Create an environment, run the tests in it, and return pytest's exit code.

    Parameters
    ----------
    which
        ``"oldest"`` or ``"newest"``.
    python
        The interpreter.
    folder
        Where to create the environment.
    quick
        Whether to skip slow tests.
    pymoo
        Another pymoo to install, as for pip; None for that of ``pyproject.toml``.
    arguments
        Further arguments of pytest.
    """

    def call(*command: str) -> int:
        sys.stdout.write(f"+ {' '.join(command)}\n")
        sys.stdout.flush()
        # Code that was compiled with another version must not be reused.
        env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "compiled")}
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode  # noqa: S603

    interpreter = str(folder / "bin" / "python")
    constraints = folder / "constraints.txt"
    assert call(python, "-m", "venv", str(folder)) == 0
    constraints.write_text("\n".join(oldest(requirements()) if which == "oldest" else []))
    install = ("-m", "pip", "install", "--quiet", "-c", str(constraints), "-e", ".[test]")
    assert call(interpreter, *install) == 0
    if pymoo is not None:
        assert call(interpreter, "-m", "pip", "install", "--quiet", "--pre", "-U", pymoo) == 0
    call(interpreter, "-m", "pip", "list", "--format", "freeze", "--exclude-editable")
    ignored = [f"--ignore-glob=tests/{name}" for name in SLOW] if quick else []
    tests = ["tests", "minotaur_pymoo", *ignored]
    return call(interpreter, "-m", "pytest", "-q", *tests, *arguments)


def main() -> int:
    """Run the tests with each interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=["oldest", "newest"])
    parser.add_argument(
        "--python", action="append", default=[], metavar="PATH", help="interpreters"
    )
    parser.add_argument("--quick", action="store_true", help="skip slow tests")
    parser.add_argument("--pymoo", metavar="SPEC", help="another pymoo, as for pip")
    args, pytest_arguments = parser.parse_known_args()
    codes = []
    for python in args.python or [sys.executable]:
        with tempfile.TemporaryDirectory() as folder:
            code = run(
                args.which,
                python,
                Path(folder),
                quick=args.quick,
                pymoo=args.pymoo,
                arguments=pytest_arguments,
            )
            codes.append(code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
