"""Tables and pictures of a front."""

from __future__ import annotations

import io
import os
from pathlib import Path

from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.files import check_path, write_atomically
from minotaur_pymoo.support.messages import one_line


def check_output(path: Path | None, **inputs: object) -> None:
    """Raise `InputError` if an output would replace an input of the same command.

    Parameters
    ----------
    path
        The file to be written, or None.
    inputs
        What the command reads, by name; None and what is no file are ignored.

    Examples
    --------
    >>> check_output(Path("model.json"), data="demo", checkpoint=None)
    """
    for name, source in inputs.items():
        if path is None or source is None:
            continue
        # Links and other spellings of a path lead to the same file, too.
        same = os.path.realpath(check_path(path)) == os.path.realpath(check_path(str(source)))
        if same and not path.is_char_device():
            raise InputError(
                f"{path} is the {name} of this command as well, and would be lost: write the output"
                " to another file."
            )


def front_table(saved: SavedModels) -> str:
    """Return the models of a front as a table, the chosen one marked.

    Parameters
    ----------
    saved
        The front.

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
    headings = [f"{one_line(name):>8}" for name in names]
    lines = ["       rules  tests" + "".join(f"  {heading}" for heading in headings)]
    for index, (model, scores) in enumerate(zip(saved.models, saved.scores, strict=True)):
        mark = "*" if index == saved.chosen else " "
        columns = "".join(
            f"  {scores[name]:>{len(heading)}.4f}"
            for name, heading in zip(names, headings, strict=True)
        )
        lines.append(f"{mark} {index:>3}  {model.n_rules:>5}  {model.n_tests:>5}{columns}")
    return "\n".join(lines)


def draw_front(saved: SavedModels, path: Path) -> None:
    """Save a picture of a front.

    Parameters
    ----------
    saved
        The front.
    path
        The file; its ending is the format.
    """
    # Only pictures need matplotlib, which takes long to import.
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
