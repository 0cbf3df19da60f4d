"""Several files, compressed files and large files: the same release as from one table in memory."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from command import run

import kanopy
from kanopy.datasets import patients
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames import batches, memory, tables, tuples
from kanopy.policy import Policy

POLICY = Policy(quasi_identifiers=["age", "sex", "smoker"], target="readmitted", keep=["diagnosis"], k=5)
COLUMNS = sorted(POLICY.published)


@pytest.fixture(scope="module")
def source() -> pa.Table:
    table = patients(600).select(COLUMNS)
    texts = pa.table({name: column.cast(pa.string()) for name, column in zip(COLUMNS, table, strict=True)})
    return pa.concat_tables([texts] * 3)


@pytest.fixture
def folder(source: pa.Table, tmp_path: Path) -> Path:
    """The same table in three ways, and what other programs leave beside tables."""
    parts = tmp_path / "parts"
    parts.mkdir()
    pa.csv.write_csv(source[:500], parts / "1.csv")
    whole = tmp_path / "rest.csv"
    pa.csv.write_csv(source[500:1100].select(COLUMNS[::-1]), whole)
    (parts / "2.csv.gz").write_bytes(gzip.compress(whole.read_bytes()))
    pa.csv.write_csv(source[1100:], parts / "3.csv")
    (parts / "_SUCCESS").touch()
    (parts / ".1.csv.crc").write_text("x")
    return parts


def released(table: Any, method: str = "mondrian") -> pa.Table:
    frame = kanopy.anonymize(table, POLICY, method=method).frame
    return frame.select(COLUMNS)


@pytest.mark.parametrize("method", ["mondrian", "tds", "kactus"])
def test_a_folder_or_a_list_of_files(folder: Path, source: pa.Table, method: str) -> None:
    expected = released(source, method)
    assert released(folder, method) == expected
    assert released(sorted(folder.glob("[0-9].*")), method) == expected


@pytest.mark.parametrize("form", ["parquet", "csv", "csv.gz", "folder"])
def test_large_files_are_counted_in_batches(
    form: str, folder: Path, source: pa.Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = folder if form == "folder" else tmp_path / f"table.{form}"
    if form == "parquet":
        pa.parquet.write_table(source, path, row_group_size=100)
    elif form != "folder":
        with (gzip.open if form == "csv.gz" else open)(path, "wb") as stream:
            pa.csv.write_csv(source, stream)
    expected = released(source)
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "_ROWS_AT_A_TIME", 700)
    monkeypatch.setattr(tuples, "_repeat", lambda *_: True)  # which a few hundred rows do not tell
    monkeypatch.setattr(batches, "read_source", None)  # nothing is read as a whole
    monkeypatch.setattr(tables, "read_source", None)
    assert released(path) == expected


def test_rows_that_hardly_repeat_are_not_read_again(
    folder: Path, source: pa.Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = released(source)
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "_ROWS_AT_A_TIME", 700)
    monkeypatch.setattr(tuples, "_repeat", lambda *_: False)
    monkeypatch.setattr(batches, "read_source", None)
    assert released(folder) == expected


def test_rows_that_cannot_be_counted_after_all_are_read_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    files = [tmp_path / "1.csv", tmp_path / "2.csv"]
    for file, n_values in zip(files, (2, 100), strict=True):
        numbers = [str(number % n_values) for number in range(600)]
        pa.csv.write_csv(pa.table({"age": numbers, "ill": ["y", "n"] * 300}), file)
    policy = Policy(quasi_identifiers=["age"], target="ill", k=5)
    expected = kanopy.anonymize(files, policy).frame
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "_ROWS_AT_A_TIME", 600)
    monkeypatch.setattr(tuples, "_MOST_BITS", 6)  # enough for the values of the first file
    assert kanopy.anonymize(files, policy).frame == expected


def test_a_policy_that_reads_dates_reads_them_in_batches(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    days = [f"{1 + i % 28:02}.{1 + i % 12:02}.{1950 + i % 40}" for i in range(2000)]
    pa.csv.write_csv(pa.table({"born": days, "ill": ["y", "n"] * 1000}), tmp_path / "t.csv")
    form = {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["year"]}
    policy = Policy(quasi_identifiers=["born"], target="ill", k=20, columns={"born": form})
    expected = kanopy.anonymize(tmp_path / "t.csv", policy).frame
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "_ROWS_AT_A_TIME", 900)
    assert kanopy.anonymize(tmp_path / "t.csv", policy).frame == expected


def cut_short(folder: Path) -> None:
    (folder / "2.csv.gz").write_bytes((folder / "2.csv.gz").read_bytes()[:-40])


def no_gzip_at_all(folder: Path) -> None:
    (folder / "2.csv.gz").write_bytes(b"age,sex\n1,2\n")


def other_columns(folder: Path) -> None:
    (folder / "3.csv").write_text("age,sex,smoker,readmitted,ward\n1,f,no,no,A\n")


def a_row_too_long(folder: Path) -> None:
    (folder / "3.csv").write_text((folder / "3.csv").read_text() + "1,2,3,4,5,6,7\n")


@pytest.mark.parametrize("is_large", [False, True])
@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (cut_short, "the compressed file is damaged"),
        (no_gzip_at_all, "the compressed file is damaged"),
        (other_columns, "has other columns than the first file"),
        (a_row_too_long, "has 7 fields"),
    ],
)
def test_damaged_files(
    damage: Any, message: str, is_large: bool, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    damage(folder)
    monkeypatch.setattr(batches, "LARGE", 0 if is_large else 1 << 29)
    with pytest.raises(InputError, match=message):
        released(folder)


def test_a_folder_without_tables(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="is a directory without tables"):
        released(tmp_path)


def test_a_packed_file_that_holds_more_than_the_memory(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_for_a_table", lambda: 1000)
    with pytest.raises(KanopyError, match="does not fit into memory") as caught:
        kanopy.anonymize(folder / "2.csv.gz", POLICY, method="kactus")
    assert caught.value.exit_code == 6


def test_rows_that_hardly_repeat_and_do_not_fit(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "memory_for_a_table", lambda: 1000)
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(tuples, "_repeat", lambda *_: False)
    with pytest.raises(KanopyError, match="does not fit into memory"):
        released(folder)


def test_no_file_of_the_folder_is_replaced(folder: Path) -> None:
    flags = ("--quasi=age,sex,smoker", "--target=readmitted", "--keep=diagnosis", "--k=5")
    before = (folder / "1.csv").read_bytes()
    outcome = run("anonymize", folder, "-o", folder / "1.csv", "--force", *flags)
    assert (outcome.code, (folder / "1.csv").read_bytes() == before) == (2, True)
    assert "output and input are the same file" in outcome.err
    assert run("anonymize", folder, "-o", folder.parent / "out.csv", *flags).code == 0


def test_the_counts_are_those_of_all_batches(folder: Path, source: pa.Table) -> None:
    record = kanopy.anonymize(folder, POLICY).record
    assert record["rows"] == {"in": 1800, "out": 1800, "dropped": 0}
    assert int(np.sum([n_rows for *_, n_rows in record["groups"]["sizes"]])) == source.num_rows
