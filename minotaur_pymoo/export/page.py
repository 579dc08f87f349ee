"""A page to look at a front: one HTML file that needs no network."""

from __future__ import annotations

import base64
import hashlib
import html
import json
import re
from collections.abc import Sequence
from importlib import resources
from typing import Any

from minotaur_pymoo.export.notation import PAGE
from minotaur_pymoo.rules.front import SavedModels, as_saved
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.regions import (
    RegionCount,
    RegionCounts,
    count_regions,
    micro_f1_of_regions,
    training_regions,
)
from minotaur_pymoo.support.errors import InputError


def front_page(
    saved: SavedModels | Model,
    *,
    title: str = "Rule sets: few rules or a high F1",
    test: tuple[Any, Any] | None = None,
    evaluations: Sequence[RegionCounts] | None = None,
) -> str:
    """One HTML page to look at models: click one, see its rules and what the data has there.

    The page needs no network and runs no script but its own. It shows the model whose number the
    address ends in, such as ``front.html#model=2``, else the chosen one.

    Parameters
    ----------
    saved
        The front and the chosen model. The F1 on the training data is the score ``"micro_f1"``,
        and is counted from the rules where there is none; ``"validation_micro_f1"`` is shown too.
    title
        The heading.
    test
        Features and labels of other data, to be shown beside the training data.
    evaluations
        In place of test data, what `count_regions` has counted there for each model.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> from minotaur_pymoo.rules import ModelRule
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> page = front_page(model, title="Wines", test=([[1.0], [2.0]], [[0, 1], [1, 1]]))
    >>> "<title>Wines</title>" in page
    True
    """
    saved = as_saved(saved)
    if test is not None:
        if evaluations is not None:
            raise InputError("pass either test data or evaluations, not both.")
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
    # One pass, so that nothing inside the parts is taken for a place to fill in.
    page = re.sub(r"\{\{(\w+)\}\}", lambda match: parts[match[1]], _resource("page.html"))
    # Half of a surrogate pair in a name could not be written to a file.
    return page.encode("utf-8", "replace").decode()


def _page_data(saved: SavedModels, evaluations: Sequence[RegionCounts] | None) -> dict[str, Any]:
    places = {name: place for place, name in enumerate(saved.model.schema.label_names)}
    models = []
    for number, (model, scores) in enumerate(zip(saved.models, saved.scores, strict=True)):
        train = training_regions(model)
        test = evaluations[number] if evaluations is not None else None
        models.append(
            {
                "n_tests": model.n_tests,
                "f1": {
                    "train": scores.get("micro_f1", micro_f1_of_regions(model, train)),
                    "validation": scores.get("validation_micro_f1"),
                    "test": None if test is None else micro_f1_of_regions(model, test),
                },
                "scores": scores,
                "regions": [
                    {
                        "tests": [PAGE.test(test) for test in rule.tests],
                        "labels": [places[name] for name in rule.labels],
                        "train": train[place],
                        "test": None if test is None else test[place],
                    }
                    for place, rule in enumerate((*model.rules, model.default))
                ],
            }
        )
    return {"labels": list(places), "chosen": saved.chosen, "models": models}


def _check_evaluations(saved: SavedModels, evaluations: Sequence[Sequence[RegionCount]]) -> None:
    if len(evaluations) != len(saved.models):
        raise InputError(
            f"there are {len(evaluations)} evaluations for {len(saved.models)} models: pass one"
            " for each."
        )
    n_labels = len(saved.model.schema.label_names)
    for number, (model, regions) in enumerate(zip(saved.models, evaluations, strict=True)):
        if len(regions) != model.n_rules + 1 or any(len(r.counts) != n_labels for r in regions):
            raise InputError(
                f"the evaluation of model {number} does not fit its rules: make it with"
                " count_regions from the same model."
            )


def _for_script(data: Any) -> str:
    """JSON that cannot end the script element that it stands in."""
    text = json.dumps(data, allow_nan=False, separators=(",", ":"))
    # Other odd characters, such as U+2028, are escaped by json already.
    return re.sub(r"[<>&]", lambda match: f"\\u{ord(match[0]):04x}", text)


def _resource(name: str) -> str:
    return resources.files("minotaur_pymoo.export").joinpath(name).read_text(encoding="utf-8")


def _digest(content: str) -> str:
    """What the page's security policy knows a style or script by."""
    digest = hashlib.sha256(content.encode()).digest()
    return f"sha256-{base64.b64encode(digest).decode()}"
