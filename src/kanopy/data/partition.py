"""What a method decides: rows in groups, and for every quasi-identifier and row a cell."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from kanopy.data import cell as cells
from kanopy.data.arrays import Bools, Codes, Int32s, Ints
from kanopy.data.cell import Cell, CellKind
from kanopy.data.counts import Histogram
from kanopy.data.grammar import plain_number
from kanopy.data.keys import group_rows
from kanopy.data.outward import outward
from kanopy.data.reading import Reading
from kanopy.data.table import CodedColumn, Domain, EncodedTable, Split

T = TypeVar("T")
Dictionary = tuple[list[Cell], Codes]  # the different cells of a column, and the one of each group


@dataclass(frozen=True, eq=False)
class RecodedColumn:
    """One published quasi-identifier: an ordinary dictionary-encoded column whose dictionary holds cells."""

    domain: Domain
    cells: tuple[Cell, ...]
    ids: Int32s
    """The cell of each row; rows that are not kept have any."""

    @classmethod
    def unchanged(cls, column: CodedColumn) -> RecodedColumn:
        """Every value as it is."""
        values = [cells.exact(code) for code in range(column.domain.n_values)]
        return cls(column.domain, (*values, cells.MISSING), column.codes.astype(np.int32))

    @cached_property
    def texts(self) -> list[str]:
        """The words of each cell, made once per cell and never per row."""
        return [cell.text(self.domain) for cell in self.cells]

    @cached_property
    def words(self) -> tuple[list[str], Int32s]:
        """The different texts, sorted, and which of them each cell prints.

        Cells may print alike (two groups with the same mean): as text, and so for the promise, they are one.
        """
        words = sorted(set(self.texts))
        place = {word: number for number, word in enumerate(words)}
        return words, np.array([place[text] for text in self.texts], dtype=np.int32)


@dataclass(frozen=True, eq=False)
class Recoding:
    """A method's whole answer.

    Parameters
    ----------
    columns : tuple of RecodedColumn
        In the order of the table's quasi-identifiers.
    is_kept : array of bool
        Which rows are published.
    parts : array of int, optional
        A grouping of the rows, numbered from 0, whose rows print alike; it spares comparing them one by one.
    facts : mapping
        What the method wants to be told with the release, for instance how many cells it falsified; goes
        into the manifest, so no cell values.
    target : array of int, optional
        The published class of each row as a code, where the method makes the classes up.
    model : object, optional
        What the method publishes beside the table.
    split : Split, optional
        Where equal rows are released apart: how the rows of the table are divided. The recoding, and all
        that is said above, is then of the parts and not of the rows that were given.
    reading : Reading, optional
        Where cells are sketches: how to read them.
    """

    columns: tuple[RecodedColumn, ...]
    is_kept: Bools
    parts: Int32s | None = None
    facts: Mapping[str, Any] = field(default_factory=dict)
    target: NDArray[np.unsignedinteger[Any]] | None = None
    model: Any = None
    split: Split | None = None
    reading: Reading | None = None

    @property
    def n_kept(self) -> int:
        """How many rows are published."""
        return int(self.is_kept.sum())

    def repeated(self, times: Ints) -> Recoding:
        """The recoding of a table that has each row so many times, one after the other."""
        return self.of_rows(np.repeat(np.arange(len(self.is_kept)), times))

    def of_rows(self, rows: Ints) -> Recoding:
        """The recoding of a table of these rows, each as often as it is named; O(rows * columns)."""
        return replace(
            self,
            columns=tuple(replace(column, ids=column.ids[rows]) for column in self.columns),
            is_kept=self.is_kept[rows],
            parts=None if self.parts is None else self.parts[rows],
            target=None if self.target is None else self.target[rows],
        )

    @cached_property
    def groups(self) -> tuple[Int32s, int]:
        """The group of each *kept* row, compared as text, and the number of groups.

        Groups are numbered in the order of their texts. O(rows * columns).
        """
        kept = np.flatnonzero(self.is_kept)
        if self.parts is None or not len(kept):
            return self._compared(kept)
        group_of_part, n_groups = self._compared(self.example_of_part)
        return group_of_part.take(self.parts.take(kept)), n_groups

    @cached_property
    def example_of_part(self) -> Ints:
        """A kept row of each part, 0 where it has none; O(rows)."""
        assert self.parts is not None
        kept = np.flatnonzero(self.is_kept)
        part = self.parts.take(kept)
        example = np.zeros(int(part.max(initial=-1)) + 1, dtype=np.int64)
        example[part] = kept
        return example

    def _compared(self, rows: Ints) -> tuple[Int32s, int]:
        """Number the given rows by what they print."""
        codes = [column.words[1].take(column.ids.take(rows)) for column in self.columns]
        return group_rows(codes, [len(column.words[0]) for column in self.columns], len(rows))


@dataclass(frozen=True, eq=False)
class Partition:
    """The group of every row, numbered from 0 without gaps; -1 for rows that are not published."""

    group: Int32s
    n_groups: int

    @cached_property
    def is_kept(self) -> Bools:
        return self.group >= 0

    def publish(
        self, table: EncodedTable, style: str | Style, is_shown: Bools | None = None, *, widen: bool = False
    ) -> Recoding:
        """Print every group in a style; O(rows * columns).

        Parameters
        ----------
        table : EncodedTable
        style : str or Style
            One of ``STYLES``, or a function like them.
        is_shown : array of bool, groups x columns, optional
            Where it is False, the group's cell is suppressed, whatever the style would say.
        widen : bool
            Whether ends of ranges are coded outward, to levels that are the same for all groups.
        """
        recoded, group = [], self.group.astype(np.intp)
        for number, column in enumerate(table.quasi):
            shown = None if is_shown is None else is_shown[:, number]
            summary = GroupSummary.of(column, self, table.weight)
            summary = summary.outward() if widen else summary
            dictionary, cell_of_group = cells_of_groups(summary, style, shown)
            # One more entry for rows that are dropped, also where no group is left.
            ids = np.append(cell_of_group, 0).astype(np.int32).take(group)
            recoded.append(RecodedColumn(summary.domain, tuple(dictionary), ids))
        return Recoding(tuple(recoded), self.is_kept, self.group)


class GroupSummary:
    """Which codes of one column occur in each group, and how many rows have them."""

    def __init__(self, histogram: Histogram, levels: tuple[Ints, Ints] | None = None) -> None:
        self.domain, self.n_groups = histogram.domain, histogram.n_groups
        self.n_codes_of_table = int(np.count_nonzero(histogram.totals))
        self._histogram, self._levels = histogram, levels
        self.pair_group, self.pair_code = histogram.group, histogram.value
        self.pair_count, self.starts = histogram.count, histogram.first
        last = self.pair_code[self.starts[1:] - 1]
        self.with_missing = last == self.domain.missing_code
        self.low = self.pair_code[self.starts[:-1]]
        before_last = self.pair_code[np.maximum(self.starts[1:] - 2, self.starts[:-1])]
        self.high = np.where(self.with_missing, before_last, last)
        self.only_missing = self.low == self.domain.missing_code
        self.n_codes_present = np.diff(self.starts)

    @classmethod
    def of(cls, column: CodedColumn, partition: Partition, weight: Ints | None = None) -> GroupSummary:
        """Count the codes of a column in each group; O(rows), or a sort where groups are very many."""
        group = partition.group
        if not partition.is_kept.all():
            kept = np.flatnonzero(partition.is_kept)
            group, weight = group.take(kept), None if weight is None else weight.take(kept)
            return cls(Histogram.of(column.take(kept), group, partition.n_groups, column.totals, weight))
        return cls(Histogram.of(column, group, partition.n_groups, column.totals, weight))

    def of_groups(self, groups: Ints) -> GroupSummary:
        """The same of some groups, given in order, alone."""
        return GroupSummary(self._histogram.of_groups(groups), self._levels)

    def outward(self) -> GroupSummary:
        """The same, but ends of ranges lie on levels, which the domain then has besides its values.

        O(entries + values log values). PRIVACY: a level follows from the end and from what all values of
        the column span, or levels would tell about groups (tests/unit/data/test_outward.py).
        """
        levels = outward(self.domain)
        if levels is None:
            return self
        histogram, totals = self._histogram, np.zeros(levels.domain.n_codes, dtype=np.int64)
        totals[levels.place] = histogram.totals
        value = levels.place[histogram.value]
        moved = replace(histogram, domain=levels.domain, value=value, totals=totals)
        return GroupSummary(moved, (levels.low, levels.high))

    @property
    def ends(self) -> tuple[Ints, Ints]:
        """The first and the last code of the range of each group; where it has no value, that of missing."""
        if self._levels is None:
            return self.low, self.high
        return self._levels[0][self.low], self._levels[1][self.high]

    def codes_of(self, group: int) -> list[int]:
        """The codes that occur in a group, in order."""
        codes: list[int] = self.pair_code[self.starts[group] : self.starts[group + 1]].tolist()
        return codes

    def means(self) -> list[str]:
        """Each group's mean over its numbers, rounded to the precision of the column."""
        assert self.domain.numbers is not None
        is_number = self.pair_code != self.domain.missing_code
        group, code, count = self.pair_group[is_number], self.pair_code[is_number], self.pair_count[is_number]
        n_numbers = np.maximum(np.bincount(group, weights=count, minlength=self.n_groups), 1)
        # Divided before adding: a sum of large floats may not fit into a float. Added in the order of the
        # values, not of the rows, in which the last digit would depend on who comes first.
        shares = self.domain.numbers[code] * (count / n_numbers[group])
        means = np.bincount(group, weights=shares, minlength=self.n_groups)
        # PRIVACY: a full float times the group size would be the sum (tests/unit/data/test_partition.py).
        return [plain_number(mean, self.domain.decimals) for mean in means.tolist()]


def suppressing(summary: GroupSummary) -> Dictionary:
    """What is the same in the whole group stays, everything else is suppressed."""
    keys = np.where(summary.n_codes_present == 1, summary.low, -1)
    return _dictionary(
        keys, lambda key, _: cells.SUPPRESSED if key < 0 else _members_cell(summary.domain, [key])
    )


def ranging(summary: GroupSummary) -> Dictionary:
    """Numbers as ranges, values with a hierarchy as its smallest common node, all others as sets."""
    domain = summary.domain
    if not domain.is_numeric and domain.hierarchy is None:
        dictionary, cell_of_group = listing(summary)
        for number, cell in enumerate(dictionary):  # a set of all that the table has says nothing
            if len(cell.members) + cell.with_missing == summary.n_codes_of_table > 1:
                dictionary[number] = cells.SUPPRESSED
        return dictionary, cell_of_group
    low, high = summary.ends
    keys = (low * domain.n_codes + np.maximum(high, 0)) * 2 + summary.with_missing
    return _dictionary(keys, lambda _, group: _covering_cell(summary, low[group], high[group], group))


def listing(summary: GroupSummary) -> Dictionary:
    """Every column as the set of the values in the group (Shao and Beckford, set generalization)."""
    if summary.domain.n_codes <= 64 and summary.n_groups:
        bits = np.left_shift(np.uint64(1), summary.pair_code.astype(np.uint64))
        sets = np.bitwise_or.reduceat(bits, summary.starts[:-1])
        return _dictionary(sets, lambda _, group: _members_cell(summary.domain, summary.codes_of(group)))
    runs = (summary.pair_code[first:end] for first, end in pairwise(summary.starts.tolist()))
    different, cell_of_group = numbered(codes.tobytes() for codes in runs)
    codes_of_sets = (np.frombuffer(codes, dtype=summary.pair_code.dtype) for codes in different)
    return [_members_cell(summary.domain, codes.tolist()) for codes in codes_of_sets], cell_of_group


def averaging(summary: GroupSummary) -> Dictionary:
    """Numbers as their group's rounded mean, all else, dates too, as in ``ranging``."""
    if not summary.domain.is_numeric or not summary.domain.scale.has_means:
        return ranging(summary)
    ends = zip(summary.low.tolist(), summary.high.tolist(), summary.with_missing.tolist(), strict=True)
    return numbered(
        cells.MISSING
        if low == summary.domain.missing_code
        else Cell(CellKind.MEAN, low, high, with_missing=with_missing, printed=mean)
        for (low, high, with_missing), mean in zip(ends, summary.means(), strict=True)
    )


Style = Callable[[GroupSummary], Dictionary]  # decides the cells of one column, group by group
STYLES: dict[str, Style] = {"range": ranging, "members": listing, "mean": averaging, "suppress": suppressing}


def cells_of_groups(summary: GroupSummary, style: str | Style, is_shown: Bools | None = None) -> Dictionary:
    """The cells of one column in a style, suppressed in groups where it is not shown."""
    build = STYLES[style] if isinstance(style, str) else style
    if is_shown is None or is_shown.all():
        return build(summary)
    shown = np.flatnonzero(is_shown)
    dictionary, cell_of_shown = build(summary.of_groups(shown))
    cell_of_group = np.full(summary.n_groups, len(dictionary))
    cell_of_group[shown] = cell_of_shown
    return [*dictionary, cells.SUPPRESSED], cell_of_group


def _dictionary(keys: Codes, make: Callable[[int, int], Cell]) -> Dictionary:
    """One cell per different key, made from the key and one group that has it."""
    different, example, cell_of_group = np.unique(keys, return_index=True, return_inverse=True)
    made = [make(key, group) for key, group in zip(different.tolist(), example.tolist(), strict=True)]
    return made, cell_of_group


def numbered(things: Iterable[T]) -> tuple[list[T], Int32s]:
    """The different ones, in the order in which they occur first, and which of them each one is."""
    place: dict[T, int] = {}
    numbers = [place.setdefault(thing, len(place)) for thing in things]
    return list(place), np.array(numbers, dtype=np.int32)


def _covering_cell(summary: GroupSummary, low: int, high: int, group: int) -> Cell:
    """The range, or the smallest node of the hierarchy, that covers the values of a group."""
    if summary.only_missing[group]:
        return cells.MISSING
    with_missing = bool(summary.with_missing[group])
    hierarchy = summary.domain.hierarchy
    if hierarchy is None:
        return cells.span(int(low), int(high), with_missing=with_missing)
    number = hierarchy.common_node(np.array([low]), np.array([high]))
    return cells.node(summary.domain, int(number[0]), with_missing=with_missing)


def _members_cell(domain: Domain, codes: list[int]) -> Cell:
    if codes == [domain.missing_code]:
        return cells.MISSING
    with_missing = codes[-1] == domain.missing_code
    return cells.members(tuple(codes[:-1] if with_missing else codes), with_missing=with_missing)
