"""One search of a fit: started or resumed, interrupted, and saved."""

from __future__ import annotations

import copy
import warnings
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple

import numpy as np
from pymoo.core.callback import Callback
from pymoo.util.display.display import Display

from minotaur_pymoo.rules import RuleSet, simplify, turn_round
from minotaur_pymoo.rules.model import Model
from minotaur_pymoo.search.checkpoint import Checkpoint, change_termination
from minotaur_pymoo.search.problem import RuleSetProblem
from minotaur_pymoo.search.termination import as_termination
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.interrupts import StopRequest

OnInterrupt = Literal["raise", "keep"]

# Measured on held-out data: losing up to 0.05 % of F1 costs nothing there, and drops 1 test in 5.
SIMPLIFY_TOLERANCE = 0.0005


class Front(NamedTuple):
    """The front of one or several runs without its training data, so that it pickles small.

    Attributes
    ----------
    F : array of float, shape (n_models, n_objectives)
        The objectives as they were minimised, on soft labels if there are any.
    scores : array of float, shape (n_models, n_objectives)
        The measures of the objectives on the hard labels.
    models : list of Model
    interrupted : bool
        Whether a run was interrupted.
    """

    F: FloatArray
    scores: FloatArray
    models: list[Model]
    interrupted: bool


@dataclass
class Run:
    """A search that can be sent to another process.

    Parameters
    ----------
    problem
        The problem.
    algorithm
        The algorithm object, which is used up.
    seed
        The seed.
    simplify
        Whether the rule sets of the front are simplified.
    verbose
        True for pymoo's table of generations, ``"progress"`` for its progress bar.
    on_interrupt
        ``"keep"`` returns the front so far after a KeyboardInterrupt, if there is one yet.
    callback
        Called with the algorithm after every generation; by default the algorithm's own callback.
    stop
        Ends the search after the current generation.
    checkpoint
        Where the run is saved to, and resumed from if the file exists.
    settings
        What the search depends on beside the data; a checkpoint with other settings is rejected.
    """

    problem: RuleSetProblem
    algorithm: Any
    seed: int
    simplify: bool
    verbose: bool | Literal["progress"] = False
    on_interrupt: OnInterrupt = "raise"
    callback: Any = None
    stop: StopRequest = field(default_factory=StopRequest)
    checkpoint: Checkpoint | None = None
    settings: str = ""

    def __call__(self) -> Front | None:
        """Search, and return the front; None if the run was stopped before it began."""
        if self.stop.was_sent:
            return None
        algorithm = self._load() or self._set_up()
        try:
            return self._front(algorithm, interrupted=self._search(algorithm))
        finally:
            if self.checkpoint is not None:
                self.checkpoint.close()

    def _search(self, algorithm: Any) -> bool:
        """Search, and return whether it was interrupted."""
        n_saved = 0
        try:
            while algorithm.has_next() and not (self.stop.was_sent and algorithm.opt is not None):
                algorithm.next()
                # The first generation is saved so that another run with this file is noticed early.
                if self.checkpoint is not None and (
                    n_saved == 0 or self.checkpoint.is_due(algorithm.n_gen - 1)
                ):
                    self._save(algorithm, required=n_saved == 0)
                    n_saved += 1
        except KeyboardInterrupt:
            # The last checkpoint stays, because this generation is incomplete.
            if self.on_interrupt == "raise" or algorithm.opt is None:
                raise
            algorithm.display.finalize()
            return True
        self._save(algorithm)
        if algorithm.has_next():
            algorithm.display.finalize()
            return True
        return False

    def _set_up(self) -> Any:
        options = {} if self.callback is None else {"callback": self.callback}
        return self.algorithm.setup(
            self.problem,
            seed=self.seed,
            verbose=self.verbose is True,
            progress=self.verbose == "progress",
            **options,
        )

    def _load(self) -> Any:
        """Return the algorithm of the checkpoint, or None if there is none."""
        checkpoint = self.checkpoint
        if checkpoint is None or not checkpoint.path.exists():
            return None
        algorithm = checkpoint.load(trusted=checkpoint.trusted)
        if algorithm.data.get("fit") != self._identity():
            checkpoint.close()
            raise InputError(
                f"the checkpoint {checkpoint.path} is of other data or other settings: delete it,"
                " or choose another file."
            )
        algorithm.callback = self.algorithm.callback if self.callback is None else self.callback
        algorithm.display = Display(
            algorithm.output, verbose=self.verbose is True, progress=self.verbose == "progress"
        )
        termination = as_termination(self.algorithm.termination)
        termination.force_termination = algorithm.termination.force_termination
        change_termination(algorithm, termination)
        return algorithm

    def _save(self, algorithm: Any, *, required: bool = False) -> None:
        if self.checkpoint is None:
            return
        state = copy.copy(algorithm)
        # A function need not be picklable, and the fit that resumes has its own.
        state.callback = Callback()
        state.data = {**algorithm.data, "fit": self._identity()}
        try:
            self.checkpoint.save(state)
        except InputError as error:
            if required:
                raise
            warnings.warn(f"{error} The search goes on.", stacklevel=2)

    def _identity(self) -> tuple[str, str]:
        return self.settings, self.problem.training.fingerprint

    def _front(self, algorithm: Any, *, interrupted: bool) -> Front:
        problem = algorithm.problem
        X, F = algorithm.opt.get("X"), algorithm.opt.get("F")
        if self.simplify:
            X = X.copy()
            X[:, 0] = [_make_readable(rule_set) for rule_set in X[:, 0]]
            F = problem.evaluate(X, return_values_of=["F"])
        hard = [rule_set.hard for rule_set in X[:, 0]]
        scores = [[float(o.measure(rule_set)) for o in problem.objectives] for rule_set in hard]
        return Front(F, np.array(scores), [rule_set.model for rule_set in hard], interrupted)


def _make_readable(rule_set: RuleSet) -> RuleSet:
    """The rule set with fewer tests, and rules for labels rather than for none."""
    simple = simplify(rule_set, SIMPLIFY_TOLERANCE)
    turned = turn_round(simple)
    # Only if its size stays the same, so that the front stays as the search found it.
    return turned if turned.n_rules == simple.n_rules else simple
