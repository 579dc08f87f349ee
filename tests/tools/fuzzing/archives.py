"""Binary files as entry points: NumPy archives and checkpoints."""

from __future__ import annotations

import functools
import io
import zipfile
from typing import Any

import numpy as np
from hypothesis import strategies as st
from pymoo.optimize import minimize

from minotaur_pymoo import MINOTAUR, Checkpoint, RuleSetProblem, load_demo, resume
from minotaur_pymoo.datasets import load_npz
from tests.tools.fuzzing.damage import damaged_bytes, pick
from tests.tools.fuzzing.files import File, check_dataset, folder, size_of
from tests.tools.fuzzing.judge import EntryPoint

# --- NumPy archives

_NPY_SHAPES = ["(3, 2)", "(0, 2)", "(3,)", "()", "(1000000000000, 2)", "(-1, 2)", "(3, 2, 1)"]
_NPY_TYPES = ["<f8", "<f4", "|b1", "<i8", "|O", "<c16", "<U3", "V8", "<f99", "<M8[s]", ">f8"]


def _npy(shape: str, kind: str, values: bytes) -> bytes:
    header = f"{{'descr': '{kind}', 'fortran_order': False, 'shape': {shape}, }}"
    header += " " * (-(len(header) + 11) % 64) + "\n"
    return b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + values


@st.composite
def npz_inputs(draw: st.DrawFn) -> File:
    draws = np.random.default_rng(draw(st.integers(0, 2**16)))
    X, Y = draws.normal(size=(3, 2)), draws.integers(0, 2, size=(3, 2))
    arrays: dict[str, Any] = {"X": X, "Y": Y}
    match pick(draw, ["plain", "plain", "plain", "names", "names", "missing", "other", "kind"]):
        case "names":
            arrays["feature_names"] = np.array(pick(draw, [["a", "b"], ["a", "a"], ["a"], [1, 2]]))
            arrays["label_names"] = np.array(
                pick(draw, [["c", "d"], "c", [["c", "d"]], [b"c", b"d"]])
            )
        case "missing":
            del arrays[pick(draw, ["X", "Y"])]
        case "other":
            arrays["X"] = pick(
                draw, [X[0], X[:, :0], X[None], X + 1j, X.astype(str), X > 0, X * np.inf]
            )
        case "kind":
            arrays["Y"] = pick(
                draw, [Y + 1, Y[:2], Y[0], Y / 2, Y > 0, Y.astype(float), Y * np.nan]
            )
    target = io.BytesIO()
    compressed = draw(st.booleans())
    (np.savez_compressed if compressed else np.savez)(target, **arrays)
    content = target.getvalue()
    if draw(st.integers(0, 3)) == 0:
        # Headers that do not match the content.
        made = _npy(pick(draw, _NPY_SHAPES), pick(draw, _NPY_TYPES), X.tobytes())
        if draw(st.booleans()):
            made = draw(damaged_bytes(made))
        target = io.BytesIO()
        with zipfile.ZipFile(target, "w") as archive:
            archive.writestr(pick(draw, ["X.npy", "Y.npy"]), made)
            archive.writestr("Y.npy" if b"X.npy" in target.getvalue() else "X.npy", _saved(Y))
        content = target.getvalue()
    for _ in range(pick(draw, [0, 0, 1, 1, 2])):
        content = draw(damaged_bytes(content))
    return File(content, None, None)


def _saved(array: np.ndarray) -> bytes:
    target = io.BytesIO()
    np.save(target, array)
    return target.getvalue()


def enter_npz(file: File) -> None:
    check_dataset(load_npz(file.written("data.npz")), file)


# --- checkpoints


@functools.cache
def _checkpoint(number: int) -> tuple[bytes, np.ndarray]:
    """A checkpoint of a small run, and the final objectives of the run."""
    garden = load_demo(20)
    problem = RuleSetProblem(garden.X, garden.Y)
    saved = Checkpoint(folder() / "run", every=2)
    algorithm = MINOTAUR(pop_size=6, n_offsprings=3, n_gen=4)
    result = minimize(problem, algorithm, seed=number, callback=saved)
    return saved.path.read_bytes(), result.F


_ODD_HEADERS = [
    b"",
    b"\n",
    b"minotaur_pymoo checkpoint\n",
    b"minotaur_pymoo checkpoint 1\n",
    b"minotaur_pymoo checkpoint 2\n",
    b"minotaur_pymoo checkpoint 3\n",
    b"minotaur_pymoo checkpoint 99999999999999999999\n",
    b"minotaur_pymoo model\n",
    b"\x80\x04N.",
    b"PK\x03\x04",
]


@st.composite
def checkpoint_inputs(draw: st.DrawFn) -> File:
    number = draw(st.integers(0, 49))
    content, expected = _checkpoint(number)
    line = content.index(b"\n") + 1
    match pick(draw, ["whole"] * 5 + ["header", "header", "odd", "body", "body", "truncate"]):
        case "header":
            content = draw(damaged_bytes(content[:line])) + content[line:]
        case "odd":
            content = pick(draw, _ODD_HEADERS) + pick(draw, [b"", content[line:], content])
        case "body":
            content = content[:line] + draw(damaged_bytes(content[line:]))
        case "truncate":
            content = content[: draw(st.integers(0, len(content)))]
    return File(content, None, expected)


def enter_checkpoint(file: File) -> None:
    result = resume(file.written("run.checkpoint"))
    np.testing.assert_array_equal(result.F, file.expected)


NPZ = EntryPoint("npz", npz_inputs(), enter_npz, size_of, 8)
CHECKPOINT = EntryPoint("checkpoint", checkpoint_inputs(), enter_checkpoint, size_of, 4)
