"""Features around the averages of their groups: all that a linear model learns from rows of sketched cells.

A linear model asks for averages and for how columns go together. Drawn rows keep both only nearly: a category
is there or not, whatever the correlation says. Features that are not tied to values keep both exactly.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.data.arrays import Codes, Floats

_NOISE = 1e-9


class DrawnColumn(NamedTuple):
    """How a column of some rows was drawn."""

    places: Floats  # where the value of each row lies in the order of the column
    keys: Floats  # the normal number of each row, which goes together with those of other columns


def group_means(rows: Floats, group: Codes) -> Floats:
    """For each row the averages over the rows of its group; O(rows * columns)."""
    n_rows = np.maximum(np.bincount(group), 1)
    means = np.column_stack([np.bincount(group, column) / n_rows for column in rows.T])
    return np.asarray(means[group])


def off_average(places: Floats, group: Codes) -> Floats:
    """How far each row lies from the average of its group; O(rows)."""
    return np.asarray(places - group_means(places[:, None], group)[:, 0])


def normal_features(features: Floats, column: DrawnColumn, group: Codes, rng: np.random.Generator) -> Floats:
    """The features of one column (across) for drawn rows (down): those of the group, and normal numbers
    around them; O(rows * features^2).

    What goes with the places of the values goes with the keys of the rows instead, and so together with the
    other columns; what is left of the features inside groups is drawn by itself.
    """
    means = group_means(features, group)
    apart, off = features - means, off_average(column.places, group)
    n_rows, length = len(features), float(np.sqrt(off @ off))
    along = off @ apart / (length * np.sqrt(n_rows)) if length > _NOISE else np.zeros(features.shape[1])
    lengths, axes = np.linalg.eigh(apart.T @ apart / n_rows - np.outer(along, along))
    alone = rng.standard_normal(features.shape) @ (axes * np.sqrt(lengths.clip(0))).T
    return np.asarray(means + column.keys[:, None] * along + alone)
