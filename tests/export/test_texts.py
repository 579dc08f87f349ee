import builtins
import re

import numpy as np
import pytest
from hypothesis import given, settings

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Combination, CombinedFeature, FeatureGroup, Schema
from minotaur_pymoo.export import to_frame, to_latex, to_markdown, to_text
from minotaur_pymoo.export.notation import escape_latex, escape_markdown
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.export.models import combined_example, example, saved_models


def named(name):
    """Return a model whose feature, category and label have the same name."""
    schema = Schema((name, "kind"), (name,), {1: (name, "b")})
    tests = (IntervalTest(name, -2.5, 1e-7), SetTest("kind", (name,)))
    return Model(schema, (ModelRule(tests, (name,), 4, (3,)),), ModelRule((), (), 0, (0,)))


def test_text_shows_each_rule_with_its_coverage():
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
def test_names_cannot_break_lines_or_cells(saved):
    model = saved.model
    rows, combination = model.n_rules + 1, model.schema.combination
    n_notes = len(model.describe_groups())
    n_notes += bool(n_notes and combination.gain is not None)
    assert len(to_text(model).splitlines()) == 2 * rows + n_notes
    table = to_markdown(model).splitlines()
    assert len(table) == rows + 2 + (n_notes + 1 if n_notes else 0)
    pipes = [len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) for line in table]
    assert pipes == [6] * (rows + 2) + [0] * (len(table) - rows - 2)
    latex = to_latex(model).splitlines()
    assert len(latex) == rows + 6 + n_notes
    assert all(len(re.findall(r"(?<!\\)&", line)) == 4 for line in latex[4 : rows + 4])
    for line in latex:
        unescaped = re.sub(r"\\[{}]", "", line)
        assert unescaped.count("{") == unescaped.count("}")
        assert len(re.findall(r"(?<!\\)\$", line)) % 2 == 0
    frame = to_frame(model)
    assert len(frame) == rows
    assert frame.covered.sum() == model.n_instances


def test_special_characters_are_escaped():
    assert escape_markdown("<b> & *a*_|[x](y)`") == r"&lt;b&gt; &amp; \*a\*\_\|\[x\](y)\`"
    assert escape_latex(r"\{}$&#^_~%") == (
        r"\textbackslash{}\{\}\$\&\#\textasciicircum{}\_\textasciitilde{}\%"
    )
    assert escape_latex("a---b\nc") == "a-{}-{}-b c"
    line = to_latex(named("a_b")).splitlines()[4]
    expected = (
        r"$-2.5 \leq{}$ a\_b $< 1 \cdot 10^{-7}$ AND kind is a\_b & \{a\_b\} & 4 & 100\%"
        r" & a\_b 75\% \\"
    )
    assert line == expected


def test_shares_are_0_or_100_percent_only_of_none_or_all():
    schema = Schema(("age",), ("aged",))
    rule = ModelRule((IntervalTest("age", 15.0, np.inf),), ("aged",), 1, (1,))
    model = Model(schema, (rule,), ModelRule((), ("aged",), 999, (998,)))
    lines = to_text(model).splitlines()
    assert lines[1] == "    1 of 1000 instances (<1%): aged 100%"
    assert lines[3] == "    999 of 1000 instances (>99%): aged >99%"
    assert "&lt;1%" in to_markdown(model)
    assert r"\textless{}1\%" in to_latex(model)


def test_names_in_tables_are_quoted_where_they_need_it():
    model = named("a b, c")
    assert '{"a b, c"}' in to_markdown(model)
    assert r"\{\textquotedbl{}a b, c\textquotedbl{}\}" in to_latex(model)
    assert to_frame(model).rule[0].endswith('THEN {"a b, c"}')


def test_frame_has_the_statistics_of_predicted_labels():
    frame = to_frame(example())
    assert frame.lifts[0] == {"aged": 2.5}
    low, high = frame.intervals[0]["aged"]
    assert low < frame.frequencies[0]["aged"] < high


def test_empty_region_has_no_frequencies():
    schema = Schema(("age",), ("aged",))
    model = Model(schema, (), ModelRule((), ("aged",), 0, (0,)))
    assert to_text(model) == "ELSE {aged}\n    0 of 0 instances (-): aged -\n"
    assert np.isnan(to_frame(model).frequencies[0]["aged"])


def test_to_frame_without_pandas_names_the_package(monkeypatch):
    importing = builtins.__import__

    def without_pandas(name, *arguments, **keywords):
        if name == "pandas":
            raise ImportError(name)
        return importing(name, *arguments, **keywords)

    monkeypatch.setattr(builtins, "__import__", without_pandas)
    with pytest.raises(InputError, match="pip install pandas"):
        to_frame(example().model)


def test_groups_of_combined_features_are_explained_once() -> None:
    model = combined_example().model
    warm = "warm is the mean of (may - 20) / 5 and june / 2.5"
    wet = "wet is the mean of rain and -may"
    gain = "Combined features raised micro-F1 on held-out data by 0.041 (standard error 0.006)."
    sentence = "IF mean(warm) - mean(wet) >= 0.5 THEN {rose}"
    assert to_text(model).splitlines()[-3:] == [f"where {warm}", f"where {wet}", gain]
    assert to_text(model).splitlines()[0] == sentence
    assert str(model).splitlines()[-2:] == [f"where {warm}", f"where {wet}"]
    assert to_markdown(model).splitlines()[-4:] == ["", f"- {warm}", f"- {wet}", f"- {gain}"]
    latex = to_latex(model).splitlines()
    assert latex[-3:] == [rf"\par {warm}", rf"\par {wet}", rf"\par {gain}"]
    frame = to_frame(model)
    assert frame.rule[0] == sentence
    assert frame.attrs["notes"] == [warm, wet, gain]


def test_groups_that_no_rule_tests_are_not_explained() -> None:
    model = combined_example().model
    other = Model(model.schema, (), model.default)
    assert str(other) == "ELSE {fern}"
    assert len(to_text(other).splitlines()) == 2
    assert to_frame(other).attrs == {}


def test_long_groups_are_shortened_in_str_only() -> None:
    names = tuple(f"x{index}" for index in range(20))
    group = FeatureGroup("G", tuple(range(20)), (0.0,) * 20, (1.0,) * 20)
    schema = Schema(
        names, ("y",), combination=Combination((group,), (CombinedFeature(0),), "means")
    )
    rule = ModelRule((IntervalTest("mean(G)", 0.0, np.inf),), ("y",), 1, (1,))
    model = Model(schema, (rule,), ModelRule((), (), 1, (0,)))
    assert str(model).endswith("where G is the mean of x0, x1, x2, x3, x4, x5, x6 and 13 others")
    assert to_text(model).endswith("x17, x18 and x19\n")
