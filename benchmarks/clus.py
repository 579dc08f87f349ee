"""Clus, the predictive clustering trees of KU Leuven and the Jozef Stefan Institute.

The settings are the paper's: F-test at .001, C4.5 pruning, at least five instances per leaf, and
one rule per leaf. A tree that is pruned to its root has no rules. Labels are binary nominal
targets.

Clus is a Java program under the GPL. The package ``pyclus`` brings it, and it runs as a separate
process.
"""

from __future__ import annotations

import importlib.metadata
import math
import re
import shutil
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import arff
import numpy as np

from benchmarks.cart import Scores, at_least, best_threshold
from benchmarks.fitting import Training
from minotaur_pymoo.support.arrays import LabelArray
from minotaur_pymoo.support.errors import InputError

# A run takes seconds: compiling and collecting in parallel would cost more than it gains.
_JAVA = ("java", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1")
_SETTINGS = """\
[Data]
File = train.arff
TestSet = test.arff
[Attributes]
Descriptive = 1-{n_features}
Target = {first}-{last}
Clustering = {first}-{last}
[Model]
MinimalWeight = 5
[Tree]
FTest = 0.001
PruningMethod = C45
ConvertToRules = Leaves
[Output]
WritePredictions = Train,Test
"""


class Clus:
    """A pruned multi-label tree, converted to rules.

    Its threshold is tuned on the training data, like that of the tuned CART.

    Parameters
    ----------
    training
        The training data. Clus fits and predicts in one run, so it predicts nothing but
        `Training.X_test`.
    """

    def __init__(self, training: Training) -> None:
        self.training = training
        with tempfile.TemporaryDirectory() as folder:
            _run(training, Path(folder))
            output = Path(folder, "data.out").read_text()
            self._train_scores, _ = _read(Path(folder, "data.train.1.pred.arff"), training)
            self._scores, self._predicted = _read(Path(folder, "data.test.pred.arff"), training)
        sizes = re.findall(r"Rules-(?:Pruned|Original): Rules = (\d+)", output)
        self.size = int(sizes[-1])

    def predict(self, X: Any) -> LabelArray:
        """Predict without tuning."""
        self._check(X)
        return self._predicted

    def scores(self, X: Any) -> Scores:
        """Label frequencies in the leaves."""
        self._check(X)
        return self._scores

    def predict_tuned(self, X: Any) -> LabelArray:
        """Predict with the threshold that is best on the training data."""
        threshold = best_threshold(self.training.Y, self._train_scores)
        return at_least(self.scores(X), threshold)

    def _check(self, X: Any) -> None:
        if not np.array_equal(X, self.training.X_test, equal_nan=True):
            raise InputError("Clus predicts only the test data that it was given for fitting.")


def jar() -> Path:
    """The program's file."""
    try:
        files = importlib.metadata.files("pyclus") or []
    except importlib.metadata.PackageNotFoundError:
        files = []
    found = [Path(str(file.locate())) for file in files if file.name == "clus.jar"]
    if not found or shutil.which("java") is None:
        raise InputError(
            "Clus needs pyclus and Java: pip install pyclus and, on Debian, apt install"
            " default-jre-headless; or leave it out of --methods."
        )
    return found[0]


def _run(training: Training, folder: Path) -> None:
    n_features, n_labels = training.X.shape[1], training.Y.shape[1]
    _write(folder / "train.arff", training.X, training.Y)
    # The true labels are not for the program.
    unknown = np.zeros((len(training.X_test), n_labels), dtype=np.uint8)
    _write(folder / "test.arff", training.X_test, unknown)
    settings = _SETTINGS.format(
        n_features=n_features, first=n_features + 1, last=n_features + n_labels
    )
    (folder / "data.s").write_text(settings)
    command = [*_JAVA, "-jar", str(jar()), "data.s"]
    done = subprocess.run(  # noqa: S603
        command, cwd=folder, capture_output=True, text=True, check=False
    )
    if done.returncode or not (folder / "data.test.pred.arff").exists():
        raise RuntimeError(f"Clus failed: {done.stdout[-500:]} {done.stderr[-500:]}")


def _write(path: Path, X: Any, Y: LabelArray) -> None:
    lines = ["@RELATION data"]
    lines += [f"@ATTRIBUTE x{j} NUMERIC" for j in range(X.shape[1])]
    lines += [f"@ATTRIBUTE y{j} {{0,1}}" for j in range(Y.shape[1])]
    lines.append("@DATA")
    for x, y in zip(np.asarray(X, dtype=np.float64).tolist(), Y.tolist(), strict=True):
        values = ["?" if math.isnan(value) else repr(value) for value in x]
        lines.append(",".join([*values, *map(str, y)]))
    path.write_text("\n".join(lines) + "\n")


def _read(path: Path, training: Training) -> tuple[Scores, LabelArray]:
    """Label frequencies and predicted labels, of the pruned tree if pruning changed anything."""
    content = arff.loads(path.read_text())
    table = np.array(content["data"], dtype=object)
    column = {name: table[:, j] for j, (name, _) in enumerate(content["attributes"])}
    tree = "Pruned" if "Pruned-p-y0" in column else "Original"
    labels = [f"{tree}-p-y{j}" for j in range(training.Y.shape[1])]
    predicted = np.column_stack([column[label] for label in labels]).astype(np.uint8)
    positive, negative = (
        np.column_stack([column[f"{label}-{value}"] for label in labels]).astype(np.float64)
        for value in (1, 0)
    )
    return positive / (positive + negative), predicted
