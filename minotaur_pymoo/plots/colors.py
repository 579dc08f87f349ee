"""Colours of label sets, the same in all plots of models of the same data."""

from __future__ import annotations

from typing import Any

import numpy as np

from minotaur_pymoo.plots.style import LABEL_PALETTE, MUTED
from minotaur_pymoo.rules.model import Model, ModelRule

_HATCHES = (None, "////", "....", "\\\\\\\\", "xxxx", "----", "||||", "++++")


class Colors:
    """The colour of each predicted label set of a model.

    Every label has a colour, and a set of labels that of its rarest one, which says most about the
    set. Since the training data decide which is rarest, models of the same data agree. Sets of the
    same colour differ in their hatches.

    Parameters
    ----------
    model
        The model whose label sets to distinguish.

    Examples
    --------
    >>> from minotaur_pymoo.data import Schema
    >>> tall = ModelRule((), ("tree", "pine"), 2, (2, 2))
    >>> model = Model(Schema(("height",), ("tree", "pine")), (tall,), ModelRule((), (), 3, (1, 0)))
    >>> colors = Colors(model)
    >>> colors.of(tall), colors.of(model.default)
    ('#d55e00', '#8c8c8c')
    """

    def __init__(self, model: Model) -> None:
        names = model.schema.label_names
        totals = np.sum([region.counts for region in model.regions], axis=0)
        # Ties go to the first label.
        self._rank = {
            names[label]: rank for rank, label in enumerate(np.argsort(totals, kind="stable"))
        }
        self._palette = {
            name: LABEL_PALETTE[label % len(LABEL_PALETTE)] for label, name in enumerate(names)
        }
        by_color: dict[str, list[frozenset[str]]] = {}
        # Single labels first, without a hatch.
        for labels in sorted({frozenset(region.labels) for region in model.regions}, key=self._key):
            by_color.setdefault(self._color(labels), []).append(labels)
        self._hatches = {
            labels: _HATCHES[index % len(_HATCHES)]
            for sets in by_color.values()
            for index, labels in enumerate(sets)
        }

    def of(self, rule: ModelRule) -> str:
        """Return the colour of a rule's labels."""
        return self._color(frozenset(rule.labels))

    def hatch(self, rule: ModelRule) -> str | None:
        """Return the hatch that tells a rule's labels from others of the same colour."""
        return self._hatches[frozenset(rule.labels)]

    def style(self, rule: ModelRule, alpha: float) -> dict[str, Any]:
        """Return the patch properties that fill a rule's box."""
        from matplotlib.colors import to_rgb  # noqa: PLC0415

        color = to_rgb(self.of(rule))
        return {
            "facecolor": (*color, alpha),
            "edgecolor": (*color, min(1.0, 2.5 * alpha)),
            "hatch": self.hatch(rule),
            "linewidth": 0,
        }

    def _key(self, labels: frozenset[str]) -> tuple[int, list[int]]:
        return len(labels), sorted(self._rank[label] for label in labels)

    def _color(self, labels: frozenset[str]) -> str:
        if not labels:
            return MUTED
        return self._palette[min(labels, key=self._rank.__getitem__)]
