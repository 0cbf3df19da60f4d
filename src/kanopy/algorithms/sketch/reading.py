"""What is published beside the cells: orders of categories, one correlation, what suits linear models."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kanopy.algorithms.sketch.drawing import sketches_of
from kanopy.algorithms.sketch.features import features_of, rows_of
from kanopy.algorithms.sketch.teachers import accuracy_of_linear
from kanopy.data import EncodedTable, Partition, Reading, Recoding, pooled_correlation
from kanopy.data.arrays import Codes, Floats
from kanopy.data.ranked import correlated, ranks_in_groups
from kanopy.data.reading import BOTH, DRAWS, EXPECTED, Orders, value_places

_MOST_ROWS = 5_000
"""How many rows linear models are tried on."""
_N_DRAWS = 3


def reading_of(
    table: EncodedTable,
    classes: Codes,
    recoding: Recoding,
    coefficients: Sequence[Floats] | None,
    rng: np.random.Generator,
) -> Reading:
    """How to read a recoding; O(rows * columns^2), and what linear models cost on 5,000 rows."""
    assert recoding.parts is not None
    partition = Partition(recoding.parts, int(recoding.parts.max(initial=-1)) + 1)
    orders = orders_of(table, coefficients)
    reading = Reading(orders, pooled_correlation(partition, table, orders))
    if coefficients is None:
        return reading
    return Reading(orders, reading.correlation, _best_way(table, classes, recoding, reading, rng))


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
    expected = _means(original, group)[group]
    drawn = [_drawn(some, group, recoding.of_rows(rows), reading, features, rng) for _ in range(_N_DRAWS)]
    copies = {
        DRAWS: drawn,
        EXPECTED: [expected],
        BOTH: [*drawn, *[expected] * _N_DRAWS],
    }
    reached = {
        way: accuracy_of_linear(np.vstack(each), np.tile(taught, len(each)), original, taught)
        for way, each in copies.items()
    }
    return max(reached, key=lambda way: reached[way])


def _means(rows: Floats, group: Codes) -> Floats:
    """Of the features of each group: what its cells let expect."""
    sizes = np.bincount(group)
    sums = [np.bincount(group, weights=column) for column in rows.T]
    return np.array(sums).T / sizes[:, None]


def _drawn(
    table: EncodedTable,
    group: Codes,
    recoding: Recoding,
    reading: Reading,
    features: Sequence[Floats],
    rng: np.random.Generator,
) -> Floats:
    """The features of one table that is drawn from the cells, as a recipient draws it."""
    sizes = np.bincount(group)
    starts = np.cumsum(sizes) - sizes
    places = [
        value_places(column.domain, order) for column, order in zip(table.quasi, reading.orders, strict=True)
    ]
    recoding = Recoding(recoding.columns, recoding.is_kept, group.astype(np.int32))
    keys = correlated(table.n_rows, reading.correlation, rng)
    found = list[Floats]()
    for column, sketch, key, worth in zip(
        table.quasi, sketches_of(recoding, sizes, places), keys.T, features, strict=True
    ):
        values = sketch.drawn(group, ranks_in_groups(group, starts, key).astype(np.float64))
        if column.domain.numbers is None:
            found.append(worth[values])
        else:
            is_missing = np.isnan(values)
            near = np.interp(values, column.domain.numbers, worth[:-1, 0])
            standard = np.where(is_missing, worth[-1, 0], near)
            found.append(np.column_stack([standard, is_missing][: worth.shape[1]]))
    return np.hstack(found)
