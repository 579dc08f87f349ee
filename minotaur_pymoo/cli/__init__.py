"""The command line, ``minotaur-pymoo``: one module per command."""

from minotaur_pymoo.cli.parser import main

__all__ = ["main"]
