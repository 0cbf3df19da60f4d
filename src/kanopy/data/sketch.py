"""Sketched cells: how the values of a whole group are distributed, in one text for all of its rows.

The numbers of a group, in order, are cut into chunks of equal size, and its cell prints the means of the
chunks. Categories are printed with how many rows of the group have each. Dates have chunk means as well,
each rounded to a period of their column. Censored numbers have no means: they are published as ranges.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kanopy.data import cell as cells
from kanopy.data.arrays import Codes, Ints
from kanopy.data.cell import Cell, CellKind
from kanopy.data.counts import count_distinct
from kanopy.data.keys import order_of
from kanopy.data.partition import Dictionary, GroupSummary, Partition, Recoding, numbered, ranging
from kanopy.data.table import Domain, EncodedTable

LEAST_IN_CHUNK = 3
"""Rows, or persons, behind each mean: of two, whoever knows the value of one would know the other's."""
ROWS_PER_CHUNK = 5
"""A group of k rows has at most as many chunks as k has parts of this size; larger groups have no more."""
_MOST_DECIMALS = 20
"""Columns with so many digits after the point may have more, which are not counted."""
_EXACT_IN_FLOATS = 2.0**50
"""Floats below it, in units of the last digit, are off by less than a quarter of one."""


def sketched(partition: Partition, table: EncodedTable, k: int) -> Recoding:
    """Publish every group as sketches, those that print alike as one group; O(rows * columns).

    The numbers of a group are cut into c = max(1, min(k // 5, numbers // 3)) chunks; where persons are known,
    c is halved until each chunk has three of them. Fewer than three numbers, or persons with a number, are
    suppressed. With persons it takes a sort per column. Groups that print alike are joined and sketched anew,
    so that a cell always speaks of all rows with its text.

    Parameters
    ----------
    partition : Partition
    table : EncodedTable
        May have weights.
    k : int
        The fewest rows, or persons, that a group may have.
    """
    while True:
        recoding = partition.publish(table, _Sketching(partition, table, max(1, k // ROWS_PER_CHUNK)))
        of_kept, n_groups = recoding.groups
        if n_groups == partition.n_groups:
            return recoding
        group = np.full_like(partition.group, -1)
        group[partition.is_kept] = of_kept
        partition = Partition(group, n_groups)


class ChunkTally(NamedTuple):
    """How many chunk means are printed, and how many are over equal values: these are the value itself."""

    chunks: int
    of_equal_values: int


def tally_of_chunks(recoding: Recoding, table: EncodedTable) -> ChunkTally:
    """Count the chunks of all groups in all columns; O(rows * columns * log(rows))."""
    tally = ChunkTally(0, 0)
    group, n_groups = recoding.groups
    rows = np.flatnonzero(recoding.is_kept)
    for column, printed in zip(table.quasi, recoding.columns, strict=True):
        means = np.array([len(cell.means) for cell in printed.cells], dtype=np.int64)
        n_chunks = np.zeros(n_groups, dtype=np.int64)
        n_chunks[group] = means[printed.ids[rows]]
        is_number = (column.codes[rows] != column.domain.missing_code) & (n_chunks[group] > 0)
        of_group, code = group[is_number].astype(np.int64), column.codes[rows][is_number].astype(np.int64)
        order = order_of(of_group * column.domain.n_codes + code, n_groups * column.domain.n_codes)
        of_group, code = of_group[order], code[order]
        first, chunk = _numbered_chunks(of_group, np.bincount(of_group, minlength=n_groups), n_chunks)
        is_first = np.diff(chunk, prepend=-1) > 0
        is_last = np.diff(chunk, append=int(first[-1])) > 0
        n_equal = int(np.count_nonzero(code[is_first] == code[is_last]))
        tally = ChunkTally(tally.chunks + int(first[-1]), tally.of_equal_values + n_equal)
    return tally


class _GroupNumbers(NamedTuple):
    """The numbers of the groups, in order: by group, then value."""

    group: Ints
    code: Ints
    persons: Codes | None


class _Chunks(NamedTuple):
    """The chunks of all groups, one after the other."""

    first: Ints  # group g has the chunks first[g] to before first[g + 1]
    means: list[str]


@dataclass(frozen=True, eq=False)
class _Sketching:
    """The style: what to print in one column, given the values of its groups."""

    partition: Partition
    table: EncodedTable
    most_chunks: int

    def __call__(self, summary: GroupSummary) -> Dictionary:
        if not summary.domain.is_numeric:
            return _counting(summary)
        return self._averaging(summary) if summary.domain.scale.has_chunk_means else ranging(summary)

    def _averaging(self, summary: GroupSummary) -> Dictionary:
        values = self._values(summary)
        n_numbers = np.bincount(values.group, minlength=summary.n_groups)
        n_missing = _n_missing(summary)
        chunks = _chunks(summary, values, self._n_chunks(values, n_numbers))
        lines = (each.tolist() for each in (summary.low, summary.high, n_numbers, n_missing))
        means = (tuple(chunks.means[first:end]) for first, end in pairwise(chunks.first.tolist()))
        return numbered(map(_number_cell, *lines, means))

    def _values(self, summary: GroupSummary) -> _GroupNumbers:
        domain = summary.domain
        if self.table.persons is None:
            is_number = summary.pair_code != domain.missing_code
            times = summary.pair_count[is_number]
            group, code = summary.pair_group[is_number], summary.pair_code[is_number]
            return _GroupNumbers(np.repeat(group, times), np.repeat(code, times), None)
        (column,) = (each for each in self.table.quasi if each.domain is domain)
        rows = np.flatnonzero(self.partition.is_kept & (column.codes != domain.missing_code))
        group, code, persons = self.partition.group[rows], column.codes[rows], self.table.persons[rows]
        order = np.lexsort((persons, code, group))
        return _GroupNumbers(group[order].astype(np.int64), code[order].astype(np.int64), persons[order])

    def _n_chunks(self, values: _GroupNumbers, n_numbers: Ints) -> Ints:
        """How many chunks each group has; 0 where one would be too many."""
        n_members = n_numbers
        if values.persons is not None:
            n_members = count_distinct(values.persons, values.group, len(n_numbers))
        # PRIVACY: nobody is alone, or beside one other, in a mean (tests/unit/data/test_sketch_cells.py).
        n_chunks = np.minimum(self.most_chunks, n_members // LEAST_IN_CHUNK)
        while values.persons is not None:
            first, chunk = _numbered_chunks(values.group, n_numbers, n_chunks)
            has_chunks = n_chunks[values.group] > 0
            persons = values.persons[has_chunks]
            n_persons = count_distinct(persons, chunk[has_chunks], int(first[-1]))
            few = np.repeat(np.arange(len(n_chunks)), n_chunks)[n_persons < LEAST_IN_CHUNK]
            if not len(few):
                break
            n_chunks[few] //= 2
        return n_chunks


def _numbered_chunks(group: Ints, n_numbers: Ints, n_chunks: Ints) -> tuple[Ints, Ints]:
    """The first chunk of each group, and the chunk of each number: the place of every one in its group."""
    first, start = (np.append(0, np.cumsum(each)) for each in (n_chunks, n_numbers))
    rank = np.arange(len(group)) - start[group]
    # Chunk j of c has the ranks from floor(j * n / c) to before floor((j + 1) * n / c).
    return first, first[group] + ((rank + 1) * n_chunks[group] - 1) // n_numbers[group]


def _chunks(summary: GroupSummary, values: _GroupNumbers, n_chunks: Ints) -> _Chunks:
    domain = summary.domain
    assert domain.numbers is not None
    n_numbers = np.bincount(values.group, minlength=summary.n_groups)
    first, chunk = _numbered_chunks(values.group, n_numbers, n_chunks)
    used = n_chunks[values.group] > 0
    chunk, codes = chunk[used], values.code[used]
    sizes = np.bincount(chunk, minlength=int(first[-1]))
    # PRIVACY: more digits, times the size, would be the sum (tests/unit/data/test_sketch_cells.py).
    if domain.scale.has_means:
        # Added as whole numbers: floats cannot tell those beyond 2^53 apart.
        units = _units(domain, len(codes))
        sums = np.add.reduceat(units[codes], np.cumsum(sizes) - sizes) if len(sizes) else units[:0]
        different, place = np.unique(_to_even(sums, sizes), return_inverse=True)
        texts = [_written(each, domain.decimals) for each in different.tolist()]
    else:
        # Divided before adding: a sum of large floats may not fit into a float.
        means = np.bincount(chunk, weights=domain.numbers[codes] / sizes[chunk], minlength=len(sizes))
        different, place = np.unique(means, return_inverse=True)
        texts = [domain.scale.written(mean, domain.decimals) for mean in different.tolist()]
    return _Chunks(first, [texts[each] for each in place.tolist()])


def _units(domain: Domain, n_rows: int) -> NDArray[Any]:
    """The numbers of a column, in units of its last digit, exactly: whole numbers of 64 bits where the sum of
    so many fits into these, else those of Python, or fractions where labels have more digits than are kept.
    """
    assert domain.numbers is not None
    largest = float(np.abs(domain.numbers).max(initial=0)) * 10.0**domain.decimals
    if domain.decimals < _MOST_DECIMALS and largest < _EXACT_IN_FLOATS and largest * n_rows < 2.0**62:
        return np.rint(domain.numbers * 10.0**domain.decimals).astype(np.int64)
    exact = [Fraction(label) * 10**domain.decimals for label in domain.labels]
    return np.array([one.numerator if one.denominator == 1 else one for one in exact], dtype=object)


def _to_even(sums: NDArray[Any], sizes: Ints) -> NDArray[Any]:
    """Sums divided by sizes as whole numbers, halves to the even neighbour."""
    whole, twice = sums // sizes, 2 * (sums % sizes)
    return np.asarray(whole + ((twice > sizes) | ((twice == sizes) & (whole % 2 == 1))))


def _written(units: int, decimals: int) -> str:
    digits = str(abs(units)).rjust(decimals + 1, "0")
    point = len(digits) - decimals
    text = f"{digits[:point]}.{digits[point:]}" if decimals else digits
    return f"-{text}" if units < 0 else text


def _number_cell(low: int, high: int, n_numbers: int, n_missing: int, means: tuple[str, ...]) -> Cell:
    if not n_numbers:
        return cells.MISSING
    if not means:
        return cells.SUPPRESSED
    counts = (n_numbers, n_missing) if n_missing else ()
    return Cell(CellKind.SKETCH, low, high, with_missing=n_missing > 0, means=means, counts=counts)


def _n_missing(summary: GroupSummary) -> Ints:
    found = np.zeros(summary.n_groups, dtype=np.int64)
    is_missing = summary.pair_code == summary.domain.missing_code
    found[summary.pair_group[is_missing]] = summary.pair_count[is_missing]
    return found


def _counting(summary: GroupSummary) -> Dictionary:
    """Every value of a group with how many of its rows have it; one value alone as it is."""
    pairs = np.stack([summary.pair_code, summary.pair_count], axis=1).astype(np.int64)
    runs = (pairs[first:end] for first, end in pairwise(summary.starts.tolist()))
    different, cell_of_group = numbered(run.tobytes() for run in runs)
    lines = (np.frombuffer(run, dtype=np.int64).reshape(-1, 2).T.tolist() for run in different)
    return [_counted_cell(summary.domain.missing_code, *line) for line in lines], cell_of_group


def _counted_cell(missing: int, codes: list[int], counts: list[int]) -> Cell:
    if codes == [missing]:
        return cells.MISSING
    if len(codes) == 1:
        return cells.exact(codes[0])
    with_missing = codes[-1] == missing
    members = tuple(codes[:-1] if with_missing else codes)
    return Cell(
        CellKind.SKETCH, members[0], members[-1], members, with_missing=with_missing, counts=tuple(counts)
    )
