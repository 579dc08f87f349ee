"""Run the tests with the oldest or newest supported versions of all libraries.

``python -m tests.tools.versions oldest`` creates a virtual environment with the lower bounds in
``pyproject.toml`` and runs the tests in it; ``newest`` installs the newest versions. ``--python``
selects interpreters, and ``--quick`` runs only tests of what depends on versions. ``--folder``
names an environment to keep, which is used if it exists; with ``--install``, it is only created.
``--pymoo`` replaces pymoo by another version, whatever ``pyproject.toml`` says: what pip installs,
pre-releases included, such as ``pymoo`` for the newest one, the folder of a checkout, or
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
# What meets other libraries: numba, tables of all kinds, files, scikit-learn, pickles, and pymoo.
# That searches find the same with all versions is what the golden runs show.
QUICK = (
    "tests/kernels",
    "tests/data",
    "tests/datasets",
    "tests/estimator/test_any_data.py",
    "tests/estimator/test_classifier.py",
    "tests/estimator/test_columns.py",
    "tests/estimator/test_inputs.py",
    "tests/estimator/test_weights.py",
    "tests/search/test_algorithm.py",
    "tests/search/test_checkpoint.py",
    "tests/search/test_problem.py",
    "tests/test_golden.py",
    "tests/test_init.py",
    "minotaur_pymoo",
    # It compiles everything once more.
    "--deselect=tests/kernels/test_jit.py::test_long_compilation",
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
    arguments: Sequence[str] | None,
) -> int:
    """Create an environment unless it exists, run the tests in it, and return pytest's exit code.

    Parameters
    ----------
    which
        ``"oldest"`` or ``"newest"``.
    python
        The interpreter.
    folder
        The environment.
    quick
        Whether to run only tests of what depends on versions.
    pymoo
        Another pymoo to install, as for pip; None for that of ``pyproject.toml``.
    arguments
        Further arguments of pytest; None to run no tests.
    """

    def call(*command: str) -> int:
        sys.stdout.write(f"+ {' '.join(command)}\n")
        sys.stdout.flush()
        # Code that was compiled with another version must not be reused.
        env = {**os.environ, "NUMBA_CACHE_DIR": str(folder / "compiled")}
        return subprocess.run(command, cwd=ROOT, env=env, check=False).returncode  # noqa: S603

    interpreter = str(folder / "bin" / "python")
    constraints = folder / "constraints.txt"
    # Compiling all modules of all libraries would take as long as installing them.
    pip = (interpreter, "-m", "pip")
    install = (*pip, "install", "--quiet", "--no-compile")
    installed = folder / "installed"
    if not installed.exists():
        assert call(python, "-m", "venv", str(folder)) == 0
        pinned = oldest(requirements()) if which == "oldest" else []
        constraints.write_text("\n".join(pinned))
        assert call(*install, "-c", str(constraints), "-e", ".[test]") == 0
        if pymoo is not None:
            assert call(*install, "--pre", "-U", pymoo) == 0
        installed.touch()
    if arguments is None:
        return 0
    call(*pip, "list", "--format", "freeze", "--exclude-editable")
    tests = QUICK if quick else ("tests", "minotaur_pymoo")
    return call(interpreter, "-m", "pytest", "-q", *tests, *arguments)


def main() -> int:
    """Run the tests with each interpreter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("which", choices=["oldest", "newest"])
    parser.add_argument(
        "--python", action="append", default=[], metavar="PATH", help="interpreters"
    )
    parser.add_argument("--quick", action="store_true", help="only what depends on versions")
    parser.add_argument("--folder", type=Path, help="the environment, kept afterwards")
    parser.add_argument("--install", action="store_true", help="run no tests")
    parser.add_argument("--pymoo", metavar="SPEC", help="another pymoo, as for pip")
    args, pytest_arguments = parser.parse_known_args()
    codes = []
    for python in args.python or [sys.executable]:
        with tempfile.TemporaryDirectory() as temporary:
            code = run(
                args.which,
                python,
                (args.folder or Path(temporary)).resolve(),
                quick=args.quick,
                pymoo=args.pymoo,
                arguments=None if args.install else pytest_arguments,
            )
            codes.append(code)
    return max(codes)


if __name__ == "__main__":
    sys.exit(main())
