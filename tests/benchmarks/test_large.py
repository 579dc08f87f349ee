import numpy as np
import pytest
from scipy import sparse

from benchmarks import large


def test_text_has_the_shape_and_frequencies_asked_for() -> None:
    X, Y = large.text(500, 200, 6, 10, binary=True)
    assert sparse.issparse(X)
    assert X.shape == (500, 200)
    assert set(np.unique(X.data)) == {1.0}
    assert 7 < X.nnz / 500 < 13
    assert Y.shape == (500, 6)
    assert Y.mean() == pytest.approx(0.15, abs=0.01)
    weighted, same = large.text(500, 200, 6, 10, binary=False)
    assert (weighted.indices == X.indices).all()
    assert (same == Y).all()


@pytest.mark.parametrize("method", ["minotaur", "raw", "cart"])
@pytest.mark.parametrize("shape", ["text", "dense"])
def test_measure_reports_time_memory_size_and_f1(
    method: str, shape: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    tiny = {
        "text": lambda: large.text(300, 450, 4, 12, binary=True),
        "dense": lambda: large.dense(400),
    }
    monkeypatch.setattr(large, "SHAPES", tiny)
    plain = large.MinotaurClassifier
    monkeypatch.setattr(
        large, "MinotaurClassifier", lambda **settings: plain(**{**settings, "n_gen": 2})
    )
    figures = large.measure(shape, method)
    assert figures["seconds"] > 0
    assert figures["size"] > 1
    assert 0.1 < figures["f1"] < 1
    line = large.row(shape, method, figures)
    assert f"{figures['f1']:.3f}" in line


def test_failed_methods_are_reported() -> None:
    assert large.measure_apart("no such data", "cart") is None
    assert "failed" in large.row("text", "boomer", None)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--methods", "svm"], "There is no method 'svm'"),
        (["--shapes", "9"], "There is no dataset '9'"),
    ],
)
def test_unknown_names_are_refused(arguments: list[str], sentence: str) -> None:
    with pytest.raises(SystemExit, match=sentence):
        large.main(arguments)
