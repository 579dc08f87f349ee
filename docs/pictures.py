"""Figures of the documentation and the README.

Run ``python docs/pictures.py`` to redraw them after a change to the search or the plots.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from pymoo.optimize import minimize

from minotaur_pymoo import (
    MINOTAUR,
    FrontHistory,
    MinotaurClassifier,
    Rule,
    RuleSet,
    RuleSetProblem,
    load_demo,
    plots,
)
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.plots.style import INK, PALETTE, tidy
from minotaur_pymoo.rules import optimal

FOLDER = Path(__file__).parent / "pictures"


def overview() -> Figure:
    """A front for two features, and one of its models."""
    garden = load_demo()
    X, names = garden.X[:, :2], garden.feature_names[:2]
    problem = RuleSetProblem(X, garden.Y, feature_names=names, label_names=garden.label_names)
    res = minimize(problem, MINOTAUR(), seed=1)
    order = np.argsort(res.F[:, 1], kind="stable")
    F, n_rules = res.F[order], res.F[order, 1]
    chosen = int(np.flatnonzero(n_rules <= 5)[-1])
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(10.5, 3.9), width_ratios=(1, 1.25), layout="constrained"
    )
    plots.plot_front({"micro_f1": -F[:, 0], "n_rules": n_rules}, chosen=chosen, axes=left)
    left.set_title("the best model of every size")
    left.get_legend().remove()
    plots.plot_boxes(res.X[order[chosen], 0], (X, garden.Y), axes=right)
    right.set_title("the marked model: its rules do not overlap")
    return figure


def free_box() -> Figure:
    """CFSBE for both orders of two features."""
    points = np.random.default_rng(3).integers(0, 21, (60, 2))
    points[0] = 6, 8
    points = np.vstack([points, [[10, 12], [18, 18], [2, 4]]])
    data = TrainingData(points, np.ones((len(points), 1), dtype=int), feature_names=["f1", "f2"])
    rules = [
        Rule.from_tests(data, {"f1": (10, 18), "f2": (12, 18)}, ["y0"]),
        Rule.from_tests(data, {"f1": (None, 2), "f2": (None, 4)}, ["y0"]),
    ]
    figure, panels = plt.subplots(1, 2, figsize=(8, 3.8), sharey=True, layout="constrained")
    for axes, order in zip(panels, [(0, 1), (1, 0)], strict=True):
        plots.plot_free_box(RuleSet(data, rules), seed=0, order=order, axes=axes)
    return figure


def consequents() -> Figure:
    """Micro-F1 against the frequency above which a label is predicted."""
    model = fitted().model_
    regions = (*model.rules, model.default)
    sizes = np.array([rule.n_covered for rule in regions])
    counts = np.array([rule.counts for rule in regions])
    frequencies = counts / sizes[:, None]
    total = counts.sum()

    def f1(labels: Any) -> float:
        return float(2 * counts[labels].sum() / ((sizes @ labels).sum() + total))

    thresholds = np.linspace(0, 1, 501)
    scores = [f1(frequencies >= threshold) for threshold in thresholds]
    best = f1(optimal(sizes, counts))
    figure, axes = plt.subplots(figsize=(6.4, 4), layout="constrained")
    axes.plot(thresholds, scores, color=PALETTE[0], label="F1 at this threshold")
    axes.plot(thresholds, 2 * thresholds, color=PALETTE[1], label="twice the threshold")
    guess = f1(frequencies >= 0.1)
    steps = [(0.1, guess)]
    while len(steps) < 12:
        better = f1(frequencies >= guess / 2)
        steps += [(guess / 2, guess), (guess / 2, better)]
        if better <= guess:
            break
        guess = better
    axes.plot(
        *zip(*steps, strict=True),
        color=INK,
        linewidth=1,
        linestyle=":",
        label="Dinkelbach's iteration",
    )
    axes.plot(best / 2, best, "o", color=INK)
    axes.annotate(
        f"best F1 {best:.3f},\nat a threshold of half that", (best / 2, best), (0.5, 0.62),
        arrowprops={"arrowstyle": "-", "color": INK}, fontsize=9,
    )  # fmt: skip
    axes.set(xlim=(0, 1), ylim=(0, 1), xlabel="threshold: minimum frequency of a predicted label")
    axes.set_ylabel("micro F1")
    axes.legend(frameon=False, loc="lower center", fontsize="small")
    tidy(axes)
    return figure


def front() -> Axes:
    """The front of a classifier, by number of rules."""
    classifier = fitted()
    return plots.plot_front(classifier.front_, chosen=classifier.chosen_)


def front_of_the_paper() -> Axes:
    """The same front on the axes of the paper."""
    classifier = fitted()
    return plots.plot_front(classifier.front_, chosen=classifier.chosen_, interpretability=True)


def fronts() -> Axes:
    """The fronts of both searches."""
    by_search = {}
    problem = garden_problem()
    for search in ("guided", "paper"):
        by_search[search] = minimize(problem, MINOTAUR(search=search), seed=1).F
    return plots.plot_fronts(by_search)


def convergence() -> Axes:
    """The convergence of both searches, five runs each."""
    histories: dict[str, list[FrontHistory]] = {"guided": [], "paper": []}
    for search, runs in histories.items():
        for seed in range(5):
            runs.append(FrontHistory())
            minimize(garden_problem(), MINOTAUR(search=search), seed=seed, callback=runs[-1])
    return plots.plot_convergence(histories)


def boxes() -> Axes:
    """A slice through an instance, along two features."""
    garden = load_demo()
    data = garden.X, garden.Y
    return plots.plot_boxes(fitted().model_, data, ["sun", "acidity"], at=garden.X[0])


def frequencies() -> Axes:
    """Label frequencies by rule."""
    return plots.plot_frequencies(fitted().model_)


def coverage() -> Axes:
    """Covered instances by rule."""
    return plots.plot_coverage(fitted().model_)


def effects() -> Axes:
    """The contribution of each rule on new data."""
    new = load_demo(n_instances=300, seed=1)
    return plots.plot_effects(fitted().model_, (new.X, new.Y))


def garden_problem() -> RuleSetProblem:
    """The demo as a problem."""
    garden = load_demo()
    names = {"feature_names": garden.feature_names, "label_names": garden.label_names}
    return RuleSetProblem(garden.X, garden.Y, **names)


@cache
def fitted() -> MinotaurClassifier:
    """A classifier with at most seven rules, fitted to the demo."""
    import pandas as pd  # noqa: PLC0415 - only needed for column names

    garden = load_demo()
    X = pd.DataFrame(garden.X, columns=garden.feature_names)
    Y = pd.DataFrame(garden.Y, columns=garden.label_names)
    return MinotaurClassifier(max_rules=7, random_state=1).fit(X, Y)


PICTURES: dict[str, Callable[[], Figure | Axes]] = {
    draw.__name__.replace("_", "-"): draw
    for draw in (
        overview,
        free_box,
        consequents,
        front,
        front_of_the_paper,
        fronts,
        convergence,
        boxes,
        frequencies,
        coverage,
        effects,
    )
}


def main(folder: Path = FOLDER) -> None:
    """Draw all figures."""
    mpl.use("Agg")
    folder.mkdir(exist_ok=True)
    for name, draw in PICTURES.items():
        drawn = draw()
        figure = drawn.figure if isinstance(drawn, Axes) else drawn
        figure.savefig(folder / f"{name}.png", dpi=110)
        plt.close(figure)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
