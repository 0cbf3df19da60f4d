"""A recipient's C4.5, which learns from equal rows once; and the pattern that a row would be published in."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kanopy.data import CodedColumn, EncodedTable, Recoding
from kanopy.data.keys import group_rows
from kanopy.frames.new_rows import PlacedColumn
from kanopy.release.matching import PatternIndex
from kanopy.release.patterns import Patterns
from kanopy.trees import Tree, c45, predict
from kanopy_studies.samples import Sample

Ints = NDArray[np.int64]

MIN_ROWS = 2
"""Of the recipient's tree, as J48 has it."""


def learn(sample: Sample, *, raise_subtrees: bool = False) -> Tree:
    """C4.5 with its defaults; rows with a missing value are shared among the branches.

    O(different rows * columns) per level of the tree, whatever the number of rows.
    """
    table, weights = distinct_rows(sample)
    return c45(table, min_rows=MIN_ROWS, weights=weights, share_missing=True, raise_subtrees=raise_subtrees)


def distinct_rows(sample: Sample) -> tuple[EncodedTable, NDArray[np.float64]]:
    """The different rows with their class, and how often each occurs."""
    columns = (*sample.columns, sample.target)
    sizes = [column.domain.n_codes for column in columns]
    group, n_groups = group_rows([column.codes for column in columns], sizes, sample.n_rows)
    example = np.zeros(n_groups, dtype=np.int64)
    example[group] = np.arange(sample.n_rows)
    *inputs, target = [CodedColumn(column.domain, column.codes[example]) for column in columns]
    return EncodedTable(n_groups, tuple(inputs), target), np.bincount(group).astype(np.float64)


def accuracy(tree: Tree, sample: Sample) -> float:
    """The share of the rows whose class the tree tells."""
    told = predict(tree, [column.codes for column in sample.columns], sample.n_rows)
    return float(np.mean(told == sample.target.codes))


def pattern_of_rows(test: Sample, train: Sample, recoding: Recoding) -> tuple[Patterns, Ints]:
    """The patterns of a release, and the one in which each test row would have been published.

    That is the most specific one that covers it; where none does, the nearest. The search is that of
    ``Release.recode``.
    """
    patterns = Patterns.of(train.encoded(), recoding)
    return patterns, PatternIndex(patterns).find([_placed(column) for column in test.columns])


def _placed(column: CodedColumn) -> PlacedColumn:
    """Values that all belong to the domain of the release: code ``c`` lies at ``2 * c``."""
    place = 2 * np.arange(column.domain.n_codes)
    return PlacedColumn(place, place, np.full(len(place), np.nan), column.codes.astype(np.int32))
