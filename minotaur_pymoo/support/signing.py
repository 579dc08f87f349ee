"""Signatures by which a user's own files are told from those of others."""

from __future__ import annotations

import functools
import hashlib
import hmac
import os
import secrets
from pathlib import Path

from minotaur_pymoo.support.files import create_once


def sign(content: bytes) -> str:
    """Return a signature that only this user can make.

    It is made with a secret key, which is created on first use in the folder ``minotaur_pymoo`` of
    ``$XDG_STATE_HOME``, by default ``~/.local/state``. Where that cannot be written, the key is
    only known to this process.

    Parameters
    ----------
    content
        What to sign.

    Examples
    --------
    >>> is_own(b"mine", sign(b"mine")), is_own(b"changed", sign(b"mine"))
    (True, False)
    """
    return hmac.new(_key(_key_file()), content, hashlib.sha256).hexdigest()


def is_own(content: bytes, signature: str) -> bool:
    """Return whether this user made a signature of this content.

    Parameters
    ----------
    content
        What was signed.
    signature
        What `sign` returned, or anything else.
    """
    return hmac.compare_digest(sign(content).encode(), signature.encode(errors="replace"))


def _key_file() -> Path | None:
    try:
        state = os.environ.get("XDG_STATE_HOME") or Path.home() / ".local" / "state"
    except RuntimeError:  # no home folder
        return None
    return Path(state) / "minotaur_pymoo" / "checkpoint.key"


@functools.cache
def _key(path: Path | None) -> bytes:
    new = secrets.token_bytes(32)
    try:
        return new if path is None else create_once(path, new)
    except (OSError, ValueError):
        return new
