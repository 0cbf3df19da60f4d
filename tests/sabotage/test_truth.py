"""Faults that keep k, and are refused all the same: untrue cells, shifted columns, lost rows, orders."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import run

import kanopy
from kanopy.algorithms import find_method
from kanopy.data import Hierarchy, Recoding, Split
from kanopy.data import cell as cells
from kanopy.data.cell import Cell, CellKind
from kanopy.engines import deciding, local
from kanopy.errors import VerificationError
from kanopy.frames.published import PublishedRows, PublishedTable
from kanopy.frames.tuples import CountedTable, counted_table

PATHS = [(leaf, node, "*") for leaf, node in zip("abcdef", "LLLRRR", strict=True)]
N_ROWS = 48
FRAME = pa.table(
    {
        "age": [20 + i % 12 for i in range(N_ROWS)],
        "zip": ["ABCD"[i % 4] if i % 7 else None for i in range(N_ROWS)],
        "ward": ["abcdef"[i // 8] for i in range(N_ROWS)],
        "cls": ["YN"[(i // 5) % 2] for i in range(N_ROWS)],
        "note": [f"note {(i * 5) % 9}" for i in range(N_ROWS)],
    }
)
POLICY = kanopy.Policy(
    quasi_identifiers=["age", "zip", "ward"],
    target="cls",
    keep=["note"],
    k=4,
    hierarchies={"ward": Hierarchy.from_paths("ward", PATHS)},
)


def refused(monkeypatch: pytest.MonkeyPatch, method: str = "mondrian", **options: Any) -> str:
    with pytest.raises(VerificationError) as caught:
        kanopy.anonymize(FRAME, POLICY, method=method, **options)
    return str(caught.value)


def with_broken_method(
    monkeypatch: pytest.MonkeyPatch, method: str, break_it: Callable[[Recoding], Recoding]
) -> None:
    sound = find_method(method)

    def wrong(*arguments: Any, **options: Any) -> Recoding:
        return break_it(sound.run(*arguments, **options))

    monkeypatch.setattr(local, "find_method", lambda _name: replace(sound, run=wrong))


def with_broken_publishing(
    monkeypatch: pytest.MonkeyPatch, break_it: Callable[[PublishedTable, Any], tuple[PublishedTable, Any]]
) -> None:
    publish = deciding.publish

    def broken(*arguments: Any) -> tuple[PublishedTable, PublishedRows]:
        table, rows = publish(*arguments)
        in_order = rows.origin if rows.line is None else rows.origin[np.argsort(rows.line, kind="stable")]
        table, order = break_it(table.expanded(), in_order)
        return table, PublishedRows(order)

    monkeypatch.setattr(deciding, "publish", broken)
    monkeypatch.setattr(local, "counted_table", CountedTable)  # rows are taken one by one


@pytest.mark.parametrize("method", ["mondrian", "kactus", "kactus2", "tds", "kmember", "apt"])
def test_without_a_fault_it_is_released(method: str) -> None:
    policy = replace(POLICY, keep=[]) if method == "apt" else POLICY
    frame = FRAME.drop_columns(["note"]) if method == "apt" else FRAME
    assert kanopy.anonymize(frame, policy, method=method, allow_empty=True).audit.kept


# --- A method that says what is not so -------------------------------------------------------------------


def cells_of_two_groups_swapped(recoding: Recoding) -> Recoding:
    """Two groups of the same size, so that every group keeps its size."""
    groups, n_groups = recoding.groups
    sizes = np.bincount(groups)
    one, other = next((a, b) for a in range(n_groups) for b in range(a + 1, n_groups) if sizes[a] == sizes[b])
    rows, others = np.flatnonzero(groups == one), np.flatnonzero(groups == other)
    columns = []
    for column in recoding.columns:
        ids = column.ids.copy()
        ids[rows], ids[others] = column.ids[others], column.ids[rows]
        columns.append(replace(column, ids=ids))
    return Recoding(tuple(columns), recoding.is_kept)


def with_other_cells(recoding: Recoding, place: int, change: Callable[[Cell], Cell]) -> Recoding:
    """One column, whose cells are changed; what prints alike still does."""
    columns = list(recoding.columns)
    columns[place] = replace(columns[place], cells=tuple(map(change, columns[place].cells)))
    return replace(recoding, columns=tuple(columns))


def ranges_without_their_upper_end(recoding: Recoding) -> Recoding:
    def narrower(cell: Cell) -> Cell:
        return cells.span(cell.low, cell.high - 1) if cell.kind is CellKind.RANGE else cell

    return with_other_cells(recoding, 0, narrower)


def sets_without_a_member(recoding: Recoding) -> Recoding:
    def smaller(cell: Cell) -> Cell:
        if cell.kind is not CellKind.MEMBERS or len(cell.members) < 2:
            return cell
        return cells.members(cell.members[1:], with_missing=cell.with_missing)

    return with_other_cells(recoding, 1, smaller)


def sets_without_missing(recoding: Recoding) -> Recoding:
    def complete(cell: Cell) -> Cell:
        return cells.members(cell.members) if cell.members and cell.with_missing else cell

    return with_other_cells(recoding, 1, complete)


def nodes_of_the_sibling(recoding: Recoding) -> Recoding:
    tree = recoding.columns[2].domain.hierarchy
    assert tree is not None
    inner = [node for node in range(1, tree.n_nodes) if tree.node_height[node] > 0]

    def sibling(cell: Cell) -> Cell:
        if cell.kind is not CellKind.NODE:
            return cell
        return cells.node(recoding.columns[2].domain, next(node for node in inner if node != cell.node))

    return with_other_cells(recoding, 2, sibling)


def values_of_a_neighbour(recoding: Recoding) -> Recoding:
    def next_one(cell: Cell) -> Cell:
        return cells.exact((cell.low + 1) % 6) if cell.kind is CellKind.EXACT else cell

    return with_other_cells(recoding, 2, next_one)


@pytest.mark.parametrize(
    ("break_it", "options"),
    [
        (cells_of_two_groups_swapped, {}),
        (cells_of_two_groups_swapped, {"publish": "members"}),
        (ranges_without_their_upper_end, {}),
        (sets_without_a_member, {}),
        (sets_without_missing, {"publish": "members"}),
        (nodes_of_the_sibling, {"cut": "median"}),
        (values_of_a_neighbour, {"preset": "paper"}),
    ],
)
def test_untrue_cells(
    break_it: Callable[[Recoding], Recoding], options: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_broken_method(monkeypatch, "mondrian", break_it)
    assert "do not cover what the source says" in refused(monkeypatch, **options)


def stale_means(recoding: Recoding) -> Recoding:
    def older(cell: Cell) -> Cell:
        return replace(cell, printed=str(int(cell.printed) + 2)) if cell.kind is CellKind.MEAN else cell

    return with_other_cells(recoding, 0, older)


@pytest.mark.parametrize("method", ["mondrian", "kactus", "mdav"])
def test_means_of_other_rows(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_broken_method(monkeypatch, method, stale_means)
    assert "do not cover what the source says" in refused(monkeypatch, method, publish="mean")


def swapped_frame() -> tuple[pa.Table, kanopy.Policy]:
    """A tree of two levels, where leaves of three rows are filled up by swapping."""
    rows = [("z", "p", "Y")] * 12
    for a, of_p, of_others in (("x", "Y", "N"), ("y", "N", "Y")):
        rows += [(a, "p", of_p)] * 10 + [(a, "q", of_others)] * 9 + [(a, "r", "Y" if a == "x" else "N")] * 3
    columns = zip(*rows, strict=True)
    frame = pa.table(dict(zip(("a", "b", "cls"), map(list, columns), strict=True)))
    return frame, kanopy.Policy(quasi_identifiers=["a", "b"], target="cls", k=5)


def test_more_swapped_cells_than_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    frame, policy = swapped_frame()
    options = {"method": "kactus2", "swapping_threshold": 1.0}
    assert any(
        "swapped" in notice for notice in kanopy.anonymize(frame, policy, **options).manifest["notices"]
    )
    with_broken_method(monkeypatch, "kactus2", lambda recoding: replace(recoding, facts={"swapped_cells": 3}))
    with pytest.raises(VerificationError, match="4 published cells do not cover what the source says"):
        kanopy.anonymize(frame, policy, **options)


# --- A method that loses rows ----------------------------------------------------------------------------


def without_a_group(recoding: Recoding) -> Recoding:
    groups, _ = recoding.groups
    is_kept = recoding.is_kept.copy()
    is_kept[np.flatnonzero(is_kept)[groups == 0]] = False
    return replace(recoding, is_kept=is_kept, parts=None)


@pytest.mark.parametrize("method", ["mondrian", "kactus", "tds", "kmeans", "mdav", "kmember"])
def test_a_whole_group_is_lost(method: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_broken_method(monkeypatch, method, without_a_group)
    assert "more than it may" in refused(monkeypatch, method)


# --- Publishing that mixes rows up -----------------------------------------------------------------------


def shifted(name: str) -> Callable[[PublishedTable, Any], tuple[PublishedTable, Any]]:
    """One column slips by one row within what still is sorted, so only the source can tell."""

    def shift(table: PublishedTable, order: Any) -> tuple[PublishedTable, Any]:
        columns = [
            column._replace(codes=np.roll(column.codes, 1)) if column.name == name else column
            for column in table.columns
        ]
        return PublishedTable(tuple(columns), table.n_rows), order

    return shift


@pytest.mark.parametrize("name", ["cls", "note"])
def test_a_column_slips_by_one_row(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with_broken_publishing(monkeypatch, shifted(name))
    assert "the source says" in refused(monkeypatch) or "not sorted" in refused(monkeypatch)


def test_the_class_slips_before_anything_is_sorted(monkeypatch: pytest.MonkeyPatch) -> None:
    """Behind the door the class is that of another row; everything after it agrees with that."""
    encode = deciding.encode

    def shifted_behind_the_door(*arguments: Any) -> Any:
        encoded = encode(*arguments)
        column = encoded.passing["cls"]
        return encoded._replace(
            passing=encoded.passing | {"cls": column._replace(codes=np.roll(column.codes, 1))}
        )

    monkeypatch.setattr(deciding, "encode", shifted_behind_the_door)
    assert "'cls' differs from the source" in refused(monkeypatch)


def test_a_quasi_identifier_slips_behind_the_door(monkeypatch: pytest.MonkeyPatch) -> None:
    encode = deciding.encode

    def shifted_behind_the_door(*arguments: Any) -> Any:
        encoded = encode(*arguments)
        age, *others = encoded.table.quasi
        rolled = replace(age, codes=np.roll(age.codes, 3))
        return encoded._replace(table=replace(encoded.table, quasi=(rolled, *others)))

    monkeypatch.setattr(deciding, "encode", shifted_behind_the_door)
    assert "do not cover what the source says" in refused(monkeypatch)


def reordered(by: Callable[[Any], Any]) -> Callable[[PublishedTable, Any], tuple[PublishedTable, Any]]:
    def change(table: PublishedTable, order: Any) -> tuple[PublishedTable, Any]:
        rows = by(order)
        columns = tuple(column._replace(codes=column.codes[rows]) for column in table.columns)
        return PublishedTable(columns, table.n_rows), order[rows]

    return change


@pytest.mark.parametrize(
    "by",
    [np.argsort, lambda order: np.arange(len(order))[::-1], lambda order: np.roll(np.arange(len(order)), 1)],
    ids=["the order of the source", "backwards", "the last row first"],
)
def test_rows_in_an_order_that_tells(by: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch) -> None:
    with_broken_publishing(monkeypatch, reordered(by))
    assert "not sorted by their texts" in refused(monkeypatch)


def test_words_in_an_order_that_tells(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows are sorted by codes; so the words behind the codes must be sorted too."""

    def unsorted(table: PublishedTable, order: Any) -> tuple[PublishedTable, Any]:
        columns = [
            column._replace(words=column.words[::-1], codes=len(column.words) - 1 - column.codes)
            for column in table.columns
        ]
        return PublishedTable(tuple(columns), table.n_rows), order

    with_broken_publishing(monkeypatch, unsorted)
    assert "not sorted by their texts" in refused(monkeypatch)


def test_nothing_of_this_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "data.csv").write_text(
        "age,zip,cls\n" + "".join(f"{20 + i % 6},{'ab'[i % 2]},{'YN'[i % 2]}\n" for i in range(24))
    )
    with_broken_publishing(monkeypatch, shifted("cls"))
    flags = ("--quasi=age,zip", "--target=cls", "--k=4")
    assert run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *flags).code == 5
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


# --- Equal rows that are counted wrongly -----------------------------------------------------------------


def one_row_more(counted: CountedTable) -> CountedTable:
    assert counted.weight is not None
    return counted._replace(weight=np.append(counted.weight[0] + 1, counted.weight[1:]))


def a_row_instead_of_another(counted: CountedTable) -> CountedTable:
    assert counted.weight is not None
    weight = counted.weight.copy()
    weight[0] += 1
    weight[-1] -= 1
    return counted._replace(weight=weight)


def a_row_that_nobody_has(counted: CountedTable) -> CountedTable:
    return counted._replace(table=pa.concat_tables([counted.table[:-1], counted.table[:1]]))


@pytest.mark.parametrize("miscount", [one_row_more, a_row_instead_of_another, a_row_that_nobody_has])
def test_equal_rows_that_are_counted_wrongly(miscount: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = pa.concat_tables([FRAME.drop_columns(["note"])] * 4)
    monkeypatch.setattr(local, "counted_table", lambda source: miscount(counted_table(source)))
    with pytest.raises(VerificationError, match="rows that were read and counted do not add up"):
        kanopy.anonymize(frame, replace(POLICY, keep=[]))


# --- Rows in parts that do not add up --------------------------------------------------------------------


def in_parts(origin: Any, weight: Any) -> Callable[[Recoding], Recoding]:
    """A method that says that rows are divided, each as it was recoded."""

    def divide(recoding: Recoding) -> Recoding:
        rows, n_rows = origin(recoding), weight(recoding)
        return replace(recoding.of_rows(rows), split=Split(rows, n_rows))

    return divide


def every_row(recoding: Recoding) -> Any:
    return np.arange(len(recoding.is_kept))


def each_once(recoding: Recoding) -> Any:
    return np.ones(len(recoding.is_kept), dtype=np.int64)


WRONG_PARTS = {
    "more rows than there were": (every_row, lambda recoding: 2 * each_once(recoding)),
    "a row in two parts": (
        lambda recoding: np.append(every_row(recoding), 0),
        lambda recoding: np.append(each_once(recoding), 1),
    ),
    "a row instead of another": (lambda recoding: np.maximum(every_row(recoding), 1), each_once),
    "fewer rows": (lambda recoding: every_row(recoding)[1:], lambda recoding: each_once(recoding)[1:]),
    "a part of nothing": (
        lambda recoding: np.append(every_row(recoding), 0),
        lambda recoding: np.append(each_once(recoding), 0),
    ),
    "less than nothing": (
        lambda recoding: np.append(every_row(recoding), [0, 0]),
        lambda recoding: np.append(each_once(recoding), [1, -1]),
    ),
    "a row that is not there": (lambda recoding: every_row(recoding) - 1, each_once),
    "no rows": (lambda recoding: every_row(recoding)[:0], lambda recoding: each_once(recoding)[:0]),
    "half a row": (every_row, lambda recoding: each_once(recoding) * 1.0),
}


@pytest.mark.parametrize("case", WRONG_PARTS)
def test_rows_in_parts_that_do_not_add_up(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(local, "counted_table", CountedTable)  # rows are taken one by one
    with_broken_method(monkeypatch, "mondrian", in_parts(every_row, each_once))
    assert kanopy.anonymize(FRAME, POLICY).audit.kept
    with_broken_method(monkeypatch, "mondrian", in_parts(*WRONG_PARTS[case]))
    assert "do not add up to the rows" in refused(monkeypatch)


def test_counted_rows_in_more_parts_than_there_were(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tuple of four rows becomes one of four and one of one more, which would fill a group."""
    frame = pa.concat_tables([FRAME.drop_columns(["note"])] * 4)

    def divided(recoding: Recoding, n_more: int) -> Recoding:
        rows = np.append(every_row(recoding), 0)
        weight = np.append(each_once(recoding) * 4, 1)
        weight[0] -= 1 - n_more
        return replace(recoding.of_rows(rows), split=Split(rows, weight))

    for n_more in (0, 1):
        with_broken_method(monkeypatch, "mondrian", lambda recoding, n_more=n_more: divided(recoding, n_more))
        if not n_more:
            assert kanopy.anonymize(frame, replace(POLICY, keep=[])).audit.kept
            continue
        with pytest.raises(VerificationError, match="do not add up to the rows"):
            kanopy.anonymize(frame, replace(POLICY, keep=[]))


def test_rows_of_persons_have_no_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    frame = FRAME.append_column("who", pa.array([f"person {i}" for i in range(N_ROWS)]))
    with_broken_method(monkeypatch, "mondrian", in_parts(every_row, each_once))
    with pytest.raises(VerificationError, match="do not add up to the rows"):
        kanopy.anonymize(frame, replace(POLICY, person="who"))
