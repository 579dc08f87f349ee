"""Results of the programs of others, stored in the repository.

They do not depend on this package's code, and take two hours of CPU time. The grids read them from
the archive like results that were computed here; ``python -m benchmarks.peers --archive`` adds
those in the folder of results to it. What other versions of the benchmarks or of the libraries have
computed is dropped.
"""

from __future__ import annotations

import gzip
import json
from functools import cache
from pathlib import Path
from typing import Any

from benchmarks.data import PROJECT
from minotaur_pymoo.support.files import write_atomically

ARCHIVE = PROJECT / "benchmarks" / "results" / "runs.jsonl.gz"


@cache
def read_archive(path: Path = ARCHIVE) -> dict[str, Any]:
    """The results by their file's path in the folder of results.

    Parameters
    ----------
    path
        The archive; without one, there are no results.
    """
    if not path.exists():
        return {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        return dict(json.loads(line) for line in lines)


def write_archive(results: dict[str, Any], path: Path = ARCHIVE) -> None:
    """Store results, sorted, so that equal results make equal files.

    Parameters
    ----------
    results
        The results by their file's path in the folder of results.
    path
        The archive.
    """
    text = "".join(f"{json.dumps([name, results[name]])}\n" for name in sorted(results))
    write_atomically(path, gzip.compress(text.encode(), mtime=0))
    read_archive.cache_clear()


def current(folder: Path, fingerprints: set[str], path: Path = ARCHIVE) -> dict[str, Any]:
    """The results in the archive and in a folder that present code would find again.

    Parameters
    ----------
    folder
        The folder of results.
    fingerprints
        The fingerprints of the experiments to keep.
    path
        The archive.
    """
    found = {
        name: result
        for name, result in read_archive(path).items()
        if name.partition("/")[0] in fingerprints
    }
    for fingerprint in fingerprints:
        for file in (folder / fingerprint).rglob("*.json"):
            found[file.relative_to(folder).as_posix()] = json.loads(file.read_text())
    return found
