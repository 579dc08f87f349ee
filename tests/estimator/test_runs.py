"""Runs, interruptions, and scores on held-out data."""

import subprocess
import sys
import time
import warnings
from pathlib import Path
from typing import Any

import pytest
from pymoo.algorithms.moo.spea2 import SPEA2
from pymoo.termination.default import DefaultMultiObjectiveTermination
from pymoo.termination.max_gen import MaximumGenerationTermination

from minotaur_pymoo import (
    MINOTAUR,
    FrontHistory,
    InputError,
    MinotaurClassifier,
    rule_set_operators,
)
from tests.estimator.examples import GARDEN, quick


def test_models_are_made_without_the_held_out_part() -> None:
    classifier = quick(validation_fraction=0.4).fit(GARDEN.X, GARDEN.Y)
    assert {model.n_instances for model in classifier.models_} == {120}
    assert {
        model.n_instances for model in quick(choice="best").fit(GARDEN.X, GARDEN.Y).models_
    } == {200}


def test_cv_compares_sizes_on_left_out_data() -> None:
    arguments = {"choice": "cv", "n_gen": 30, "random_state": 1}
    classifier = MinotaurClassifier(**arguments).fit(GARDEN.X, GARDEN.Y)
    assert list(classifier.front_) == ["micro_f1", "n_rules", "expected_micro_f1", "cv_micro_f1"]
    # Models are made from all data; scores are those of others of their size on left-out data.
    assert {model.n_instances for model in classifier.models_} == {200}
    train, unseen = classifier.front_["micro_f1"], classifier.front_["cv_micro_f1"]
    assert unseen.mean() < train.mean()
    assert unseen[classifier.chosen_] > unseen.max() - 0.05
    again = MinotaurClassifier(**arguments, n_jobs=2).fit(GARDEN.X, GARDEN.Y)
    assert again.front_["cv_micro_f1"].tolist() == unseen.tolist()
    with pytest.raises(InputError, match="n_cv_folds must be at least 2, not 1"):
        MinotaurClassifier(choice="cv", n_gen=2, n_cv_folds=1).fit(GARDEN.X, GARDEN.Y)


# Once a second, joblib looks whether a worker has grown by 300 MB, and replaces it.
PARALLEL_RUNS = """
import time
from minotaur_pymoo import MinotaurClassifier, load_demo

def grow(algorithm):
    time.kept = getattr(time, "kept", b"") + b"x" * 110_000_000
    time.sleep(0.3)

if __name__ == "__main__":
    garden = load_demo(200)
    options = {"n_gen": 4, "n_runs": 4, "n_jobs": 2, "on_interrupt": "keep"}
    MinotaurClassifier(**options, callback=grow).fit(garden.X, garden.Y)
"""


def test_growing_workers_are_not_mentioned(tmp_path: Path) -> None:
    script = tmp_path / "runs.py"
    script.write_text(PARALLEL_RUNS)
    command = [sys.executable, str(script)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)  # noqa: S603
    assert "A worker stopped" not in done.stderr


@pytest.mark.parametrize("generation", [5, 38])
def test_on_interrupt_keeps_the_front_or_raises(
    generation: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The search has 31 generations with the initial one, and cross-validation follows.
    calls = iter(range(1000))
    advance = MINOTAUR.next

    def interrupted(algorithm: MINOTAUR) -> None:
        if next(calls) == generation:
            raise KeyboardInterrupt
        advance(algorithm)

    monkeypatch.setattr(MINOTAUR, "next", interrupted)
    classifier = quick(choice="cv", on_interrupt="keep").fit(GARDEN.X, GARDEN.Y)
    assert classifier.interrupted_
    assert classifier.model_ is classifier.models_[-1]
    assert classifier.predict(GARDEN.X).shape == GARDEN.Y.shape
    calls = iter(range(1000))
    with pytest.raises(KeyboardInterrupt):
        quick(choice="cv").fit(GARDEN.X, GARDEN.Y)


def test_same_seed_gives_the_same_models(fitted: MinotaurClassifier) -> None:
    again = quick().fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in again.models_] == [str(model) for model in fitted.models_]
    other = quick(random_state=2).fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in other.models_] != [str(model) for model in fitted.models_]


def test_merged_runs_do_not_depend_on_n_jobs() -> None:
    one = quick(choice="best").fit(GARDEN.X, GARDEN.Y)
    alone = quick(choice="best", n_runs=3).fit(GARDEN.X, GARDEN.Y)
    spread = quick(choice="best", n_runs=3, n_jobs=2).fit(GARDEN.X, GARDEN.Y)
    assert [str(model) for model in alone.models_] == [str(model) for model in spread.models_]
    assert alone.front_["expected_micro_f1"].max() >= one.front_["expected_micro_f1"].max()
    sizes = alone.front_["n_rules"].tolist()
    assert sizes == sorted(set(sizes))


def test_other_algorithms_can_search() -> None:
    spea = SPEA2(pop_size=20, n_offsprings=10, **rule_set_operators())
    with warnings.catch_warnings():
        # SPEA2 divides by the range of an objective that has none in the first population.
        warnings.simplefilter("ignore", RuntimeWarning)
        classifier = quick(algorithm=spea).fit(GARDEN.X, GARDEN.Y)
    assert classifier.score(GARDEN.X, GARDEN.Y) > 0.2
    assert spea.problem is None


def test_searches_end_by_the_termination_that_is_passed() -> None:
    history = FrontHistory()
    quick(choice="best", termination=("n_eval", 400), callback=history).fit(GARDEN.X, GARDEN.Y)
    assert history.data["n_eval"][-1] == 400
    start = time.perf_counter()
    history = FrontHistory()
    limited = {"n_gen": 100_000, "termination": ("time", 1), "soft_labels": False}
    quick(choice="best", **limited, callback=history).fit(GARDEN.X, GARDEN.Y)
    assert time.perf_counter() - start > 1
    # In a second, not even the fastest machine gets that far.
    assert history.data["n_gen"][-1] < 100_000
    with pytest.raises(
        InputError, match=r"\('forever', 1\) is not a termination: pass one of pymoo's"
    ):
        quick(termination=("forever", 1)).fit(GARDEN.X, GARDEN.Y)
    with pytest.raises(
        InputError, match="callback must be a function of the algorithm, or a pymoo"
    ):
        quick(callback="print").fit(GARDEN.X, GARDEN.Y)


def test_each_run_has_its_own_termination() -> None:
    # This termination remembers the fronts that it has seen.
    termination = DefaultMultiObjectiveTermination(n_max_gen=7)
    generations: list[int] = []
    classifier = quick(
        choice="best",
        n_runs=2,
        termination=termination,
        callback=lambda algorithm: generations.append(algorithm.n_gen),
    )
    classifier.fit(GARDEN.X, GARDEN.Y)
    assert generations == [*range(1, 8)] * 2
    assert not termination.has_terminated()


@pytest.mark.parametrize(
    ("arguments", "n_folds"),
    [
        ({}, 3),
        ({"termination": ("n_gen", 7)}, 7),
        ({"termination": MaximumGenerationTermination(2)}, 2),
        ({"algorithm": MINOTAUR(n_gen=4)}, 5),
        ({"algorithm": MINOTAUR(n_gen=4), "termination": ("n_gen", 7)}, 7),
    ],
)
def test_folds_end_by_the_users_termination_or_after_a_third_of_the_generations(
    arguments: dict[str, Any], n_folds: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    n_gen: dict[MINOTAUR, int] = {}
    advance = MINOTAUR.next

    def count(algorithm: MINOTAUR) -> None:
        n_gen[algorithm] = n_gen.get(algorithm, 0) + 1
        advance(algorithm)

    monkeypatch.setattr(MINOTAUR, "next", count)
    quick(choice="cv", n_gen=6, n_cv_folds=2, **arguments).fit(GARDEN.X, GARDEN.Y)
    # pymoo counts the initial population as a generation.
    n_search = n_folds if arguments else 7
    assert list(n_gen.values()) == [n_search, n_folds, n_folds]


@pytest.mark.parametrize("own", [True, False])
def test_algorithms_keep_their_own_termination_and_size(own: bool) -> None:
    algorithm = SPEA2(pop_size=30, n_offsprings=10, **rule_set_operators())
    if own:
        algorithm.termination = ("n_gen", 4)
    history = FrontHistory()
    quick(choice="best", algorithm=algorithm, n_gen=8, callback=history).fit(GARDEN.X, GARDEN.Y)
    expected = [30 + 10 * generation for generation in range(4 if own else 9)]
    assert history.data["n_eval"] == expected
    minotaur = MINOTAUR(n_gen=3, pop_size=20, n_offsprings=5)
    history = FrontHistory()
    quick(choice="best", algorithm=minotaur, n_gen=8, callback=history).fit(GARDEN.X, GARDEN.Y)
    assert history.data["n_eval"] == [20, 25, 30, 35]


def test_interrupts_in_a_callback_keep_the_front_so_far() -> None:
    def interrupt(algorithm: MINOTAUR) -> None:
        if algorithm.n_gen == 3:
            raise KeyboardInterrupt

    classifier = quick(choice="cv", callback=interrupt, on_interrupt="keep")
    classifier.fit(GARDEN.X, GARDEN.Y)
    assert classifier.interrupted_
    assert classifier.predict(GARDEN.X).shape == GARDEN.Y.shape
