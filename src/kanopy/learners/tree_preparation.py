"""Columns made ready for a tree: told frequencies, cells as values of their own, cells mapped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.data.grammar import SUPPRESSED_TEXT, write_member, write_range, write_set
from kanopy.data.keys import narrowest_unsigned
from kanopy.errors import PolicyError, near_name
from kanopy.learners.cells import CellColumn, CellTable
from kanopy.learners.tree_columns import TreeColumn
from kanopy.learners.tree_shares import FRACTIONAL, HIGHEST_FREQUENCY, RANDOM, Shares
from kanopy.learners.tree_slots import KNOWN_SHARE, UNIFORM
from kanopy.policy import normal_name, shown_name

Ints = NDArray[np.int64]

OwnSets = dict[bytes, int]
"""The branch of each set of values that has one for itself; the set is given by the bytes of its members."""

UNKNOWN_SET = b""
"""Missing and suppressed cells among the sets."""


def read_columns(
    table: CellTable,
    distributions: Mapping[str, Mapping[Any, float]] | None,
    *,
    as_categories: bool,
) -> tuple[TreeColumn, ...]:
    """The columns, with the frequencies that someone told.

    Raises
    ------
    PolicyError
        Where frequencies are told of a column that is not there, or are not numbers from 0 on.
    """
    told = {normal_name(name): counts for name, counts in (distributions or {}).items()}
    for name in told:
        if name not in table.names:
            hint = near_name(name, table.names) or "distributions are given by column"
            raise PolicyError(f"there is no column {shown_name(name)} for its distribution", hint)
    columns = []
    for column in table.columns:
        read = TreeColumn.of(column, as_categories=as_categories)
        if column.name in told:
            read = replace(read, frequency=_told_frequencies(column, told[column.name]))
        columns.append(read)
    return tuple(columns)


def _told_frequencies(column: CellColumn, counts: Mapping[Any, float]) -> NDArray[np.float64]:
    """For every value how often it occurs; values that are not named never do."""
    try:
        amounts = np.array([float(amount) for amount in counts.values()])
        if column.numbers is None:
            named: list[Any] = [str(value) for value in counts]
            place: dict[Any, int] = {value: code for code, value in enumerate(column.values)}
        else:
            named = [float(value) for value in counts]
            place = {number: code for code, number in enumerate(column.numbers.tolist())}
        if not np.all(np.isfinite(amounts) & (amounts >= 0)):
            raise ValueError
    except (TypeError, ValueError):
        raise PolicyError(
            f"the distribution of {shown_name(column.name)} cannot be used",
            "give each value its count, 0 or more",
        ) from None
    codes = np.array([place.get(value, len(place)) for value in named], dtype=np.int64)
    return np.bincount(codes, amounts, minlength=len(place) + 1)[:-1].astype(np.float64)


def mapped(column: TreeColumn, partition: str, members: str, rng: np.random.Generator) -> TreeColumn:
    """Every generalized cell as one of its values, found once for every row; O(rows + members).

    Where rows would be shared among branches, the value is drawn by the shares.
    """
    if column.is_plain:
        return column
    cell = np.repeat(np.arange(column.n_cells), column.n_members)
    is_uniform = partition == RANDOM or (partition == FRACTIONAL and members == UNIFORM)
    amount = np.ones(len(cell)) if is_uniform else column.frequency[column.members]
    find = Shares.of_highest if partition == HIGHEST_FREQUENCY else Shares.of
    shares = find(cell, column.members, amount, column.n_cells)
    codes = np.full(len(column.ids), column.domain.missing_code)
    known = np.flatnonzero(~column.is_unknown[column.ids])
    codes[known] = shares.drawn(column.ids[known], rng)
    return column.mapped(codes)


def with_own_values(column: TreeColumn, unknown: str) -> tuple[TreeColumn, OwnSets]:
    """Every generalized cell as one more value, and missing and suppressed ones as another if asked for.

    A column of numbers becomes one of categories where it has such cells. O(rows + members); cells of the
    same members are the same value.
    """
    has_unknown = bool(column.is_unknown.any()) and unknown != KNOWN_SHARE
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
    extended = Domain(domain.name, tuple(labels))
    n_members = np.append(np.ones(len(labels), dtype=np.int64), 0)
    ids = code[column.ids].astype(np.int32)
    return TreeColumn.over(extended, ids, n_members, np.arange(len(labels))), own_sets


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
    quasi = tuple(
        CodedColumn(column.domain, column.codes().astype(narrowest_unsigned(column.domain.n_codes)))
        for column in columns
    )
    classes = Domain("class", tuple(labels))
    return EncodedTable(
        len(target), quasi, CodedColumn(classes, target.astype(narrowest_unsigned(classes.n_codes)))
    )
