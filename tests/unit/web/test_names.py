"""Names of files that come from outside are harmless; nothing leads out of the folder of --root."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.errors import PolicyError
from kanopy.web.names import check_table_name, safe_name, table_under, tables_under


@pytest.mark.parametrize(
    ("given_name", "safe"),
    [
        ("data.csv", "data.csv"),
        ("../../etc/passwd", "passwd"),
        ("C:\\Users\\x\\Übersicht 2023.xlsx", "Übersicht 2023.xlsx"),
        ("<img onerror=x>.csv", "_img onerror_x_.csv"),
        ("-rf.csv", "rf.csv"),
        ("..", "table.csv"),
        ("", "table.csv"),
        ("a\0b\n.csv", "a_b_.csv"),
        ("x" * 300 + ".csv.gz", "x" * 93 + ".csv.gz"),
    ],
)
def test_names_are_made_harmless(given_name: str, safe: str) -> None:
    assert safe_name(given_name) == safe


@given(st.text())
def test_no_name_leads_elsewhere(name: str) -> None:
    made = safe_name(name)
    assert Path(made).name == made
    assert made not in (".", "..", "")
    assert len(made) <= 100
    assert not made.startswith("-")
    assert made.isprintable()


def test_endings_say_how_a_table_is_written() -> None:
    assert check_table_name("A.CSV.GZ") == "A.CSV.GZ"
    with pytest.raises(PolicyError):
        check_table_name("table.pickle")


def test_only_what_lies_under_the_folder_is_found(tmp_path: Path) -> None:
    root = tmp_path / "root"
    (root / "a" / ".hidden").mkdir(parents=True)
    for place in (
        root / "one.csv",
        root / "a" / "two.parquet",
        root / "a" / ".hidden" / "no.csv",
        root / "x.txt.py",
        root / ".hidden.csv",
        root / "_part.csv",
    ):
        place.write_text("x", "utf-8")
    outside = tmp_path / "outside.csv"
    outside.write_text("x", "utf-8")
    (root / "link.csv").symlink_to(outside)
    (root / "inner.csv").symlink_to(root / "one.csv")
    (root / "folder").symlink_to(tmp_path)
    assert list(tables_under(root)) == ["one.csv", "a/two.parquet"]
    assert table_under(root, "a/two.parquet") == (root / "a" / "two.parquet").resolve()
    for wrong in (
        "link.csv",
        "../outside.csv",
        str(outside),
        "folder/outside.csv",
        "a",
        "none.csv",
        "x.txt.py",
        "\0",
        ".hidden.csv",
        "_part.csv",
        "a/.hidden/no.csv",
        "a/../.hidden.csv",
    ):
        with pytest.raises(PolicyError):
            table_under(root, wrong)
