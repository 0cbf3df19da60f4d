"""Rows of each class on many lines (values, nodes, parts): as an array, or only what occurs.

An array of lines x classes is fast while it is not much larger than the rows it counts. With thousands of
classes nearly all of it would be zeros; then only what occurs is kept, and memory stays O(rows).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from kanopy.data.arrays import Amounts, Bools, Codes, Floats, Ints
from kanopy.data.counts import x_log_x
from kanopy.data.keys import count_keys, counted
from kanopy.data.value_sets import numbers_from

ARRAY_PER_ROW, _ARRAY_AT_LEAST = 16, 65_536
_FEW_CLASSES = 8  # from so many on NumPy adds in another order, and rounds otherwise


@dataclass(frozen=True, slots=True, eq=False)
class SparseCounts:
    """Lines x classes of which only what is not zero is kept; answers like an array where trees ask."""

    line: Ints  # sorted
    code: Ints  # of the class; sorted inside a line, none twice
    amount: Amounts  # above zero
    shape: tuple[int, int]  # how many lines and classes there are

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, lines: Any) -> Any:
        """One line as an array; several (a run, a mask, numbers) as counts of their own, in that order."""
        if isinstance(lines, int | np.integer):
            first, last = np.searchsorted(self.line, np.array([lines, lines + 1]))
            found = np.zeros(self.shape[1], dtype=self.amount.dtype)
            found[self.code[first:last]] = self.amount[first:last]
            return found
        if isinstance(lines, slice):
            start, stop, _ = lines.indices(self.shape[0])
            first, last = np.searchsorted(self.line, [start, stop])
            line, code, amount = (array[first:last] for array in (self.line, self.code, self.amount))
            return SparseCounts(line - start, code, amount, (stop - start, self.shape[1]))
        chosen = np.flatnonzero(lines) if np.asarray(lines).dtype == bool else np.asarray(lines)
        begin = np.searchsorted(self.line, np.arange(self.shape[0] + 1))
        n_entries = np.diff(begin)[chosen]
        entry = numbers_from(begin[:-1][chosen], n_entries)
        line = np.repeat(np.arange(len(chosen)), n_entries)
        return SparseCounts(line, self.code[entry], self.amount[entry], (len(chosen), self.shape[1]))

    def sum(self, axis: int) -> Amounts:
        """Of each class (``axis=0``), or of each line."""
        place, n_places = (self.line, self.shape[0]) if axis else (self.code, self.shape[1])
        return counted(place, n_places, self.amount)

    def max(self, axis: int) -> Amounts:
        """The largest amount of each line; 0 where it has none."""
        assert axis == 1
        largest = np.zeros(self.shape[0], dtype=self.amount.dtype)
        if len(self.line):
            starts = np.flatnonzero(np.diff(self.line, prepend=-1))
            largest[self.line[starts]] = np.maximum.reduceat(self.amount, starts)
        return largest

    def argmax(self, axis: int) -> Ints:
        """The first class of the largest amount of each line."""
        is_largest = np.flatnonzero(self.amount == self.max(axis)[self.line])[::-1]
        first = np.zeros(self.shape[0], dtype=np.int64)
        first[self.line[is_largest]] = self.code[is_largest]  # backwards, so that the first one stays
        return first


Counts = Any
"""An array of lines x classes, or ``SparseCounts``."""


def count_classes(keys: Codes, weight: Amounts | None, n_lines: int, n_classes: int) -> Counts:
    """Count keys of ``line * n_classes + class``; O(rows), or a sort where these could be very many."""
    if fits_array(n_lines * n_classes, len(keys)):
        return counted(keys, n_lines * n_classes, weight).reshape(n_lines, n_classes)
    present, amount = count_keys(keys, n_lines * n_classes, weight)
    line, code = np.divmod(present[amount > 0], n_classes)
    return SparseCounts(line, code, amount[amount > 0], (n_lines, n_classes))


def fits_array(n_counters: int, n_rows: int) -> bool:
    """Whether an array of so many counters is not out of proportion to the rows that are counted."""
    return n_counters <= ARRAY_PER_ROW * n_rows + _ARRAY_AT_LEAST


def joined(parts: Sequence[Counts]) -> Counts:
    """The lines of several counts, one after the other."""
    if not any(isinstance(part, SparseCounts) for part in parts):
        return np.concatenate(parts)
    made = [as_sparse(part) for part in parts]
    first = np.cumsum([0, *(len(part) for part in made)])
    return SparseCounts(
        np.concatenate([part.line + before for part, before in zip(made, first[:-1], strict=True)]),
        np.concatenate([part.code for part in made]),
        np.concatenate([part.amount for part in made]),
        (int(first[-1]), made[0].shape[1]),
    )


def added(*parts: SparseCounts) -> SparseCounts:
    """The entries of several counts of the same lines, none of which has two of them."""
    line, code, amount = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("line", "code", "amount")
    )
    order = np.lexsort((code, line))
    return SparseCounts(line[order], code[order], amount[order], parts[0].shape)


def as_array_where_it_fits(counts: SparseCounts, n_rows: int) -> Counts:
    """An array, where it is not out of proportion to the rows that were counted."""
    return as_array(counts) if fits_array(counts.shape[0] * counts.shape[1], n_rows) else counts


def as_array(counts: Counts) -> Amounts:
    """The same counts with their zeros."""
    if not isinstance(counts, SparseCounts):
        return np.asarray(counts)
    array = np.zeros(counts.shape, dtype=counts.amount.dtype)
    array[counts.line, counts.code] = counts.amount
    return array


def as_sparse(counts: Counts) -> SparseCounts:
    """The same counts without their zeros."""
    if isinstance(counts, SparseCounts):
        return counts
    line, code = np.nonzero(counts)
    return SparseCounts(line, code, counts[line, code], counts.shape)


def summed_entropy(counts: Counts) -> Floats:
    """Rows times class entropy in bits, for each line of class counts."""
    if isinstance(counts, SparseCounts):
        of_classes = np.bincount(counts.line, x_log_x(counts.amount), minlength=len(counts))
        return np.asarray(x_log_x(counts.sum(axis=1)) - of_classes)
    return np.asarray(x_log_x(over_classes(counts)) - over_classes(x_log_x(counts)), dtype=np.float64)


def over_classes(counts: Counts) -> Amounts:
    """The sum of each line of class counts; few columns are added one by one, which is many times faster."""
    if isinstance(counts, SparseCounts) or counts.ndim < 2 or not 0 < counts.shape[1] < _FEW_CLASSES:
        return np.asarray(counts.sum(axis=-1))
    total: Amounts = counts[:, 0].copy()
    for column in range(1, counts.shape[1]):
        total += counts[:, column]
    return total


def sums_of_runs(counts: Counts, starts: Ints) -> Counts:
    """Add up runs of lines, each from one start to the next."""
    if not isinstance(counts, SparseCounts):
        return np.asarray(np.add.reduceat(counts, starts, axis=0))
    run = np.repeat(np.arange(len(starts)), np.diff(starts, append=len(counts)))
    return sums_of_groups(counts, run, len(starts))


def sums_of_groups(counts: Counts, group: Ints, n_groups: int) -> Counts:
    """Add up the lines of each group."""
    n_classes = counts.shape[1]
    if not isinstance(counts, SparseCounts):
        if fits_array(n_groups * n_classes, counts.size):
            summed = np.zeros((n_groups, n_classes), dtype=counts.dtype)
            np.add.at(summed, group, counts)
            return summed
        counts = as_sparse(counts)
    keys = group[counts.line] * n_classes + counts.code
    present, place = np.unique(keys, return_inverse=True)
    amount = counted(place, len(present), counts.amount)
    return SparseCounts(*np.divmod(present, n_classes), amount, (n_groups, n_classes))


def only_lines(counts: Counts, is_chosen: Bools) -> Counts:
    """The same counts, but nothing on the other lines."""
    if not isinstance(counts, SparseCounts):
        return counts * is_chosen[:, None]
    entry = is_chosen[counts.line]
    return SparseCounts(counts.line[entry], counts.code[entry], counts.amount[entry], counts.shape)


def with_line(counts: Counts, line: int, amounts: Amounts) -> Counts:
    """The counts with another line in the place of one; an array is changed in place."""
    if not isinstance(counts, SparseCounts):
        counts[line] = amounts
        return counts
    code = np.flatnonzero(amounts)
    others = only_lines(counts, np.arange(len(counts)) != line)
    return added(others, SparseCounts(np.full(len(code), line), code, amounts[code], counts.shape))


def of_class(counts: Counts, classes: Ints) -> Amounts:
    """The amount of one class on each line."""
    if not isinstance(counts, SparseCounts):
        return np.asarray(counts[np.arange(len(counts)), classes])
    is_it = np.flatnonzero(counts.code == classes[counts.line])
    amounts = np.zeros(len(counts), dtype=counts.amount.dtype)
    amounts[counts.line[is_it]] = counts.amount[is_it]
    return amounts


def entropies_without(counts: Counts) -> Floats:
    """The summed entropy of all lines together but one, for each line."""
    whole = counts.sum(axis=0)
    if not isinstance(counts, SparseCounts):
        return summed_entropy(whole - counts)
    of_class = whole[counts.code]
    change = x_log_x(of_class - counts.amount) - x_log_x(of_class)
    of_classes = x_log_x(whole).sum() + np.bincount(counts.line, change, minlength=len(counts))
    return np.asarray(x_log_x(whole.sum() - counts.sum(axis=1)) - of_classes)


def entropies_beside(counts: Counts, node: Ints, first: Ints, boundaries: Ints) -> Floats:
    """The summed entropies of the lines of a node up to each boundary, and of its others.

    Lines are sorted by node; ``first`` is the first line of every node, and the end of the last. O(lines *
    classes), or a sort of what occurs.
    """
    if isinstance(counts, SparseCounts):
        return _sparse_entropies_beside(counts, node, first, boundaries)
    total = np.cumsum(counts, axis=0)
    node = node[boundaries]
    begin = first[node]
    on_left = total[boundaries] - (total[begin] - counts[begin])
    on_right = sums_between(counts, first)[node] - on_left
    return summed_entropy(on_left) + summed_entropy(on_right)


def _sparse_entropies_beside(counts: SparseCounts, node: Ints, first: Ints, boundaries: Ints) -> Floats:
    """A line changes the sums of x log x by what its classes gain on the left and lose on the right."""
    keys = node[counts.line] * counts.shape[1] + counts.code
    order = np.argsort(keys, kind="stable")
    begins = np.flatnonzero(np.diff(keys[order], prepend=-1))
    run = np.repeat(np.arange(len(begins)), np.diff(begins, append=len(order)))
    amount = counts.amount[order]
    up_to = np.cumsum(amount)
    up_to = up_to - (up_to[begins] - amount[begins])[run]
    total = np.add.reduceat(amount, begins) if len(begins) else amount
    rest = total[run] - up_to
    added = x_log_x(up_to) - x_log_x(up_to - amount)
    taken = x_log_x(rest) - x_log_x(rest + amount)
    change = np.bincount(counts.line[order], added + taken, minlength=len(counts))
    whole = np.bincount(node[counts.line[order[begins]]], x_log_x(total), minlength=len(first) - 1)
    at = node[boundaries]
    of_classes = running_sums(change, node, first)[boundaries] + whole[at]
    size = counts.sum(axis=1)
    on_left = running_sums(size, node, first)[boundaries]
    in_all = sums_between(size, first)[at]
    return np.asarray(x_log_x(on_left) + x_log_x(in_all - on_left) - of_classes)


def running_sums(amounts: Amounts, node: Ints, first: Ints) -> Amounts:
    """Amounts of lines added up from the first line of the node to each line."""
    total = np.cumsum(amounts, axis=0)
    begin = first[node]
    return np.asarray(total - (total[begin] - amounts[begin]))


def sums_between(amounts: Amounts, first: Ints) -> Amounts:
    """Add up the lines from each of ``first`` to before the next; 0 where there are none."""
    starts = first[:-1]
    has_any = starts < first[1:]
    if has_any.all() and len(starts):
        return np.asarray(np.add.reduceat(amounts, starts, axis=0))
    sums = np.zeros((len(starts), *amounts.shape[1:]), dtype=np.result_type(amounts, np.int64))
    if has_any.any():
        sums[has_any] = np.add.reduceat(amounts, starts[has_any], axis=0)
    return sums
