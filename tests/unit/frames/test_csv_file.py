import codecs
import csv
import io
import itertools
import tempfile
import threading
import unicodedata
from collections.abc import Iterator

import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import example, given, settings
from hypothesis import strategies as st
from memory_peak import peak_of

from kanopy.errors import InputError, KanopyError, PolicyError, ResourceError
from kanopy.frames import csv_file, csv_rows
from kanopy.frames.csv_file import TEXT, read_csv
from kanopy.frames.csv_rows import ROW_LIMIT

SECRET = "SECRET-4711"
MIB = 1 << 20


def read(data: bytes, **options: str) -> pa.Table:
    return read_csv(io.BytesIO(data), where="t.csv", **options)


def cells(table: pa.Table) -> dict[str, list[str]]:
    return table.to_pydict()


class Pipe(io.RawIOBase):
    """Cannot be rewound, and hands out a few bytes at a time."""

    def __init__(self, data: bytes, step: int = 7) -> None:
        self.data, self.step = data, step

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        part, self.data = self.data[: min(size, self.step)], self.data[min(size, self.step) :]
        return part


class Endless(io.RawIOBase):
    """A first part, then the same again for 200 MiB; counts what is read of it."""

    def __init__(self, start: bytes, again: bytes = b"x") -> None:
        self.start, self.again, self.n_read = start, again * (MIB // len(again)), 0
        self.n_left = 200 * MIB

    def readable(self) -> bool:
        return True

    def read(self, size: int = -1, /) -> bytes:
        part, self.start = self.start[:size], self.start[size:]
        if not part:
            part = self.again[: min(size, self.n_left)]
            self.n_left -= len(part)
        self.n_read += len(part)
        return part


def test_a_table_is_text_in_one_chunk_without_nulls_and_metadata():
    table = read(b"zip,n\n01234,9007199254740993\nNA,\n,null\nNone,nan\n")
    assert table.schema == pa.schema([("zip", TEXT), ("n", TEXT)])
    assert table.schema.metadata is None
    assert [column.num_chunks for column in table.columns] == [1, 1]
    assert [column.null_count for column in table.columns] == [0, 0]
    assert cells(table) == {
        "zip": ["01234", "NA", "", "None"],
        "n": ["9007199254740993", "", "null", "nan"],
    }


def test_several_blocks_become_one_dictionary():
    n_rows = 2 * ROW_LIMIT // len(b"abcdefgh,1234567\n") + 10
    data = b"a,b\n" + b"abcdefgh,1234567\n" * n_rows + b"last,1234567\n"
    table = read(data)
    assert table.num_rows == n_rows + 1
    assert [column.num_chunks for column in table.columns] == [1, 1]
    assert table.column("a").chunk(0).dictionary.to_pylist() == ["abcdefgh", "last"]
    assert table.column("b").chunk(0).dictionary.to_pylist() == ["1234567"]


@pytest.mark.parametrize("ends", list(itertools.product(["\n", "\r", "\r\n"], repeat=3)))
def test_line_ends_do_not_matter(ends: tuple[str, str, str]):
    data = "a,b{}1,2{}3,4{}".format(*ends).encode()
    assert cells(read(data)) == {"a": ["1", "3"], "b": ["2", "4"]}


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"a,b\n1,2", {"a": ["1"], "b": ["2"]}),
        (b"\n\r\na,b\n\n1,2\n\n\n3,4\n", {"a": ["1", "3"], "b": ["2", "4"]}),
        (codecs.BOM_UTF8 + b"a,b\n1,2\n", {"a": ["1"], "b": ["2"]}),
        (codecs.BOM_UTF8 + b'"a,x",b\n1,2\n', {"a,x": ["1"], "b": ["2"]}),
        (b"a,b\n\xef\xbb\xbf1,2\n", {"a": ["\ufeff1"], "b": ["2"]}),
        (b'a,b\n"x\r\ny","say ""hi"""\n', {"a": ["x\r\ny"], "b": ['say "hi"']}),
        ("a,b\nx\u2028y\u0085,z\n".encode(), {"a": ["x\u2028y\u0085"], "b": ["z"]}),
        (b'a,b\n5" disk,2\n', {"a": ['5" disk'], "b": ["2"]}),
        (b"a,b\n 1 ,2\n", {"a": [" 1 "], "b": ["2"]}),
        (b"a\n1\n\n2\n", {"a": ["1", "", "2"]}),
        (b'a\n""\n', {"a": [""]}),
        (b'"a;b"\n1\n', {"a;b": ["1"]}),
        (b'"a\nb",c\n1,2\n', {"a\nb": ["1"], "c": ["2"]}),
        (b" a ,b\n1,2\n", {"a": ["1"], "b": ["2"]}),
        (b'a,b\n"",""\n', {"a": [""], "b": [""]}),
    ],
)
def test_accepted(data: bytes, expected: dict[str, list[str]]):
    assert cells(read(data)) == expected
    assert cells(read_csv(Pipe(data), where="pipe")) == expected


def test_names_are_in_nfc():
    name = unicodedata.normalize("NFD", "Zoé")
    assert read(f"{name},b\n1,2\n".encode()).column_names == ["Zoé", "b"]


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (b"", "file is empty"),
        (codecs.BOM_UTF8, "file is empty"),
        (b"\n\r\n\n", "only blank lines"),
        (b"a,b\n", "no data rows"),
        (b"a,b", "no data rows"),
        (b"a,b\n\n\n", "no data rows"),
        (b"a\n", "no data rows"),
        (b"a,b,a\n1,2,3\n", "more than once: 'a'"),
        (b"a, a\n1,2\n", "more than once: 'a'"),
        (b"age,Age\n1,2\n", "only in case: 'age', 'Age'"),
        ("Zoé,Zoe\u0301\n1,2\n".encode(), "more than once: 'Zoé'"),
        ("STRASSE,straße\n1,2\n".encode(), "only in case"),
        (b",b\n1,2\n", "column 1 has no name"),
        (b"a, ,\n1,2,3\n", "columns 2, 3 have no name"),
        (b"a,b\n1,SECRET-4711,\n", "line 2 has 3 fields, the header has 2"),
        (b"a,b\n1,2\n\nSECRET-4711\n", "line 4 has 1 field, the header has 2"),
        (b"a,b\r1,2\r\nSECRET-4711\n", "line 3 has 1 field, the header has 2"),
        (b'a,b\n"x\ny\r\nz",2\n1,SECRET-4711,3\n', "line 5 has 3 fields, the header has 2"),
        (b'"a\nb",c\n1,2\n3\n', "line 4 has 1 field, the header has 2"),
        (b"a,b\n1,2\n SECRET-4711\n", "line 3 has 1 field, the header has 2"),
        (b'a\n1\n"2",SECRET-4711\n', "line 3 has 2 fields, the header has 1"),
        (b'a,b\n1,"SECRET-4711\n3,4\n', "line 2 opens a quote that is never closed"),
        (b'a,b\n"x\ny","SECRET-4711\nq\n', "line 3 opens a quote that is never closed"),
        (b'a,b\n"x\ny""z\nSECRET-4711\n', "line 2 opens a quote that is never closed"),
        (b'a,b\n5" disk,"SECRET-4711\n', "line 2 opens a quote that is never closed"),
        (b'"a,b\n1,2\n', "line 1 opens a quote that is never closed"),
        (b'a,b\n1,2\n"SECRET-4711"x,1\n', "line 3 has text right after a closing quote"),
        (b'a,b\n"x"y,"SECRET-4711"z\n', "line 2 has text right after a closing quote"),
        (b'"a"x,b\n1,2\n', "line 1 has text right after a closing quote"),
        (b"a,b\n1,2\nSECRET-4711\0,3\n", "line 3 contains a NUL byte"),
        (b"a\0,b\n1,2\n", "line 1 contains a NUL byte"),
        (b"a,b\n1,SECRET-4711\xff\n", "not UTF-8 at byte 18"),
        (b"a,b\n1,\xed\xa0\x80\n", "not UTF-8 at byte 7"),
        (b"a,b\n1,\xc3", "not UTF-8 at byte 7"),
        (codecs.BOM_UTF8 + b"a,b\n1,\xff\n", "not UTF-8 at byte 10"),
        (b"a,\xe9\n1,2\n", "not UTF-8 at byte 3"),
        ("a,b\n1,SECRET-4711\n".encode("utf-16"), "looks like UTF-16"),
        ("a,b\n1,SECRET-4711\n".encode("utf-16-le"), "looks like UTF-16-LE"),
        ("a,b\n1,SECRET-4711\n".encode("utf-16-be"), "looks like UTF-16-BE"),
        ("a,b\n1,SECRET-4711\n".encode("utf-32"), "looks like UTF-32"),
        (b"a;b;c\n1;2;3\n", "one column found (try delimiter=';')"),
        (b'"a";"b"\n1;2\n', "one column found (try delimiter=';')"),
        (b"a\tb\n1\t2\n", r"one column found (try delimiter='\t')"),
        (b"a|b\n1|2\n", "one column found (try delimiter='|')"),
    ],
)
def test_refused_with_the_place_and_never_with_a_cell(data: bytes, message: str):
    for source in (io.BytesIO(data), Pipe(data)):
        with pytest.raises(InputError) as caught:
            read_csv(source, where="t.csv")
        assert message in str(caught.value)
        assert str(caught.value).startswith("t.csv: ")
        assert "SECRET" not in _all_that_is_said(caught.value)


def _all_that_is_said(error: BaseException | None) -> str:
    """The message of an error and of all errors that hang on to it."""
    said = ""
    while error is not None:
        said += repr(error) + str(error)
        error = error.__cause__ or error.__context__
    return said


def test_a_source_is_read_from_where_it_stands():
    source = io.BytesIO(b"ignore this\na,b\n1\n")
    source.readline()
    with pytest.raises(InputError, match="line 2 has 1 field"):
        read_csv(source, where="t.csv")


def test_a_long_name_is_not_shown_whole():
    name = "n" * 10_000
    assert read(f"{name},b\n1,2\n".encode()).column_names == [name, "b"]
    with pytest.raises(InputError) as caught:
        read(f"{name},{name}\n1,2\n".encode())
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize(
    "encoding", ["utf-16", "utf-16-le", "utf-32", "cp1252", "latin-1", "mac-roman", "utf-8-sig"]
)
def test_other_encodings(encoding: str):
    text = "näme,b\n" + "Zoé,ß\n" * 100_000 + "ü,1\n"
    for source in (io.BytesIO(text.encode(encoding)), Pipe(text.encode(encoding), step=99_991)):
        table = read_csv(source, where="t.csv", encoding=encoding)
        assert table.num_rows == 100_001
        assert table.column("näme").chunk(0).dictionary.to_pylist() == ["Zoé", "ü"]


def test_shift_jis_is_not_split_within_a_character():
    # The second byte of this character is a vertical bar in ASCII.
    text = "ア|ポ\nポ|ポ\n"
    table = read(text.encode("shift_jis"), encoding="shift_jis", delimiter="|")
    assert cells(table) == {"ア": ["ポ"], "ポ": ["ポ"]}


@pytest.mark.parametrize(
    ("data", "encoding", "message"),
    [
        (b"a,b\n1,\x81\n", "cp1252", "not CP1252 at byte 7"),
        (b"a,b\n1,\xe9\n", "ascii", "not ASCII at byte 7"),
        ("a,b\n1,2\n".encode("utf-16")[:-1], "utf-16", "not UTF-16 at byte 17"),
        ("a,b\n1,2\n".encode("utf-16-le"), "utf-16", "no byte order mark"),
        (b"a,b\n" + b"1,2\n" * 200_000 + b"\xe9,1\n", "ascii", "not ASCII at byte 800005"),
    ],
)
def test_bytes_outside_of_the_encoding(data: bytes, encoding: str, message: str):
    with pytest.raises(InputError, match=message):
        read(data, encoding=encoding)


@pytest.mark.parametrize(
    "encoding",
    ["nope", "", "hex", "zlib", "rot13", "idna", "punycode", "undefined", "unicode_escape", "a\0b", "utf_7"],
)
def test_no_such_encoding(encoding: str):
    with pytest.raises(PolicyError, match="unknown encoding"):
        read(b"a,b\n1,2\n", encoding=encoding)


@pytest.mark.parametrize("delimiter", ["", ",,", "\\t", '"', "\n", "\r", "\0", "é", "€"])
def test_no_such_delimiter(delimiter: str):
    with pytest.raises(PolicyError, match="one ASCII character"):
        read(b"a,b\n1,2\n", delimiter=delimiter)


@pytest.mark.parametrize("delimiter", [";", "\t", "|", " ", ":", "^"])
def test_other_delimiters(delimiter: str):
    data = 'a,b\n"x,y",2\n'.replace(",", delimiter).encode()
    assert cells(read(data, delimiter=delimiter)) == {"a": [f"x{delimiter}y"], "b": ["2"]}


@pytest.fixture
def two_processors() -> Iterator[None]:
    """pyarrow reads ahead as many blocks as there are processors."""
    usual = pa.cpu_count()
    pa.set_cpu_count(2)
    yield
    pa.set_cpu_count(usual)


@pytest.mark.usefixtures("two_processors")
@pytest.mark.parametrize(
    ("start", "again", "message"),
    [
        (b"", b"x", "longer than 4 MiB"),
        (b"a,b\n1,2\n3,", b"x", "the row that begins on line 3 is longer than 4 MiB"),
        (b'a,b\n1,2\n3,"', b"x" * 1023 + b"\n", "the row that begins on line 3 is longer than 4 MiB"),
    ],
)
def test_a_row_without_end_is_not_read_whole(start: bytes, again: bytes, message: str):
    source = Endless(start, again)

    def refused() -> None:
        with pytest.raises(InputError) as caught:
            read_csv(source, where="t.csv")
        assert message in str(caught.value)

    assert peak_of(refused) < 200 * MIB
    assert source.n_read <= 8 * ROW_LIMIT


def test_a_line_without_end_is_noticed_within_two_blocks():
    source = Endless(b"a,b\n1,2\n3,")
    with pytest.raises(InputError):
        read_csv(source, where="t.csv")
    assert source.n_read <= 3 * ROW_LIMIT


def test_a_long_field_below_the_limit_is_read():
    field = b"x" * (1 << 20)
    assert read(b"a,b\n1," + field + b"\n").column("b")[0].as_py() == field.decode()
    # The same on the slow way, whose parser has a limit of its own.
    with pytest.raises(InputError, match="line 3 has 1 field"):
        read(b"a,b\n1," + field + b"\n1\n")
    assert csv.field_size_limit() == 131_072


@pytest.fixture
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> int:
    """Rows of at most 64 bytes, so that borders between blocks are everywhere."""
    for module in (csv_file, csv_rows):
        monkeypatch.setattr(module, "ROW_LIMIT", 64)
    return 64


def test_quotes_at_the_border_of_two_blocks(small_blocks: int):
    row = b'"a","b""c"\n'
    data = b"a,b\n" + row * 40
    assert cells(read(data)) == {"a": ["a"] * 40, "b": ['b"c'] * 40}
    for place in range(len(b"a,b\n"), len(data) - len(row), len(row)):
        torn = data[: place + 3] + b"z" + data[place + 3 :]
        with pytest.raises(InputError, match="right after a closing quote"):
            read(torn)
        literal = data[:place] + b'5" x,1\n' + data[place:]
        assert read(literal).num_rows == 41
        unclosed = data[:place] + b'5" x,"1\n' + data[place:]
        with pytest.raises(InputError, match=f"in the row that begins on line {place // len(row) + 2} "):
            read(unclosed)


PLAIN = st.tuples(st.integers(0, 20), st.sampled_from(["1", "22", ""]))


@given(
    st.lists(PLAIN, min_size=10, max_size=40),
    st.lists(st.tuples(st.integers(0, 40), st.sampled_from(['"a\nb",1', '"",""', '"x,""y",2', '5 x,"1"']))),
    st.sampled_from(["\n", "\r\n", "\r", "\n\n", "\n\r"]),
    st.booleans(),
)
def test_the_first_quote_may_be_anywhere(
    plain: list[tuple[int, str]], quoted: list[tuple[int, str]], line_end: str, has_end: bool
):
    """Rows before the first quote are parsed in a cheaper way than those that follow."""
    rows = ["p" * length + "," + text for length, text in plain]
    for place, row in quoted:
        rows.insert(place, row)
    text = "a,b\n" + line_end.join(rows) + line_end * has_end
    with pytest.MonkeyPatch.context() as patch:
        for module in (csv_file, csv_rows):
            patch.setattr(module, "ROW_LIMIT", 64)
        table = read(text.encode())
    expected = [row for row in csv.reader(io.StringIO(text, newline="")) if row][1:]
    assert [list(row.values()) for row in table.to_pylist()] == expected
    assert [column.num_chunks for column in table.columns] == [1, 1]


def test_rows_without_quotes_are_parsed_without_looking_for_them(monkeypatch: pytest.MonkeyPatch):
    seen = []
    parse = pa.csv.read_csv

    def noted(body: object, read: object, how: pa.csv.ParseOptions, convert: object) -> pa.Table:
        seen.append(how.newlines_in_values)
        return parse(body, read, how, convert)

    monkeypatch.setattr(pa.csv, "read_csv", noted)
    for data in (b'"a","b"\n1,2\n', b'a,b\n1,"2"\n', b"a\n1\n"):
        read(data)
    assert seen == [False, True, True]


def test_nul_at_the_border_of_two_blocks(small_blocks: int):
    data = b"a,b\n" + b"1,2\n" * 40
    for place in range(4, len(data)):
        with pytest.raises(InputError, match="NUL"):
            read(data[:place] + b"\0" + data[place:])


def test_a_row_as_long_as_the_limit_is_read_wherever_it_lies(small_blocks: int):
    longest = b"x" * 61 + b",y\n"
    for n_before in range(40):
        data = b"a,b\n" + b"1,2\n" * (n_before // 4) + b"1" * (n_before % 4) + b",2\n" + longest
        assert len(read(data).column("a").to_pylist()[-1]) == 61
        with pytest.raises(InputError, match="longer"):
            read(data.replace(b"x,y", b"x" * 8 + b",y") + b"1,2\n" * 40)


def test_a_pipe_keeps_nothing_after_an_error(monkeypatch: pytest.MonkeyPatch):
    kept = []

    class Noted(tempfile.SpooledTemporaryFile):
        def __init__(self, **options: int) -> None:
            super().__init__(**options)
            kept.append(self)

    monkeypatch.setattr(tempfile, "SpooledTemporaryFile", Noted)
    with pytest.raises(InputError, match="line 3 has 1 field"):
        read_csv(Pipe(b"a,b\n1,2\n3\n"), where="pipe")
    assert [file.closed for file in kept] == [True]


def test_a_stream_that_is_not_ready_is_not_taken_for_its_end():
    class Waiting(Pipe):
        def read(self, size: int = -1, /) -> bytes:
            return super().read(size) or None  # type: ignore[return-value]

    with pytest.raises(ResourceError, match="non-blocking"):
        read_csv(Waiting(b"a,b\n1,2\n"), where="pipe")


def test_memory_that_does_not_suffice(monkeypatch: pytest.MonkeyPatch):
    def fail(*_: object, **__: object) -> None:
        raise pa.ArrowMemoryError(SECRET)

    monkeypatch.setattr(pa.csv, "read_csv", fail)
    with pytest.raises(ResourceError) as caught:
        read(b"a,b\n1,2\n")
    assert caught.value.exit_code == 6
    assert SECRET not in _all_that_is_said(caught.value)


def test_readers_that_disagree_are_not_believed(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(csv_file, "_count_rows", lambda *_, **__: 7)
    with pytest.raises(InputError, match="do not agree"):
        read(b'a,b\n5" disk,2\n')


def test_threads_do_not_change_the_table():
    data = b"a,b\n" + b"".join(b"%d,%d\n" % (number % 97, number) for number in range(200_000))
    tables: list[pa.Table] = []
    threads = [threading.Thread(target=lambda: tables.append(read(data))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(tables) == 3
    assert all(table.equals(tables[0]) for table in tables)
    assert tables[0].column("a").chunk(0).dictionary.to_pylist()[:3] == ["0", "1", "2"]


csv_like = st.lists(
    st.sampled_from(
        [b"a", b"b", b"1", b",", b",", b"\n", b"\n", b"\r", b"\r\n", b'"', b'""', b" ", b"\xc3\xa9"]
    ),
    max_size=40,
).map(b"".join)


@settings(max_examples=n_tables(100), deadline=None)
@given(st.one_of(st.binary(max_size=60), csv_like, csv_like.map(lambda body: b"a,b\n" + body)))
@example(b'a,b\n"a""b",1\n')
@example(b'a,b\n1,"\n"\n')
@example(b"a,b\n1,2\n\n")
@example(b'a"b,c"\n1,2\n')
def test_any_bytes_give_a_table_or_an_error_of_ours(data: bytes):
    table, error = None, None
    try:
        table = read(data)
    except KanopyError as raised:
        error = raised
    if table is None:
        assert error is not None
        assert (error.exit_code, error.__cause__, error.__context__) == (3, None, None)
        return
    text = data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    header = next(row for row in rows if row)
    body = rows[rows.index(header) + 1 :]
    body = [row or [""] for row in body] if len(header) == 1 else [row for row in body if row]
    assert table.num_columns == len(header)
    assert [list(row.values()) for row in table.to_pylist()] == body


@settings(max_examples=n_tables(50), deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda width: st.lists(
            st.lists(st.text(max_size=6), min_size=width, max_size=width), min_size=1, max_size=6
        )
    ),
    st.sampled_from(["\n", "\r\n", "\r"]),
)
def test_what_pythons_writer_writes_is_read_back(rows: list[list[str]], line_end: str):
    rows = [[cell.replace("\0", "").encode("utf-8", "ignore").decode() for cell in row] for row in rows]
    text = io.StringIO(newline="")
    names = [f"c{number}" for number in range(len(rows[0]))]
    csv.writer(text, lineterminator=line_end, quoting=csv.QUOTE_ALL).writerows([names, *rows])
    table = read(text.getvalue().encode())
    assert table.column_names == names
    assert [list(row.values()) for row in table.to_pylist()] == rows
