"""Recounts sketched cells from the source: chunk by chunk, value by value, by code that no method uses."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanopy.auditing.counted import Members
from kanopy.data import Domain
from kanopy.data.arrays import Bools, Codes, Floats, Ints
from kanopy.data.grammar import MISSING_TEXT, ReadCell
from kanopy.data.keys import counted, order_of
from kanopy.data.value_sets import numbers_from

LEAST_BEHIND_A_MEAN = 3
"""Rows, or persons: of two, whoever knows the value of one would know the other's."""
_NOISE = 1e-12
_DENSE = 4
"""Where values times groups are at most so many times the rows, they are counted without sorting."""


class GroupedRows(NamedTuple):
    """The rows of a release, in groups that read alike in all quasi-identifiers."""

    group: Codes
    n_groups: int
    weight: Ints | None = None  # how many equal rows each stands for
    persons: Codes | None = None

    @property
    def times(self) -> Ints:
        return np.ones(len(self.group), dtype=np.int64) if self.weight is None else self.weight

    def of(self, rows: Ints) -> GroupedRows:
        """Some of the rows."""
        weight = None if self.weight is None else self.weight[rows]
        persons = None if self.persons is None else self.persons[rows]
        return GroupedRows(self.group[rows], self.n_groups, weight, persons)


def true_sketches(
    cells: Sequence[ReadCell], word: Codes, rows: GroupedRows, domain: Domain, codes: Ints
) -> Bools:
    """Per row: is its sketch that of its group in the source? Any other cell counts as true.

    ``cells`` are the texts of a column, ``word`` is that of each row, ``codes`` are the values of the source,
    -1 where the domain does not know one. A sort of the rows.
    """
    word_of_group = np.zeros(rows.n_groups, dtype=np.int64)
    word_of_group[rows.group] = word  # that of all its rows
    has_means = np.array([bool(cell.means) for cell in cells], dtype=bool)
    has_counts = np.array([cell.is_sketch for cell in cells], dtype=bool) & ~has_means
    is_true = np.ones(rows.n_groups, dtype=bool)
    for is_meant, are_true in ((has_counts, _true_counts), (has_means, _true_means)):
        groups = np.flatnonzero(is_meant[word_of_group])
        if not len(groups):
            continue
        some, codes_of_some = rows, codes
        if len(groups) < rows.n_groups:
            number = np.full(rows.n_groups, -1, dtype=np.int64)
            number[groups] = np.arange(len(groups))
            used = np.flatnonzero(number[rows.group] >= 0)
            some, codes_of_some = rows.of(used), codes[used]
            some = some._replace(group=number[some.group], n_groups=len(groups))
        told = [cells[place] for place in word_of_group[groups].tolist()]
        is_true[groups] = are_true(told, some, domain, codes_of_some)
    return np.asarray(is_true[rows.group])


def _true_counts(told: Sequence[ReadCell], rows: GroupedRows, domain: Domain, codes: Ints) -> Bools:
    """Per group: does its cell count each of its values as often as the source has it?"""
    width = domain.n_codes + 2  # beyond the codes: values of the source, and of cells, that nobody knows
    place = {**domain.code_of, MISSING_TEXT: domain.missing_code}
    names = [(*cell.texts, MISSING_TEXT) if cell.with_missing else cell.texts for cell in told]
    said = np.array([place.get(name, width - 1) for line in names for name in line], dtype=np.int64)
    owner = np.repeat(np.arange(len(told)), list(map(len, names)))
    counts = np.array([count for cell in told for count in cell.counts], dtype=np.int64)
    had = np.where(codes < 0, width - 2, codes) if codes.min(initial=0) < 0 else codes
    told_keys, had_keys = owner * width + said, rows.group.astype(np.int64) * width + had
    n_keys = len(told) * width
    if n_keys <= _DENSE * (len(told_keys) + len(had_keys)):
        is_right = counted(told_keys, n_keys, counts) == counted(had_keys, n_keys, rows.weight)
        return np.asarray(is_right.reshape(len(told), width).all(axis=1))
    different, number = np.unique(np.concatenate([told_keys, had_keys]), return_inverse=True)
    left = np.bincount(number, np.concatenate([counts, -rows.times]))
    return _without(different[left != 0] // width, len(told))


def _true_means(told: Sequence[ReadCell], rows: GroupedRows, domain: Domain, codes: Ints) -> Bools:
    """Per group: are its chunks large enough, and are these their means, up to the rounding of the column?"""
    if domain.numbers is None:
        return np.zeros(len(told), dtype=bool)
    is_number = (codes >= 0) & (codes < domain.n_values)
    of_group = [np.bincount(rows.group[is_], rows.times[is_], len(told)) for is_ in (is_number, ~is_number)]
    n_numbers, n_others = (each.astype(np.int64) for each in of_group)
    said = np.array([cell.counts or (0, 0) for cell in told], dtype=np.int64)
    is_true = np.where(n_others > 0, (said[:, 0] == n_numbers) & (said[:, 1] == n_others), ~said.any(axis=1))
    is_true &= _without(rows.group[codes < 0], len(told))
    n_chunks = np.array([len(cell.means) for cell in told], dtype=np.int64)
    used = np.flatnonzero(is_number)
    chunk, value, persons = _in_chunks(rows.of(used), codes[used], n_numbers, n_chunks)
    means = [mean for cell in told for mean in cell.means]
    number_of = {mean: _number(mean, domain) for mean in set(means)}  # many groups have the same ones
    printed = np.array([number_of[mean] for mean in means], dtype=np.float64)
    holds = _are_means(printed, chunk, domain.numbers[value], domain)
    # PRIVACY: a mean of one or two tells what the other has (tests/sabotage/test_sketch_gate.py).
    holds &= Members.of(chunk.astype(np.int32), len(printed), persons).number >= LEAST_BEHIND_A_MEAN
    return is_true & _without(np.repeat(np.arange(len(told)), n_chunks)[~holds], len(told))


def _in_chunks(
    rows: GroupedRows, codes: Ints, n_numbers: Ints, n_chunks: Ints
) -> tuple[Ints, Ints, Codes | None]:
    """The chunk, the value and the person of each number; chunks are numbered through, group by group."""
    if rows.persons is None:
        width = int(codes.max(initial=0)) + 1
        order = order_of(rows.group.astype(np.int64) * width + codes, rows.n_groups * width)
    else:
        order = np.lexsort((rows.persons, codes, rows.group))
    order = np.repeat(order, rows.times[order])
    # Chunk j of c begins at rank floor(j * n / c).
    owner = np.repeat(np.arange(len(n_chunks)), n_chunks)
    chunk = numbers_from(np.zeros_like(n_chunks), n_chunks)
    begin = chunk * n_numbers[owner] // n_chunks[owner] + (np.cumsum(n_numbers) - n_numbers)[owner]
    in_chunk = np.searchsorted(begin, np.arange(len(order)), side="right") - 1
    return in_chunk, codes[order], None if rows.persons is None else rows.persons[order]


def _without(groups: Codes, n_groups: int) -> Bools:
    """Per group: is it none of these?"""
    return np.asarray(np.bincount(groups, minlength=n_groups) == 0)


def _number(mean: str, domain: Domain) -> float:
    """Where a mean lies; NaN where it is none, or has other digits than its column.

    PRIVACY: more digits, times the size of the chunk, would be the sum (tests/sabotage/test_sketch_gate.py).
    """
    number = domain.scale.number(mean)
    if number is None or domain.scale.written(number, domain.decimals) != mean:
        return float("nan")
    return number


def _are_means(printed: Floats, chunk: Ints, numbers: Floats, domain: Domain) -> Bools:
    sizes = np.maximum(np.bincount(chunk, minlength=len(printed)), 1)
    # Divided before adding: a sum of large floats may not fit into a float.
    means = np.bincount(chunk, numbers / sizes[chunk], minlength=len(printed))
    extent = np.bincount(chunk, np.abs(numbers) / sizes[chunk], minlength=len(printed))
    tolerance = 0.5 * domain.scale.step(domain.decimals) * (1 + _NOISE) + _NOISE * extent
    return np.asarray(np.abs(printed - means) <= tolerance)
