"""``minotaur-pymoo evaluate``."""

from __future__ import annotations

from argparse import ArgumentParser, Namespace

from minotaur_pymoo import datasets
from minotaur_pymoo.cli.options import add_model_arguments, add_separator_argument, load_models
from minotaur_pymoo.support.metrics import METRICS

SUMMARY = "print the scores of a saved model on a dataset"


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of this command."""
    add_model_arguments(parser)
    parser.add_argument("data", metavar="DATA", help="the dataset, with labels")
    add_separator_argument(parser)


def run(args: Namespace) -> int:
    """Print the size of a model, its scores and its coverage."""
    model = load_models(args).model
    X, Y = datasets.load_labelled(args.data, model.schema, delimiter=args.sep)
    predicted = model.predict(X)
    print(f"{len(Y)} instances, {model.n_rules} rules, {model.n_tests} tests")
    for name, metric in METRICS.items():
        print(f"{name:<16}{metric(Y, predicted):.4f}")
    print(f"{'coverage':<16}{(model.apply(X) >= 0).mean():.4f}")
    return 0
