"""A published tree against the published table: its leaves must be the table's groups."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from kanopy.auditing.text import TextTable
from kanopy.data.keys import group_rows

Line = tuple[tuple[str, int], ...]


def leaves_are_groups(
    leaves: Iterable[Mapping[str, int]], table: TextTable, quasi: Sequence[str], target: str
) -> bool:
    """Whether the class counts of the leaves are those of the groups of look-alikes; O(rows * columns).

    Parameters
    ----------
    leaves : iterable of mappings
        For every leaf that has rows: how many of each class; a class is the text of its cell.
    """
    columns = [table.columns[name] for name in quasi]
    sizes = [len(column.words) for column in columns]
    group, n_groups = group_rows([column.codes for column in columns], sizes, table.n_rows)
    classes = table.columns[target]
    words = classes.words.to_pylist()
    keys = group.astype(np.int64) * len(words) + classes.codes
    present, count = np.unique(keys, return_counts=True)
    lines: list[dict[str, int]] = [{} for _ in range(n_groups)]
    for key, n_rows in zip(present.tolist(), count.tolist(), strict=True):
        lines[key // len(words)][words[key % len(words)]] = n_rows
    return _in_order(lines) == _in_order(leaves)


def _in_order(lines: Iterable[Mapping[str, int]]) -> list[Line]:
    return sorted(tuple(sorted((word, n) for word, n in line.items() if n)) for line in lines)
