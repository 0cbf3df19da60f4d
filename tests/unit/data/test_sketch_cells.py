"""Groups are published as sketches: chunk means of at least three, counts, and one text for each group."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from plain_tables import column_of

from kanopy.data import (
    CellKind,
    CodedColumn,
    Domain,
    EncodedTable,
    Partition,
    Recoding,
    sketched,
    tally_of_chunks,
)
from kanopy.data.grammar import read_cell
from kanopy.data.scale import Calendar, CensoredNumbers


def table_of(*columns: CodedColumn) -> EncodedTable:
    return EncodedTable(len(columns[0].codes), columns)


def groups_of(*group: int) -> Partition:
    return Partition(np.array(group, dtype=np.int32), max(group) + 1)


def texts_of(recoding: Recoding) -> list[tuple[str, ...]]:
    lines = [[column.texts[cell] for cell in column.ids.tolist()] for column in recoding.columns]
    return list(zip(*lines, strict=True))


def test_numbers_are_chunk_means_and_categories_are_counted() -> None:
    ages = column_of("age", [20.0, 23.0, 26.0, 30.0, 31.0, 32.0, 50.0, 60.0, 70.0, 40.0])
    jobs = column_of("job", ["a", "b", "b", "c", "c", "c", "c", "c", "c", "c"])
    found = texts_of(sketched(groups_of(*[0] * 10), table_of(ages, jobs), 10))
    # 20 23 26 30 31 | 32 40 50 60 70
    assert set(found) == {("~[26, 50]", "{a: 1, b: 2, c: 7}")}


@pytest.mark.parametrize(("k", "n_chunks"), [(1, 1), (5, 1), (9, 1), (10, 2), (14, 2), (15, 3), (100, 4)])
def test_the_number_of_chunks_follows_from_k_and_the_size(k: int, n_chunks: int) -> None:
    column = column_of("age", [float(number) for number in range(14)])
    ((text,), *_) = texts_of(sketched(groups_of(*[0] * 14), table_of(column), k))
    assert len(read_cell(text).means) == n_chunks


def test_means_over_equal_values_are_counted() -> None:
    """Chunks of 15 numbers: 1 1 1 1 1 | 1 2 2 3 4 | 5 5 5 5 5; and a group without numbers."""
    ages = column_of("age", [1.0] * 6 + [2.0, 2.0, 3.0, 4.0] + [5.0] * 5 + [None] * 15)
    jobs = column_of("job", ["a"] * 30)
    table = table_of(ages, jobs)
    recoding = sketched(groups_of(*[0] * 15, *[1] * 15), table, 15)
    assert tally_of_chunks(recoding, table) == (3, 2)
    alike = table_of(column_of("age", [7.0] * 30))
    assert tally_of_chunks(sketched(groups_of(*[0] * 30), alike, 15), alike) == (3, 3)
    texts = table_of(jobs)
    assert tally_of_chunks(sketched(groups_of(*[0] * 30), texts, 15), texts) == (0, 0)


def test_missing_values_are_counted() -> None:
    ages = column_of("age", [20.0, 30.0, 40.0, None, None])
    jobs = column_of("job", ["a", None, "a", "a", "a"])
    assert texts_of(sketched(groups_of(*[0] * 5), table_of(ages, jobs), 5))[0] == (
        "{: 2, ~[30]: 3}",
        "{: 1, a: 4}",
    )


def test_fewer_than_three_numbers_are_not_told() -> None:
    ages = column_of("age", [20.0, 30.0, None, None, None, 50.0, 51.0, 52.0])
    found = texts_of(sketched(groups_of(0, 0, 0, 0, 0, 1, 1, 1), table_of(ages), 3))
    assert found == [("*",)] * 5 + [("~[51]",)] * 3


def test_what_all_rows_have_is_printed_as_it_is() -> None:
    jobs, gone = column_of("job", ["a: 3", "a: 3"]), column_of("gone", [None, None])
    assert texts_of(sketched(groups_of(0, 0), table_of(jobs, gone), 2)) == [("a: 3", ""), ("a: 3", "")]


def test_persons_are_counted_in_chunks() -> None:
    ages = column_of("age", [float(number) for number in range(12)])
    # The six smallest numbers are of two persons: no two chunks have three each.
    persons = np.array([0, 0, 0, 1, 1, 1, 2, 3, 4, 5, 6, 7], dtype=np.int32)
    table = replace(table_of(ages), persons=persons)
    assert texts_of(sketched(groups_of(*[0] * 12), table, 10))[0] == ("~[6]",)
    apart = replace(table, persons=np.arange(12, dtype=np.int32))
    assert len(read_cell(texts_of(sketched(groups_of(*[0] * 12), apart, 10))[0][0]).means) == 2


def test_two_persons_have_no_mean() -> None:
    ages = column_of("age", [1.0, 2.0, 3.0, 4.0])
    table = replace(table_of(ages), persons=np.array([0, 0, 1, 1], dtype=np.int32))
    assert texts_of(sketched(groups_of(0, 0, 0, 0), table, 4)) == [("*",)] * 4


def test_groups_that_print_alike_are_sketched_as_one() -> None:
    # Both groups have the means 5 and 10; together they have others.
    one, other = [1.0, 5.0, 9.0, 9.0, 10.0, 11.0], [4.0, 5.0, 6.0, 7.0, 10.0, 13.0]
    ages = column_of("age", [*one, *other])
    assert texts_of(sketched(groups_of(*[0] * 6), table_of(column_of("age", one)), 10))[0] == ("~[5, 10]",)
    assert texts_of(sketched(groups_of(*[0] * 6), table_of(column_of("age", other)), 10))[0] == ("~[5, 10]",)
    found = sketched(groups_of(*[0] * 6, *[1] * 6), table_of(ages), 10)
    assert set(texts_of(found)) == {("~[5, 10]",)}
    assert found.parts is not None
    assert set(found.parts.tolist()) == {0}


def test_rows_that_stand_for_several_count_as_often() -> None:
    ages, jobs = column_of("age", [20.0, 50.0]), column_of("job", ["a", "b"])
    table = replace(table_of(ages, jobs), weight=np.array([4, 5], dtype=np.int64))
    # 20 20 20 20 | 50 50 50 50 50
    assert texts_of(sketched(groups_of(0, 0), table, 10))[0] == ("~[20, 50]", "{a: 4, b: 5}")


def test_dropped_rows_are_not_counted() -> None:
    jobs = column_of("job", ["a", "b", "b", "c"])
    found = sketched(Partition(np.array([0, 0, 0, -1], dtype=np.int32), 1), table_of(jobs), 2)
    assert texts_of(found)[0] == ("{a: 1, b: 2}",)
    assert found.is_kept.tolist() == [True, True, True, False]


def test_means_have_the_digits_of_their_column() -> None:
    domain = Domain("bmi", ("20.1", "20.2", "20.4"), np.array([20.1, 20.2, 20.4]), decimals=1)
    table = table_of(CodedColumn(domain, np.array([0, 1, 2], dtype=np.uint8)))
    assert texts_of(sketched(groups_of(0, 0, 0), table, 3))[0] == ("~[20.2]",)


@pytest.mark.parametrize(
    ("level", "labels", "mean"),
    [
        ("day", ("2020-02-27", "2020-02-28", "2020-03-04"), "2020-02-29"),
        ("month", ("2019-11", "2020-01", "2020-03"), "2020-01"),
        ("quarter", ("2019-Q4", "2020-Q1", "2020-Q2"), "2020-Q1"),
        ("year", ("2019", "2020", "2024"), "2021"),
        ("decade", ("1990s", "2000s", "2020s"), "2000s"),
        ("minute", ("2020-01-01 10:00", "2020-01-01 10:10", "2020-01-01 10:20"), "2020-01-01 10:10"),
    ],
)
def test_dates_have_means(level: str, labels: tuple[str, ...], mean: str) -> None:
    scale = Calendar(level)
    domain = Domain("born", labels, scale.numbers(labels), scale=scale)
    table = table_of(CodedColumn(domain, np.array([0, 1, 2], dtype=np.uint8)))
    assert texts_of(sketched(groups_of(0, 0, 0), table, 3))[0] == (f"~[{mean}]",)


def test_censored_numbers_are_ranges() -> None:
    scale, labels = CensoredNumbers(), ("<5", "5", "7")
    domain = Domain("dose", labels, scale.numbers(labels), scale=scale)
    table = table_of(CodedColumn(domain, np.array([0, 1, 2], dtype=np.uint8)))
    assert texts_of(sketched(groups_of(0, 0, 0), table, 3))[0] == ("[<5, 7]",)


def test_a_sketch_covers_the_values_of_its_group() -> None:
    ages, jobs = column_of("age", [20.0, 30.0, 40.0, 50.0]), column_of("job", ["a", "a", "b", "c"])
    found = sketched(groups_of(0, 0, 0, 1), table_of(ages, jobs), 3)
    cells = [column.cells[column.ids[0]] for column in found.columns]
    assert [cell.kind for cell in cells] == [CellKind.SKETCH] * 2
    assert [
        cell.covers(column.domain).tolist() for cell, column in zip(cells, found.columns, strict=True)
    ] == [
        [True, True, True, False, False],
        [True, True, False, False],
    ]
