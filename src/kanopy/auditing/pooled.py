"""Recomputes the correlation that is published beside sketches, by code that no method uses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from kanopy.auditing.sketches import GroupedRows
from kanopy.data import Domain
from kanopy.data.arrays import Codes, Floats

_UNIT = 0.01
"""A published correlation has two decimals."""
_OFF = 0.0051  # half of that, and what adding up in another order may cost
_IDENTITY = 0.02


def wrong_correlation(
    told: Floats,
    orders: Sequence[Sequence[int]],
    columns: Sequence[tuple[Domain, Codes]],
    rows: GroupedRows,
    floor: int,
) -> Iterator[str]:
    """What is wrong with a published correlation; nothing if it may be told. O(rows * columns^2).

    ``columns`` are the quasi-identifiers with the value of each published row, ``orders`` those of their
    categories; ``floor`` is the fewest members that anything told is about.
    """
    n_columns = len(columns)
    # PRIVACY: more digits would tell more about rows (tests/sabotage/test_sketch_gate.py).
    if told.shape != (n_columns, n_columns) or not np.array_equal(np.round(told / _UNIT) / 100, told):
        yield "it is no matrix of two decimals"
        return
    if not np.array_equal(told, told.T) or (np.diag(told) != 1).any() or np.abs(told).max(initial=0) > 1:
        yield "it is no correlation"
    n_members = int(rows.times.sum()) if rows.persons is None else len(np.unique(rows.persons))
    if n_members < floor:
        yield f"it is about fewer than {floor}"
    if np.abs(told - _recomputed(orders, columns, rows)).max(initial=0) > _OFF:
        yield "it is not that of the groups"


def _recomputed(
    orders: Sequence[Sequence[int]], columns: Sequence[tuple[Domain, Codes]], rows: GroupedRows
) -> Floats:
    times = rows.times.astype(np.float64)
    total = np.maximum(np.bincount(rows.group, times, minlength=rows.n_groups), 1.0)
    apart = []
    for (domain, codes), order in zip(columns, orders, strict=True):
        places = _places(domain, order)[codes]
        average = np.bincount(rows.group, times * places, minlength=rows.n_groups) / total
        apart.append(places - average[rows.group])
    found = np.eye(len(columns))
    sums = [float((times * each * each).sum()) for each in apart]
    for one in range(len(columns)):
        for other in range(one):
            scale = np.sqrt(sums[one] * sums[other])
            is_there = min(sums[one], sums[other]) > 1e-18 * max(times.sum(), 1.0)
            together = float((times * apart[one] * apart[other]).sum()) / scale if is_there else 0.0
            found[one, other] = found[other, one] = (1 - _IDENTITY) * together
    return found


def _places(domain: Domain, order: Sequence[int]) -> Floats:
    """Numbers where they lie between the least and the largest, categories by their number in the order."""
    n_codes = domain.n_codes
    if domain.numbers is None:
        known = set(order)
        listed = [*order, *(code for code in range(n_codes) if code not in known)]
        places = np.empty(n_codes)
        places[listed] = np.arange(n_codes)
        return places
    if not len(domain.numbers):
        return np.ones(1)
    halves = domain.numbers / 2  # the whole distance may not fit into a float
    length = float(halves[-1] - halves[0])
    places = (halves - halves[0]) / length if length > 0 else np.zeros(len(halves))
    return np.append(places, 1.0)
