"""What C4.5 learns from a release whose numbers are means, and how well it does on other rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CellKind, CodedColumn, Domain, RecodedColumn, Recoding
from kanopy.data.keys import narrowest_unsigned
from kanopy_studies import learning
from kanopy_studies.samples import Sample

Codes = NDArray[np.integer[Any]]


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """How a recipient reads a published column: one domain for original and for published values.

    A mean is a number like any other. What is neither a mean nor exact says nothing, and is missing.
    """

    domain: Domain
    of_original: NDArray[np.unsignedinteger[Any]]
    of_cell: NDArray[np.unsignedinteger[Any]]

    @classmethod
    def of(cls, column: RecodedColumn) -> Reading:
        """O(codes + cells), and a sort of the numbers."""
        domain = column.domain
        means = [cell.printed if cell.kind is CellKind.MEAN else None for cell in column.cells]
        joined = _with_numbers(domain, [float(mean) for mean in means if mean is not None])
        place = np.arange(domain.n_values)
        if joined.numbers is not None and domain.numbers is not None:
            place = np.searchsorted(joined.numbers, domain.numbers)
        of_original = np.append(place, joined.missing_code)
        of_cell = [
            int(np.searchsorted(_numbers(joined), float(mean)))
            if mean is not None
            else int(of_original[cell.low])
            if cell.kind is CellKind.EXACT
            else joined.missing_code
            for cell, mean in zip(column.cells, means, strict=True)
        ]
        width = narrowest_unsigned(joined.n_codes)
        return cls(joined, of_original.astype(width), np.array(of_cell, dtype=width))

    def originals(self, codes: Codes) -> CodedColumn:
        """Values as they are."""
        return CodedColumn(self.domain, self.of_original[codes])

    def cells(self, ids: Codes) -> CodedColumn:
        """Values as they were published."""
        return CodedColumn(self.domain, self.of_cell[ids])


def accuracies(train: Sample, test: Sample, recoding: Recoding) -> tuple[float, float]:
    """Learn from a release; the accuracy on test rows as they are, and recoded like the release.

    O(rows * columns) per level of the tree, and the search for the patterns of the test rows.
    """
    readings = [Reading.of(column) for column in recoding.columns]
    kept = np.flatnonzero(recoding.is_kept)
    tree = learning.learn(train.rows(kept).with_columns(_cells(readings, recoding.columns, kept)))
    plain = [reading.originals(column.codes) for reading, column in zip(readings, test.columns, strict=True)]
    patterns, number = learning.pattern_of_rows(test, train, recoding)
    recoded = test.with_columns(_cells(readings, patterns.columns, number))
    return learning.accuracy(tree, test.with_columns(plain)), learning.accuracy(tree, recoded)


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


def _numbers(domain: Domain) -> NDArray[np.float64]:
    assert domain.numbers is not None
    return domain.numbers
