"""Figures of the documentation and the README.

Run ``python docs/pictures.py`` to redraw them after a change to the search or the plots. The code
on the page ``plots.md`` draws the figures there, and the overview shows the README's example.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib import pyplot as plt
from matplotlib.figure import Figure

from minotaur_pymoo import MinotaurClassifier, Rule, RuleSet, load_demo, plots
from minotaur_pymoo.data import TrainingData
from minotaur_pymoo.plots.style import INK, PALETTE, tidy
from minotaur_pymoo.rules import optimal

FOLDER = Path(__file__).parent / "pictures"


def overview() -> Figure:
    """The front and the model of the README's first example."""
    example: dict[str, Any] = {}
    exec(python_blocks(FOLDER.parents[1] / "README.md")[0], example)  # noqa: S102 - our own text
    garden, res, model = example["garden"], example["res"], example["model"]
    order = np.argsort(res.F[:, 1], kind="stable")
    F = res.F[order]
    chosen = int(np.flatnonzero(F[:, 1] == model.n_rules)[0])
    figure, (left, right) = plt.subplots(
        1, 2, figsize=(10.5, 3.9), width_ratios=(1, 1.25), layout="constrained"
    )
    plots.plot_front({"micro_f1": -F[:, 0], "n_rules": F[:, 1]}, chosen=chosen, axes=left)
    left.set_title("the best model of every size")
    left.get_legend().remove()
    plots.plot_boxes(model, (garden.X[:, :2], garden.Y), axes=right)
    right.set_title(f"the marked model: {model.n_rules} rules that do not overlap")
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
    garden = load_demo()
    model = MinotaurClassifier(max_rules=7, random_state=1).fit(garden.X, garden.Y).model_
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


PICTURES: dict[str, Callable[[], Figure]] = {
    draw.__name__.replace("_", "-"): draw for draw in (overview, free_box, consequents)
}


def python_blocks(page: Path) -> list[str]:
    """Return the Python examples of a page."""
    return re.findall(r"^```python\n(.*?)^```", page.read_text(), re.DOTALL | re.MULTILINE)


def figures_of_page(page: Path) -> list[tuple[str, str]]:
    """Return every example of a page with the text up to the next one, which shows its figures."""
    pattern = r"^```python\n(.*?)^```\n(.*?)(?=^```python|\Z)"
    return re.findall(pattern, page.read_text(), re.DOTALL | re.MULTILINE)


def names_in(text: str) -> list[str]:
    """Return the names of the figures that a text shows."""
    return re.findall(r"pictures/([\w-]+)\.png", text)


def draw_page(page: Path) -> Iterator[tuple[str, Figure]]:
    """Run the examples of a page, and yield the figures they draw with the names it shows."""
    namespace: dict[str, Any] = {}
    for source, text in figures_of_page(page):
        exec(source, namespace)  # noqa: S102 - our own text
        figures = [plt.figure(number) for number in plt.get_fignums()]
        yield from zip(names_in(text), figures, strict=True)
        plt.close("all")


def main(folder: Path = FOLDER) -> None:
    """Draw all figures."""
    mpl.use("Agg")
    folder.mkdir(exist_ok=True)
    drawn = ((name, draw()) for name, draw in PICTURES.items())
    for name, figure in chain(drawn, draw_page(FOLDER.parent / "plots.md")):
        figure.savefig(folder / f"{name}.png", dpi=110)
        plt.close(figure)


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
