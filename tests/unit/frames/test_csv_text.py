import csv
import io
import string

import numpy as np
import pytest
from effort import n_tables
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kanopy.frames import csv_text
from kanopy.frames.csv_file import read_csv
from kanopy.frames.csv_text import (
    as_before_disarming,
    has_formula,
    spreadsheet_safe_word,
    write_csv,
)

NASTY = st.one_of(
    st.sampled_from(
        ["", " ", '"', '""', ",", ";", "\n", "\r", "\r\n", "\t", "\u2028", "\u0085", "\ufeff", "*", "é", "😀"]
    ),
    st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=5),
    st.text('a", \n\r\u2028', max_size=6),
)


def write(columns: list[tuple[str, list[str], list[int]]], **options: object) -> bytes:
    sink = io.BytesIO()
    coded = [(name, words, np.array(codes, dtype=np.int32)) for name, words, codes in columns]
    write_csv(sink, coded, len(columns[0][2]) if columns else 0, **options)
    return sink.getvalue()


def parsed(data: bytes, delimiter: str = ",") -> list[list[str]]:
    text = io.StringIO(data.decode("utf-8"), newline="")
    return list(csv.reader(text, delimiter=delimiter, strict=True))


def test_words_are_quoted_only_where_they_must_be():
    words = [
        "plain",
        "a b",
        "it's",
        "x,y",
        'say "hi"',
        "a\nb",
        "a\rb",
        " lead",
        "trail ",
        "",
        "[1, 2]",
        "5;6",
        "\ta",
    ]
    data = write([("w", words, list(range(len(words)))), ("n", ["1"], [0] * len(words))])
    assert data.decode().split(",1\n") == [
        "w,n\nplain",
        "a b",
        "it's",
        '"x,y"',
        '"say ""hi"""',
        '"a\nb"',
        '"a\rb"',
        '" lead"',
        '"trail "',
        "",
        '"[1, 2]"',
        "5;6",
        '"\ta"',
        "",
    ]


def test_line_ends_and_no_byte_order_mark():
    assert write([("é", ["ü", "x"], [0, 1, 0])]) == "é\nü\nx\nü\n".encode()


def test_an_empty_field_alone_in_its_line_is_quoted():
    assert write([("a", ["", "x"], [0, 1])]) == b'a\n""\nx\n'
    assert write([("a", [""], [0]), ("b", [""], [0])]) == b"a,b\n,\n"


def test_the_header_is_quoted_like_a_word():
    assert write([("a,b", ["1"], [0]), ('c"', ["2"], [0])]) == b'"a,b","c"""\n1,2\n'


@pytest.mark.parametrize("name", ["a;b", "a|b", "a\tb", "a,b", '"', "\ufeffx"])
def test_a_single_name_is_read_back(name: str):
    data = write([(name, ["1"], [0])])
    assert read_csv(io.BytesIO(data), where="t").column_names == [name]


def test_a_table_without_rows_is_a_header():
    assert write([("a", [], []), ("b", [], [])]) == b"a,b\n"


def test_another_delimiter():
    data = write([("a", ["x;y", "x,y"], [0, 1]), ("b", ["1"], [0, 0])], delimiter=";")
    assert data == b'a;b\n"x;y";1\nx,y;1\n'


@pytest.mark.parametrize("n_words", [(3, 5, 200), (1, 1, 1), (300, 300, 2), (20_000, 2, 20_000)])
def test_many_rows_in_several_blocks(n_words: tuple[int, ...]):
    n_rows = n_tables(150_001, 250_001)  # a block has a hundred thousand at most
    rng = np.random.default_rng(0)
    words = [[f"{number},{column}" for number in range(size)] for column, size in enumerate(n_words)]
    codes = [rng.integers(0, size, n_rows).astype(np.int32) for size in n_words]
    sink = io.BytesIO()
    write_csv(sink, [(f"c{i}", w, c) for i, (w, c) in enumerate(zip(words, codes, strict=True))], n_rows)
    rows = parsed(sink.getvalue())
    assert rows[0] == ["c0", "c1", "c2"]
    for column in range(3):
        written = [row[column] for row in rows[1:]]
        assert written == [words[column][code] for code in codes[column].tolist()]


def test_long_words_are_not_multiplied(monkeypatch: pytest.MonkeyPatch):
    fused = []
    monkeypatch.setattr(csv_text, "_fused", lambda *pieces: fused.append(pieces))
    words = [f"{number:02}" * 1_000 for number in range(100)]
    codes = list(range(100)) * 101
    data = write([("a", words, codes), ("b", words, codes)])
    assert not fused
    assert len(data) == 4 + 2 * 2_001 * len(codes)


@pytest.mark.parametrize(
    ("word", "safe"),
    [
        ("=1+1", "'=1+1"),
        ("+49 30", "'+49 30"),
        ("-x", "'-x"),
        ("@SUM(A1)", "'@SUM(A1)"),
        ("\tx", "'\tx"),
        ("\rx", "'\rx"),
        ("-", "'-"),
        ("-5e", "'-5e"),
        ("-1-1", "'-1-1"),
        ("-٣", "'-٣"),
        ("-5\n", "'-5\n"),
        ("-5", "-5"),
        ("+3.25", "+3.25"),
        ("-.5e-10", "-.5e-10"),
        ("a=1", "a=1"),
        ("[-5, 3]", "[-5, 3]"),
        ("", ""),
        ("'", "'"),
        ("'-5", "'-5"),
    ],
)
def test_words_that_a_spreadsheet_would_run(word: str, safe: str):
    assert spreadsheet_safe_word(word) == safe
    assert as_before_disarming(safe) == word
    assert has_formula([word, "x", word]) == (2 if safe != word else 0)
    columns = [("=n", [word], [0]), ("m", ["1"], [0])]
    assert parsed(write(columns)) == [["=n", "m"], [word, "1"]]


@settings(max_examples=n_tables(80), deadline=None)
@given(st.data(), st.integers(1, 4), st.integers(0, 12), st.sampled_from(",;\t|"))
def test_what_is_written_is_what_every_reader_reads(
    data: st.DataObject, n_columns: int, n_rows: int, delimiter: str
):
    columns = []
    for number in range(n_columns):
        words = data.draw(st.lists(NASTY, min_size=1, max_size=4, unique=True))
        codes = data.draw(st.lists(st.integers(0, len(words) - 1), min_size=n_rows, max_size=n_rows))
        columns.append((string.ascii_letters[number], words, codes))
    rows = [[words[codes[row]] for _, words, codes in columns] for row in range(n_rows)]
    written = write(columns, delimiter=delimiter)
    assert parsed(written, delimiter) == [[name for name, _, _ in columns], *rows]
    if n_rows:
        table = read_csv(io.BytesIO(written), where="t", delimiter=delimiter)
        assert [list(row.values()) for row in table.to_pylist()] == rows


@given(st.text(max_size=8) | st.text("'=-1", max_size=4))
@example("=")
@example("'=")
@example("''=")
def test_a_safe_word_is_never_at_risk_and_no_other_one(word: str):
    safe = spreadsheet_safe_word(word)
    assert has_formula([safe]) == 0
    assert as_before_disarming(safe) == word


@pytest.mark.parametrize(
    ("name", "safe"),
    [
        ("=A1", "'=A1"), (" =A1", "' =A1"), ("\t=A1", "'\t=A1"), ("@x", "'@x"), ("+cmd", "'+cmd"),
        ("-z", "'-z"),
        ("'=A1", "''=A1"), ("''=A1", "'''=A1"), ("'name", "'name"), ("-5", "-5"), ("age", "age"),
        (" -5", " -5"),
    ],
)  # fmt: skip
def test_names_are_disarmed_and_told_apart(name: str, safe: str) -> None:
    assert spreadsheet_safe_word(name) == safe
    assert as_before_disarming(safe) == name
