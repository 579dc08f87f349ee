"""Checkpoints of a run, to resume from."""

from __future__ import annotations

import copy
import os
import time
from typing import Any, Self

from pymoo.core.callback import Callback
from pymoo.util.display.display import Display

from minotaur_pymoo.search.state_file import StateFile
from minotaur_pymoo.search.termination import as_termination
from minotaur_pymoo.support.files import check_path
from minotaur_pymoo.support.params import check_count, check_flag, check_not_negative


class Checkpoint(Callback):  # type: ignore[misc]
    """Save the state of a run to a file at intervals, to `resume` from.

    The file is replaced atomically, so that it is complete at any time, and only one run at a time
    can use it. It is a pickle, which can run any code when loaded. So it is signed with a key of
    this user, and files with other signatures are only loaded if you say that they are trusted.

    Parameters
    ----------
    path
        The file to write.
    every
        Number of generations between two checkpoints, or None. The last generation is always saved.
    seconds
        Save as well when this much time has passed since the last checkpoint.
    trusted
        For a `MinotaurClassifier` only: whether it may resume from a file that this user did not
        write on this machine.

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
        self,
        path: str | os.PathLike[str],
        every: int | None = 10,
        seconds: float | None = None,
        *,
        trusted: bool = False,
    ) -> None:
        super().__init__()
        self.path = check_path(path).absolute()
        self.every = None if every is None else check_count("every", every)
        self.seconds = None if seconds is None else check_not_negative("seconds", seconds)
        self.trusted = check_flag("trusted", trusted)
        self._start()

    def is_due(self, n_gen: int) -> bool:
        """Return whether a generation is to be saved.

        Parameters
        ----------
        n_gen
            The number of the generation, 1 for the initial population.
        """
        if self.every is not None and n_gen % self.every == 0:
            return True
        return self.seconds is not None and time.monotonic() - self._saved_at >= self.seconds

    def save(self, algorithm: Any) -> None:
        """Save an algorithm that is ready for its next generation.

        Parameters
        ----------
        algorithm
            The algorithm, between two calls of its ``next``.
        """
        self._file.write(algorithm)
        self._saved_at = time.monotonic()

    def load(self, *, trusted: bool = False) -> Any:
        """Return the algorithm that was saved last.

        Parameters
        ----------
        trusted
            Whether to load a file that this user did not write on this machine.
        """
        return self._file.read(trusted=trusted)

    def close(self) -> None:
        """Let other runs use the file."""
        self._file.close()

    def _start(self) -> None:
        self._file = StateFile(self.path)
        self._saved_at = time.monotonic()

    def _update(self, algorithm: Any) -> None:
        is_last = algorithm.termination.has_terminated()
        if is_last or self.is_due(algorithm.n_gen):
            self.save(_ready_for_next(algorithm))
        if is_last:
            self.close()

    def __getstate__(self) -> dict[str, Any]:
        # Neither an open file nor the time since this machine started mean anything elsewhere.
        return {k: v for k, v in self.__dict__.items() if k not in ("_file", "_saved_at")}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._start()

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # A copy would be another run.
        return self


def resume(
    path: str | os.PathLike[str],
    *,
    termination: Any = None,
    verbose: bool = False,
    progress: bool = False,
    trusted: bool = False,
) -> Any:
    """Continue a run from its checkpoint, exactly as if it had never stopped.

    Parameters
    ----------
    path
        A file written by `Checkpoint`.
    termination
        When the continued run ends, by default as the original run: as for ``minimize``, one of
        pymoo's terminations or a tuple such as ``("n_gen", 400)``.
    verbose
        Whether to print pymoo's table of generations.
    progress
        Whether to show pymoo's progress bar.
    trusted
        Whether to load a file that this user did not write on this machine. A checkpoint is a
        pickle, which can run any code when loaded: pass True only if you trust its source.

    Returns
    -------
    Result
        pymoo's result, as from ``minimize``.

    Examples
    --------
    Four generations of mutation, and then six more:

    >>> import tempfile
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, RuleSetProblem, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     saved = Checkpoint(f"{folder}/run.checkpoint")
    ...     res = minimize(problem, MINOTAUR(n_gen=4), seed=1, callback=saved)
    ...     longer = resume(saved.path, termination=("n_gen", 11))
    >>> res.algorithm.evaluator.n_eval, longer.algorithm.evaluator.n_eval
    (240, 480)
    """
    checkpoint = Checkpoint(path)
    try:
        algorithm = checkpoint.load(trusted=check_flag("trusted", trusted))
        callback = algorithm.callback
        if isinstance(callback, Checkpoint) and callback.path == checkpoint.path:
            # Keep the lock.
            callback._file = checkpoint._file
        algorithm.display = Display(algorithm.output, verbose=verbose, progress=progress)
        if termination is not None:
            change_termination(algorithm, as_termination(termination))
        res = algorithm.run()
    finally:
        checkpoint.close()
    res.algorithm = algorithm
    return res


def change_termination(algorithm: Any, termination: Any) -> None:
    """Let a loaded algorithm end by another termination.

    Parameters
    ----------
    algorithm
        The algorithm, between two generations.
    termination
        One of pymoo's terminations.
    """
    # Terminations see an algorithm before the generation is counted.
    state = copy.copy(algorithm)
    state.n_iter = algorithm.n_iter - 1
    # A limit of time counts from now on.
    algorithm.start_time = state.start_time = time.time()
    algorithm.termination = termination
    algorithm.termination.update(state)


def _ready_for_next(algorithm: Any) -> Any:
    """The state of an algorithm after the current generation.

    pymoo calls callbacks before it counts the generation and updates the archive.
    """
    state = copy.copy(algorithm)
    state.n_iter = algorithm.n_iter + 1
    if state.archive is not None and state.off is not None:
        state.archive = state.archive.add(state.off)
    return state
