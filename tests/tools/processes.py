"""Running a script as a user would, in a process of its own."""

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
    """What a script prints; it must succeed."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", START + script, *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout
