import numpy as np
from hypothesis import given

from minotaur_pymoo import majority
from tests import oracle
from tests.cases import Case, cases


@given(cases())
def test_majority_equals_the_oracle(case: Case) -> None:
    rows = list(range(len(case.X)))
    counts = np.array(oracle.counts(case.Y, rows))
    assert majority(counts, len(rows)).tolist() == oracle.majority(case.Y, rows)


def test_exactly_half_is_enough() -> None:
    assert majority(np.array([2, 1, 3]), 4).tolist() == [True, False, True]
