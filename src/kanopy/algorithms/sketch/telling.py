"""What groups tell about the class of their members: measured on rows that are held back.

Somebody knows all quasi-identifiers of a row and guesses its class from the published cells. He is right more
often for members of the groups than for strangers: the difference is the excess.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kanopy.algorithms.mondrian import mondrian
from kanopy.algorithms.sketch.drawing import sketches_of
from kanopy.data import Domain, EncodedTable, Partition, RecodedColumn, Recoding, sketched
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.keys import each_nameless_apart
from kanopy.data.reading import value_places
from kanopy.privacy import PrivacyModel
from kanopy.utility.membership import KnownColumn, guessed


class Guessed(NamedTuple):
    """Shares of rows whose class is guessed from the groups: of members, and of strangers to them."""

    members: float
    strangers: float

    @property
    def excess(self) -> float:
        return self.members - self.strangers


def guessed_by_sketch(
    table: EncodedTable, classes: Codes, partition: Partition, k: int, strangers: EncodedTable, theirs: Codes
) -> Guessed:
    """Of groups that are published as sketches; O(rows * groups * columns)."""
    recoding = sketched(partition, table, k)
    group, n_groups = recoding.groups
    sizes = np.bincount(group, minlength=n_groups)
    recoding = Recoding(recoding.columns, recoding.is_kept, group)
    places = [value_places(column.domain, ()) for column in table.quasi]
    cells = [column.told for column in sketches_of(recoding, sizes, places)]
    held = held_classes(group, n_groups, classes)
    members, others = (guessed(cells, _known(each), held) for each in (table, strangers))
    return Guessed(float(np.mean(members == classes)), float(np.mean(others == theirs)))


def guessed_by_mondrian(
    table: EncodedTable, promise: PrivacyModel, classes: Codes, strangers: EncodedTable, theirs: Codes
) -> Guessed:
    """Of the groups that ``mondrian`` makes of the same rows; O(rows * groups * columns).

    Everybody is guessed to have the most frequent class of the group whose cells are nearest to the row.
    """
    recoding = mondrian(table, promise, None)
    group, n_groups = recoding.groups
    guess = held_classes(group, n_groups, classes).argmax(axis=1)
    recoding = Recoding(recoding.columns, recoding.is_kept, group)
    nearest = _nearest(recoding, [column.codes for column in strangers.quasi])
    return Guessed(float(np.mean(guess[group] == classes)), float(np.mean(guess[nearest] == theirs)))


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


def _known(table: EncodedTable) -> list[KnownColumn]:
    return [KnownColumn(_values(column.domain), column.codes) for column in table.quasi]


def _values(domain: Domain) -> Floats | Ints:
    """What each code stands for: a number, NaN for missing, or the code of a category itself."""
    return np.arange(domain.n_codes) if domain.numbers is None else np.append(domain.numbers, np.nan)


def _nearest(recoding: Recoding, rows: Sequence[Codes]) -> Ints:
    """The group whose cells are nearest to each row: what a cell covers is at no distance, a number as far as
    it lies off, everything else wholly off. As in ``kanopy.attacks``; O(rows * groups * columns)."""
    example = recoding.example_of_part
    distance = np.zeros((len(rows[0]), len(example)))
    for column, codes in zip(recoding.columns, rows, strict=True):
        distance += _distances(column)[:, column.ids[example]][codes]
    return np.asarray(distance.argmin(axis=1))


def _distances(column: RecodedColumn) -> Floats:
    """Of codes (down) to cells (across)."""
    domain = column.domain
    covers = np.column_stack([cell.covers(domain) for cell in column.cells])
    if not domain.is_numeric or domain.hierarchy is not None:
        return np.asarray(~covers, dtype=np.float64)
    low, high = np.array([(cell.low, cell.high) for cell in column.cells]).T
    places = domain.positions[:, None]
    off = np.maximum(np.maximum(places[low].T[0] - places, places - places[high].T[0]), 0)
    off[-1] = 1
    off[:, low < 0] = 1
    return np.where(covers, 0.0, off)
