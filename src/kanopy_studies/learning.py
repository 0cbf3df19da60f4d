"""C4.5 as a recipient runs it: on distinct rows with weights, and on a release with means of numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CellKind, CodedColumn, Domain, EncodedTable, RecodedColumn, Recoding
from kanopy.data.arrays import Codes, Ints
from kanopy.data.keys import group_rows, narrowest_unsigned
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.matching import PatternIndex
from kanopy.release.patterns import Patterns
from kanopy.trees import Tree, c45, predict
from kanopy_studies.raising import raised
from kanopy_studies.settings import Sample

MIN_ROWS = 2
"""Of the recipient's tree, as J48 has it."""


def learn(sample: Sample, *, raise_subtrees: bool = False) -> Tree:
    """C4.5 with its defaults; rows with a missing value are shared among the branches."""
    table, weights = distinct_rows(sample)
    tree = c45(table, min_rows=MIN_ROWS, weights=weights, share_missing=True, prune=not raise_subtrees)
    return raised(tree, table, weights=weights, share_missing=True) if raise_subtrees else tree


def distinct_rows(sample: Sample) -> tuple[EncodedTable, NDArray[np.float64]]:
    """The distinct rows with their class, and how often each occurs."""
    columns = (*sample.columns, sample.target)
    sizes = [column.domain.n_codes for column in columns]
    group, n_groups = group_rows([column.codes for column in columns], sizes, sample.n_rows)
    example = np.zeros(n_groups, dtype=np.int64)
    example[group] = np.arange(sample.n_rows)
    *inputs, target = [CodedColumn(column.domain, column.codes[example]) for column in columns]
    return EncodedTable(n_groups, tuple(inputs), target), np.bincount(group).astype(np.float64)


def accuracy(tree: Tree, sample: Sample) -> float:
    told = predict(tree, [column.codes for column in sample.columns], sample.n_rows)
    return float(np.mean(told == sample.target.codes))


def pattern_of_rows(test: Sample, train: Sample, recoding: Recoding) -> tuple[Patterns, Ints]:
    """The patterns of a release, and the one in which each test row would have been published.

    It is the most specific one that covers it, or else the nearest: the search of ``Release.recode``.
    """
    patterns = Patterns.of(train.encoded(), recoding)
    return patterns, PatternIndex(patterns).find([_placed(column) for column in test.columns])


def _placed(column: CodedColumn) -> PlacedColumn:
    """Values that all belong to the domain of the release: code ``c`` lies at ``2 * c``."""
    place = 2 * np.arange(column.domain.n_codes)
    return PlacedColumn(place, place, np.full(len(place), np.nan), column.codes.astype(np.int32))


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How a recipient reads a published column: one domain for original and for published values.

    A mean is a number like any other. A cell that is neither a mean nor exact is missing.
    """

    domain: Domain
    of_original: NDArray[np.unsignedinteger[Any]]
    of_cell: NDArray[np.unsignedinteger[Any]]

    @classmethod
    def of(cls, column: RecodedColumn) -> Reading:
        domain = column.domain
        means = [float(cell.printed) for cell in column.cells if cell.kind is CellKind.MEAN]
        joined = _with_numbers(domain, means)
        place = np.arange(domain.n_values)
        if joined.numbers is not None and domain.numbers is not None:
            place = np.searchsorted(joined.numbers, domain.numbers)
        of_original = np.append(place, joined.missing_code)
        of_cell = np.full(len(column.cells), joined.missing_code)
        for number, cell in enumerate(column.cells):
            if cell.kind is CellKind.MEAN and joined.numbers is not None:
                of_cell[number] = np.searchsorted(joined.numbers, float(cell.printed))
            elif cell.kind is CellKind.EXACT:
                of_cell[number] = of_original[cell.low]
        width = narrowest_unsigned(joined.n_codes)
        return cls(joined, of_original.astype(width), of_cell.astype(width))

    def originals(self, codes: Codes) -> CodedColumn:
        return CodedColumn(self.domain, self.of_original[codes])

    def cells(self, ids: Codes) -> CodedColumn:
        return CodedColumn(self.domain, self.of_cell[ids])


def release_accuracies(train: Sample, test: Sample, recoding: Recoding) -> tuple[float, float]:
    """Learn from a release; the accuracy on test rows as they are, and recoded like the release."""
    readings = [Reading.of(column) for column in recoding.columns]
    kept = np.flatnonzero(recoding.is_kept)
    tree = learn(train.rows(kept).with_columns(_cells(readings, recoding.columns, kept)))
    plain = [reading.originals(column.codes) for reading, column in zip(readings, test.columns, strict=True)]
    patterns, number = pattern_of_rows(test, train, recoding)
    recoded = test.with_columns(_cells(readings, patterns.columns, number))
    return accuracy(tree, test.with_columns(plain)), accuracy(tree, recoded)


def _cells(
    readings: Sequence[Reading], columns: Sequence[RecodedColumn], places: NDArray[np.int64]
) -> list[CodedColumn]:
    return [reading.cells(column.ids[places]) for reading, column in zip(readings, columns, strict=True)]


def _with_numbers(domain: Domain, numbers: Sequence[float]) -> Domain:
    """The domain with more numbers, each once, in order."""
    if domain.numbers is None:
        return domain
    joined = np.union1d(domain.numbers, np.array(numbers, dtype=np.float64))
    return Domain(domain.name, tuple(f"{number:g}" for number in joined.tolist()), joined, domain.decimals)
