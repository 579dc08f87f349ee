"""Reference fronts, stored as small CSV files, and where they come from."""

from __future__ import annotations

import hashlib
import io
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.support.arrays import FloatArray, read_only
from minotaur_pymoo.support.files import write_atomically

FOLDER = Path(__file__).parent / "fronts"
_COLUMNS = "n_rules,micro_f1"


@dataclass(frozen=True)
class Provenance:
    """Where a reference front comes from.

    Attributes
    ----------
    status : str
        ``"exact"`` if every point is proven to be optimal, else ``"best known"``.
    method : str
        What found it.
    date : str
        When.
    version : str
        With which versions of which software.
    seconds : float
        CPU seconds that it took.
    command : str
        The command that makes it again.
    data : str
        A digest of the data, whatever the order of their rows.

    Examples
    --------
    >>> from minotaur_pymoo.suite import get_problem
    >>> get_problem("wine-2x8-v1").provenance.status
    'exact'
    """

    status: Literal["exact", "best known"]
    method: str
    date: str
    version: str
    seconds: float
    command: str
    data: str


def digest_of(dataset: Dataset) -> str:
    """A digest of features and labels, whatever the order of the rows.

    Parameters
    ----------
    dataset
        The data.

    Examples
    --------
    >>> a = Dataset("a", np.array([[1.0], [2.0]]), np.array([[1], [0]]), ("x",), ("y",))
    >>> b = Dataset("b", np.array([[2.0], [1.0]]), np.array([[0], [1]]), ("x",), ("y",))
    >>> digest_of(a) == digest_of(b)
    True
    """
    rows = np.column_stack([dataset.X, dataset.Y]) + 0.0
    rows = rows[np.lexsort(rows.T)].astype("<f8")
    return hashlib.sha256(np.ascontiguousarray(rows).tobytes()).hexdigest()[:16]


def read_front(name: str) -> tuple[FloatArray, Provenance] | None:
    """The stored front of a problem, to be minimised, and its provenance; None without a file.

    Parameters
    ----------
    name
        The name of the problem.
    """
    path = FOLDER / f"{name}.csv"
    if not path.exists():
        return None
    lines = path.read_text().splitlines()
    notes = dict(line[2:].split(": ", 1) for line in lines if line.startswith("# "))
    table = np.loadtxt(lines[len(notes) + 1 :], delimiter=",", ndmin=2)
    status: Literal["exact", "best known"] = "exact" if notes["status"] == "exact" else "best known"
    provenance = Provenance(
        status=status,
        method=notes["method"],
        date=notes["date"],
        version=notes["version"],
        seconds=float(notes["seconds"]),
        command=notes["command"],
        data=notes["data"],
    )
    return read_only(np.column_stack([-table[:, 1], table[:, 0]])), provenance


def write_front(name: str, F: FloatArray, provenance: Provenance, folder: Path = FOLDER) -> None:
    """Store the front of a problem.

    Parameters
    ----------
    name
        The name of the problem.
    F
        Its points, to be minimised: negative micro-F1 and number of rules.
    provenance
        Where it comes from.
    folder
        Where to store it.
    """
    content = io.StringIO()
    for key, value in asdict(provenance).items():
        content.write(f"# {key}: {value}\n")
    content.write(f"{_COLUMNS}\n")
    for loss, n_rules in sorted(F.tolist(), key=lambda row: row[1]):
        content.write(f"{n_rules:.0f},{-loss!r}\n")
    write_atomically(folder / f"{name}.csv", content.getvalue().encode())
