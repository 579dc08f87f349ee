"""The searches of one fit: several runs, merged fronts, and scores on held-out data."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import moocore
import numpy as np
import numpy.typing as npt
from joblib import Parallel, delayed, effective_n_jobs
from pymoo.core.algorithm import Algorithm

from minotaur_pymoo.data.feature_groups import FeatureGroups
from minotaur_pymoo.data.folds import stratified_parts
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.estimator.inputs import FitInputs
from minotaur_pymoo.estimator.run import Front, OnInterrupt, Run
from minotaur_pymoo.estimator.selection import f1_difference_errors, f1_standard_error
from minotaur_pymoo.growth.combining import Combine
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.checkpoint import Checkpoint
from minotaur_pymoo.search.objectives import Objective
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.support.arrays import CountArray, FloatArray, LabelArray
from minotaur_pymoo.support.interrupts import StopRequest, signals_blocked
from minotaur_pymoo.support.metrics import micro_f1


@dataclass(frozen=True)
class Searches:
    """How the searches of one fit are run.

    Parameters
    ----------
    objectives
        The objectives of each search.
    make_algorithm
        Creates the algorithm of one run for a number of generations, which a termination of the
        user's replaces.
    soft_labels
        Whether the searches aim at out-of-bag soft labels.
    simplify
        Whether the rule sets of a front are simplified.
    combine
        As for `MinotaurClassifier`.
    feature_groups
        As for `MinotaurClassifier`.
    n_jobs
        The number of parallel runs, as for joblib.
    verbose
        As for `MinotaurClassifier`.
    on_interrupt
        As for `MinotaurClassifier`.
    callback
        As for `MinotaurClassifier`.
    checkpoint
        Where runs are saved to; with several runs, each has a file of its own.
    settings
        What the searches depend on, for `Run`.
    seeded
        Whether a checkpoint with another seed is rejected.
    stop
        Ends all searches.
    """

    objectives: Sequence[str | Objective | Callable[[RuleSet], float]]
    make_algorithm: Callable[[int], Algorithm]
    soft_labels: bool
    simplify: bool
    combine: Combine = False
    feature_groups: FeatureGroups | None = None
    n_jobs: int | None = None
    verbose: bool | Literal["progress"] = False
    on_interrupt: OnInterrupt = "raise"
    callback: Any = None
    checkpoint: Checkpoint | None = None
    settings: str = ""
    seeded: bool = False
    stop: StopRequest = field(default_factory=StopRequest)

    def keep_interrupts(self) -> AbstractContextManager[None]:
        """Return a context in which the first Ctrl-C ends the searches, if their front is kept."""
        if self.on_interrupt == "raise":
            return nullcontext()
        return self.stop.on_interrupt(processes=effective_n_jobs(self.n_jobs) > 1)

    def problem(self, data: TrainingData) -> RuleSetProblem:
        """Create the problem of a search.

        Parameters
        ----------
        data
            The data to search on.
        """
        return RuleSetProblem(
            data,
            objectives=self.objectives,
            combine=self.combine,
            feature_groups=self.feature_groups,
            soft_labels="out-of-bag" if self.soft_labels else None,
        )

    def run(self, problem: RuleSetProblem, n_gen: int, seeds: Sequence[int]) -> Front:
        """Run one search per seed and merge their fronts.

        Parameters
        ----------
        problem
            The problem, common to all runs.
        n_gen
            The number of generations of each run.
        seeds
            The seed of each run.
        """
        runs = [
            Run(
                problem,
                self.make_algorithm(n_gen),
                seed,
                simplify=self.simplify,
                verbose=self.verbose,
                on_interrupt=self.on_interrupt,
                callback=self.callback,
                stop=self.stop,
                checkpoint=self._checkpoint(number if len(seeds) > 1 else None),
                settings=f"{self.settings}, seed {seed if self.seeded else None}",
            )
            for number, seed in enumerate(seeds, start=1)
        ]
        return _merge(self._run_all(runs))

    def _checkpoint(self, number: int | None) -> Checkpoint | None:
        common = self.checkpoint
        if common is None or number is None:
            return common
        path = common.path.with_name(f"{common.path.name}.{number}")
        return Checkpoint(path, common.every, common.seconds, trusted=common.trusted)

    def _run_all(self, runs: Iterable[Run]) -> list[Front | None]:
        with warnings.catch_warnings(), Parallel(n_jobs=self.n_jobs) as parallel:
            # Joblib takes growing workers for leaking, and replaces them without any loss.
            warnings.filterwarnings("ignore", "A worker stopped", UserWarning)
            n_workers = effective_n_jobs(self.n_jobs)
            if n_workers > 1 and self.on_interrupt == "keep":
                # The first task starts all workers.
                with signals_blocked():
                    parallel(delayed(_import_search)() for _ in range(n_workers))
            fronts: list[Front | None] = parallel(delayed(run)() for run in runs)
        return fronts

    def cross_validate(
        self, inputs: FitInputs, models: Sequence[Model], n_folds: int, n_gen: int, seed: int
    ) -> tuple[FloatArray, FloatArray]:
        """Score the sizes of models by searches that each leave a part of the data out.

        Each model gets the predictions of the best model of at most its size in each fold.

        Parameters
        ----------
        inputs
            The data of the fit.
        models
            The models whose sizes are compared.
        n_folds
            The number of folds.
        n_gen
            The number of generations of each search.
        seed
            The seed of the folds; that of a search is this plus the number of its fold.

        Returns
        -------
        scores : array of float, shape (n_models,)
            Micro-F1 on the left-out parts.
        errors : array of float, shape (n_models, n_models)
            Standard errors of the differences of the scores.
        """
        labels = inputs.labels
        # Whether to combine features was decided with all data, the groups are those of each fold.
        combination = models[0].schema.combination
        mode: Any = False if combination is None else combination.mode
        groups = None if combination is None else self.feature_groups
        searches = replace(self, combine=mode, feature_groups=groups)
        n_folds = min(n_folds, len(labels))
        parts = stratified_parts(labels, [1 / n_folds] * n_folds, np.random.default_rng(seed))
        # A fold without instances, or with all of them, leaves nothing to compare.
        folds = [fold for fold in range(n_folds) if 0 < (parts == fold).sum() < len(parts)]
        fronts = self._run_all(
            Run(
                searches.problem(training_data(inputs, np.flatnonzero(parts != fold))),
                self.make_algorithm(n_gen),
                seed + fold,
                simplify=self.simplify,
                stop=self.stop,
            )
            for fold in folds
        )
        if self.stop.was_sent:
            raise KeyboardInterrupt
        predictions = np.zeros((len(models), *labels.shape), dtype=np.uint8)
        for fold, front in zip(folds, _begun(fronts), strict=True):
            left_out = np.flatnonzero(parts == fold)
            features = inputs.features[left_out]
            for index, model in enumerate(models):
                best = _best_of_size(front, model.n_rules)
                predictions[index, left_out] = best.predict_encoded(features)
        weights = None if inputs.weights is None else inputs.weights.matrix
        scores = np.array([micro_f1(labels, predicted, weights) for predicted in predictions])
        return scores, f1_difference_errors(labels, list(predictions), weights)


def training_data(
    inputs: FitInputs, rows: npt.NDArray[np.int64] | slice = slice(None)
) -> TrainingData:
    """Return the data of a search on some of the instances.

    Parameters
    ----------
    inputs
        The data of the fit.
    rows
        The instances to search on, by default all.
    """
    weights = None if inputs.weights is None else inputs.weights.take(rows)
    return TrainingData.from_arrays(
        inputs.features[rows], inputs.labels[rows], inputs.schema, weights
    )


def split_held_out(
    labels: LabelArray, fraction: float, seed: int
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the indices of the instances to search on and to validate on.

    A single instance is in both parts.

    Parameters
    ----------
    labels
        The labels, of which both parts get their share.
    fraction
        The fraction of the instances to validate on.
    seed
        The seed of the split.
    """
    n = len(labels)
    if n < 2:
        return np.arange(n), np.arange(n)
    parts = stratified_parts(labels, [1 - fraction, fraction], np.random.default_rng(seed))
    if parts.all() or not parts.any():
        # Too few instances for the fraction: hold the last one out.
        parts = (np.arange(n) == n - 1).astype(np.int64)
    return np.flatnonzero(parts == 0), np.flatnonzero(parts == 1)


def score_models(
    models: Sequence[Model], inputs: FitInputs, rows: npt.NDArray[np.int64]
) -> tuple[FloatArray, FloatArray]:
    """Return micro-F1 of each model on held-out data, and its standard error.

    Parameters
    ----------
    models
        The models.
    inputs
        The data of the fit.
    rows
        The held-out instances.
    """
    labels = inputs.labels[rows]
    weights = None if inputs.weights is None else inputs.weights.matrix[rows]
    predictions = [model.predict_encoded(inputs.features[rows]) for model in models]
    scores = [micro_f1(labels, predicted, weights) for predicted in predictions]
    errors = [f1_standard_error(labels, predicted, weights) for predicted in predictions]
    return np.array(scores), np.array(errors)


def _import_search() -> None:
    """Make a worker import what a search needs, which unpickling this function does.

    Joblib replaces a worker that has grown by 300 MB since its first task, which imports alone do.
    """


def _begun(fronts: Sequence[Front | None]) -> list[Front]:
    """Return the fronts of the runs that began."""
    return [front for front in fronts if front is not None]


def _merge(parts: Sequence[Front | None]) -> Front:
    """Merge fronts into one without duplicates, the smallest models first."""
    fronts = _begun(parts)
    if not fronts:
        raise KeyboardInterrupt
    F = np.vstack([front.F for front in fronts])
    scores = np.vstack([front.scores for front in fronts])
    models = [model for front in fronts for model in front.models]
    indices = _non_dominated(F, np.array([model.n_rules for model in models]))
    interrupted = len(fronts) < len(parts) or any(front.interrupted for front in fronts)
    return Front(F[indices], scores[indices], [models[index] for index in indices], interrupted)


def _non_dominated(F: FloatArray, n_rules: CountArray) -> npt.NDArray[np.int64]:
    # The first of several equal points.
    indices = np.flatnonzero(moocore.is_nondominated(F))
    return np.asarray(indices[np.lexsort((F[indices, 0], n_rules[indices]))])


def _best_of_size(front: Front, n_rules: int) -> Model:
    """Return the best model with at most `n_rules` rules, or of the smallest size there is."""
    sizes = np.array([model.n_rules for model in front.models])
    small = np.flatnonzero(sizes <= max(n_rules, sizes.min()))
    return front.models[int(small[np.argmin(front.F[small, 0])])]
