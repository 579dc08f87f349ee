"""``minotaur-pymoo front``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import datasets, export
from minotaur_pymoo.cli.output import check_folder, draw_front
from minotaur_pymoo.support.files import write_atomically

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
    parser.add_argument("--test", metavar="DATA", help="a dataset on which the page counts as well")


def run(args: Namespace) -> int:
    """Save a page or a picture of a front."""
    saved = export.load(args.model)
    test = None if args.test is None else datasets.load_labelled(args.test, saved.model.schema)
    check_folder(args.output)
    if args.output.suffix.lower() in (".html", ".htm"):
        page = export.front_page(saved, title=args.model.stem, test=test)
        write_atomically(args.output, page.encode())
    else:
        draw_front(saved, args.output)
    print(f"Saved to {args.output}.")
    return 0
