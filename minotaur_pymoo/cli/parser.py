"""The command line: ``minotaur-pymoo``, or ``python -m minotaur_pymoo``."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from collections.abc import Sequence
from pathlib import Path

from minotaur_pymoo.cli import commands
from minotaur_pymoo.estimator.selection import CHOICES
from minotaur_pymoo.kernels.jit import log_to_stderr
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError

_EXAMPLES = """\
examples:
  minotaur-pymoo demo
  minotaur-pymoo describe emotions.arff
  minotaur-pymoo fit emotions-train.arff -o model.json --seed 1
  minotaur-pymoo fit songs.csv --labels mood_ -o model.json --max-rules 8
  minotaur-pymoo show model.json --format markdown
  minotaur-pymoo evaluate model.json emotions-test.arff
  minotaur-pymoo predict model.json new.csv -o predicted.csv
  minotaur-pymoo front model.json -o front.html --test emotions-test.arff

DATA is a file that ends in .arff (MULAN's XML file beside it names the labels), .csv or .npz, or
openml:NAME, skmultilearn:NAME or demo.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code: 0, 1 for an error, 2 for wrong usage.

    Examples
    --------
    >>> main(["describe", "demo"])
    garden
      instances            600
      ...
    0
    """
    given = _parser().parse_args(arguments)
    log_to_stderr()
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names may hold what the terminal cannot show.
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        code: int = given.run(given)
        sys.stdout.flush()
    except (InputError, InconsistentRulesError) as error:
        print(f"minotaur-pymoo: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("minotaur-pymoo: interrupted before there was anything to save.", file=sys.stderr)
        return 1
    except BrokenPipeError:
        # Whoever read the output has enough of it.
        _forget_output()
        return 0
    except OSError as error:
        _forget_output()
        what = error.filename or "the output"
        print(f"minotaur-pymoo: {what} cannot be used: {error.strerror}.", file=sys.stderr)
        return 1
    return code


def _forget_output() -> None:
    """Nothing more is written; Python would try, and complain, once more at its end."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="minotaur-pymoo",
        description="Small, consistent, multi-label rule sets: a whole Pareto front of them.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    adding = parser.add_subparsers(required=True, metavar="COMMAND")

    demo = _command(adding, "demo", "search rule sets for generated data and show what comes out")
    demo.add_argument(
        "-o",
        "--output",
        type=Path,
        default=Path("minotaur-demo"),
        metavar="FOLDER",
        help="where to save the picture, the page and the models (default: %(default)s)",
    )
    _add_search(demo)

    describe = _command(adding, "describe", "tell what a dataset looks like")
    _add_data(describe)

    fit = _command(adding, "fit", "search rule sets for a dataset and save the front")
    _add_data(fit)
    fit.add_argument("-o", "--output", type=Path, required=True, metavar="MODEL.json")
    _add_search(fit)

    show = _command(adding, "show", "print a saved model")
    _add_model(show)
    show.add_argument("--format", choices=list(commands.FORMATS), default="text")
    show.add_argument("--all", action="store_true", help="the whole front, a line for each model")

    predict = _command(adding, "predict", "predict labels, as CSV")
    _add_model(predict)
    predict.add_argument("data", metavar="DATA", help="features; labels need not be there")
    predict.add_argument("-o", "--output", type=Path, metavar="FILE.csv")
    predict.add_argument("--proba", action="store_true", help="frequencies instead of 0 and 1")

    evaluate = _command(adding, "evaluate", "print how well a saved model does on a dataset")
    _add_model(evaluate)
    evaluate.add_argument("data", metavar="DATA")

    front = _command(adding, "front", "draw the front, as a picture or a page")
    front.add_argument("model", type=Path, metavar="MODEL.json")
    front.add_argument("-o", "--output", type=Path, required=True, metavar="FILE.html|.png|.svg")
    front.add_argument("--test", metavar="DATA", help="other data to count on, for the page")
    return parser


def _command(adding: argparse._SubParsersAction, name: str, does: str) -> argparse.ArgumentParser:  # type: ignore[type-arg]
    command: argparse.ArgumentParser = adding.add_parser(name, help=does, description=f"{does}.")
    command.set_defaults(run=getattr(commands, name))
    return command


def _add_data(command: argparse.ArgumentParser) -> None:
    command.add_argument("data", metavar="DATA")
    command.add_argument(
        "--labels",
        type=_labels,
        help="how many of the last columns are labels (negative: of the first), their names"
        " separated by commas, or the prefix of their names",
    )
    command.add_argument("--xml", type=Path, help="MULAN's XML file, if it has another name")


def _add_model(command: argparse.ArgumentParser) -> None:
    command.add_argument("model", type=Path, metavar="MODEL.json")
    command.add_argument(
        "--number", type=int, metavar="N", help="model number N of the front, not the chosen one"
    )


def _add_search(command: argparse.ArgumentParser) -> None:
    group = command.add_argument_group("search")
    group.add_argument("--search", choices=["guided", "paper"], default="guided")
    group.add_argument("--generations", type=int, default=200, metavar="N")
    group.add_argument("--population", type=int, default=80, metavar="N")
    group.add_argument("--offspring", type=int, default=40, metavar="N")
    group.add_argument(
        "--target-coverage", type=_count_or_auto, default="auto", metavar="N", help="of paper"
    )
    group.add_argument(
        "--min-coverage", type=_count_or_auto, default="auto", metavar="N", help="of guided"
    )
    group.add_argument("--runs", type=int, default=1, metavar="N", help="searches to be merged")
    group.add_argument("--jobs", type=int, default=1, metavar="N", help="searches at once")
    group.add_argument("--seed", type=int, default=1, metavar="N")
    group = command.add_argument_group("choice of the model")
    group.add_argument("--choice", choices=["auto", *CHOICES], default="auto")
    group.add_argument("--max-rules", type=int, metavar="N")
    group.add_argument("--validation-fraction", type=float, default=0.25, metavar="X")


def _labels(text: str) -> int | str | list[str]:
    try:
        return int(text)
    except ValueError:
        return text.split(",") if "," in text else text


def _count_or_auto(text: str) -> int | str:
    return text if text == "auto" else int(text)


if __name__ == "__main__":
    sys.exit(main())
