"""Equal rows counted by Spark: a look at the table, the values of every column, and the different rows.

A row that is counted is a *tuple* here. Where tuples are much fewer than rows, Spark groups by the values
themselves. Where they hardly repeat, each row becomes one or two whole numbers first, made of the codes of
its values, because numbers are shuffled and sent at a fraction of the cost.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.data.arrays import Ints
from kanopy.data.keys import ROOM, counted
from kanopy.engines.spark.session import spark_errors
from kanopy.engines.spark.source import SparkColumn, SparkSource
from kanopy.errors import InputError, ResourceError
from kanopy.frames.from_numpy import as_arrow
from kanopy.frames.memory import memory_for_a_table
from kanopy.frames.tuples import CountedTable

BYTES_PER_TUPLE = 250
"""What a tuple takes on the driver, at most."""
MANY_TEXTS = 1 << 21
"""Tuples from which on rows are counted as numbers."""
MOST_BROADCAST = 1 << 20
"""Values of a column up to which every task gets all of them."""
_CHANGED = "run again when it is complete, on files that nobody writes to"
_READING = "Spark could not read the table"


def driver_limit() -> int:
    """How many tuples the driver takes: what half of its memory holds."""
    return memory_for_a_table() // BYTES_PER_TUPLE


def check_room(n_needed: int, unit: str) -> None:
    """Refuse, before the work, what does not fit on the driver."""
    if n_needed > (limit := driver_limit()):
        what = f"the table has about {n_needed:,} {unit}, and the driver takes {limit:,}"
        raise ResourceError(what, "use a driver with more memory")


class Look(NamedTuple):
    """How long a table is, and roughly how many tuples it has: all columns, and without the loose ones."""

    n_rows: int
    n_tuples: int
    n_tight: int


def look_at(source: SparkSource, loose: Sequence[str] = ()) -> Look:
    """Count rows, and estimate how many different ones there are (within a few percent); one pass."""
    functions = source.functions
    frame = source.counted_frame(source.is_corrupt)
    tight = [each.key for each in source.columns if each.name not in set(loose)]
    sets = [[each.key for each in source.columns], *([tight] if loose else [])]
    hashes = [functions.approx_count_distinct(functions.xxhash64(*keys)) for keys in sets]
    with spark_errors(_READING):
        n_corrupt = functions.count("corrupt")
        (row,) = frame.agg(functions.count(functions.lit(1)), n_corrupt, *hashes).collect()
    n_rows = checked_rows(row[0], row[1])
    return Look(n_rows, min(int(row[2]), n_rows), min(int(row[-1]), n_rows))


def checked_rows(n_rows: int, n_corrupt: int) -> int:
    """The number of rows; an InputError where there are none, or where lines of a file are none."""
    if n_corrupt:
        what = f"{n_corrupt:,} lines of the files have too few or too many cells"
        raise InputError(what, "check delimiter and quotes; kanopy suggest FILE finds them out")
    if not n_rows:
        raise InputError("the table has no rows")
    return int(n_rows)


def counted_source(source: SparkSource, look: Look) -> CountedTable:
    """All different rows and how often each is there, as columns of dictionaries; O(rows) on the cluster."""
    if look.n_tuples <= MANY_TEXTS:
        return _counted_as_texts(source, look)
    return KeyedRows.of(source, look).counted_table()


def counted_columns(source: SparkSource, names: Collection[str]) -> CountedTable:
    """The same of some columns together, if the driver takes that; two passes over them."""
    narrow = source.without({each.name for each in source.columns} - set(names))
    look = look_at(narrow)
    check_room(look.n_tuples, "different rows")
    return counted_source(narrow, look)


def rows_of(source: SparkSource, look: Look) -> pa.Table:
    """All rows as they are; O(rows) on the driver."""
    with spark_errors(_READING):
        found = source.counted_frame().toArrow()
    if found.num_rows != look.n_rows:
        raise changed_table()
    return _restored(source, found)


def _restored(source: SparkSource, found: pa.Table) -> pa.Table:
    """Columns with their names and types; equal values are held once. O(rows * columns)."""
    made = {}
    for each in source.columns:
        codes = found[each.key].dictionary_encode().unify_dictionaries().combine_chunks()
        codes = codes.chunk(0) if isinstance(codes, pa.ChunkedArray) else codes
        made[each.name] = pa.DictionaryArray.from_arrays(codes.indices, each.restored(codes.dictionary))
    return pa.table(made)


def _counted_as_texts(source: SparkSource, look: Look) -> CountedTable:
    keys = [each.key for each in source.columns]
    with spark_errors(_READING):
        found = source.counted_frame().groupBy(*keys).count().toArrow()
    weight: Ints = found["count"].to_numpy().astype(np.int64)
    # PRIVACY: equal rows that are counted too often would fill a group (tests/spark/test_counting.py).
    if weight.sum() != look.n_rows:
        raise changed_table()
    return CountedTable(_restored(source, found), weight)


class ColumnValues(NamedTuple):
    """The different values of a column: as Spark writes them, in their type, and in how many rows each is.

    Code 0 is null, code 1 the first value.
    """

    column: SparkColumn
    texts: pa.Array
    values: pa.Array
    n_rows: Ints  # of null, and of each value

    @property
    def n_codes(self) -> int:
        return len(self.texts) + 1


class KeyedRows(NamedTuple):
    """The rows of a table as whole numbers, and what these stand for."""

    source: SparkSource
    columns: tuple[ColumnValues, ...]
    keys: tuple[tuple[int, ...], ...]  # the columns that each number is made of
    look: Look

    @classmethod
    def of(cls, source: SparkSource, look: Look) -> KeyedRows:
        """Find the values of all columns; one pass."""
        columns = _values_of(source)
        keys: list[list[int]] = [[]]
        room = ROOM
        for number, column in enumerate(columns):
            if column.n_codes > room:
                keys.append([])
                room = ROOM
            keys[-1].append(number)
            room //= column.n_codes
        return cls(source, columns, tuple(map(tuple, keys)), look)

    @property
    def key_names(self) -> list[str]:
        return [f"k{number}" for number in range(len(self.keys))]

    def frame(self, *others: Any) -> Any:
        """A frame with the numbers of every row, and other columns of the source as they are.

        A value that was not there when values were found has no code, and makes its number null.
        """
        functions, frame = self.source.functions, self.source.frame
        for number, column in enumerate(self.columns):
            frame = self._with_codes(frame, number, column)
        made = []
        for name, members in zip(self.key_names, self.keys, strict=True):
            key = functions.lit(0).cast("bigint")
            for number in members:
                is_null = functions.col(f"t{number}").isNull()
                code = functions.when(is_null, functions.lit(0).cast("bigint"))
                key = key * self.columns[number].n_codes + code.otherwise(functions.col(f"n{number}"))
            made.append(key.alias(name))
        return frame.select(*made, *others)

    def _with_codes(self, frame: Any, number: int, column: ColumnValues) -> Any:
        functions = self.source.functions
        text, code = f"t{number}", f"n{number}"
        of_row = column.column.counted(functions).cast("string").alias(text)
        codes = pa.array(np.arange(1, column.n_codes, dtype=np.int64))
        known = frame.sparkSession.createDataFrame(
            pa.table({f"v{number}": column.texts.cast(pa.string()), code: codes})
        )
        known = functions.broadcast(known) if column.n_codes <= MOST_BROADCAST else known
        frame = frame.select("*", of_row)
        is_equal = functions.col(text) == functions.col(f"v{number}")
        return frame.join(known, is_equal, "left").drop(f"v{number}")

    def counted_table(self) -> CountedTable:
        """All different rows and how often each is there; O(rows) on the cluster, 16 bytes for each here."""
        with spark_errors(_READING):
            found = self.frame().groupBy(*self.key_names).count().toArrow()
        return self.decoded(found)

    def decoded(self, found: pa.Table) -> CountedTable:
        """The columns of tuples whose numbers and counts are given.

        PRIVACY: each value is counted in as many rows as when values were found
        (tests/spark/test_counting.py).
        """
        weight: Ints = found["count"].to_numpy().astype(np.int64)
        made: dict[str, pa.Array] = {}
        for name, members in zip(self.key_names, self.keys, strict=True):
            if found[name].null_count:
                raise changed_table()
            keys = found[name].to_numpy()
            for number in reversed(members):
                column = self.columns[number]
                keys, codes = np.divmod(keys, column.n_codes)
                if not np.array_equal(counted(codes, column.n_codes, weight), column.n_rows):
                    raise changed_table()
                narrow = codes.astype(np.int32)
                places = pa.array(narrow - 1, mask=narrow == 0)
                made[column.column.name] = pa.DictionaryArray.from_arrays(places, column.values)
        return CountedTable(pa.table({each.name: made[each.name] for each in self.source.columns}), weight)


def _values_of(source: SparkSource) -> tuple[ColumnValues, ...]:
    """The values of every column, each in how many rows; one pass over the table."""
    functions = source.functions
    cells = [
        functions.struct(
            functions.lit(number).alias("column"), each.counted(functions).cast("string").alias("text")
        )
        for number, each in enumerate(source.columns)
    ]
    exploded = source.frame.select(functions.explode(functions.array(*cells)).alias("cell")).select("cell.*")
    with spark_errors(_READING):
        found = exploded.groupBy("column", "text").count().toArrow()
    made = []
    for number, column in enumerate(source.columns):
        of_column = found.filter(pc.equal(found["column"], number))
        texts = of_column["text"].combine_chunks()
        n_rows = of_column["count"].to_numpy()
        is_null = texts.is_null().to_numpy(zero_copy_only=False)
        known = texts.filter(as_arrow(~is_null))
        order = pc.sort_indices(known)
        known = known.take(order)
        counts = np.append(n_rows[is_null].sum(), n_rows[~is_null][order.to_numpy()]).astype(np.int64)
        made.append(ColumnValues(column, known, column.restored(known), counts))
    return tuple(made)


def changed_table() -> InputError:
    """The error where two passes over the table do not agree."""
    return InputError("the table changed while it was read", _CHANGED)
