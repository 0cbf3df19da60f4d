"""What groups tell about the class of their members: measured on rows that are held back.

Somebody knows all quasi-identifiers of a row and guesses its class from the published cells. He is right more
often for members of the groups than for strangers: the difference is the excess.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.mondrian import mondrian
from kanopy.data import CodedColumn, Domain, EncodedTable, Partition, RecodedColumn, Recoding
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.counts import Histogram
from kanopy.data.keys import each_nameless_apart, order_of
from kanopy.data.sketch import LEAST_IN_CHUNK, ROWS_PER_CHUNK
from kanopy.privacy import PrivacyModel
from kanopy.utility.membership import CategoryCells, KnownColumn, NumberCells, guessed

_MOST_VALUES = 128
"""Different numbers of a column that people are told apart by: kernels are wider than what lies between."""
_MOST_MEMBERS = 2_000
"""How many members are guessed: with ten times as many, their share would hardly be another one."""
_EXACT, _PARTS = 2.0**53, 2.0**20
_ROOM = 1 << 20  # numbers in memory at a time, but for those that are returned


class Guessed(NamedTuple):
    """Shares of rows whose class is guessed from the groups: of members, and of strangers to them."""

    members: float
    strangers: float

    @property
    def excess(self) -> float:
        return self.members - self.strangers


@dataclass(frozen=True, eq=False)
class HeldBack:
    """Rows that are grouped, the members, and rows that are held back, the strangers, with their classes.

    At most 2,000 members are guessed, evenly taken.
    """

    table: EncodedTable
    classes: Codes
    strangers: EncodedTable
    theirs: Codes

    def by_sketch(self, partition: Partition, k: int) -> Guessed:
        """Of groups that are published as sketches; O(columns * (rows * log(rows) + values * chunks +
        people * groups)): at most 128 values of a column of numbers, a fifth as many chunks as rows."""
        cells = told_by_sketches(self.table, partition, k)
        guess = guessed(cells, self._known, held_classes(partition.group, partition.n_groups, self.classes))
        n_members = len(self._members)
        members, strangers = guess[:n_members], guess[n_members:]
        return Guessed(
            float(np.mean(members == self.classes[self._members])), float(np.mean(strangers == self.theirs))
        )

    def by_mondrian(self, promise: PrivacyModel) -> Guessed:
        """Of the groups that ``mondrian`` makes of the same rows; O(rows * groups * columns).

        Everybody is guessed to have the most frequent class of the group whose cells are nearest to the row.
        """
        recoding = mondrian(self.table, promise, None)
        group, n_groups = recoding.groups
        guess = held_classes(group, n_groups, self.classes).argmax(axis=1)
        recoding = Recoding(recoding.columns, recoding.is_kept, group)
        nearest = _nearest(recoding, [column.codes for column in self.strangers.quasi])
        return Guessed(
            float(np.mean(guess[group] == self.classes)), float(np.mean(guess[nearest] == self.theirs))
        )

    @cached_property
    def _members(self) -> Ints:
        n_rows = self.table.n_rows
        n_guessed = min(n_rows, _MOST_MEMBERS)
        return np.arange(n_guessed) * n_rows // max(n_guessed, 1)

    @cached_property
    def _known(self) -> list[KnownColumn]:
        """What is known of the members that are guessed, and then of the strangers."""
        return [
            _known(ours.domain, np.concatenate([ours.codes[self._members], others.codes]))
            for ours, others in zip(self.table.quasi, self.strangers.quasi, strict=True)
        ]


def told_by_sketches(table: EncodedTable, partition: Partition, k: int) -> list[NumberCells | CategoryCells]:
    """What the sketches of groups say to an attacker, column by column; O(rows * columns * log(rows)).

    No cell is made: of hundreds of columns these would take most of the time. Groups that would print alike
    count each for itself, and chunks have three rows or more, whoever is behind these.
    """
    group, n_groups = partition.group, partition.n_groups
    told = dict[int, NumberCells | CategoryCells]()
    numeric = list[int]()
    for place, column in enumerate(table.quasi):
        if column.domain.is_numeric:
            numeric.append(place)
        else:
            found = Histogram.of(column, group, n_groups)
            told[place] = CategoryCells(found.group, found.value, found.count.astype(np.float64), n_groups)
    by_group, step = _InGroups.of(partition), max(_ROOM // max(table.n_rows, 1), 1)
    for begin in range(0, len(numeric), step):
        some = numeric[begin : begin + step]
        cells = by_group.numbers_told([table.quasi[place] for place in some], max(1, k // ROWS_PER_CHUNK))
        told.update(zip(some, cells, strict=True))
    return [told[place] for place in range(len(table.quasi))]


class _InGroups(NamedTuple):
    """The rows, group by group."""

    order: Ints
    sizes: Ints
    starts: Ints

    @classmethod
    def of(cls, partition: Partition) -> _InGroups:
        order = order_of(partition.group.astype(np.int64), partition.n_groups)
        sizes = np.bincount(partition.group, minlength=partition.n_groups)
        return cls(order, sizes, np.cumsum(sizes) - sizes)

    def numbers_told(self, columns: Sequence[CodedColumn], most_chunks: int) -> list[NumberCells]:
        """The chunk means of some columns, all at once: they have the same groups."""
        n_groups, missing = len(self.sizes), np.array([[column.domain.missing_code] for column in columns])
        width, of_row = int(missing.max()) + 1, np.repeat(np.arange(n_groups), self.sizes)
        codes = np.stack([column.codes[self.order].astype(np.int64) for column in columns])
        codes += of_row * width
        codes.sort(axis=1)
        codes -= of_row * width
        is_number = codes < missing
        n_numbers = np.add.reduceat(is_number, self.starts, axis=1, dtype=np.int64)
        has_means = np.array([[column.domain.scale.has_chunk_means] for column in columns])
        n_chunks = np.where(has_means, np.minimum(most_chunks, n_numbers // LEAST_IN_CHUNK), 0)
        first = np.append(0, np.cumsum(n_chunks))
        is_used = is_number & (n_chunks[:, of_row] > 0)
        rank = np.arange(len(of_row)) - self.starts[of_row]
        # As numbers are cut into chunks in kanopy.data.sketch.
        chunk = ((rank + 1) * n_chunks[:, of_row] - 1) // np.maximum(n_numbers[:, of_row], 1)
        chunk = (chunk + first[:-1].reshape(n_chunks.shape)[:, of_row])[is_used]
        sizes = np.bincount(chunk, minlength=int(first[-1]))
        lines = zip(columns, codes, is_used, strict=True)
        numbers = np.concatenate([_values(column.domain)[of[used]] for column, of, used in lines])
        # In parts, which change no digit: a sum of large floats may not fit into a float.
        means = np.bincount(chunk, numbers / _PARTS, minlength=int(first[-1])) / sizes * _PARTS
        # Of a suppressed cell nobody knows how many are missing.
        n_told = np.where((n_chunks > 0) | (n_numbers == 0), n_numbers, self.sizes).astype(np.float64)
        ends = np.cumsum(n_chunks.sum(axis=1))[:-1]
        return [
            NumberCells(
                np.repeat(np.arange(n_groups), chunks),
                _rounded(of_column, column.domain.decimals),
                n_known,
                self.sizes - n_known,
                column.domain.scale.step(column.domain.decimals),
            )
            for column, chunks, of_column, n_known in zip(
                columns, n_chunks, np.split(means, ends), n_told, strict=True
            )
        ]


def _rounded(means: Floats, decimals: int) -> Floats:
    """As they are printed; large ones have no digits to be rounded."""
    is_small = np.abs(means) < _EXACT * 10.0**-decimals
    return np.asarray(np.where(is_small, np.round(np.where(is_small, means, 0), decimals), means))


def held_classes(group: Codes, n_groups: int, classes: Codes) -> Floats:
    """How many rows of each group (down) have each class (across); O(rows)."""
    n_classes = int(classes.max(initial=0)) + 1
    keys = group.astype(np.int64) * n_classes + classes
    return np.bincount(keys, minlength=n_groups * n_classes).reshape(n_groups, n_classes).astype(np.float64)


def parts_of(classes: Codes, persons: Codes | None, n_parts: int, rng: np.random.Generator) -> Ints:
    """The part of each row, of every class the same share; persons are not divided, rows without one
    are divided one by one. O(rows log rows)."""
    if persons is not None:
        owner = each_nameless_apart(persons)
        _, first, number = np.unique(owner, return_index=True, return_inverse=True)
        return parts_of(classes[first], None, n_parts, rng)[number]
    order = np.lexsort((rng.random(len(classes)), classes))
    part = np.empty(len(classes), dtype=np.int64)
    part[order] = np.arange(len(classes)) % n_parts
    return part


def _known(domain: Domain, codes: Codes) -> KnownColumn:
    """The different values of people, and the one of each; of many numbers only the middle ones of parts in
    which both people and distance are few. O(people log people)."""
    present, place, times = np.unique(codes, return_inverse=True, return_counts=True)
    values, is_number = _values(domain)[present], present < domain.missing_code
    if not domain.is_numeric or len(present) <= _MOST_VALUES:
        return KnownColumn(values, place)
    people, along = np.cumsum(times * is_number), domain.positions[present]
    along = (along - along[0]) / max(along[-1] - along[0], 1e-300)
    part = ((people - times / 2) / people[-1] + along) / 2 * _MOST_VALUES
    part = np.where(is_number, np.minimum(part, _MOST_VALUES - 1), _MOST_VALUES).astype(np.int64)
    _, first, number = np.unique(part, return_index=True, return_inverse=True)
    middle = (first + np.append(first[1:], len(part)) - 1) // 2
    return KnownColumn(values[middle], number[place])


def _values(domain: Domain) -> Floats | Ints:
    """What each code stands for: a number, NaN for missing, or the code of a category itself."""
    return np.arange(domain.n_codes) if domain.numbers is None else np.append(domain.numbers, np.nan)


def _nearest(recoding: Recoding, rows: Sequence[Codes]) -> Ints:
    """The group whose cells are nearest to each row: what a cell covers is at no distance, a number as far as
    it lies off, everything else wholly off. As in ``kanopy.attacks``; O(rows * groups * columns)."""
    example = recoding.example_of_part
    found = np.empty(len(rows[0]), dtype=np.int64)
    step = max(_ROOM // max(len(example), 1), 1)
    for top in range(0, len(found), step):
        some = slice(top, min(top + step, len(found)))
        distance = np.zeros((some.stop - top, len(example)))
        for column, codes in zip(recoding.columns, rows, strict=True):
            present, place = np.unique(codes[some], return_inverse=True)
            distance += _distances(column, present)[:, column.ids[example]][place]
        found[some] = distance.argmin(axis=1)
    return found


def _distances(column: RecodedColumn, codes: Codes) -> Floats:
    """Of some codes (down) to cells (across)."""
    domain = column.domain
    if not domain.is_numeric or domain.hierarchy is not None:
        return np.column_stack([~cell.covers(domain)[codes] for cell in column.cells]).astype(np.float64)
    low, high, with_missing = np.array([(cell.low, cell.high, cell.with_missing) for cell in column.cells]).T
    places, of_codes = domain.positions, domain.positions[codes][:, None]
    off: Floats = np.maximum(np.maximum(places[low] - of_codes, of_codes - places[high]), 0)
    off[:, low < 0] = 1
    off[codes == domain.missing_code] = with_missing == 0
    return off
