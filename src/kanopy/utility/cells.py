"""What single cells lose: how many are suppressed, and how wide the others are.

A cell's normalized certainty penalty (NCP) is 0 for an exact or missing cell and 1 for a suppressed one.
In between it is the cell's share of its column:

- numbers, whether printed as a range, a set or a mean: the distance of the outermost values, as a share of
  the column's range;
- everything else, a set or a node of a hierarchy: the number of values, as a share of all values of the
  column.

Missing counts as one more value of the column where it occurs in the table. A cell that may also be missing
is wider by one value's share; no cell is wider than a suppressed one.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from kanopy.data import Cell, CellKind, CodedColumn, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Floats, Ints
from kanopy.data.keys import counted


def missing_cell_ratio(recoding: Recoding, of_cells: Sequence[Ints] | None = None) -> float:
    """Share of the published quasi-identifier cells that are suppressed; O(rows * columns).

    Kisilevich et al., kACTUS-2. Cells that were missing from the start are no loss and do not count; dropped
    rows have no cells (1.0 where every row is dropped). ``of_cells`` says of each column how many published
    rows hold each of its cells, where that is known.
    """
    of_cells = cell_counts(recoding) if of_cells is None else of_cells
    n_cells = sum(int(counts.sum()) for counts in of_cells)
    if n_cells == 0:
        return float(len(recoding.is_kept) > 0 and len(recoding.columns) > 0)
    n_suppressed = 0
    for column, counts in zip(recoding.columns, of_cells, strict=True):
        is_suppressed = np.array([cell.kind is CellKind.SUPPRESSED for cell in column.cells], dtype=bool)
        n_suppressed += int(counts[is_suppressed].sum())
    return n_suppressed / n_cells


def global_certainty_penalty(
    table: EncodedTable, recoding: Recoding, of_cells: Sequence[Ints] | None = None
) -> float:
    """Mean NCP of a quasi-identifier cell (GCP); a dropped row counts as suppressed. O(rows * columns).

    ``of_cells`` is as in ``missing_cell_ratio``.
    """
    n_rows, n_columns = table.total_weight, len(recoding.columns)
    if n_rows == 0 or n_columns == 0:
        return 0.0
    of_cells = cell_counts(recoding, table.weight) if of_cells is None else of_cells
    lost = float((n_rows - int(of_cells[0].sum())) * n_columns)
    for original, column, counts in zip(table.quasi, recoding.columns, of_cells, strict=True):
        lost += added_up(counts, certainty_penalties(original, column))
    return lost / (n_rows * n_columns)


def added_up(counts: Ints, amounts: Floats) -> float:
    """Amounts, each so many times. Not as a product of vectors: libraries for these start threads that wait
    busily for more, and the last digit depends on how many."""
    return float((counts * amounts).sum())


def certainty_penalties(original: CodedColumn, column: RecodedColumn) -> Floats:
    """The NCP of every cell of a published column's vocabulary; O(rows + cells)."""
    domain = column.domain  # which may have levels beside the values of the table
    n_options = domain.n_values + int(original.totals[original.domain.missing_code] > 0)
    # A hierarchy orders and prints the column, so its numbers, if any, say nothing about width.
    line = (domain.positions, 1.0) if domain.is_numeric and domain.hierarchy is None else None
    return cell_widths(column.cells, n_options, line)


def cell_widths(cells: Sequence[Cell], n_options: int, line: tuple[Floats, float] | None) -> Floats:
    """How much of a column each cell covers, from 0 (one thing) to 1 (suppressed); O(cells).

    ``n_options`` counts what a cell may stand for: values, and missing where it occurs. ``line`` says where
    each value lies on a line, and the length of the whole column there. Then width is distance as a share of
    that length; without a line it is a share of the options.
    """
    kinds = [cell.kind for cell in cells]
    with_missing = np.array([cell.with_missing for cell in cells], dtype=bool)
    # The ends are those of the cell: of a number between two values they lie in the wrong order.
    low, high = (np.array([getattr(cell, end) for cell in cells], dtype=np.int64) for end in ("low", "high"))
    if line is None:
        n_members = np.array([len(cell.members) for cell in cells], dtype=np.int64)
        n_covered = np.where(n_members > 0, n_members, high - low + 1) + with_missing
        widths = np.where(n_covered > 1, n_covered / max(n_options, 1), 0.0)
    else:
        points, length = line
        widths = (points[high] - points[low]) / length + with_missing / max(n_options, 1)
    widths = np.minimum(widths, 1.0)
    widths[[kind in (CellKind.EXACT, CellKind.MISSING) for kind in kinds]] = 0.0
    widths[[kind is CellKind.SUPPRESSED for kind in kinds]] = 1.0
    return widths


def cell_counts(recoding: Recoding, weight: Ints | None = None) -> list[Ints]:
    """Of each column, how many published rows, each as often as it weighs, hold each of its cells.

    O(rows + parts * columns) where the recoding has parts, whose rows print alike; else O(rows * columns).
    """
    kept: Any = slice(None) if recoding.is_kept.all() else np.flatnonzero(recoding.is_kept)
    times, rows = None if weight is None else weight[kept], kept
    if recoding.parts is not None:
        part, rows = recoding.parts[kept], recoding.example_of_part
        times = counted(part, len(rows), times)
    return [counted(column.ids[rows], len(column.cells), times) for column in recoding.columns]
