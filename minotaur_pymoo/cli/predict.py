"""``minotaur-pymoo predict``."""

from __future__ import annotations

import csv
import io
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

from minotaur_pymoo import datasets
from minotaur_pymoo.cli.options import add_model_arguments, load_models
from minotaur_pymoo.support.files import write_atomically

SUMMARY = "predict the labels of a dataset, as CSV"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model_arguments(parser)
    parser.add_argument("data", metavar="DATA", help="the dataset, with or without labels")
    parser.add_argument(
        "-o",
        "--output",
        type=Path,
        metavar="FILE.csv",
        help="the file to save the predictions to (default: print them)",
    )
    parser.add_argument("--proba", action="store_true", help="probabilities instead of 0 and 1")


def run(args: Namespace) -> int:
    """Print or save predictions."""
    model = load_models(args).model
    X = datasets.load_features(args.data, model.schema)
    predicted = model.predict_proba(X) if args.proba else model.predict(X)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(model.schema.label_names)
    writer.writerows(predicted.tolist())
    if args.output is None:
        sys.stdout.write(text.getvalue())
    else:
        # Lone surrogates, which JSON can hold and UTF-8 cannot, are written as escapes.
        write_atomically(args.output, text.getvalue().encode(errors="backslashreplace"))
        print(f"Saved {len(predicted)} predictions to {args.output}.")
    return 0
