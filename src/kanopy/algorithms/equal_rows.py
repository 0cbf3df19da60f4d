"""Equal rows of a table in one form, whether they come counted or one by one: for methods that draw rows.

What such a method decides then follows from the rows alone, and is brought back to the table as it came.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from kanopy.data import EncodedTable, Recoding, Split
from kanopy.data.arrays import Ints
from kanopy.data.keys import begins_run, distinct_sorted, order_of, pack, paired


@dataclass(frozen=True, eq=False)
class EqualRows:
    """A table in which equal rows are all apart or all counted.

    Parameters
    ----------
    given : EncodedTable
        The table as it came.
    table : EncodedTable
        What a method decides about.
    order : array of int or None
        The rows that were given, in the order of the rows of ``table``; None where they are in it.
    """

    given: EncodedTable
    table: EncodedTable
    order: Ints | None = None

    @classmethod
    def apart(cls, given: EncodedTable) -> EqualRows:
        """Every row by itself; O(total weight * columns)."""
        return cls(given, given.expanded())

    @classmethod
    def counted(cls, given: EncodedTable) -> EqualRows:
        """Different rows in the order of all that they publish; O(rows * columns), and a sort."""
        assert given.persons is None, "rows of different persons are told apart"
        columns = given.published()
        keys, n_keys = pack(
            [column.codes for column in columns], [column.domain.n_codes for column in columns], given.n_rows
        )
        order = order_of(keys, n_keys)
        first = np.flatnonzero(begins_run([keys.take(order)], given.n_rows))
        weight = np.add.reduceat(_weight(given).take(order), first)
        return cls(given, given.of_rows(order.take(first), weight), order)

    def of_given(self, recoding: Recoding, split: Split | None) -> Recoding:
        """From a recoding of the rows of ``table``, or of their parts in order, to one of the table as it
        came; parts of a row that are in one group become one. O(parts * columns), and sorts."""
        if self.table is self.given:
            assert split is None, "a row that stands for itself alone has no parts"
            return recoding
        assert recoding.parts is not None
        weight = _weight(self.table) if split is None else split.weight
        # Rows as they came and parts lie along the same line, and meet in stretches of it.
        of_given = _weight(self.given) if self.order is None else _weight(self.given).take(self.order)
        ends_of_given, ends_of_parts = np.cumsum(of_given), np.cumsum(weight)
        ends = distinct_sorted(np.concatenate([ends_of_given, ends_of_parts]))
        row, part = np.searchsorted(ends_of_given, ends), np.searchsorted(ends_of_parts, ends)
        row = row if self.order is None else self.order.take(row)
        n_groups = int(recoding.parts.max(initial=-1)) + 2
        keys = paired(row, recoding.parts.take(part) + 1, self.given.n_rows, n_groups)
        order = order_of(keys.astype(np.int64, copy=False), self.given.n_rows * n_groups)
        first = np.flatnonzero(begins_run([keys.take(order)], len(keys)))
        found = recoding.of_rows(part.take(order.take(first)))
        if len(first) == self.given.n_rows:
            return found
        weight = np.add.reduceat(np.diff(ends, prepend=0).take(order), first)
        return replace(found, split=Split(row.take(order.take(first)), weight))


def _weight(table: EncodedTable) -> Ints:
    return np.ones(table.n_rows, dtype=np.int64) if table.weight is None else table.weight
