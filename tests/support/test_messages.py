import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from minotaur_pymoo import InconsistentRulesError, InputError
from minotaur_pymoo.support.messages import one_line, short_list, short_repr


@given(st.text(alphabet=st.characters(exclude_categories=()), max_size=20))
def test_any_name_fits_on_one_line_and_can_be_encoded(name: str) -> None:
    line = one_line(name)
    assert len(line) == len(name)
    assert not {unicodedata.category(c) for c in line} & {"Cc", "Cs", "Zl", "Zp"}
    assert len(f"a{line}b".splitlines()) == 1
    line.encode()


@pytest.mark.parametrize("steering", "\n\r\t\x00\x1b\x85\u2028\u2029\u202e\u2066\u200f")
def test_what_steers_becomes_a_blank(steering: str) -> None:
    assert one_line(f"a{steering}b") == "a b"


def test_half_characters_are_replaced() -> None:
    assert one_line("\ud800") == "\ufffd"


class Unshowable:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def test_values_are_shown_whatever_they_are() -> None:
    assert short_repr(Unshowable()) == "a value of type Unshowable"
    assert short_repr(10**5000) == "a value of type int"
    assert short_repr("a\nb") == r"'a\nb'"
    assert short_repr([object()]) == "a value of type list"


def test_long_lists_and_long_names_are_cut() -> None:
    assert short_list(["n" * 100, "b"]) == f"{'n' * 37}..., b"
    assert short_list(["a"] * 9).endswith("a, ... (9 in all)")


@pytest.mark.parametrize("kind", [InputError, InconsistentRulesError])
def test_errors_are_one_line_that_is_not_a_page(kind: type[Exception]) -> None:
    assert str(kind("two\nlines\x1b[31m.")) == "two lines [31m."
    long = str(kind(f"the start {'x' * 10_000}: do this."))
    assert len(long) < 620
    assert long.startswith("the start ")
    assert long.endswith(": do this.")
