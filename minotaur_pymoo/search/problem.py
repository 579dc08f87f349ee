"""The search for rule sets as a pymoo problem."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Literal, Self

import numpy as np
import numpy.typing as npt
from pymoo.core.problem import Problem

from minotaur_pymoo.data.feature_groups import FeatureGroups
from minotaur_pymoo.data.labels import check_soft_labels
from minotaur_pymoo.data.soft_labels import out_of_bag_probabilities
from minotaur_pymoo.data.training import TrainingData
from minotaur_pymoo.growth.combining import Combine, check_combine, combine_features
from minotaur_pymoo.rules.consequents import EXACT_MEASURES
from minotaur_pymoo.rules.rule import Rule
from minotaur_pymoo.rules.rule_set import RuleSet
from minotaur_pymoo.search.compatibility import PARTS, prepare, prepare_after_start, refuse_bounds
from minotaur_pymoo.search.constraints import Constraint, as_constraint, check_constraints
from minotaur_pymoo.search.objectives import Objective, check_objectives
from minotaur_pymoo.support.arrays import FloatArray
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr
from minotaur_pymoo.support.params import check_count


class _NoBounds:
    """Stands in for variable bounds, and refuses arithmetic with a clear message."""

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __array__ = refuse_bounds
    __lt__ = __gt__ = __le__ = __ge__ = __getitem__ = __iter__ = __len__ = __float__ = refuse_bounds
    __truediv__ = __rtruediv__ = __neg__ = refuse_bounds

    def __getattr__(self, name: str) -> Any:
        # Copying and pickling look for special methods.
        if name.startswith("__"):
            raise AttributeError(name)
        refuse_bounds()


class RuleSetProblem(Problem):  # type: ignore[misc]
    """Find rule sets that are good on their training data by several objectives at once.

    The single variable of a solution is a `RuleSet`: ``res.X[i, 0]`` is one. pymoo minimises, so
    that objectives to be maximised are negated in ``F``.

    Parameters
    ----------
    X
        Features, as for `TrainingData`; or a `TrainingData`, which has labels and names already.
    Y
        0/1 labels, NaN for unknown ones, as for `TrainingData`.
    objectives
        Names from `OBJECTIVES`, `Objective` objects, or functions of a rule set to minimise.
    feature_names
        Names of the features, as for `TrainingData`.
    label_names
        Names of the labels, as for `TrainingData`.
    categorical_features
        Names or indices of categorical features, as for `TrainingData`.
    sample_weight
        How much each instance counts, as for `TrainingData`.
    class_weight
        How much each label counts, as for `TrainingData`.
    combine
        Whether rules may test combined features: ``"scores"`` (or True), means of a few features
        that together predict a label; ``"means"`` of groups of similar features; ``"pairs"``, also
        sums and differences of two such means; or ``"auto"``, scores if they clearly help on
        held-out parts of the data.
    feature_groups
        Groups of features, ``{name: [feature, ...]}`` by name or index, instead of learned ones.
    constraints
        Limits that rule sets must keep: ``("n_tests", "<=", 20)``, with an objective's name,
        ``"covered_fraction"`` of all instances, ``"tests_per_rule"`` of the longest rule or
        ``"instances_per_rule"`` of the smallest one, or with a function of a rule set; or a
        function that is positive where violated.
    max_rules
        Short for the constraint ``("n_rules", "<=", max_rules)``.
    soft_labels
        The probability of each label for each instance, as for `TrainingData.with_soft_labels`, or
        ``"out-of-bag"`` to estimate them with `out_of_bag_probabilities`. Objectives are then
        expected values for labels between hard and soft ones, so that chance in the hard labels
        counts less, and models are better on other data.
    soft_label_weight
        The weight of the soft labels, as for `TrainingData.with_soft_labels`.

    Attributes
    ----------
    training : TrainingData
        The data that rule sets are made from.
    objectives : tuple of Objective
        The objectives.
    constraints : tuple of Constraint
        The constraints.
    objective_names : list of str
        Names of the columns of ``F``, such as ``-micro_f1`` for an objective to be maximised.

    Examples
    --------
    >>> from pymoo.optimize import minimize
    >>> from minotaur_pymoo import MINOTAUR, load_demo
    >>> garden = load_demo()
    >>> problem = RuleSetProblem(garden.X, garden.Y)
    >>> problem.objective_names
    ['-micro_f1', 'n_rules']
    >>> res = minimize(problem, MINOTAUR(n_gen=20), seed=1)
    >>> res.F.shape[1], type(res.X[0, 0]).__name__
    (2, 'RuleSet')
    """

    training: TrainingData
    objectives: tuple[Objective, ...]
    constraints: tuple[Constraint, ...]

    def __init__(
        self,
        X: Any,
        Y: Any = None,
        objectives: Sequence[str | Objective | Callable[[RuleSet], float]] = (
            "micro_f1",
            "n_rules",
        ),
        feature_names: Sequence[str] | None = None,
        label_names: Sequence[str] | None = None,
        *,
        categorical_features: Sequence[int | str] = (),
        sample_weight: npt.ArrayLike | None = None,
        class_weight: Any = None,
        combine: Combine = False,
        feature_groups: FeatureGroups | None = None,
        constraints: Sequence[Any] = (),
        max_rules: int | None = None,
        soft_labels: npt.ArrayLike | Literal["out-of-bag"] | None = None,
        soft_label_weight: float | Literal["auto"] = "auto",
    ) -> None:
        self.objectives = check_objectives(objectives)
        self.constraints = check_constraints(constraints)
        if max_rules is not None:
            limit = check_count("max_rules", max_rules)
            self.constraints += (as_constraint(("n_rules", "<=", limit)),)
        if isinstance(X, TrainingData):
            others = (Y, feature_names, label_names, sample_weight, class_weight)
            if any(other is not None for other in others) or len(categorical_features):
                raise InputError(
                    "a TrainingData has labels, names and weights already: pass it alone."
                )
            data = X
        elif Y is None:
            raise InputError("Y is missing: pass features and labels, such as data.X and data.Y.")
        else:
            data = TrainingData(
                X,
                Y,
                feature_names=feature_names,
                label_names=label_names,
                categorical_features=categorical_features,
                sample_weight=sample_weight,
                class_weight=class_weight,
            )
        data = data.with_measure(_measure_to_optimise(self.objectives))
        soft = None if soft_labels is None else _resolve_soft_labels(data, soft_labels)
        data = combine_features(data, check_combine(combine), feature_groups, soft)
        if soft is not None:
            data = data.with_soft_labels(soft, soft_label_weight)
        self.training = data
        super().__init__(
            n_var=1,
            n_obj=len(self.objectives),
            n_ieq_constr=len(self.constraints),
            vtype=object,
            # So that pymoo passes the algorithm to evaluations.
            requires_kwargs=True,
        )
        self.xl = self.xu = _NoBounds()

    def has_bounds(self) -> bool:
        """Rule sets have no bounds."""
        return False

    @property
    def objective_names(self) -> list[str]:
        """Names of the columns of ``F``."""
        return [("-" if o.maximise else "") + o.name for o in self.objectives]

    def with_objectives(self, *objectives: str | Objective | Callable[[RuleSet], float]) -> Self:
        """The same problem, on the same data, with other objectives.

        Parameters
        ----------
        *objectives
            Names, objectives or functions, as for `RuleSetProblem`.

        Examples
        --------
        >>> problem = RuleSetProblem([[1], [2], [3], [4]], [[1], [1], [0], [0]])
        >>> problem.with_objectives("macro_f1", "n_tests").objective_names
        ['-macro_f1', 'n_tests']
        """
        other = copy.copy(self)
        other.objectives = check_objectives(objectives)
        other.n_obj = len(other.objectives)
        other.training = self.training.with_measure(_measure_to_optimise(other.objectives))
        return other

    def _evaluate(self, X: Any, out: dict[str, Any], *args: Any, **kwargs: Any) -> None:
        algorithm = kwargs.get("algorithm")
        if algorithm is not None and not algorithm.is_initialized:
            prepare(algorithm, len(X))
        prepare_after_start(algorithm)
        rule_sets = [self._rule_set(row) for row in (X[:, 0] if np.shape(X)[1:] == (1,) else X)]
        F = np.array([[o.minimised(r) for r in rule_sets] for o in self.objectives]).T
        if np.isnan(F).any():
            culprit = self.objectives[int(np.isnan(F).any(axis=0).argmax())]
            raise InputError(
                f"the objective {short_repr(culprit.name)} is not a number for a rule set: return a"
                " number for every rule set."
            )
        out["F"] = F
        if self.constraints:
            out["G"] = np.array([[c.violation(r) for r in rule_sets] for c in self.constraints]).T

    def _rule_set(self, row: Any) -> RuleSet:
        # isinstance first, as np.shape of a rule set is slow.
        rule_set = row if isinstance(row, RuleSet) or np.shape(row) != (1,) else row[0]
        if not isinstance(rule_set, RuleSet):
            if isinstance(rule_set, Rule):
                raise InputError(
                    "RuleSetProblem evaluates arrays of rule sets: pass one of shape (n, 1), such"
                    " as res.X[:1]."
                )
            raise InputError(
                f"RuleSetProblem evaluates rule sets, not {type(rule_set).__name__}: create the"
                f" algorithm with {PARTS}."
            )
        return self.adopt(rule_set)

    def adopt(self, rule_set: RuleSet) -> RuleSet:
        """The rule set on the data of this problem, to evaluate it or to start from it.

        Parameters
        ----------
        rule_set
            A rule set on equal data, such as one from another process, or on the same table with
            other soft labels or objectives.
        """
        return rule_set if rule_set.data is self.training else rule_set.with_data(self.training)

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        # pymoo's history copies the problem every generation, so data are shared. The copy is
        # another object, as pymoo's wrappers of problems change attributes of theirs.
        duplicate = copy.copy(self)
        duplicate.__dict__.pop("cache", None)
        return duplicate


def check_problem(problem: Any, name: str) -> None:
    """Raise unless a problem has rule sets as solutions.

    Parameters
    ----------
    problem
        A pymoo problem; one that wraps a `RuleSetProblem` is fine too.
    name
        What searches it, for the message.
    """
    if not hasattr(problem, "training"):
        raise InputError(
            f"{name} searches rule sets, which {type(problem).__name__} does not have as solutions:"
            " pass a RuleSetProblem."
        )


def _measure_to_optimise(objectives: Sequence[Objective]) -> str:
    """The first objective for which optimal consequents are known, or else the first one."""
    names = [objective.name for objective in objectives]
    return next((name for name in names if name in EXACT_MEASURES), names[0])


def _resolve_soft_labels(data: TrainingData, soft_labels: Any) -> FloatArray:
    if not isinstance(soft_labels, (str, bool)):
        return check_soft_labels(soft_labels, data.labels.shape)
    if soft_labels != "out-of-bag":
        raise InputError(
            f"soft_labels must be a matrix or 'out-of-bag', not {short_repr(soft_labels)}."
        )
    return out_of_bag_probabilities(data)
