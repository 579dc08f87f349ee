"""MINOTAUR as a scikit-learn classifier."""

from __future__ import annotations

import contextlib
import copy
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Literal, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed
from pymoo.core.algorithm import Algorithm
from pymoo.core.population import Population
from pymoo.termination.max_gen import MaximumGenerationTermination
from pymoo.util.nds.non_dominated_sorting import NonDominatedSorting
from scipy import sparse
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import DataConversionWarning
from sklearn.utils import check_random_state
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.data.labels import check_labels
from minotaur_pymoo.data.schema import Schema, learn_schema
from minotaur_pymoo.data.table import column_names, dense
from minotaur_pymoo.estimator.selection import (
    choose,
    default_tolerance,
    f1_difference_errors,
    f1_standard_error,
)
from minotaur_pymoo.export import SavedModels
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.rules.simplification import simplify as simplify_rule_set
from minotaur_pymoo.search.algorithm import MINOTAUR
from minotaur_pymoo.search.objectives import Objective
from minotaur_pymoo.search.presets import Search
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support import metrics
from minotaur_pymoo.support.arrays import FloatArray, LabelArray
from minotaur_pymoo.support.errors import InputError, InputTypeError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import (
    MAX_COUNT,
    check_count,
    check_flag,
    check_fraction,
    is_auto,
)

# How much of F1 a test must be worth to stay. On data held out of training, a twentieth of a
# percent costs no F1, and spares one test in five.
TOLERANCE = 0.0005

# So many instances that luck with their labels matters little, and forests take long.
_MANY = 20_000


class MinotaurClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """A multi-label classifier that is a small set of rules, chosen from a whole front of them.

    `fit` searches the front of rule sets between predictive power and size, and chooses one;
    `choose` changes that choice later, without another search. Targets are a 0/1 matrix with one
    column for each label, or a single column of classes of any kind. Missing values (NaN) and
    categorical features are handled as they are: see `TrainingData`.

    Parameters
    ----------
    search
        How rule sets are searched, as for `MINOTAUR`.
    objectives
        What the front is between; names or functions, as for `RuleSetProblem`.
    pop_size, n_offsprings, n_gen, n_max_failures
        Size of the population, mutants in a generation, number of generations, and failed
        mutations in one generation that end the search.
    target_coverage
        How many instances a new rule is grown around, for ``search="paper"``.
    min_coverage
        How many instances a rule covers at least, for ``search="guided"``.
    soft_labels
        Whether the search aims between the labels and what a forest believes of them, see
        `out_of_bag_probabilities`, so that models are better on other data; ``"auto"``: only if
        `search` is ``"guided"``, and for at most 20,000 instances, as luck matters little beyond.
    simplify
        Whether models lose the tests that their F1 hardly needs, see `simplify`; ``"auto"``: only
        if `search` is ``"guided"``.
    choice
        Which model of the front to use. ``"near-best"``: the smallest of those whose score is
        within half a percent of the best, or less of many instances or where more rules gain
        little; with soft labels, that score rises little for rules that were only lucky. ``"cv"``:
        shorter searches that each leave a part of the data out compare the sizes of models, and
        the smallest is taken that is not clearly worse than the best.
        ``"auto"``: ``"near-best"`` with soft labels or many instances, else ``"cv"``.
        ``"validation"``: the search itself leaves a part out, on which the models are compared.
        ``"best"``, ``"knee"``, or a weight for each objective: see `choose` in
        `minotaur_pymoo.choice`.
    max_rules
        Choose only among models of at most that many rules.
    validation_fraction
        The part that is held out for ``choice="validation"``; the search never sees it.
    n_cv_folds
        The number of shorter searches for ``choice="cv"``.
    categorical_features
        Names or numbers of categorical features; pandas categoricals are found without.
    algorithm
        Another pymoo algorithm object to search with, made with ``**rule_set_operators()``; it replaces
        `search`, `pop_size`, `n_offsprings`, `n_max_failures`, `target_coverage` and
        `min_coverage`.
    n_runs, n_jobs
        Independent searches whose fronts are merged, and how many of them run at once.
    random_state
        Seed, for the same result every time.
    verbose
        True for pymoo's table of generations, ``"progress"`` for its progress bar.

    Attributes
    ----------
    model_ : Model
        The chosen model.
    models_ : list of Model
        All models of the front, the smallest first.
    front_ : dict of arrays
        One entry for each model: its objectives on the data searched on, with the labels as they
        are; ``expected_micro_f1``, which was searched for if there were soft labels; ``cv_micro_f1``,
        the score of other models of its size on data they had not seen, if they were
        cross-validated; or ``validation_micro_f1`` and ``validation_error`` on the held-out part,
        if there was one. ``pandas.DataFrame(front_)`` shows it.
    chosen_ : int
        Number of the chosen model.
    interrupted_ : bool
        Whether the search was cut short by the keyboard, which only the command line allows;
        the best model of the front so far is then chosen.
    classes_ : array
        The classes, or for a 0/1 matrix the numbers of its labels.
    n_features_in_ : int
    feature_names_in_ : array of str
        Only if the features had names.

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
        choice: str | Sequence[float] = "auto",
        max_rules: int | None = None,
        validation_fraction: float = 0.25,
        n_cv_folds: int = 3,
        categorical_features: Sequence[int | str] | None = None,
        algorithm: Any = None,
        n_runs: int = 1,
        n_jobs: int | None = None,
        random_state: Any = None,
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
        self.choice = choice
        self.max_rules = max_rules
        self.validation_fraction = validation_fraction
        self.n_cv_folds = n_cv_folds
        self.categorical_features = categorical_features
        self.algorithm = algorithm
        self.n_runs = n_runs
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.verbose = verbose

    def fit(self, X: Any, y: Any) -> Self:
        """Search the front and choose a model.

        Parameters
        ----------
        X
            Features, instances x features.
        y
            Labels, instances x labels, of 0 and 1; or one class for each instance.
        """
        return self._fit(X, y)

    def _fit(
        self,
        X: Any,
        y: Any,
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        *,
        keep: bool = False,
    ) -> Self:
        """As `fit`; with ``keep``, an interruption leaves the front that there is by then."""
        self._check_parameters()
        label_names = column_names(y) if label_names is None else label_names
        with _in_one_sentence():
            X, y = self._checked(_filled(X), _filled(y, "y"))
            Y, label_names = self._as_labels(y, label_names)
            random_state = check_random_state(self.random_state)
        seeds = random_state.randint(np.iinfo(np.int32).max, size=self.n_runs + 1)
        train, held_out = self._held_out(Y, int(seeds[-1]))

        # The names and categories come from all data, also where the search sees a part.
        schema = learn_schema(
            X,
            feature_names=feature_names,
            label_names=label_names,
            n_labels=Y.shape[1],
            categorical_features=self.categorical_features or (),
        )
        problem = self._problem(X, Y, schema, train)
        runs = Parallel(n_jobs=self.n_jobs)(
            delayed(_search)(
                problem, self._algorithm(), int(seed), self.verbose, keep, self._simplifies
            )
            for seed in seeds[: self.n_runs]
        )
        F = np.vstack([run.F for run in runs])
        scores = np.vstack([run.scores for run in runs])
        models = [model for run in runs for model in run.models]
        self.interrupted_ = any(run.interrupted for run in runs)
        places = _merged(F, np.array([model.n_rules for model in models]))
        self._F = F[places]
        data = problem.training
        self._tolerance = default_tolerance(data.n_instances, data.soft_label_weight)
        self.models_ = [models[place] for place in places]
        names = [objective.name for objective in problem.objectives]
        self.front_ = dict(zip(names, scores[places].T, strict=True))
        if "micro_f1" in names and data.scale > 1:
            self.front_["expected_micro_f1"] = -self._F[:, names.index("micro_f1")]
        if held_out is not None:
            self._validate(_rows(X, held_out), Y[held_out])
        choice = self._choice(len(Y))
        if choice == "cv":
            try:
                if not self.interrupted_:
                    self._cross_validate(X, Y, schema, int(seeds[-1]))
            except KeyboardInterrupt:
                if not keep:
                    raise
                self.interrupted_ = True
            if self.interrupted_:
                # Whoever interrupts does not want to wait for a better choice.
                return self.choose("best", self.max_rules)
        return self.choose(choice, self.max_rules)

    def _check_parameters(self) -> None:
        """What would else be found out only after the search, or never."""
        check_count("n_runs", self.n_runs)
        check_count("n_gen", self.n_gen, at_least=0)
        check_count("n_cv_folds", self.n_cv_folds, at_least=2)
        if not 0 < check_fraction("validation_fraction", self.validation_fraction) < 1:
            raise InputError("validation_fraction must be between 0 and 1, but neither of them.")
        for name in ("soft_labels", "simplify"):
            if not is_auto(value := getattr(self, name)):
                check_flag(name, value)
        if self.max_rules is not None:
            check_count("max_rules", self.max_rules)
        if self.n_jobs is not None and check_count("n_jobs", self.n_jobs, -MAX_COUNT) == 0:
            raise InputError("n_jobs must not be 0: pass 1, or -1 for all processors.")
        if self.algorithm is not None and not isinstance(self.algorithm, Algorithm):
            raise InputError(
                f"algorithm must be a pymoo algorithm object, not {short_repr(self.algorithm)}."
            )

    def _problem(
        self, X: Any, Y: Any, schema: Schema, places: npt.NDArray[np.int64]
    ) -> RuleSetProblem:
        return RuleSetProblem(
            _rows(X, places),
            Y[places],
            objectives=self.objectives,
            feature_names=schema.feature_names,
            label_names=schema.label_names,
            categorical_features=tuple(schema.categories),
            soft_labels="out-of-bag" if self._uses_soft_labels(len(Y)) else None,
        )

    @property
    def _guided(self) -> bool:
        return self.algorithm is None and self.search == "guided"

    def _uses_soft_labels(self, n_instances: int) -> bool:
        if is_auto(self.soft_labels):
            return self._guided and n_instances <= _MANY
        return bool(self.soft_labels)

    @property
    def _simplifies(self) -> bool:
        return self._guided if is_auto(self.simplify) else bool(self.simplify)

    def _choice(self, n_instances: int) -> str | Sequence[float]:
        if isinstance(self.choice, str) and self.choice == "auto":
            trusted = n_instances > _MANY or self._uses_soft_labels(n_instances)
            return "near-best" if trusted else "cv"
        return self.choice

    def choose(self, choice: str | Sequence[float], max_rules: int | None = None) -> Self:
        """Choose another model of the front, without searching again.

        Parameters
        ----------
        choice, max_rules
            As for the classifier.
        """
        if not hasattr(self, "models_"):
            check_is_fitted(self)
        held_out = {
            "cv": (self.front_.get("cv_micro_f1"), getattr(self, "_cv_errors", None)),
            "validation": (
                self.front_.get("validation_micro_f1"),
                self.front_.get("validation_error"),
            ),
        }
        scores, errors = held_out.get(str(choice), (None, None))
        self.chosen_ = choose(
            choice,
            self._F,
            np.array([model.n_rules for model in self.models_]),
            validation=scores,
            validation_error=errors,
            max_rules=max_rules,
            tolerance=self._tolerance,
        )
        self.model_ = self.models_[self.chosen_]
        return self

    def saved(self) -> SavedModels:
        """The whole front with its scores and the chosen model, to be saved or shown.

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
            {name: float(column[place]) for name, column in self.front_.items()}
            for place in range(len(self.models_))
        ]
        return SavedModels(tuple(self.models_), self.chosen_, tuple(scores))

    def predict(self, X: Any) -> npt.NDArray[Any]:
        """Labels as a 0/1 matrix, or one class for each instance, as the target of `fit` was."""
        X = self._checked_again(X)
        if self._multi_label:
            return np.asarray(self.model_.predict(X), dtype=self._label_dtype)
        proba = self.model_.predict_proba(X, prior_weight=1.0)
        return np.asarray(self.classes_[proba.argmax(axis=1)])

    def predict_proba(self, X: Any) -> FloatArray:
        """How often each label occurred where the same rule, or the default, holds.

        As if each of them had covered one average instance more, so that nothing is certain.
        """
        X = self._checked_again(X)
        return np.asarray(self.model_.predict_proba(X, prior_weight=1.0))

    def decision_path(self, X: Any) -> Any:
        """Which rule decides: a sparse 0/1 matrix, instances x rules; in its last column none."""
        X = self._checked_again(X)
        firing = self.model_.apply(X)
        columns = np.where(firing < 0, self.model_.n_rules, firing)
        shape = len(firing), self.model_.n_rules + 1
        rows = np.arange(len(firing))
        return sparse.csr_matrix((np.ones(len(firing), dtype=np.int64), (rows, columns)), shape)

    def explain(self, x: Any) -> str:
        """The rule that decides on one instance, as a sentence, or that none does."""
        check_is_fitted(self)
        model: Model = self.model_
        return model.explain(x)

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Micro-averaged F1; for single classes that is the accuracy."""
        if sample_weight is not None or not self._multi_label:
            return float(super().score(X, y, sample_weight=sample_weight))
        predicted = self.predict(X).astype(np.uint8)
        Y = check_labels(y, len(predicted))
        if Y.shape != predicted.shape:
            raise InputError(
                f"y has {Y.shape[1]} labels, but there are {predicted.shape[1]}: pass the same"
                " labels in the same order as to fit."
            )
        return metrics.micro_f1(Y, predicted)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        tags.input_tags.categorical = True
        tags.classifier_tags.multi_label = True
        return tags

    def _more_than_numbers(self, X: Any) -> bool:
        """Whether scikit-learn's checks would not understand the features."""
        if self.categorical_features:
            return True
        dtypes = getattr(X, "dtypes", ())
        return any(getattr(dtype, "name", "") == "category" for dtype in dtypes)

    def _checked(self, X: Any, y: Any) -> tuple[Any, Any]:
        if self._more_than_numbers(X):
            _, y = validate_data(
                self, np.zeros((len(X), 1)), y, multi_output=True, reset=True, dtype=None
            )
            validate_data(self, X, skip_check_array=True, reset=True)
            return X, y
        names = column_names(X)
        X, y = validate_data(
            self,
            X,
            y,
            multi_output=True,
            ensure_all_finite="allow-nan",
            dtype=np.float64,
        )
        return _Named(X, names), y

    def _checked_again(self, X: Any) -> Any:
        check_is_fitted(self)
        with _in_one_sentence():
            X = _filled(X)
            if self.model_.schema.categories:
                return validate_data(self, X, skip_check_array=True, reset=False)
            return validate_data(
                self, X, reset=False, ensure_all_finite="allow-nan", dtype=np.float64
            )

    def _as_labels(
        self, y: Any, names: Sequence[str] | None
    ) -> tuple[LabelArray, Sequence[str] | None]:
        """The label matrix of the target, and the labels' names; learns the classes."""
        check_classification_targets(y)
        y = np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1 and not np.isin(y, (0, 1)).all():
            warnings.warn(
                "A column-vector y was passed when a 1d array was expected: it is taken as one"
                " class for each instance.",
                DataConversionWarning,
                stacklevel=4,
            )
            y = y.ravel()
        self._multi_label = y.ndim == 2
        if self._multi_label:
            self._label_dtype = y.dtype
            self.classes_ = np.arange(y.shape[1])
            return np.asarray(y), names
        self.classes_, positions = np.unique(y, return_inverse=True)
        classes = np.arange(len(self.classes_))
        return (positions[:, None] == classes).astype(np.uint8), [str(c) for c in self.classes_]

    def _held_out(
        self, Y: Any, seed: int
    ) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64] | None]:
        """Numbers of the instances to search on and, if there are any, to validate on."""
        everyone = np.arange(len(Y))
        if self._choice(len(Y)) != "validation":
            return everyone, None
        if len(Y) < 2:
            return everyone, everyone
        fraction = self.validation_fraction
        labels = np.asarray(Y).astype(np.uint8)
        shares = [1 - fraction, fraction]
        parts = stratified_parts(labels, shares, np.random.default_rng(seed))
        if parts.all() or not parts.any():
            # Too few instances for the fraction: one to validate on, the rest to search on.
            parts = (everyone == len(Y) - 1).astype(np.int64)
        return everyone[parts == 0], everyone[parts == 1]

    def _validate(self, X: Any, Y: Any) -> None:
        """Add every model's score on the held-out part to the front."""
        labels = np.asarray(Y).astype(np.uint8)
        predicted = [model.predict(X) for model in self.models_]
        self.front_["validation_micro_f1"] = np.array(
            [metrics.micro_f1(labels, one) for one in predicted]
        )
        self.front_["validation_error"] = np.array(
            [f1_standard_error(labels, one) for one in predicted]
        )

    def _cross_validate(self, X: Any, Y: Any, schema: Schema, seed: int) -> None:
        """Compare the sizes of the front's models by shorter searches that leave a part out."""
        labels = np.asarray(Y).astype(np.uint8)
        # A single instance cannot be left out: its one fold is then never used.
        n_folds = min(self.n_cv_folds, len(labels))
        shares = [1 / n_folds] * n_folds
        parts = stratified_parts(labels, shares, np.random.default_rng(seed))
        folds = [fold for fold in range(n_folds) if 0 < (parts == fold).sum() < len(parts)]
        runs = Parallel(n_jobs=self.n_jobs)(
            delayed(_search)(
                self._problem(X, Y, schema, np.flatnonzero(parts != fold)),
                self._algorithm(n_gen=max(1, self.n_gen // 3)),
                seed + fold,
                False,
                False,
                self._simplifies,
            )
            for fold in folds
        )
        predictions = np.zeros((len(self.models_), *labels.shape), dtype=np.uint8)
        for fold, found in zip(folds, runs, strict=True):
            left_out = np.flatnonzero(parts == fold)
            rows = _rows(X, left_out)
            for place, model in enumerate(self.models_):
                best = _best_of_size(found.F, found.models, model.n_rules)
                predictions[place, left_out] = best.predict(rows)
        self.front_["cv_micro_f1"] = np.array(
            [metrics.micro_f1(labels, predicted) for predicted in predictions]
        )
        self._cv_errors = f1_difference_errors(labels, list(predictions))

    def _algorithm(self, n_gen: int | None = None) -> Any:
        n_gen = self.n_gen if n_gen is None else n_gen
        if self.algorithm is None:
            return MINOTAUR(
                search=self.search,
                target_coverage=self.target_coverage,
                min_coverage=self.min_coverage,
                pop_size=self.pop_size,
                n_offsprings=self.n_offsprings,
                n_gen=n_gen,
                n_max_failures=self.n_max_failures,
            )
        algorithm = copy.deepcopy(self.algorithm)
        # pymoo counts the initial population as a generation.
        algorithm.termination = MaximumGenerationTermination(n_gen + 1)
        return algorithm


class _Named:
    """A float matrix that remembers the names of its columns."""

    def __init__(self, matrix: FloatArray, names: Sequence[str] | None) -> None:
        self.matrix = matrix
        self.columns = names

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> npt.NDArray[Any]:
        return np.asarray(self.matrix, dtype=dtype)

    def __getitem__(self, rows: Any) -> _Named:
        return _Named(self.matrix[rows], self.columns)

    def __len__(self) -> int:
        return len(self.matrix)


class _Found(NamedTuple):
    """What a run found: its front without the data, so that it travels light."""

    F: FloatArray
    scores: FloatArray
    models: list[Model]
    interrupted: bool


def _search(
    problem: RuleSetProblem,
    algorithm: Any,
    seed: int,
    verbose: Any,
    keep: bool,
    simplify: bool,
) -> _Found:
    """One run; without ``keep``, an interruption is passed on."""
    algorithm.setup(problem, seed=seed, verbose=verbose is True, progress=verbose == "progress")
    interrupted = False
    try:
        while algorithm.has_next():
            algorithm.next()
    except KeyboardInterrupt:
        if not keep or algorithm.opt is None:
            raise
        interrupted = True
        algorithm.display.finalize()
    front: Population = algorithm.opt
    X, F = front.get("X"), front.get("F")
    if simplify:
        X = X.copy()
        X[:, 0] = [simplify_rule_set(rule_set, TOLERANCE) for rule_set in X[:, 0]]
        F = problem.evaluate(X, return_values_of=["F"])
    hard = [rule_set.hard for rule_set in X[:, 0]]
    scores = [[float(o.measure(rule_set)) for o in problem.objectives] for rule_set in hard]
    return _Found(F, np.array(scores), [rule_set.model for rule_set in hard], interrupted)


def _merged(F: FloatArray, n_rules: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """The non-dominated rows, one of each kind, the smallest models first."""
    best = NonDominatedSorting().do(F, only_non_dominated_front=True)
    _, first = np.unique(F[best], axis=0, return_index=True)
    places = np.sort(np.asarray(best)[first])
    return np.asarray(places[np.lexsort((F[places, 0], n_rules[places]))])


def _best_of_size(F: FloatArray, models: Sequence[Model], n_rules: int) -> Model:
    """The best of the models with at most so many rules, or the smallest if there is none."""
    sizes = np.array([model.n_rules for model in models])
    few = np.flatnonzero(sizes <= max(n_rules, sizes.min()))
    return models[int(few[np.argmin(F[few, 0])])]


def _rows(X: Any, places: npt.NDArray[np.int64]) -> Any:
    return X.iloc[places] if hasattr(X, "iloc") else X[places]


def _filled(table: Any, what: str = "X") -> Any:
    """A sparse matrix as a full one, before anything compiled believes its indices."""
    dtypes = getattr(table, "dtypes", ())
    if isinstance(dtypes, Iterable) and any(getattr(kind, "kind", "") == "c" for kind in dtypes):
        # pandas would drop the imaginary parts before scikit-learn looks for them.
        raise InputError(f"{what} holds complex numbers: drop the imaginary parts first.")
    return dense(table, what) if sparse.issparse(table) else table


@contextlib.contextmanager
def _in_one_sentence() -> Iterator[None]:
    """scikit-learn's complaints, which may fill several lines, as errors of ours."""
    try:
        # It looks for infinities by adding them up.
        with np.errstate(invalid="ignore"):
            yield
    except InputError:
        raise
    except (ValueError, TypeError, OverflowError) as error:
        sentence = f"{' '.join(str(error).split()).rstrip('.')}."
        kind = InputTypeError if isinstance(error, TypeError) else InputError
        raise kind(sentence) from error
