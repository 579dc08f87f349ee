"""Checkpoints of a run, to resume from."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import time
from typing import Any

from pymoo.core.callback import Callback
from pymoo.util.display.display import Display

from minotaur_pymoo.search.termination import as_termination
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path, write_atomically
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_not_negative

# Followed, on the same line, by the digest of the pickle.
_HEADER = b"minotaur_pymoo checkpoint 2 "


class Checkpoint(Callback):  # type: ignore[misc]
    """Save the state of a run to a file at intervals, to `resume` from.

    The file is replaced atomically, so that it is complete at any time. It is a pickle, which runs
    code when loaded: resume only from your own files.

    Parameters
    ----------
    path
        The file to write.
    every
        Number of generations between two checkpoints. The last generation is always saved.
    seconds
        Save as well when this much time has passed since the last checkpoint.

    Examples
    --------
    >>> import tempfile
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saved = Checkpoint(f"{folder}/run.checkpoint")
    ...     res = minimize(problem, MINOTAUR(n_gen=5), seed=1, callback=saved)
    ...     again = resume(saved.path)
    >>> (again.F == res.F).all()
    np.True_
    """

    def __init__(
        self, path: str | os.PathLike[str], every: int = 10, seconds: float | None = None
    ) -> None:
        super().__init__()
        self.path = check_path(path).absolute()
        self.every = check_count("every", every)
        self.seconds = None if seconds is None else check_not_negative("seconds", seconds)
        self._written = time.monotonic()

    def _update(self, algorithm: Any) -> None:
        waited = time.monotonic() - self._written
        due = algorithm.n_gen % self.every == 0 or algorithm.termination.has_terminated()
        if due or (self.seconds is not None and waited >= self.seconds):
            try:
                content = pickle.dumps(_ready_for_next(algorithm), pickle.HIGHEST_PROTOCOL)
            except (TypeError, AttributeError, pickle.PicklingError) as error:
                raise InputError(_why_not_pickled(algorithm, error)) from error
            write_atomically(self.path, _first_line(content) + content)
            self._written = time.monotonic()


def resume(
    path: str | os.PathLike[str],
    *,
    termination: Any = None,
    verbose: bool = False,
    progress: bool = False,
) -> Any:
    """Continue a run from its checkpoint, exactly as if it had never stopped.

    A checkpoint is a pickle, which runs code when loaded: resume only from your own files.

    Parameters
    ----------
    path
        A file written by `Checkpoint`.
    termination
        Another termination than that of the original run, to continue beyond it: as for
        ``minimize``, an object of pymoo's or a tuple such as ``("n_gen", 400)``.
    verbose
        Whether to print pymoo's table of generations.
    progress
        Whether to show pymoo's progress bar.

    Returns
    -------
    Result
        pymoo's result, as from ``minimize``.
    """
    try:
        content = check_path(path).read_bytes()
    except OSError as error:
        raise InputError(f"the checkpoint {path} cannot be read: {error.strerror}.") from error
    if not content.startswith(_HEADER):
        raise InputError(
            f"{path} is not a checkpoint of this version of minotaur_pymoo: pass a file that"
            " its Checkpoint wrote."
        )
    body = content[len(_first_line(b"")) :]
    if not content.startswith(_first_line(body)):
        raise InputError(f"the checkpoint {path} is damaged: start a new run.")
    try:
        algorithm = pickle.loads(body)  # noqa: S301 - documented: only your own
    except Exception as error:
        raise InputError(
            f"the checkpoint {path} is from other versions of the libraries ({error}): start a new"
            " run."
        ) from error
    algorithm.display = Display(algorithm.output, verbose=verbose, progress=progress)
    if termination is not None:
        algorithm.termination = as_termination(termination)
        algorithm.termination.update(_before_counting(algorithm))
    res = algorithm.run()
    res.algorithm = algorithm
    return res


def _why_not_pickled(algorithm: Any, error: Exception) -> str:
    """Name the objective or constraint that cannot be pickled, or else the algorithm."""
    problem = algorithm.problem
    for kind in ("objective", "constraint"):
        for part in getattr(problem, f"{kind}s", ()):
            try:
                pickle.dumps(part)
            except (TypeError, AttributeError, pickle.PicklingError):
                return (
                    f"the {kind} {short_repr(part.name)} cannot be pickled, and a checkpoint is a"
                    " pickle: define it with def at the top level of a module."
                )
    return (
        f"this {type(algorithm).__name__} cannot be pickled ({error}): leave the checkpoint out,"
        " or use another algorithm."
    )


def _first_line(content: bytes) -> bytes:
    """The header with a digest, so that damage is found before anything is unpickled."""
    return _HEADER + hashlib.sha256(content).hexdigest().encode() + b"\n"


def _ready_for_next(algorithm: Any) -> Any:
    """The state of an algorithm after the current generation.

    pymoo calls callbacks before it counts the generation and updates the archive.
    """
    state = copy.copy(algorithm)
    # A progress bar holds a running generator.
    state.display = None
    state.n_iter = algorithm.n_iter + 1
    if state.archive is not None and state.off is not None:
        state.archive = state.archive.add(state.off)
    return state


def _before_counting(algorithm: Any) -> Any:
    """The algorithm as terminations see it, before the generation is counted."""
    state = copy.copy(algorithm)
    state.n_iter = algorithm.n_iter - 1
    return state
