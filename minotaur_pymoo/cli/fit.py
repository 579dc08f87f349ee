"""``minotaur-pymoo fit``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import export
from minotaur_pymoo.cli.options import add_data_arguments, add_search_arguments, load_data
from minotaur_pymoo.cli.output import check_output, front_table
from minotaur_pymoo.cli.saving import save_front
from minotaur_pymoo.cli.searching import search
from minotaur_pymoo.support.files import check_writable
from minotaur_pymoo.support.messages import one_line

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
    check_writable(args.output)
    check_output(args.output, data=args.data, checkpoint=args.checkpoint)
    data = load_data(args)
    saved = search(args, data, lambda saved: save_front(args.output, saved))
    print(front_table(saved))
    print(f"\n{export.to_text(saved.model)}\nSaved to {one_line(str(args.output))}.")
    return 0
