"""Guesses from sketched cells: by how likely everybody's values are in each group, and how large that is."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

import numpy as np

from kanopy.attacks.reading import People, ReadTable, ReleaseGroups, group_examples, read_text
from kanopy.data import Domain
from kanopy.data.arrays import Codes, Floats, Ints
from kanopy.data.grammar import ReadCell
from kanopy.frames.new_rows import PlacedColumn
from kanopy.utility.membership import CategoryCells, KnownColumn, NumberCells, guessed

GroupCells = NumberCells | CategoryCells
_MOST_VALUES = 100
_POINTS_OF_RANGE = 5
"""Points that stand for the numbers of a range, where a column has some beside sketches."""


def likely_cells(release: ReadTable, people: People, groups: ReleaseGroups) -> list[GroupCells] | None:
    """What the cells of each group say, column by column; None where none of them is a sketch.

    O(rows + groups * columns * what a cell says).
    """
    example = group_examples(groups.group, groups.n_groups)
    found, is_sketched = list[GroupCells](), False
    for column in people.quasi:
        published = release.columns[column.domain.name]
        read = [*map(read_text, published.texts.to_pylist()), ReadCell(with_missing=True)]
        cells = [read[code] for code in published.codes[example].tolist()]
        is_sketched |= any(cell.is_sketch for cell in cells)
        sizes = groups.sizes.astype(np.float64)
        found.append((_numbers if column.domain.is_numeric else _categories)(cells, column.domain, sizes))
    return found if is_sketched else None


def likeliest(
    cells: Sequence[GroupCells], placed: Sequence[PlacedColumn], domains: Sequence[Domain], held: Floats
) -> Ints:
    """The class that everybody is guessed to have; ``held`` has groups (down) and classes (across).

    O(people * groups * columns).
    """
    return guessed(cells, [_known(*pair) for pair in zip(placed, domains, strict=True)], held)


def frequent_values(group: Codes, values: Ints, n_groups: int) -> tuple[Ints, Floats]:
    """The most frequent values, ascending, and how many rows of each group (down) have each; O(rows).

    Nobody is guessed to have any other: their number bounds the work, and rare ones are hardly ever guessed.
    """
    totals = np.bincount(values)
    chosen = np.sort(np.argsort(-totals, kind="stable")[: min(_MOST_VALUES, np.count_nonzero(totals))])
    place = np.full(len(totals), -1)
    place[chosen] = np.arange(len(chosen))
    held = np.zeros((n_groups, len(chosen)))
    is_chosen = place[values] >= 0
    np.add.at(held, (group[is_chosen], place[values[is_chosen]]), 1)
    return chosen, held


def _known(placed: PlacedColumn, domain: Domain) -> KnownColumn:
    if domain.is_numeric:
        return KnownColumn(placed.numbers, placed.codes)
    is_code = (placed.first == placed.last) & (placed.first % 2 == 0)
    return KnownColumn(np.where(is_code, placed.first // 2, -1), placed.codes)


def _numbers(cells: Sequence[ReadCell], domain: Domain, sizes: Floats) -> NumberCells:
    points = [_points(cell, domain) for cell in cells]
    owner = np.repeat(np.arange(len(cells)), [len(each) for each in points])
    is_missing = np.array([cell.with_missing and not cell.parts for cell in cells], dtype=bool)
    n_missing = np.where(is_missing, sizes, [cell.n_missing for cell in cells])
    step = domain.scale.step(domain.decimals)
    return NumberCells(
        owner, np.array([*chain.from_iterable(points)], dtype=np.float64), sizes - n_missing, n_missing, step
    )


def _points(cell: ReadCell, domain: Domain) -> list[float]:
    texts = cell.means or cell.texts
    ends = [] if texts else [text for some in cell.ranges for text in some]
    numbers = [number for text in (*texts, *ends) if (number := domain.scale.number(text)) is not None]
    if texts or not numbers:
        return numbers
    return [*map(float, np.linspace(min(numbers), max(numbers), _POINTS_OF_RANGE))]


def _categories(cells: Sequence[ReadCell], domain: Domain, sizes: Floats) -> CategoryCells:
    lines = [
        (group, code, count)
        for group, (cell, size) in enumerate(zip(cells, sizes.tolist(), strict=True))
        for code, count in _counted(cell, domain, size)
    ]
    group, code, count = np.array(lines, dtype=np.float64).reshape(-1, 3).T
    return CategoryCells(group.astype(np.int64), code.astype(np.int64), count, len(cells))


def _counted(cell: ReadCell, domain: Domain, size: float) -> list[tuple[int, float]]:
    names = [*cell.texts, *[""] * cell.with_missing]
    codes = [domain.code_of.get(name, -1) if name else domain.missing_code for name in names]
    counts = cell.counts or [size / max(len(names), 1)] * len(names)
    return [(code, count) for code, count in zip(codes, counts, strict=True) if code >= 0]
