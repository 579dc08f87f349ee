"""Models as JSON and back: nothing is run, every field is checked, floats come back exactly."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from minotaur_pymoo.data.schema import MAX_CATEGORIES, Schema
from minotaur_pymoo.export.json_parts import MAX_BYTES, Part, parse
from minotaur_pymoo.export.json_schema import FORMAT, VERSION
from minotaur_pymoo.rules.front import SavedModels, as_saved
from minotaur_pymoo.rules.model import Model, ModelRule
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.errors import InconsistentRulesError, InputError
from minotaur_pymoo.support.files import check_path, write_atomically
from minotaur_pymoo.support.messages import short_repr

# Rules are compared in pairs, so that a small file could else keep a computer busy for days;
# this many take half a minute.
MAX_COMPARISONS = 50_000_000


def save(path: str | os.PathLike[str], models: SavedModels | Model) -> None:
    """Write one model, or a front with the chosen one, to a JSON file: all of it or nothing.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "model.json"
    ...     save(path, model)
    ...     load(path).model == model
    True
    """
    write_atomically(path, to_json(models).encode())


def load(path: str | os.PathLike[str]) -> SavedModels:
    """Read what `save` has written, checking all of it."""
    try:
        with check_path(path).open("rb") as file:
            content = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}.") from error
    try:
        return from_json(content.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path} is not a saved model: it is not text in UTF-8.") from None
    except (InputError, InconsistentRulesError) as error:
        raise type(error)(f"{path} cannot be loaded: {error}") from None


def to_json(
    models: SavedModels | Model | Sequence[Model],
    *,
    scores: Sequence[Mapping[str, float]] | None = None,
) -> str:
    """JSON of one model or of several with a chosen one, one line for each rule.

    Parameters
    ----------
    models
        What to write. Of several models that are not `SavedModels`, the first is the chosen one.
    scores
        Scores to write in place of those that come with the models.

    Examples
    --------
    >>> default = ModelRule((), ("cheap",), 6, (2, 6))
    >>> model = Model(Schema(("age",), ("aged", "cheap")), (), default)
    >>> print(to_json(model, scores=[{"micro_f1": 0.75}]))
    {"format": "minotaur_pymoo model", "version": 1,
     "features": [{"name": "age"}],
     "labels": ["aged", "cheap"],
     "chosen": 0,
     "models": [
      {"rules": [],
       "default": {"labels": ["cheap"], "covered": 6, "counts": [2, 6]},
       "scores": {"micro_f1": 0.75}}]}
    """
    saved = as_saved(models)
    if scores is not None:
        saved = SavedModels(saved.models, saved.chosen, tuple(scores))
    schema = saved.model.schema
    document = {
        "format": FORMAT,
        "version": VERSION,
        "features": [_feature_fields(schema, feature) for feature in range(schema.n_features)],
        "labels": list(schema.label_names),
        "chosen": int(saved.chosen),
        "models": [
            {
                "rules": [
                    {"tests": [_test_fields(test) for test in rule.tests], **_region_fields(rule)}
                    for rule in model.rules
                ],
                "default": _region_fields(model.default),
                "scores": dict(entry),
            }
            for model, entry in zip(saved.models, saved.scores, strict=True)
        ],
    }
    # What could not be read back must not be written.
    read_document(document)
    return _lay_out(document)


def from_json(text: str) -> SavedModels:
    """The models of a JSON text that `to_json` has made, checked field by field.

    Examples
    --------
    >>> from_json('{"format": "something else"}')
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: this is not a model that minotaur_pymoo has saved: \
its 'format' must be 'minotaur_pymoo model'.
    """
    return read_document(parse(text))


def read_document(document: Any) -> SavedModels:
    """The models that the values of a JSON document describe."""
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise InputError(
            f"this is not a model that minotaur_pymoo has saved: its 'format' must be {FORMAT!r}."
        )
    version = document.get("version")
    if version != VERSION or isinstance(version, bool):
        raise InputError(
            f"the model has version {short_repr(version)} of the format, but this version of"
            f" minotaur_pymoo reads version {VERSION}: use a version that fits."
        )
    part = Part(document, "")
    part.check_fields(("format", "version", "features", "labels", "chosen", "models"))
    schema = _read_schema(part)
    models, scores = [], []
    comparisons = 0
    for item in part.field("models").items():
        model = _read_model(item, schema)
        comparisons += model.n_rules * model.n_tests
        if comparisons > MAX_COMPARISONS:
            raise item.error("there are too many rules to compare them all: save fewer models")
        try:
            model.check_consistency()
        except InconsistentRulesError as error:
            raise InconsistentRulesError(f"{item.place}: {error}") from None
        models.append(model)
        scores.append({name: score.number() for name, score in item.field("scores").fields()})
    if not models:
        raise part.field("models").error("there must be at least one model")
    chosen = part.field("chosen").count(at_most=len(models) - 1)
    return SavedModels(tuple(models), chosen, tuple(scores))


def _read_schema(part: Part) -> Schema:
    features: dict[str, None] = {}
    categories = {}
    for number, item in enumerate(part.field("features").items()):
        item.check_fields(("name",), ("categories",))
        name = item.field("name").text()
        if name in features:
            raise item.error(f"the feature {short_repr(name)} occurs twice")
        features[name] = None
        if item.has("categories"):
            categories[number] = item.field("categories").names("category")
            if len(categories[number]) > MAX_CATEGORIES:
                raise item.error(f"there must be at most {MAX_CATEGORIES} categories")
    labels = part.field("labels").names("label")
    for field, names in (("features", tuple(features)), ("labels", labels)):
        if not names:
            raise part.field(field).error("must not be empty")
    return Schema(tuple(features), labels, categories)


def _read_model(part: Part, schema: Schema) -> Model:
    part.check_fields(("rules", "default", "scores"))
    places = {name: place for place, name in enumerate(schema.feature_names)}
    labels = frozenset(schema.label_names)
    rules = []
    for item in part.field("rules").items():
        item.check_fields(("tests", "labels", "covered", "counts"))
        tests: dict[str, FeatureTest] = {}
        for test_part in item.field("tests").items():
            test = _read_test(test_part, schema, places)
            if test.feature in tests:
                raise test_part.error(
                    f"the rule has two tests on the feature {short_repr(test.feature)}, but may have one"
                )
            tests[test.feature] = test
        rules.append(_read_region(item, tuple(tests.values()), labels))
    default = part.field("default").check_fields(("labels", "covered", "counts"))
    return Model(schema, tuple(rules), _read_region(default, (), labels))


def _read_test(part: Part, schema: Schema, places: Mapping[str, int]) -> FeatureTest:
    part.check_fields(("feature",), ("at_least", "below", "in"))
    feature = part.field("feature").text()
    if feature not in places:
        raise part.error(f"there is no feature {short_repr(feature)}")
    known = schema.categories.get(places[feature])
    if known is None:
        return _read_interval(part, feature)
    part.check_fields(("feature", "in"))
    chosen = part.field("in").names("category", known)
    if not chosen or len(chosen) == len(known):
        raise part.field("in").error("must hold some of the categories, but not all of them")
    return SetTest(feature, chosen)


def _read_interval(part: Part, feature: str) -> IntervalTest:
    part.check_fields(("feature",), ("at_least", "below"))
    bounds = {"at_least": -np.inf, "below": np.inf}
    for name in bounds:
        if part.has(name):
            bounds[name] = float(part.field(name).number())
    lower, upper = bounds.values()
    if (lower, upper) == (-np.inf, np.inf):
        raise part.error("the test needs the field 'at_least' or 'below', or both")
    if not lower < upper:
        raise part.error("'at_least' must be smaller than 'below'")
    return IntervalTest(feature, lower, upper)


def _read_region(part: Part, tests: tuple[FeatureTest, ...], labels: frozenset[str]) -> ModelRule:
    consequent = part.field("labels").names("label", labels)
    covered = part.field("covered").count()
    counts = tuple(item.count(at_most=covered) for item in part.field("counts").items())
    if len(counts) != len(labels):
        raise part.field("counts").error(
            f"must hold one count for each of the {len(labels)} labels, not {len(counts)}"
        )
    return ModelRule(tests, consequent, covered, counts)


def _feature_fields(schema: Schema, feature: int) -> dict[str, Any]:
    fields: dict[str, Any] = {"name": schema.feature_names[feature]}
    if feature in schema.categories:
        fields["categories"] = list(schema.categories[feature])
    return fields


def _test_fields(test: FeatureTest) -> dict[str, Any]:
    if isinstance(test, SetTest):
        return {"feature": test.feature, "in": list(test.categories)}
    bounds = {"at_least": test.lower, "below": test.upper}
    # JSON has no infinity: what is not limited is not written.
    unlimited = {"at_least": -np.inf, "below": np.inf}
    limits = {name: float(value) for name, value in bounds.items() if value != unlimited[name]}
    return {"feature": test.feature, **limits}


def _region_fields(rule: ModelRule) -> dict[str, Any]:
    return {
        "labels": list(rule.labels),
        "covered": int(rule.n_covered),
        "counts": [int(count) for count in rule.counts],
    }


def _lay_out(document: Mapping[str, Any]) -> str:
    """One line for each rule, so that people and version control can read it."""
    dump = json.JSONEncoder(allow_nan=False).encode
    models = []
    for model in document["models"]:
        rules = ",".join(f"\n    {dump(rule)}" for rule in model["rules"])
        models.append(
            f'\n  {{"rules": [{rules}],\n   "default": {dump(model["default"])},'
            f'\n   "scores": {dump(model["scores"])}}}'
        )
    return (
        f'{{"format": {dump(document["format"])}, "version": {dump(document["version"])},'
        f'\n "features": {dump(document["features"])},\n "labels": {dump(document["labels"])},'
        f'\n "chosen": {dump(document["chosen"])},\n "models": [{",".join(models)}]}}\n'
    )
