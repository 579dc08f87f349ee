"""MINOTAUR as a scikit-learn classifier."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import check_random_state
from sklearn.utils.validation import check_is_fitted

from minotaur_pymoo.data.feature_groups import FeatureGroups
from minotaur_pymoo.estimator.inputs import read_fit_inputs
from minotaur_pymoo.estimator.predictions import Predictions
from minotaur_pymoo.estimator.run import Front, OnInterrupt
from minotaur_pymoo.estimator.runs import score_models, split_held_out, training_data
from minotaur_pymoo.estimator.selection import choose, default_tolerance
from minotaur_pymoo.estimator.settings import (
    check_parameters,
    make_searches,
    resolve_choice,
    resolve_min_coverage,
)
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.growth.combining import Combine
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.checkpoint import Checkpoint
from minotaur_pymoo.search.objectives import Objective
from minotaur_pymoo.search.presets import Search
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr


class MinotaurClassifier(Predictions, ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A multi-label classifier that is a small, readable set of rules.

    `fit` searches the Pareto front of rule sets between predictive power and size, and chooses
    one of them; `choose` changes that choice without another search. The target is a 0/1 matrix
    with one column per label, or a single column of classes of any type. Missing values, text
    and categories need no preprocessing, see `TrainingData`. NaN in the target means that a label
    is unknown: it counts nowhere, and soft labels take its place in the search.

    Parameters
    ----------
    search
        The kind of search, ``"guided"`` or ``"paper"``, see `MINOTAUR`.
    objectives
        The objectives of the front: names or functions, as for `RuleSetProblem`.
    pop_size
        The number of rule sets in the population.
    n_offsprings
        The number of mutants in each generation.
    n_gen
        The number of generations.
    n_max_failures
        The number of failed mutations in one generation that ends the search.
    target_coverage
        The number of instances around which a new rule is grown, for ``search="paper"``.
    min_coverage
        The smallest number of instances that a rule may cover, for ``search="guided"``. ``"auto"``
        takes half the square root of the number of instances, or 2 where trees with such small
        leaves predict held-out parts of the training data clearly better.
    soft_labels
        Whether the search aims at a mean of the labels and of a forest's out-of-bag
        probabilities, see `out_of_bag_probabilities`, which generalises better. ``"auto"`` does so
        if `search` is ``"guided"`` and there are at most 20,000 instances.
    simplify
        Whether tests that hardly contribute to F1 are dropped from the models, see `simplify`,
        and rules for no label are turned into the default where they can be, see `turn_round`.
        ``"auto"`` does so if `search` is ``"guided"``.
    combine
        Whether rules may test combined features, which vary less by chance than single ones:
        ``"scores"`` (or True), means of a few features that together predict a label; ``"means"``
        of groups of similar features; ``"pairs"``, also sums and differences of two such means; or
        False. ``"auto"`` takes scores if `search` is ``"guided"`` and held-out parts of the
        training data gain clearly.
    feature_groups
        Groups of features, ``{name: [feature, ...]}`` by name or index, instead of learned ones.
    choice
        The model of the front to use.

        - ``"near-best"``: the smallest model whose score is within half a percent of the best.
          The tolerance is smaller on large data, and where more rules gain little.
        - ``"cv"``: the smallest model whose size is not clearly worse than the best size in
          cross-validation, by searches of a third of `n_gen` generations.
        - ``"validation"``: the smallest model that is not clearly worse than the best one on a
          part of the data that the search does not see.
        - ``"best"``: the model with the best first objective.
        - ``"knee"``: the model with the highest trade-off between the objectives.
        - One weight per objective: the nearest model by pymoo's pseudo-weights.
        - ``"auto"``: ``"near-best"`` with soft labels or more than 20,000 instances, otherwise
          ``"cv"``.
    max_rules
        Search and choose only models of at most this many rules; by default, the guided search
        ends at 64.
    validation_fraction
        The fraction of the instances that is held out for ``choice="validation"``.
    n_cv_folds
        The number of folds for ``choice="cv"``.
    categorical_features
        Names or indices of categorical features, in addition to columns of text and categories.
    class_weight
        How much each label, or instances of each class, count: a dict of weights, by name or index
        of a label or by class, in which others weigh 1; one weight each; or ``"balanced"`` for
        weights that make up for different frequencies. By default all count the same.
    algorithm
        A pymoo algorithm object to search with, created with ``**rule_set_operators()``. It
        replaces `search`, `pop_size`, `n_offsprings`, `n_max_failures`, `target_coverage` and
        `min_coverage`, and also `n_gen` if it has a termination other than pymoo's default.
        NSGA2 and SPEA2 drop a ``termination`` that they are created with: set it here.
    termination
        When each search ends, also those of ``choice="cv"``, instead of by `n_gen`: a termination
        of pymoo's, or a tuple such as ``("time", "00:00:10")`` or ``("n_eval", 8000)``.
    callback
        A pymoo callback, or a function of the algorithm, called after every generation of the
        searches for the front; with several `n_jobs`, other processes have copies of it.
    checkpoint
        A file to which the search is saved every ten seconds, and from which the same fit resumes
        after it was stopped or killed, or when it is to search longer; or a `Checkpoint`. With
        several `n_runs`, each has its own file, whose name ends in its number.
    n_runs
        The number of independent searches whose fronts are merged.
    n_jobs
        The number of searches that run in parallel, as for joblib.
    random_state
        The seed; pass an int for reproducible results.
    on_interrupt
        What to do on Ctrl-C (KeyboardInterrupt): ``"raise"``, or ``"keep"`` the front found so
        far and choose its best model.
    verbose
        True prints pymoo's table of generations, ``"progress"`` shows its progress bar.

    Attributes
    ----------
    model_ : Model
        The chosen model.
    models_ : list of Model
        All models of the front, the smallest first.
    front_ : dict of arrays
        One entry per model in each array: its objectives on the training labels;
        ``expected_micro_f1`` on the soft labels, if there are any; ``cv_micro_f1``, the
        cross-validated score of its size, after ``choice="cv"``; ``validation_micro_f1`` and
        ``validation_error`` on the held-out part, after ``choice="validation"``.
        ``pandas.DataFrame(front_)`` shows them as a table.
    chosen_ : int
        The index of the chosen model.
    combination_ : Combination or None
        The combined features, None if there are none.
    interrupted_ : bool
        Whether the search was interrupted, see `on_interrupt`.
    classes_ : array
        The classes, or the indices of the labels.
    label_names_ : array of str
        The names of the labels or classes.
    feature_importances_ : array of shape (n_features,)
        How much each feature contributes to the chosen model, see
        `Model.feature_importances`; the sum is 1.
    multilabel_ : bool
        Whether the target was a label matrix.
    n_features_in_ : int
        The number of features.
    feature_names_in_ : array of str
        The names of the features, if X was a frame whose names scikit-learn can read.

    Examples
    --------
    >>> from minotaur_pymoo import load_demo
    >>> garden = load_demo()
    >>> classifier = MinotaurClassifier(n_gen=50, random_state=1).fit(garden.X, garden.Y)
    >>> classifier.predict(garden.X[:2]).shape
    (2, 5)
    >>> classifier.choose("best", max_rules=3).model_.n_rules
    3
    """

    front_: dict[str, FloatArray]
    interrupted_: bool

    def __init__(
        self,
        *,
        search: Search = "guided",
        objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = (
            "micro_f1",
            "n_rules",
        ),
        pop_size: int = 80,
        n_offsprings: int = 40,
        n_gen: int = 200,
        n_max_failures: int = 2000,
        target_coverage: int | Literal["auto"] = "auto",
        min_coverage: int | Literal["auto"] = "auto",
        soft_labels: bool | Literal["auto"] = "auto",
        simplify: bool | Literal["auto"] = "auto",
        combine: Combine = "auto",
        feature_groups: FeatureGroups | None = None,
        choice: str | Sequence[float] = "auto",
        max_rules: int | None = None,
        validation_fraction: float = 0.25,
        n_cv_folds: int = 3,
        categorical_features: Sequence[int | str] | None = None,
        class_weight: Any = None,
        algorithm: Any = None,
        termination: Any = None,
        callback: Any = None,
        checkpoint: str | os.PathLike[str] | Checkpoint | None = None,
        n_runs: int = 1,
        n_jobs: int | None = None,
        random_state: Any = None,
        on_interrupt: OnInterrupt = "raise",
        verbose: bool | Literal["progress"] = False,
    ) -> None:
        self.search = search
        self.objectives = objectives
        self.pop_size = pop_size
        self.n_offsprings = n_offsprings
        self.n_gen = n_gen
        self.n_max_failures = n_max_failures
        self.target_coverage = target_coverage
        self.min_coverage = min_coverage
        self.soft_labels = soft_labels
        self.simplify = simplify
        self.combine = combine
        self.feature_groups = feature_groups
        self.choice = choice
        self.max_rules = max_rules
        self.validation_fraction = validation_fraction
        self.n_cv_folds = n_cv_folds
        self.categorical_features = categorical_features
        self.class_weight = class_weight
        self.algorithm = algorithm
        self.termination = termination
        self.callback = callback
        self.checkpoint = checkpoint
        self.n_runs = n_runs
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.on_interrupt = on_interrupt
        self.verbose = verbose

    def fit(
        self,
        X: Any,
        y: Any,
        sample_weight: Any = None,
        *,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
    ) -> Self:
        """Search the front and choose a model.

        Parameters
        ----------
        X
            Features, instances x features.
        y
            Labels, instances x labels, of 0 and 1; or one class per instance. NaN is unknown.
        sample_weight
            How much each instance counts; by default all count the same.
        feature_names
            Names of the features, by default the columns of a frame, or x0, x1 and so on.
        label_names
            Names of the labels, by default the columns of a frame, the classes, or y0, y1 and so
            on.
        """
        check_parameters(self)
        inputs = read_fit_inputs(self, X, y, feature_names, label_names, sample_weight)
        try:
            random_state = check_random_state(self.random_state)
        except ValueError:
            raise InputError(
                "random_state must be an integer from 0 to 2**32 - 1, a RandomState or None, not"
                f" {short_repr(self.random_state)}."
            ) from None
        *seeds, split_seed = random_state.randint(
            np.iinfo(np.int32).max, size=self.n_runs + 1
        ).tolist()
        self.classes_ = inputs.target.classes
        self.multilabel_ = inputs.target.multilabel
        self._label_dtype = inputs.target.dtype

        n_instances = len(inputs.labels)
        choice = resolve_choice(self, n_instances)
        held_out = None
        rows: Any = slice(None)
        if choice == "validation":
            rows, held_out = split_held_out(inputs.labels, self.validation_fraction, split_seed)
        data = training_data(inputs, rows)
        min_coverage = resolve_min_coverage(self, data)
        searches = make_searches(self, n_instances, min_coverage)
        problem = searches.problem(data)
        with searches.keep_interrupts():
            self._keep(searches.run(problem, self.n_gen, seeds), problem)
            if held_out is not None:
                scores, errors = score_models(self.models_, inputs, held_out)
                self.front_ |= {"validation_micro_f1": scores, "validation_error": errors}
            if choice == "cv" and not self.interrupted_:
                try:
                    self.front_["cv_micro_f1"], self._cv_errors = searches.cross_validate(
                        inputs, self.models_, self.n_cv_folds, max(1, self.n_gen // 3), split_seed
                    )
                except KeyboardInterrupt:
                    if self.on_interrupt == "raise":
                        raise
                    self.interrupted_ = True
            if choice == "cv" and self.interrupted_:
                choice = "best"
            return self.choose(choice, self.max_rules)

    def _keep(self, front: Front, problem: RuleSetProblem) -> None:
        """Store the front of the searches."""
        self._F, self.models_ = front.F, front.models
        self.interrupted_ = front.interrupted
        names = [objective.name for objective in problem.objectives]
        self.front_ = dict(zip(names, front.scores.T, strict=True))
        data = problem.training
        self.combination_ = data.schema.combination
        self._tolerance = default_tolerance(data.n_instances, data.soft_label_weight)
        if "micro_f1" in names and data is not data.hard:
            self.front_["expected_micro_f1"] = -self._F[:, names.index("micro_f1")]

    def choose(self, choice: str | Sequence[float], max_rules: int | None = None) -> Self:
        """Choose another model of the front, without another search.

        Parameters
        ----------
        choice
            The model to use, as for the classifier.
        max_rules
            Choose only among models of at most this many rules.
        """
        check_is_fitted(self)
        scores = errors = None
        if isinstance(choice, str) and choice == "cv":
            scores, errors = self.front_.get("cv_micro_f1"), getattr(self, "_cv_errors", None)
        elif isinstance(choice, str) and choice == "validation":
            scores = self.front_.get("validation_micro_f1")
            errors = self.front_.get("validation_error")
        self.chosen_ = choose(
            choice,
            self._F,
            np.array([model.n_rules for model in self.models_]),
            held_out_scores=scores,
            held_out_errors=errors,
            max_rules=max_rules,
            tolerance=self._tolerance,
        )
        self.model_ = self.models_[self.chosen_]
        return self

    def saved(self) -> SavedModels:
        """Return the front with its scores and the choice, for `export`.

        Examples
        --------
        >>> from minotaur_pymoo import export, load_demo
        >>> garden = load_demo()
        >>> classifier = MinotaurClassifier(n_gen=20, random_state=1).fit(garden.X, garden.Y)
        >>> text = export.to_json(classifier.saved())
        >>> export.from_json(text).model == classifier.model_
        True
        """
        check_is_fitted(self)
        scores = [
            {name: float(column[index]) for name, column in self.front_.items()}
            for index in range(len(self.models_))
        ]
        return SavedModels(tuple(self.models_), self.chosen_, tuple(scores))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.classifier_tags.multi_label = True
        return tags
