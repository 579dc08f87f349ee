"""Build the source distribution, unpack it, and run tests inside it.

``python -m tests.tools.sdist`` collects all tests and runs a quick part of them; arguments are
passed to pytest instead of that part. All files in git must be in the distribution.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
# Tests that read files beside the package, and some that use it.
QUICK = (
    "tests/test_structure.py",
    "tests/datasets/test_demo.py",
    "tests/export/test_corpus.py",
    "tests/export/test_texts.py",
    "tests/suite/test_suite.py",
)


def build(folder: Path) -> Path:
    """Build the source distribution, unpack it into a folder, and return where it is.

    Parameters
    ----------
    folder
        An empty folder.
    """
    command = [sys.executable, "-m", "build", "--sdist", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)  # noqa: S603
    (archive,) = folder.glob("*.tar.gz")
    with tarfile.open(archive) as file:
        file.extractall(folder / "unpacked", filter="data")
    (unpacked,) = (folder / "unpacked").iterdir()
    # Kernels need not be compiled again: what is stored tells which source it is of.
    kernels = Path("minotaur_pymoo", "kernels", "__pycache__")
    (unpacked / kernels).mkdir()
    for path in (ROOT / kernels).glob("*.nb[ci]"):
        shutil.copy(path, unpacked / kernels)
    return unpacked


def missing_files(unpacked: Path) -> list[str]:
    """Return the files in git that the distribution lacks.

    Parameters
    ----------
    unpacked
        The unpacked distribution.
    """
    done = subprocess.run(
        ["git", "ls-files"],  # noqa: S607
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    files = [name for name in done.stdout.splitlines() if (ROOT / name).exists()]
    return [name for name in files if name != ".gitignore" and not (unpacked / name).exists()]


def main(arguments: Sequence[str]) -> int:
    """Run the tests; return 0 if they pass and no file is missing."""
    with tempfile.TemporaryDirectory() as folder:
        unpacked = build(Path(folder))
        if missing := missing_files(unpacked):
            sys.stdout.write(f"not in the source distribution: {', '.join(missing)}\n")
            return 1
        env = {**os.environ, "PYTHONPATH": str(unpacked)}
        command = [sys.executable, "-m", "pytest", "-q"]
        for part in (["--collect-only", "-qqq", "-n", "0"], list(arguments or QUICK)):
            code = subprocess.run([*command, *part], cwd=unpacked, env=env, check=False).returncode  # noqa: S603
            if code != 0:
                return code
        return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
