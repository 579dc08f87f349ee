import html
import json
import re

import numpy as np
import pytest
from hypothesis import given, settings

from minotaur_pymoo import InputError, Model
from minotaur_pymoo.data import Schema
from minotaur_pymoo.export import SavedModels, count_regions, front_page
from minotaur_pymoo.rules import IntervalTest, ModelRule, SetTest
from minotaur_pymoo.support.messages import one_line
from tests.export.browser import browse, needs_chromium, run_script
from tests.export.models import combined_example, example, random_data, saved_models

ATTACK = "<script>document.title='hacked'</script>"
ATTACKS = (
    ATTACK,
    "</script><script>document.title='hacked'</script>",
    "<img src=x onerror=\"document.title='hacked'\">",
    "{{data}}",
    "<!--<script>",
    "a & b &lt; c",
    "zwei\u2028Zeilen",
    "<script>alert(1)</script>",
    "javascript:document.title='hacked'",
    "'\" onclick='document.title=1' x=\"",
    "back\\slash \\u003cb\\u003e \\",
    "]]><svg onload=document.title=1>",
    "${document.title=1}`",
    "\u202eright to left",
)


def attacked():
    """Return models whose names try to inject markup or scripts."""
    schema = Schema((*ATTACKS, "kind"), ATTACKS, {len(ATTACKS): (ATTACK, "b")})
    counts = tuple(range(len(ATTACKS)))
    models = []
    for n_rules in (1, 2, 3):
        rules = [
            ModelRule(
                (
                    *(IntervalTest(name, float(k), k + 1.0) for name in ATTACKS[: n_rules + 1]),
                    SetTest("kind", (ATTACK,)),
                ),
                ATTACKS[:2],
                10,
                counts,
            )
            for k in range(n_rules)
        ]
        models.append(Model(schema, tuple(rules), ModelRule((), (ATTACK,), 10, counts)))
    return SavedModels(models, 1, [{"micro_f1": 0.5, ATTACK: 1.0}] * 3)


def shown_rules(document):
    """Return the rules that the page shows, as text."""
    rules = document.split('<div id="rules">')[1].split("</section>")[0]
    sentences = re.findall(r'<p class="sentence">(.*?)</p>', rules, re.DOTALL)
    return [html.unescape(re.sub(r"<[^>]*>", "", sentence)) for sentence in sentences]


def sentences(model):
    """Return the rules as the page shows them: by coverage, and the default last."""
    regions = sorted(model.rules, key=lambda rule: -rule.n_covered)
    lines = [*map(str, regions), str(model).split("\n")[model.n_rules]]
    return [line.replace("<=", "≤").replace(">=", "≥") for line in lines]


def test_page_refers_to_nothing_outside():
    page = front_page(example())
    addresses = re.findall(r"\w+://[^\"'\s]*", page)
    assert addresses == ["http://www.w3.org/2000/svg"]
    assert not re.search(r"\bsrc=|@import|url\(|\bfetch\(|XMLHttpRequest|innerHTML", page)
    assert "default-src 'none'" in page


def page_data(page):
    return json.loads(re.search(r'id="data">(.*?)</script>', page, re.DOTALL)[1])


@settings(max_examples=200)
@given(saved=saved_models())
def test_names_cannot_leave_the_data_element(saved):
    page = front_page(saved, title=saved.model.schema.label_names[0])
    page.encode()
    assert page.count("<script") == page.count("</script>") == 2
    data = page_data(page)
    assert data["labels"] == list(map(one_line, saved.model.schema.label_names))
    assert [len(model["regions"]) - 1 for model in data["models"]] == [
        model.n_rules for model in saved.models
    ]


def test_page_contains_the_counts_of_the_test_data():
    saved = example()
    X = random_data(saved, n=30)
    Y = np.random.default_rng(0).integers(0, 2, size=(30, 2))
    evaluations = [count_regions(model, X, Y) for model in saved.models]
    page = front_page(saved, test=(X, Y))
    assert page == front_page(saved, evaluations=evaluations)
    for model, regions in zip(page_data(page)["models"], evaluations, strict=True):
        assert [region["test"] for region in model["regions"]] == [
            [n, list(counts), list(known)] for n, counts, known in regions
        ]


def test_evaluations_must_match_the_models():
    saved = example()
    regions = count_regions(saved.models[0], random_data(saved, n=1), [[0, 1]])
    with pytest.raises(InputError, match="evaluations has 1 entries for 2 models"):
        front_page(saved, evaluations=[regions])
    with pytest.raises(InputError, match="the evaluation of model 1 does not match its rules"):
        front_page(saved, evaluations=[regions, regions])
    with pytest.raises(InputError, match="either test or evaluations"):
        front_page(saved, evaluations=[regions], test=([[1, "red"]], [[0, 1]]))


@needs_chromium
def test_address_selects_the_model():
    saved = example()
    X = random_data(saved, n=30)
    page = front_page(saved, test=(X, np.ones((30, 2), dtype=int)))
    chosen = browse(page)
    assert shown_rules(chosen) == sentences(saved.model)
    assert re.search(r"<h2[^>]*>2 rules, 3 tests<span class=\"badge\">chosen", chosen)
    assert re.findall(r'aria-pressed="(\w+)"', chosen) == ["false", "true"]
    for number, model in enumerate(saved.models):
        document = browse(page, f"#model={number}")
        assert shown_rules(document) == sentences(model)
        assert re.search(rf'<tr data-model="{number}" class="selected">', document)
    assert shown_rules(browse(page, "#model=99")) == sentences(saved.model)
    assert "train: 4 of 10" in chosen
    assert re.search(r"test: \d+ of 30", chosen)


@needs_chromium
def test_click_selects_the_model():
    shown = """
      document.querySelector('#models tr[data-model="0"] button').click();
      dispatchEvent(new HashChangeEvent("hashchange"));
      return [...document.querySelectorAll("#rules .sentence")].map((line) => line.textContent);
    """
    assert run_script(front_page(example()), shown) == sentences(example().models[0])


@needs_chromium
def test_names_are_displayed_and_never_executed():
    saved = attacked()
    for number, model in enumerate(saved.models):
        document = browse(front_page(saved, title=ATTACK), f"#model={number}")
        assert html.unescape(re.search(r"<title>(.*?)</title>", document)[1]) == ATTACK
        assert document.count("<script") == 2
        assert "<img" not in document
        assert shown_rules(document) == sentences(model)


@needs_chromium
def test_policy_blocks_injected_scripts():
    page = front_page(example(), title="fine")
    document = browse(page.replace("</body>", f"{ATTACK}</body>"))
    assert "<title>fine</title>" in document
    assert shown_rules(document)


@needs_chromium
@pytest.mark.parametrize("size", ["1200,900", "420,900"])
def test_page_renders_at_desktop_and_phone_width(tmp_path, size):
    screenshot = tmp_path / "front.png"
    browse(front_page(example()), "", f"--screenshot={screenshot}", f"--window-size={size}")
    assert screenshot.read_bytes().startswith(b"\x89PNG")
    assert screenshot.stat().st_size > 10_000


@needs_chromium
def test_page_explains_groups_of_combined_features():
    dom = browse(front_page(combined_example()))
    section = dom.split('<section id="model"')[1].split("</section>")[0]
    text = html.unescape(re.sub(r"<[^>]*>", "", section))
    assert "2 rules, 3 tests on 3 features" in text
    assert "mean(warm) - mean(wet) ≥ 0.5" in text
    assert text.count("warm is the mean of (may - 20) / 5 and june / 2.5") == 1
    assert text.count("wet is the mean of rain and -may") == 1
    assert "raised micro-F1 on held-out data by 0.041 (standard error 0.006)." in text


def test_page_without_scripts_explains_groups():
    assert "where wet is the mean of rain and -may</pre>" in front_page(combined_example())


def test_pages_of_models_without_combined_features_have_no_groups():
    data = front_page(example())
    assert '"groups":[],"combined":{}' in data
    assert '"gain":""' in data
