"""How a CSV file is written, found out: encoding by every byte, delimiter and quote by rows of one width."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kanopy.errors import InputError, KanopyError
from kanopy.frames.detected_file import read_detected
from kanopy.frames.dialect import Dialect, detect_dialect
from kanopy.frames.source import read_source

NAMES = ["Müller", "Groß", "Öztürk", "Lefèvre", "Muñoz", "Straße", "São", "Åse", "Ýr"]


def found(raw: bytes, **known: Any) -> Dialect:
    stream = io.BytesIO(raw)
    dialect = detect_dialect(stream, where="t.csv", **known)
    assert stream.tell() == 0, "the file can be read now"
    return dialect


def german(encoding: str) -> bytes:
    return ("Name;Größe\n" + "".join(f"{name};1,{i}\n" for i, name in enumerate(NAMES))).encode(encoding)


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b,c\n1,2,3\n", ","),
        ("a;b;c\n1,5;2,5;x\n2,5;3,5;y\n", ";"),
        ("a\tb\n1,5\t2\n3,5\t4\n", "\t"),
        ("a|b\r\n1|2\r\n", "|"),
        ("a;b\r1;2\r", ";"),
        ("Name;Alter\nMaier, Ida;3\nZorn;4\n", ";"),
        ('text,n\n"a; b;\nc; d",1\n"e;f",2\n', ","),
        ("Name, Vorname;Alter\nMaier, Ida;3\nMaier, Udo;4\n", ";"),  # a comma before a blank is punctuation
        ("n\n1\n2\n", ","),
        ("", ","),
        ("\n\na;b\n1;2\n", ";"),
    ],
)
def test_delimiter(text: str, delimiter: str) -> None:
    assert found(text.encode()).delimiter == delimiter


def test_what_is_known_is_not_guessed() -> None:
    assert found(b"a,b;c\n1,2;3\n", delimiter=";").delimiter == ";"
    assert found(german("cp1252"), encoding="latin-1").encoding == "latin-1"
    assert found(b"n\n1\n", usual="\t").delimiter == "\t"


@pytest.mark.parametrize(
    ("text", "quote"),
    [
        ("a;b\n'x;y';1\n'z';2\n", "'"),
        ("'a';'b'\n'it''s';'1'\n'z';'2'\n", "'"),
        ("'a';'b'\r\n'x';''\r\n'y;z';''\r\n", "'"),
        ("a;b\n't Hooft;1\nd'Arc;2\n'n Beetje;3\nrock 'n' roll;4\n", '"'),
        ("a;b\n\"'x'\";1\n\"'y'\";2\n", '"'),
    ],
)
def test_quote(text: str, quote: str) -> None:
    assert found(text.encode()) == Dialect(";", "utf-8", quote)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16", "utf-16-le", "utf-16-be", "utf-32"]
)
def test_encoding(encoding: str) -> None:
    dialect = found(german(encoding))
    assert (dialect.encoding, dialect.delimiter) == (encoding.removesuffix("-sig"), ";")
    assert dialect.doubts == ()


@pytest.mark.parametrize(
    ("raw", "encoding"),
    [
        ("Имя;n\nИванов;1\n".encode("cp1251"), "cp1252"),
        ("Imię;n\nŁucja;1\nŻółć;2\nŚwiątek;3\n".encode("cp1250"), "cp1252"),
        ("Name;n\nMüller;1\nGrün;2\n".encode("cp850"), "latin-1"),  # cp1252 has no such bytes
    ],
)
def test_unusual_letters_are_doubtful(raw: bytes, encoding: str) -> None:
    dialect = found(raw)
    assert (dialect.encoding, dialect.doubts) == (
        encoding,
        ("encoding: check that letters with accents look right",),
    )


def test_one_letter_at_the_end_of_a_long_file() -> None:
    raw = b"a;b\n" + b"x;1\n" * 300_000 + "ü;2\n".encode("cp1252")
    assert found(raw).encoding == "cp1252"


def test_damaged_utf8_stays_utf8() -> None:
    raw = german("utf-8") + b"\xfc;1\n"
    assert (found(raw).encoding, found(raw).doubts) == ("utf-8", ("encoding: damaged places: 1",))


def test_rows_further_on_decide() -> None:
    """At the beginning two delimiters fit; sixteen places across the file tell them apart."""
    raw = b"a,b;c\n" + b"1,2;3\n" * 60_000 + b"1;3\n" * 60_000
    assert found(raw).delimiter == ";"


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"a b\n1,2;3\n4;5,6,7\n8\n", "no delimiter divides the rows into equally many fields"),
        (
            b"Export of May\na;b;c\n1;2;3\n4;5;6\n" + b"7;8;9\n" * 9,
            "the first line has 1 fields, but most rows have 3",
        ),
        (b"sep=;\n" + b"7;8;9\n" * 9, "the first line has 2 fields, but most rows have 3"),
    ],
)
def test_no_delimiter(raw: bytes, message: str) -> None:
    with pytest.raises(InputError, match=message):
        found(raw)


def test_a_bad_row_is_left_to_the_reader(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n" + b"1;2\n" * 50 + b"1;2;3\n" + b"1;2\n" * 50)
    with pytest.raises(InputError, match="line 52 has 3 fields, the header has 2"):
        read_detected(path)


def test_a_file_is_found_out_and_read(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(german("cp1252"))
    table, dialect = read_detected(path)
    assert dialect == Dialect(";", "cp1252")
    assert table.column_names == ["Name", "Größe"]
    assert table["Name"].to_pylist() == NAMES


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"delimiter": ";;"}, "delimiter must be one ASCII character"),
        ({"delimiter": "\n"}, "delimiter must be one ASCII character"),
        ({"delimiter": "\u2028"}, "delimiter must be one ASCII character"),
        ({"encoding": "nonsense"}, "unknown encoding"),
        ({"encoding": "utf-16"}, "no byte order mark"),
    ],
)
def test_what_is_given_is_checked(known: dict[str, str], message: str, tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(b"a;b\n1;2\n3;4\n")
    with pytest.raises(KanopyError, match=message):
        read_detected(path, **known)


@pytest.mark.parametrize(
    ("encoding", "hint"), [("cp1252", "try encoding='cp1252'"), ("utf-16-le", "use encoding='utf-16-le'")]
)
def test_the_plain_reader_names_the_encoding(tmp_path: Path, encoding: str, hint: str) -> None:
    path = tmp_path / "t.csv"
    path.write_bytes(german(encoding))
    with pytest.raises(InputError, match="not UTF-8") as caught:
        read_source(path, delimiter=";")
    assert caught.value.hint == hint


@given(st.binary(max_size=300))
def test_any_bytes_have_a_dialect_or_an_error(raw: bytes) -> None:
    try:
        dialect = found(raw)
    except KanopyError:
        return
    assert dialect.delimiter in ",;\t|"
    raw.decode(dialect.encoding, "strict" if not dialect.doubts else "replace")


CELLS = st.text("ab ;,|\t\"'é1.\n", max_size=6)


@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=3, max_size=8),
    st.sampled_from(",;\t|"),
    st.sampled_from(["utf-8", "cp1252", "utf-16"]),
)
def test_what_python_writes_is_found_out(rows: list[list[str]], delimiter: str, encoding: str) -> None:
    """Where the dialect is found without doubt, it gives the rows that were written."""
    made = io.StringIO(newline="")
    csv.writer(made, delimiter=delimiter, quoting=csv.QUOTE_ALL).writerows([["x", "y", "z"], *rows])
    dialect = found(made.getvalue().encode(encoding))
    assert (dialect.delimiter, dialect.quote) == (delimiter, '"')
