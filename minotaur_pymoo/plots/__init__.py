"""Plots of fronts, runs and models.

Every function draws on the matplotlib axes passed to it, or on new ones, and returns them. The
colours are distinguishable for colour-blind readers.
"""

from minotaur_pymoo.plots.boxes import plot_boxes
from minotaur_pymoo.plots.convergence import plot_convergence
from minotaur_pymoo.plots.free_box import plot_free_box
from minotaur_pymoo.plots.frequencies import plot_frequencies
from minotaur_pymoo.plots.front import plot_front, plot_fronts
from minotaur_pymoo.plots.rules import plot_coverage, plot_effects

__all__ = [
    "plot_boxes",
    "plot_convergence",
    "plot_coverage",
    "plot_effects",
    "plot_free_box",
    "plot_frequencies",
    "plot_front",
    "plot_fronts",
]
