"""Mistakes that people make: each gets one sentence that says what is wrong, and what to do."""

import numpy as np
import pytest
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    FrontHistory,
    GuidedMutation,
    InputError,
    MinotaurClassifier,
    MutationMating,
    Rule,
    RuleSet,
    RuleSetProblem,
    TreeSampling,
    export,
    load_demo,
    out_of_bag_probabilities,
    plots,
    rule_set_operators,
    simplify,
)
from minotaur_pymoo.data import TrainingData

GARDEN = load_demo(60)
X, Y = GARDEN.X, GARDEN.Y
DATA = TrainingData(X, Y)
RULE_SET = RuleSet(DATA, [Rule.from_tests(DATA, {"x0": (None, 5)}, ["y0"])])
PROBLEM = RuleSetProblem(DATA)
MODEL = RULE_SET.model
WORDS = np.where(Y == 1, "Yes", "No")
F = np.array([[-0.5, 2.0], [-0.4, 1.0]])


def fit(X=X, Y=Y, **parameters):
    return MinotaurClassifier(n_gen=0, pop_size=4, **parameters).fit(X, Y)


MISTAKES = {
    "words as labels": (
        lambda: fit(Y=WORDS),
        r"Y holds 'No' in row 0: .* as \(Y == 'Yes'\)\.astype\(int\) gives",
    ),
    "words as labels of a problem": (lambda: RuleSetProblem(X, WORDS), r"\(Y == 'Yes'\)"),
    "lists of labels": (lambda: fit(Y=[["a"], ["a", "b"]] * 30), "MultiLabelBinarizer"),
    "-1 for absent": (lambda: fit(Y=2 * Y.astype(int) - 1), "Y holds -1 in row 0, column 0"),
    "no labels": (lambda: RuleSetProblem(X), "Y is missing: pass features and labels"),
    "a dataset": (lambda: RuleSetProblem(GARDEN), r"such as data\.X and data\.Y"),
    "a dataset to fit": (lambda: fit(GARDEN), "X must be a table, .*: pass its X and Y"),
    "training data to fit": (lambda: fit(DATA), r"X must be a table, .*, not TrainingData\(n_inst"),
    "one feature": (lambda: fit(X[:, 0]), r"^Expected 2D array, got 1D array instead\. Reshape"),
    "other lengths": (lambda: fit(X[1:]), "Y has 60 rows, but X has 59: pass one for each"),
    "infinity": (lambda: fit(np.where(X > 11, np.inf, X)), "contains infinity.*: replace it first"),
    "verbose": (lambda: fit(verbose="bar"), "verbose must be True, False or 'progress', not 'bar'"),
    "a class as algorithm": (
        lambda: fit(algorithm=NSGA2),
        r"not the class NSGA2 \(call it",
    ),
    "a class to minimize with": (
        lambda: minimize(PROBLEM, MINOTAUR, seed=1),
        r"an algorithm must be an object, not the class MINOTAUR: pass MINOTAUR\(\)",
    ),
    "a class as sampling": (
        lambda: MINOTAUR(sampling=TreeSampling),
        r"a search cannot start from the class TreeSampling \(call it",
    ),
    "a class as mutation": (lambda: MutationMating(GuidedMutation), "not the class GuidedMutation"),
    "a mutation as mating": (
        lambda: MINOTAUR(mating=GuidedMutation()),
        r"mating must be a mating of pymoo, .*: pass MutationMating\(mutation\)",
    ),
    "a number as termination": (
        lambda: MINOTAUR(termination=10),
        "10 is not a termination: pass one of pymoo's, or a tuple",
    ),
    "a termination without a limit": (
        lambda: MINOTAUR(termination="n_gen"),
        "'n_gen' is not a termination: pass one of pymoo's, or a tuple",
    ),
    "a termination before the first generation": (
        lambda: MINOTAUR(termination=("n_gen", 0)),
        r"\('n_gen', 0\) is not a termination: pass one of pymoo's, or a tuple",
    ),
    "a problem in place of its data": (
        lambda: RuleSet.from_model(RULE_SET.model, PROBLEM),
        "data must be a TrainingData, not a value of type RuleSetProblem: pass .* the training of",
    ),
    "a search as problem": (
        lambda: rule_set_operators("guided"),
        "problem must be a RuleSetProblem, not 'guided'",
    ),
    "one rule set to evaluate": (
        lambda: PROBLEM.evaluate(RULE_SET),
        r"evaluates arrays of rule sets: pass one of shape \(n, 1\)",
    ),
    "an objective without result": (
        lambda: RuleSetProblem(X, Y, [print, "n_rules"]).evaluate(as_array(RULE_SET)),
        "the objective 'print' is not a number",
    ),
    "a constraint without result": (
        lambda: RuleSetProblem(X, Y, constraints=[print]).evaluate(as_array(RULE_SET)),
        "the constraint 'print' is not a number",
    ),
    "one constraint": (
        lambda: RuleSetProblem(X, Y, constraints=("n_rules", "<=", 3)),
        r"constraints must be a list of limits: pass \[\('n_rules', '<=', 3\)\]",
    ),
    "soft labels as in a classifier": (
        lambda: RuleSetProblem(X, Y, soft_labels=True),
        "soft_labels must be a matrix or 'out-of-bag', not True",
    ),
    "a rule on an array": (
        lambda: Rule.from_tests(X, {"x0": (None, 5)}),
        r"data must be a TrainingData, not array.*: pass TrainingData\(X, Y\)",
    ),
    "a printed rule on an array": (
        lambda: Rule.from_text(X, "IF x0 < 5 THEN {y0}"),
        "data must be a TrainingData",
    ),
    "a model as rule": (lambda: RuleSet(DATA, [MODEL]), "a rule must be a Rule, not Model"),
    "one rule": (lambda: RuleSet(DATA, RULE_SET.rules[0]), "rules must be a list of rules"),
    "rules before data": (lambda: RuleSet([], DATA), r"data must be a TrainingData, not \[\]"),
    "a classifier to simplify": (
        lambda: simplify(MinotaurClassifier()),
        "needs a RuleSet",
    ),
    "probabilities of an array": (
        lambda: out_of_bag_probabilities(X),
        "data must be a TrainingData",
    ),
    "a result as model": (
        lambda: export.to_text(minimize(PROBLEM, MINOTAUR(n_gen=0, pop_size=4), seed=1)),
        r"not a value of type Result: pass a Model, a RuleSet such as res\.X\[0, 0\]",
    ),
    "features as data": (
        lambda: plots.plot_coverage(MODEL, X),
        r"data must be a pair \(X, Y\) of features and labels",
    ),
    "features as data of boxes": (lambda: plots.plot_boxes(MODEL, X), "data must be a pair"),
    "features as data of effects": (lambda: plots.plot_effects(MODEL, X), "data must be a pair"),
    "features as test data": (lambda: export.front_page(MODEL, test=X), "test must be a pair"),
    "F as a front": (lambda: plots.plot_front(F), r"use plot_fronts for the res\.F of a search"),
    "F as fronts": (lambda: plots.plot_fronts(F), r'a mapping such as {"guided": res\.F}'),
    "a number as front": (
        lambda: plots.plot_fronts({"guided": 0.5}),
        r"the front of 'guided' must be a matrix with two objectives, not 0\.5",
    ),
    "a history without its name": (
        lambda: plots.plot_convergence(FrontHistory()),
        "histories must be a mapping from names to histories",
    ),
    "a front as history": (
        lambda: plots.plot_convergence({"guided": F}),
        "the history of 'guided' must be a FrontHistory, not array",
    ),
    "no runs": (lambda: plots.plot_convergence({"guided": []}), "the history of 'guided' is empty"),
}


def as_array(rule_set):
    array = np.empty((1, 1), dtype=object)
    array[0, 0] = rule_set
    return array


@pytest.mark.parametrize("mistake", MISTAKES)
def test_mistakes_are_explained_in_one_sentence(mistake):
    make, message = MISTAKES[mistake]
    with pytest.raises(InputError, match=message) as caught:
        make()
    assert str(caught.value).endswith((".", "?"))
    assert len(str(caught.value)) < 400
