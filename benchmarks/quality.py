"""Test F1 of the classifier, for the chosen model and at rule budgets, compared with others.

``python -m benchmarks.quality`` prints tables of means over folds and runs. The first describes the
model that the classifier chooses: micro-averaged F1 on the test fold with its standard error over
folds, the number of rules, tests per rule, and CPU seconds of the fit; then those of the tuned CART
in all sizes, and BOOMER's F1 with few rules and a tuned threshold, CPU seconds, and how much higher
the chosen model scores on the same folds.

The second compares, at each rule budget, the classifier's best model by training objective with the
*tuned CART*: one multi-output scikit-learn tree with as many leaves, and one probability threshold
that maximises micro-F1 on the training data. Categorical features are one-hot encoded for it. The
third table counts the datasets on which the classifier is at least as good.

``--held-out`` makes the same comparison without the test folds, to choose settings by: a quarter of
each training fold is held out and scored on. ``--set`` changes a parameter of the classifier,
``--json`` saves all results, and ``python -m benchmarks.compare`` compares two such files. Results
are stored by code, settings and data, so they are never mixed.
"""

from __future__ import annotations

import argparse
import json
import sys
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks import quality_report
from benchmarks.data import SHAPES, identity
from benchmarks.quality_methods import BUDGETS, CART, OURS, boomer, run_other, run_ours
from benchmarks.runner import (
    Result,
    Task,
    add_options,
    fingerprint,
    grid,
    integer,
    package_sources,
    run_grid,
    versions,
)
from minotaur_pymoo.estimator.classifier import MinotaurClassifier
from minotaur_pymoo.support.files import make_folder, write_atomically

# Parameters that the benchmark sets itself.
_FIXED = ("random_state", "categorical_features", "n_jobs", "verbose", "callback")


def main(arguments: list[str] | None = None) -> None:
    """Run the comparison and print its tables."""
    args = parse(arguments)
    settings = {"search": args.search, **dict(args.set)}
    if args.n_gen is not None:
        settings["n_gen"] = args.n_gen
    if args.json is not None:
        make_folder(args.json.absolute().parent)
    code = fingerprint("")
    results = compute(args, settings)
    if fingerprint("") != code:
        print(f"the package has changed since the start, with code {code}", file=sys.stderr)
    content: dict[str, Any] = {
        "code": code,
        "settings": settings,
        "split": split_name(args),
        "budgets": BUDGETS,
        "data": {
            name: identity(name, generated=args.generated) for name in args.datasets.split(",")
        },
        "results": [
            {"method": t.method, "dataset": t.dataset, "fold": t.fold, "run": t.run, **result}
            for t, result in results.items()
        ],
    }
    print("\n".join(quality_report.lines(content, args.boomer_rules)))
    if args.json is not None:
        write_atomically(args.json, json.dumps(content, indent=1).encode())


def parse(arguments: list[str] | None) -> argparse.Namespace:
    """Read and check the options."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.quality", description=__doc__)
    parser.add_argument("--search", choices=["guided", "paper"], default="guided")
    parser.add_argument("--n-gen", type=integer(0), help="generations, if not the default number")
    parser.add_argument(
        "--set",
        type=setting,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="a parameter of the classifier, as JSON or text; repeatable",
    )
    parser.add_argument(
        "--held-out", action="store_true", help="score on a part of the training folds instead"
    )
    parser.add_argument(
        "--split-seed", type=integer(0), default=0, help="seed of that part, to repeat with others"
    )
    parser.add_argument(
        "--boomer-rules",
        type=lambda text: [integer(1)(word) for word in text.split(",")],
        default=[16],
        help="BOOMER's number of rules, or several separated by commas (default: 16)",
    )
    parser.add_argument("--without", choices=["boomer"], help="a method to leave out")
    parser.add_argument("--json", type=Path, help="file to save all results in")
    add_options(parser, runs=1, other=True)
    args = parser.parse_args(arguments)
    if args.generated:
        names = [name for name in args.datasets.split(",") if name in SHAPES]
        if not names:
            parser.error("only the paper's datasets can be generated")
        args.datasets = ",".join(names)
    if args.without == "boomer":
        args.boomer_rules = []
    elif not versions("mlrl-boomer"):
        parser.error("BOOMER is not installed: install the extra 'bench', or add --without boomer")
    return args


def setting(text: str) -> tuple[str, Any]:
    """Read a parameter of the classifier and its value.

    Examples
    --------
    >>> setting("pop_size=40"), setting("choice=best"), setting("soft_labels=false")
    (('pop_size', 40), ('choice', 'best'), ('soft_labels', False))
    """
    name, equals, value = text.partition("=")
    known = set(MinotaurClassifier().get_params()) - set(_FIXED)
    if not equals or name not in known:
        raise argparse.ArgumentTypeError(
            f"must be NAME=VALUE with one of {', '.join(sorted(known))}, not {text!r}"
        )
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value


def split_name(args: argparse.Namespace) -> str:
    """What the results are scored on."""
    return f"held-out data, seed {args.split_seed}" if args.held_out else "test folds"


def compute(args: argparse.Namespace, settings: dict[str, Any]) -> dict[Task, Result]:
    """Run all methods."""
    split_seed = args.split_seed if args.held_out else None
    here = Path(__file__)
    sources = [here.with_name(name) for name in ("quality_methods.py", "methods.py", "cart.py")]
    ours = run_grid(
        grid([OURS], args),
        partial(run_ours, split_seed=split_seed, settings=settings),
        f"quality, {split_name(args)}, {json.dumps(settings, sort_keys=True)},"
        f" {versions('numpy', 'numba', 'pymoo', 'scikit-learn')}",
        args,
        [*sources, *package_sources()],
    )
    # The other methods depend neither on the package nor on the settings.
    others = [CART, *(boomer(n_rules) for n_rules in args.boomer_rules)]
    return ours | run_grid(
        grid(others, args, n_runs=1),
        partial(run_other, split_seed=split_seed),
        f"quality, {split_name(args)}, {versions('scikit-learn', 'mlrl-boomer')}",
        args,
        sources,
    )


if __name__ == "__main__":
    main()
