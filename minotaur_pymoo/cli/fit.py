"""``minotaur-pymoo fit``."""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import export
from minotaur_pymoo.cli.options import add_data_arguments, add_search_arguments, load_data
from minotaur_pymoo.cli.output import check_folder, front_table
from minotaur_pymoo.cli.searching import search

SUMMARY = "search rule sets for a dataset and save the front"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_data_arguments(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="MODEL.json",
        help="the file to save the front to",
    )
    add_search_arguments(parser)


def run(args: Namespace) -> int:
    """Search, save the front, and print it with the chosen model."""
    data = load_data(args)
    check_folder(args.output)
    saved, interrupted = search(args, data)
    export.save(args.output, saved)
    print(front_table(saved))
    print(f"\n{export.to_text(saved.model)}\nSaved to {args.output}.")
    if interrupted:
        print("The search was interrupted: this is the front found so far.", file=sys.stderr)
        return 1
    return 0
