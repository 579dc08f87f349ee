import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import one_line, short_list, short_repr

BIDI_CONTROLS = {"LRE", "RLE", "LRO", "RLO", "PDF", "LRI", "RLI", "FSI", "PDI"}


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_one_line_makes_any_text_printable_on_one_line(name: str) -> None:
    line = one_line(name)
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert not {unicodedata.bidirectional(c) for c in line} & BIDI_CONTROLS
    assert len(f"a{line}b".splitlines()) == 1
    line.encode()


@pytest.mark.parametrize("control", "\n\r\t\x0b\x1f\x85\u2028\u2029")
def test_one_line_replaces_line_breaks_by_spaces(control: str) -> None:
    assert one_line(f"a{control}b") == "a b"


@pytest.mark.parametrize(
    ("control", "shown"),
    [
        ("\x00", r"\x00"),
        ("\x1b", r"\x1b"),
        ("\x9b", r"\x9b"),
        ("\u061c", r"\u061c"),
        ("\u202e", r"\u202e"),
        ("\u2066", r"\u2066"),
        ("\u200f", r"\u200f"),
        ("\ud800", r"\ud800"),
        ("\U000e0041", r"\U000e0041"),
    ],
)
def test_one_line_escapes_what_commands_terminals_or_hides_text(control: str, shown: str) -> None:
    assert one_line(f"a{control}b") == f"a{shown}b"


def test_one_line_keeps_text_of_all_scripts() -> None:
    for name in ("é", "名", "\u0645\u06cc\u200c\u062e\u0648", "👨\u200d👩"):
        assert one_line(name) == name


class WithoutRepr:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_short_repr_never_fails() -> None:
    assert short_repr(WithoutRepr()) == "a value of type WithoutRepr"
    assert short_repr(10**5000) == "a value of type int"
    assert short_repr("a\nb") == r"'a\nb'"
    assert short_repr([object()]) == "a value of type list"


def test_short_list_shortens_long_lists_and_long_names() -> None:
    assert short_list(["n" * 100, "b"]) == f"{'n' * 37}..., b"
    assert short_list(["a"] * 9).endswith("a, ... (9 in all)")


@pytest.mark.parametrize("kind", [InputError, InconsistentRulesError])
def test_error_messages_are_one_line_of_limited_length(kind: type[Exception]) -> None:
    assert str(kind("two\nlines\x1b[31m.")) == r"two lines\x1b[31m."
    long = str(kind(f"the start {'x' * 10_000}: do this."))
    assert len(long) < 620
    assert long.startswith("the start ")
    assert long.endswith(": do this.")
