"""A method for tests of sketched cells: random groups within each class, whatever the rows are like."""

from __future__ import annotations

from typing import Any

import numpy as np

from kanopy.algorithms import Method
from kanopy.data import EncodedTable, Partition, Reading, Recoding, pooled_correlation, sketched
from kanopy.privacy import PrivacyModel, largest_k


def random_groups(table: EncodedTable, k: int, rng: np.random.Generator) -> Partition:
    """Groups of k to 2k - 1 rows (or persons), of one class where it has enough of them."""
    of_row = np.arange(table.n_rows) if table.persons is None else table.persons
    n_members = int(of_row.max(initial=-1)) + 1
    classes = np.zeros(n_members, dtype=np.int64)
    if table.target is not None:
        classes[of_row] = table.target.codes
        small = np.bincount(classes) < k
        classes[small[classes]] = -1
        if 0 < np.count_nonzero(classes == -1) < k:
            classes[:] = 0
    group_of_member, n_groups = np.zeros(n_members, dtype=np.int32), 0
    for each in np.unique(classes).tolist():
        members = rng.permutation(np.flatnonzero(classes == each))
        n_parts = max(1, len(members) // k)
        group_of_member[members] = n_groups + np.arange(len(members)) * n_parts // len(members)
        n_groups += n_parts
    return Partition(group_of_member[of_row], n_groups)


def run(table: EncodedTable, promise: PrivacyModel, rng: Any, _progress: Any, **_options: Any) -> Recoding:
    """Random groups as sketches, with how to read them."""
    k = largest_k(promise) or 1
    partition = random_groups(table, k, rng)
    recoding = sketched(partition, table, k)
    assert recoding.parts is not None
    orders = tuple(
        () if column.domain.is_numeric else tuple(np.flatnonzero(column.totals)[::-1].tolist())
        for column in table.quasi
    )
    final = Partition(recoding.parts, int(recoding.parts.max(initial=-1)) + 1)
    correlation = pooled_correlation(final, table, orders)
    return Recoding(
        recoding.columns, recoding.is_kept, recoding.parts, reading=Reading(orders, correlation, "draws")
    )


SKETCHES = Method("sketches", "random groups, sketched", "", run)
