"""Levels of a quasi-identifier: as a hierarchy gives them, or drafted."""

from __future__ import annotations

import numpy as np
from plain_tables import column_of

from kanopy.algorithms.fulldomain.levels import ColumnLevels, levels_of
from kanopy.algorithms.fulldomain.recode import told_of_drafts
from kanopy.data import CodedColumn, Domain, EncodedTable, Hierarchy, RecodedColumn

PATHS = [
    ("13053", "1305*", "1305*", "130**"),
    ("13058", "1305*", "1305*", "130**"),
    ("14850", "1485*", "14**", "14**"),
]


def zip_levels() -> ColumnLevels:
    tree = Hierarchy.from_paths("zip", PATHS)
    domain = Domain("zip", tree.leaves, hierarchy=tree)
    return levels_of(EncodedTable(3, (CodedColumn(domain, np.array([0, 1, 3], dtype=np.uint8)),)))[0]


def texts(levels: ColumnLevels) -> list[list[str]]:
    return [
        [levels.cells[level][number].text(levels.domain) for number in of_code.tolist()]
        for level, of_code in enumerate(levels.of_code)
    ]


def test_a_hierarchy_has_its_own_levels_and_missing_climbs_at_the_top_only() -> None:
    levels = zip_levels()
    assert levels.height == 4
    assert texts(levels) == [
        ["13053", "13058", "14850", ""],
        *[["1305*", "1305*", "14850", ""]] * 3,
        ["*"] * 4,
    ]
    assert not levels.is_drafted


def test_a_step_leads_from_the_numbers_of_one_level_to_those_of_another() -> None:
    levels = zip_levels()
    for low in range(5):
        for high in range(low, 5):
            assert (levels.step(low, high)[levels.of_code[low]] == levels.of_code[high]).all()


def test_numbers_without_a_hierarchy_lie_in_ranges_of_equally_many_rows() -> None:
    column = column_of("age", [*range(1, 9), None])
    levels = levels_of(EncodedTable(9, (column,)))[0]
    assert levels.is_drafted
    assert [sorted(set(line)) for line in texts(levels)[1:]] == [
        ["", "[1, 2]", "[3, 4]", "[5, 6]", "[7, 8]"],
        ["", "[1, 4]", "[5, 8]"],
        ["*"],
    ]


def test_of_two_other_values_both_are_suppressed_at_once() -> None:
    levels = levels_of(EncodedTable(2, (column_of("job", ["a", "b"]),)))[0]
    assert texts(levels) == [["a", "b", ""], ["*", "*", "*"]]


def test_other_values_lie_in_sets_of_those_that_have_the_class_alike() -> None:
    jobs = column_of("job", [*"abcd" * 4, None])
    classes = column_of("class", [("y" if n // 4 < (4 if n % 2 else 1) else "n") for n in range(16)] + ["y"])
    levels = levels_of(EncodedTable(17, (jobs,), classes))[0]
    assert texts(levels)[1:] == [["{a, c}", "{b, d}", "{a, c}", "{b, d}", ""], ["*"] * 5]
    assert levels.is_drafted
    for low in range(levels.height):
        assert (levels.step(low, low + 1)[levels.of_code[low]] == levels.of_code[low + 1]).all()


def test_values_that_no_row_has_are_in_some_set() -> None:
    domain = column_of("job", list("abcdef")).domain
    rows = CodedColumn(domain, np.array([0, 1, 1, 2, 5], dtype=np.uint16))
    levels = levels_of(EncodedTable(5, (rows,)))[0]
    for of_code, cells in zip(levels.of_code, levels.cells, strict=True):
        for code, number in enumerate(of_code.tolist()):
            assert cells[number].covers(domain)[code]


def test_what_is_told_of_columns_without_a_hierarchy() -> None:
    columns = tuple(column_of(f"c{i}", list("abcd")) for i in range(3))
    levels = levels_of(EncodedTable(4, columns))
    printed = [
        RecodedColumn(column.domain, each.cells[level], each.number(level, column.codes).astype(np.int32))
        for column, each, level in zip(columns, levels, (0, 1, 2), strict=True)
    ]
    everybody = np.ones(4, dtype=bool)
    assert told_of_drafts(levels, printed, everybody) == {"drafted_columns": 1, "suppressed_columns": 1}
    assert told_of_drafts(levels, printed, ~everybody) == {}


def test_many_other_columns_have_no_drafted_sets() -> None:
    columns = tuple(column_of(f"c{i}", list("abcdefgh")) for i in range(14))
    assert {levels.height for levels in levels_of(EncodedTable(8, columns))} == {1}
    assert {levels.height for levels in levels_of(EncodedTable(8, columns[:2]))} == {3}


def test_many_numeric_columns_have_fewer_levels() -> None:
    columns = tuple(column_of(f"n{i}", list(range(64))) for i in range(12))
    assert {levels.height for levels in levels_of(EncodedTable(64, columns))} == {2}
    assert {levels.height for levels in levels_of(EncodedTable(64, columns[:2]))} == {6}
