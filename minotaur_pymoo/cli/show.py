"""``minotaur-pymoo show``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace
from collections.abc import Callable

from minotaur_pymoo import export
from minotaur_pymoo.cli.options import add_model_arguments, load_models
from minotaur_pymoo.cli.output import front_table
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import is_harmless

SUMMARY = "print a saved model, or the whole front"

FORMATS: dict[str, Callable[[Model], str]] = {
    "text": export.to_text,
    "markdown": export.to_markdown,
    "latex": export.to_latex,
    "json": export.to_json,
    "python": export.to_python,
    "sql": export.to_sql,
}


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model_arguments(parser)
    parser.add_argument(
        "--format",
        choices=list(FORMATS),
        default="text",
        help="the format of the model (default: %(default)s)",
    )
    parser.add_argument(
        "--all",
        action="store_true",
        help="print the whole front, one line per model (default: the chosen model)",
    )


def run(args: Namespace) -> int:
    """Print a model or the front."""
    saved = load_models(args)
    text = front_table(saved) if args.all else FORMATS[args.format](saved.model)
    if not is_harmless(text):
        # SQL has no escapes for names; all other formats have.
        raise InputError(
            f"the {args.format} text has control characters in names, which could command the"
            f" terminal: rename them, or write export.to_{args.format}(model) to a file in Python."
        )
    print(text)
    return 0
