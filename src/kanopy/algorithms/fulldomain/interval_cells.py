"""Intervals of ordered values as cells: ranges of numbers, sets of other values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from kanopy.algorithms.fulldomain.split_groups import SplitTable
from kanopy.algorithms.fulldomain.split_space import Solution
from kanopy.data import Cell, Domain, EncodedTable, RecodedColumn, Recoding, cell
from kanopy.data.arrays import Ints


def recoded_intervals(
    table: EncodedTable,
    tuples: SplitTable,
    chosen: Solution,
    facts: Mapping[str, Any],
) -> Recoding:
    """Every row by the intervals of its values, and ``*`` where it is suppressed; O(rows * columns)."""
    is_out = chosen.suppressed.is_out[chosen.group.take(tuples.tuple_of_row)]
    columns = []
    for column, values, intervals in zip(
        table.quasi, tuples.values, tuples.intervals(chosen.splits), strict=True
    ):
        cells = [*_interval_cells(column.domain, values, intervals), cell.SUPPRESSED]
        number = np.zeros(column.domain.n_codes, dtype=np.int32)
        number[values] = intervals
        ids = np.where(is_out, len(cells) - 1, number.take(column.codes)).astype(np.int32)
        columns.append(RecodedColumn(column.domain, tuple(cells), ids))
    is_kept = ~is_out if chosen.suppressed.is_dropped else np.ones(table.n_rows, dtype=bool)
    return Recoding(tuple(columns), is_kept, facts=facts)


def _interval_cells(domain: Domain, values: Ints, intervals: Ints) -> list[Cell]:
    """The cell of each interval; one that has all values of several says nothing."""
    if intervals[-1] == 0 and len(values) > 1:
        return [cell.SUPPRESSED]
    inside = np.split(values, np.flatnonzero(np.diff(intervals)) + 1)
    return [_interval_cell(domain, codes) for codes in inside]


def _interval_cell(domain: Domain, codes: Ints) -> Cell:
    with_missing = bool(codes[-1] == domain.missing_code)
    present = codes[:-1].tolist() if with_missing else codes.tolist()
    if not present:
        return cell.MISSING
    if domain.is_numeric:
        return cell.span(present[0], present[-1], with_missing=with_missing)
    return cell.members(tuple(present), with_missing=with_missing)
