"""Data sets by name: where they are looked for, what is accepted, and that failures leave nothing behind."""

from __future__ import annotations

import hashlib
import io
import os
import socket
import threading
import zipfile
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import PATIENCE

from kanopy.errors import InputError, PolicyError, ResourceError
from kanopy_studies import datasets
from kanopy_studies.datasets import catalogue, loading
from kanopy_studies.datasets.catalogue import DataSet
from kanopy_studies.datasets.loading import original_rows

TRAIN = """39, State-gov, 77516, <=50K
50, ?, 83311, >50K

"""
TEST = """|1x3 Cross validator
25, Private, 226802, <=50K.
38, ?, 89814, >50K.
"""
COLUMNS = ("age", "workclass", "fnlwgt", "income")


def csv_of(*lines: str) -> bytes:
    return "".join(f"{line}\n" for line in (",".join(COLUMNS), *lines)).encode()


TRAIN_CSV = csv_of("39,State-gov,77516,<=50K", "50,,83311,>50K")
TEST_CSV = csv_of("25,Private,226802,<=50K", "38,,89814,>50K")


def zipped(**members: str) -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in members.items():
            archive.writestr(f"folder/{name.replace('_', '.')}", text)
    return packed.getvalue()


@pytest.fixture(autouse=True)
def nowhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """No folder of the user's, and an empty cache."""
    monkeypatch.delenv("KANOPY_DATA", raising=False)
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(variable, str(tmp_path / "home"))
    monkeypatch.setenv("no_proxy", "*")  # the archive of these tests is on this machine
    monkeypatch.setattr(loading, "TIMEOUT", PATIENCE)
    return loading.cache_folder()


@pytest.fixture
def small_adult(monkeypatch: pytest.MonkeyPatch) -> DataSet:
    """Adult with two rows in each part."""
    adult = datasets.describe("adult")
    small = replace(
        adult,
        columns=COLUMNS,
        n_rows=4,
        files=tuple(
            replace(file, sha256=hashlib.sha256(content).hexdigest())
            for file, content in zip(adult.files, (TRAIN_CSV, TEST_CSV), strict=True)
        ),
    )
    monkeypatch.setitem(catalogue._DATA_SETS, "adult", small)
    return small


class Archive(ThreadingHTTPServer):
    """What answers in place of the UCI archive."""

    answer: bytes = b""
    status: int = 200
    missing_bytes: int = 0
    asked: list[str]

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.asked = []

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_port}"


class Answer(BaseHTTPRequestHandler):
    server: Archive

    def do_GET(self) -> None:
        self.server.asked.append(self.path)
        self.send_response(self.server.status)
        self.send_header("Content-Length", str(len(self.server.answer) + self.server.missing_bytes))
        self.end_headers()
        self.wfile.write(self.server.answer)

    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture
def archive() -> Iterator[Archive]:
    with Archive() as server:
        server.answer = zipped(adult_data=TRAIN, adult_test=TEST)
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def rows_of(table: pa.Table) -> list[tuple[str, ...]]:
    return list(zip(*(column.to_pylist() for column in table.columns), strict=True))


# --- the catalogue --------------------------------------------------------------------------------------


def test_names() -> None:
    expected = "adult german glass ionosphere crx nursery pima tic_tac_toe vehicle waveform40"
    assert set(datasets.names()) == set(expected.split())


@pytest.mark.parametrize("name", datasets.names())
def test_descriptions_make_sense(name: str) -> None:
    known = datasets.describe(name)
    assert known.target == known.columns[-1]
    assert len(set(known.columns)) == len(known.columns)
    assert set(known.numeric) <= set(known.columns[:-1])
    assert len(set(known.numeric)) == len(known.numeric)
    assert all(len(file.sha256) == 64 for file in known.files)


@pytest.mark.parametrize(
    ("name", "settings", "hint"),
    [
        ("adlut", {}, "did you mean 'adult'"),
        ("iris", {}, "there are adult"),
        ("adult", {"part": "validation"}, "'train' and 'test'"),
        ("german", {"part": "train"}, "leave it out"),
        ("german", {"part": ""}, "leave it out"),
        ("german", {"seed": 1}, "leave out the seed"),
    ],
)
def test_wrong_requests(name: str, settings: dict[str, object], hint: str) -> None:
    with pytest.raises(PolicyError) as told:
        datasets.load(name, **settings)  # type: ignore[arg-type]
    assert hint in told.value.hint


# --- from the archive -----------------------------------------------------------------------------------


def test_fetched_converted_and_kept(archive: Archive, small_adult: DataSet, nowhere: Path) -> None:
    table = datasets.load("adult", address=archive.address)
    assert tuple(table.column_names) == COLUMNS
    assert rows_of(table) == [
        ("39", "State-gov", "77516", "<=50K"),
        ("50", "", "83311", ">50K"),
        ("25", "Private", "226802", "<=50K"),
        ("38", "", "89814", ">50K"),
    ]
    assert archive.asked == ["/static/public/2/adult.zip"] * 2
    assert {path.name: path.read_bytes() for path in nowhere.iterdir()} == {
        "adult_train.csv": TRAIN_CSV,
        "adult_test.csv": TEST_CSV,
    }
    assert datasets.load("adult", download=False).equals(table)


def test_parts(archive: Archive, small_adult: DataSet) -> None:
    train = datasets.load("adult", part="train", address=archive.address)
    test = datasets.load("adult", part="test", address=archive.address + "/")
    assert (rows_of(train)[0][0], rows_of(test)[0][0]) == ("39", "25")
    assert (train.num_rows, test.num_rows) == (2, 2)


def test_every_way_of_writing_is_understood(archive: Archive) -> None:
    archive.answer = zipped(glass_data="1,1.52101,13.64,1\n214,1.5,13,7\n")
    (glass,) = datasets.describe("glass").files
    assert glass.original is not None
    assert original_rows(glass.original, address=archive.address) == [
        ("1.52101", "13.64", "1"),
        ("1.5", "13", "7"),
    ]
    archive.answer = zipped(german_data="A11 6 A34 1 \nA12 48 A32 2 \n")
    (german,) = datasets.describe("german").files
    assert german.original is not None
    assert original_rows(german.original, address=archive.address) == [
        ("A11", "6", "A34", "1"),
        ("A12", "48", "A32", "2"),
    ]
    (vehicle,) = datasets.describe("vehicle").files
    assert vehicle.original is not None
    lines = {f"xa{letter}_dat": f"95 48  {place} van \n" for place, letter in enumerate("abcdefghi")}
    archive.answer = zipped(**lines)
    rows = original_rows(vehicle.original, address=archive.address)
    assert rows == [("95", "48", str(place), "van") for place in range(9)]


FAILURES = {
    "another table": {"answer": zipped(adult_data=TRAIN.replace("77516", "77517"), adult_test=TEST)},
    "not a zip file": {"answer": b"<html>we have moved</html>"},
    "a zip file without it": {"answer": zipped(iris_data="1,2\n")},
    "not text": {"answer": zipped(adult_data="\udcff".encode("utf-8", "surrogateescape").decode("latin-1"))},
    "the server is ill": {"status": 500},
    "not there": {"status": 404},
    "half of it": {"missing_bytes": 1000},
    "nothing": {"answer": b""},
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_failure_leaves_nothing_behind(
    failure: str, archive: Archive, small_adult: DataSet, nowhere: Path
) -> None:
    for name, value in FAILURES[failure].items():
        setattr(archive, name, value)
    with pytest.raises(ResourceError) as told:
        datasets.load("adult", part="train", address=archive.address)
    assert "KANOPY_DATA" in told.value.hint
    assert str(nowhere) in told.value.hint
    assert "77517" not in str(told.value)
    assert not nowhere.exists()


@pytest.fixture
def closed() -> Iterator[str]:
    """An address at which nothing answers; the port is taken, so that nobody else begins to."""
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        yield f"http://127.0.0.1:{held.getsockname()[1]}"


def test_offline(small_adult: DataSet, nowhere: Path, closed: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = socket.getaddrinfo

    def without_the_web(host: str, *given: Any, **named: Any) -> Any:
        if host == "archive.invalid":
            raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")
        return known(host, *given, **named)

    monkeypatch.setattr(socket, "getaddrinfo", without_the_web)
    for settings in ({"address": closed}, {"address": "https://archive.invalid"}, {"download": False}):
        with pytest.raises(ResourceError, match=r"adult_train\.csv is not there") as told:
            datasets.load("adult", **settings)  # type: ignore[arg-type]
        assert "adult_train.csv" in told.value.hint
        assert str(nowhere) in told.value.hint
    assert not nowhere.exists()


def test_addresses_of_other_kinds(small_adult: DataSet, tmp_path: Path) -> None:
    (tmp_path / "static" / "public" / "2").mkdir(parents=True)
    (tmp_path / "static" / "public" / "2" / "adult.zip").write_bytes(zipped(adult_data=TRAIN))
    with pytest.raises(ResourceError, match="no address of the web"):
        datasets.load("adult", part="train", address=f"file://{tmp_path}")


def test_no_cache_to_write_into(
    archive: Archive, small_adult: DataSet, nowhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere.parent.parent.mkdir(parents=True)
    nowhere.parent.write_text("a file where the folder would be")
    assert datasets.load("adult", address=archive.address).num_rows == 4

    def fails(self: Path, target: Path) -> None:
        raise OSError("disk full")

    nowhere.parent.unlink()
    monkeypatch.setattr(Path, "replace", fails)
    assert datasets.load("adult", address=archive.address).num_rows == 4
    assert list(nowhere.iterdir()) == []


def test_what_is_no_longer_in_the_archive(archive: Archive) -> None:
    with pytest.raises(ResourceError, match="no longer has it"):
        datasets.load("pima", address=archive.address)
    assert archive.asked == []


# --- from a folder --------------------------------------------------------------------------------------


def test_folder_first_then_cache(
    small_adult: DataSet, nowhere: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, archive: Archive
) -> None:
    folder = tmp_path / "mine"
    folder.mkdir()
    monkeypatch.setenv("KANOPY_DATA", str(folder))
    nowhere.mkdir(parents=True)
    (nowhere / "adult_test.csv").write_bytes(TEST_CSV)
    (folder / "adult_train.csv").write_bytes(TRAIN_CSV)
    assert datasets.load("adult", address=archive.address).num_rows == 4
    assert archive.asked == []


def test_another_table_in_the_folder(
    small_adult: DataSet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KANOPY_DATA", str(tmp_path))
    (tmp_path / "adult_train.csv").write_bytes(TRAIN_CSV.replace(b"77516", b"77517"))
    with pytest.raises(InputError, match="not the published table") as told:
        datasets.load("adult", part="train")
    assert "77517" not in str(told.value)


def test_a_damaged_cache_is_fetched_again(archive: Archive, small_adult: DataSet, nowhere: Path) -> None:
    nowhere.mkdir(parents=True)
    (nowhere / "adult_train.csv").write_bytes(TRAIN_CSV[:-5])
    assert datasets.load("adult", part="train", address=archive.address).num_rows == 2
    assert (nowhere / "adult_train.csv").read_bytes() == TRAIN_CSV


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_CACHE_HOME": "/big/cache"}, "/big/cache/kanopy/datasets"),
        ("linux", {"XDG_CACHE_HOME": "relative"}, "/home/ann/.cache/kanopy/datasets"),
        ("linux", {}, "/home/ann/.cache/kanopy/datasets"),
        ("darwin", {"XDG_CACHE_HOME": "/big/cache"}, "/home/ann/Library/Caches/kanopy/datasets"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/kanopy/datasets"),
        ("win32", {}, "/home/ann/AppData/Local/kanopy/datasets"),
    ],
)
def test_where_the_cache_is(
    platform: str, variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for variable in ("XDG_CACHE_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(variable, raising=False)
    monkeypatch.setenv("HOME", "/home/ann")
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(loading.sys, "platform", platform)
    assert str(datasets.cache_folder()) == os.path.normpath(expected)
