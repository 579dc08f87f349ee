import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import one_line, short_list, short_repr


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_one_line_makes_any_text_printable_on_one_line(name: str) -> None:
    line = one_line(name)
    assert len(line) == len(name)
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert len(f"a{line}b".splitlines()) == 1
    line.encode()


@pytest.mark.parametrize("control", "\n\r\t\x00\x1b\x85\u2028\u2029\u202e\u2066\u200f")
def test_one_line_replaces_control_characters_by_spaces(control: str) -> None:
    assert one_line(f"a{control}b") == "a b"


def test_one_line_replaces_lone_surrogates() -> None:
    assert one_line("\ud800") == "\ufffd"


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
    assert str(kind("two\nlines\x1b[31m.")) == "two lines [31m."
    long = str(kind(f"the start {'x' * 10_000}: do this."))
    assert len(long) < 620
    assert long.startswith("the start ")
    assert long.endswith(": do this.")
