"""Options that several commands share."""

from __future__ import annotations

import argparse
from pathlib import Path

from minotaur_pymoo import datasets, export
from minotaur_pymoo.datasets.loading import is_source
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.support.errors import InputError

# Not imported from the estimator and the search, which take a second to import; a test compares
# them.
CHOICES = ("near-best", "cv", "validation", "best", "knee")
OBJECTIVES = (
    "micro_f1",
    "macro_f1",
    "example_f1",
    "subset_accuracy",
    "coverage",
    "hamming_loss",
    "n_rules",
    "n_tests",
    "n_features_used",
)


def add_data_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a dataset and the options that tell its labels.

    Parameters
    ----------
    parser
        The parser of a command.
    """
    parser.add_argument("data", metavar="DATA", help="the dataset")
    parser.add_argument(
        "--labels",
        type=_labels,
        help="the labels: how many of the last columns (negative: of the first), their names"
        " separated by commas, or the prefix of their names (default: what DATA says itself)",
    )
    parser.add_argument(
        "--xml",
        type=Path,
        metavar="FILE",
        help="MULAN's XML file with the names of the labels (default: the one beside DATA)",
    )
    parser.add_argument(
        "--drop",
        type=_names,
        default=(),
        metavar="NAMES",
        help="features or labels to leave out, separated by commas (default: none)",
    )
    add_separator_argument(parser)


def add_separator_argument(parser: argparse.ArgumentParser) -> None:
    """Add the option that tells the separator of CSV files.

    Parameters
    ----------
    parser
        The parser of a command.
    """
    parser.add_argument(
        "--sep",
        type=lambda text: "\t" if text in ("\\t", "tab") else text,
        metavar="CHARACTER",
        help="the character between the cells of a CSV file, 'tab' for a tab (default: detected"
        " among comma, semicolon, tab and bar)",
    )


def load_data(args: argparse.Namespace) -> datasets.Dataset:
    """Load the dataset of `add_data_arguments`.

    Parameters
    ----------
    args
        The parsed arguments.
    """
    data = datasets.load(args.data, args.labels, xml=args.xml, delimiter=args.sep)
    return data.drop(args.drop) if args.drop else data


def add_model_arguments(parser: argparse.ArgumentParser) -> None:
    """Add a saved front and the option that chooses another of its models.

    Parameters
    ----------
    parser
        The parser of a command.
    """
    parser.add_argument("model", type=Path, metavar="MODEL.json", help="models saved by fit")
    parser.add_argument(
        "--number",
        type=int,
        metavar="N",
        help="use model N of the front, numbered from 0 (default: the chosen one)",
    )


def load_front(args: argparse.Namespace) -> SavedModels:
    """Load the saved front that a command takes first.

    Parameters
    ----------
    args
        The parsed arguments.
    """
    try:
        return export.load(args.model)
    except InputError as error:
        if not is_source(args.model):
            raise
        data = " DATA" if "data" in args else ""
        raise InputError(
            f"{args.model} looks like data, not like a saved model: pass the model first, as in"
            f" 'minotaur-pymoo {args.command} MODEL.json{data}'."
        ) from error


def load_models(args: argparse.Namespace) -> SavedModels:
    """Load the saved front of `add_model_arguments`.

    Parameters
    ----------
    args
        The parsed arguments.
    """
    saved = load_front(args)
    if args.number is None:
        return saved
    if not 0 <= args.number < len(saved.models):
        raise InputError(
            f"there is no model number {args.number}: they are numbered 0 to"
            f" {len(saved.models) - 1}, see 'show --all'."
        )
    return SavedModels(saved.models, args.number, saved.scores)


def add_search_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of a search, and of the choice of a model.

    Parameters
    ----------
    parser
        The parser of a command.
    """
    group = parser.add_argument_group("search")
    group.add_argument(
        "--search",
        choices=["guided", "paper"],
        default="guided",
        help="the kind of search (default: %(default)s)",
    )
    for option, default, text in (
        ("--n-gen", 200, "number of generations"),
        ("--pop-size", 80, "number of rule sets in the population"),
        ("--n-offsprings", 40, "number of mutants in each generation"),
    ):
        group.add_argument(
            option, type=int, default=default, metavar="N", help=f"{text} (default: %(default)s)"
        )
    group.add_argument(
        "--time-limit",
        type=_seconds,
        metavar="TIME",
        help="end the search after this many seconds, or hours:minutes:seconds, if --n-gen"
        " generations take longer; several runs, and the folds of --choice cv, share the time"
        " (default: no limit)",
    )
    group.add_argument(
        "--objectives",
        type=_names,
        default=("micro_f1", "n_rules"),
        metavar="NAMES",
        help=f"what to optimise, separated by commas: {', '.join(OBJECTIVES)} (default:"
        " micro_f1,n_rules)",
    )
    group.add_argument(
        "--target-coverage",
        type=_count_or_auto,
        default="auto",
        metavar="N",
        help="number of instances around which a rule is grown, for --search paper"
        " (default: %(default)s)",
    )
    group.add_argument(
        "--min-coverage",
        type=_count_or_auto,
        default="auto",
        metavar="N",
        help="smallest number of instances that a rule may cover, for --search guided"
        " (default: %(default)s)",
    )
    group.add_argument(
        "--combine",
        choices=["auto", "scores", "means", "pairs", "none"],
        default="auto",
        help="whether rules may test combined features: scores, which are means of features that"
        " predict a label, means of similar features, or pairs, with sums and differences of such"
        " means; auto for scores if they clearly help on held-out data (default: %(default)s)",
    )
    for option, text in (
        ("--runs", "number of independent searches whose fronts are merged"),
        ("--jobs", "number of searches that run in parallel"),
        ("--seed", "seed of the random numbers"),
    ):
        group.add_argument(
            option, type=int, default=1, metavar="N", help=f"{text} (default: %(default)s)"
        )
    group.add_argument(
        "--checkpoint",
        type=Path,
        metavar="FILE",
        help="save the search to FILE every ten seconds; the same command continues it, or one"
        " with more --n-gen (default: no checkpoint)",
    )
    group.add_argument(
        "--trusted",
        action="store_true",
        help="load FILE even if another user or machine wrote it, which can run any code"
        " (default: only your own)",
    )
    group = parser.add_argument_group("choice of the model")
    group.add_argument(
        "--choice",
        choices=["auto", *CHOICES],
        default="auto",
        help="how the model is chosen from the front (default: %(default)s)",
    )
    group.add_argument(
        "--max-rules",
        type=int,
        metavar="N",
        help="search and choose only models of at most N rules (default: search up to 64)",
    )
    group.add_argument(
        "--validation-fraction",
        type=float,
        default=0.25,
        metavar="X",
        help="fraction of DATA that --choice validation holds out (default: %(default)s)",
    )


def _labels(text: str) -> int | str | list[str]:
    try:
        return int(text)
    except ValueError:
        return text.split(",") if "," in text else text


def _names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def _seconds(text: str) -> float:
    try:
        seconds = 0.0
        for part in text.split(":"):
            seconds = 60 * seconds + float(part)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a time: write seconds, such as 90, or hours:minutes:seconds"
        )
    return seconds


def _count_or_auto(text: str) -> int | str:
    try:
        return text if text == "auto" else int(text)
    except ValueError:
        message = f"{text!r} is not a number of instances: write a whole number, or auto"
        raise argparse.ArgumentTypeError(message) from None
