"""Hierarchies as files."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from kanopy.data import Hierarchy
from kanopy.errors import PolicyError, ResourceError
from kanopy.frames.numbers import natural_order
from kanopy.policy import Policy, load_hierarchy


def load(folder: Path, content: bytes | str) -> Hierarchy:
    path = folder / "zip.csv"
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load_hierarchy("zip", path, natural_order)


def test_lines_are_paths(tmp_path: Path) -> None:
    tree = load(tmp_path, '\ufeff b ;cafe\u0301;*\r\n\r\na;caf\u00e9;*\r\n"c;d";other;*\r\n')
    assert tree.leaves == ("a", "b", "c;d")
    assert "caf\u00e9" in tree.node_label
    assert tree.height == 2


def test_numbers_are_ordered_as_numbers(tmp_path: Path) -> None:
    assert load(tmp_path, "10;all;*\n9;all;*\n1;all;*\n").leaves == ("1", "9", "10")
    assert load(tmp_path, "10;all;*\n9;all;*\nx;all;*\n").leaves == ("10", "9", "x")


def test_an_object_is_taken_as_it_is(tmp_path: Path) -> None:
    tree = load(tmp_path, "a;*\nb;*\n")
    assert load_hierarchy("zip", tree, natural_order) is tree


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("a;x;*\nb;;*\n;x;*\n", "2 lines have an empty label"),
        ("a; ;*\n", "1 lines have an empty label"),
        ("a;x;*\nb;*\n", "1 lines differ in length"),
        ("a;x;*\na;y;*\n", "two paths|second parent"),
        ("", "is empty"),
        (b"a;\xff;*\n", "is not UTF-8 text"),
        ("a;*\n".encode("utf-16"), "is not UTF-8 text"),
        ("a;\0;*\n", "contains a NUL character"),
        ('a;"x;*\n', "is not UTF-8 text"),
        ("a;b;*\nb;c;*\n", "1 groups share their name with another group or value"),
        ("a;b;*\nb;a;*\n", "2 groups share their name"),
        ("a;x;a;*\nb;y;y;*\n", "1 lines put a group above itself"),
        ("a;*;x\nb;y;x\n", r"1 lines put a group above itself, or \* below a group"),
    ],
)
def test_refused(content: bytes | str, message: str, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=message) as caught:
        load(tmp_path, content)
    assert "hierarchy of column 'zip'" in caught.value.message


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match=r"\(gone\.csv\): no such file") as caught:
        load_hierarchy("zip", tmp_path / "gone.csv", natural_order)
    assert caught.value.hint == "paths are relative to the policy file"
    load(tmp_path, "a;*\n")
    with pytest.raises(PolicyError, match="no such file"):
        load_hierarchy("zip", tmp_path / "zip.csv" / "inside.csv", natural_order)


def test_no_regular_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for path in (tmp_path, tmp_path / "pipe"):
        with pytest.raises(PolicyError, match="is not a regular file"):
            load_hierarchy("zip", path, natural_order)


def test_no_right_to_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(*_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied")

    (tmp_path / "zip.csv").write_text("a;*\n")
    monkeypatch.setattr(os, "open", denied)
    with pytest.raises(ResourceError, match="cannot be read: Permission denied"):
        load_hierarchy("zip", tmp_path / "zip.csv", natural_order)


def test_size(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("kanopy.policy.hierarchy_file._MAX_BYTES", 10)
    assert load(tmp_path, "ab;*\ncd;*\n").leaves == ("ab", "cd")
    with pytest.raises(PolicyError, match="larger than 10 bytes"):
        load(tmp_path, "ab;*\ncd;*\n\n")


def test_labels_and_missing_texts_are_cleaned_as_cells_are(tmp_path: Path) -> None:
    (tmp_path / "h.csv").write_text("\u200ba\u2003;x;*\nb;x;*\n", encoding="utf-8")
    assert load_hierarchy("q", tmp_path / "h.csv", natural_order).leaves == ("a", "b")
    assert Policy(quasi_identifiers=["q"], k=2, missing=["\u200b?"]).missing == ("?",)
