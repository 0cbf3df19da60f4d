"""Parquet bytes: mutated real files are read as the Parquet library reads them, or refused."""

from __future__ import annotations

import datetime
import io
import unicodedata
from decimal import Decimal
from typing import Any

import pyarrow as pa
import pyarrow.parquet

from fuzz.scratch import written
from fuzz.target import Target, Violation, refused
from kanopy.errors import KanopyError
from kanopy.frames.encode import encode
from kanopy.frames.source import read_source
from kanopy.policy import Policy

SECRET = "hush7731"

_TABLES: tuple[dict[str, pa.Array], ...] = (
    {"age": pa.array([30, 31, None, 30]), "zip": pa.array([SECRET, "012", None, "é"])},
    {
        "word": pa.array([SECRET, "b", SECRET, ""]).dictionary_encode(),
        "flag": pa.array([True, None, False, True]),
        "share": pa.array([0.5, -0.0, float("nan"), 1e300]),
    },
    {
        "day": pa.array([datetime.date(2020, 1, 2), None]),
        "moment": pa.array([datetime.datetime(2020, 1, 2, 3), None], pa.timestamp("us", "UTC")),
        "clock": pa.array([datetime.time(1, 2), None]),
        "sum": pa.array([Decimal("1.50"), Decimal("-2.25")]),
        "text": pa.array([SECRET, "x"], pa.large_string()),
    },
    {"nothing": pa.nulls(3), "small": pa.array([1, 2, 3], pa.int8()), "word": pa.array(["a", "b", SECRET])},
    {"nested": pa.array([[1], [2]]), "raw": pa.array([b"\0", b"\xff"]), "word": pa.array([SECRET, "b"])},
    {"many": pa.array([str(number % 7) for number in range(300)]), "more": pa.array(range(300), pa.uint64())},
)
_WAYS: tuple[dict[str, Any], ...] = (
    {"compression": "snappy", "write_page_checksum": True},
    {"compression": "none", "use_dictionary": False, "store_schema": False},
    {"compression": "zstd", "data_page_version": "2.0", "row_group_size": 2},
    {"compression": "none", "write_statistics": False, "column_encoding": "PLAIN", "use_dictionary": False},
)


class ParquetTarget(Target):
    """``read_source`` of damaged Parquet files, then ``encode`` with a policy over the columns it found."""

    name = "parquet"
    max_length = 8192

    def seeds(self) -> list[bytes]:
        made = []
        for columns in _TABLES:
            for way in _WAYS:
                sink = io.BytesIO()
                pa.parquet.write_table(pa.table(columns), sink, **way)
                made.append(sink.getvalue())
        return [*made, b"PAR1PAR1", b"PAR1\0\0\0\0PAR1", b"PARE"]

    def execute(self, data: bytes) -> str:
        path = written("in.parquet", data)
        try:
            table = read_source(path)
        except KanopyError as error:
            return refused(error, *_secrets(data))
        try:
            table.validate(full=True)
        except pa.ArrowInvalid:
            raise Violation("an accepted table is not valid") from None
        if not table.num_rows or any(column.num_chunks != 1 for column in table.columns):
            raise Violation("an accepted table without rows or in pieces")
        try:
            plain = pa.parquet.read_table(path)
        except (pa.ArrowException, OSError):
            return "accepted, and another way through the library finds damage"  # in what no cell needs
        _compare(table, plain)
        return _encoded(table, _secrets(data))


def _compare(table: pa.Table, plain: pa.Table) -> None:
    """Another way through the same library must give the same names and values, and no row more."""
    if table.num_rows != plain.num_rows:
        raise Violation("another number of rows than the file has")
    if table.column_names != [unicodedata.normalize("NFC", name).strip() for name in plain.column_names]:
        raise Violation("other column names than the file has")
    for column, other in zip(table.columns, plain.columns, strict=True):
        is_text = pa.types.is_dictionary(column.type)
        if not is_text and column.type != other.type:
            raise Violation("another type than the file has")
        if is_text or pa.types.is_floating(column.type):  # floats as texts: NaN is not equal to itself
            column, other = column.cast(pa.string()), other.cast(pa.string())
        if not column.equals(other):
            raise Violation("other values than the file has")


def _secrets(data: bytes) -> tuple[str, ...]:
    """The planted cell, unless the bytes of a column's name may have become those."""
    try:
        names = pa.parquet.read_schema(io.BytesIO(data)).names
    except (pa.ArrowException, OSError, ValueError, TypeError, KeyError):
        return (SECRET,)
    return () if any(SECRET in name for name in names) else (SECRET,)


def _encoded(table: pa.Table, secrets: tuple[str, ...]) -> str:
    names = table.column_names
    half = max(1, len(names) // 2)
    policy = Policy(quasi_identifiers=names[:half], sensitive=names[half:], missing=["NA"], k=2)
    try:
        encoded = encode(table, policy)
    except KanopyError as error:
        return refused(error, *secrets)
    if encoded.table.n_rows != table.num_rows:
        raise Violation("the encoded table has other rows")
    return "accepted"
