"""Models as text, Markdown, LaTeX or pandas tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from minotaur_pymoo.export.notation import LATEX, MARKDOWN
from minotaur_pymoo.rules.front import as_model
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.notation import TEXT, Notation
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_HEADINGS = ("if", "then", "instances", "share", "frequencies")


def to_text(model: Any) -> str:
    """Write the rules as sentences, each with its coverage and label frequencies in training.

    Parameters
    ----------
    model
        The model to write, or anything that has one, such as a fitted classifier.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> print(to_text(model), end="")
    IF age >= 15 THEN {aged}
        4 of 10 instances (40%): aged 75%
    ELSE {cheap}
        6 of 10 instances (60%): cheap 100%
    """
    model = as_model(model)
    lines = []
    for region in model.regions:
        frequencies = TEXT.frequencies(_frequencies(model, region))
        share = TEXT.share(_share(model, region))
        lines.append(_sentence(model, region))
        lines.append(
            f"    {region.n_covered} of {model.n_instances} instances ({share})"
            + (f": {frequencies}" if frequencies else "")
        )
    lines += [TEXT.escape(note) for note in _notes(model, "where ")]
    return "\n".join(lines) + "\n"


def to_markdown(model: Any) -> str:
    """Write the rules as a Markdown table.

    Parameters
    ----------
    model
        The model to write, or anything that has one, such as a fitted classifier.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> print(to_markdown(model), end="")
    | if | then | instances | share | frequencies |
    | --- | --- | ---: | ---: | --- |
    | age ≥ 15 | {aged} | 4 | 40% | aged 75% |
    | otherwise | {cheap} | 6 | 60% | cheap 100% |
    """
    model = as_model(model)
    rows = [_HEADINGS, ("---", "---", "---:", "---:", "---"), *_cells(model, MARKDOWN)]
    notes = [f"- {MARKDOWN.escape(note)}\n" for note in _notes(model)]
    table = "".join(f"| {' | '.join(row)} |\n" for row in rows)
    return "".join([table, "\n", *notes]) if notes else table


def to_latex(model: Any) -> str:
    r"""Write the rules as a LaTeX table, which needs the packages booktabs and textcomp.

    Parameters
    ----------
    model
        The model to write, or anything that has one, such as a fitted classifier.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> old = ModelRule((IntervalTest("max_age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("max_age",), ("aged", "cheap")), (old,), default)
    >>> print(to_latex(model), end="")
    \begin{tabular}{llrrl}
    \toprule
    if & then & instances & share & frequencies \\
    \midrule
    max\_age $\geq 15$ & \{aged\} & 4 & 40\% & aged 75\% \\
    otherwise & \{cheap\} & 6 & 60\% & cheap 100\% \\
    \bottomrule
    \end{tabular}
    """
    model = as_model(model)
    head, *rows = (" & ".join(row) + r" \\" for row in (_HEADINGS, *_cells(model, LATEX)))
    start, end = r"\begin{tabular}{llrrl}", r"\end{tabular}"
    notes = [rf"\par {LATEX.escape(note)}" for note in _notes(model)]
    lines = [start, r"\toprule", head, r"\midrule", *rows, r"\bottomrule", end, *notes]
    return "\n".join(lines) + "\n"


def to_frame(model: Any) -> pd.DataFrame:
    """Return the rules as a pandas DataFrame with the default in the last row.

    For the predicted labels, there are their frequencies in the training data, Wilson's 95 percent
    confidence intervals of these, and lifts: how many times as frequent they are as in all data.
    What the groups of combined features are is in ``attrs["notes"]``.

    Parameters
    ----------
    model
        The model to convert.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import IntervalTest
    >>> old = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 4, (3, 1))
    >>> default = ModelRule((), ("cheap",), 6, (0, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (old,), default)
    >>> to_frame(model)[["rule", "covered", "share"]]
                           rule  covered  share
    0  IF age >= 15 THEN {aged}        4    0.4
    1              ELSE {cheap}        6    0.6
    >>> to_frame(model).frequencies[0]
    {'aged': 0.75}
    """
    model = as_model(model)
    try:
        import pandas as pd  # noqa: PLC0415 - an optional dependency
    except ImportError:
        raise InputError(
            "to_frame needs pandas, which is not installed: run 'pip install pandas'."
        ) from None
    predicted = [[entry for entry in entries if entry.predicted] for entries in model.statistics()]
    frame = pd.DataFrame(
        {
            "rule": [_sentence(model, region) for region in model.regions],
            "labels": [region.labels for region in model.regions],
            "covered": [region.n_covered for region in model.regions],
            "share": [_share(model, region) for region in model.regions],
            "frequencies": [_frequencies(model, region) for region in model.regions],
            "intervals": [{e.label: (e.low, e.high) for e in row} for row in predicted],
            "lifts": [{e.label: e.lift for e in row} for row in predicted],
        }
    )
    if notes := _notes(model):
        frame.attrs["notes"] = notes
    return frame


def _notes(model: Model, before: str = "") -> list[str]:
    """What the tested groups of features are, and what was gained by combining them."""
    groups = [f"{before}{text}" for text in model.describe_groups()]
    combination = model.schema.combination
    gain = "" if combination is None else combination.describe_gain()
    return [*groups, gain] if groups and gain else groups


def _sentence(model: Model, region: ModelRule) -> str:
    return f"ELSE {TEXT.names(region.labels)}" if region is model.default else str(region)


def _cells(model: Model, notation: Notation) -> list[tuple[str, ...]]:
    return [
        (
            "otherwise" if region is model.default else region.antecedent(notation),
            notation.names(region.labels),
            str(region.n_covered),
            notation.share(_share(model, region)),
            notation.frequencies(_frequencies(model, region)),
        )
        for region in model.regions
    ]


def _share(model: Model, region: ModelRule) -> float:
    return region.n_covered / model.n_instances if model.n_instances else np.nan


def _frequencies(model: Model, region: ModelRule) -> dict[str, float]:
    """Return the frequency in a region of each label that is predicted there."""
    parts = zip(model.schema.label_names, region.counts, region.sizes, strict=True)
    frequencies = {name: count / size if size else np.nan for name, count, size in parts}
    return {name: frequencies[name] for name in region.labels}
