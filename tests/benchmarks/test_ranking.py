from __future__ import annotations

from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pandas as pd
import pytest

from benchmarks import published
from benchmarks.ranking import rank
from minotaur_pymoo import InputError


def test_published_ranks_follow_from_published_scores() -> None:
    ranking = rank(published.F1)
    printed = published.RANKS[ranking.mean_ranks.index]
    # Printed with two decimals, with inconsistent rounding of ties.
    np.testing.assert_allclose(ranking.mean_ranks, printed, atol=0.0051)
    assert ranking.critical_difference == pytest.approx(published.CRITICAL_DIFFERENCE, abs=0.005)
    assert ranking.friedman_p < 0.001
    # According to the paper, only SVM-LP is significantly better than others.
    clear = ranking.nemenyi_p < 0.05
    assert set(clear.index[clear["SVM-LP"]]) == {"MINOTAUR", "HMC-GA", "Clus-HMC", "J48-LP"}
    assert clear.to_numpy().sum() == 2 * 4


def test_lower_scores_can_be_better() -> None:
    sizes = pd.DataFrame({"small": [1, 2], "large": [9, 8], "middle": [3, 3]})
    ranking = rank(sizes, higher_is_better=False)
    assert ranking.mean_ranks.to_dict() == {"small": 1, "middle": 2, "large": 3}
    assert list(rank(sizes).mean_ranks.index) == ["large", "middle", "small"]


def test_ties_share_the_mean_rank() -> None:
    same = pd.DataFrame(np.ones((4, 3)), columns=list("abc"))
    ranking = rank(same)
    assert ranking.mean_ranks.tolist() == [2, 2, 2]
    assert ranking.friedman_p == 1


def test_diagram_names_all_methods_and_is_reproducible(tmp_path: Path) -> None:
    for kind in ("svg", "png"):
        rank(published.F1).draw(tmp_path / f"diagram.{kind}", "All methods")
    again = tmp_path / "again.svg"
    rank(published.F1).draw(again, "All methods")
    text = (tmp_path / "diagram.svg").read_text()
    assert again.read_text() == text
    # Text is drawn as paths, which matplotlib labels with comments.
    assert ElementTree.fromstring(text).tag.endswith("svg")  # noqa: S314
    for method in published.F1:
        assert method in text
    assert "All methods (critical difference 7.58)" in text
    assert (tmp_path / "diagram.png").read_bytes().startswith(b"\x89PNG")


def test_incomplete_scores_are_rejected() -> None:
    with pytest.raises(InputError, match="at least 2 datasets and 3 methods, not 1 and 15"):
        rank(published.F1.iloc[:1])
    gap = published.F1.copy()
    gap.iloc[2, 3] = np.nan
    with pytest.raises(InputError, match="a score for every method on every dataset"):
        rank(gap)
