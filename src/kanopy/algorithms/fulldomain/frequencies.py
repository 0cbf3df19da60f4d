"""How many rows each combination of generalized values has: counted once, then rolled up from level to level.

Rows are counted once, as different combinations of all that a promise looks at. The counts of a coarser node
are made from those of a finer one, and never from rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import prod

import numpy as np

from kanopy.algorithms.fulldomain.levels import ColumnLevels
from kanopy.data import CodedColumn, EncodedTable, GroupCounts
from kanopy.data.arrays import Bools, Codes, Int32s, Ints
from kanopy.data.keys import begins_run, counted, group_rows

Node = tuple[int, ...]
"""A level for every quasi-identifier."""
_DENSE, _DENSE_ANYWAY = 4, 4096
"""Up to so many possible entries for each one that there is, or in all, each has a counter."""
_WORTH_MERGING = 0.8


@dataclass(frozen=True, eq=False)
class Frequencies:
    """The entries of a node: different combinations of generalized values and of whatever else is counted.

    Parameters
    ----------
    levels : tuple of ColumnLevels
    node : tuple of int
    numbers : tuple of arrays of int
        For every quasi-identifier the number of each entry on its level.
    others : tuple of CodedColumn
        What else tells entries apart: confidential columns, the class.
    weight : array of int
        How many rows each entry stands for.
    persons : array of int or None
        The person behind each entry, numbered from 1; 0 is nobody.
    totals : mapping of str to array of int, or None
        Where these are some entries of a larger table: its ``EncodedTable.totals``.
    is_merged : bool
        Whether no two entries agree.
    is_single : bool
        Whether every entry is one row.
    """

    levels: tuple[ColumnLevels, ...]
    node: Node
    numbers: tuple[Ints, ...]
    others: tuple[CodedColumn, ...]
    weight: Ints
    persons: Ints | None = None
    totals: Mapping[str, Ints] | None = None
    is_merged: bool = True
    is_single: bool = False

    @property
    def n_rows(self) -> int:
        """How many rows the entries stand for."""
        return int(self.weight.sum())

    @property
    def n_entries(self) -> int:
        """How many entries there are."""
        return len(self.weight)

    @classmethod
    def of(
        cls, table: EncodedTable, levels: tuple[ColumnLevels, ...], others: Sequence[CodedColumn], node: Node
    ) -> tuple[Frequencies, Int32s]:
        """Count the rows of a table at a node; also tells the entry of each row. O(rows * columns)."""
        columns = zip(levels, node, table.quasi, strict=True)
        numbers = tuple(each.number(level, column.codes) for each, level, column in columns)
        weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
        persons = None if table.persons is None else table.persons.astype(np.int64) + 1
        return cls(levels, node, numbers, tuple(others), weight, persons)._merged()

    @classmethod
    def finest(
        cls, table: EncodedTable, levels: tuple[ColumnLevels, ...], others: Sequence[CodedColumn]
    ) -> Frequencies:
        """The rows of a table as they are; those that stand side by side and agree are one entry, where this
        spares many. O(rows * columns)."""
        columns: list[Codes] = [*(column.codes for column in (*table.quasi, *others))]
        columns += [] if table.persons is None else [table.persons]
        first = np.flatnonzero(begins_run(columns, table.n_rows))
        is_merged = len(first) < _WORTH_MERGING * table.n_rows
        rows = first if is_merged else np.arange(table.n_rows)
        weight = np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
        weight = np.add.reduceat(weight, first) if is_merged else weight
        persons = None if table.persons is None else table.persons[rows].astype(np.int64) + 1
        chosen = [column.take(rows) if is_merged else column for column in (*table.quasi, *others)]
        quasi, rest = chosen[: len(levels)], chosen[len(levels) :]
        numbers = tuple(each.number(0, column.codes) for each, column in zip(levels, quasi, strict=True))
        is_single = table.weight is None and not is_merged
        return cls(levels, (0,) * len(levels), numbers, tuple(rest), weight, persons, None, False, is_single)

    def rolled_up(self, node: Node) -> Frequencies:
        """The same at a node that is nowhere below this one; O(entries * columns)."""
        sizes = [int(each.sizes[level]) for each, level in zip(self.levels, node, strict=True)]
        sizes += [column.domain.n_codes for column in self.others]
        sizes += [] if self.persons is None else [int(self.persons.max(initial=0)) + 1]
        if prod(sizes) <= _DENSE * self.n_entries + _DENSE_ANYWAY:
            return self._counted_densely(node, sizes)
        numbers = []
        for each, number, low, high in zip(self.levels, self.numbers, self.node, node, strict=True):
            numbers.append(number if low == high else each.step(low, high).take(number))
        return Frequencies(
            self.levels, node, tuple(numbers), self.others, self.weight, self.persons
        )._merged()[0]

    def under(self, levels: tuple[ColumnLevels, ...], node: Node, changed: Sequence[Ints]) -> Frequencies:
        """The same at a node of other levels, given what each number becomes there; O(entries * columns)."""
        numbers = tuple(of.take(number) for of, number in zip(changed, self.numbers, strict=True))
        return Frequencies(levels, node, numbers, self.others, self.weight, self.persons)._merged()[0]

    def _counted_densely(self, node: Node, sizes: Sequence[int]) -> Frequencies:
        """One counter for every possible entry: keys are numbers in mixed radix, and say what is counted."""
        n_keys = prod(sizes)
        keys: Codes = np.zeros(self.n_entries, dtype=np.int32 if n_keys < 2**31 else np.int64)
        n_inner, place = n_keys, 0
        for each, number, low, high in zip(self.levels, self.numbers, self.node, node, strict=True):
            n_inner //= sizes[place]
            if sizes[place] > 1:
                keys += (n_inner * each.step(low, high)).astype(keys.dtype).take(number)
            place += 1
        for codes in (*(column.codes for column in self.others), self.persons):
            if codes is not None:
                n_inner //= sizes[place]
                keys += codes.astype(keys.dtype) * keys.dtype.type(n_inner)
                place += 1
        rows = np.asarray(counted(keys, n_keys, None if self.is_single else self.weight))
        present = np.flatnonzero(rows)
        *digits, persons = _digits(present, [*sizes, *([1] if self.persons is None else [])])
        others = tuple(
            CodedColumn(column.domain, codes.astype(column.codes.dtype))
            for column, codes in zip(self.others, digits[len(node) :], strict=True)
        )
        return Frequencies(
            self.levels,
            node,
            tuple(digits[: len(node)]),
            others,
            rows[present],
            None if self.persons is None else persons,
        )

    def at(self, node: Node, entries: Ints) -> Frequencies:
        """Some of the entries at a coarser node, one by one; O(entries * columns)."""
        numbers = tuple(
            each.step(low, high).take(number.take(entries))
            for each, number, low, high in zip(self.levels, self.numbers, self.node, node, strict=True)
        )
        others = tuple(column.take(entries) for column in self.others)
        persons = None if self.persons is None else self.persons.take(entries)
        weight, totals = self.weight.take(entries), self._entries.totals
        return Frequencies(self.levels, node, numbers, others, weight, persons, totals, is_merged=False)

    def _merged(self) -> tuple[Frequencies, Int32s]:
        """Entries that agree become one; also tells which each one becomes."""
        columns = [*self.numbers, *(column.codes for column in self.others)]
        sizes = [*self.sizes, *(column.domain.n_codes for column in self.others)]
        if self.persons is not None:
            columns.append(self.persons)
            sizes.append(int(self.persons.max(initial=0)) + 1)
        differ = [place for place, size in enumerate(sizes) if size > 1]
        entry, n_entries = group_rows(
            [columns[place] for place in differ], [sizes[place] for place in differ], self.n_entries
        )
        weight = np.asarray(counted(entry, n_entries, self.weight))
        example = np.zeros(n_entries, dtype=np.int64)
        example[entry] = np.arange(self.n_entries)
        numbers = tuple(number.take(example) for number in self.numbers)
        others = tuple(column.take(example) for column in self.others)
        persons = None if self.persons is None else self.persons.take(example)
        return Frequencies(self.levels, self.node, numbers, others, weight, persons), entry

    @property
    def sizes(self) -> list[int]:
        """How many numbers each quasi-identifier has on its level."""
        return [int(each.sizes[level]) for each, level in zip(self.levels, self.node, strict=True)]

    @property
    def are_groups(self) -> bool:
        """Whether every entry is a group of its own: only quasi-identifiers tell entries apart."""
        return self.is_merged and not self.others and self.persons is None

    def groups(self, columns: Iterable[int] | None = None) -> tuple[Int32s, int]:
        """The group of each entry over some columns (all, where none are named), and how many there are."""
        chosen = range(len(self.numbers)) if columns is None else list(columns)
        if self.are_groups and len(chosen) == len(self.numbers):
            return np.arange(self.n_entries, dtype=np.int32), self.n_entries
        sizes = self.sizes
        return group_rows([self.numbers[c] for c in chosen], [sizes[c] for c in chosen], self.n_entries)

    def suppressed_groups(self, columns: Sequence[int], is_out: Bools) -> tuple[Int32s, int]:
        """The same where some entries print ``*`` in every column, as values on the last level do anyway."""
        numbers, sizes = [], []
        for c in columns:
            is_top = self.node[c] == self.levels[c].height
            n_numbers = int(self.levels[c].sizes[self.node[c]])
            numbers.append(self.numbers[c] if is_top else np.where(is_out, n_numbers, self.numbers[c]))
            sizes.append(n_numbers + 1)
        return group_rows(numbers, sizes, self.n_entries)

    @cached_property
    def _entries(self) -> EncodedTable:
        """The entries as rows of a table, whose confidential columns are those that are counted."""
        confidential = {column.domain.name: column for column in self.others}
        weight = self.weight if self.persons is None else None  # persons are counted, and not rows
        persons = None if self.persons is None else (self.persons - 1).astype(np.int32)
        return EncodedTable(
            self.n_entries, (), None, confidential, persons, weight=weight, of_whole=self.totals
        )

    def counts(self, groups: Int32s, n_groups: int, kept: Ints | None = None) -> GroupCounts:
        """Count groups of all or of some entries, and compare them with the whole table; O(entries)."""
        if kept is None and self.are_groups:
            return GroupCounts(np.asarray(counted(groups, n_groups, self.weight)))
        rows = slice(None) if kept is None else kept
        return GroupCounts.of(self._entries, groups[rows], n_groups, rows)

    def counts_published(self, groups: Int32s, n_groups: int) -> GroupCounts:
        """Count groups of the entries that are published, and compare them with these; others have -1."""
        return GroupCounts.of_published(self._entries, groups, n_groups)


def _digits(keys: Ints, sizes: Sequence[int]) -> list[Ints]:
    """Keys in mixed radix, digit by digit, the first one leading; O(keys * digits)."""
    found = []
    for size in reversed(sizes):
        if size > 1:
            keys, digit = np.divmod(keys, size)
        else:
            digit = np.zeros(len(keys), dtype=np.int64)
        found.append(digit)
    return found[::-1]
