"""Rules as they are printed, read back."""

from __future__ import annotations

import json
import re
from typing import NamedTuple, NoReturn

import numpy as np

from minotaur_pymoo.data.schema import Schema
from minotaur_pymoo.rules.tests import FeatureTest, IntervalTest, SetTest
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_list, short_repr

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|<=|>=|[<{},≤≥]|[^\s{},"<>=≤≥]+|\S')
_AT_MOST, _AT_LEAST = ("<=", "≤"), (">=", "≥")


class _Token(NamedTuple):
    text: str
    quoted: bool = False

    def means(self, *words: str) -> bool:
        """Whether it is one of the words, and not a name in quotation marks."""
        return not self.quoted and self.text in words


def read_rule(text: str, schema: Schema) -> tuple[tuple[FeatureTest, ...], tuple[str, ...]]:
    """Read a rule as it is printed.

    Parameters
    ----------
    text
        The rule, such as ``IF 15 <= age < 18 AND colour is red THEN {aged, "not cheap"}``.
    schema
        The names that it may contain.

    Returns
    -------
    tests : tuple of IntervalTest or SetTest
    labels : tuple of str

    Examples
    --------
    >>> schema = Schema(("age", "red apple"), ("aged", "2"))
    >>> tests, labels = read_rule('IF 15 <= age < 18 AND "red apple" >= 1 THEN {"2"}', schema)
    >>> tests[0], labels
    (IntervalTest(feature='age', lower=15.0, upper=18.0), ('2',))
    >>> read_rule("IF weight < 3 THEN {aged}", schema)
    Traceback (most recent call last):
    ...
    minotaur_pymoo.support.errors.InputError: the rule 'IF weight < 3 THEN {aged}' cannot be read: \
there is no feature 'weight', the features are age, red apple.
    """
    if not isinstance(text, str):
        raise InputError(f"a rule must be text, not {short_repr(text)}.")
    return _Reader(text, schema).rule()


class _Reader:
    """Reads one token of a rule after the other.

    Parameters
    ----------
    text
        The rule.
    schema
        The names that it may contain.
    """

    def __init__(self, text: str, schema: Schema) -> None:
        self.text, self.schema = text, schema
        self.tokens = [self._token(match[0]) for match in _TOKEN.finditer(text)]
        self.tokens.reverse()
        self.indicators = {
            (what.variable, what.category): schema.feature_names[index]
            for index, what in schema.indicators.items()
        }

    def rule(self) -> tuple[tuple[FeatureTest, ...], tuple[str, ...]]:
        self.expect("IF")
        tests: dict[str, FeatureTest] = {}
        if self.next_means("anything"):
            self.expect("anything")
        else:
            while not tests or self.next_means("AND"):
                if tests:
                    self.expect("AND")
                test = self.test()
                if test.feature in tests:
                    self.fail(f"there are two tests on {short_repr(test.feature)}")
                tests[test.feature] = test
        self.expect("THEN")
        labels = self.names()
        if self.tokens:
            self.fail(f"{short_repr(self.tokens[-1].text)} follows after its end")
        for name in labels:
            self.check_known("label", name, self.schema.label_names)
        return tuple(tests.values()), tuple(labels)

    def test(self) -> FeatureTest:
        lower = -np.inf
        if len(self.tokens) > 1 and self.tokens[-2].means(*_AT_MOST):
            lower = self.number()
            self.expect(*_AT_MOST)
        name = self.name("<", *_AT_LEAST, "in", "is")
        sign = self.expect("<", *(() if lower > -np.inf else (*_AT_LEAST, "in", "is")))
        if sign == "in":
            return self.set_test(name, self.names())
        if sign == "is":
            return self.equality(name)
        self.check_known("feature", name, self.schema.column_names)
        bound = self.number()
        return IntervalTest(name, *((lower, bound) if sign == "<" else (bound, np.inf)))

    def equality(self, name: str) -> FeatureTest:
        """What follows ``is``: a category, true or false."""
        positive = not self.next_means("not")
        if not positive:
            self.expect("not")
        value = self.take().text
        feature = self.indicators.get((name, value))
        if feature is None and value in ("true", "false"):
            feature = self.indicators.get((name, None))
            positive = positive == (value == "true")
        if feature is not None:
            return IntervalTest(feature, *((1.0, np.inf) if positive else (-np.inf, 1.0)))
        if not positive:
            self.fail(f"{short_repr(name)} is not a variable of one-hot columns")
        return self.set_test(name, [value])

    def set_test(self, name: str, categories: list[str]) -> SetTest:
        self.check_known("feature", name, self.schema.feature_names)
        known = self.schema.categories.get(self.schema.feature_names.index(name))
        if known is None:
            self.fail(f"{short_repr(name)} is not a categorical feature")
        for category in categories:
            self.check_known("category", category, known)
        return SetTest(name, tuple(categories))

    def names(self) -> list[str]:
        """A set in braces."""
        self.expect("{")
        found: list[str] = []
        while not self.next_means("}"):
            if found:
                self.expect(",")
            found.append(self.name(",", "}"))
        self.expect("}")
        return found

    def name(self, *ends: str) -> str:
        """A name in quotation marks, or words up to a sign that ends it."""
        if self.tokens and self.tokens[-1].quoted:
            return self.take().text
        words = []
        while self.tokens and not self.tokens[-1].quoted and not self.next_means(*ends):
            words.append(self.take().text)
        return " ".join(words)

    def number(self) -> float:
        token = self.take()
        try:
            value = float("nan" if token.quoted else token.text)
        except ValueError:
            value = np.nan
        if not np.isfinite(value):
            self.fail(f"{short_repr(token.text)} is not a number")
        return value

    def take(self) -> _Token:
        if not self.tokens:
            self.fail("it ends too early")
        return self.tokens.pop()

    def next_means(self, *words: str) -> bool:
        return bool(self.tokens) and self.tokens[-1].means(*words)

    def expect(self, *words: str) -> str:
        token = self.take()
        if not token.means(*words):
            self.fail(f"{short_repr(token.text)} is where {' or '.join(words)} should be")
        return token.text

    def check_known(self, kind: str, name: str, known: tuple[str, ...]) -> None:
        if name not in known:
            plural = "categories" if kind == "category" else f"{kind}s"
            self.fail(
                f"there is no {kind} {short_repr(name)}, the {plural} are {short_list(known)}"
            )

    def fail(self, reason: str) -> NoReturn:
        raise InputError(f"the rule {short_repr(self.text)} cannot be read: {reason}.")

    def _token(self, text: str) -> _Token:
        if not text.startswith('"'):
            return _Token(text)
        try:
            return _Token(json.loads(text), quoted=True)
        except ValueError:
            return self.fail(f"{short_repr(text)} is not a name in quotation marks")
