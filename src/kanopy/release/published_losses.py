"""What a release cost, measured on its published text alone.

PRIVACY: nothing here looks at the source. A loss that is measured against the source's range gives a hidden
extreme number back to whoever solves for it; what follows from the text anybody can work out, so it tells
nothing new (tests/sabotage/test_manifest_attack.py).
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from kanopy.auditing.text import Groups, TextColumn, TextTable, texts_in
from kanopy.data import Hierarchy, Recoding
from kanopy.data.grammar import SUPPRESSED_TEXT
from kanopy.data.keys import number_runs
from kanopy.policy import Policy
from kanopy.privacy import promised_k
from kanopy.release.published_widths import lost_detail, number_test

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
    hierarchies: Mapping[str, Hierarchy],
    has_hidden_widths: bool,
) -> dict[str, float | None]:
    """The losses that follow from the text; O(rows * columns).

    The table has the published rows, sorted by their quasi-identifiers; the recoding has their cells, which
    are asked for nothing that their text does not say. Hierarchies are those that the custodian gave, none
    that was built from the rows. ``gcp`` is None where only the source tells how wide cells are
    (``has_hidden_widths``): means, and nodes of a hierarchy that was built from the rows.
    """
    columns = {name: table.columns[name] for name in policy.quasi_identifiers}
    n_cells = max(table.n_rows * len(columns), 1)
    groups = number_runs([column.codes for column in columns.values()], table.n_rows)
    sizes = np.bincount(groups[0], minlength=groups[1])
    lost = None if has_hidden_widths else _lost_detail(recoding, policy, hierarchies)
    k = promised_k(policy.promise, policy.quasi_identifiers)
    told: dict[str, float | None] = {
        "missing_cell_ratio": told_share(sum(map(_n_suppressed, columns.values())) / n_cells),
        "gcp": None if lost is None else told_share(lost / n_cells),
        "discernibility": float((sizes**2).sum()),
        "average_group_size": round(table.n_rows / max(len(sizes), 1) / (k or 1), _SHARE_DIGITS),
    }
    if policy.target is not None:
        n_wrong = table.n_rows - _n_guessed(table.columns[policy.target], groups)
        told["classification_metric"] = told_share(n_wrong / max(table.n_rows, 1))
    return told


def _lost_detail(recoding: Recoding, policy: Policy, hierarchies: Mapping[str, Hierarchy]) -> float:
    lost = 0.0
    for column in recoding.columns:
        name = column.domain.name
        lost += lost_detail(column, recoding.is_kept, number_test(name, policy), hierarchies.get(name))
    return lost


def _n_suppressed(column: TextColumn) -> int:
    is_suppressed = np.array([word == SUPPRESSED_TEXT for word in column.words.to_pylist()], dtype=bool)
    return int(is_suppressed[column.codes].sum())


def _n_guessed(target: TextColumn, groups: Groups) -> int:
    """Rows that have the most frequent class of their group."""
    held = texts_in(groups, target)
    most = np.zeros(held.n_groups, dtype=np.int64)
    np.maximum.at(most, held.group, held.count)
    return int(most.sum())
