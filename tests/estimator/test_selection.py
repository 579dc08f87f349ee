import numpy as np
import pytest

from minotaur_pymoo import InputError
from minotaur_pymoo.estimator.selection import (
    choose,
    default_tolerance,
    f1_difference_errors,
    f1_standard_error,
)
from minotaur_pymoo.support.metrics import micro_f1

F = np.array([[-0.40, 1.0], [-0.60, 2.0], [-0.62, 3.0], [-0.63, 9.0]])
N_RULES = np.array([1, 2, 3, 9])


def test_best_takes_the_highest_score_with_the_fewest_rules() -> None:
    assert choose("best", F, N_RULES) == 3
    assert choose("best", F, N_RULES, max_rules=8) == 2
    tied = np.array([[-0.6, 5.0, 1.0], [-0.6, 2.0, 2.0]])
    assert choose("best", tied, np.array([5, 2])) == 1


def test_validation_takes_the_smallest_within_one_standard_error() -> None:
    scores = np.array([0.40, 0.55, 0.58, 0.57])
    for error, expected in ((0.0, 2), (0.02, 2), (0.035, 1), (0.2, 0)):
        errors = np.full(4, error)
        arguments = {"held_out_scores": scores, "held_out_errors": errors}
        assert choose("validation", F, N_RULES, **arguments) == expected
    arguments = {"held_out_scores": scores, "held_out_errors": np.zeros(4), "max_rules": 2}
    assert choose("validation", F, N_RULES, **arguments) == 1


def test_cv_takes_the_smallest_within_the_error_of_the_difference() -> None:
    scores = np.array([0.40, 0.55, 0.58, 0.57])
    errors = np.zeros((4, 4))
    arguments = {"held_out_scores": scores, "held_out_errors": errors}
    assert choose("cv", F, N_RULES, **arguments) == 2
    errors[2] = [0.1, 0.031, 0.0, 0.01]
    assert choose("cv", F, N_RULES, **arguments) == 1
    errors[2] = [0.2, 0.0, 0.0, 0.0]
    assert choose("cv", F, N_RULES, **arguments) == 0
    assert choose("cv", F[:, :], N_RULES, max_rules=1, **arguments) == 0


def test_ties_in_size_are_broken_by_the_score() -> None:
    arguments = {"held_out_scores": np.array([0.50, 0.51]), "held_out_errors": np.full(2, 0.1)}
    assert choose("validation", F[:2], np.array([2, 2]), **arguments) == 1


def test_knee_takes_the_highest_trade_off() -> None:
    # The first two rules gain much, the others little.
    assert choose("knee", F, N_RULES) == 1


def test_knee_of_a_short_front_is_the_best() -> None:
    assert choose("knee", F[:2], N_RULES[:2]) == 1
    assert choose("knee", F[:1], N_RULES[:1]) == 0


def test_weights_choose_along_the_front() -> None:
    assert choose([1.0, 0.0], F, N_RULES) == 3
    assert choose([0.0, 1.0], F, N_RULES) == 0
    assert choose([0.5, 0.5], F[:1], N_RULES[:1]) == 0


@pytest.mark.parametrize(
    ("choice", "max_rules", "sentence"),
    [
        ("worst", None, "there is no choice 'worst': use one of near-best, cv, validation"),
        ("validation", None, "needs scores on held-out data"),
        ("cv", None, "needs scores on held-out data"),
        ("best", 0, "max_rules must be at least 1, not 0"),
        ([1.0], None, "weights must be 2 numbers"),
        ([-1.0, 2.0], None, "weights must be 2 numbers"),
        ([0.0, 0.0], None, "weights must be 2 numbers"),
    ],
)
def test_invalid_choices_raise_input_error(choice: object, max_rules: int, sentence: str) -> None:
    with pytest.raises(InputError, match=sentence):
        choose(choice, F, N_RULES, max_rules=max_rules)


def test_max_rules_below_the_smallest_model_raises() -> None:
    with pytest.raises(InputError, match="no model of the front has at most 1 rules"):
        choose("best", F[1:], N_RULES[1:], max_rules=1)


def test_standard_error_matches_the_spread_of_many_samples() -> None:
    draws = np.random.default_rng(0)

    def sample() -> tuple[np.ndarray, np.ndarray]:
        Y = (draws.random((200, 4)) < [0.6, 0.3, 0.2, 0.1]).astype(np.uint8)
        flipped = draws.random(Y.shape) < 0.2
        return Y, Y ^ flipped

    samples = [sample() for _ in range(500)]
    spread = np.std([micro_f1(*one) for one in samples])
    estimate = np.mean([f1_standard_error(*one) for one in samples])
    assert estimate == pytest.approx(spread, rel=0.1)


def test_difference_errors_match_the_spread_of_many_samples() -> None:
    draws = np.random.default_rng(0)

    def sample() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        Y = (draws.random((200, 4)) < [0.6, 0.3, 0.2, 0.1]).astype(np.uint8)
        one = Y ^ (draws.random(Y.shape) < 0.2)
        return Y, one, one ^ (draws.random(Y.shape) < 0.05)

    samples = [sample() for _ in range(500)]
    spread = np.std([micro_f1(Y, one) - micro_f1(Y, other) for Y, one, other in samples])
    matrices = [f1_difference_errors(Y, [one, other]) for Y, one, other in samples]
    assert np.mean([matrix[0, 1] for matrix in matrices]) == pytest.approx(spread, rel=0.1)
    assert spread < np.mean([f1_standard_error(Y, one) for Y, one, _ in samples]) / 1.5


def test_standard_error_without_labels_is_zero() -> None:
    nothing = np.zeros((5, 2), dtype=np.uint8)
    assert f1_standard_error(nothing, nothing) == 0.0
    assert f1_standard_error(nothing[:1] + 1, nothing[:1] + 1) == 0.0


def test_near_best_tolerance_shrinks_with_the_number_of_instances() -> None:
    front = np.array([[-0.5, 1.0], [-0.6985, 2.0], [-0.7, 7.0]])
    n_rules = np.array([1, 2, 7])
    assert choose("near-best", front, n_rules) == 1
    for n, soft_label_weight, chosen in ((1_000, 0.5, 1), (10_000, 0.5, 2), (10_000, 0.1, 1)):
        tolerance = default_tolerance(n, soft_label_weight)
        assert choose("near-best", front, n_rules, tolerance=tolerance) == chosen


def test_near_best_gives_up_at_most_a_quarter_of_the_gain() -> None:
    n_rules = np.array([1, 2, 7])
    for middle, chosen in ((-0.5016, 1), (-0.5014, 2)):
        front = np.array([[-0.5, 1.0], [middle, 2.0], [-0.502, 7.0]])
        assert choose("near-best", front, n_rules) == chosen
    assert choose("near-best", np.array([[-0.5, 1.0], [-0.5, 2.0]]), np.array([1, 2])) == 0


@pytest.mark.parametrize(
    "weights",
    [[1, np.nan], [np.inf, 1], [-1, 2], [0, 0], [1], None, {}, 5, [1, "a"], [1j, 1], [[1, 2]]],
)
def test_invalid_weights_raise_input_error(weights: object) -> None:
    F = np.array([[-0.5, 1.0], [-0.6, 2.0]])
    with pytest.raises(InputError, match="weights must be 2 numbers, one for each objective"):
        choose(weights, F, np.array([1, 2]))


def test_huge_weights_count_in_proportion() -> None:
    F = np.array([[-0.5, 1.0], [-0.6, 2.0], [-0.9, 3.0]])
    sizes = np.array([1, 2, 3])
    for weights in ([1, 3], [3, 1], [1, 1]):
        huge = [weight * 5e307 for weight in weights]
        assert choose(huge, F, sizes) == choose(weights, F, sizes)
