"""The patterns of a release: which there are, which is preferred, and how a new row finds one."""

from __future__ import annotations

import gc
import weakref
from collections.abc import Sequence

import numpy as np
import pyarrow as pa
import pytest
from oracles_recode import naive_recode
from plain_tables import table_of

from kanopy.data import (
    Cell,
    CellKind,
    CodedColumn,
    Domain,
    EncodedTable,
    Hierarchy,
    Partition,
    RecodedColumn,
    Recoding,
)
from kanopy.data import cell as cells
from kanopy.frames.distinct import distinct_column
from kanopy.frames.new_rows import PlacedColumn, place_values
from kanopy.policy import Policy
from kanopy.release.matching import ROOM, PatternIndex
from kanopy.release.patterns import Patterns

POLICY = Policy(quasi_identifiers=["q"], k=2)
AGES = [20, 25, 30, 40]  # codes 0 to 3
TOWNS = ["Bonn", "Köln", "Mainz", "Trier"]


def placed(domain: Domain, values: Sequence[str | None]) -> PlacedColumn:
    return place_values(
        distinct_column(domain.name, pa.chunked_array([pa.array(values, pa.string())]), ()), domain
    )


def patterns_of(table: EncodedTable, *lines: Sequence[Cell]) -> Patterns:
    """One published row per line of cells; so a pattern is repeated to have more rows."""
    columns = []
    for place, column in enumerate(table.quasi):
        vocabulary = tuple(dict.fromkeys(line[place] for line in lines))
        ids = np.array([vocabulary.index(line[place]) for line in lines], dtype=np.int32)
        columns.append(RecodedColumn(column.domain, vocabulary, ids))
    return Patterns.of(table, Recoding(tuple(columns), np.ones(len(lines), dtype=bool)))


def found(patterns: Patterns, *rows: Sequence[str | None], room: int = ROOM) -> list[tuple[str, ...]]:
    columns = [
        placed(column.domain, values)
        for column, values in zip(patterns.columns, zip(*rows, strict=True), strict=True)
    ]
    numbers = PatternIndex(patterns, room=room).find(columns).tolist()
    return [tuple(column.texts[column.ids[number]] for column in patterns.columns) for number in numbers]


def found_ages(lines: Sequence[Cell], *ages: str | None) -> list[str]:
    patterns = patterns_of(table_of({"age": AGES}), *([line] for line in lines))
    return [texts[0] for texts in found(patterns, *([age] for age in ages))]


def found_towns(lines: Sequence[Cell], *towns: str | None) -> list[str]:
    patterns = patterns_of(table_of({"town": TOWNS}), *([line] for line in lines))
    return [texts[0] for texts in found(patterns, *([town] for town in towns))]


# --- What covers a value ---------------------------------------------------------------------------------


def test_known_values() -> None:
    lines = [cells.exact(0), cells.span(1, 2), cells.members((2, 3)), cells.MISSING]
    assert found_ages(lines, "20", "25", "40", None) == ["20", "[25, 30]", "{30, 40}", ""]


def test_unseen_numbers_lie_between_codes() -> None:
    lines = [cells.span(0, 1), cells.span(2, 3), cells.SUPPRESSED]
    ages = ("24.9", "25", "27", "30.0", "39", "19", "41")
    expected = ["[20, 25]", "[20, 25]", "*", "[30, 40]", "[30, 40]", "*", "*"]
    assert found_ages(lines, *ages) == expected


def test_a_mean_covers_its_group_and_not_its_number() -> None:
    lines = [Cell(CellKind.MEAN, 0, 1, printed="22"), Cell(CellKind.MEAN, 2, 3, printed="21")]
    assert found_ages(lines, "21", "20", "25", "30", "33") == ["22", "22", "22", "21", "21"]


def test_means_that_print_alike_are_told_apart_by_what_they_cover() -> None:
    lines = [
        Cell(CellKind.MEAN, 0, 0, printed="30"),
        Cell(CellKind.MEAN, 3, 3, printed="30"),
        cells.span(1, 2),
        cells.span(0, 3),
    ]
    assert found_ages(lines, "20", "40", "25", "35") == ["30", "30", "[25, 30]", "[20, 40]"]


def test_a_set_of_numbers_does_not_cover_what_lies_between() -> None:
    lines = [cells.members((0, 2)), cells.exact(1), cells.SUPPRESSED]
    assert found_ages(lines, "30.0", "25", "27", "20") == ["{20, 30}", "25", "*", "{20, 30}"]


def test_numbers_that_are_written_in_another_way() -> None:
    """What the table never held in this way is covered where one of its ways is."""
    domain = Domain("q", ("1", "1.0", "2", "3"), np.array([1.0, 1.0, 2.0, 3.0]))
    table = EncodedTable(4, (CodedColumn(domain, np.arange(4, dtype=np.uint8)),))
    rows = ["1"], ["1.0"], ["2.0"], ["+1"]
    exact = patterns_of(table, *([cells.exact(code)] for code in range(3)))
    assert found(exact, *rows) == [("1",), ("1.0",), ("2",), ("1",)]
    second = patterns_of(table, [cells.exact(1)], [cells.SUPPRESSED])
    assert found(second, *rows) == [("*",), ("1.0",), ("*",), ("1.0",)]
    in_set = patterns_of(table, [cells.members((1, 2))], [cells.SUPPRESSED])
    assert found(in_set, *rows) == [("*",), ("{1.0, 2}",), ("{1.0, 2}",), ("{1.0, 2}",)]


def test_unseen_categories_are_covered_by_suppressed_cells_only() -> None:
    lines = [cells.exact(0), cells.members((1, 2, 3)), cells.SUPPRESSED]
    assert found_towns(lines, "Ulm", "Mainz", "köln") == ["*", "{Köln, Mainz, Trier}", "*"]


def test_missing_is_covered_where_a_cell_says_so() -> None:
    lines = [cells.exact(0), cells.members((1, 2), with_missing=True), cells.SUPPRESSED]
    assert found_towns(lines, None) == ["{, Köln, Mainz}"]
    assert found_towns([cells.exact(0), cells.SUPPRESSED], None) == ["*"]
    assert found_ages([cells.span(0, 2, with_missing=True), cells.span(0, 3)], None) == ["{, [20, 30]}"]


def test_hierarchy_nodes() -> None:
    tree = Hierarchy.from_paths("q", [("a", "x"), ("b", "x"), ("c", "y"), ("d", "y")])
    table = table_of({"q": ["a", "b", "c", "d"]}, hierarchies={"q": tree})
    domain = table.quasi[0].domain
    names = {label: cells.node(domain, number) for number, label in enumerate(tree.node_label)}
    patterns = patterns_of(table, [names["x"]], [names["c"]], [names["y"]], [cells.SUPPRESSED])
    assert found(patterns, ["b"], ["c"], ["d"], ["e"], [None]) == [("x",), ("c",), ("y",), ("*",), ("*",)]


# --- Which of several ------------------------------------------------------------------------------------


def test_the_most_specific_pattern_wins() -> None:
    table = table_of({"age": AGES, "town": TOWNS})
    wide, all_towns = cells.span(0, 3), cells.SUPPRESSED
    patterns = patterns_of(
        table,
        [wide, all_towns],
        [wide, all_towns],
        [wide, cells.exact(0)],  # 1 + 0
        [cells.span(0, 1), all_towns],  # 0.25 + 1
        [cells.span(0, 1), cells.members((0, 1))],  # 0.25 + 0.5
    )
    rows = ["20", "Bonn"], ["30", "Bonn"], ["20", "Trier"], ["40", "Trier"]
    expected = [("[20, 25]", "{Bonn, Köln}"), ("[20, 40]", "Bonn"), ("[20, 25]", "*"), ("[20, 40]", "*")]
    assert found(patterns, *rows) == expected


def test_ties_go_to_the_pattern_with_more_rows_then_to_the_first_text() -> None:
    pair, other, third = cells.members((0, 1)), cells.members((0, 2)), cells.members((0, 3))
    assert found_towns([pair, other, third, third], "Bonn") == ["{Bonn, Trier}"]
    assert found_towns([third, other, pair], "Bonn") == ["{Bonn, Köln}"]


def test_equal_widths_tie_whatever_the_order_in_which_they_are_added() -> None:
    """0.1 + 0.2 + 0.3 and 0.3 + 0.2 + 0.1 differ as floats; here the second has more rows."""
    values = list(range(11))
    table = table_of({"a": values, "b": values, "c": values})
    first = [cells.span(0, 1), cells.span(0, 2), cells.span(0, 3)]
    second = first[::-1]
    patterns = patterns_of(table, first, second, second)
    assert found(patterns, ["0", "0", "0"]) == [("[0, 3]", "[0, 2]", "[0, 1]")]


def test_rows_that_print_alike_count_together() -> None:
    lines = [
        *[Cell(CellKind.MEAN, 0, 1, printed="9"), Cell(CellKind.MEAN, 2, 3, printed="9")] * 2,
        *[Cell(CellKind.MEAN, 0, 1, printed="8")] * 3,
    ]
    assert found_ages(lines, "20") == ["9"], "two rows cover it, but four print 9"


# --- The nearest -----------------------------------------------------------------------------------------


def test_the_nearest_number() -> None:
    lines = [cells.span(0, 1), cells.exact(3)]
    assert found_ages(lines, "30", "33", "10", "1000", "-1e308") == [
        *("[20, 25]", "40", "[20, 25]", "40", "[20, 25]")
    ]


def test_beyond_the_range_the_nearer_end_counts() -> None:
    """However far out: two ends that are both more than a range away are not the same."""
    lines = [cells.exact(0), cells.exact(3), cells.exact(0), cells.SUPPRESSED]
    patterns = patterns_of(
        table_of({"age": AGES, "town": TOWNS}), *([line, cells.exact(0)] for line in lines)
    )
    assert found(patterns, ["1000", "Ulm"], ["-1000", "Ulm"]) == [("40", "Bonn"), ("20", "Bonn")]
    assert found_ages([cells.MISSING, cells.exact(1)], "1000") == ["25"]


def test_the_nearest_member_of_a_set() -> None:
    lines = [cells.members((0, 3)), cells.members((1, 2))]
    assert found_ages(lines, "31", "38", "21") == ["{25, 30}", "{20, 40}", "{20, 40}"]


def test_the_least_mismatches() -> None:
    table = table_of({"age": AGES, "town": TOWNS, "sex": ["f", "m", "f", "m"]})
    near = [cells.exact(1), cells.exact(0), cells.exact(0)]
    far = [cells.exact(3), cells.exact(0), cells.exact(1)]
    patterns = patterns_of(table, near, far)
    texts = {"near": ("25", "Bonn", "f"), "far": ("40", "Bonn", "m")}
    assert found(patterns, ["20", "Ulm", "f"], ["40", "Bonn", "f"], ["40", "Bonn", None]) == [
        *(texts["near"], texts["near"], texts["far"])
    ]


def test_missing_is_exactly_as_far_off_as_another_category() -> None:
    table = table_of({"age": [*AGES, None], "town": [*TOWNS, "Ulm"]})
    no_age, no_town = [cells.MISSING, cells.exact(0)], [cells.exact(0), cells.exact(1)]
    assert found(patterns_of(table, no_age, no_town), [None, "Köln"]) == [("", "Bonn")]
    assert found(patterns_of(table, no_age, no_town, no_town), [None, "Köln"]) == [("20", "Köln")]
    assert found(patterns_of(table, no_age, no_town), ["25", "Bonn"]) == [("", "Bonn")]


def test_one_number_only() -> None:
    """A range of no length: every other number counts as that one."""
    table = table_of({"age": [7, 7], "town": ["Bonn", "Köln"]})
    patterns = patterns_of(table, [cells.MISSING, cells.exact(0)], [cells.exact(0), cells.exact(1)])
    assert found(patterns, ["8", "Ulm"], ["8", "Bonn"]) == [("7", "Köln"), ("", "Bonn")]


def test_numbers_whose_range_does_not_fit_into_a_float() -> None:
    table = table_of({"q": [-1.7e308, 0.0, 5e-324, 1.7e308]})
    patterns = patterns_of(table, [cells.exact(0)], [cells.exact(2)], [cells.exact(3)])
    assert found(patterns, ["-1e308"], ["1e308"], ["4e307"]) == [("-1.7e+308",), ("1.7e+308",), ("5e-324",)]


# --- Size ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("style", ["range", "members", "mean", "suppress"])
def test_little_room_gives_the_same(style: str) -> None:
    """Hundreds of patterns, of which 64 fit into a word, in chunks of one word and of one row."""
    rng = np.random.default_rng(1)
    n_rows, n_new = 600, 60
    numbers = rng.integers(0, 40, n_rows).tolist()
    words = [f"w{number}" for number in rng.integers(0, 9, n_rows)]
    table = table_of({"number": numbers, "word": words})
    partition = Partition(rng.permutation(np.arange(n_rows) // 3).astype(np.int32), n_rows // 3)
    recoding = partition.publish(table, style)
    patterns = Patterns.of(table, recoding)
    assert patterns.n_patterns > 64 or style == "suppress"
    rows = [
        (str(number), f"w{word}")
        for number, word in zip(rng.integers(-2, 50, n_new), rng.integers(0, 11, n_new), strict=True)
    ]
    expected = naive_recode(table, recoding, rows)
    for room in (1, 10_000, ROOM):
        assert found(patterns, *rows, room=room) == expected


def test_no_rows() -> None:
    patterns = patterns_of(table_of({"age": AGES}), [cells.exact(0)])
    assert PatternIndex(patterns).find([placed(patterns.columns[0].domain, [])]).tolist() == []


def test_dropped_rows_are_no_patterns() -> None:
    table = table_of({"town": TOWNS})
    partition = Partition(np.array([0, 0, 1, -1], dtype=np.int32), 2)
    patterns = Patterns.of(table, partition.publish(table, "members"))
    assert patterns.n_rows.tolist() == [1, 2]
    assert found(patterns, ["Mainz"], ["Trier"]) == [("Mainz",), ("Mainz",)]


def test_no_row_is_kept() -> None:
    """Neither the codes of the table nor the cells of its rows live on, nor how often a value occurs."""
    table = table_of({"age": [20, 20, 20, 30, 30, 40] * 50, "town": ["Bonn", "Köln", None] * 100})
    recoding = Partition(np.arange(300, dtype=np.int32) % 4, 4).publish(table, "range")
    patterns = Patterns.of(table, recoding)
    rows = [weakref.ref(column.codes) for column in table.quasi]
    rows += [weakref.ref(column.ids) for column in recoding.columns]
    del table, recoding
    gc.collect()
    assert [row() for row in rows] == [None] * 4
    assert [column.codes.tolist() for column in patterns.present] == [[0, 1, 2], [0, 1, 2]]
    assert all(len(column.ids) == patterns.n_patterns <= 4 for column in patterns.columns)
