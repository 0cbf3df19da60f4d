"""The space in which rows lie near each other that are alike in what tells the classes apart."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from kanopy.algorithms.sketch.features import blocks_of, features_of, rows_of, sum_of
from kanopy.algorithms.sketch.teachers import MOST_ROWS, Lesson, lesson, sample_of
from kanopy.data import EncodedTable
from kanopy.data.arrays import Codes, Floats

_MOST_AXES = 8
"""Principal axes that are kept: groups are cut along the first ones, and others only cost time."""


class Space(NamedTuple):
    """Where rows lie, and what the logistic regression says about values."""

    points: Floats  # rows x axes
    coefficients: list[Floats] | None  # of each column, codes x classes; None: nothing to learn


def space_of(table: EncodedTable, classes: Codes, rng: np.random.Generator) -> Space:
    """Where each row lies; O(rows * columns * axes), and what the teachers cost on a sample.

    Half of the variance is that of the features, each weighed by its importance; the other half that of the
    scores of a logistic regression. Of both the first principal axes are kept. With one class there is
    nothing to learn, and all features weigh the same.
    """
    tables = features_of(table.quasi)
    codes = [column.codes for column in table.quasi]
    sample = sample_of(classes, MOST_ROWS, rng)
    rows = rows_of(tables, [of_rows[sample] for of_rows in codes])
    taught = classes[sample]
    learned = lesson(rows, taught, rng) if len(np.unique(taught)) > 1 else None
    weights = _weights(rows, learned)
    axes = _principal_axes(rows @ weights, _MOST_AXES)
    ends = np.cumsum([each.shape[1] for each in tables])[:-1]
    parts = np.split(weights @ axes, ends)
    points = sum_of([each @ part for each, part in zip(tables, parts, strict=True)], codes)
    if learned is None:
        return Space(points, None)
    of_features = np.split(learned.coefficients.T, ends)
    return Space(points, [each @ part for each, part in zip(tables, of_features, strict=True)])


def _weights(rows: Floats, learned: Lesson | None) -> Floats:
    """From features (down) to the dimensions of the space (across)."""
    variance = rows.var(axis=0)
    scale = np.divide(1, np.sqrt(variance), out=np.zeros(len(variance)), where=variance > 1e-12)
    if learned is None:
        return np.diag(scale)
    own = scale * np.sqrt(learned.importance)
    own /= np.sqrt(max(float((own**2) @ variance), 1e-12))
    scores = learned.coefficients.T / np.maximum((rows @ learned.coefficients.T).std(axis=0), 1e-12)
    return np.hstack([np.diag(own), scores / np.sqrt(scores.shape[1])])


def _principal_axes(points: Floats, most: int) -> Floats:
    """The first principal axes (across), each with its largest entry positive."""
    centred = points - points.mean(axis=0)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    axes = vectors[:, ::-1][:, :most]
    largest = np.abs(axes).argmax(axis=0)
    return np.asarray(axes * np.sign(axes[largest, np.arange(axes.shape[1])]))


def spread_out(points: Floats, spread: float, rng: np.random.Generator) -> Floats:
    """Points with noise: 0 is none, 1 is nothing but noise; O(rows * axes)."""
    if not spread:
        return points
    blocks, n_rows = list(blocks_of(len(points))), max(len(points), 1)
    mean = sum(points[block].sum(axis=0) for block in blocks) / n_rows
    squares = sum(((points[block] - mean) ** 2).sum(axis=0) for block in blocks)
    found, deviation = np.empty_like(points), np.sqrt(squares / n_rows)
    for block in blocks:
        noise = rng.standard_normal(points[block].shape) * deviation
        found[block] = (1 - spread) * points[block] + spread * noise
    return found
