"""Compressed CSV files, in and out: the same table, always the same bytes, read back before it has a name."""

from __future__ import annotations

import gzip
import io
from pathlib import Path

import pyarrow as pa
import pytest
from command import run

import kanopy
from kanopy.errors import InputError, ResourceError
from kanopy.frames import packed as packed_files
from kanopy.frames.packed import packed, unpacked
from kanopy.frames.tables import read_table

POLICY = kanopy.Policy(quasi_identifiers=["age", "sex"], target="class", k=3)
ENDINGS = ("csv.gz", "csv.zst")
ROWS = "age,sex,class\n" + "".join(f"{20 + n % 9},{'mf'[n % 2]},{'yn'[n % 3 == 0]}\n" for n in range(90))


def compressed(data: bytes, ending: str) -> bytes:
    sink = io.BytesIO()
    with packed(sink, f".{ending.split('.')[-1]}") as stream:
        stream.write(data)
    return sink.getvalue()


def as_text(path: Path) -> bytes:
    with path.open("rb") as stream:
        return unpacked(stream, path.suffix, where="").read()


@pytest.mark.parametrize("method", ["mondrian", "mdav"])  # whose rows repeat, and hardly repeat
@pytest.mark.parametrize("ending", ENDINGS)
def test_release_is_the_same_and_is_verified(tmp_path: Path, ending: str, method: str) -> None:
    source = tmp_path / f"data.{ending}"
    source.write_bytes(compressed(ROWS.encode(), ending))
    release = kanopy.anonymize(source, POLICY, method=method)
    plain = release.write(tmp_path / "plain.csv")
    written = release.write(tmp_path / f"release.{ending}")
    again = kanopy.anonymize(source, POLICY, method=method).write(tmp_path / f"again.{ending}")
    assert as_text(written) == plain.read_bytes()
    assert written.read_bytes() == again.read_bytes()
    assert kanopy.verify(written).kept
    assert kanopy.audit(written, POLICY) == kanopy.audit(plain, POLICY)


def test_gzip_tells_neither_name_nor_date(tmp_path: Path) -> None:
    written = kanopy.anonymize(pa.table({"age": ["1"] * 4, "sex": ["m"] * 4, "class": ["y"] * 4}), POLICY)
    raw = written.write(tmp_path / "r.csv.gz").read_bytes()
    assert raw[3] == 0, "no flags: no name, no comment"
    assert raw[4:8] == bytes(4), "no date"


def test_saved_again_is_not_the_certified_file_but_has_its_cells(tmp_path: Path) -> None:
    written = kanopy.anonymize(pa.table({"age": ["1"] * 4, "sex": ["m"] * 4, "class": ["y"] * 4}), POLICY)
    path = written.write(tmp_path / "r.csv.gz")
    path.write_bytes(gzip.compress(as_text(path), 1))
    found = kanopy.verify(path)
    assert not found.kept
    assert any("every cell is the same" in check.message for check in found.checks)


@pytest.mark.usefixtures("few_folds")
@pytest.mark.parametrize("ending", ENDINGS)
def test_every_command_takes_them(tmp_path: Path, ending: str) -> None:
    data, release = tmp_path / f"data.{ending}", tmp_path / f"release.{ending}"
    data.write_bytes(compressed(ROWS.encode(), ending))
    flags = ("--quasi", "age,sex", "--target", "class", "--k", "3")
    assert run("suggest", data).code == 0
    assert run("profile", data, "--quasi", "age,sex").code == 0
    assert run("anonymize", data, "-o", release, *flags).code == 0
    assert run("audit", release, *flags).code == 0
    assert run("verify", release).code == 0
    assert run("attack", release, "--source", data, *flags).code == 0
    assert run("evaluate", data, *flags, "--learners", "nb", "--jobs", "1").code == 0


@pytest.mark.parametrize("ending", ENDINGS)
@pytest.mark.parametrize("harm", ["cut", "plain", "more"])
def test_damage_is_told(tmp_path: Path, ending: str, harm: str) -> None:
    whole = compressed(ROWS.encode(), ending)
    data = {"cut": whole[:-9], "plain": ROWS.encode(), "more": whole + b"more than that"}[harm]
    path = tmp_path / f"data.{ending}"
    path.write_bytes(data)
    with pytest.raises(InputError, match="the compressed file is damaged"):
        read_table(path)


def test_several_frames_are_one_text(tmp_path: Path) -> None:
    for ending in ENDINGS:
        path = tmp_path / f"data.{ending}"
        path.write_bytes(compressed(ROWS[:100].encode(), ending) + compressed(ROWS[100:].encode(), ending))
        assert read_table(path)[1].num_rows == 90


@pytest.mark.parametrize("ending", ENDINGS)
def test_what_unpacks_to_far_more_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    monkeypatch.setattr(packed_files, "MOST_TEXT", 1 << 20)
    path = tmp_path / f"data.{ending}"
    path.write_bytes(compressed(b"age,sex\n" + b"1,2\n" * (1 << 20), ending))
    with pytest.raises(ResourceError, match="the compressed file holds more than"):
        read_table(path)
    monkeypatch.setattr(packed_files, "MOST_TIMES", 1 << 20)  # as much as it holds
    assert read_table(path)[1].num_rows == 1 << 20


@pytest.mark.parametrize("ending", ENDINGS)
def test_text_can_be_read_from_any_place(ending: str) -> None:
    content = bytes(range(256)) * 5000
    stream = unpacked(io.BytesIO(compressed(content, ending)), f".{ending.split('.')[-1]}", where="")
    assert stream.read(10) == content[:10]
    assert stream.seek(700_001) == 700_001
    assert stream.read(99) == content[700_001:700_100]
    assert stream.seek(0, io.SEEK_END) == len(content)
    stream.seek(0)
    assert stream.read() == content
