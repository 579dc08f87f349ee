"""Errors for what people pass as labels by mistake."""

from typing import Any

import numpy as np
import pandas as pd
import pytest

from minotaur_pymoo import InputError, MinotaurClassifier, RuleSetProblem, simplify

X = np.arange(8.0).reshape(4, 2)
LISTS = [["a"], ["a", "b"], ["b"], []]
WORDS = [["yes", "no"], ["no", "no"], ["yes", "yes"], ["no", "yes"]]


@pytest.mark.parametrize(
    "labels",
    [
        LISTS,
        [tuple(row) for row in LISTS],
        [set(row) for row in LISTS],
        [["a", "c"], ["a", "b"], ["b", "a"], ["c", "a"]],
        [[1], [1, 2], [2], [0]],
        pd.Series(LISTS),
        np.array(LISTS, dtype=object),
    ],
)
def test_lists_of_labels_name_the_binarizer(labels: Any) -> None:
    for use in (lambda: RuleSetProblem(X, labels), lambda: MinotaurClassifier().fit(X, labels)):
        with pytest.raises(InputError, match=r"lists of labels, .* MultiLabelBinarizer\(\)"):
            use()


@pytest.mark.parametrize(
    "labels", [WORDS, np.array(WORDS), np.array(WORDS, dtype=object), pd.DataFrame(WORDS)]
)
def test_words_for_labels_are_quoted_with_their_row(labels: Any) -> None:
    for use in (lambda: RuleSetProblem(X, labels), lambda: MinotaurClassifier().fit(X, labels)):
        with pytest.raises(InputError, match=r"holds 'yes' in row 0: .*\(Y == 'yes'\)"):
            use()


def test_classes_may_be_words() -> None:
    fitted = MinotaurClassifier(n_gen=1).fit(X, ["yes", "no", "yes", "no"])
    assert fitted.classes_.tolist() == ["no", "yes"]


def test_classifier_is_not_a_rule_set() -> None:
    with pytest.raises(InputError, match=r"simplify needs a RuleSet, .* not a MinotaurClassifier"):
        simplify(MinotaurClassifier())
