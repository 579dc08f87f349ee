import numpy as np
import pytest
from pymoo.core.individual import Individual

from minotaur_pymoo.search.individual import RuleSetIndividual, population

KEYS = ["X", "F", "G", "H", "dF", "CV", "FEAS", "rank", "crowding", "n_gen", "unheard of"]


@pytest.mark.parametrize("G", [None, [-1.0, -2.0], [0.5, -1.0]])
def test_it_answers_as_an_individual_of_pymoo_does(G: list[float] | None) -> None:
    ours, theirs = RuleSetIndividual(), Individual()
    values = {"X": np.array([1]), "F": np.array([1.0, 2.0]), "rank": 3, "own": "value"}
    if G is not None:
        values["G"] = np.array(G)
    for individual in (ours, theirs):
        individual.set_by_dict(**values)
    for key in [*KEYS, "own"]:
        np.testing.assert_array_equal(ours.get(key), theirs.get(key))
    for one, other in zip(ours.get("F", "rank"), theirs.get("F", "rank"), strict=True):
        np.testing.assert_array_equal(one, other)
    assert ours.feas == theirs.feas
    assert ours.has("own")
    assert not ours.has("unheard of")


def test_a_population_holds_each_rule_set_in_an_array_of_its_own() -> None:
    pop = population(["one", "another"])
    assert pop.get("X").tolist() == [["one"], ["another"]]
    assert all(individual.X.base is None for individual in pop)
    assert all(not individual.evaluated for individual in pop)
