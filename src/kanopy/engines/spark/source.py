"""A frame of Spark as a table of plain values: which columns are taken, how they are counted and restored."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, NamedTuple

import pyarrow as pa

from kanopy.engines.spark.files import CORRUPT
from kanopy.engines.spark.session import check_version, functions_of, spark_errors
from kanopy.errors import InputError
from kanopy.frames.conversion import converted
from kanopy.frames.distinct import clean_names
from kanopy.policy import Policy, shown_name

_TYPES = {
    "string": pa.string(),
    "tinyint": pa.int8(),
    "smallint": pa.int16(),
    "int": pa.int32(),
    "bigint": pa.int64(),
    "boolean": pa.bool_(),
    "date": pa.date32(),
    "float": pa.float64(),
    "double": pa.float64(),
    "timestamp": pa.timestamp("us", "UTC"),
    "timestamp_ntz": pa.timestamp("us"),
}
"""What a local reader makes of the same column of a Parquet file."""
_AS_IT_IS = {"float": pa.float32()}
"""The same where cells are compared as texts, and nothing is computed."""
_FIRST_ROWS = 1 << 16


class SparkColumn(NamedTuple):
    """A column of a frame: its name, what it is called inside, and its types in Spark and here."""

    name: str
    key: str
    kind: str
    type: pa.DataType

    def counted(self, functions: Any) -> Any:
        """What equal values have in common, whatever Spark takes for equal.

        Numbers that are no whole ones are counted by their text: 0 and -0 are two. Text in another collation
        is compared by its bytes, and times by what they are in UTC.
        """
        column = functions.col(self.key)
        if self.kind in ("float", "double"):
            return column.cast("double").cast("string")
        if self.kind == "timestamp":
            return functions.unix_micros(column)
        if self.kind.startswith("string "):
            return functions.collate(column, "UTF8_BINARY")
        return column

    def restored(self, values: pa.Array | pa.ChunkedArray) -> pa.Array | pa.ChunkedArray:
        """Counted values, or texts of them, in the type of the column; O(values)."""
        if pa.types.is_timestamp(self.type) and self.type.tz and not pa.types.is_timestamp(values.type):
            values = values.cast(pa.int64())
        return values.cast(self.type)


class SparkSource(NamedTuple):
    """A frame whose columns are called c0, c1 and so on, and those of them that a policy needs."""

    frame: Any
    columns: tuple[SparkColumn, ...]
    names: tuple[str, ...]  # of all columns of the frame, clean
    corrupt: str | None = None  # the column that is null where a line of a file is a row

    @classmethod
    def of(cls, frame: Any, policy: Policy) -> SparkSource:
        """Check names and types against the policy, before any work; O(columns)."""
        empty = pa.table({name: pa.array([], pa.string()) for name in _names_of(frame)})
        policy.check_columns(converted(empty, policy).column_names)
        taken = policy.published | {policy.person} | set(taken_by_derived(policy))
        return cls._taking(frame, taken)

    @classmethod
    def as_it_is(cls, frame: Any, without: Collection[str] = ()) -> SparkSource:
        """All columns but some, with cells that become the texts of the same cells elsewhere; O(columns)."""
        source = cls._taking(frame, set(_names_of(frame)) - set(without))
        exact = (each._replace(type=_AS_IT_IS.get(each.kind, each.type)) for each in source.columns)
        return source._replace(columns=tuple(exact))

    @classmethod
    def _taking(cls, frame: Any, taken: Collection[str | None]) -> SparkSource:
        check_version(frame.sparkSession)
        corrupt = f"c{frame.columns.index(CORRUPT)}" if CORRUPT in frame.columns else None
        names, columns = _names_of(frame), []
        for number, (name, field) in enumerate(zip(names, frame.schema.fields, strict=False)):
            if name in taken:
                kind = field.dataType.simpleString()
                columns.append(SparkColumn(name, f"c{number}", kind, _type_of(name, kind)))
        renamed = frame.toDF(*(f"c{number}" for number in range(len(frame.columns))))
        return cls(renamed, tuple(columns), tuple(names), corrupt)

    @property
    def functions(self) -> Any:
        return functions_of(self.frame)

    @property
    def is_corrupt(self) -> Any:
        """A column that is null where a line of a file is a row."""
        functions = self.functions
        column = functions.lit(None) if self.corrupt is None else functions.col(self.corrupt)
        return column.alias("corrupt")

    def without(self, names: Collection[str]) -> SparkSource:
        """The same without some of the columns."""
        return self._replace(columns=tuple(each for each in self.columns if each.name not in names))

    def first_rows(self, names: Collection[str]) -> pa.Table:
        """Some columns of the first rows, as they are; one that holds no plain values is null."""
        keys = [(name, f"c{number}") for number, name in enumerate(self.names) if name in names]
        with spark_errors("Spark could not read the table"):
            kinds = {field.name: field.dataType.simpleString() for field in self.frame.schema.fields}
            plain = [key for _, key in keys if _type(kinds[key]) is not None]
            count = self.functions.lit(1).alias("row")
            found = self.frame.select(count, *plain).limit(_FIRST_ROWS).toArrow()
        nothing = pa.nulls(found.num_rows, pa.string())
        return pa.table({name: found[key] if key in plain else nothing for name, key in keys})

    def counted_frame(self, *others: Any) -> Any:
        """A frame with the values that are counted, and other columns as they are."""
        functions = self.functions
        return self.frame.select(*(each.counted(functions).alias(each.key) for each in self.columns), *others)


def _names_of(frame: Any) -> list[str]:
    return clean_names([name for name in frame.columns if name != CORRUPT], where="the table")


def taken_by_derived(policy: Policy) -> list[str]:
    """The columns that derived ones are made of."""
    return [name for column in policy.derived.values() for name in column.columns]


def frame_of_table(session: Any, table: pa.Table) -> Any:
    """A Spark frame over a small table, in the types that a Parquet file of it would have.

    Left alone, Spark would take times without a zone for those of its own zone.
    """
    kinds = {str(known): kind for kind, known in _TYPES.items() if kind != "float"}
    columns = []
    for field in table.schema:
        kind = kinds.get(str(field.type), "string")
        if pa.types.is_decimal(field.type):
            kind = f"decimal({field.type.precision},{field.type.scale})"
        columns.append(f"`{field.name}` {kind}")
    return session.createDataFrame(table, ", ".join(columns))


def _type_of(name: str, kind: str) -> pa.DataType:
    found = _type(kind)
    if found is None:
        outer = kind.partition("<")[0].partition("(")[0]
        what = f"column {shown_name(name)} holds {outer} values"
        raise InputError(what, "only plain values can be published")
    return found


def _type(kind: str) -> pa.DataType | None:
    plain = kind.partition(" ")[0]  # string collate UTF8_LCASE
    if plain.startswith("decimal("):
        precision, scale = plain.removeprefix("decimal(").removesuffix(")").split(",")
        return pa.decimal128(int(precision), int(scale))
    return _TYPES.get(plain)
