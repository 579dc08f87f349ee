#!/usr/bin/env -S uv run --script
# /// script
# dependencies = ["nox"]
# ///
"""The checks of .ci/run one by one, each in its own environment: `nox -s tests`."""

import nox

nox.needs_version = ">=2024.4.15"
nox.options.default_venv_backend = "uv|virtualenv"


@nox.session
def lint(session: nox.Session) -> None:
    """Lint, check the format, types and layers."""
    session.install("-e", ".[dev]")
    session.run("ruff", "check", ".")
    session.run("ruff", "format", "--check", ".")
    session.run("mypy")
    session.run("lint-imports")


@nox.session(python=["3.11", "3.12", "3.13"])
def tests(session: nox.Session) -> None:
    """Run the tests; arguments after -- are passed to pytest."""
    session.install("-e", ".[dev]")
    session.run("python", "-m", "pytest", *session.posargs)


@nox.session
def docs(session: nox.Session) -> None:
    """Build the site."""
    session.install("-e", ".[docs]")
    session.run("python", "-m", "zensical", "build", "--strict", "--clean")


if __name__ == "__main__":
    nox.main()
