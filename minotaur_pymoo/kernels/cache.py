"""Compiled kernels on disk, on machines as they are: read-only, full, or with damaged files."""

from __future__ import annotations

import hashlib
import logging
from pathlib import Path
from typing import Any

from numba.core.caching import FunctionCache, IndexDataCacheFile
from numba.core.dispatcher import Dispatcher

logger = logging.getLogger("minotaur_pymoo")

_problems: list[str] = []


def store_on_disk(kernel: Any) -> None:
    """Let a kernel store its machine code on disk, where that is possible.

    Parameters
    ----------
    kernel
        What numba made of a function; without effect if numba is disabled.
    """
    if not isinstance(kernel, Dispatcher):
        return
    dispatcher: Any = kernel
    try:
        dispatcher._cache = KernelCache(dispatcher.py_func)
    # numba finds no folder it can write to, or none at all if the working folder is gone.
    except (RuntimeError, OSError) as error:
        _problems.append(str(error))


def mention_problem() -> None:
    """Say once per process that compiled code is not stored, if so."""
    if _problems and _problems[0]:
        logger.warning(
            "minotaur_pymoo cannot store compiled code, and compiles in every process: set"
            " NUMBA_CACHE_DIR to a folder that it can write to."
        )
        _problems[0] = ""


def source_stamp(folder: Path) -> str:
    """A hash of all source files of a folder.

    Parameters
    ----------
    folder
        The folder with the kernels.
    """
    digest = hashlib.sha256()
    for path in sorted(folder.glob("*.py")):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


class KernelCache(FunctionCache):  # type: ignore[misc]
    """numba's cache, valid for the source of all kernels, that never stops a search.

    numba looks at the file of a function only, and would keep what other kernels had compiled into
    it before they changed.

    Parameters
    ----------
    function
        The kernel as a Python function.
    """

    def __init__(self, function: Any) -> None:
        super().__init__(function)
        self._cache_file = IndexDataCacheFile(
            cache_path=self._cache_path,
            filename_base=self._impl.filename_base,
            source_stamp=_STAMP,
        )

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Stored machine code, or None; damaged files count as none."""
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling damaged files raises anything
            self._repair()
            return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Store machine code; on a full disk, go on without."""
        try:
            super().save_overload(sig, data)
        except Exception as error:
            _problems.append(str(error) or type(error).__name__)
            mention_problem()

    def _repair(self) -> None:
        """Forget all that is stored of this kernel."""
        try:
            self.flush()
        except OSError as error:
            _problems.append(str(error))


_STAMP = source_stamp(Path(__file__).parent)
