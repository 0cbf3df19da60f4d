import io
import os
import stat
import threading
from pathlib import Path
from types import SimpleNamespace

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import PATIENCE

from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy.frames import source
from kanopy.frames.source import open_source, read_source

ROWS = {"a": ["1", "3"], "b": ["2", "4"]}
CSV = b"a,b\n1,2\n3,4\n"


def written(folder: Path, name: str, data: bytes = CSV) -> Path:
    path = folder / name
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("name", ["t.csv", "T.CSV", "t.txt", "t", "t.data", ".csv"])
def test_csv_by_name_or_for_want_of_another(tmp_path: Path, name: str):
    assert read_source(written(tmp_path, name)).to_pydict() == ROWS
    assert read_source(str(written(tmp_path, name))).to_pydict() == ROWS


def test_tab_is_usual_in_tsv(tmp_path: Path):
    path = written(tmp_path, "t.tsv", CSV.replace(b",", b"\t"))
    assert read_source(path).to_pydict() == ROWS
    with pytest.raises(InputError, match="one column found"):
        read_source(path, delimiter=",")


def test_delimiter_and_encoding_reach_the_reader(tmp_path: Path):
    path = written(tmp_path, "t.csv", "a;b\né;2\n".encode("cp1252"))
    assert read_source(path, delimiter=";", encoding="cp1252").to_pydict() == {"a": ["é"], "b": ["2"]}


@pytest.mark.parametrize("name", ["t.parquet", "t.pq", "t", "t.data"])
def test_parquet_by_name_or_by_its_first_bytes(tmp_path: Path, name: str):
    pq.write_table(pa.table(ROWS), tmp_path / name)
    assert read_source(tmp_path / name).to_pydict() == ROWS


@pytest.mark.parametrize("options", [{"delimiter": ";"}, {"encoding": "cp1252"}])
def test_settings_that_parquet_does_not_have_are_not_ignored(tmp_path: Path, options: dict[str, str]):
    pq.write_table(pa.table(ROWS), tmp_path / "t.parquet")
    with pytest.raises(PolicyError, match="no delimiter and no encoding"):
        read_source(tmp_path / "t.parquet", **options)


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("t.pkl", "pickle is never read"),
        ("t.pickle", "pickle is never read"),
        ("t.ods", "save it as .xlsx or CSV"),
        ("t.xls", "save it as .xlsx or CSV"),
        ("t.csv.xz", "of compressed files, .csv.gz and .csv.zst are read"),
        ("t.db", "sqlite3 -header -csv"),
        ("t.SQLite", "sqlite3 -header -csv"),
        ("t.sas7bdat", "proc export"),
        ("t.sav", "SAVE TRANSLATE"),
        ("t.dta", "export delimited"),
        ("t.rds", "write.csv"),
        ("t.feather", "read are .csv"),
        ("t.ARROW", "read are .csv"),
        ("t.json", "read are .csv"),
    ],
)
def test_kinds_that_are_not_read(tmp_path: Path, name: str, message: str):
    with pytest.raises(PolicyError) as caught:
        read_source(written(tmp_path, name))
    assert message in str(caught.value)
    assert caught.value.exit_code == 2


def test_no_such_file(tmp_path: Path):
    for path in (tmp_path / "none.csv", written(tmp_path, "t.csv") / "below.csv", "", "a\0b.csv"):
        with pytest.raises(InputError, match="no such file") as caught:
            read_source(path)
        assert caught.value.exit_code == 3


def test_a_directory(tmp_path: Path):
    with pytest.raises(PolicyError, match="is a directory"):
        read_source(tmp_path)


def test_no_permission(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def deny(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    path = written(tmp_path, "t.csv")
    monkeypatch.setattr(Path, "open", deny)
    with pytest.raises(ResourceError, match="permission denied") as caught:
        read_source(path)
    assert caught.value.exit_code == 6


def test_a_disk_that_fails_while_reading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    class Failing(io.BytesIO):
        n_reads = 0

        def read(self, size: int | None = -1, /) -> bytes:
            self.n_reads += 1
            if self.n_reads > 1:
                raise OSError(5, "Input/output error")
            return super().read(size)

    def opened(_: str) -> io.BytesIO:
        stream = Failing(CSV * 3)
        stream.fileno = real.fileno  # type: ignore[method-assign]
        stream.read(1)
        stream.seek(0)
        return stream

    path = written(tmp_path, "t.csv")
    with path.open("rb") as real:
        monkeypatch.setattr(source, "_opened", opened)
        with pytest.raises(ResourceError, match="Input/output error") as caught:
            read_source(path)
    assert caught.value.exit_code == 6


def test_no_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object, **__: object) -> None:
        raise MemoryError

    monkeypatch.setattr(source, "read_csv", fail)
    with pytest.raises(ResourceError, match="memory"):
        read_source(written(tmp_path, "t.csv"))


@pytest.mark.parametrize("data", [CSV, b"a,b\n1,2\n3\n"])
def test_a_file_that_changes_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes):
    path = written(tmp_path, "t.csv", data)
    read_whole = source.read_csv

    def read_and_append(*args: object, **options: object) -> pa.Table:
        try:
            return read_whole(*args, **options)
        finally:
            with path.open("ab") as file:
                file.write(b"5,6\n")

    monkeypatch.setattr(source, "read_csv", read_and_append)
    with pytest.raises(InputError, match="changed while it was read"):
        read_source(path)


def test_a_file_overwritten_in_place_with_as_many_bytes(tmp_path: Path):
    path = written(tmp_path, "t.csv")

    def overwrite() -> None:
        with open_source(path):
            later = path.stat().st_mtime_ns + 10**9  # not every file system tells nanoseconds
            path.write_bytes(CSV[::-1])
            os.utime(path, ns=(later, later))

    with pytest.raises(InputError, match="changed while it was read"):
        overwrite()


def test_a_file_replaced_by_another_was_read_whole(tmp_path: Path):
    path = written(tmp_path, "t.csv")
    with open_source(path) as opened:
        written(tmp_path, "new.csv", b"other").replace(path)
        assert opened.stream.read() == CSV


def test_the_file_is_closed_after_success_and_error(tmp_path: Path):
    for data in (CSV, b"a,b\n1\n"):
        with open_source(written(tmp_path, "t.csv", data)) as opened:
            pass
        assert opened.stream.closed


def standard_input(data: bytes, *, is_terminal: bool = False) -> SimpleNamespace:
    return SimpleNamespace(buffer=io.BytesIO(data), closed=False, isatty=lambda: is_terminal)


def test_standard_input(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", standard_input(CSV))
    assert read_source("-").to_pydict() == ROWS
    monkeypatch.setattr("sys.stdin", standard_input(b"a,b\n1\n"))
    with pytest.raises(InputError, match="standard input: line 2 has 1 field"):
        read_source("-")


def test_a_terminal_is_not_waited_for(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("sys.stdin", standard_input(CSV, is_terminal=True))
    with pytest.raises(PolicyError, match="is a terminal"):
        read_source("-")
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(PolicyError, match="is closed"):
        read_source("-")


def pipe(folder: Path, name: str = "pipe") -> Path:
    path = folder / name
    os.mkfifo(path)
    assert stat.S_ISFIFO(path.stat().st_mode)
    return path


@pytest.mark.parametrize("data", [CSV, b"a,b\n1,2\n3\n"])
def test_a_named_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, data: bytes):
    monkeypatch.setattr(source, "WRITER_PATIENCE", PATIENCE)  # however late the thread begins
    path = pipe(tmp_path)
    writer = threading.Thread(target=path.write_bytes, args=(data,), daemon=True)
    writer.start()
    if data == CSV:
        assert read_source(path).to_pydict() == ROWS
    else:
        with pytest.raises(InputError, match="line 3 has 1 field"):
            read_source(path)
    writer.join()


def test_a_writer_that_takes_its_time_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "WRITER_PATIENCE", 0.05)
    path = pipe(tmp_path)
    keeper = os.open(path, os.O_RDWR)  # the pipe has a writer, who has not written anything
    set_blocking, is_patient = os.set_blocking, threading.Event()

    def from_now_on_without_end(descriptor: int, blocking: bool) -> None:
        set_blocking(descriptor, blocking)
        is_patient.set()

    def write() -> None:
        is_patient.wait()
        os.write(keeper, CSV)
        os.close(keeper)

    monkeypatch.setattr(os, "set_blocking", from_now_on_without_end)
    writer = threading.Thread(target=write, daemon=True)
    writer.start()
    assert read_source(path).to_pydict() == ROWS
    writer.join()


def test_a_pipe_without_writer_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(source, "WRITER_PATIENCE", 0.05)
    with pytest.raises(PolicyError, match="no program writes into this pipe"):
        read_source(pipe(tmp_path))


def test_parquet_does_not_come_through_a_pipe(tmp_path: Path):
    path = pipe(tmp_path, "t.parquet")
    keeper = os.open(path, os.O_RDWR)
    os.write(keeper, b"PAR1")
    with pytest.raises(PolicyError, match="Parquet cannot be read from a pipe"):
        read_source(path)
    os.close(keeper)


def test_an_endless_device_and_an_empty_one():
    with pytest.raises(InputError, match="file is empty"):
        read_source("/dev/null")
    with pytest.raises(InputError, match="NUL"):
        read_source("/dev/zero")
