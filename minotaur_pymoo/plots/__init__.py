"""Pictures of fronts, runs and models; each takes matplotlib axes or makes them, and returns them.

All of them use colours that colour-blind people can tell apart.
"""

from minotaur_pymoo.plots.boxes import plot_boxes
from minotaur_pymoo.plots.convergence import plot_convergence
from minotaur_pymoo.plots.enlargement import plot_free_box
from minotaur_pymoo.plots.front import plot_front, plot_fronts
from minotaur_pymoo.plots.rules import plot_coverage, plot_effects, plot_frequencies

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
