"""`check` passes what is sound, and finds every kind of corruption."""

from __future__ import annotations

import copy
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pymoo.core.individual import Individual
from pymoo.core.population import Population
from pymoo.optimize import minimize
from scipy import sparse

from minotaur_pymoo import (
    MINOTAUR,
    InconsistentRulesError,
    InputError,
    InvalidModelError,
    MinotaurClassifier,
    Model,
    Rule,
    RuleSet,
    RuleSetProblem,
    check_model,
    load_demo,
    simplify,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.kernels.consequents import micro_counts
from minotaur_pymoo.rules import Box, IntervalTest, ModelRule, SetTest
from minotaur_pymoo.search.objectives import OBJECTIVES
from tests import oracle
from tests.cases import (
    Case,
    as_tests,
    cases,
    oracle_rule,
    random_rule_set,
    seeds,
    with_random_soft_labels,
)

COLOURS = ["red", "blue", "green", "red", None, "blue"]
FRAME = pd.DataFrame({"size": [1.0, 2.0, 3.0, 4.0, np.nan, 2.0], "colour": COLOURS})
FRAME["colour"] = FRAME["colour"].astype("category")
Y = np.array([[1, 0], [1, 0], [0, 1], [0, 1], [1, 1], [0, 0]])
GARDEN = load_demo(120)


def small(softened: bool = False) -> RuleSet:
    """Two rules on six instances, one of whose features has categories."""
    data = TrainingData(FRAME, Y, label_names=["good", "bad"])
    if softened:
        data = data.with_soft_labels(np.full(Y.shape, 0.5))
    low = Rule.from_tests(data, {"size": (None, 3), "colour": ["red", "blue"]}, ["good"])
    high = Rule.from_tests(data, {"size": (3, None)}, ["bad"])
    return RuleSet(data, [low, high])


def found(problem: RuleSetProblem, **settings: Any) -> Any:
    return minimize(problem, MINOTAUR(n_gen=4, **settings), seed=1)


def check_by_the_oracle(rule_set: RuleSet, case: Case) -> None:
    """The same once more, on plain lists."""
    rules = [oracle_rule(rule) for rule in rule_set]
    assert oracle.consistent(rules)
    targets = rule_set.data.targets.tolist()
    for rule, (box, _) in zip(rule_set, rules, strict=True):
        members = oracle.members(case.X, box)
        assert rule.n_covered == len(members)
        assert rule.counts.tolist() == oracle.counts(targets, members)
        assert rule.hard.counts.tolist() == oracle.counts(case.Y, members)
        covered = [i for i in range(len(case.X)) if int(rule.covered[i // 64]) >> (i % 64) & 1]
        assert covered == members
    union = [i for i, x in enumerate(case.X) if any(oracle.covers(box, x) for box, _ in rules)]
    assert rule_set.n_covered == len(union)
    covered = [i for i in range(len(case.X)) if int(rule_set.covered[i // 64]) >> (i % 64) & 1]
    assert covered == union
    assert rule_set.region_sizes.sum() == len(case.X)
    regions = rule_set.region_weights, rule_set.region_counts, rule_set.region_labels
    assert rule_set.micro_counts == micro_counts(*regions)
    assert rule_set.region_counts.sum(axis=0).tolist() == np.sum(targets, axis=0).tolist()
    assert rule_set.hard.region_counts.sum(axis=0).tolist() == np.sum(case.Y, axis=0).tolist()
    stacked = zip(*rule_set.boxes, strict=True)
    boxes = [as_tests(rule_set.data, Box(*parts)) for parts in stacked]
    assert boxes == [box for box, _ in rules]


@settings(max_examples=200)
@given(cases(max_instances=70), seeds, st.booleans())
def test_whatever_was_grown_is_sound(case: Case, seed: int, softened: bool) -> None:
    draws = np.random.default_rng(seed)
    data = with_random_soft_labels(case.data, draws) if softened else case.data
    rule_set = random_rule_set(data, draws)
    check_model(rule_set, case.table(case.X), case.Y)
    check_by_the_oracle(rule_set, case)
    check_model(rule_set.model, case.table(case.X), case.Y)
    if rule_set.rules:
        check_model(simplify(rule_set), case.table(case.X), case.Y)


@pytest.mark.parametrize("search", ["paper", "guided"])
@pytest.mark.parametrize("soft_labels", [None, "out-of-bag"])
def test_a_result_its_population_and_its_individuals(search: Any, soft_labels: Any) -> None:
    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, list(OBJECTIVES), soft_labels=soft_labels)
    res = found(problem, search=search)
    check_model(res, GARDEN.X, GARDEN.Y)
    check_model(res.pop, GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))
    check_model(res.opt[0], GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))
    assert len(res.opt[0].F) == len(OBJECTIVES)
    for name, value in zip(OBJECTIVES, range(len(OBJECTIVES)), strict=True):
        spoilt = Individual(X=res.opt[0].X, F=res.opt[0].F + 1e-9 * np.eye(len(OBJECTIVES))[value])
        with pytest.raises(InvalidModelError, match=f"of {name}, but its rule set has"):
            check_model(spoilt, GARDEN.X, GARDEN.Y, objectives=list(OBJECTIVES))


def test_objectives_of_ones_own_and_constraints() -> None:
    def widest(rule_set: RuleSet) -> float:
        return -max(rule.n_covered for rule in rule_set)

    problem = RuleSetProblem(GARDEN.X, GARDEN.Y, [widest, "n_rules"], max_rules=5)
    res = found(problem)
    check_model(res, GARDEN.X, GARDEN.Y)
    res.pop[3].F = res.pop[3].F - [1, 0]
    with pytest.raises(InvalidModelError, match="of widest, but its rule set has"):
        check_model(res, GARDEN.X, GARDEN.Y)


def test_results_with_one_objective_and_with_nothing_feasible() -> None:
    check_model(found(RuleSetProblem(GARDEN.X, GARDEN.Y, ["micro_f1"])), GARDEN.X, GARDEN.Y)
    res = found(RuleSetProblem(GARDEN.X, GARDEN.Y, min_coverage=1.0), search="paper", pop_size=8)
    assert res.F is None
    check_model(res, GARDEN.X, GARDEN.Y)


def test_results_say_what_their_optimum_has() -> None:
    res = found(RuleSetProblem(GARDEN.X, GARDEN.Y))
    res.F = res.F + 1
    with pytest.raises(InvalidModelError, match="F differ from the optimum's, first in row 0, c"):
        check_model(res, GARDEN.X, GARDEN.Y)
    other = found(RuleSetProblem(GARDEN.X, GARDEN.Y))
    res.opt = other.opt
    with pytest.raises(InvalidModelError, match="other data than the problem has"):
        check_model(res, GARDEN.X, GARDEN.Y)


@pytest.mark.parametrize("settings", [{}, {"choice": "cv"}, {"search": "paper", "n_runs": 2}])
def test_fitted_classifiers(settings: dict[str, Any]) -> None:
    classifier = MinotaurClassifier(n_gen=6, random_state=0, **settings)
    classifier.fit(GARDEN.X, GARDEN.Y)
    check_model(classifier, GARDEN.X, GARDEN.Y)
    check_model(classifier, sparse.csr_array(GARDEN.X), sparse.csr_array(GARDEN.Y))
    check_model(classifier.saved(), GARDEN.X, GARDEN.Y)
    check_model(classifier.model_, GARDEN.X, GARDEN.Y)


def test_classifiers_of_classes_and_of_categories() -> None:
    kinds = np.array(["a", "b", "c"])[GARDEN.Y[:, 0] + GARDEN.Y[:, 1]]
    classifier = MinotaurClassifier(n_gen=4, random_state=0).fit(GARDEN.X, kinds)
    check_model(classifier, GARDEN.X, kinds)
    with pytest.raises(InvalidModelError, match="the counts of rule 0 differ from"):
        check_model(classifier, GARDEN.X, kinds[::-1])
    check_model(MinotaurClassifier(n_gen=4, min_coverage=1).fit(FRAME, Y), FRAME, Y)


def test_a_classifier_that_held_data_out_says_so() -> None:
    classifier = MinotaurClassifier(n_gen=2, choice="validation", random_state=0)
    classifier.fit(GARDEN.X, GARDEN.Y)
    with pytest.raises(InvalidModelError, match=r"made from 90 instances, but X has 120"):
        check_model(classifier, GARDEN.X, GARDEN.Y)


def test_corrupted_classifiers_are_found() -> None:
    fitted = MinotaurClassifier(n_gen=6, random_state=0).fit(GARDEN.X, GARDEN.Y)
    assert len(fitted.models_) > 2

    def complaint(**changes: Any) -> str:
        spoilt = copy.copy(fitted)
        spoilt.__dict__.update(changes)
        with pytest.raises(InvalidModelError) as caught:
            check_model(spoilt, GARDEN.X, GARDEN.Y)
        return str(caught.value)

    last = len(fitted.models_) - 1
    wrong = "the chosen model is not the one that chosen_ names."
    assert complaint(chosen_=last + 1) == wrong
    assert complaint(chosen_=last, model_=fitted.models_[0]) == wrong
    turned = {"models_": fitted.models_[::-1], "chosen_": 0, "model_": fitted.models_[last]}
    assert complaint(**turned) == "the smallest models are not the first."
    short = {**fitted.front_, "micro_f1": fitted.front_["micro_f1"][1:]}
    assert complaint(front_=short) == "front_['micro_f1'] has not one entry for each model."
    better = {**fitted.front_, "micro_f1": fitted.front_["micro_f1"] + 0.01}
    assert "model 0 is said to have micro_f1 0." in complaint(front_=better)
    saved = SavedModels(fitted.models_, 0, [{"n_tests": 99}] * (last + 1))
    with pytest.raises(InvalidModelError, match="model 0 is said to have n_tests 99, but has"):
        check_model(saved, GARDEN.X, GARDEN.Y)


def changed(array: np.ndarray, place: Any = 0, by: int = 1) -> np.ndarray:
    """A copy with one entry changed."""
    spoilt = array.copy()
    spoilt[place] = ~spoilt[place] if spoilt.dtype == np.bool_ else spoilt[place] + by
    return spoilt


def with_rule(place: int, **changes: Any) -> Callable[[RuleSet], RuleSet]:
    """A corruption of one rule's stored values; functions of the rule are called."""

    def spoil(rule_set: RuleSet) -> RuleSet:
        rules = list(rule_set.rules)
        values = {k: v(rules[place]) if callable(v) else v for k, v in changes.items()}
        rules[place] = replace(rules[place], **values)
        return with_values(rules=tuple(rules))(rule_set)

    return spoil


def with_values(**changes: Any) -> Callable[[RuleSet], RuleSet]:
    """A corruption of a rule set's own stored values."""

    def spoil(rule_set: RuleSet) -> RuleSet:
        spoilt = RuleSet.__new__(RuleSet)
        for name, value in {**rule_set.__dict__, **changes}.items():
            spoilt.__dict__[name] = value(rule_set) if callable(value) else value
        return spoilt

    return spoil


def with_data(**changes: Any) -> Callable[[RuleSet], RuleSet]:
    """A corruption of what a rule set remembers of its data."""

    def spoil(rule_set: RuleSet) -> RuleSet:
        data = rule_set.data._copy()
        for name, value in changes.items():
            data.__dict__[name] = value(rule_set.data)
        rules = tuple(replace(rule, data=data) for rule in rule_set.rules)
        return with_values(data=data, rules=rules)(rule_set)

    return spoil


def box(part: str, place: int, by: int) -> Callable[[Rule], Box]:
    return lambda rule: rule.box._replace(**{part: changed(getattr(rule.box, part), place, by)})


def with_hash(rule_set: RuleSet) -> RuleSet:
    spoilt = with_rule(0)(rule_set)
    object.__setattr__(spoilt.rules[0], "_hash", 1)
    return spoilt


def regions(part: int) -> Callable[[RuleSet], Any]:
    def spoil(rule_set: RuleSet) -> Any:
        stored = list(rule_set._regions)
        stored[part] = changed(stored[part])
        return tuple(stored)

    return spoil


def model_with(**changes: Any) -> Callable[[RuleSet], Model]:
    def spoil(rule_set: RuleSet) -> Model:
        first, *rest = rule_set.model.rules
        return replace(rule_set.model, rules=(replace(first, **changes), *rest))

    return spoil


CORRUPTIONS: dict[str, tuple[Callable[[RuleSet], RuleSet], str]] = {
    "order of bounds": (with_rule(0, box=box("lower", 0, 5)), "bounds of rule 0 for feature 0"),
    "negative bound": (with_rule(0, box=box("lower", 0, -1)), "are not ordered ranks"),
    "bound beyond": (with_rule(1, box=box("upper", 0, 1)), "are not ordered ranks"),
    "interval of categories": (with_rule(0, box=box("lower", 1, 1)), "has an interval of"),
    "no categories": (
        with_rule(0, box=lambda rule: rule.box._replace(sets=rule.box.sets * np.uint64(0))),
        "rule 0 allows no category",
    ),
    "unknown category": (with_rule(0, box=box("sets", 0, 8)), "or one that there is not"),
    "shape of box": (
        with_rule(0, box=lambda rule: rule.box._replace(lower=rule.box.lower[:1])),
        "has not one interval",
    ),
    "other box": (with_rule(0, box=box("upper", 0, -1)), "the covered instances of rule 0"),
    "overlap": (with_rule(0, box=box("upper", 0, 1)), "rule 0 and rule 1 overlap, but predict"),
    "labels": (with_rule(0, labels=np.array([1, 0])), "labels of rule 0 are no vector of 2 truth"),
    "too many labels": (with_rule(0, labels=np.ones(3, dtype=bool)), "no vector of 2 truth"),
    "covered": (
        with_rule(0, covered=lambda rule: changed(rule.covered, 0, 4)),
        "the covered instances of rule 0 differ from those of X in its box",
    ),
    "beyond the last": (
        with_rule(0, covered=lambda rule: rule.covered + np.uint64(1 << 63)),
        "the covered instances of rule 0",
    ),
    "n_covered": (with_rule(0, n_covered=4), "n_covered of rule 0 is 4, but the number of"),
    "counts": (
        with_rule(1, counts=lambda rule: changed(rule.counts)),
        "the counts of rule 1 differ from those of the data in its box, first in place 0",
    ),
    "gain": (with_rule(0, gain=(1, 1)), "the gain of rule 0 differ"),
    "hash": (with_hash, "the hash of rule 0 is not its own"),
    "data of a rule": (
        with_rule(0, data=lambda rule: small().data),
        "rule 0 is made from other data",
    ),
    "default": (with_values(default_labels=np.array([1, 0])), "labels of the default are no"),
    "covered by all": (
        with_values(covered=lambda rule_set: changed(rule_set.covered)),
        "the covered instances differ from those that pass some rule's tests",
    ),
    "n_covered by all": (with_values(n_covered=4), "n_covered is 4, but it covers 5"),
    "boxes": (
        with_values(_boxes=lambda rule_set: rule_set.boxes._replace(upper=rule_set.boxes.lower)),
        "boxes.upper differ from the rules' own, first in row 0, column 0",
    ),
    "sizes": (with_values(_regions=regions(0)), "region_sizes differ"),
    "region counts": (with_values(_regions=regions(1)), "region_counts differ"),
    "region labels": (
        with_values(region_labels=lambda rule_set: ~rule_set.region_labels),
        "region_labels differ from the rules' labels",
    ),
    "micro counts": (with_values(_micro_counts=(1, 2)), "micro_counts differ"),
    "threshold": (with_values(f1_threshold=0.7), "f1_threshold is 0.7, but half of F1 is"),
    "fewer rules": (
        with_values(model=lambda rule_set: replace(rule_set.model, rules=rule_set.model.rules[:1])),
        "the model's number of rules is 1, but the rules' is 2",
    ),
    "bound of the model": (
        with_values(
            model=model_with(
                tests=(IntervalTest("size", -np.inf, 2.5), SetTest("colour", ("blue", "red")))
            )
        ),
        "the model's upper bounds differ",
    ),
    "lower bound of the model": (
        with_values(
            model=model_with(
                tests=(IntervalTest("size", -9.0, 3.0), SetTest("colour", ("blue", "red")))
            )
        ),
        "the model's lower bounds differ",
    ),
    "tests of the model": (
        with_values(model=model_with(tests=(IntervalTest("size", -np.inf, 3.0),))),
        "the features that the model tests differ",
    ),
    "labels of the model": (
        with_values(model=model_with(labels=("good", "bad"))),
        "the model's labels differ from the rules', first in row 0, column 1",
    ),
    "default of the model": (
        with_values(
            model=lambda rule_set: replace(
                rule_set.model, default=replace(rule_set.model.default, labels=())
            )
        ),
        "the model's labels differ from the rules'",
    ),
    "instances": (with_data(n_instances=lambda data: 7), "made from 7 instances, but X has 6"),
    "labels of the data": (
        with_data(labels=lambda data: 1 - data.labels),
        "the labels that the rules were made from differ from Y",
    ),
    "n_values": (with_data(n_values=lambda data: changed(data.n_values)), "n_values differ"),
    "ranks": (
        with_data(columns=lambda data: changed(data.columns, (0, 0))),
        "the values that the rules were made from differ from X, first in row 0, column 0",
    ),
    "ranks beyond": (
        with_data(columns=lambda data: changed(data.columns, (0, 0), 99)),
        "the ranks are not those of the values of X",
    ),
    "rows": (with_data(rows=lambda data: changed(data.rows, (0, 0))), "the rows of ranks differ"),
    "values": (
        with_data(
            encoding=lambda data: type(data.encoding)(
                (changed(data.encoding.values[0]), data.encoding.values[1])
            )
        ),
        "the distinct values of feature 0 are not those of X",
    ),
    "categorical": (with_data(categorical=lambda data: data.categorical - 1), "categorical differ"),
    "full sets": (with_data(full_sets=lambda data: changed(data.full_sets)), "full_sets differ"),
    "targets": (
        with_data(targets=lambda data: 1 - data.targets),
        "the targets are not between the labels and the soft labels",
    ),
    "target counts": (
        with_data(target_counts=lambda data: changed(data.target_counts)),
        "target_counts differ",
    ),
    "majority": (with_data(majority=lambda data: ~data.majority), "majority differ"),
    "packed targets": (
        with_data(packed_targets=lambda data: changed(data.packed_targets, (0, 0))),
        "packed_targets differ",
    ),
    "label bits": (
        with_data(label_bits=lambda data: changed(data.label_bits, (0, 0))),
        "label_bits differ from the labels",
    ),
    "bins": (
        with_data(binning=lambda data: (changed(data.binning[0], (0, 0)), *data.binning[1:])),
        "the bins of feature 0",
    ),
    "edges": (
        with_data(binning=lambda data: (*data.binning[:2], changed(data.binning[2], (0, 0)))),
        "do not divide",
    ),
}


@pytest.mark.parametrize("name", CORRUPTIONS)
def test_every_corruption_of_a_rule_set_is_found(name: str) -> None:
    spoil, sentence = CORRUPTIONS[name]
    check_model(small(), FRAME, Y)
    with pytest.raises(InvalidModelError) as caught:
        check_model(spoil(small()), FRAME, Y)
    message = str(caught.value)
    assert sentence in message
    assert message.endswith(".")
    assert "\n" not in message


def test_inconsistent_rules_have_their_own_error() -> None:
    spoil, _ = CORRUPTIONS["overlap"]
    with pytest.raises(InconsistentRulesError, match=r"different labels: \(IF .*\) and \(IF "):
        check_model(spoil(small()), FRAME, Y)


def test_rules_that_overlap_must_not_pass_for_disjoint() -> None:
    data = small().data
    tests = {"size": (None, 3)}, {"size": (2, None)}
    rule_set = RuleSet(data, [Rule.from_tests(data, test, ["good"]) for test in tests])
    check_model(rule_set, FRAME, Y)
    with pytest.raises(InvalidModelError, match="said to be disjoint, but overlap"):
        check_model(with_values(_disjoint=True)(rule_set), FRAME, Y)


@pytest.mark.parametrize("part", ["targets", "target_counts", "packed_targets"])
def test_beliefs_are_recounted_too(part: str) -> None:
    rule_set = small(softened=True)
    check_model(rule_set, FRAME, Y)
    place = (0, 1) if part == "targets" else (0, 0) if part == "packed_targets" else 0
    spoil = with_data(**{part: lambda data: changed(getattr(data, part), place, 40)})
    with pytest.raises(InvalidModelError):
        check_model(spoil(rule_set), FRAME, Y)


def model(**changes: Any) -> Model:
    """A sound model of two rules on the six instances, or with its first rule changed."""
    first = ModelRule((IntervalTest("size", -np.inf, 3.0),), ("good",), 3, (2, 0))
    second = ModelRule((IntervalTest("size", 3.0, np.inf),), ("bad",), 2, (0, 2))
    default = ModelRule((), ("good", "bad"), 1, (1, 1))
    schema = TrainingData(FRAME, Y, label_names=["good", "bad"]).schema
    return Model(schema, (replace(first, **changes), second), default)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"n_covered": 2}, "the model was made from 5 instances, but X has 6"),
        ({"counts": (2, 1)}, "the counts of rule 0 differ from what the data have where it"),
        ({"counts": (2,)}, r"the counts of rule 0 have the shape \(1,\) instead of \(2,\)"),
        ({"labels": ("good", "good")}, "rule 0 predicts a label twice"),
        ({"labels": ("better",)}, "or one that there is not"),
        ({"tests": (IntervalTest("size", -np.inf, 4.0),)}, "rule 0 and rule 1 overlap"),
        ({"tests": (IntervalTest("size", 3.0, 3.0),)}, "lower bound that is not below its upper"),
        ({"tests": (IntervalTest("size", np.nan, 3.0),)}, "lower bound that is not below"),
        ({"tests": (IntervalTest("weight", 1.0, 3.0),)}, "tests a feature that there is not"),
        ({"tests": (IntervalTest("size", 1.0, 3.0),) * 2}, "rule 0 tests a feature twice"),
        ({"tests": (IntervalTest("colour", 0.0, 1.0),)}, "an interval, but the feature has cat"),
        ({"tests": (SetTest("size", ("red",)),)}, "names categories, but the feature has none"),
        ({"tests": (SetTest("colour", ()),)}, "allows no category"),
        ({"tests": (SetTest("colour", ("red", "red")),)}, "one twice"),
        ({"tests": (SetTest("colour", ("pink",)),)}, "or one that there is not"),
    ],
)
def test_every_corruption_of_a_model_is_found(changes: dict[str, Any], sentence: str) -> None:
    check_model(model(), FRAME, Y)
    with pytest.raises(InvalidModelError, match=sentence):
        check_model(model(**changes), FRAME, Y)


def test_a_default_with_tests_and_wrong_predictions_are_found() -> None:
    odd = replace(model(), default=replace(model().default, tests=model().rules[0].tests))
    with pytest.raises(InvalidModelError, match="the default has tests"):
        check_model(odd, FRAME, Y)
    wrong = model()
    wrong.__dict__["_label_table"] = 1 - wrong._label_table
    with pytest.raises(InvalidModelError, match="the predictions differ from the rules' labels"):
        check_model(wrong, FRAME, Y)


def test_other_data_are_found() -> None:
    rule_set = small()
    with pytest.raises(InvalidModelError, match="made from 6 instances, but X has 5"):
        check_model(rule_set, FRAME[:5], Y[:5])
    with pytest.raises(InvalidModelError, match="the distinct values of feature 0"):
        check_model(rule_set, FRAME.assign(size=[1.0, 2.0, 3.0, 5.0, np.nan, 2.0]), Y)
    with pytest.raises(InvalidModelError, match="differ from X, first in row 0, column 0"):
        check_model(rule_set, FRAME.assign(size=[2.0, 2.0, 3.0, 4.0, np.nan, 1.0]), Y)
    with pytest.raises(InputError, match="Y has 1 columns, but the model has 2 labels"):
        check_model(rule_set, FRAME, Y[:, :1])


def test_individuals_must_hold_rules_and_as_many_objectives_as_there_are() -> None:
    rule_set = small()
    held = np.empty(1, dtype=object)
    held[0] = rule_set
    check_model(Individual(X=held), FRAME, Y)
    check_model(Population.new(X=held[:, None]), FRAME, Y)
    with pytest.raises(InvalidModelError, match="F has 3 entries for 2 objectives"):
        check_model(Individual(X=held, F=np.zeros(3)), FRAME, Y)
    held = np.empty(1, dtype=object)
    held[0] = RuleSet.empty(rule_set.data)
    with pytest.raises(InvalidModelError, match="an individual has no rules"):
        check_model(Individual(X=held), FRAME, Y)
    with pytest.raises(InputError, match="an individual holds ndarray: only rule sets"):
        check_model(Individual(X=np.zeros(3)), FRAME, Y)


def test_what_is_no_model_gets_one_sentence() -> None:
    with pytest.raises(InputError, match="dict is nothing to check: pass a rule set, a model"):
        check_model({}, FRAME, Y)
    with pytest.raises(InputError, match="MinotaurClassifier is nothing to check"):
        check_model(MinotaurClassifier(), FRAME, Y)
