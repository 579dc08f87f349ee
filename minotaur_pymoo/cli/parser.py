"""The parser and the entry point of the command line."""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import Any

from minotaur_pymoo.cli import demo, describe, evaluate, fit, front, predict, show
from minotaur_pymoo.cli.signals import Signals
from minotaur_pymoo.kernels.jit import log_to_stderr
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import one_line
from minotaur_pymoo.support.version import installed_version

_EXAMPLES = """\
examples:
  minotaur-pymoo demo
  minotaur-pymoo describe emotions.arff
  minotaur-pymoo fit emotions-train.arff -o model.json --seed 1
  minotaur-pymoo fit songs.csv --labels mood_ -o model.json --max-rules 8
  minotaur-pymoo fit large.csv.gz --labels 5 -o model.json --time-limit 01:00:00 --checkpoint run
  minotaur-pymoo show model.json --format markdown
  minotaur-pymoo evaluate model.json emotions-test.arff
  minotaur-pymoo predict model.json new.csv -o predicted.csv
  minotaur-pymoo front model.json -o front.html --test emotions-test.arff

DATA is a file that ends in .arff (MULAN's XML file beside it names the labels), .csv, .tsv,
.csv.gz or .npz, or river:yeast, openml:NAME or demo.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code.

    The code is 0, 1 for an error, 2 for wrong usage, or 128 plus the number of a signal that ended
    the command.

    Parameters
    ----------
    arguments
        The arguments after the name of the program; None takes those of the process.
    """
    args = create_parser().parse_args(arguments)
    log_to_stderr()
    if sys.stdout is None:
        # It is closed; whatever is opened next must not become stdout instead.
        sys.stdout = os.fdopen(os.open(os.devnull, os.O_WRONLY), "w")
    if isinstance(sys.stdout, io.TextIOWrapper):
        # Names may contain characters that the terminal cannot encode.
        sys.stdout.reconfigure(errors="backslashreplace")
    signals = Signals()
    with signals.raise_interrupts():
        return signals.exit_code(_run(args))


def _run(args: argparse.Namespace) -> int:
    try:
        with warnings.catch_warnings():
            warnings.showwarning = _show_warning
            code: int = args.run(args)
        sys.stdout.flush()
    except (InputError, InconsistentRulesError) as error:
        return _fail(str(error))
    except MemoryError:
        return _fail("there is not enough memory: use fewer rows or columns, or smaller models.")
    except KeyboardInterrupt:
        _fail("interrupted before there was anything to save.")
        return 128 + signal.SIGINT
    except BrokenPipeError:
        # The reader closed the pipe.
        _discard_output()
        return 0
    except OSError as error:
        _discard_output()
        return _fail(f"{error.filename or 'the output'} cannot be used: {error.strerror}.")
    return code


def create_parser() -> argparse.ArgumentParser:
    """Create the parser with all commands.

    ``args.command`` is the name of the command, and ``args.run`` its function.
    """
    parser = argparse.ArgumentParser(
        prog="minotaur-pymoo",
        description="Small, consistent, multi-label rule sets: a whole Pareto front of them.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument(
        "--version",
        action="version",
        version=f"%(prog)s {installed_version()}",
        help="print the version and exit",
    )
    subparsers = parser.add_subparsers(required=True, metavar="COMMAND")
    for command in (demo, describe, fit, show, predict, evaluate, front):
        name = command.__name__.rpartition(".")[2]
        summary = command.SUMMARY
        subparser = subparsers.add_parser(name, help=summary, description=f"{summary}.")
        command.add_arguments(subparser)
        subparser.set_defaults(run=command.run, command=name)
    return parser


def _fail(message: str) -> int:
    with contextlib.suppress(OSError):  # the terminal may be gone
        print(f"minotaur-pymoo: {message}", file=sys.stderr)
    return 1


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """Print a warning without the line of code that it comes from."""
    print(f"minotaur-pymoo: warning: {one_line(str(message))}", file=sys.stderr)


def _discard_output() -> None:
    """Redirect stdout to nowhere; flushing it at exit would fail again."""
    with contextlib.suppress(OSError, ValueError):
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


if __name__ == "__main__":
    sys.exit(main())
