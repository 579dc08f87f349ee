"""A model as text, Markdown, LaTeX or a pandas table."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from minotaur_pymoo.export.notation import LATEX, MARKDOWN, TEXT, Notation
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.support.errors import InputError

if TYPE_CHECKING:
    import pandas as pd

_HEADINGS = ("if", "then", "instances", "share", "frequencies")


def to_text(model: Model) -> str:
    """The rules as sentences, each with what the training data had there.

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
    lines = []
    for rule in (*model.rules, model.default):
        frequencies = TEXT.frequencies(_frequencies(model, rule))
        share = TEXT.share(_share(model, rule))
        lines.append(_sentence(model, rule))
        lines.append(
            f"    {rule.n_covered} of {model.n_instances} instances ({share})"
            + (f": {frequencies}" if frequencies else "")
        )
    return "\n".join(lines) + "\n"


def to_markdown(model: Model) -> str:
    """The rules as a table in Markdown.

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
    rows = [_HEADINGS, ("---", "---", "---:", "---:", "---"), *_cells(model, MARKDOWN)]
    return "".join(f"| {' | '.join(row)} |\n" for row in rows)


def to_latex(model: Model) -> str:
    r"""The rules as a table in LaTeX, for documents that use the packages booktabs and textcomp.

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
    head, *rows = (" & ".join(row) + r" \\" for row in (_HEADINGS, *_cells(model, LATEX)))
    start, end = r"\begin{tabular}{llrrl}", r"\end{tabular}"
    return "\n".join([start, r"\toprule", head, r"\midrule", *rows, r"\bottomrule", end]) + "\n"


def to_frame(model: Model) -> pd.DataFrame:
    """The rules as a pandas table, the default in the last row.

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
    try:
        import pandas as pd  # noqa: PLC0415 - most users of this package can do without
    except ImportError:
        raise InputError(
            "a table needs pandas, which is not installed: run 'pip install pandas'."
        ) from None
    regions = (*model.rules, model.default)
    return pd.DataFrame(
        {
            "rule": [_sentence(model, rule) for rule in regions],
            "labels": [rule.labels for rule in regions],
            "covered": [rule.n_covered for rule in regions],
            "share": [_share(model, rule) for rule in regions],
            "frequencies": [_frequencies(model, rule) for rule in regions],
        }
    )


def _sentence(model: Model, rule: ModelRule) -> str:
    condition = "ELSE" if rule is model.default else f"IF {TEXT.tests(rule)} THEN"
    return f"{condition} {TEXT.names(rule.labels)}"


def _cells(model: Model, notation: Notation) -> list[tuple[str, ...]]:
    return [
        (
            "otherwise" if rule is model.default else notation.tests(rule),
            notation.names(rule.labels),
            str(rule.n_covered),
            notation.share(_share(model, rule)),
            notation.frequencies(_frequencies(model, rule)),
        )
        for rule in (*model.rules, model.default)
    ]


def _share(model: Model, rule: ModelRule) -> float:
    return rule.n_covered / model.n_instances if model.n_instances else np.nan


def _frequencies(model: Model, rule: ModelRule) -> dict[str, float]:
    """How often each label that a rule predicts occurred where the rule holds."""
    counts = dict(zip(model.schema.label_names, rule.counts, strict=True))
    return {
        name: counts[name] / rule.n_covered if rule.n_covered else np.nan for name in rule.labels
    }
