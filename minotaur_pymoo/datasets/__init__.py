"""Multi-label datasets: readers for files and online sources, and a demo."""

from minotaur_pymoo.datasets.arff import load_arff
from minotaur_pymoo.datasets.csv import load_csv
from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.demo import load_demo
from minotaur_pymoo.datasets.for_model import load_features, load_labelled
from minotaur_pymoo.datasets.loading import load
from minotaur_pymoo.datasets.npz import load_npz
from minotaur_pymoo.datasets.openml import load_openml
from minotaur_pymoo.datasets.river import load_river
from minotaur_pymoo.datasets.table import Labels

__all__ = [
    "Dataset",
    "Labels",
    "load",
    "load_arff",
    "load_csv",
    "load_demo",
    "load_features",
    "load_labelled",
    "load_npz",
    "load_openml",
    "load_river",
]
