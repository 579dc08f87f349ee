"""Scripts in a new process, as a user would run them."""

from __future__ import annotations

import subprocess
import sys

START = """
from pymoo.optimize import minimize
from minotaur_pymoo import *
garden = load_demo(150)
problem = RuleSetProblem(garden.X, garden.Y)
"""


def output_of(script: str, *arguments: str) -> str:
    """Run a script, which must succeed, and return its output."""
    process = subprocess.run(  # noqa: S603
        [sys.executable, "-c", START + script, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0, process.stderr
    return process.stdout
