import builtins
import math
import re

import numpy as np
import pytest
from hypothesis import given, settings

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import (
    SavedModels,
    count_regions,
    to_frame,
    to_latex,
    to_markdown,
    to_text,
)
from minotaur_pymoo.export.notation import escape_latex, escape_markdown
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from minotaur_pymoo.rules.regions import micro_f1_of_regions, training_regions
from minotaur_pymoo.support.metrics import micro_f1
from tests.cases import cases, random_rule_set, seeds
from tests.export.test_json import example, random_data, saved_models


def named(name):
    """A model in which everything is called the same."""
    schema = Schema((name, "kind"), (name,), {1: (name, "b")})
    tests = (IntervalTest(name, -2.5, 1e-7), SetTest("kind", (name,)))
    return Model(schema, (ModelRule(tests, (name,), 4, (3,)),), ModelRule((), (), 0, (0,)))


def test_models_of_different_data_are_not_saved_together():
    one, other = named("a"), named("b")
    with pytest.raises(InputError, match="differ in their features or labels"):
        SavedModels((one, other))


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (((),), "there is no model to save"),
        (((named("a"),), 1), "model number 1 cannot be the chosen one: there are 1 models"),
        (((named("a"),), -1), "model number -1"),
        (((named("a"),), 0, ({}, {})), "2 scores for 1 models"),
        (((named("a"),), 0, ({"f": math.nan},)), "the score 'f' is nan: scores must be finite"),
        (((named("a"),), 0, ({"f": "high"},)), "the score 'f' is 'high'"),
        (((named("a"),), 0, ({"f": True},)), "the score 'f' is True"),
        (((named("a"),), 0, ({"f": 10**400},)), "scores must be finite"),
    ],
)
def test_what_does_not_fit_together_is_refused(arguments, complaint):
    with pytest.raises(InputError, match=complaint):
        SavedModels(*arguments)


def test_text_has_one_line_for_a_rule_and_one_for_its_data():
    assert to_text(example().model).splitlines() == [
        "IF age >= 15 THEN {aged}",
        "    4 of 10 instances (40%): aged 75%",
        "IF 0.1 <= age < 15 AND colour in {red, blue} THEN {cheap}",
        "    3 of 10 instances (30%): cheap 100%",
        "ELSE {cheap}",
        "    3 of 10 instances (30%): cheap 67%",
    ]


@settings(max_examples=200)
@given(saved=saved_models())
def test_names_never_break_a_line_or_a_cell(saved):
    model = saved.model
    rows = model.n_rules + 1
    assert len(to_text(model).splitlines()) == 2 * rows
    table = to_markdown(model).splitlines()
    assert len(table) == rows + 2
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 6 for line in table)
    latex = to_latex(model).splitlines()
    assert len(latex) == rows + 6
    assert all(len(re.findall(r"(?<!\\)&", line)) == 4 for line in latex[4:-2])
    for line in latex:
        hard = re.sub(r"\\[{}]", "", line)
        assert hard.count("{") == hard.count("}")
        assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0
    frame = to_frame(model)
    assert len(frame) == rows
    assert frame.covered.sum() == model.n_instances


def test_special_characters_of_each_format_are_escaped():
    assert escape_markdown("<b> & *a*_|[x](y)`") == r"&lt;b&gt; &amp; \*a\*\_\|\[x\](y)\`"
    assert escape_latex(r"\{}$&#^_~%") == (
        r"\textbackslash{}\{\}\$\&\#\textasciicircum{}\_\textasciitilde{}\%"
    )
    assert escape_latex("a---b\nc") == "a-{}-{}-b c"
    line = to_latex(named("a_b")).splitlines()[4]
    expected = (
        r"$-2.5 \leq{}$ a\_b $< 1 \cdot 10^{-7}$ AND kind in \{a\_b\} & \{a\_b\} & 4 & 100\%"
        r" & a\_b 75\% \\"
    )
    assert line == expected


def test_a_region_without_instances_has_no_frequencies():
    schema = Schema(("age",), ("aged",))
    model = Model(schema, (), ModelRule((), ("aged",), 0, (0,)))
    assert to_text(model) == "ELSE {aged}\n    0 of 0 instances (-): aged -\n"
    assert np.isnan(to_frame(model).frequencies[0]["aged"])


def test_a_table_without_pandas_says_what_to_install(monkeypatch):
    importing = builtins.__import__

    def without_pandas(name, *arguments, **keywords):
        if name == "pandas":
            raise ImportError(name)
        return importing(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(InputError, match="pip install pandas"):
        to_frame(example().model)


@settings(max_examples=200)
@given(case=cases(), seed=seeds)
def test_counting_the_training_data_gives_what_the_model_remembers(case, seed):
    rule_set = random_rule_set(case.data, np.random.default_rng(seed))
    model = rule_set.model
    regions = count_regions(model, case.table(case.X), case.Y)
    assert regions == training_regions(model)
    expected = micro_f1(np.array(case.Y), model.predict(case.table(case.X)))
    assert micro_f1_of_regions(model, regions) == pytest.approx(expected)


def test_labels_of_another_number_are_refused():
    saved = example()
    with pytest.raises(InputError, match="Y has 1 columns, but the model has 2 labels"):
        count_regions(saved.model, random_data(saved, n=2), [[1], [0]])
