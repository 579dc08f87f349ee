"""``minotaur-pymoo front``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import datasets, export
from minotaur_pymoo.cli.options import add_separator_argument, load_front
from minotaur_pymoo.cli.output import draw_front
from minotaur_pymoo.support.files import check_writable, write_atomically
from minotaur_pymoo.support.messages import one_line

SUMMARY = "draw the front of saved models, as a picture or an interactive page"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument("model", type=Path, metavar="MODEL.json", help="models saved by fit")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        required=True,
        metavar="FILE.html|.png|.svg",
        help="the file to save the page or the picture to",
    )
    parser.add_argument(
        "--test",
        metavar="DATA",
        help="a dataset, such as test data, whose counts the page shows too (default: none)",
    )
    add_separator_argument(parser)


def run(args: Namespace) -> int:
    """Save a page or a picture of a front."""
    saved = load_front(args)
    test = None
    if args.test is not None:
        test = datasets.load_labelled(args.test, saved.model.schema, delimiter=args.sep)
    check_writable(args.output)
    if args.output.suffix.lower() in (".html", ".htm"):
        page = export.front_page(saved, test=test)
        write_atomically(args.output, page.encode())
    else:
        draw_front(saved, args.output)
    print(f"Saved to {one_line(str(args.output))}.")
    return 0
