"""Multi-label datasets of river."""

from __future__ import annotations

import numpy as np

from minotaur_pymoo.datasets.dataset import Dataset
from minotaur_pymoo.datasets.table import Table
from minotaur_pymoo.support.errors import InputError
from minotaur_pymoo.support.messages import short_repr

_CLASSES = {"yeast": "Yeast", "music": "Music"}


def load_river(name: str) -> Dataset:
    """Load a multi-label dataset of river.

    Parameters
    ----------
    name
        ``yeast``: 2,417 genes with 103 features and 14 labels, which come with river and need no
        network; or ``music``: 593 songs with 72 features and 6 labels, which river downloads.

    Examples
    --------
    >>> load_river("yeast").Y.shape  # doctest: +SKIP
    (2417, 14)
    """
    if name not in _CLASSES:
        raise InputError(
            f"river has no multi-label dataset {short_repr(name)}: use river:yeast or river:music."
        )
    try:
        # Imported here because it is optional, and slow.
        from river import datasets  # noqa: PLC0415

        rows = list(getattr(datasets, _CLASSES[name])())
    except (ImportError, AttributeError) as error:
        raise InputError(
            f"river:{name} needs river 0.26 or newer, which is not installed: run"
            ' pip install "river>=0.26".'
        ) from error
    except OSError as error:
        raise InputError(
            f"river cannot download {name} ({error}): check the network, or use river:yeast, which"
            " needs none."
        ) from error
    features, labels = rows[0]
    values = np.array([[*x.values(), *y.values()] for x, y in rows], dtype=np.float64)
    return Table(name, f"river:{name}", (*features, *labels), values, {}).split(list(labels))
