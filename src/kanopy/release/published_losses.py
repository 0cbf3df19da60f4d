"""What a release cost, measured on its published text alone.

PRIVACY: nothing here looks at the source. A loss that is measured against the source's range gives a hidden
extreme number back to whoever solves for it; what follows from the text anybody can work out, so it tells
nothing new (tests/sabotage/test_manifest_attack.py).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from kanopy.audit.groups import Groups, Rows
from kanopy.audit.text import TextColumn, TextTable
from kanopy.data import Hierarchy
from kanopy.data.grammar import SUPPRESSED_TEXT, ReadCell, read_cell
from kanopy.data.keys import group_rows
from kanopy.frames import numbers
from kanopy.policy import Policy
from kanopy.privacy import promised_k

NumberTest = Callable[[str], bool]

_SHARE_DIGITS = 2
"""Shares in whole percent: more digits would tell counts of a few rows to those who do not have the table."""


def told_share(share: float) -> float:
    """A share as it is told, in whole percent."""
    return round(share, _SHARE_DIGITS)


def published_losses(
    table: TextTable,
    policy: Policy,
    *,
    hierarchies: Mapping[str, Hierarchy],
    has_hidden_widths: bool,
) -> dict[str, float | None]:
    """The losses that follow from the text; O(rows * columns).

    Parameters
    ----------
    table : TextTable
        The published rows.
    policy : Policy
    hierarchies : mapping of str to Hierarchy
        Those that the custodian gave; none that was built from the rows.
    has_hidden_widths : bool
        Whether cells are published whose width only the source tells (means, nodes of a hierarchy that was
        built from the rows). Then ``gcp`` is None.
    """
    columns = {name: table.columns[name] for name in policy.quasi_identifiers}
    n_cells = max(table.n_rows * len(columns), 1)
    groups = Rows(table).grouped(policy.quasi_identifiers)
    sizes = np.bincount(groups[0], minlength=groups[1])
    gcp = None
    if not has_hidden_widths:
        lost = 0.0
        for name, column in columns.items():
            widths = cell_widths(column.words.to_pylist(), number_test(name, policy), hierarchies.get(name))
            lost += float(np.bincount(column.codes, minlength=len(column.words)) @ widths)
        gcp = told_share(lost / n_cells)
    k = promised_k(policy.promise, policy.quasi_identifiers)
    told: dict[str, float | None] = {
        "missing_cell_ratio": told_share(sum(map(_n_suppressed, columns.values())) / n_cells),
        "gcp": gcp,
        "discernibility": float((sizes**2).sum()),
        "average_group_size": round(table.n_rows / max(len(sizes), 1) / (k or 1), _SHARE_DIGITS),
    }
    if policy.target is not None:
        n_wrong = table.n_rows - _n_guessed(table.columns[policy.target], groups)
        told["classification_metric"] = told_share(n_wrong / max(table.n_rows, 1))
    return told


def _n_suppressed(column: TextColumn) -> int:
    is_suppressed = np.array([word == SUPPRESSED_TEXT for word in column.words.to_pylist()], dtype=bool)
    return int(is_suppressed[column.codes].sum())


def _n_guessed(target: TextColumn, groups: Groups) -> int:
    """Rows that have the most frequent class of their group."""
    group, n_groups = groups
    pairs, n_pairs = group_rows([group, target.codes], [n_groups, len(target.words)], len(group))
    group_of_pair = np.zeros(n_pairs, dtype=np.int64)
    group_of_pair[pairs] = group
    most = np.zeros(n_groups, dtype=np.int64)
    np.maximum.at(most, group_of_pair, np.bincount(pairs, minlength=n_pairs))
    return int(most.sum())


def number_test(name: str, policy: Policy) -> NumberTest:
    """What makes a column numeric, if all its values pass."""
    if name in policy.categorical:
        return lambda _: False
    return numbers.is_declared_number if name in policy.numeric else numbers.is_number


def cell_widths(
    words: Sequence[str], is_number: NumberTest = numbers.is_number, hierarchy: Hierarchy | None = None
) -> NDArray[np.float64]:
    """How wide each published text is, from 0 (one value) to 1 (suppressed); O(texts).

    As ``gcp``, but a share of what is published: a range is a share of all published numbers, a set of all
    published values, a node of the leaves of its hierarchy.
    """
    cells = [read_cell(word) for word in words]
    leaves = _leaves_below(hierarchy) if hierarchy is not None else {}
    named = {text for cell in cells for text in (*cell.texts, *(end for ends in cell.ranges for end in ends))}
    is_numeric = hierarchy is None and bool(named) and all(map(is_number, named))
    with_missing = any(cell.with_missing for cell in cells)
    n_options = (len(hierarchy.leaves) if hierarchy is not None else len(named)) + with_missing
    if not is_numeric:
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
