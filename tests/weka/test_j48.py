"""Our C4.5 against Weka's J48: the same trees, line by line, and the same predictions.

``compare_j48.py`` does this at length.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from compare_j48 import (
    COMPLETE,
    MISSING,
    compare,
    data_folder,
    grown,
    halves,
    lines_of,
    read_table,
    same_lines,
    weka_predictions,
    weka_tree,
)
from effort import one_in
from weka_program import requires_weka

from kanopy.data import CodedColumn, Domain, EncodedTable
from kanopy.trees import as_text, predict

pytestmark = requires_weka

needs_tables = pytest.mark.skipif(data_folder() is None, reason="KANOPY_DATA names no folder with the tables")


def assert_same_tree(table: EncodedTable, folder: Path, *options: str, raises: bool, title: str = "") -> int:
    """And how many leaves it has."""
    ours = lines_of(as_text(grown(table, title, raises=raises), table.target.domain.labels))
    theirs = weka_tree(folder, table, *options)
    assert same_lines(ours, theirs), f"{len(ours)} and {len(theirs)} lines"
    return sum(bool(verdict) for _, verdict, *_ in theirs)


@needs_tables
@pytest.mark.parametrize(("title", "raises"), one_in(2, [*COMPLETE, *MISSING], [False, True]))
def test_same_tree(title: str, raises: bool, tmp_path: Path) -> None:
    assert_same_tree(read_table(title), tmp_path, *([] if raises else ["-S"]), raises=raises, title=title)


@needs_tables
def test_raising_matters(tmp_path: Path) -> None:
    table = read_table("tic_tac_toe")
    assert assert_same_tree(table, tmp_path, "-S", raises=False) == 111
    assert assert_same_tree(table, tmp_path, raises=True) == 95


@needs_tables
@pytest.mark.parametrize("title", ["tic_tac_toe", "glass, numeric", "crx, numeric", *MISSING[:2]])
def test_same_predictions(title: str, tmp_path: Path) -> None:
    """Of rows that were not learned from; missing values, and numbers between those seen, included."""
    found = compare(title, 1, tmp_path, with_trees=False)
    assert found["neither raises"].same_predictions == 1
    assert found["both raise"].same_predictions == 1
    # Raising changes a few predictions, and the accuracy by less than one half differs from the other.
    difference = abs(found["only J48 raises"].our_accuracy - found["only J48 raises"].their_accuracy)
    assert difference < 0.04


# --- rules that the tables above do not try --------------------------------------------------------------


def table_of_codes(columns: list[np.ndarray], classes: np.ndarray) -> EncodedTable:
    def coded(name: str, letter: str, codes: np.ndarray) -> CodedColumn:
        labels = tuple(f"{letter}{code}" for code in range(codes.max() + 1))
        return CodedColumn(Domain(name, labels), codes.astype(np.uint16))

    quasi = tuple(coded(f"c{number}", "v", codes) for number, codes in enumerate(columns))
    return EncodedTable(len(classes), quasi, coded("class", "k", classes))


def test_column_with_a_value_for_every_few_rows(tmp_path: Path) -> None:
    """It does not count in the average gain, which it would lift above that of all others."""
    names, classes = np.arange(24) // 2, np.arange(24) // 12
    sides = np.array([0] * 10 + [1] * 12 + [0] * 2)
    table = table_of_codes([names, sides], classes)
    assert_same_tree(table, tmp_path, "-S", raises=False)
    assert grown(table, "", raises=False).splits.column[0] == 1
    assert_same_tree(table_of_codes([names], classes), tmp_path, "-S", raises=False)


@pytest.mark.parametrize("seed", [281, 511, 576])
def test_largest_branch_is_the_last_of_several(seed: int, tmp_path: Path) -> None:
    """Tables, found among many, in which raising the first of two branches of one size gives another tree."""
    rng = np.random.default_rng(seed)
    columns = [np.repeat([0, 1], 40), *(rng.integers(0, 3, 80) for _ in range(4))]
    classes = (columns[1] + (columns[2] > 0) * columns[0] + (rng.random(80) < 0.15)) % 2
    assert_same_tree(table_of_codes(columns, classes), tmp_path, raises=True)


def test_class_of_a_row_about_which_nothing_is_known(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    columns = [rng.integers(0, 3, 120) for _ in range(4)]
    table = table_of_codes(columns, (columns[0] + (columns[1] > 0)) % 3)
    (train, test), *_ = halves(table, 1)
    for column in test.quasi:
        column.codes[rng.random(test.n_rows) < 0.5] = column.domain.missing_code
    tree = grown(train, MISSING[0], raises=True)
    ours = predict(tree, [column.codes for column in test.quasi], test.n_rows)
    assert not tree.is_leaf[0]
    assert ours.tolist() == weka_predictions(tmp_path, train, test).tolist()
