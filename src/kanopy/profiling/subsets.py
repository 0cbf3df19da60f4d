"""What every one, two and three of the quasi-identifiers tell: their groups are counted on different lines.

A line that is alone in its group stays alone whatever other columns are looked at, so it is counted once and
left out from there on: the more a column tells, the fewer lines are left.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from kanopy.auditing import TextTable
from kanopy.auditing.counted import Members, added_up
from kanopy.auditing.text import TextColumn, TextRows
from kanopy.data.arrays import Bools, Codes, Ints
from kanopy.data.keys import begins_run, distinct_sorted, paired, rank
from kanopy.profiling.figures import SubsetFigures

_LARGEST = ((12, 3), (100, 2))  # up to so many quasi-identifiers, subsets have so many columns
_FEW_KEYS = 1 << 10
_MOST_TWINS = 4  # pairs of lines of one person, for every line; with more of them, lines are sorted instead
_MOST_LINES = 1000  # of one person, likewise
_MANY_KEYS = 4  # lines per key below which it is worth while to look for lines that are alone


def largest_subset(n_columns: int) -> int:
    """How many columns a subset has at most, of so many quasi-identifiers."""
    most = next((largest for few, largest in _LARGEST if n_columns <= few), 1)
    return min(most, n_columns)


def subset_figures(rows: TextRows, names: Sequence[str], n_members: int) -> tuple[SubsetFigures, ...]:
    """The figures of all subsets, what tells most first: unique members, then the number of groups.

    ``n_members`` are all rows, or all persons. O(lines) for each subset, C(n, 3) for n columns; a sort where
    combinations are many, or where some persons have very many lines.
    """
    place = {name: number for number, name in enumerate(names)}
    many_first = sorted(names, key=lambda name: -len(rows.table.columns[name].words))  # few lines are left
    branches = _branches(_Branch.root(rows), many_first, largest_subset(len(names)))
    found = [branch.figures(sorted(branch.columns, key=place.__getitem__), n_members) for branch in branches]

    def tells_more(each: SubsetFigures) -> tuple[object, ...]:
        columns = [place[name] for name in each.columns]
        return -each.unique, -each.groups, each.smallest, len(columns), columns

    return tuple(sorted(found, key=tells_more))


class Twins(NamedTuple):
    """All pairs of lines of one person: the later line of each, and for every column whether both agree.

    Where they agree on all columns of a subset, the later line counts the person a second time. To look that
    up for a subset takes a fraction of the time of a sort.
    """

    n_lines: int
    later: Ints
    agree: Mapping[str, Bools]

    @classmethod
    def of(cls, rows: TextRows) -> Twins | None:
        """Those of lines in the order of persons; None where there are too many, or no persons. O(pairs)."""
        persons, n_lines = rows.persons, rows.table.n_lines
        if persons is None:
            return None
        place = np.arange(n_lines)
        before = place - np.maximum.accumulate(np.where(begins_run([persons], n_lines), place, 0))
        if before.sum() > _MOST_TWINS * n_lines or before.max() > _MOST_LINES:
            return None
        later = [np.flatnonzero(before >= distance) for distance in range(1, int(before.max()) + 1)]
        earlier = [lines - distance for distance, lines in enumerate(later, start=1)]
        ends = [np.concatenate([np.zeros(0, dtype=np.int64), *lines]) for lines in (later, earlier)]
        every = rows.table.columns.items()
        agree = {name: each.codes.take(ends[0]) == each.codes.take(ends[1]) for name, each in every}
        return cls(n_lines, ends[0], agree)

    def first_lines(self, is_same: Bools) -> Bools:
        """Which lines are the first of their person in a group; O(lines + pairs)."""
        is_first = np.ones(self.n_lines, dtype=np.bool_)
        is_first[self.later[is_same]] = False
        return is_first


class _Branch(NamedTuple):
    """A subset of the columns: the key of every line, and what was counted already.

    Lines with one key agree on the columns. Some keys may not occur.
    """

    rows: TextRows
    columns: tuple[str, ...]
    lines: Ints | None  # those that are left; None: all
    keys: Codes  # of these
    n_keys: int
    sizes: Ints  # of the groups that are lines which were left out
    twins: Twins | None = None  # where persons are counted, and few of them have many lines
    is_same: Bools | None = None  # of these, which agree on the columns

    @classmethod
    def root(cls, rows: TextRows) -> _Branch:
        """The subset of no columns; lines are in the order of persons, where these are known."""
        nothing, no_key = np.zeros(0, dtype=np.int64), np.zeros(rows.table.n_lines, dtype=np.int32)
        ordered = _by_person(rows)
        twins = Twins.of(ordered)
        return cls(ordered, (), None, no_key, 1, nothing, twins)

    def with_column(self, name: str) -> _Branch:
        """The subset with one column more; O(lines that are left), or a sort of them."""
        codes, n_codes = _codes(self.rows.table.columns[name], self.lines)
        keys, n_keys = paired(self.keys, codes, self.n_keys, n_codes), self.n_keys * n_codes
        if n_keys > len(keys) + _FEW_KEYS:
            keys, n_keys = rank(keys, n_keys) if len(keys) else (keys, 1)
        longer = self._replace(columns=(*self.columns, name), keys=keys, n_keys=n_keys)
        if self.twins is not None:
            agree = self.twins.agree[name]
            longer = longer._replace(is_same=agree if self.is_same is None else self.is_same & agree)
        is_countable = self.rows.persons is None  # of persons, one may be alone in several groups
        return longer._without_alone() if is_countable and n_keys * _MANY_KEYS > len(keys) else longer

    def _without_alone(self) -> _Branch:
        """Without the lines that are alone in their groups, whose sizes are noted; O(lines)."""
        is_alone = (np.bincount(self.keys, minlength=self.n_keys) == 1).take(self.keys)
        if 2 * np.count_nonzero(is_alone) <= len(self.keys):
            return self
        lines = np.arange(len(self.keys)) if self.lines is None else self.lines
        assert self.rows.table.weight is not None, "different lines have weights"
        sizes = np.concatenate([self.sizes, self.rows.table.weight[lines[is_alone]]])
        return self._replace(lines=lines[~is_alone], keys=self.keys[~is_alone], sizes=sizes)

    def figures(self, columns: Sequence[str], n_members: int) -> SubsetFigures:
        """Count the groups, with the columns in this order; O(lines that are left) and ``Twins``."""
        weight, persons = self.rows.table.weight, self.rows.persons
        if persons is not None and self.twins is not None and self.is_same is not None:
            is_first = self.twins.first_lines(self.is_same)
            sizes, unique = _counted_persons(self.keys[is_first], self.n_keys, persons[is_first])
        elif persons is not None:
            sizes, unique = _persons_in(self.keys, self.n_keys, persons)
        else:
            weight = weight if self.lines is None or weight is None else weight[self.lines]
            sizes = np.concatenate([self.sizes, added_up(self.keys, self.n_keys, weight)])
            unique = int(np.count_nonzero(sizes == 1))
        sizes = sizes[sizes > 0]
        return SubsetFigures(tuple(columns), len(sizes), int(sizes.min()), unique, unique / n_members)


def _by_person(rows: TextRows) -> TextRows:
    """The lines of one person as neighbours; O(lines * columns), a sort."""
    if rows.persons is None:
        return rows
    order = np.argsort(rows.persons, kind="stable")
    every = rows.table.columns.items()
    columns = {name: TextColumn(each.words, each.codes.take(order)) for name, each in every}
    return TextRows(TextTable(columns, rows.table.n_rows), rows.persons.take(order))


def _persons_in(keys: Codes, n_keys: int, persons: Codes) -> tuple[Ints, int]:
    """How many persons have each key, and how many are alone with one; a sort of what is nearly sorted."""
    n_bits = int(n_keys).bit_length()  # to take pairs of bits apart is far quicker than to divide
    pairs = persons.astype(np.int64) << n_bits
    pairs |= keys
    pairs.sort(kind="stable")
    pairs = pairs[begins_run([pairs], len(pairs))]
    return _counted_persons(pairs & ((1 << n_bits) - 1), n_keys, pairs >> n_bits)


def _counted_persons(keys: Codes, n_keys: int, persons: Codes) -> tuple[Ints, int]:
    """The same where every person, in their order, is there once for each of their keys; O(lines).

    PRIVACY: one person counts once, in a group and among those who are alone
    (tests/properties/test_profile_twin.py).
    """
    number = np.bincount(keys, minlength=n_keys)
    is_alone = number == 1
    alone = persons[is_alone.take(keys)] if is_alone.any() else persons[:0]
    return number, int(np.count_nonzero(begins_run([alone], len(alone))))


def _codes(column: TextColumn, lines: Ints | None) -> tuple[Codes, int]:
    codes = column.codes if lines is None else column.codes.take(lines)
    return codes, len(column.words)


def _branches(parent: _Branch, names: Sequence[str], most: int) -> Iterator[_Branch]:
    """All subsets of at most so many columns more than the parent has, in any order."""
    for number, name in enumerate(names, start=1):
        branch = parent.with_column(name)
        yield branch
        if most > 1:
            yield from _branches(branch, names[number:], most - 1)


def members_below(members: Members, n: int) -> int:
    """How many members are in a group of fewer than ``n``; a person counts once. O(lines)."""
    is_small = members.number < n
    if members.persons is None:
        return int(members.number[is_small].sum())
    return len(distinct_sorted(members.persons[is_small.take(members.group)]))
