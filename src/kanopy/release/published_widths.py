"""How wide published cells are, as a share of what is published.

As in ``gcp``, but nothing is asked of the source: a range is a share of all published numbers, a set of all
published values, a node of the leaves of its hierarchy. So widths follow from the text; they are worked out
from the cells, whose text nobody has to read then (``text_widths`` does, and is the slow twin).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from kanopy.data import Cell, CellKind, Hierarchy, RecodedColumn
from kanopy.data.grammar import ReadCell, read_cell
from kanopy.frames import numbers
from kanopy.policy import Policy
from kanopy.utility.cells import cell_widths

NumberTest = Callable[[str], bool]


def number_test(name: str, policy: Policy) -> NumberTest:
    """What makes a column numeric, if all its values pass."""
    if name in policy.categorical:
        return lambda _: False
    return numbers.is_declared_number if name in policy.numeric else numbers.is_number


def lost_detail(
    column: RecodedColumn, is_kept: NDArray[np.bool_], is_number: NumberTest, hierarchy: Hierarchy | None
) -> float:
    """The widths of a column's published cells, added up over its rows; O(rows + members of the cells).

    Parameters
    ----------
    hierarchy : Hierarchy, optional
        Of the column, where the custodian gave it; one that was built from the rows must not be here.
    """
    count = np.bincount(column.ids[is_kept], minlength=len(column.cells))
    used = np.flatnonzero(count).tolist()
    cells = [column.cells[place] for place in used]
    named = np.unique(np.fromiter(chain.from_iterable(map(_codes, cells)), dtype=np.int64))
    looks_numeric = bool(len(named)) and all(is_number(column.domain.labels[code]) for code in named)
    if hierarchy is None and looks_numeric != column.domain.is_numeric:
        # A hidden text made numbers categories: whoever reads the release takes them for numbers.
        return float(count[used] @ text_widths([column.texts[place] for place in used], is_number))
    n_options = len(named) if hierarchy is None else len(hierarchy.leaves)
    n_options += any(cell.with_missing and cell.kind is not CellKind.SUPPRESSED for cell in cells)
    line = None
    if hierarchy is None and looks_numeric:
        assert column.domain.numbers is not None
        halves = column.domain.numbers / 2  # the whole distance may not fit into a float
        line = halves, float(halves[named[-1]] - halves[named[0]]) or 1.0
    widths = cell_widths(cells, n_options, line)
    return float(count[used] @ widths)


def _codes(cell: Cell) -> Sequence[int]:
    """The values that a cell names."""
    if cell.kind is CellKind.MEMBERS:
        return cell.members
    return () if cell.kind in (CellKind.SUPPRESSED, CellKind.MISSING) else (cell.low, cell.high)


# --- The same, read from the text ------------------------------------------------------------------------


def text_widths(
    words: Sequence[str], is_number: NumberTest = numbers.is_number, hierarchy: Hierarchy | None = None
) -> NDArray[np.float64]:
    """How wide each published text is, from 0 (one value) to 1 (suppressed); O(texts)."""
    cells = [read_cell(word) for word in words]
    leaves = _leaves_below(hierarchy) if hierarchy is not None else {}
    named = {text for cell in cells for text in (*cell.texts, *(end for ends in cell.ranges for end in ends))}
    n_options = len(named if hierarchy is None else hierarchy.leaves)
    n_options += any(cell.with_missing for cell in cells)
    if hierarchy is not None or not named or not all(map(is_number, named)):
        widths = [_share_of_values(cell, leaves, n_options) for cell in cells]
    else:
        extent = _apart([float(text) for text in named])
        widths = [_share_of_range(cell, extent, n_options) for cell in cells]
    return np.array(widths, dtype=np.float64)


def _leaves_below(hierarchy: Hierarchy) -> dict[str, int]:
    """How many leaves each name stands for."""
    counts = hierarchy.node_high - hierarchy.node_low + 1
    return dict(zip(hierarchy.node_label, counts.tolist(), strict=True))


def _share_of_values(cell: ReadCell, leaves: Mapping[str, int], n_options: int) -> float:
    if cell.is_suppressed:
        return 1.0
    n_covered = sum(leaves.get(text, 1) for text in cell.texts) + cell.with_missing
    return min(1.0, n_covered / n_options) if n_covered > 1 else 0.0


def _share_of_range(cell: ReadCell, extent: float, n_options: int) -> float:
    if cell.is_suppressed:
        return 1.0
    ends = [float(text) for text in (*cell.texts, *(end for pair in cell.ranges for end in pair))]
    if not ends or (len(ends) == 1 and not cell.with_missing):
        return 0.0
    return min(1.0, (_apart(ends) / extent if extent else 0.0) + cell.with_missing / n_options)


def _apart(values: Sequence[float]) -> float:
    """Half of how far the outermost numbers lie apart: the whole may not fit into a float."""
    return max(values) / 2 - min(values) / 2
