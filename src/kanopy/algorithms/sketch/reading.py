"""What is published beside the cells: orders of categories, one correlation, what suits linear models."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from kanopy.algorithms.sketch.drawing import sketches_of
from kanopy.algorithms.sketch.features import features_of, rows_of
from kanopy.algorithms.sketch.space import Space
from kanopy.algorithms.sketch.teachers import accuracy_of_linear
from kanopy.data import EncodedTable, Partition, Reading, Recoding, pooled_correlation
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.grammar import MISSING_TEXT
from kanopy.data.mixed_classes import MixedClasses, in_mixed_groups, is_of_many
from kanopy.data.normal_rows import DrawnColumn, normal_features, off_average
from kanopy.data.ranked import correlated, ranks_in_groups
from kanopy.data.reading import DRAWS, NORMAL, Orders, value_places

_MOST_ROWS = 5_000
"""How many rows linear models are tried on."""
_N_DRAWS = 3
_MOST_FEATURES = 20_000_000
"""Rows times values of all columns, up to which linear models may learn from normal features: every one of
them is a number, three times, which drawn values need not be. Of more rows, drawn ones will do."""


def reading_of(
    table: EncodedTable,
    classes: Codes,
    recoding: Recoding,
    space: Space,
    rng: np.random.Generator,
    *,
    with_classes: bool,
) -> Reading:
    """How to read a recoding; O(rows * columns^2), and what linear models cost on 5,000 rows.

    ``with_classes`` says whether the reading may tell how classes that share groups differ.
    """
    assert recoding.parts is not None
    partition = Partition(recoding.parts, int(recoding.parts.max(initial=-1)) + 1)
    orders = orders_of(table, space.coefficients)
    order = _class_order(table, classes, partition, space.points) if with_classes else np.zeros(0, int)
    further = [_class_places(classes, order)] if len(order) else []
    matrix, mixed = pooled_correlation(partition, table, orders, further), None
    if table.target is not None and further:
        labels = (*table.target.domain.labels, MISSING_TEXT)
        names = tuple(labels[code] for code in order.tolist())
        mixed = MixedClasses(table.target.domain.name, names, matrix[-1, :-1])
        matrix = matrix[:-1, :-1]
    reading = Reading(orders, matrix, classes=mixed)
    n_features = sum(max(len(order), 1) for order in orders)
    if space.coefficients is None or table.n_rows * n_features > _MOST_FEATURES:
        return reading
    return replace(reading, linear=_best_way(table, classes, recoding, reading, rng))


def _class_order(table: EncodedTable, classes: Codes, partition: Partition, points: Floats) -> Ints:
    """The classes that share groups, along the first axis of their averages; O(rows * axes).

    None of them where there are none, or where too few people would be told about.
    """
    is_mixed = in_mixed_groups(classes, partition.group, partition.n_groups)
    if not is_mixed.any():
        return np.zeros(0, dtype=np.int64)
    present, code = np.unique(classes[is_mixed], return_inverse=True)
    sums = np.array([np.bincount(code, axis) for axis in points[is_mixed].T]).T
    along = _along_first_axis(sums / np.bincount(code)[:, None])
    order = present[np.argsort(along, kind="stable")].astype(np.int64)
    off = off_average(_class_places(classes, order), partition.group)
    return order if is_of_many(off, table.persons) else order[:0]


def _class_places(classes: Codes, order: Ints) -> Floats:
    """Where the class of each row lies in an order; those that are not in it at its beginning."""
    places = np.zeros(int(classes.max()) + 1)
    places[order] = np.arange(len(order))
    return np.asarray(places[classes])


def orders_of(table: EncodedTable, coefficients: Sequence[Floats] | None) -> Orders:
    """Of each column of categories, the codes that occur along the first axis of their coefficients.

    ``coefficients`` are those of the codes (down) for each class (across), column by column. Without any,
    codes are in their own order. O(codes * classes^2).
    """
    found = list[tuple[int, ...]]()
    for place, column in enumerate(table.quasi):
        codes = np.flatnonzero(column.totals)
        if column.domain.is_numeric:
            codes = codes[:0]
        elif coefficients is not None:
            codes = codes[np.argsort(_along_first_axis(coefficients[place][codes]), kind="stable")]
        found.append(tuple(codes.tolist()))
    return tuple(found)


def _along_first_axis(points: Floats) -> Floats:
    """Where points lie along their first principal axis, to the digits that do not depend on the machine."""
    centred = points - points.mean(axis=0)
    _, axes = np.linalg.eigh(centred.T @ centred)
    axis = axes[:, -1] * np.sign(axes[np.abs(axes[:, -1]).argmax(), -1])
    return np.asarray(np.round(centred @ axis, 9))


def _best_way(
    table: EncodedTable, classes: Codes, recoding: Recoding, reading: Reading, rng: np.random.Generator
) -> str:
    """What a linear model learns best from, tried on the rows of some groups; of equals the first."""
    assert recoding.parts is not None
    n_groups = int(recoding.parts.max()) + 1
    sizes = np.bincount(recoding.parts, minlength=n_groups)
    shuffled = rng.permutation(n_groups)
    taken = np.zeros(n_groups, dtype=bool)
    taken[shuffled[np.cumsum(sizes[shuffled]) - sizes[shuffled] < _MOST_ROWS]] = True
    rows = np.flatnonzero(taken[recoding.parts])
    if len(np.unique(classes[rows])) < 2:
        return DRAWS
    group = np.cumsum(taken)[recoding.parts[rows]] - 1
    some, taught = table.of_rows(rows), classes[rows]
    features = features_of(some.quasi)
    original = rows_of(features, [column.codes for column in some.quasi])
    copies = [_drawn(some, group, recoding.of_rows(rows), reading, features, rng) for _ in range(_N_DRAWS)]
    reached = {
        way: accuracy_of_linear(np.vstack(each), np.tile(taught, _N_DRAWS), original, taught)
        for way, each in zip((DRAWS, NORMAL), zip(*copies, strict=True), strict=True)
    }
    return max(reached, key=lambda way: reached[way])


def _drawn(
    table: EncodedTable,
    group: Codes,
    recoding: Recoding,
    reading: Reading,
    features: Sequence[Floats],
    rng: np.random.Generator,
) -> tuple[Floats, Floats]:
    """The features of one table that is drawn from the cells, as a recipient draws it, and normal ones."""
    sizes = np.bincount(group)
    starts = np.cumsum(sizes) - sizes
    places = [
        value_places(column.domain, order) for column, order in zip(table.quasi, reading.orders, strict=True)
    ]
    recoding = Recoding(recoding.columns, recoding.is_kept, group.astype(np.int32))
    keys = correlated(table.n_rows, reading.correlation, rng)
    if reading.classes is not None and table.target is not None:
        names = np.array([*table.target.domain.labels, MISSING_TEXT])
        keys += reading.classes.pull(names[table.target.codes], group)
    found, normal = list[Floats](), list[Floats]()
    for column, sketch, of_codes, key, worth in zip(
        table.quasi, sketches_of(recoding, sizes, places), places, keys.T, features, strict=True
    ):
        values = sketch.drawn(group, ranks_in_groups(group, starts, key).astype(np.float64))
        if column.domain.numbers is None:
            found.append(worth[values])
            lies = of_codes[values]
        else:
            is_missing = np.isnan(values)
            near = np.interp(values, column.domain.numbers, worth[:-1, 0])
            standard = np.where(is_missing, worth[-1, 0], near)
            found.append(np.column_stack([standard, is_missing][: worth.shape[1]]))
            lies = np.where(is_missing, np.nan_to_num(np.fmax.reduce(values)), values)
        normal.append(normal_features(found[-1], DrawnColumn(lies, key), group, rng))
    return np.hstack(found), np.hstack(normal)
