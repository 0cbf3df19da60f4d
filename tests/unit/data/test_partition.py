"""Groups in print: in every style a cell covers all values of its group, and says no more than it must."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.data import STYLES, CodedColumn, Domain, EncodedTable, Hierarchy, Partition, Recoding

TREE = Hierarchy.from_paths("place", [("a", "x", "*"), ("b", "x", "*"), ("c", "y", "*"), ("d", "y", "*")])
DOMAINS = {
    "number": Domain("number", ("-3", "0.25", "2", "10"), np.array([-3, 0.25, 2, 10]), decimals=2),
    "word": Domain("word", ("[1, 2]", "a, b", "b", "é")),
    "place": Domain("place", TREE.leaves, hierarchy=TREE),
    "year": Domain(
        "year", ("1", "2", "3"), np.array([1.0, 2, 3]), 0, Hierarchy.from_paths("year", ["1l", "2l", "3h"])
    ),
}


def table_of(**columns: list[str | None]) -> EncodedTable:
    quasi = []
    for name, values in columns.items():
        code_of = {None: DOMAINS[name].missing_code} | DOMAINS[name].code_of
        quasi.append(CodedColumn(DOMAINS[name], np.array([code_of[value] for value in values], np.uint8)))
    return EncodedTable(len(quasi[0].codes), tuple(quasi))


def print_groups(groups: list[int], style: str, **columns: list[str | None]) -> list[list[str]]:
    """What every row says, column by column."""
    partition = Partition(np.array(groups, dtype=np.int32), max(groups, default=-1) + 1)
    recoding = partition.publish(table_of(**columns), style)
    return [[column.texts[number] for number in column.ids] for column in recoding.columns]


@pytest.mark.parametrize(
    ("style", "number", "word", "place"),
    [
        ("range", ["[-3, 2]", "10"], ["{a\\, b, b}", "\\[1, 2]"], ["x", "c"]),
        ("members", ["{-3, 2}", "10"], ["{a\\, b, b}", "\\[1, 2]"], ["{a, b}", "c"]),
        ("mean", ["-0.50", "10.00"], ["{a\\, b, b}", "\\[1, 2]"], ["x", "c"]),
        ("suppress", ["*", "10"], ["*", "\\[1, 2]"], ["*", "c"]),
    ],
)
def test_styles(style: str, number: list[str], word: list[str], place: list[str]) -> None:
    columns = {"number": ["-3", "10", "2"], "word": ["b", "[1, 2]", "a, b"], "place": ["a", "c", "b"]}
    printed = print_groups([0, 1, 0], style, **columns)
    assert printed == [[wide, exact, wide] for wide, exact in (number, word, place)]


@pytest.mark.parametrize(
    ("style", "number", "word", "place"),
    [
        ("range", ["{, [-3, 2]}", "{, 10}", ""], ["{, a\\, b, b}", "{, b}", ""], ["{, x}", "{, c}", ""]),
        ("members", ["{, -3, 2}", "{, 10}", ""], ["{, a\\, b, b}", "{, b}", ""], ["{, a, b}", "{, c}", ""]),
        ("mean", ["-0.50", "10.00", ""], ["{, a\\, b, b}", "{, b}", ""], ["{, x}", "{, c}", ""]),
        ("suppress", ["*", "*", ""], ["*", "*", ""], ["*", "*", ""]),
    ],
)
def test_styles_where_some_are_missing(
    style: str, number: list[str], word: list[str], place: list[str]
) -> None:
    printed = print_groups(
        [0, 0, 0, 1, 1, 2, -1],
        style,
        number=["-3", None, "2", "10", None, None, "10"],
        word=["b", "a, b", None, None, "b", None, "é"],
        place=[None, "a", "b", None, "c", None, "d"],
    )
    expected = [[one, one, one, two, two, three] for one, two, three in (number, word, place)]
    assert [texts[:-1] for texts in printed] == expected


def test_a_node_that_covers_everything_is_suppressed() -> None:
    assert print_groups([0, 0, 1], "range", place=["a", "d", "b"]) == [["*", "*", "b"]]


@pytest.mark.parametrize("style", ["range", "mean"])
def test_a_set_of_everything_is_suppressed(style: str) -> None:
    assert print_groups([0, 0, 1], style, word=["b", "é", "b"]) == [["*", "*", "b"]]
    assert print_groups([0, 0, 1], style, word=["b", None, "b"]) == [["*", "*", "b"]]
    assert print_groups([0, 0, 1], style, word=["b", None, "é"]) == [["{, b}", "{, b}", "é"]]
    # One value for all says something: it.
    assert print_groups([0, 0, 1], style, word=["b", "b", "b"]) == [["b", "b", "b"]]
    assert print_groups([0, 0, 1], style, word=[None, None, None]) == [["", "", ""]]
    assert print_groups([0, 0, 1], "members", word=["b", None, "b"]) == [["{, b}", "{, b}", "b"]]


def test_numbers_with_a_hierarchy_are_printed_by_it() -> None:
    assert print_groups([0, 0, 1], "range", year=["1", "2", "3"]) == [["l", "l", "3"]]
    assert print_groups([0, 0, 1], "mean", year=["1", "2", "3"]) == [["2", "2", "3"]]


def test_a_mean_has_no_more_digits_than_its_column() -> None:
    """With all its digits, a mean times the size of its group would be the sum of the originals."""
    domain = Domain("n", ("0", "1", "2"), np.array([0.0, 1, 2]))
    table = EncodedTable(3, (CodedColumn(domain, np.array([0, 0, 1], dtype=np.uint8)),))
    printed = Partition(np.zeros(3, dtype=np.int32), 1).publish(table, "mean").columns[0].texts
    assert printed == ["0"]
    assert print_groups([0, 0, 0], "mean", number=["0.25", "2", "2"]) == [["1.42"] * 3]


@pytest.mark.parametrize(
    ("numbers", "decimals", "printed"),
    [
        pytest.param([-0.4, 0.1], 0, "0", id="no minus zero"),
        pytest.param([-0.04, -0.02], 1, "0.0", id="no minus zero with decimals"),
        pytest.param([-1.7e308, -1.7e308], 0, f"{-1.7e308:.0f}", id="a sum that is no float"),
        pytest.param([1e20, 1e20], 0, "1" + "0" * 20, id="no exponent"),
    ],
)
def test_means_of_extreme_numbers(numbers: list[float], decimals: int, printed: str) -> None:
    domain = Domain("n", tuple(map(repr, numbers)), np.array(numbers), decimals)
    table = EncodedTable(2, (CodedColumn(domain, np.array([0, 1], dtype=np.uint8)),))
    assert Partition(np.zeros(2, dtype=np.int32), 1).publish(table, "mean").columns[0].texts == [printed]


@pytest.mark.parametrize("style", STYLES)
def test_dropped_rows_leave_no_trace(style: str) -> None:
    columns = {"number": ["-3", "10", "2"], "word": ["b", "é", "b"], "place": ["a", "d", "b"]}
    table = table_of(**columns)
    recoding = Partition(np.array([0, -1, 0], dtype=np.int32), 1).publish(table, style)
    assert recoding.is_kept.tolist() == [True, False, True]
    kept = table_of(**{name: [values[0], values[2]] for name, values in columns.items()})
    whole = Partition(np.zeros(2, dtype=np.int32), 1).publish(kept, style)
    assert [column.texts for column in recoding.columns] == [column.texts for column in whole.columns]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("n_rows", [0, 3])
def test_every_row_dropped(style: str, n_rows: int) -> None:
    table = table_of(number=["2"] * n_rows, word=["b"] * n_rows, place=[None] * n_rows)
    recoding = Partition(np.full(n_rows, -1, dtype=np.int32), 0).publish(table, style)
    assert recoding.n_kept == 0
    assert recoding.groups[1] == 0
    assert all(len(column.ids) == n_rows for column in recoding.columns)


@st.composite
def grouped_tables(draw: st.DrawFn) -> tuple[EncodedTable, Partition]:
    n_rows = draw(st.integers(1, 12))
    wanted = draw(st.lists(st.integers(-1, 4), min_size=n_rows, max_size=n_rows))
    numbers = {group: number for number, group in enumerate(sorted(set(wanted) - {-1}))}
    group = np.array([numbers.get(group, -1) for group in wanted], dtype=np.int32)
    columns = {}
    for name, domain in DOMAINS.items():
        some_value = st.sampled_from([*domain.labels, None])
        columns[name] = draw(st.lists(some_value, min_size=n_rows, max_size=n_rows))
    return table_of(**columns), Partition(group, len(numbers))


def covering_codes(recoding: Recoding, place: int, row: int) -> list[int]:
    column = recoding.columns[place]
    return np.flatnonzero(column.cells[column.ids[row]].covers(column.domain)).tolist()


@given(grouped_tables(), st.sampled_from(sorted(STYLES)))
def test_cells_cover_their_group(drawn: tuple[EncodedTable, Partition], style: str) -> None:
    table, partition = drawn
    recoding = partition.publish(table, style)
    for place, column in enumerate(table.quasi):
        for group in range(partition.n_groups):
            rows = np.flatnonzero(partition.group == group).tolist()
            present = set(column.codes[rows].tolist())
            covered = set(covering_codes(recoding, place, rows[0]))
            assert present <= covered
            assert all(set(covering_codes(recoding, place, row)) == covered for row in rows)
            everything = set(range(column.domain.n_codes))
            if style == "members":
                assert present == covered
            elif style != "suppress" and column.domain.name == "word":
                is_all = len(present) > 1 and present == set(column.codes.tolist())
                assert covered == (everything if is_all else present)
            if style == "suppress":
                assert covered == (present if len(present) == 1 else everything)


@given(grouped_tables(), st.sampled_from(sorted(STYLES)))
def test_only_cells_that_are_used(drawn: tuple[EncodedTable, Partition], style: str) -> None:
    table, partition = drawn
    for column in partition.publish(table, style).columns:
        assert set(column.ids[partition.is_kept].tolist()) == set(range(len(column.cells)))


def test_many_values_and_groups_are_listed_the_same_way() -> None:
    """Where groups times values outgrow the rows, pairs are found by sorting instead of counting."""
    domain = Domain("n", tuple(map(str, range(5000))), np.arange(5000.0))
    table = EncodedTable(4, (CodedColumn(domain, np.array([4999, 0, 5000, 7], dtype=np.uint16)),))
    group = np.array([0, 1, 1, 0], dtype=np.int32)
    assert Partition(group, 2).publish(table, "range").columns[0].texts == ["{, 0}", "[7, 4999]"]
    assert Partition(group, 2).publish(table, "members").columns[0].texts == ["{4999, 7}", "{, 0}"]
    assert Partition(group, 2).publish(table, "mean").columns[0].texts == ["2503", "0"]
