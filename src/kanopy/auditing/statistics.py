"""Recounts published value statistics from texts: are they true, and is nobody told apart by them?

Shares no code with what makes them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from kanopy.auditing.counted import Members
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.value_sets import ValueSets

Statistics = Mapping[str, Any]
"""Of one column: ``values``, ``other`` and ``rounded_to``."""


class OriginalRows(NamedTuple):
    """The originals of the published rows in one column."""

    labels: Sequence[str]  # of the codes; missing, the empty text, is the last
    codes: Codes
    is_exact: Bools  # whether the release says the value itself
    persons: Codes | None
    open_cells: ValueSets  # those that say something else

    def are_few(self, group: Codes, n_groups: int, rows: Bools, floor: int) -> Bools:
        """Which groups have rows, and fewer members than the floor: rows without a person are of none."""
        has_rows = np.bincount(group[rows], minlength=n_groups) > 0
        return np.asarray(has_rows & (self.members(group, n_groups, rows) < floor))

    def members(self, group: Codes, n_groups: int, rows: Bools) -> Ints:
        """Rows (or persons) of each group, given the group of each row."""
        persons = None if self.persons is None else self.persons[rows]
        return Members.of(group[rows].astype(np.int32), n_groups, persons).number


def wrong_statistics(told: Statistics, rows: OriginalRows, floor: int) -> Iterator[str]:
    """What is wrong with the statistics of a column, without a value; nothing if they may be told. O(rows),
    with persons a sort."""
    code_of = {label: code for code, label in enumerate(rows.labels)}
    if told["rounded_to"] != floor or any(value not in code_of for value in told["values"]):
        yield "they are not those of this table"
        return
    named = np.zeros(len(rows.labels), dtype=bool)
    named[[code_of[value] for value in told["values"]]] = True
    counts = np.bincount(rows.codes, minlength=len(rows.labels))
    expected = {value: _nearest(int(counts[code_of[value]]), floor) for value in told["values"]}
    if expected != dict(told["values"]) or told["other"] != _nearest(int(counts[~named].sum()), floor):
        yield "the counts are not those of the published rows"
    n_values, is_open = len(rows.labels), ~rows.is_exact
    everything = np.ones(len(rows.codes), dtype=bool)
    few = rows.members(rows.codes, n_values, everything) < floor
    if (named & (few | rows.are_few(rows.codes, n_values, is_open, floor))).any():
        yield f"a value is told that fewer than {floor} have, or whose cell is open for fewer than {floor}"
    others = everything & ~named[rows.codes]
    if not named.any() or not others.any():
        return
    together = rows.members(np.zeros(len(rows.codes), dtype=np.int64), 1, others)[0]
    if together < floor or np.count_nonzero(counts[~named]) < 2:
        yield f"the other values are one, or fewer than {floor} have them"
    has_open = np.bincount(rows.codes[is_open], minlength=n_values) > 0
    block = np.array(_linked(rows.open_cells, has_open))
    if rows.are_few(block[rows.codes], n_values, others & is_open, floor).any():
        yield f"fewer than {floor} have the other values that some cells may stand for"


def _nearest(number: int, base: int) -> int:
    below, beyond = divmod(number, base)
    return base * (below + (2 * beyond >= base))


def _linked(cells: ValueSets, has_open: Bools) -> list[int]:
    """For every code one that stands for all that open cells link with it; nearly O(codes + runs)."""
    parent = list(range(len(has_open)))

    def top(code: int) -> int:
        while parent[code] != code:
            parent[code] = code = parent[parent[code]]
        return code

    after = [*np.flatnonzero(has_open).tolist(), len(has_open)]
    # The first code with open rows that is not below each code, and the furthest that was linked from it.
    first = np.searchsorted(after, np.arange(len(has_open) + 1)).tolist()
    reached = list(range(len(after)))
    begin, end = cells.begin.tolist(), cells.end.tolist()
    for cell, with_missing in enumerate(cells.with_missing.tolist()):
        linked = []
        for run in range(cells.first[cell], cells.first[cell + 1]):
            place, last = first[begin[run]], first[end[run] + 1] - 1
            if place > last:
                continue
            linked.append(after[place])
            while place < last:
                step = max(reached[place], place + 1)
                parent[top(after[min(step, last)])] = top(after[place])
                reached[place] = max(reached[place], last)
                place = step
        if with_missing and has_open[-1]:
            linked.append(len(has_open) - 1)
        for code in linked[1:]:
            parent[top(code)] = top(linked[0])
    return [top(code) for code in range(len(has_open))]
