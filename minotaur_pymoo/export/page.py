"""A self-contained HTML page to explore a front."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from minotaur_pymoo.export.page_data import page_data
from minotaur_pymoo.rules.front import SavedModels, as_saved
from minotaur_pymoo.rules.regions import RegionCount, RegionCounts, count_regions
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import one_line
from minotaur_pymoo.support.params import check_pair
from minotaur_pymoo.support.quoting import quote_name

# Joined in this order.
_SCRIPTS = ("page_base.js", "page_form.js", "page.js")


def front_page(
    saved: Any,
    *,
    title: str | None = None,
    test: tuple[Any, Any] | None = None,
    evaluations: Sequence[RegionCounts] | None = None,
) -> str:
    """Write an HTML page on which each model of a front can be selected, read and tried out.

    The rules can be searched, and filtered by label; a form says which rule applies to values that
    the reader enters, and what it predicts.

    The page is self-contained: it loads nothing from the network, and its security policy blocks
    every script but its own. A link to ``front.html#model=2`` opens it at the model of that
    index; otherwise the chosen model is shown.

    Parameters
    ----------
    saved
        The models, or a fitted classifier. The scores ``"micro_f1"`` and
        ``"validation_micro_f1"`` are plotted; without the former, F1 is computed from the training
        counts in the rules.
    title
        Heading of the page, by default that it shows rules, and for which labels.
    test
        Features and labels of test data to show beside the training data.
    evaluations
        Counts of the test data for each model, from `count_regions`; an alternative to ``test``.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import Model, ModelRule
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> page = front_page(model, title="Wines", test=([[1.0], [2.0]], [[0, 1], [1, 1]]))
    >>> "<title>Wines</title>" in page
    True
    """
    saved = as_saved(saved)
    if test is not None:
        if evaluations is not None:
            raise InputError("pass either test or evaluations, not both.")
        X, Y = check_pair("test", test)
        evaluations = [count_regions(model, X, Y) for model in saved.models]
    if evaluations is not None:
        _check_evaluations(saved, evaluations)
    if title is None:
        title = _default_title(saved.model.schema.label_names)
    style, script = _resource("page.css"), "".join(map(_resource, _SCRIPTS))
    parts = {
        "title": html.escape(one_line(title)),
        "policy": f"style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "style": style,
        "script": script,
        "data": _for_script(page_data(saved, evaluations)),
        "fallback": html.escape(str(saved.model)),
    }
    # A single pass, so that placeholders inside the inserted parts are left alone.
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _resource("page.html"))
    # A lone surrogate in a name could not be encoded when the page is written.
    return page.encode("utf-8", "replace").decode()


def _check_evaluations(saved: SavedModels, evaluations: Sequence[Sequence[RegionCount]]) -> None:
    if len(evaluations) != len(saved.models):
        raise InputError(
            f"evaluations has {len(evaluations)} entries for {len(saved.models)} models: pass one"
            " per model."
        )
    n_labels = len(saved.model.schema.label_names)
    for index, (model, regions) in enumerate(zip(saved.models, evaluations, strict=True)):
        if len(regions) != model.n_rules + 1 or any(len(r.counts) != n_labels for r in regions):
            raise InputError(
                f"the evaluation of model {index} does not match its rules: create it with"
                " count_regions and the same model."
            )


def _default_title(labels: Sequence[str]) -> str:
    return f"Rules that predict {_join(labels) if len(labels) <= 6 else f'{len(labels)} labels'}"


def _join(names: Sequence[str]) -> str:
    *first, last = map(quote_name, names)
    return f"{', '.join(first)} and {last}" if first else last


def _for_script(data: Any) -> str:
    """Write JSON that cannot close the script element around it."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    # json already escapes everything outside ASCII, such as U+2028.
    return re.sub(r"[<>&]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _resource(name: str) -> str:
    return resources.files("minotaur_pymoo.export").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    """Hash a style or script for the page's content security policy."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
