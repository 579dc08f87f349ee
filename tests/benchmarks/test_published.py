from __future__ import annotations

from benchmarks import data, published


def test_published_figures_are_complete() -> None:
    assert set(published.DATASETS) == set(data.SHAPES)
    assert published.F1.shape == (8, 15)
    # The paper prints the best of each row in bold.
    best = published.F1.idxmax(axis=1).to_dict()
    assert best["CAL500"] == "J48-CC"
    assert best["emotions"] == best["scene"] == "SVM-LP"
    assert best["synthetic2"] == "NB-CC"
    assert published.F1.loc["yeast", "SVM-CC"] == published.F1.loc["yeast"].max()
    assert published.N_RULES.idxmin(axis=1).value_counts().to_dict() == {
        "MINOTAUR": 6,
        "HMC-GA": 1,
        "Clus-HMC": 1,
    }
