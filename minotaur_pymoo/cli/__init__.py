"""The command line."""

from minotaur_pymoo.cli.parser import main

__all__ = ["main"]
