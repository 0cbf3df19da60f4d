"""Small encoded tables, groups and recodings, built from plain Python values."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from kanopy.data import (
    Cell,
    CellKind,
    CodedColumn,
    Domain,
    EncodedTable,
    Hierarchy,
    Partition,
    RecodedColumn,
    Recoding,
)
from kanopy.utility import certainty_penalties

Value = str | float | None


def column_of(name: str, values: Sequence[Value], hierarchy: Hierarchy | None = None) -> CodedColumn:
    """Encode values; numbers make a numeric column, None is missing."""
    present = {value for value in values if value is not None}
    if hierarchy is not None:
        ordered: list[Value] = list(hierarchy.leaves)
    else:
        ordered = sorted(present)
    is_numeric = hierarchy is None and bool(present) and not any(isinstance(value, str) for value in present)
    numbers = np.array(ordered, dtype=np.float64) if is_numeric else None
    domain = Domain(name, tuple(str(value) for value in ordered), numbers, hierarchy=hierarchy)
    place: dict[Value, int] = {value: code for code, value in enumerate(ordered)}
    place[None] = domain.missing_code
    return CodedColumn(domain, np.array([place[value] for value in values], dtype=np.uint16))


def table_of(
    columns: dict[str, Sequence[Value]],
    *,
    target: Sequence[Value] | None = None,
    hierarchies: dict[str, Hierarchy] | None = None,
) -> EncodedTable:
    """A table of quasi-identifiers, and perhaps a class."""
    known = hierarchies or {}
    quasi = tuple(column_of(name, values, known.get(name)) for name, values in columns.items())
    n_rows = len(quasi[0].codes)
    return EncodedTable(n_rows, quasi, None if target is None else column_of("class", target))


def group_of_rows(n_rows: int, *clusters: Sequence[int]) -> np.ndarray:
    """The group of every row from clusters of row numbers that begin at 1; rows in none are dropped."""
    group = np.full(n_rows, -1, dtype=np.int32)
    for number, cluster in enumerate(clusters):
        group[[row - 1 for row in cluster]] = number
    return group


def published(table: EncodedTable, partition: Partition, style: str, *, widen: bool = False) -> Recoding:
    """A partition in print, also where it drops every row."""
    if partition.n_groups:
        return partition.publish(table, style, widen=widen)
    ids = np.zeros(table.n_rows, dtype=np.int32)
    cells = (Cell(CellKind.SUPPRESSED, with_missing=True),)
    columns = tuple(RecodedColumn(column.domain, cells, ids) for column in table.quasi)
    return Recoding(columns, np.zeros(table.n_rows, dtype=bool))


def printed_groups(recoding: Recoding) -> list[list[int]]:
    found = defaultdict(list)
    for row in np.flatnonzero(recoding.is_kept).tolist():
        found[tuple(column.texts[column.ids[row]] for column in recoding.columns)].append(row)
    return list(found.values())


def row_penalties(table: EncodedTable, recoding: Recoding) -> np.ndarray:
    """The NCP of every row: the sum over its cells; a dropped row has suppressed cells."""
    penalties = np.full(table.n_rows, float(len(recoding.columns)))
    penalties[recoding.is_kept] = 0.0
    for original, column in zip(table.quasi, recoding.columns, strict=True):
        penalties[recoding.is_kept] += certainty_penalties(original, column)[column.ids[recoding.is_kept]]
    return penalties
