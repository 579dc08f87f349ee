"""``minotaur-pymoo demo``."""

from __future__ import annotations

import contextlib
from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import datasets, export
from minotaur_pymoo.cli.options import add_search_arguments
from minotaur_pymoo.cli.output import draw_front, front_table
from minotaur_pymoo.cli.saving import save_front
from minotaur_pymoo.cli.searching import search
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_writable, make_folder, write_atomically
from minotaur_pymoo.support.messages import one_line

SUMMARY = "search rule sets for the embedded dataset and show the results"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("minotaur-demo"),
        metavar="FOLDER",
        help="the folder to save the picture, the page and the models to (default: %(default)s)",
    )
    add_search_arguments(parser)


def run(args: Namespace) -> int:
    """Search, print the front with the chosen model, and save all results."""
    data = datasets.load_demo()
    print(f"{data.describe()}\n")
    folder = make_folder(args.output)
    models = folder / "model.json"
    try:
        check_writable(models)
        saved = search(args, data, lambda saved: save_front(models, saved))
    except (InputError, KeyboardInterrupt):
        with contextlib.suppress(OSError):  # it holds something
            folder.rmdir()
        raise
    draw_front(saved, folder / "front.png")
    page = export.front_page(saved, title="What thrives in which garden")
    write_atomically(folder / "front.html", page.encode())
    print(front_table(saved))
    print(f"\nThe chosen model, marked with * above:\n\n{export.to_text(saved.model)}")
    shown = Path(one_line(str(folder)))
    print(f"A picture of the front:  {shown / 'front.png'}")
    print(f"A page to explore it:    {shown / 'front.html'}")
    print(f"The models:              {shown / models.name}")
    return 0
