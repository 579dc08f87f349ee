from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from minotaur_pymoo.datasets import Dataset, load_arff
from tests.datasets.arff_files import write

names = st.text(
    st.characters(codec="utf-8", exclude_categories=["C", "Z"], include_characters=" '\"\\%,{}"),
    min_size=1,
    max_size=6,
).filter(lambda name: name == name.strip() and name.lower() not in {"true", "false"})


numbers = st.floats(allow_nan=False, allow_infinity=False) | st.integers(-3, 3).map(float)


@st.composite
def datasets(draw: st.DrawFn) -> Dataset:
    """Draw a dataset with names that need quotes."""
    columns = draw(st.lists(names, min_size=2, max_size=6, unique=True))
    n_labels = draw(st.integers(1, len(columns) - 1))
    n = draw(st.integers(1, 5))
    n_features = len(columns) - n_labels
    X = np.empty((n, n_features))
    categories = {}
    for feature in range(n_features):
        values: st.SearchStrategy[float] = numbers
        if draw(st.booleans()):
            categories[feature] = tuple(draw(st.lists(names, min_size=1, max_size=4, unique=True)))
            values = st.integers(0, len(categories[feature]) - 1).map(float)
        X[:, feature] = draw(st.lists(values | st.just(np.nan), min_size=n, max_size=n))
    labels = st.lists(st.integers(0, 1), min_size=n_labels, max_size=n_labels)
    return Dataset(
        name="any",
        X=X,
        Y=np.array(draw(st.lists(labels, min_size=n, max_size=n)), dtype=np.uint8),
        feature_names=tuple(columns[:n_features]),
        label_names=tuple(columns[n_features:]),
        categories=categories,
    )


def quoted(name: str) -> str:
    return "'" + "".join(f"\\{c}" if c in "'\"\\%" else c for c in name) + "'"


def as_arff(data: Dataset, *, is_sparse: bool) -> str:
    lines = ["@relation any"]
    for feature, name in enumerate(data.feature_names):
        found = data.categories.get(feature)
        kind = "real" if found is None else f"{{{', '.join(map(quoted, found))}}}"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines += [f"@attribute {quoted(name)} {{0, 1}}" for name in data.label_names]
    lines.append("@data")
    for x, y in zip(data.X, data.Y, strict=True):
        cells = [
            "?"
            if np.isnan(value)
            else quoted(data.categories[feature][int(value)])
            if feature in data.categories
            else repr(float(value))
            for feature, value in enumerate(x)
        ]
        cells += [str(label) for label in y]
        if is_sparse:
            # Zero, the first category and an absent label may be omitted.
            kept = [
                f"{column} {cell}"
                for column, (cell, value) in enumerate(zip(cells, [*x, *y], strict=True))
                if value != 0
            ]
            lines.append(f"{{{', '.join(kept)}}}")
        else:
            lines.append(", ".join(cells))
    return "\n".join(lines)


@settings(max_examples=200)
@given(datasets(), st.booleans())
def test_written_datasets_are_read_back(
    tmp_path_factory: pytest.TempPathFactory, data: Dataset, sparse: bool
) -> None:
    path = write(tmp_path_factory.mktemp("arff"), as_arff(data, is_sparse=sparse), "any.arff")
    loaded = load_arff(path, len(data.label_names))
    np.testing.assert_array_equal(loaded.X, data.X)
    np.testing.assert_array_equal(loaded.Y, data.Y)
    assert loaded.feature_names == data.feature_names
    assert loaded.label_names == data.label_names
    assert loaded.categories == data.categories


@pytest.mark.parametrize("save_sparse", [True, False])
@pytest.mark.parametrize("location", ["start", "end"])
def test_files_of_scikit_multilearn_are_read(
    tmp_path: Path, save_sparse: bool, location: str
) -> None:
    from skmultilearn.dataset import save_to_arff  # noqa: PLC0415

    random_state = np.random.default_rng(0)
    X = random_state.integers(-2, 3, (20, 5)) / 2
    Y = random_state.integers(0, 2, (20, 3))
    path = tmp_path / "saved.arff"
    save_to_arff(
        sparse.csr_matrix(X),
        sparse.csr_matrix(Y),
        label_location=location,
        save_sparse=save_sparse,
        filename=str(path),
    )
    data = load_arff(path)
    np.testing.assert_array_equal(data.X, X)
    np.testing.assert_array_equal(data.Y, Y)
    assert data.label_names == ("y0", "y1", "y2")
