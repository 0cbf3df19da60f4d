"""Inputs that are huge, that change, that are no files; bounded memory, and never a hang."""

import io
import os
import subprocess
import threading
from pathlib import Path

import pyarrow as pa
import pytest
from cases import FLAGS, HEADER, RELEASE, TABLE, columns, parquet
from command import PATIENCE, SECRET, Outcome, assert_clean, run, spawn
from effort import n_tables

from kanopy.frames import parquet_file, source


def anonymize(given: Path | str, folder: Path, *more: str) -> Outcome:
    outcome = run("anonymize", given, "-o", folder / "out.csv", *FLAGS, *more)
    assert_clean(outcome)
    assert (outcome.code == 0) == (folder / "out.csv").exists()
    assert not list(folder.glob(".*tmp"))
    return outcome


COUNT_MEMORY = """
import os, tracemalloc, kanopy.cli.anonymize, pyarrow
leave = os._exit
def tell_and_leave(code):
    print(tracemalloc.get_traced_memory()[1] + pyarrow.default_memory_pool().max_memory(), flush=True)
    leave(code)
os._exit = tell_and_leave
tracemalloc.start()
"""
"""Prints how many bytes Python, NumPy and pyarrow had at most, each at its own moment."""


def test_row_17_a_line_without_end_is_refused_in_bounded_memory(tmp_path: Path):
    path = tmp_path / "data.csv"
    with path.open("wb") as stream:
        stream.write(HEADER.encode() + b"1,")
        for _ in range(100):
            stream.write(b"x" * 1_000_000)
    outcome = spawn("anonymize", path, "-o", tmp_path / "out.csv", *FLAGS, prelude=COUNT_MEMORY)
    assert outcome.code == 3
    assert "line 2 is longer than 4 MiB\n hint: look for" in outcome.err
    assert int(outcome.out) < 50_000_000, "a few blocks of 4 MiB, however long the line is"
    assert list(tmp_path.iterdir()) == [path]


def test_row_28_very_many_values(tmp_path: Path):
    path = tmp_path / "data.csv"
    path.write_text(HEADER + "".join(f"{i % 50},v{i},{'YN'[i % 2]}\n" for i in range(20_000)))
    outcome = anonymize(path, tmp_path, "--k=10")
    assert outcome.code == 2, "a text of its own for every row is a key"
    assert "20,000 different values in 20,000 rows" in outcome.err
    assert anonymize(path, tmp_path, "--k=10", "--accept=identifier:zip").code == 0


def test_row_66_very_many_columns(tmp_path: Path):
    names = [f"c{number}" for number in range(n_tables(500, 1_500))]
    path = tmp_path / "data.csv"
    lines = [",".join(str((7 * place + row) % 3) for place in range(len(names))) for row in range(6)]
    path.write_text("\n".join([",".join(names), *lines]) + "\n")
    flags = ("--quasi", ",".join(names[:3]), "--keep", ",".join(names[3:]), "--k", "2")
    assert run("anonymize", path, "-o", tmp_path / "out.csv", *flags).code == 0
    assert len((tmp_path / "out.csv").read_text().split("\n", 1)[0].split(",")) == len(names)
    judged = run("audit", tmp_path / "out.csv", *flags)
    assert (judged.code, len(judged.out) < 5_000) == (0, True)


def test_row_39_a_long_name_does_not_flood_the_message(tmp_path: Path):
    (tmp_path / "data.csv").write_text(TABLE.replace("age", "x" * 10_000))
    outcome = anonymize(tmp_path / "data.csv", tmp_path)
    assert outcome.code == 2
    assert len(outcome.err) < 500


@pytest.mark.parametrize(
    ("limit", "value", "says"),
    [
        ("MAX_ROW_GROUP_BYTES", 100, r"a row group takes"),
        ("memory_for_a_table", lambda: 0, r"the table takes about"),
    ],
)
def test_row_51_a_parquet_bomb(
    limit: str, value: float, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    (tmp_path / "data.parquet").write_bytes(parquet(columns([SECRET] * 1000)))
    monkeypatch.setattr(parquet_file, limit, value)
    outcome = anonymize(tmp_path / "data.parquet", tmp_path)
    assert outcome.code == 6
    assert says in outcome.err
    assert " hint: " in outcome.err


@pytest.mark.parametrize("more", [b"99,99,Y\n", b'99,"open'])
def test_row_63_an_input_that_changes_while_it_is_read(
    more: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    path = tmp_path / "data.csv"
    path.write_text(TABLE)

    def read_while_it_grows(stream: io.BufferedReader, **options: str) -> pa.Table:
        stream.peek(1)
        with path.open("ab") as writer:
            writer.write(more)
        return read_csv(stream, **options)

    read_csv = source.read_csv
    monkeypatch.setattr(source, "read_csv", read_while_it_grows)
    outcome = anonymize(path, tmp_path)
    assert outcome.code == 3
    assert "the file changed while it was read\n hint: run again" in outcome.err


@pytest.mark.parametrize(
    ("name", "code", "says"),
    [
        ("nowhere.csv", 3, r"no such file\n hint: check the path"),
        ("folder.csv", 2, r"is a directory without tables\n hint: tables are CSV, Parquet and Excel files"),
        ("data.csv/more.csv", 3, r"no such file\n hint: check the path"),
        ("x" * 300 + ".csv", 6, r"cannot be read: File name too long"),
    ],
)
def test_row_64_no_file(name: str, code: int, says: str, tmp_path: Path):
    (tmp_path / "folder.csv").mkdir()
    (tmp_path / "data.csv").write_text(TABLE)
    outcome = anonymize(tmp_path / name, tmp_path)
    assert outcome.code == code
    assert says.replace("\\n", "\n") in outcome.err


def test_row_64_a_named_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "WRITER_PATIENCE", PATIENCE)
    pipe = tmp_path / "pipe.csv"
    os.mkfifo(pipe)
    writer = threading.Thread(target=pipe.write_text, args=(TABLE,), daemon=True)
    writer.start()
    assert anonymize(pipe, tmp_path).code == 0
    writer.join()
    assert (tmp_path / "out.csv").read_text() == RELEASE


def test_row_64_a_named_pipe_that_nobody_writes_into(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    os.mkfifo(tmp_path / "pipe.csv")
    monkeypatch.setattr(source, "WRITER_PATIENCE", 0.05)
    outcome = anonymize(tmp_path / "pipe.csv", tmp_path)
    assert outcome.code == 2
    assert "no program writes into this pipe\n hint: start the writer first" in outcome.err


def test_row_64_standard_input(tmp_path: Path):
    outcome = spawn("anonymize", "-", "-o", tmp_path / "out.csv", *FLAGS, stdin=TABLE.encode())
    assert (outcome.code, (tmp_path / "out.csv").read_text()) == (0, RELEASE)


@pytest.mark.parametrize(("stdin", "code"), [(subprocess.DEVNULL, 3), (None, 2)])
def test_row_64_no_standard_input(stdin: int | None, code: int, tmp_path: Path):
    close = "import os; os.close(0); import sys; sys.stdin = None\n" if stdin is None else ""
    outcome = spawn("anonymize", "-", "-o", tmp_path / "out.csv", *FLAGS, prelude=close)
    assert outcome.code == code
    assert "standard input" in outcome.err
    assert_clean(outcome)
    assert not list(tmp_path.iterdir())
