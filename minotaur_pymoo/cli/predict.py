"""``minotaur-pymoo predict``."""

from __future__ import annotations

import csv
import io
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import datasets
from minotaur_pymoo.cli.options import add_model_arguments, add_separator_argument, load_models
from minotaur_pymoo.cli.output import check_output
from minotaur_pymoo.support.files import write_atomically
from minotaur_pymoo.support.messages import one_line

# Where a spreadsheet expects a formula.
_FORMULA = tuple("=+-@")

SUMMARY = "predict the labels of a dataset, as CSV"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model_arguments(parser)
    parser.add_argument("data", metavar="DATA", help="the dataset, with or without labels")
    add_separator_argument(parser)
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.csv",
        help="the file to save the predictions to (default: print them)",
    )
    parser.add_argument(
        "--proba", action="store_true", help="probabilities instead of 0 and 1 (default: 0 and 1)"
    )


def run(args: Namespace) -> int:
    """Print or save predictions."""
    check_output(args.output, model=args.model, data=args.data)
    model = load_models(args).model
    X = datasets.load_features(args.data, model.schema, delimiter=args.sep)
    # Smoothed as those of the classifier.
    predicted = model.predict_proba(X, prior_weight=1.0) if args.proba else model.predict(X)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(map(_heading, model.schema.label_names))
    writer.writerows(predicted.tolist())
    if args.output is None:
        sys.stdout.write(text.getvalue())
    else:
        write_atomically(args.output, text.getvalue().encode())
        print(f"Saved {len(predicted)} predictions to {one_line(str(args.output))}.")
    return 0


def _heading(name: str) -> str:
    """Return the name of a label for a cell that no spreadsheet takes for a formula."""
    line = one_line(name)
    return f"'{line}" if line.lstrip()[:1] in _FORMULA else line
