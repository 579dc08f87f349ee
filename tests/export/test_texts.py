import builtins
import re

import numpy as np
import pytest
from hypothesis import given, settings

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import to_frame, to_latex, to_markdown, to_text
from minotaur_pymoo.export.notation import escape_latex, escape_markdown
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from tests.export.models import example, saved_models


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
    rows = model.n_rules + 1
    assert len(to_text(model).splitlines()) == 2 * rows
    table = to_markdown(model).splitlines()
    assert len(table) == rows + 2
    assert all(len(re.findall(r"(?<!\\)(?:\\\\)*\|", line)) == 6 for line in table)
    latex = to_latex(model).splitlines()
    assert len(latex) == rows + 6
    assert all(len(re.findall(r"(?<!\\)&", line)) == 4 for line in latex[4:-2])
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
        r"$-2.5 \leq{}$ a\_b $< 1 \cdot 10^{-7}$ AND kind in \{a\_b\} & \{a\_b\} & 4 & 100\%"
        r" & a\_b 75\% \\"
    )
    assert line == expected


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
