"""k-Optimize by its definition: every set of split values, one after the other."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from itertools import chain, combinations

Rows = Sequence[tuple[int, ...]]
"""Values of the columns, then the class."""
Splits = tuple[tuple[int, int], ...]
"""Columns, and values at which they are split."""


def every_set(rows: Rows) -> Iterator[Splits]:
    """All sets of splits; the least value of a column is never one."""
    n_columns = len(rows[0]) - 1
    values = [(c, v) for c in range(n_columns) for v in sorted({row[c] for row in rows})[1:]]
    return chain.from_iterable(combinations(values, size) for size in range(len(values) + 1))


def groups_of(rows: Rows, splits: Splits) -> list[list[tuple[int, ...]]]:
    """Rows whose values lie in the same intervals."""
    groups = defaultdict(list)
    for row in rows:
        place = tuple(sum(v <= row[c] for column, v in splits if column == c) for c in range(len(row) - 1))
        groups[place].append(row)
    return list(groups.values())


def cost_of(rows: Rows, splits: Splits, k: int, loss: str) -> tuple[int, int]:
    """What a set costs, and how many rows it suppresses."""
    cost = suppressed = 0
    for group in groups_of(rows, splits):
        if len(group) < k:
            suppressed += len(group)
            cost += len(group) * (len(rows) if loss == "discernibility" else 1)
        elif loss == "discernibility":
            cost += len(group) ** 2
        else:
            cost += len(group) - max(Counter(row[-1] for row in group).values())
    return cost, suppressed


def least_cost(rows: Rows, k: int, loss: str, limit: int) -> int:
    """The optimum among sets that suppress at most so many rows."""
    costs = (cost_of(rows, splits, k, loss) for splits in every_set(rows))
    return min(cost for cost, suppressed in costs if suppressed <= limit)
