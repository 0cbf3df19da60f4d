"""A reader that loses, doubles or shifts rows is found out: sources are counted by their bytes as well."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st

import kanopy
from kanopy.engines import local
from kanopy.errors import KanopyError, VerificationError
from kanopy.frames import batches, encode, source
from kanopy.frames.byte_counts import ColumnSums, SourceBytes
from kanopy.frames.source import read_source
from kanopy.policy.reading import SourceFormat

N_ROWS = 60
TABLE = pa.table(
    {
        "id": [f"p{i // 3}" for i in range(N_ROWS)],
        "age": [str(20 + i * 7 % 12) for i in range(N_ROWS)],
        "job": [("clerk", "nurse, night", 'the "chief"')[i % 3] for i in range(N_ROWS)],
        "cls": ["YN"[i // 5 % 2] for i in range(N_ROWS)],
    }
)
POLICY = kanopy.Policy(["age", "job"], target="cls", identifiers=["id"], k=4)
BY_PERSON = kanopy.Policy(["age", "job"], target="cls", person="id", k=4)

Fault = Callable[[pa.Table], pa.Table]


def column_of(table: pa.Table, name: str, order: Any) -> pa.Table:
    place = table.column_names.index(name)
    return table.set_column(place, name, table[name].take(order))


def without_the_last(table: pa.Table) -> pa.Table:
    return table.slice(0, table.num_rows - 1)


FAULTS: dict[str, Fault] = {
    "a row twice": lambda table: pa.concat_tables([table, table.slice(3, 1)]),
    "every row twice": lambda table: pa.concat_tables([table, table]),
    "a row lost": without_the_last,
    "a row instead of another": lambda table: pa.concat_tables([without_the_last(table), table.slice(0, 1)]),
    "a column shifted": lambda table: column_of(table, "cls", np.roll(np.arange(table.num_rows), 1)),
    "two cells exchanged": lambda table: column_of(table, "age", [1, 0, *range(2, table.num_rows)]),
    "an identifier shifted": lambda table: column_of(table, "id", np.roll(np.arange(table.num_rows), 1)),
    "rows in another order": lambda table: table.take([*range(1, table.num_rows), 0]),
    "two columns exchanged": lambda table: table.select(["id", "job", "age", "cls"]).rename_columns(
        table.column_names
    ),
}


def written(folder: Path, form: str) -> Path:
    path = folder / f"data{form}"
    if form == ".parquet":
        pa.parquet.write_table(TABLE, path)
        return path
    text = pa.BufferOutputStream()
    pa.csv.write_csv(TABLE, text, pa.csv.WriteOptions(delimiter="\t" if form == ".tsv" else ","))
    raw = text.getvalue().to_pybytes()
    path.write_bytes(gzip.compress(raw) if form == ".csv.gz" else raw)
    return path


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
@pytest.mark.parametrize("form", [".csv", ".csv.gz", ".tsv", ".parquet"])
def test_a_reader_that_is_wrong(
    fault: Fault, form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = "read_parquet" if form == ".parquet" else "read_csv"
    sound = getattr(source, name)
    monkeypatch.setattr(source, name, lambda *given, **how: fault(sound(*given, **how)))
    with pytest.raises(VerificationError, match="the table that was read is not the one in the file"):
        kanopy.anonymize(written(tmp_path, form), POLICY)


@pytest.mark.parametrize("fault", FAULTS.values(), ids=FAULTS)
def test_a_reader_of_batches_that_is_wrong(
    fault: Fault, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = batches.source_tables
    monkeypatch.setattr(batches, "LARGE", 0)
    monkeypatch.setattr(batches, "source_tables", lambda *given, **how: map(fault, sound(*given, **how)))
    with pytest.raises(VerificationError, match="the table that was read is not the one in the file"):
        kanopy.anonymize(written(tmp_path, ".csv"), POLICY)


def test_rows_that_are_lost_after_they_were_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def wrong(*given: Any, **how: Any) -> tuple[str, pa.Table]:
        kind, table = sound(*given, **how)
        return kind, without_the_last(table)

    sound = local.read_own
    monkeypatch.setattr(local, "read_own", wrong)
    with pytest.raises(VerificationError, match="other rows were encoded than were read"):
        kanopy.anonymize(written(tmp_path, ".csv"), POLICY)


@pytest.mark.parametrize("form", [".csv", ".csv.gz", ".tsv", ".parquet"])
def test_without_a_fault_it_is_released(form: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert kanopy.anonymize(written(tmp_path, form), POLICY).audit.kept
    monkeypatch.setattr(batches, "LARGE", 0)
    assert kanopy.anonymize([written(tmp_path, form)] * 2, POLICY).audit.rows == 2 * N_ROWS


# --- Persons ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "fault",
    [
        lambda persons: np.arange(len(persons), dtype=np.int32),
        lambda persons: np.roll(persons, 1),
        lambda persons: np.random.default_rng(0).permutation(persons),
        lambda persons: np.where(np.arange(len(persons)) == 7, persons.max() + 1, persons).astype(np.int32),
    ],
    ids=["every row its own person", "shifted", "in another order", "one row more is somebody else"],
)
@pytest.mark.parametrize("is_file", [True, False])
def test_persons_who_are_not_behind_their_rows(
    fault: Any, is_file: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sound = encode._persons
    monkeypatch.setattr(encode, "_persons", lambda *given: fault(sound(*given)))
    table = written(tmp_path, ".csv") if is_file else TABLE
    with pytest.raises(VerificationError, match="rows of one person were counted as those of several"):
        kanopy.anonymize(table, BY_PERSON)


def test_persons_who_are_not_counted_at_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(encode, "_persons", lambda *given: None)
    with pytest.raises(VerificationError, match="persons were not counted row by row"):
        kanopy.anonymize(TABLE, BY_PERSON)


def test_persons_who_are_behind_their_rows() -> None:
    assert kanopy.anonymize(TABLE, BY_PERSON).audit.unit == "persons"


# --- What the reader takes is counted alike ---------------------------------------------------------------

NASTY = {
    "quotes": b'a,b\n"x,1",2\n"say ""so""",3\n',
    "line ends in cells": b'a,b\n"x\r\ny",2\n"\n",3\n',
    "carriage returns": b"a,b\r1,2\r3,4\r",
    "all line ends": b"a,b\r\n1,2\n3,4\r5,6",
    "blank lines": b"\n\na,b\n\n1,2\n\n\n3,4\n\n",
    "a byte order mark": b"\xef\xbb\xbfa,b\n1,2\n",
    "a quote inside": b'a,b\n5" pipe,2\n6" pipe,3\n7" pipe,4\n',
    "a quoted header": b'"a,1","b\nc"\n1,2\n',
    "one column": b"a\n1\n\n2\n",
    "other letters": "a,b\ngrün,straße\n日本,語\n".encode(),
    "empty cells": b"a,b\n,\n,1\n1,\n",
}


@pytest.mark.parametrize("raw", NASTY.values(), ids=NASTY)
@pytest.mark.parametrize("block", [1 << 20, 3])
def test_files_are_counted_as_they_are_read(
    raw: bytes, block: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kanopy.frames.byte_counts._BLOCK", block)
    (tmp_path / "t.csv").write_bytes(raw)
    assert_counted(tmp_path / "t.csv")


def assert_counted(path: Path, **form: str) -> None:
    read = ColumnSums()
    read.add(read_source(path, **form))
    bytes_of = SourceBytes.of(path, SourceFormat(), form.get("delimiter"), form.get("encoding"))
    assert bytes_of is not None
    bytes_of.check(read, bytes_of.counted())


@pytest.mark.parametrize(("encoding", "delimiter"), [("cp1252", ";"), ("utf-16", "\t"), ("latin-1", "|")])
def test_other_encodings_and_delimiters(encoding: str, delimiter: str, tmp_path: Path) -> None:
    lines = [delimiter.join(line) for line in (("a", "b"), ("grün", "1"), ("é", '"x"'))]
    (tmp_path / "t.csv").write_bytes("\n".join(lines).encode(encoding))
    assert_counted(tmp_path / "t.csv", encoding=encoding, delimiter=delimiter)


@settings(max_examples=n_tables(40))
@given(raw=st.text(st.sampled_from('ab1,"\r\né \t;'), max_size=60))
def test_whatever_is_read_is_counted_alike(raw: str, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("t") / "t.csv"
    path.write_bytes(f"a,b\n{raw}".encode())
    try:
        read_source(path)
    except KanopyError:
        return
    assert_counted(path)
