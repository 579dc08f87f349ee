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

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.export.notation import PAGE
from minotaur_pymoo.rules.front import SavedModels, as_saved
from minotaur_pymoo.rules.regions import (
    RegionCount,
    RegionCounts,
    count_regions,
    micro_f1_of_regions,
    training_regions,
)
from minotaur_pymoo.support.errors import InputError


def front_page(
    saved: Any,
    *,
    title: str = "Rule sets: size against F1",
    test: tuple[Any, Any] | None = None,
    evaluations: Sequence[RegionCounts] | None = None,
) -> str:
    """Write an HTML page on which each model of a front can be selected and read.

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
        Heading of the page.
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
        evaluations = [count_regions(model, *test) for model in saved.models]
    if evaluations is not None:
        _check_evaluations(saved, evaluations)
    style, script = _resource("page.css"), _resource("page.js")
    parts = {
        "title": html.escape(title),
        "policy": f"style-src '{_digest(style)}'; script-src '{_digest(script)}'",
        "style": style,
        "script": script,
        "data": _for_script(_page_data(saved, evaluations)),
        "fallback": html.escape(str(saved.model)),
    }
    # A single pass, so that placeholders inside the inserted parts are left alone.
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _resource("page.html"))
    # A lone surrogate in a name could not be encoded when the page is written.
    return page.encode("utf-8", "replace").decode()


def _page_data(saved: SavedModels, evaluations: Sequence[RegionCounts] | None) -> dict[str, Any]:
    label_names = saved.model.schema.label_names
    combination = saved.model.schema.combination
    columns = {name: column for column, name in enumerate(label_names)}
    models = []
    for index, (model, scores) in enumerate(zip(saved.models, saved.scores, strict=True)):
        train = training_regions(model)
        test = evaluations[index] if evaluations is not None else None
        models.append(
            {
                "n_tests": model.n_tests,
                "n_features": model.n_features_used,
                "groups": [] if combination is None else combination.used_groups(model.tested),
                "f1": {
                    "train": scores.get("micro_f1", micro_f1_of_regions(model, train)),
                    "validation": scores.get("validation_micro_f1"),
                    "test": None if test is None else micro_f1_of_regions(model, test),
                },
                "scores": scores,
                "regions": [
                    {
                        "tests": [PAGE.test(feature_test) for feature_test in region.tests],
                        "labels": [columns[name] for name in region.labels],
                        "train": train[row],
                        "test": None if test is None else test[row],
                    }
                    for row, region in enumerate(model.regions)
                ],
            }
        )
    return {
        "labels": list(label_names),
        "chosen": saved.chosen,
        "models": models,
        "groups": _groups(saved.model.schema),
        "gain": "" if combination is None else combination.describe_gain(),
    }


def _groups(schema: Schema) -> list[tuple[str, list[str]]]:
    """The name of each group of features, and what its mean is taken of."""
    if schema.combination is None:
        return []
    names = schema.feature_names
    return [(group.name, group.terms(names)) for group in schema.combination.groups]


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
