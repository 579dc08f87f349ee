import numpy as np
import pytest

from benchmarks import data


@pytest.mark.parametrize("name", data.SHAPES)
def test_generated_data_have_the_published_shape(name: str) -> None:
    generated, shape = data.generate(name), data.SHAPES[name]
    assert generated.X.shape == (shape.n_instances, shape.n_features)
    assert generated.Y.shape == (shape.n_instances, shape.n_labels)
    assert generated.Y.mean() == pytest.approx(shape.density, abs=0.01)
    train, test = generated.split(3)
    assert not (train & test).any()
    assert test.sum() == pytest.approx(shape.n_instances / 10, abs=1)
    real = data.load(name)
    if not real.generated:
        assert real.X.shape == generated.X.shape
        assert real.Y.shape == generated.Y.shape
        assert np.unique(real.fold).tolist() == list(range(10))
