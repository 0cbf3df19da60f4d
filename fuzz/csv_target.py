"""CSV bytes: whatever is accepted is what Python's own strict reader reads, and can be encoded."""

from __future__ import annotations

import codecs
import csv
import io
import unicodedata
from collections.abc import Iterable
from random import Random

import pyarrow as pa

from fuzz.scratch import written
from fuzz.target import Target, Violation, refused
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.policy import Policy

SECRET = "hush7731"
"""Stands in cells of the seeds; no message may show it."""

WAYS: tuple[tuple[str, str | None, str], ...] = (
    ("in.csv", None, "utf-8"),
    ("in.tsv", None, "utf-8"),
    ("in.txt", ";", "utf-8"),
    ("in", "|", "utf-8-sig"),
    ("in.csv", None, "utf-16"),
    ("in.csv", ";", "cp1252"),
    ("in.csv", None, "utf-32-le"),
    ("in.csv", " ", "latin-1"),
)
"""Name of the file, delimiter, encoding; the first byte of an input chooses."""

_SEEDS = (
    f"age,zip,ill\n30,{SECRET},a\n31,012,b\n",
    f'"age","zi""p","ill"\r\n30,"{SECRET}, b","a\r\nc"\r\n,,\r\n',
    f"age\n{SECRET}\n\n\n3\n",
    f"\n\nage,é\r{SECRET},1e5\r-0,1.0\r",
    f'a,b\n"{SECRET}"x,2\n3,4',
    f'a,b\n"{SECRET},2\n3,4\n',
    f"a;b\n{SECRET};2\n3,5;4\n",
    f"a,a\n{SECRET},2\n",
    f"a,b\n{SECRET}\n1,2,3\n",
    f"a,b\n{SECRET},\0\n",
    f"1,2\n*,{SECRET}\n?,[1, 2]\n",
)

_PIECES = (
    *(
        SECRET,
        "1",
        "-2.5",
        "1e5",
        "a",
        "é",
        "e\u0301",
        "*",
        "?",
        "NA",
        " ",
        "\t",
        ",",
        ";",
        "|",
        '"',
        "\n",
        "\r",
    ),
    *(
        "\r\n",
        "[1, 2]",
        "{a, b}",
        "\\",
        "\ufeff",
        "\u200b",
        "\x1c",
        "\u2028",
        "\x85",
        "nan",
        "inf",
        "+7",
        "007",
    ),
)


class CsvTarget(Target):
    """``read_source`` of any bytes, then ``encode`` with a policy over the columns it found."""

    name = "csv"

    def seeds(self) -> list[bytes]:
        made = []
        for number, (_, delimiter, encoding) in enumerate(WAYS):
            for text in _SEEDS:
                text = text if delimiter is None else text.replace(",", delimiter)
                made.append(bytes([number]) + text.encode(encoding, "replace"))
        return [
            *made,
            b"\0\xef\xbb\xbfa,b\n1,2\n",
            b"\0\xff\xfea\0,\0b\0\n\0",
            b"\0a,b\n\xff,1\n",
            b"\0",
            b"",
        ]

    def make(self, rng: Random) -> bytes:
        """A table of nasty fields, most of them quoted as they should be, some rows too long or too short."""
        number = rng.randrange(len(WAYS))
        name, delimiter, encoding = WAYS[number]
        mark = delimiter or ("\t" if name.endswith(".tsv") else ",")
        n_columns = rng.randint(1, 4)
        lines = [mark.join(f"c{place}" for place in range(n_columns))]
        for _ in range(rng.randint(1, 6)):
            width = n_columns if rng.random() < 0.95 else rng.randint(0, 5)
            lines.append(mark.join(_field(rng, mark) for _ in range(width)))
        text = "".join(line + rng.choice(("\n", "\n", "\r\n", "\r")) for line in lines)
        return bytes([number]) + text.encode(encoding, "replace")

    def execute(self, data: bytes) -> str:
        name, delimiter, encoding = WAYS[data[0] % len(WAYS) if data else 0]
        raw = data[1:]
        path = written(name, raw)
        actual = delimiter or ("\t" if name.endswith(".tsv") else ",")
        secrets = _secrets(raw, actual, encoding)
        try:
            table = read_source(path, delimiter=delimiter, encoding=encoding)
        except KanopyError as error:
            return refused(error, *secrets)
        if name != "in" or not raw.startswith(b"PAR1"):
            _compare(table, raw, actual, encoding)
        return _encoded(table, secrets)


def _field(rng: Random, mark: str) -> str:
    text = "".join(rng.choice(_PIECES) for _ in range(rng.choice((0, 1, 1, 2, 3))))
    is_quoted = any(letter in text for letter in ('"', "\r", "\n", mark)) or rng.random() < 0.2
    return '"' + text.replace('"', '""') + '"' if is_quoted and rng.random() < 0.95 else text


def _text(raw: bytes, encoding: str) -> str:
    """The text behind one byte order mark, or behind none."""
    if encoding.startswith("utf-8"):
        return raw.removeprefix(codecs.BOM_UTF8).decode()
    return raw.decode(encoding).removeprefix("\ufeff")


def _strict_rows(text: str, delimiter: str) -> list[list[str]]:
    csv.field_size_limit(1 << 24)
    return list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))


def _compare(table: pa.Table, raw: bytes, delimiter: str, encoding: str) -> None:
    """What was accepted must be what the csv module reads."""
    try:
        header, *rows = _as_table(_strict_rows(_text(raw, encoding), delimiter))
    except (csv.Error, UnicodeError) as error:
        raise Violation(f"accepted, but Python's reader refuses it: {type(error).__name__}") from None
    names = [unicodedata.normalize("NFC", name).strip() for name in header]
    if table.column_names != names:
        raise Violation("other column names than Python's reader has")
    columns = [column.to_pylist() for column in table.columns]
    if [list(row) for row in zip(*columns, strict=True)] != rows:
        raise Violation("other rows than Python's reader has")


def _as_table(rows: Iterable[list[str]]) -> list[list[str]]:
    """Without blank lines, which are empty fields below a header of one column."""
    kept: list[list[str]] = []
    for row in rows:
        if row:
            kept.append(row)
        elif kept and len(kept[0]) == 1:
            kept.append([""])
    return kept


def _secrets(raw: bytes, delimiter: str, encoding: str) -> tuple[str, ...]:
    """The planted cell, unless it has become part of a column's name or of the whole text's only line."""
    text = _text_of_any(raw, encoding)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        header = next((row for row in reader if row), [])
    except csv.Error:
        return ()
    return () if any(SECRET in name for name in header) else (SECRET,)


def _text_of_any(raw: bytes, encoding: str) -> str:
    try:
        return _text(raw, encoding)
    except UnicodeError:
        return raw.decode("latin-1")


def _encoded(table: pa.Table, secrets: tuple[str, ...]) -> str:
    names = table.column_names
    roles = Policy(
        quasi_identifiers=names[: max(1, len(names) // 2)],
        keep=names[max(1, len(names) // 2) : -1] if len(names) > 2 else [],
        target=names[-1] if len(names) > 1 else None,
        missing=["NA"],
        k=2,
    )
    try:
        encoded = encode(table, roles)
    except KanopyError as error:
        return refused(error, *secrets)
    if encoded.table.n_rows != table.num_rows or list(encoded.names) != names:
        raise Violation("the encoded table has other rows or columns")
    if any(secret in notice for secret in secrets for notice in encoded.notices):
        raise Violation("a notice shows a cell")
    return "accepted"
