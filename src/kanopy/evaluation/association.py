"""Association rules: those that a release has, against those of the original."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.data import Hierarchy
from kanopy.data.arrays import Bools, Floats, Ints
from kanopy.evaluation.measures import Figures, Original
from kanopy.learners.cells import CellColumn
from kanopy.learners.words import new_column, training_column

_SAME = 1e-9

Items = tuple[int, ...]
"""Numbers of items, ascending."""
Supports = dict[Items, float]
Implication = tuple[Items, int]
"""What a rule asks for, and what it concludes."""


@dataclass(frozen=True, slots=True)
class Associations:
    """Rules ``items -> item`` with at least so much support and confidence, of up to three items.

    An item is a value of a column, or a bin of numbers: bins hold about equally many rows of the original,
    and are the same for the release. The support of items in a release is the expected one: a cell is each of
    the values of the original column that it may stand for, equally likely, and the columns of a row are
    independent given their cells. R. Agrawal and R. Srikant, Fast Algorithms for Mining Association Rules
    (VLDB 1994).
    """

    support: float = 0.1
    confidence: float = 0.6
    bins: int = 5

    name: ClassVar[str] = "rules"
    measures: ClassVar[tuple[str, ...]] = ("precision", "recall", "f1", "support_error", "found")
    main: ClassVar[str] = "f1"
    protocol: ClassVar[str] = (
        "Rules of up to three items that are found in the release are compared with those of the original: "
        "precision, recall and f1 of the rules, the mean absolute error of the support of all frequent "
        "items, and how many rules the release has."
    )
    least: ClassVar[Mapping[str, float]] = {"support": 0.01, "confidence": 0.01, "bins": 2}
    most: ClassVar[Mapping[str, float]] = {"support": 1.0, "confidence": 1.0, "bins": 100}

    def compared(
        self, original: Original, published: pa.Table, hierarchies: Mapping[str, Hierarchy], seed: int
    ) -> Figures:
        """O(rows * items * frequent pairs); at most columns / support items are frequent."""
        return self._compared(original.rows, published, hierarchies)

    def yardsticks(self, original: Original, seed: int) -> dict[str, Figures]:
        """The rules of one half of the rows against those of the other."""
        one, other = (original.rows.take(half) for half in original.halves(seed))
        return {"original, two halves": self._compared(one, other, {})}

    def _compared(
        self, reference: pa.Table, other: pa.Table, hierarchies: Mapping[str, Hierarchy]
    ) -> Figures:
        presences = _presences(reference, other, hierarchies, self)
        first, second = (_frequent(presence, self.support) for presence in presences)
        rules, found = (set(_rules(supports, self.confidence)) for supports in (first, second))
        both = len(rules & found)
        either = first.keys() | second.keys()
        errors = [
            abs(_support(presences[0], items, first) - _support(presences[1], items, second))
            for items in sorted(either)
        ]
        return {
            "precision": both / len(found) if found else None,
            "recall": both / len(rules) if rules else None,
            "f1": 2 * both / (len(rules) + len(found)) if rules or found else None,
            "support_error": float(np.mean(errors)) if errors else None,
            "found": float(len(found)),
        }


class Presence(NamedTuple):
    """How likely each row (down) has each item (across), and the column of each item."""

    chance: Floats
    column: Ints


def _presences(
    reference: pa.Table, other: pa.Table, hierarchies: Mapping[str, Hierarchy], task: Associations
) -> tuple[Presence, Presence]:
    """Of both tables over the same items: those that are frequent in one of them; O(rows * items)."""
    chances: tuple[list[Floats], list[Floats]] = ([], [])
    columns = list[int]()
    for number, name in enumerate(reference.column_names):
        known = training_column(name, reference.column(name), hierarchies.get(name))
        bin_of_value = _bins(known, task.bins)
        has_missing = bool((known.with_missing & (known.sizes == 0))[known.ids].any())
        tables = [known, new_column(other.column(name), known)]
        lines = [_chances(column, bin_of_value, has_missing=has_missing) for column in tables]
        supports = [_mean(line, column) for line, column in zip(lines, tables, strict=True)]
        items = np.flatnonzero(np.maximum(*supports) >= task.support - _SAME)
        columns += [number] * len(items)
        for place in (0, 1):
            chances[place].append(lines[place][:, items][tables[place].ids])
    first, second = (Presence(np.concatenate(found, axis=1), np.array(columns)) for found in chances)
    return first, second


def _mean(lines: Floats, column: CellColumn) -> Floats:
    """The support of single items; 0 in a table without rows."""
    return np.asarray(column.rows_of_cell @ lines / max(len(column.ids), 1))


def _bins(column: CellColumn, n_bins: int) -> Ints:
    """The item of each value: itself, or one of bins with about equally many rows; O(rows)."""
    if column.numbers is None or column.n_values <= n_bins:
        return np.arange(column.n_values)
    exact = np.flatnonzero(column.is_exact)
    values = column.members[column.first[exact]]
    rows = np.bincount(values, column.rows_of_cell[exact], minlength=column.n_values)
    middle = (np.cumsum(rows) - rows / 2) / max(rows.sum(), 1)
    bins = np.minimum(middle * n_bins, n_bins - 1).astype(np.int64)
    return np.unique(bins, return_inverse=True)[1]


def _chances(column: CellColumn, bin_of_value: Ints, *, has_missing: bool) -> Floats:
    """How likely each cell (down) is each item (across); missing is no item. O(members + cells * items)."""
    says_nothing: Bools = (column.sizes == 0) & ~column.with_missing
    column = replace(column, sets=column.sets.filled(says_nothing | column.is_suppressed))
    n_items = int(bin_of_value.max(initial=-1)) + 1
    share = 1 / np.maximum(column.sizes + (column.with_missing & has_missing), 1)
    keys = column.cell_of_member * n_items + bin_of_value[column.members]
    amounts = np.bincount(keys, share[column.cell_of_member], minlength=column.n_cells * n_items)
    return amounts.reshape(column.n_cells, n_items).astype(np.float64)


def _frequent(presence: Presence, least: float) -> Supports:
    """The expected support of all sets of up to three items that have enough; each of another column."""
    chance, column = presence
    n_rows = max(len(chance), 1)
    singles, pairs = chance.sum(axis=0) / n_rows, chance.T @ chance / n_rows
    is_pair = (pairs >= least - _SAME) & (column[:, None] != column)
    found: Supports = {
        (item,): float(singles[item]) for item in np.flatnonzero(singles >= least - _SAME).tolist()
    }
    for one, other in np.argwhere(np.triu(is_pair)).tolist():
        found[one, other] = float(pairs[one, other])
        thirds = np.flatnonzero(is_pair[one] & is_pair[other])
        thirds = thirds[thirds > other]
        supports = (chance[:, one] * chance[:, other]) @ chance[:, thirds] / n_rows
        enough = supports >= least - _SAME
        found |= {
            (one, other, third): float(support)
            for third, support in zip(thirds[enough].tolist(), supports[enough].tolist(), strict=True)
        }
    return found


def _support(presence: Presence, items: Items, known: Supports) -> float:
    if items in known:
        return known[items]
    return float(presence.chance[:, list(items)].prod(axis=1).sum()) / max(len(presence.chance), 1)


def _rules(supports: Supports, least: float) -> Iterator[Implication]:
    """All rules with enough confidence; what they ask for has support, as a part of what has."""
    for items, support in supports.items():
        for asked in combinations(items, len(items) - 1):
            if asked and support >= least * supports[asked] - _SAME:
                (concluded,) = set(items) - set(asked)
                yield asked, concluded
