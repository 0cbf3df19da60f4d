"""What the sketches of a recoding say, group by group: for drawing rows from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from kanopy.data import Cell, Domain, RecodedColumn, Recoding
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.ranked import ChunkMeans, CountedCodes


@dataclass(frozen=True, eq=False)
class SketchedNumbers:
    """The chunk means of each group, and how many rows have no number."""

    chunks: ChunkMeans  # a group without means has one, that of the whole column
    n_missing: Ints

    def drawn(self, group: Codes, rank: Floats) -> Floats:
        """The number of each rank in the group beside it, NaN for missing, which comes last."""
        numbers = self.chunks.at(group, rank)
        return np.where(rank < self.chunks.n_numbers[group], numbers, np.nan)


@dataclass(frozen=True, eq=False)
class SketchedCategories:
    """The values of each group with their counts, in an order for drawing."""

    codes: CountedCodes

    def drawn(self, group: Codes, rank: Floats) -> Ints:
        """The code of each rank in the group beside it."""
        return self.codes.at(group, rank)


Sketches = SketchedNumbers | SketchedCategories


def sketches_of(recoding: Recoding, sizes: Ints, places: Sequence[Floats]) -> list[Sketches]:
    """What the cells of each group say, column by column; O(groups * columns * what a cell says).

    ``places`` is where the codes of each column lie in its published order.
    """
    return [
        _of_numbers(column, _cells(column, recoding), sizes)
        if column.domain.is_numeric
        else _of_categories(column.domain, _cells(column, recoding), sizes, of_codes)
        for column, of_codes in zip(recoding.columns, places, strict=True)
    ]


def _cells(column: RecodedColumn, recoding: Recoding) -> list[Cell]:
    """The cell of each group."""
    return [column.cells[number] for number in column.ids[recoding.example_of_part].tolist()]


def _of_numbers(column: RecodedColumn, cells: list[Cell], sizes: Ints) -> SketchedNumbers:
    domain = column.domain
    assert domain.numbers is not None
    present = [domain.scale.numbers(cell.means) for cell in cells if cell.means]
    middle = np.sort(np.concatenate(present)) if present else domain.numbers
    centre = float(middle[len(middle) // 2])
    means = [domain.scale.numbers(cell.means) if cell.means else np.array([centre]) for cell in cells]
    n_missing = [
        cell.counts[-1] if cell.counts else (0 if cell.means else size)
        for cell, size in zip(cells, sizes.tolist(), strict=True)
    ]
    first = np.append(0, np.cumsum([len(each) for each in means]))
    lacking = np.array(n_missing, dtype=np.int64)
    return SketchedNumbers(ChunkMeans(first, np.concatenate(means), sizes - lacking), lacking)


def _of_categories(domain: Domain, cells: list[Cell], sizes: Ints, places: Floats) -> SketchedCategories:
    codes, counts = list[Ints](), list[Ints]()
    for cell, size in zip(cells, sizes.tolist(), strict=True):
        members = list(cell.members) if cell.members else [cell.low] if cell.low >= 0 else []
        code = np.array(members + [domain.missing_code] * cell.with_missing, dtype=np.int64)
        count = np.array(cell.counts if cell.counts else [size], dtype=np.int64)
        order = np.argsort(places[code], kind="stable")
        codes.append(code[order])
        counts.append(count[order])
    first = np.append(0, np.cumsum([len(each) for each in codes]))
    return SketchedCategories(CountedCodes(first, np.concatenate(codes), np.concatenate(counts)))
