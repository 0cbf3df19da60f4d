"""Workbooks that unpack to more than they should, or are none."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from command import SECRET, run

from kanopy.errors import InputError, ResourceError
from kanopy.frames import excel_file
from kanopy.frames.source import read_source

openpyxl = pytest.importorskip("openpyxl", reason="openpyxl (the extra excel) is not installed")
SHEET = "xl/worksheets/sheet1.xml"
XML = (SHEET, "xl/workbook.xml", "xl/styles.xml")


def parts() -> dict[str, bytes]:
    """The parts of an ordinary workbook."""
    made, content = openpyxl.Workbook(), io.BytesIO()
    for row in (["age", "note"], [1, SECRET], [2, "b"]):
        made.active.append(row)
    made.save(content)
    with zipfile.ZipFile(content) as archive:
        found = {name: archive.read(name) for name in archive.namelist()}
    assert set(XML) <= set(found)
    return found


def packed(content: dict[str, bytes], path: Path) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    return path


def changed(path: Path, name: str, change: Callable[[bytes], bytes]) -> Path:
    content = parts()
    content[name] = change(content[name])
    return packed(content, path)


def test_a_part_that_unpacks_to_far_more(tmp_path: Path) -> None:
    path = changed(tmp_path / "t.xlsx", SHEET, lambda data: data + b" " * (1 << 27))
    assert path.stat().st_size < 1 << 18
    with pytest.raises(ResourceError, match="the workbook unpacks to too much"):
        read_source(path)


def test_many_parts_that_are_large_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_file, "MOST_UNPACKED", 1 << 20)
    content = parts() | {f"xl/media/{number}.xml": b" " * 9000 for number in range(200)}
    with pytest.raises(ResourceError, match="the workbook unpacks to too much"):
        read_source(packed(content, tmp_path / "t.xlsx"))


def test_more_cells_than_a_sheet_may_have(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(excel_file, "MOST_CELLS", 100_000)
    wide = b"".join(b'<row r="%d"><c r="XFD%d"><v>1</v></c></row>' % (n, n) for n in range(4, 99))
    path = changed(
        tmp_path / "t.xlsx", SHEET, lambda data: data.replace(b"</sheetData>", wide + b"</sheetData>")
    )
    with pytest.raises(ResourceError, match="more than 100,000 cells"):
        read_source(path)


def test_a_size_that_is_only_claimed(tmp_path: Path) -> None:
    claim = b'<dimension ref="A1:XFD1048576"/>'
    path = changed(tmp_path / "t.xlsx", SHEET, lambda data: data.replace(b'<dimension ref="A1:B3" />', claim))
    assert b"XFD1048576" in zipfile.ZipFile(path).read(SHEET)
    assert read_source(path).num_rows == 2


@pytest.mark.parametrize("name", XML)
def test_entities_are_refused(tmp_path: Path, name: str) -> None:
    declared = b'<!DOCTYPE x [<!ENTITY a "aaaaaaaa"><!ENTITY b "&a;&a;&a;&a;">]>'

    def declare(data: bytes) -> bytes:
        head, end, rest = data.partition(b"?>") if data.startswith(b"<?xml") else (b"", b"", data)
        return head + end + declared + rest

    with pytest.raises(InputError, match="declares what no spreadsheet writes"):
        read_source(changed(tmp_path / "t.xlsx", name, declare))
    sixteen = changed(tmp_path / "u.xlsx", name, lambda data: declare(data).decode().encode("utf-16"))
    with pytest.raises(InputError, match="declares what no spreadsheet writes"):
        read_source(sixteen)


@pytest.mark.parametrize(
    ("content", "code", "message"),
    [
        (b"", 3, "not an Excel workbook"),
        (b"a,b\n1,2\n", 3, "not an Excel workbook"),
        (b"PK\x03\x04" + bytes(100), 3, "the workbook is damaged"),
        (b"\xd0\xcf\x11\xe0" + bytes(100), 3, "has a password"),
    ],
)
def test_what_is_no_workbook(tmp_path: Path, content: bytes, code: int, message: str) -> None:
    (tmp_path / "t.xlsx").write_bytes(content)
    outcome = run("profile", tmp_path / "t.xlsx", "--quasi", "age")
    assert (outcome.code, message in outcome.err) == (code, True), outcome.err


def test_every_cut_is_told_and_no_cell_is(tmp_path: Path) -> None:
    whole = packed(parts(), tmp_path / "whole.xlsx").read_bytes()
    for size in range(8, len(whole), 97):
        (tmp_path / "t.xlsx").write_bytes(whole[:size])
        outcome = run("profile", tmp_path / "t.xlsx", "--quasi", "age")
        assert (outcome.code, SECRET in outcome.err) == (3, False)


@pytest.mark.parametrize("name", XML)
def test_xml_that_is_none(tmp_path: Path, name: str) -> None:
    for harm in (
        lambda data: data[: len(data) // 2],
        lambda data: data.replace(b"<", b"<<"),
        lambda data: b"",
    ):
        outcome = run("profile", changed(tmp_path / "t.xlsx", name, harm), "--quasi", "age")
        assert outcome.code == 3, outcome.err
        assert SECRET not in outcome.err
