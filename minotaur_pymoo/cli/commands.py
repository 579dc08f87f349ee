"""What the commands of the command line do."""

from __future__ import annotations

import csv
import io
import sys
from argparse import Namespace
from collections.abc import Callable
from pathlib import Path

from minotaur_pymoo import datasets, export
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import make_folder, write_atomically
from minotaur_pymoo.support.messages import one_line
from minotaur_pymoo.support.metrics import METRICS

FORMATS: dict[str, Callable[[Model], str]] = {
    "text": export.to_text,
    "markdown": export.to_markdown,
    "latex": export.to_latex,
    "json": export.to_json,
}


def describe(given: Namespace) -> int:
    """Tell what a dataset looks like."""
    print(datasets.load(given.data, given.labels, xml=given.xml).describe())
    return 0


def fit(given: Namespace) -> int:
    """Search rule sets for a dataset and save the front."""
    data = datasets.load(given.data, given.labels, xml=given.xml)
    _check_folder(given.output)
    saved, interrupted = _search(given, data)
    export.save(given.output, saved)
    print(front_table(saved))
    print(f"\n{export.to_text(saved.model)}\nSaved to {given.output}.")
    if interrupted:
        print("The search was interrupted: this is the front it had so far.", file=sys.stderr)
        return 1
    return 0


def predict(given: Namespace) -> int:
    """Predict the labels of a dataset, as CSV."""
    model = _pick(export.load(given.model), given).model
    X = datasets.load_features(given.data, model.schema)
    predicted = model.predict_proba(X) if given.proba else model.predict(X)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(model.schema.label_names)
    writer.writerows(predicted.tolist())
    if given.output is None:
        sys.stdout.write(text.getvalue())
    else:
        # Half characters, which JSON can hold and UTF-8 cannot, stay as JSON spells them.
        write_atomically(given.output, text.getvalue().encode(errors="backslashreplace"))
        print(f"Saved {len(predicted)} predictions to {given.output}.")
    return 0


def show(given: Namespace) -> int:
    """Print a saved model, or the whole front."""
    saved = _pick(export.load(given.model), given)
    if given.all:
        print(front_table(saved))
    else:
        print(FORMATS[given.format](saved.model))
    return 0


def evaluate(given: Namespace) -> int:
    """Print how well a saved model does on a dataset."""
    saved = _pick(export.load(given.model), given)
    X, Y = datasets.load_labelled(given.data, saved.model.schema)
    predicted = saved.model.predict(X)
    print(f"{len(Y)} instances, {saved.model.n_rules} rules, {saved.model.n_tests} tests")
    for name, metric in METRICS.items():
        print(f"{name:<16}{metric(Y, predicted):.4f}")
    print(f"{'coverage':<16}{(saved.model.apply(X) >= 0).mean():.4f}")
    return 0


def front(given: Namespace) -> int:
    """Draw the front of a saved model, as a picture or as a page."""
    saved = export.load(given.model)
    test = None if given.test is None else datasets.load_labelled(given.test, saved.model.schema)
    _check_folder(given.output)
    if given.output.suffix.lower() in (".html", ".htm"):
        page = export.front_page(saved, title=given.model.stem, test=test)
        write_atomically(given.output, page.encode())
    else:
        draw_front(saved, given.output)
    print(f"Saved to {given.output}.")
    return 0


def demo(given: Namespace) -> int:
    """Search rule sets for the embedded data and save what there is to see."""
    data = datasets.load_demo()
    print(f"{data.describe()}\n")
    saved, _ = _search(given, data)
    folder = make_folder(given.output)
    draw_front(saved, folder / "front.png")
    page = export.front_page(saved, title="What thrives in which garden", test=None)
    write_atomically(folder / "front.html", page.encode())
    export.save(folder / "model.json", saved)
    print(front_table(saved))
    print(f"\nThe chosen model, * above:\n\n{export.to_text(saved.model)}")
    print(f"A picture of the front:  {folder / 'front.png'}")
    print(f"A page to explore it:    {folder / 'front.html'}")
    print(f"The models themselves:   {folder / 'model.json'}")
    return 0


def front_table(saved: SavedModels) -> str:
    """The models of a front, one a line, the chosen one marked.

    Examples
    --------
    >>> from minotaur_pymoo import Model
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> model = Model(Schema(("age",), ("old",)), (), ModelRule((), ("old",), 6, (4,)))
    >>> print(front_table(SavedModels((model,), 0, ({"micro_f1": 0.8},))))
           rules  tests  micro_f1
    *   0      0      0    0.8000
    """
    names = [name for name in saved.scores[0] if name not in ("n_rules", "n_tests")]
    lines = ["       rules  tests" + "".join(f"  {one_line(name):>8}" for name in names)]
    for place, (model, scores) in enumerate(zip(saved.models, saved.scores, strict=True)):
        mark = "*" if place == saved.chosen else " "
        columns = "".join(f"  {scores[name]:>{max(8, len(name))}.4f}" for name in names)
        lines.append(f"{mark} {place:>3}  {model.n_rules:>5}  {model.n_tests:>5}{columns}")
    return "\n".join(lines)


def draw_front(saved: SavedModels, path: Path) -> None:
    """Save a picture of the front."""
    # matplotlib takes long to import, and only pictures need it.
    from matplotlib.figure import Figure  # noqa: PLC0415

    from minotaur_pymoo.plots import plot_front  # noqa: PLC0415

    columns = {name: [scores[name] for scores in saved.scores] for name in saved.scores[0]}
    if "micro_f1" not in columns:
        raise InputError("the models were saved without their scores: fit and save them again.")
    columns["n_rules"] = [model.n_rules for model in saved.models]
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    plot_front(columns, chosen=saved.chosen, axes=figure.subplots())
    picture = io.BytesIO()
    kind = path.suffix.lower().removeprefix(".")
    if kind not in figure.canvas.get_supported_filetypes():
        raise InputError(f"{path} has no known format: end it in .html, .png, .svg or .pdf.")
    figure.savefig(picture, format=kind, dpi=150)
    write_atomically(path, picture.getvalue())


def _search(given: Namespace, data: datasets.Dataset) -> tuple[SavedModels, bool]:
    """The front of a fitted classifier, and whether the search was interrupted."""
    # scikit-learn takes long to import, and only the search needs it.
    from minotaur_pymoo.estimator import MinotaurClassifier  # noqa: PLC0415

    classifier = MinotaurClassifier(
        search=given.search,
        pop_size=given.population,
        n_offsprings=given.offspring,
        n_gen=given.generations,
        target_coverage=given.target_coverage,
        min_coverage=given.min_coverage,
        choice=given.choice,
        max_rules=given.max_rules,
        validation_fraction=given.validation_fraction,
        categorical_features=sorted(data.categories),
        n_runs=given.runs,
        n_jobs=given.jobs,
        random_state=given.seed,
        verbose="progress" if sys.stdout.isatty() else False,
    )
    classifier._fit(data.table(), data.Y, data.feature_names, data.label_names, keep=True)
    return classifier.saved(), classifier.interrupted_


def _pick(saved: SavedModels, given: Namespace) -> SavedModels:
    """The saved models with the one chosen that was asked for."""
    if given.number is not None:
        if not 0 <= given.number < len(saved.models):
            raise InputError(
                f"there is no model number {given.number}: they are numbered 0 to"
                f" {len(saved.models) - 1}, see 'show --all'."
            )
        return SavedModels(saved.models, given.number, saved.scores)
    return saved


def _check_folder(path: Path) -> None:
    """Fail before a long search rather than after it."""
    if not path.absolute().parent.is_dir():
        raise InputError(f"the folder of {path} does not exist: create it first.")
