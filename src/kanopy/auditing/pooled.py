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
_MANY = 11
"""No row or person contributes more than one part in so many to what is published about classes."""


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
    n_members = (
        int(rows.times.sum()) if rows.persons is None else len(np.unique(rows.persons[rows.persons >= 0]))
    )
    if n_members < floor:
        yield f"it is about fewer than {floor}"
    if np.abs(told - _correlation([*_apart_lines(orders, columns, rows)], rows)).max(initial=0) > _OFF:
        yield "it is not that of the groups"


def wrong_with_classes(
    told: Floats,
    places: Floats,
    orders: Sequence[Sequence[int]],
    columns: Sequence[tuple[Domain, Codes]],
    rows: GroupedRows,
) -> Iterator[str]:
    """What is wrong with the published correlation of classes and columns; O(rows * columns).

    ``places`` is where the class of each row lies in the order of the classes.
    """
    # PRIVACY: more digits would tell more about rows (tests/sabotage/test_mixed_classes.py).
    if told.shape != (len(columns),) or not np.array_equal(np.round(told / _UNIT) / 100, told):
        yield "it has not two decimals"
        return
    off = _apart(places, rows)
    parts = rows.times * off**2
    if rows.persons is not None:
        is_named = rows.persons >= 0
        parts = np.bincount(rows.persons[is_named], parts[is_named]).astype(np.float64)
    # PRIVACY: else one person's values could be read off (tests/sabotage/test_mixed_classes.py).
    if parts.max(initial=0) * _MANY > parts.sum() * (1 + 1e-9):
        yield "it is about too few"
    lines = [*_apart_lines(orders, columns, rows), off]
    if np.abs(told - _correlation(lines, rows)[-1, :-1]).max(initial=0) > _OFF:
        yield "it is not that of the groups"


def _apart_lines(
    orders: Sequence[Sequence[int]], columns: Sequence[tuple[Domain, Codes]], rows: GroupedRows
) -> Iterator[Floats]:
    for (domain, codes), order in zip(columns, orders, strict=True):
        yield _apart(_places(domain, order)[codes], rows)


def _apart(places: Floats, rows: GroupedRows) -> Floats:
    """How far each row lies from the average of its group."""
    total = np.maximum(np.bincount(rows.group, rows.times, minlength=rows.n_groups), 1.0)
    average = np.bincount(rows.group, rows.times * places, minlength=rows.n_groups) / total
    return np.asarray(places - average[rows.group])


def _correlation(lines: Sequence[Floats], rows: GroupedRows) -> Floats:
    """Of each two lines, as it is published; O(rows * lines^2)."""
    times = [line if rows.weight is None else line * rows.times for line in lines]
    sums = np.array([[one @ other for other in lines] for one in times])
    own = np.diag(sums)
    is_there = own > 1e-18 * max(float(rows.times.sum()), 1.0)
    scale = np.sqrt(np.outer(own, own))
    together = np.divide(sums, scale, out=np.zeros_like(sums), where=np.outer(is_there, is_there))
    found = (1 - _IDENTITY) * together
    np.fill_diagonal(found, 1.0)
    return np.asarray(found)


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
