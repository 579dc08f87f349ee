"""The figures that the paper prints in its tables and text."""

from __future__ import annotations

import pandas as pd

DATASETS = (
    "CAL500",
    "emotions",
    "scene",
    "synthetic0",
    "synthetic1",
    "synthetic2",
    "synthetic3",
    "yeast",
)
MINOTAUR = "MINOTAUR"
RUNS = 30

_METHODS = [MINOTAUR, "HMC-GA", "Clus-HMC"]
_METHODS += [
    f"{base}-{kind}" for kind in ("CC", "BR", "LP") for base in ("J48", "SVM", "NB", "k-NN")
]

# Micro-averaged F1 on test data, in hundredths.
_F1 = (
    (31, 34, 31, 36, 34, 29, 34, 35, 33, 33, 34, 33, 34, 34, 34),
    (36, 49, 59, 60, 68, 66, 62, 60, 65, 66, 62, 59, 70, 62, 62),
    (31, 45, 60, 63, 70, 56, 69, 62, 68, 56, 69, 59, 74, 64, 69),
    (59, 48, 52, 58, 60, 60, 49, 56, 56, 58, 49, 49, 61, 61, 49),
    (2, 24, 12, 39, 15, 8, 65, 47, 3, 3, 65, 26, 24, 13, 65),
    (47, 38, 34, 50, 48, 51, 41, 37, 41, 39, 41, 44, 50, 50, 41),
    (64, 61, 66, 67, 67, 67, 62, 68, 65, 65, 62, 65, 71, 69, 62),
    (55, 56, 56, 55, 64, 54, 60, 58, 63, 55, 60, 54, 64, 60, 60),
)
F1 = pd.DataFrame(_F1, index=DATASETS, columns=_METHODS) / 100
F1_DEVIATION = pd.Series([0.00, 0.02, 0.01, 0.00, 0.00, 0.00, 0.00, 0.00], index=DATASETS)

# Mean ranks by F1.
RANKS = pd.Series(
    [11.56, 11.75, 11.06, 6.38, 4.25, 8.38, 7.5, 7.38, 8.19, 10, 7.5, 10.44, 2.81, 5.31, 7.5],
    index=_METHODS,
)
CRITICAL_DIFFERENCE = 7.58

N_RULES = pd.DataFrame(
    {
        MINOTAUR: [27.94, 11.03, 10.41, 9.26, 12.36, 11.25, 13.38, 15.93],
        "HMC-GA": [9.65, 8.86, 17.11, 37.31, 399.42, 145.76, 66.54, 26.74],
        "Clus-HMC": [0.00, 21.30, 67.90, 13.70, 103.50, 40.90, 32.90, 97.90],
    },
    index=DATASETS,
)
N_RULES_DEVIATION = pd.Series([1.43, 1.63, 0.98, 1.17, 0.75, 1.96, 1.54, 2.07], index=DATASETS)

# p-values of the paper's Wilcoxon tests on numbers of rules.
WILCOXON = {
    (MINOTAUR, "HMC-GA"): 0.0781,
    (MINOTAUR, "Clus-HMC"): 0.0547,
    ("HMC-GA", "Clus-HMC"): 0.5469,
}
