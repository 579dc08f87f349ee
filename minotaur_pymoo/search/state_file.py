"""The file that holds the state of a run: signed, and locked by the run that uses it."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import os
import pickle
from pathlib import Path
from typing import Any
from weakref import WeakValueDictionary

from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import write_and_lock
from minotaur_pymoo.support.locks import HAS_LOCKS, try_lock
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.reading import reraise_read_errors
from minotaur_pymoo.support.signing import is_own, sign

# Followed, on the same line, by the digest and the signature of the pickle.
_HEADER = b"minotaur_pymoo checkpoint 3 "
_LINE_LENGTH = len(_HEADER) + 64 + 1 + 64 + 1

# Which object of this process uses a file: a later run in the same process takes it over.
_users: WeakValueDictionary[Path, StateFile] = WeakValueDictionary()


class StateFile:
    """The file of a run's state, which no other run may use until it is closed.

    Parameters
    ----------
    path
        The file, which need not exist.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._descriptor: int | None = None
        self._was_taken_over = False

    def read(self, *, trusted: bool) -> Any:
        """Return the algorithm as it was saved, and lock the file.

        Parameters
        ----------
        trusted
            Whether to load a file that this user did not write. Loading it can run any code.
        """
        self._lock()
        with reraise_read_errors(self.path):
            content = self.path.read_bytes()
        if not content.startswith(_HEADER):
            raise InputError(
                f"{self.path} is not a checkpoint of this version of minotaur_pymoo: pass a file"
                " that its Checkpoint wrote."
            )
        line, body = content[:_LINE_LENGTH], content[_LINE_LENGTH:]
        digest, _, signature = line.removeprefix(_HEADER).decode(errors="replace").partition(" ")
        if digest != hashlib.sha256(body).hexdigest() or not signature.endswith("\n"):
            raise InputError(f"the checkpoint {self.path} is damaged: start a new run.")
        if not trusted and not is_own(body, signature.removesuffix("\n")):
            raise InputError(
                f"the checkpoint {self.path} was not written by this user on this machine, and"
                " loading it can run any code: pass trusted=True (--trusted on the command line) if"
                " you trust where it comes from."
            )
        try:
            algorithm = pickle.loads(body)  # noqa: S301 - signed by this user, or trusted
            if settings := getattr(algorithm, "archive_settings", None):
                vars(algorithm.archive).update(settings)
            return algorithm
        except Exception as error:
            raise InputError(
                f"the checkpoint {self.path} is from other versions of the libraries ({error}):"
                " start a new run."
            ) from error

    def write(self, algorithm: Any) -> None:
        """Save an algorithm that is ready for its next generation, and lock the file.

        Parameters
        ----------
        algorithm
            The algorithm.
        """
        try:
            body = pickle.dumps(_state_of(algorithm), pickle.HIGHEST_PROTOCOL)
        except (TypeError, AttributeError, pickle.PicklingError) as error:
            raise InputError(_why_not_pickled(algorithm, error)) from error
        self._lock()
        line = f"{hashlib.sha256(body).hexdigest()} {sign(body)}\n".encode()
        descriptor = write_and_lock(self.path, _HEADER + line + body)
        if not HAS_LOCKS and descriptor is not None:
            # Windows cannot replace open files.
            os.close(descriptor)
            descriptor = None
        self._close_descriptor()
        self._descriptor = descriptor

    def close(self) -> None:
        """Let other runs use the file."""
        self._close_descriptor()
        if _users.get(self.path) is self:
            del _users[self.path]

    def __del__(self) -> None:
        self._close_descriptor()

    def _lock(self) -> None:
        user = _users.get(self.path)
        if user is self:
            if not self._was_replaced():
                return
            raise self._used_by_another_run()
        if self._was_taken_over:
            raise self._used_by_another_run()
        if user is not None:
            user._was_taken_over = True
            user.close()
        while True:
            try:
                descriptor = os.open(self.path, os.O_RDONLY)
            except OSError:
                # Nothing to lock; reading or writing it says why.
                break
            if try_lock(descriptor) is False:
                os.close(descriptor)
                raise self._used_by_another_run()
            self._descriptor = descriptor
            if not HAS_LOCKS or not self._was_replaced():
                break
            self._close_descriptor()
        _users[self.path] = self

    def _was_replaced(self) -> bool:
        """Whether the file is no longer the one that is locked, and exists."""
        if self._descriptor is None:
            return False
        try:
            current = self.path.stat()
        except OSError:
            return False
        return not os.path.samestat(current, os.fstat(self._descriptor))

    def _used_by_another_run(self) -> InputError:
        return InputError(
            f"another run uses the checkpoint {self.path}: wait until it ends, or choose another"
            " file."
        )

    def _close_descriptor(self) -> None:
        if self._descriptor is not None:
            with contextlib.suppress(OSError):
                os.close(self._descriptor)
            self._descriptor = None


def _state_of(algorithm: Any) -> Any:
    state = copy.copy(algorithm)
    # A progress bar holds a running generator.
    state.display = None
    if state.archive is not None:
        # numpy pickles its arrays without the attributes of subclasses.
        state.archive_settings = vars(state.archive)
    return state


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
