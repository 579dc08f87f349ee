import numpy as np
import pytest
from hypothesis import given, settings

from minotaur_pymoo import InputError
from minotaur_pymoo.rules.regions import count_regions, micro_f1_of_regions, training_regions
from minotaur_pymoo.support.metrics import micro_f1
from tests.cases import cases, random_rule_set, seeds
from tests.export.models import example, random_data


@settings(max_examples=200)
@given(case=cases(), seed=seeds)
def test_counts_of_the_training_data_equal_those_in_the_model(case, seed):
    rule_set = random_rule_set(case.data, np.random.default_rng(seed))
    model = rule_set.model
    regions = count_regions(model, case.table(case.X), case.Y)
    assert regions == training_regions(model)
    expected = micro_f1(np.array(case.Y), model.predict(case.table(case.X)))
    assert micro_f1_of_regions(model, regions) == pytest.approx(expected)


def test_wrong_number_of_labels_is_rejected():
    saved = example()
    with pytest.raises(InputError, match="Y has 1 labels, but the model has 2"):
        count_regions(saved.model, random_data(saved, n=2), [[1], [0]])
