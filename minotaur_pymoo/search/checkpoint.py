"""What can be kept of a run while it goes on: its fronts, and checkpoints to resume from."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import time
from typing import Any

from pymoo.core.callback import Callback
from pymoo.core.termination import Termination
from pymoo.termination import get_termination
from pymoo.util.display.display import Display

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path, write_atomically
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count, check_not_negative

# Behind it, on the same line, stands the digest of what follows.
_HEADER = b"minotaur_pymoo checkpoint 2 "


class Checkpoint(Callback):  # type: ignore[misc]
    """Write the whole state of a run to a file every now and then, to `resume` from.

    The file is replaced in one step, so that it is complete at any moment. It holds pickles:
    resume only from files of your own, as loading a stranger's runs whatever it contains.

    Parameters
    ----------
    path
        The file to write.
    every
        Write after every so many generations, and after the last one.
    seconds
        If given, write also when so much time has passed since the last time.

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
                raise InputError(
                    f"this {type(algorithm).__name__} cannot be saved in the middle of a run"
                    f" ({error}): leave the checkpoint out or use another algorithm."
                ) from error
            write_atomically(self.path, _first_line(content) + content)
            self._written = time.monotonic()


def resume(
    path: str | os.PathLike[str],
    *,
    termination: Any = None,
    verbose: bool = False,
    progress: bool = False,
) -> Any:
    """Go on with a run from its checkpoint, exactly as if it had never stopped.

    Only for files of your own: a checkpoint holds pickles, which run code when loaded.

    Parameters
    ----------
    path
        What a `Checkpoint` wrote.
    termination
        Another end than the one the run was started with, to go on further; as for ``minimize``,
        a termination or what pymoo makes one of, such as ``("n_gen", 400)``.
    verbose, progress
        As for pymoo's ``minimize``.

    Returns
    -------
    pymoo's Result, as from ``minimize``.
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
        raise InputError(f"the checkpoint {path} is damaged: start the run anew.")
    try:
        algorithm = pickle.loads(body)  # noqa: S301 - documented: only your own
    except Exception as error:
        raise InputError(
            f"the checkpoint {path} is from other versions of the libraries ({error}): start the"
            " run anew."
        ) from error
    algorithm.display = Display(algorithm.output, verbose=verbose, progress=progress)
    if termination is not None:
        algorithm.termination = _as_termination(termination)
        algorithm.termination.update(_as_of_last(algorithm))
    res = algorithm.run()
    res.algorithm = algorithm
    return res


def _first_line(content: bytes) -> bytes:
    """What stands before this content: damage is then found before anything is unpickled."""
    return _HEADER + hashlib.sha256(content).hexdigest().encode() + b"\n"


def _ready_for_next(algorithm: Any) -> Any:
    """The algorithm's state as it will be when the generation under way is over.

    pymoo calls callbacks before it counts the generation and fills the archive.
    """
    state = copy.copy(algorithm)
    # A progress bar holds a running generator.
    state.display = None
    state.n_iter = algorithm.n_iter + 1
    if state.archive is not None and state.off is not None:
        state.archive = state.archive.add(state.off)
    return state


def _as_termination(given: Any) -> Termination:
    if isinstance(given, Termination):
        return given
    try:
        return get_termination(*((given,) if isinstance(given, str) else given))
    except Exception as error:  # whatever pymoo's many terminations raise
        raise InputError(
            f"{short_repr(given)} is no termination: pass one of pymoo's, or what it makes one of, such"
            ' as ("n_gen", 400).'
        ) from error


def _as_of_last(algorithm: Any) -> Any:
    """The algorithm as a termination saw it last, with the generation not yet counted."""
    state = copy.copy(algorithm)
    state.n_iter = algorithm.n_iter - 1
    return state
