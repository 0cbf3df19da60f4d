"""Recounts sketched cells from the source: chunk by chunk, value by value, by code that no method uses."""

from __future__ import annotations

import re
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from kanopy.auditing.counted import Members
from kanopy.data import Domain
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.grammar import MISSING_TEXT, ReadCell
from kanopy.data.keys import counted, order_of
from kanopy.data.value_sets import numbers_from

LEAST_BEHIND_A_MEAN = 3
"""Rows, or persons: of two, whoever knows the value of one would know the other's."""
LEAST_BEHIND_A_SKETCH = 30
"""Rows of a group: the likeliest record of fewer is often the record of one of them."""
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

    @property
    def smallest(self) -> int:
        """How many rows the smallest group has; O(rows)."""
        return int(counted(self.group, self.n_groups, self.weight).min(initial=int(self.times.sum())))

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
    holds = (_are_exact_means if domain.scale.has_means else _are_means)(means, chunk, value, domain)
    # PRIVACY: a mean of one or two tells what the other has (tests/sabotage/test_sketch_gate.py).
    holds &= Members.of(chunk.astype(np.int32), len(means), persons).number >= LEAST_BEHIND_A_MEAN
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


def _are_exact_means(means: Sequence[str], chunk: Ints, codes: Ints, domain: Domain) -> Bools:
    """Whether each mean has the digits of its column, and is nearest to the sum of its chunk divided by its
    size: in whole numbers, as floats cannot tell those beyond 2^53 apart.

    PRIVACY: more digits, times the size of the chunk, would be the sum (tests/sabotage/test_sketch_gate.py).
    """
    number_of = {mean: _whole(mean, domain.decimals, is_printed=True) for mean in set(means)}
    printed = [number_of[mean] for mean in means]
    values = [_whole(label, domain.decimals) for label in domain.labels]
    largest = max(map(abs, values), default=0)
    # No mean lies beyond all values: then no product does, either.
    is_within = np.array([number is not None and abs(number) <= largest for number in printed], dtype=bool)
    fits = all(isinstance(number, int) for number in values) and largest * (len(chunk) + 1) < 2**61
    kind = np.int64 if fits else object
    of_means = np.array(
        [number if is_ else 0 for number, is_ in zip(printed, is_within, strict=True)], dtype=kind
    )
    added = np.append(np.zeros(1, dtype=kind), np.cumsum(np.array(values, dtype=kind)[codes]))
    ends = np.searchsorted(chunk, np.arange(len(means) + 1))
    sizes, sums = np.diff(ends), added[ends[1:]] - added[ends[:-1]]
    return np.asarray(is_within & (2 * np.abs(of_means * sizes - sums) <= sizes))


def _whole(text: str, decimals: int, *, is_printed: bool = False) -> Any:
    """A number in units of its column's last digit; None where it is printed with other digits."""
    point = rf"[.][0-9]{{{decimals}}}" if decimals else ""
    if is_printed and not re.fullmatch(rf"-?(0|[1-9][0-9]*){point}", text):
        return None
    before, _, after = text.partition(".")
    if (before + after).lstrip("+-").isdecimal() and len(after) <= decimals:
        return int(before + after) * 10 ** (decimals - len(after))
    exact = Fraction(text) * 10**decimals
    return exact.numerator if exact.denominator == 1 else exact


def _are_means(means: Sequence[str], chunk: Ints, codes: Ints, domain: Domain) -> Bools:
    """The same of dates, which lie where floats tell them apart."""
    assert domain.numbers is not None
    number_of = {mean: _date(mean, domain) for mean in set(means)}  # many groups have the same ones
    printed = np.array([number_of[mean] for mean in means], dtype=np.float64)
    numbers, sizes = domain.numbers[codes], np.maximum(np.bincount(chunk, minlength=len(printed)), 1)
    # Divided before adding: a sum of large floats may not fit into a float.
    found = np.bincount(chunk, numbers / sizes[chunk], minlength=len(printed))
    extent = np.bincount(chunk, np.abs(numbers) / sizes[chunk], minlength=len(printed))
    tolerance = 0.5 * domain.scale.step(domain.decimals) * (1 + _NOISE) + _NOISE * extent
    return np.asarray(np.abs(printed - found) <= tolerance)


def _date(mean: str, domain: Domain) -> float:
    """Where a mean lies; NaN where it is none, or is written otherwise than its column."""
    number = domain.scale.number(mean)
    if number is None or domain.scale.written(number, domain.decimals) != mean:
        return float("nan")
    return number
