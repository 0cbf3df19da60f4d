"""Groups by halving: cut every pool along its first principal axis, again and again."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from kanopy.algorithms.sketch.features import blocks_of
from kanopy.data.arrays import Bools, Codes, Floats, Groups, Ints
from kanopy.data.keys import order_of
from kanopy.data.value_sets import numbers_from

Holds = Callable[[Ints, Codes, int], Bools]
"""From rows, the part of each and how many parts there are to whether each part keeps the promise."""
_TRIED_AXES = 3
"""How many principal axes are tried where the parts of a cut break the promise."""
_ROUNDS = 12
"""Rounds of power iteration: more hardly turn the axis; where two are equally long, either will do."""
_MOST_ROWS, _FEWEST_ROWS, _ROWS_OF_ALL = 512, 64, 1 << 17
"""Rows of a node that its axis is computed from, evenly taken: more hardly turn it; of small nodes of a
large table fewer."""
_ROWS_OF_A_BATCH = 1 << 16
"""Nodes with so many rows together are cut at once: these stay in a cache, and need little new memory."""
_STEPS = 1 << 20
"""Places along an axis that are told apart; rows in the same place are cut in their own order."""


def halved(
    points: Floats, pool: Codes, n_pools: int, least: int, holds: Holds, spare: Floats | None = None
) -> tuple[Groups, int]:
    """The group of every row, numbered from 0 without gaps, and how many there are.

    A node is cut at the multiple of ``least`` nearest below half of its rows, as long as both parts keep the
    promise. Rows stay in their order inside a node. ``spare`` is an array like the points, or these, that may
    be overwritten. O(rows * axes) per level, and a sort of integers; O(log(rows / least)) levels.
    """
    order = order_of(pool.astype(np.int64), n_pools)
    points = points.take(order, axis=0)  # they follow the order: the rows of a node lie together
    spare = np.empty_like(points) if spare is None else spare  # new memory takes as long as all the rest
    first = np.searchsorted(pool[order], np.arange(n_pools + 1))
    begins = [first[:-1]]
    batches = list(_batches(first[:-1], first[1:], least))
    while batches:
        begin, end = batches.pop()
        middle = _cut(points, spare, order, begin, end, least, holds)
        was_cut = middle > 0
        begins.append(middle[was_cut])
        begin, end = (np.column_stack(each)[was_cut].ravel() for each in ((begin, middle), (middle, end)))
        batches.extend(_batches(begin, end, least))
    is_first = np.zeros(len(pool), dtype=np.int32)
    is_first[np.concatenate(begins)] = 1
    group = np.empty(len(pool), dtype=np.int32)
    group[order] = np.cumsum(is_first, dtype=np.int32) - 1
    return group, int(is_first.sum())


def _batches(begin: Ints, end: Ints, least: int) -> Iterator[tuple[Ints, Ints]]:
    """Nodes that are large enough to be cut, as many at once as make a batch, one at least."""
    is_large = end - begin >= 2 * least
    begin, end = begin[is_large], end[is_large]
    if len(begin):
        ends = np.flatnonzero(np.diff(np.cumsum(end - begin) // _ROWS_OF_A_BATCH)) + 1
        yield from zip(np.split(begin, ends), np.split(end, ends), strict=True)


def _cut(
    points: Floats, spare: Floats, order: Ints, begin: Ints, end: Ints, least: int, holds: Holds
) -> Ints:
    """Where each node is cut, its rows in ``order`` and ``points`` divided; 0 where it cannot be."""
    found = np.zeros(len(begin), dtype=np.int64)
    waiting = np.arange(len(begin))
    used: list[Floats] = []
    for _ in range(min(_TRIED_AXES, points.shape[1])):
        start, sizes = begin[waiting], (end - begin)[waiting]
        axis = _axes(points, start, sizes, used)
        place, n_left = _places(start, sizes), np.maximum(sizes // 2 // least, 1) * least
        node, rows, some = np.repeat(np.arange(len(waiting)), sizes), order[place], points[place]
        is_last = np.arange(len(rows)) >= np.repeat(np.cumsum(sizes) - sizes + n_left, sizes)
        goes_right = _upper(_along(some, axis, node), node, sizes, is_last)
        # PRIVACY: parts that break the promise are not made (tests/properties/test_sketch_groups.py).
        low, high = holds(rows, 2 * node + goes_right, 2 * len(waiting)).reshape(-1, 2).T
        kept = low & high
        found[waiting[kept]] = (start + n_left)[kept]
        in_order = _divided(goes_right & kept[node], is_last & kept[node])
        order[place] = rows[in_order]
        # With the usual mode, NumPy would fill a copy first.
        points[place] = np.take(some, in_order, axis=0, out=spare[: len(some)], mode="clip")
        used = [before[~kept] for before in [*used, axis]]
        waiting = waiting[~kept]
        if not len(waiting):
            break
    return found


def _places(start: Ints, sizes: Ints) -> Ints | slice:
    """Where the rows of some nodes are; nothing is copied where these lie one after the other."""
    if np.array_equal(start[1:], (start + sizes)[:-1]):
        return slice(int(start[0]), int(start[-1] + sizes[-1]))
    return numbers_from(start, sizes)


def _along(points: Floats, axis: Floats, node: Ints) -> Floats:
    """How far each point lies along the axis of its node."""
    along = np.empty(len(points))
    for block in blocks_of(len(points)):
        np.einsum("ij,ij->i", points[block], axis.take(node[block], axis=0), out=along[block])
    return along


def _upper(along: Floats, node: Ints, sizes: Ints, is_last: Bools) -> Bools:
    """Whether each row would be among the last of its node in the order along the axis, then their own."""
    starts = np.cumsum(sizes) - sizes
    low = np.minimum.reduceat(along, starts)
    width = np.maximum(np.maximum.reduceat(along, starts) - low, 1e-300)
    step = ((along - np.repeat(low, sizes)) * np.repeat((_STEPS - 1) / width, sizes)).astype(np.int64)
    order = order_of(node * _STEPS + step, len(sizes) * _STEPS)
    is_upper = np.empty(len(along), dtype=bool)
    is_upper[order] = is_last
    return is_upper


def _divided(goes_right: Bools, is_right: Bools) -> Ints:
    """Which row comes to each place: those that go right to places that are right, all in their order."""
    row = np.empty(len(is_right), dtype=np.int64)
    row[~is_right], row[is_right] = np.flatnonzero(~goes_right), np.flatnonzero(goes_right)
    return row


def _axes(points: Floats, begin: Ints, sizes: Ints, used: list[Floats]) -> Floats:
    """The first principal axis of each node, at right angles to those that were used."""
    n_taken = np.minimum(sizes, np.clip(sizes * _ROWS_OF_ALL // len(points), _FEWEST_ROWS, _MOST_ROWS))
    step = numbers_from(np.zeros(len(sizes), dtype=np.int64), n_taken)
    owner = np.repeat(np.arange(len(sizes)), n_taken)
    columns = points.take(begin[owner] + step * sizes[owner] // n_taken[owner], axis=0).T.copy()
    starts = np.cumsum(n_taken) - n_taken
    columns -= np.repeat(np.add.reduceat(columns, starts, axis=1) / n_taken, n_taken, axis=1)
    n_axes = len(columns)
    moments = np.empty((len(sizes), n_axes, n_axes))
    for one in range(n_axes):
        moments[:, one, one:] = np.add.reduceat(columns[one:] * columns[one], starts, axis=1).T
        moments[:, one:, one] = moments[:, one, one:]
    for before in used:
        across = np.eye(n_axes) - before[:, :, None] * before[:, None, :]
        moments = across @ moments @ across
    axis = np.zeros((len(sizes), n_axes))
    axis[np.arange(len(sizes)), np.diagonal(moments, axis1=1, axis2=2).argmax(axis=1)] = 1
    for _ in range(_ROUNDS):
        axis = np.einsum("nij,nj->ni", moments, axis)
        axis /= np.maximum(np.linalg.norm(axis, axis=1), 1e-300)[:, None]
    return axis
