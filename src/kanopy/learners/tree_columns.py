"""Columns of cells as a tree counts them: read from a table, with sets as values of their own, or mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.data.grammar import SUPPRESSED_TEXT, write_member, write_range, write_set
from kanopy.data.keys import group_rows, narrowest_unsigned
from kanopy.data.value_sets import ValueSets, numbers_from
from kanopy.errors import PolicyError, near_name
from kanopy.learners.cells import CellColumn, CellTable
from kanopy.learners.original_counts import is_statistics, original_counts
from kanopy.policy import normal_name, shown_name
from kanopy.trees.splits import BranchShares

Members = Literal["frequency", "uniform"]
"""How a cell counts for the values it may stand for: as often as each occurs in the node, or alike."""

Unknown = Literal["known_share", "members"]
"""How a cell that may be anything counts: it stands aside, or for every value that the node's others name."""

Partition = Literal["fractional", "random", "highest_frequency", "original_distribution"]
"""How a row with a generalized cell goes on: in parts, or as one value, found in one of three ways."""

Distributions = Mapping[str, Mapping[Any, Any]]
"""Column to value to count, or the value statistics of a manifest."""

OwnSets = dict[bytes, int]
"""The branch of each set of values that has one for itself; the set is given by the bytes of its members."""


@dataclass(frozen=True, eq=False)
class TreeColumn:
    """One column: the values it can be split by, and for every cell those it may stand for."""

    domain: Domain  # the values; of thresholds, where it is numeric
    ids: NDArray[np.int32]  # the cell of every row
    sets: ValueSets  # a missing or suppressed cell has no values, which means any
    frequency: Floats  # of each value, as given or with every cell shared equally among its values
    width: Floats  # of each value: 1; more where it stands for several that no cell tells apart

    @classmethod
    def of(
        cls, column: CellColumn, *, as_categories: bool = False, weight: Floats | None = None
    ) -> TreeColumn:
        """Read a column, of which each row counts as much as it weighs; O(rows + members)."""
        domain = Domain(column.name, column.values, None if as_categories else column.numbers)
        n_members = np.where(column.is_known, column.sizes, 0)
        members = column.members[numbers_from(column.first[:-1], n_members)]
        return cls.over(domain, column.ids, n_members, members, weight)

    @classmethod
    def over(
        cls,
        domain: Domain,
        ids: NDArray[np.int32],
        n_members: Ints,
        members: Ints,
        weight: Floats | None = None,
    ) -> TreeColumn:
        """Of cells with so many members each, which follow one another."""
        sets = ValueSets.of_members(domain.n_values, n_members, members, n_members == 0)
        n_rows = np.bincount(ids, weight, minlength=len(n_members))
        share = np.repeat(n_rows / np.maximum(n_members, 1), n_members)
        # Rounded: what is equally frequent must come out equal, in whatever order it is added up.
        frequency = np.bincount(members, share, minlength=domain.n_values).round(9).astype(np.float64)
        return cls(domain, ids, sets, frequency, np.ones(domain.n_values))

    @property
    def n_cells(self) -> int:
        return self.sets.n_cells

    @cached_property
    def n_members(self) -> Ints:
        return self.sets.sizes

    @cached_property
    def members(self) -> Ints:
        """The values of the first cell, then those of the second, and so on."""
        return self.sets.members

    @cached_property
    def first(self) -> Ints:
        """Where the members of each cell begin, and the end of the last."""
        return np.concatenate([[0], np.cumsum(self.n_members)])

    @cached_property
    def breadth(self) -> Floats:
        """How many values of the table each cell may stand for; O(members)."""
        owner = np.repeat(np.arange(self.n_cells), self.n_members)
        return np.bincount(owner, self.width[self.members], minlength=self.n_cells).astype(np.float64)

    @property
    def is_unknown(self) -> Bools:
        """Per cell: may it be anything?"""
        return np.asarray(self.n_members == 0)

    @property
    def is_plain(self) -> bool:
        """Whether every cell is a value or unknown."""
        return bool(self.n_members.max(initial=0) <= 1)

    def members_of(self, cells: Ints) -> tuple[Ints, Ints]:
        """The members of the given cells, one cell after the other: which cell, by its place, and which."""
        n_members = self.n_members[cells]
        place = np.repeat(np.arange(len(cells)), n_members)
        return place, self.members[numbers_from(self.first[cells], n_members)]

    def runs_of(self, cells: Ints) -> tuple[Ints, Ints, Ints]:
        """The runs of the given cells: which cell, by its place; first and last value."""
        first = self.sets.first
        n_runs = np.diff(first)[cells]
        run = numbers_from(first[cells], n_runs)
        return np.repeat(np.arange(len(cells)), n_runs), self.sets.begin[run], self.sets.end[run]

    def codes(self) -> Ints:
        """The value of every row of a plain column; the missing code where it is unknown."""
        code = np.full(self.n_cells, self.domain.missing_code)
        code[self.n_members == 1] = self.members
        return code[self.ids]

    def at_rows(self, rows: Ints) -> TreeColumn:
        """The same cells and frequencies for some of the rows."""
        return replace(self, ids=self.ids[rows])


def with_alike_as_one(column: TreeColumn) -> tuple[TreeColumn, Ints]:
    """Values that no cell tells apart become one; and for every value the one that it became. O(members).

    So the cells of a global recoding are values, and a raw value goes where the cell goes that it is under.
    Thresholds need no such thing: none lies between numbers that no cell tells apart.
    """
    domain = column.domain
    cell = np.repeat(np.arange(column.n_cells), column.n_members)
    kind = kinds_of_values(cell, column.members, domain.n_values)
    n_kinds = int(kind.max(initial=-1)) + 1
    if domain.is_numeric or n_kinds == domain.n_values:
        return column, np.arange(domain.n_values)
    width = np.bincount(kind, minlength=n_kinds)
    together = np.split(np.argsort(kind, kind="stable"), np.cumsum(width)[:-1])
    labels = tuple(
        domain.labels[values[0]] if len(values) == 1 else _label(values, domain) for values in together
    )
    owner, member = np.divmod(np.unique(cell * n_kinds + kind[column.members]), n_kinds)
    n_members = np.bincount(owner, minlength=column.n_cells)
    merged = TreeColumn.over(Domain(domain.name, labels), column.ids, n_members, member)
    frequency = np.bincount(kind, column.frequency, minlength=n_kinds).astype(np.float64)
    return replace(merged, frequency=frequency, width=width.astype(np.float64)), kind


def all_with_alike_as_one(columns: Sequence[TreeColumn]) -> tuple[tuple[TreeColumn, ...], list[Ints]]:
    """The same for every column: the columns, and what the values of each became."""
    merged = [with_alike_as_one(column) for column in columns]
    return tuple(column for column, _ in merged), [kind for _, kind in merged]


def kinds_of_values(cell: Ints, value: Ints, n_values: int) -> Ints:
    """Which values stand in the very same cells: the number of its kind for each, in the order of the values.

    ``cell[i]`` may stand for ``value[i]``; cells ascend. O(n log n).
    """
    ends = np.cumsum(np.bincount(value, minlength=n_values))
    cells_of_value = np.split(cell[np.argsort(value, kind="stable")], ends[:-1]) if n_values else []
    number: dict[bytes, int] = {}
    return np.array(
        [number.setdefault(cells.tobytes(), len(number)) for cells in cells_of_value], dtype=np.int64
    )


def distinct_rows(
    columns: Sequence[TreeColumn], target: Ints, n_classes: int, weight: Floats
) -> tuple[Ints, Floats]:
    """The first row of each kind, in the order of the table, and what all weigh; O(rows * columns)."""
    sizes = [*(column.n_cells for column in columns), n_classes]
    group, n_groups = group_rows([*(column.ids for column in columns), target], sizes, len(target))
    example = np.zeros(n_groups, dtype=np.int64)
    example[group[::-1]] = np.arange(len(target))[::-1]
    order = np.argsort(example)
    return example[order], np.bincount(group, weight, minlength=n_groups).astype(np.float64)[order]


def read_columns(
    table: CellTable,
    distributions: Distributions | None,
    *,
    as_categories: bool,
    weight: Floats | None = None,
) -> tuple[TreeColumn, ...]:
    """The columns, with the frequencies that are given for some of them."""
    given = {normal_name(name): counts for name, counts in (distributions or {}).items()}
    for name in given:
        if name not in table.names:
            hint = near_name(name, table.names) or "distributions are given by column"
            raise PolicyError(f"there is no column {shown_name(name)} for its distribution", hint)
    columns = []
    for column in table.columns:
        read = TreeColumn.of(column, as_categories=as_categories, weight=weight)
        if column.name in given:
            read = replace(read, frequency=_given_frequencies(column, given[column.name]))
        columns.append(read)
    return tuple(columns)


def _given_frequencies(column: CellColumn, counts: Mapping[Any, Any]) -> Floats:
    """For every value how often it occurs; values that are not named never do, or share what is left of
    published statistics."""
    if is_statistics(counts):
        return original_counts(column, counts)[:-1]
    values: Sequence[Any] = column.values if column.numbers is None else column.numbers.tolist()
    place = {value: code for code, value in enumerate(values)}
    try:
        amounts = np.array([float(amount) for amount in counts.values()])
        named = [_named(column, value) for value in counts]
        if not np.all(np.isfinite(amounts) & (amounts >= 0)):
            raise ValueError
    except (TypeError, ValueError):
        raise PolicyError(
            f"the distribution of {shown_name(column.name)} cannot be used",
            "give each value its count, 0 or more",
        ) from None
    codes = np.array([place.get(value, len(place)) for value in named], dtype=np.int64)
    return np.bincount(codes, amounts, minlength=len(place) + 1)[:-1].astype(np.float64)


def _named(column: CellColumn, value: Any) -> Any:
    """A value as the keys of a distribution name it: a text, or where it lies among numbers."""
    if column.numbers is None:
        return str(value)
    on_scale = column.scale is not None and not column.scale.has_means
    return column.scale.number(str(value)) if on_scale and column.scale is not None else float(value)


def mapped(
    column: TreeColumn, partition: Partition, members: Members, rng: np.random.Generator
) -> TreeColumn:
    """Every generalized cell as one of its values, found once for every row; O(rows + members).

    Where rows would be shared among branches, the value is drawn by the shares.
    """
    if column.is_plain:
        return column
    domain = column.domain
    cell = np.repeat(np.arange(column.n_cells), column.n_members)
    is_uniform = partition == "random" or (partition == "fractional" and members == "uniform")
    amount = np.ones(len(cell)) if is_uniform else column.frequency[column.members]
    find = BranchShares.of_highest if partition == "highest_frequency" else BranchShares.of
    shares = find(cell, column.members, amount, column.n_cells)
    codes = np.full(len(column.ids), domain.missing_code, dtype=np.int32)
    known = np.flatnonzero(~column.is_unknown[column.ids])
    codes[known] = shares.drawn(column.ids[known], rng)
    return replace(_of_values(domain, codes), frequency=column.frequency)


def _of_values(domain: Domain, codes: NDArray[np.int32], weight: Floats | None = None) -> TreeColumn:
    """A cell for every value, and an unknown one for the missing code."""
    n_members = np.append(np.ones(domain.n_values, dtype=np.int64), 0)
    return TreeColumn.over(domain, codes, n_members, np.arange(domain.n_values), weight)


def with_own_values(
    column: TreeColumn, unknown: Unknown, weight: Floats | None = None
) -> tuple[TreeColumn, OwnSets]:
    """Every generalized cell as one more value, and missing and suppressed ones as another if asked for.

    A column of numbers becomes one of categories where it has such cells. O(rows + members).
    """
    has_unknown = bool(column.is_unknown.any()) and unknown != "known_share"
    if column.is_plain and not has_unknown:
        return column, {}
    domain = column.domain
    labels, own_sets = list(domain.labels), dict[bytes, int]()
    code = np.full(column.n_cells, -1)
    exact = np.flatnonzero(column.n_members == 1)
    code[exact] = column.members[column.first[exact]]
    for cell in np.flatnonzero(column.n_members != 1).tolist():
        members = column.members[column.first[cell] : column.first[cell + 1]]
        if not len(members) and not has_unknown:
            continue
        key = members.tobytes()
        if key not in own_sets:
            own_sets[key] = len(labels)
            labels.append(_label(members, domain))
        code[cell] = own_sets[key]
    code[code < 0] = len(labels)
    codes = code[column.ids].astype(np.int32)
    return _of_values(Domain(domain.name, tuple(labels)), codes, weight), own_sets


def _label(members: Ints, domain: Domain) -> str:
    """A set as it would be published."""
    if not len(members):
        return SUPPRESSED_TEXT
    texts = [domain.labels[member] for member in members.tolist()]
    if domain.is_numeric and members[-1] - members[0] == len(members) - 1:
        return write_range(texts[0], texts[-1])
    return write_set([write_member(text) for text in texts])


def encoded(columns: Sequence[TreeColumn], target: Ints, labels: Sequence[str]) -> EncodedTable:
    """Plain columns as a table of codes, missing where a cell is unknown; O(rows * columns)."""
    quasi = tuple(_coded(column.domain, column.codes()) for column in columns)
    return EncodedTable(len(target), quasi, _coded(Domain("class", tuple(labels)), target))


def _coded(domain: Domain, codes: Ints) -> CodedColumn:
    return CodedColumn(domain, codes.astype(narrowest_unsigned(domain.n_codes)))
