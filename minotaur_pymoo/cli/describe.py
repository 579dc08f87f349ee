"""``minotaur-pymoo describe``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from minotaur_pymoo.cli.options import add_data_arguments, load_data

SUMMARY = "print the size and the labels of a dataset"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_data_arguments(parser)


def run(args: Namespace) -> int:
    """Print a description of a dataset."""
    print(load_data(args).describe())
    return 0
