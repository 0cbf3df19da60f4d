"""A recoding counts groups as they print: cells that print alike are one, dropped rows are none."""

from __future__ import annotations

import numpy as np
import pytest

from kanopy.data import Cell, CellKind, Domain, RecodedColumn, Recoding
from kanopy.data import cell as cells

NUMBERS = Domain("n", ("1", "2", "3"), np.array([1.0, 2, 3]))
WORDS = Domain("w", ("a", "b"))


def recode(*columns: tuple[Domain, list[Cell], list[int]], kept: list[int] | None = None) -> Recoding:
    recoded = tuple(
        RecodedColumn(domain, tuple(vocabulary), np.array(ids, dtype=np.int32))
        for domain, vocabulary, ids in columns
    )
    n_rows = len(recoded[0].ids)
    is_kept = np.ones(n_rows, dtype=bool) if kept is None else np.array(kept, dtype=bool)
    return Recoding(recoded, is_kept)


def mean(low: int, high: int, printed: str) -> Cell:
    return Cell(CellKind.MEAN, low, high, printed=printed)


def test_groups_are_numbered_in_the_order_of_their_texts() -> None:
    vocabulary = [cells.exact(2), cells.SUPPRESSED, cells.MISSING, cells.span(0, 1)]
    recoding = recode((NUMBERS, vocabulary, [0, 1, 2, 3, 0]))
    assert recoding.columns[0].texts == ["3", "*", "", "[1, 2]"]
    assert recoding.columns[0].words[0] == ["", "*", "3", "[1, 2]"]
    groups, n_groups = recoding.groups
    assert (groups.tolist(), n_groups) == ([2, 1, 0, 3, 2], 4)


def test_the_first_column_leads() -> None:
    recoding = recode(
        (WORDS, [cells.exact(1), cells.exact(0)], [0, 1, 1]),
        (NUMBERS, [cells.exact(0), cells.exact(1)], [0, 0, 1]),
    )
    assert recoding.groups[0].tolist() == [2, 0, 1]


def test_means_that_print_alike_are_one_group() -> None:
    """PRIVACY: what counts is the text; the cells behind it differ."""
    recoding = recode((NUMBERS, [mean(0, 2, "2"), mean(1, 1, "2"), cells.exact(0)], [0, 1, 2, 1]))
    groups, n_groups = recoding.groups
    assert (groups.tolist(), n_groups) == ([1, 1, 0, 1], 2)
    words, word_of_cell = recoding.columns[0].words
    assert (words, word_of_cell.tolist()) == (["1", "2"], [1, 1, 0])


def test_near_miss_means_stay_two_groups() -> None:
    recoding = recode((NUMBERS, [mean(0, 2, "2"), mean(1, 1, "2.0")], [0, 1]))
    assert recoding.groups[1] == 2


def test_dropped_rows_belong_to_no_group() -> None:
    recoding = recode((WORDS, [cells.exact(0), cells.exact(1)], [1, 0, 0]), kept=[1, 0, 1])
    groups, n_groups = recoding.groups
    assert recoding.n_kept == 2
    assert (groups.tolist(), n_groups) == ([1, 0], 2)


@pytest.mark.parametrize("vocabulary", [[], [cells.SUPPRESSED]], ids=["no cells", "unused cells"])
def test_no_rows_are_kept(vocabulary: list[Cell]) -> None:
    recoding = recode((WORDS, vocabulary, [0, 0]), kept=[0, 0])
    groups, n_groups = recoding.groups
    assert (groups.tolist(), n_groups, recoding.n_kept) == ([], 0, 0)


def test_one_group_where_there_are_no_columns() -> None:
    groups, n_groups = Recoding((), np.ones(2, dtype=bool)).groups
    assert (groups.tolist(), n_groups) == ([0, 0], 1)
