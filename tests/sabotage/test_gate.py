"""The gate: whatever breaks behind it, a file that breaks the promise is not published."""

import errno
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import OLD, assert_clean, run

from kanopy import Policy, Release, anonymize
from kanopy.algorithms import mondrian as mondrian_module
from kanopy.algorithms.mondrian import MONDRIAN
from kanopy.auditing import TextTable, judge
from kanopy.data import Recoding
from kanopy.data import cell as cells
from kanopy.engines import deciding, local
from kanopy.errors import VerificationError
from kanopy.frames.published import PublishedColumn, PublishedTable
from kanopy.frames.tuples import CountedTable
from kanopy.release import destination as a_place
from kanopy.release import release, written_table

NAMES = ["name", "age", "zip", "cls"]
TABLE = ",".join(NAMES) + "\n" + "".join(
    f"person{i},{20 + i % 6},{'' if i % 4 == 3 else 'abc'[i % 4]},{'YN'[i % 2]}\n" for i in range(24)
)  # fmt: skip
POLICY = Policy(quasi_identifiers=["age", "zip"], target="cls", identifiers=["name"], k=4)
FLAGS = ("--quasi=age,zip", "--target=cls", "--identifiers=name", "--k=4")

Rows = list[list[str]]


def keep_a_raw_cell(names: list[str], rows: Rows) -> None:
    rows[0][names.index("age")] = "20"


def keep_a_row_back(names: list[str], rows: Rows) -> None:
    rows.pop()


def write_a_row_twice(names: list[str], rows: Rows) -> None:
    rows.insert(0, list(rows[0]))


def write_a_row_instead_of_another(names: list[str], rows: Rows) -> None:
    rows[-1] = list(rows[0])


def print_a_stale_mean(names: list[str], rows: Rows) -> None:
    rows[0][names.index("age")] = "99"


def slip_in_a_missing_value(names: list[str], rows: Rows) -> None:
    rows[0][names.index("age")] = ""


def slip_in_a_row_with_a_missing_value(names: list[str], rows: Rows) -> None:
    rows.append(["" if name == "age" else cell for name, cell in zip(names, rows[-1], strict=True)])


def write_a_column_too_much(names: list[str], rows: Rows) -> None:
    names.append("name")
    for number, row in enumerate(rows):
        row.append(f"person{number}")


def forget_a_column(names: list[str], rows: Rows) -> None:
    names.pop()
    for row in rows:
        row.pop()


def swap_two_columns(names: list[str], rows: Rows) -> None:
    names[0], names[1] = names[1], names[0]


def write_nothing(names: list[str], rows: Rows) -> None:
    rows.clear()


SABOTAGE = [
    keep_a_raw_cell,
    keep_a_row_back,
    write_a_row_twice,
    write_a_row_instead_of_another,
    print_a_stale_mean,
    slip_in_a_missing_value,
    slip_in_a_row_with_a_missing_value,
    write_a_column_too_much,
    forget_a_column,
    swap_two_columns,
    write_nothing,
]


def altered(columns: list[tuple[str, Any, Any]], sabotage: Callable[[list[str], Rows], None]) -> list[Any]:
    """Columns of words and codes after the sabotage of their rows."""
    names = [name for name, _, _ in columns]
    texts = [[str(words[code]) for code in codes] for _, words, codes in columns]
    rows = [list(row) for row in zip(*texts, strict=True)]
    sabotage(names, rows)
    back = []
    for place, name in enumerate(names):
        words, codes = np.unique([row[place] for row in rows] or [""], return_inverse=True)
        back.append((name, words.tolist(), codes[: len(rows)].astype(np.int32)))
    return back


def assert_refused(tmp_path: Path, name: str, *more: str, table: str = TABLE) -> str:
    """Through the command line: exit code 5, no new file; an old file stays as it is."""
    (tmp_path / "data.csv").write_text(table)
    out = tmp_path / name
    outcome = run("anonymize", tmp_path / "data.csv", "-o", out, *FLAGS, *more)
    assert outcome.code == 5, outcome
    assert "nothing was published" in outcome.err or "please report this" in outcome.err
    assert_clean(outcome)
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]
    out.write_bytes(OLD)
    assert run("anonymize", tmp_path / "data.csv", "-o", out, *FLAGS, *more, "--force").code == 5
    assert out.read_bytes() == OLD
    assert not list(tmp_path.glob(".*tmp"))
    return outcome.err


def test_without_sabotage_it_is_published(tmp_path: Path):
    (tmp_path / "data.csv").write_text(TABLE)
    for name in ("out.csv", "out.parquet"):
        assert run("anonymize", tmp_path / "data.csv", "-o", tmp_path / name, *FLAGS).code == 0


@pytest.mark.parametrize("sabotage", SABOTAGE)
@pytest.mark.parametrize("publish", ["range", "mean"])
def test_a_csv_writer_that_lies(sabotage: Any, publish: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def lie(stream: Any, columns: Any, n_lines: int, *, weight: Any, **shape: Any) -> None:
        times = np.ones(n_lines, dtype=np.int64) if weight is None else weight
        false = altered([(name, words, np.repeat(codes, times)) for name, words, codes in columns], sabotage)
        write(stream, false, len(false[0][2]), **shape)

    write = written_table.write_csv
    monkeypatch.setattr(written_table, "write_csv", lie)
    assert "the written file" in assert_refused(tmp_path, "out.csv", f"--option=publish={publish}")


@pytest.mark.parametrize("sabotage", SABOTAGE)
def test_a_parquet_writer_that_lies(sabotage: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def lie(stream: Any, columns: Any, *, weight: Any, notes: Any) -> None:
        times = 1 if weight is None else weight
        every = [(name, values.to_pylist(), np.repeat(codes, times)) for name, values, codes in columns]
        as_texts = [(name, [value or "" for value in values], codes) for name, values, codes in every]
        false = [(name, pa.array(words), codes) for name, words, codes in altered(as_texts, sabotage)]
        write(stream, false, notes={name: notes.get(name, {}) for name, _, _ in false})

    write = written_table.write_parquet
    monkeypatch.setattr(written_table, "write_parquet", lie)
    assert "the written file" in assert_refused(tmp_path, "out.parquet")


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
@pytest.mark.parametrize("content", [b"", b"x", b"PAR1PAR1", TABLE.encode()])
def test_a_file_that_is_no_release_at_all(
    name: str, content: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    writer = "write_csv" if name == "out.csv" else "write_parquet"
    monkeypatch.setattr(written_table, writer, lambda stream, *_, **__: stream.write(content))
    assert_refused(tmp_path, name)


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_file_that_changes_after_the_check(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def check_and_change(destination: Any, *rest: Any) -> Any:
        verdict = verify(destination, *rest)
        with destination.temporary.open("ab") as stream:
            stream.write(b"20,a,Y\n")
        return verdict

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", check_and_change)
    assert "changed after it was checked" in assert_refused(tmp_path, name)


def last_line_twice(text: bytes) -> bytes:
    return text + text.splitlines(keepends=True)[-1]


def another_class(text: bytes) -> bytes:
    head, _, tail = text.rpartition(b",")
    return head + b"," + (b"Y\n" if tail == b"N\n" else b"N\n")


def two_lines_exchanged(text: bytes) -> bytes:
    first, *others = text.splitlines(keepends=True)
    return b"".join([first, *others[1:-1], others[0], others[-1]])


@pytest.mark.parametrize(
    "change", [last_line_twice, another_class, two_lines_exchanged, lambda text: text[:-9]]
)
def test_a_file_of_equal_lines_that_changes_after_the_check(
    change: Callable[[bytes], bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """Its lines are compared with those that were judged."""
    was_by_lines = []

    def check_and_change(destination: Any, *rest: Any) -> None:
        verify(destination, *rest)
        was_by_lines.append(destination.holds is not None)
        destination.temporary.write_bytes(change(destination.temporary.read_bytes()))

    verify = release.verify_table
    monkeypatch.setattr(release, "verify_table", check_and_change)
    header, *rows = TABLE.splitlines(keepends=True)
    message = assert_refused(tmp_path, "out.csv", table=header + 60 * "".join(rows))
    assert "changed after it was checked" in message
    assert was_by_lines == [True, True]


def test_a_large_file_that_does_not_reach_the_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """It is written to the disk while it is checked; where that fails, it gets no name."""

    def fail(descriptor: int) -> None:
        if stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(errno.EIO, "Input/output error")

    monkeypatch.setattr(a_place, "_LARGE", 1)
    monkeypatch.setattr(os, "fsync", fail)
    (tmp_path / "data.csv").write_text(TABLE)
    outcome = run("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *FLAGS)
    assert_clean(outcome)
    assert outcome.code == 6
    assert [path.name for path in tmp_path.iterdir()] == ["data.csv"]


def published(
    rows: list[tuple[str, str, str]], names: tuple[str, ...] = ("age", "zip", "cls")
) -> PublishedTable:
    columns = []
    for name, texts in zip(names, zip(*rows, strict=True), strict=True):
        words, codes = np.unique(texts, return_inverse=True)
        values = pa.array([word or None for word in words.tolist()], pa.string())
        columns.append(PublishedColumn(name, pa.array(words.tolist()), values, codes.astype(np.int32)))
    return PublishedTable(tuple(columns), len(rows))


GROUP = [("[20, 29]", "*", "Y")] * 4
IN_MEMORY = {
    "a raw cell": [*GROUP, ("20", "*", "Y")],
    "a group of k - 1": [*GROUP, *[("[30, 39]", "*", "N")] * 3],
    "a row with a missing value": [*GROUP, ("", "*", "N")],
    "a suppressed row alone": [*GROUP, ("*", "*", "N")],
    "two spellings of one value": [*GROUP[:2], *[("[20,29]", "*", "Y")] * 2],
}


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
@pytest.mark.parametrize("rows", IN_MEMORY.values(), ids=IN_MEMORY)
def test_a_release_that_was_wrong_already_in_memory(rows: Any, suffix: str, tmp_path: Path):
    wrong = Release(published(rows), POLICY, audit=None, manifest={})
    with pytest.raises(VerificationError, match=r"the written file breaks the promise: [12] groups? "):
        wrong.write(tmp_path / f"out{suffix}")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("extra", ["name", "who", "note"])
def test_a_column_that_the_policy_does_not_publish(extra: str, tmp_path: Path):
    """An identifier, the person column, a column nobody declared."""
    policy = replace(POLICY, person="who")
    table = published([(*row, f"{number}") for number, row in enumerate(GROUP)], ("age", "zip", "cls", extra))
    persons = np.arange(4, dtype=np.int32)
    wrong = Release(table, policy, audit=None, manifest={}, persons=persons)
    with pytest.raises(VerificationError, match="other columns than the policy publishes"):
        wrong.write(tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(("persons", "is_kept"), [([0, 1, 2, 3, 4, 5], True), ([0, 1, 2, 2, 1, 0], False)])
def test_k_rows_of_fewer_persons(persons: list[int], is_kept: bool, tmp_path: Path):
    policy = replace(POLICY, person="who")
    table = published(GROUP[:1] * 6)
    who = np.array(persons, dtype=np.int32)
    audit = judge(TextTable.of_published(table), policy, persons=who)
    made = Release(table, policy, audit=audit, manifest={}, persons=who)
    if is_kept:
        made.write(tmp_path / "out.csv", certificate=False, codebook=False)  # a manifest says what is in them
    else:
        with pytest.raises(VerificationError, match="at least 4 persons"):
            made.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").exists() == is_kept


def one_row_out_of_its_group(recoding: Recoding) -> Recoding:
    """The first row of every column gets its own exact value."""
    columns = []
    for column in recoding.columns:
        ids = column.ids.copy()
        ids[0] = len(column.cells)
        columns.append(replace(column, cells=(*column.cells, cells.exact(0)), ids=ids))
    return Recoding(tuple(columns), recoding.is_kept)


def rows_left_out(recoding: Recoding) -> Recoding:
    """All but one row of the first group."""
    groups, _ = recoding.groups
    is_kept = recoding.is_kept.copy()
    is_kept[np.flatnonzero(groups == 0)[1:]] = False
    return Recoding(recoding.columns, is_kept)


def cells_of_another_row(recoding: Recoding) -> Recoding:
    """Every column is shuffled in its own way, as if counts were stale."""
    rng = np.random.default_rng(0)
    return Recoding(
        tuple(replace(column, ids=rng.permutation(column.ids)) for column in recoding.columns),
        recoding.is_kept,
    )


@pytest.mark.parametrize("break_it", [one_row_out_of_its_group, rows_left_out, cells_of_another_row])
def test_a_method_that_is_wrong(
    break_it: Callable[[Recoding], Recoding], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    def wrong(*arguments: Any, **options: Any) -> Recoding:
        return break_it(mondrian_module.mondrian(*arguments, **options))

    monkeypatch.setattr(local, "find_method", lambda _name: replace(MONDRIAN, run=wrong))
    monkeypatch.setattr(local, "counted_table", CountedTable)  # rows are taken one by one
    assert "the recount disagrees with the method" in assert_refused(tmp_path, "out.csv")


def test_a_row_that_is_published_twice(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def publish_with_a_double(*arguments: Any) -> Any:
        table, rows = publish(*arguments)
        again = np.append(np.arange(table.n_lines), 0)
        columns = tuple(column._replace(codes=column.codes[again]) for column in table.columns)
        assert table.weight is not None
        return PublishedTable(columns, table.n_rows + 1, np.append(table.weight, 1)), rows

    publish = deciding.publish
    monkeypatch.setattr(deciding, "publish", publish_with_a_double)
    assert "do not add up" in assert_refused(tmp_path, "out.csv")


def test_a_line_that_counts_for_more_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def publish_a_line_once_more(*arguments: Any) -> Any:
        table, rows = publish(*arguments)
        assert table.weight is not None
        weight = table.weight.copy()
        weight[0] += 1
        weight[-1] -= 1
        return table._replace(weight=weight), rows

    publish = deciding.publish
    monkeypatch.setattr(deciding, "publish", publish_a_line_once_more)
    assert "do not add up" in assert_refused(tmp_path, "out.csv")


def test_nothing_can_be_written_but_a_release(tmp_path: Path):
    """The frame of a release is a copy: what is done to it does not reach the file."""
    source = pa.table({name: [name] * 4 for name in NAMES})
    made = anonymize(source, POLICY)
    made.frame.to_pydict()["age"].append("20")
    made.write(tmp_path / "out.csv")
    assert (tmp_path / "out.csv").read_text() == "age,zip,cls\n" + "age,zip,cls\n" * 4
