"""The methods of the peer comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from benchmarks import fitting
from benchmarks.baselines import Cart, Constant, Transformation
from benchmarks.clus import Clus
from benchmarks.data import Folded
from benchmarks.exact_trees import ExactTree
from benchmarks.fitting import Method
from benchmarks.hmc_ga import HmcGa
from benchmarks.mlrl import Boomer, SeCo
from benchmarks.ours import Guided, PaperSearch, WithScores
from benchmarks.runner import Result, Task, package_sources, versions
from benchmarks.transformations import BASES, TRANSFORMATIONS
from benchmarks.weka import CLASSIFIERS, WekaTransformed

BOOMER_RULES = (10, 16, 50, 100, 1000)
CART_LEAVES = (4, 8, 16, 32)


@dataclass(frozen=True)
class Group:
    """Methods whose results depend on the same code.

    Attributes
    ----------
    methods
        Each method by its name.
    files
        Source files in this folder.
    libraries
        Libraries whose versions matter.
    ours
        Whether results depend on this package's code.
    """

    methods: Mapping[str, Method]
    files: tuple[str, ...]
    libraries: tuple[str, ...] = ()
    ours: bool = False

    @property
    def sources(self) -> list[Path]:
        """All source files that results depend on."""
        here = Path(__file__).parent
        own = [here / name for name in (*self.files, "fitting.py", "cart.py")]
        return [*own, *package_sources()] if self.ours else own

    @property
    def experiment(self) -> str:
        """What else results depend on."""
        return f"peers {versions(*self.libraries)}"


GROUPS = (
    Group(
        {
            "MINOTAUR, paper": PaperSearch,
            "MINOTAUR, guided": Guided,
            "MINOTAUR, guided, 16 rules": partial(Guided, max_rules=16),
            "MINOTAUR, guided, 16 rules, not combined": partial(
                Guided, max_rules=16, combine=False
            ),
        },
        ("ours.py",),
        ours=True,
    ),
    Group(
        {
            "CART, 16 leaves, combined": partial(WithScores, method=partial(Cart, n_leaves=16)),
            "BOOMER, 10 rules, combined": partial(WithScores, method=partial(Boomer, n_rules=10)),
            "BOOMER, 100 rules, combined": partial(WithScores, method=partial(Boomer, n_rules=100)),
        },
        ("ours.py", "baselines.py", "mlrl.py"),
        ("scikit-learn", "mlrl-boomer"),
        ours=True,
    ),
    Group(
        {
            "constant": Constant,
            **{f"CART, {n} leaves": partial(Cart, n_leaves=n) for n in CART_LEAVES},
        },
        ("baselines.py",),
        ("scikit-learn",),
    ),
    Group({"Clus": Clus}, ("clus.py",), ("pyclus",)),
    Group({"HMC-GA": HmcGa}, ("hmc_ga.py",)),
    Group({"exact tree, 4 leaves": ExactTree}, ("exact_trees.py",)),
    Group(
        {
            **{f"BOOMER, {n} rules": partial(Boomer, n_rules=n) for n in BOOMER_RULES},
            "SeCo": SeCo,
        },
        ("mlrl.py",),
        ("mlrl-boomer", "mlrl-seco"),
    ),
    Group(
        {
            f"{base}-{kind}": partial(Transformation, kind=kind, base=base)
            for kind in TRANSFORMATIONS
            for base in BASES
        },
        ("baselines.py", "transformations.py"),
        ("scikit-learn", "scikit-multilearn"),
    ),
    Group(
        {
            f"Weka {base}-{kind}": partial(WekaTransformed, kind=kind, base=base)
            for kind in TRANSFORMATIONS
            for base in CLASSIFIERS
        },
        ("weka.py",),
        ("python-weka-wrapper3", "scikit-multilearn"),
    ),
)
METHODS: dict[str, Method] = {
    name: method for group in GROUPS for name, method in group.methods.items()
}


def run(task: Task, data: Folded) -> Result:
    """Run one method on one fold."""
    method = METHODS[task.method]
    kind = method.func if isinstance(method, partial) else method
    return fitting.run(task, data, method, categories=kind is Guided)
