"""What a release cost, measured on its published text alone.

PRIVACY: nothing here looks at the source. A loss that is measured against the source's range gives a hidden
extreme number back to whoever solves for it; what follows from the text anybody can work out, so it tells
nothing new (tests/sabotage/test_manifest_attack.py).

Cells have widths as in ``gcp``, but a range is a share of all published numbers, a set of all published
values, a node of the leaves of its hierarchy; a sketch of numbers reaches from its least to its largest mean.
They follow from the text; they are worked out from the cells, whose text nobody has to read then
(``text_widths`` does, and is the slow twin; it reads sketches, whose ends the text does not tell).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np

from kanopy.auditing.text import Groups, TextColumn, TextTable, texts_in
from kanopy.data import Cell, CellKind, Hierarchy, RecodedColumn, Recoding
from kanopy.data.arrays import Floats, Ints
from kanopy.data.grammar import SUPPRESSED_TEXT, ReadCell, read_cell
from kanopy.data.keys import counted, distinct_sorted, number_runs
from kanopy.data.scale import DECLARED, PLAIN, TextScale
from kanopy.frames.encode import declared_scale
from kanopy.policy import Policy
from kanopy.privacy import promised_k
from kanopy.release.telling import PublishedLosses
from kanopy.utility.cells import added_up, cell_counts, cell_widths

_SHARE_DIGITS = 2
"""Shares in whole percent: more digits would tell counts of a few rows to those who do not have the table."""


def told_share(share: float) -> float:
    """A share as it is told, in whole percent."""
    return round(share, _SHARE_DIGITS)


def published_losses(
    table: TextTable,
    recoding: Recoding,
    policy: Policy,
    *,
    weight: Ints | None = None,
    hierarchies: Mapping[str, Hierarchy | None],
    has_hidden_widths: bool,
) -> PublishedLosses:
    """The losses that follow from the text; O(rows * columns).

    The table has the published rows, sorted by their quasi-identifiers; the recoding has their cells, which
    are asked for nothing that their text does not say; ``weight`` is how many rows each of its rows stands
    for. ``gcp`` is None where only the source tells how wide
    cells are (``has_hidden_widths``): means, and nodes of a hierarchy that was built from the rows. So the
    hierarchies that are looked at are those that the custodian gave.
    """
    columns = {name: table.columns[name] for name in policy.quasi_identifiers}
    n_cells = max(table.n_rows * len(columns), 1)
    groups = number_runs([column.codes for column in columns.values()], table.n_lines)
    sizes = counted(*groups, table.weight)
    lost = 0.0
    n_rows_of_cells = () if has_hidden_widths else cell_counts(recoding, weight)
    for column, n_rows in zip(recoding.columns, n_rows_of_cells, strict=False):
        lost += _lost_detail(column, n_rows, policy, hierarchies[column.domain.name])
    k = promised_k(policy.promise, policy.quasi_identifiers)
    told: PublishedLosses = {
        "missing_cell_ratio": told_share(sum(map(_n_suppressed, columns.values())) / n_cells),
        "gcp": None if has_hidden_widths else told_share(lost / n_cells),
        "discernibility": float((sizes**2).sum()),
        "average_group_size": round(table.n_rows / max(len(sizes), 1) / (k or 1), _SHARE_DIGITS),
    }
    if policy.target is not None:
        n_wrong = table.n_rows - _n_guessed(table.columns[policy.target], groups)
        told["classification_metric"] = told_share(n_wrong / max(table.n_rows, 1))
    return told


def _n_suppressed(column: TextColumn) -> int:
    is_suppressed = np.array([word == SUPPRESSED_TEXT for word in column.words.to_pylist()], dtype=bool)
    return int(column.counts[is_suppressed].sum())


def _n_guessed(target: TextColumn, groups: Groups) -> int:
    """Rows that have the most frequent class of their group."""
    held = texts_in(groups, target)
    most = np.zeros(held.n_groups, dtype=np.int64)
    np.maximum.at(most, held.group, held.count)
    return int(most.sum())


def _scale(name: str, policy: Policy) -> TextScale | None:
    if name in policy.categorical:
        return None
    return declared_scale(name, policy) or (DECLARED if name in policy.numeric else PLAIN)


def _lost_detail(column: RecodedColumn, count: Ints, policy: Policy, hierarchy: Hierarchy | None) -> float:
    """The widths of a column's cells, each as often as it is published, added up; O(members of the cells)."""
    scale = _scale(column.domain.name, policy)
    used = np.flatnonzero(count).tolist()
    cells = [column.cells[place] for place in used]
    named = distinct_sorted(np.fromiter(chain.from_iterable(map(_codes, cells)), dtype=np.int64))
    looks_numeric = scale is not None and bool(len(named))
    if scale is not None:
        looks_numeric &= all(scale.holds(column.domain.labels[code]) for code in named)
    is_hidden = any(cell.kind is CellKind.SKETCH for cell in cells)  # the ends of chunks are not published
    if is_hidden or (hierarchy is None and looks_numeric != column.domain.is_numeric):
        # A hidden text made numbers categories: whoever reads the release takes them for numbers.
        texts = [column.texts[place] for place in used]
        return added_up(count[used], text_widths(texts, scale, hierarchy if is_hidden else None))
    n_options = len(named) if hierarchy is None else len(hierarchy.leaves)
    n_options += any(cell.with_missing and cell.kind is not CellKind.SUPPRESSED for cell in cells)
    line = None
    if hierarchy is None and looks_numeric:
        assert column.domain.numbers is not None
        halves = column.domain.numbers / 2  # the whole distance may not fit into a float
        line = halves, float(halves[named[-1]] - halves[named[0]]) or 1.0
    return added_up(count[used], cell_widths(cells, n_options, line))


def _codes(cell: Cell) -> Sequence[int]:
    """The values that a cell names."""
    if cell.members:
        return cell.members
    return () if cell.kind in (CellKind.SUPPRESSED, CellKind.MISSING) else (cell.low, cell.high)


# --- The same, read from the text ------------------------------------------------------------------------


def text_widths(
    words: Sequence[str], scale: TextScale | None = PLAIN, hierarchy: Hierarchy | None = None
) -> Floats:
    """How wide each published text is, from 0 (one value) to 1 (suppressed); O(texts)."""
    cells = [read_cell(word) for word in words]
    named = set(chain.from_iterable(map(_texts, cells)))
    n_options = len(named if hierarchy is None else hierarchy.leaves)
    n_options += any(cell.with_missing for cell in cells)
    if hierarchy is not None or not named or scale is None or not all(map(scale.holds, named)):
        n_below: dict[str, int] = {}  # the leaves that each name of the hierarchy stands for
        if hierarchy is not None:
            counts = hierarchy.node_high - hierarchy.node_low + 1
            n_below = dict(zip(hierarchy.node_label, counts.tolist(), strict=True))
        widths = [_share_of_values(cell, n_below, n_options) for cell in cells]
    else:
        extent = _apart(scale.numbers(list(named)))
        widths = [_share_of_range(cell, scale, extent, n_options) for cell in cells]
    return np.array(widths, dtype=np.float64)


def _texts(cell: ReadCell) -> list[str]:
    """The values that the text of a cell names."""
    return [*cell.texts, *chain.from_iterable(cell.ranges)]


def _share_of_values(cell: ReadCell, n_below: Mapping[str, int], n_options: int) -> float:
    if cell.is_suppressed:
        return 1.0
    n_covered = sum(n_below.get(text, 1) for text in cell.texts) if n_below else len(cell.texts)
    n_covered += cell.with_missing
    return min(1.0, n_covered / n_options) if n_covered > 1 else 0.0


def _share_of_range(cell: ReadCell, scale: TextScale, extent: float, n_options: int) -> float:
    if cell.is_suppressed:
        return 1.0
    ends = scale.numbers(_texts(cell))
    if not len(ends) or (len(ends) == 1 and not cell.with_missing):
        return 0.0
    return min(1.0, (_apart(ends) / extent if extent else 0.0) + cell.with_missing / n_options)


def _apart(values: Floats) -> float:
    """Half of how far the outermost numbers lie apart: the whole may not fit into a float."""
    return float(values.max() / 2 - values.min() / 2)
