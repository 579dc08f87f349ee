"""The version of this package."""

from __future__ import annotations

from importlib import metadata


def installed_version() -> str:
    """Return the version of the installed package.

    Examples
    --------
    >>> installed_version() != ""
    True
    """
    try:
        return metadata.version("minotaur_pymoo")
    except metadata.PackageNotFoundError:
        return "unknown, because it is not installed"
