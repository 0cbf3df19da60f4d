"""The values of every column with how many rows have each: all of them, or some of them with all their rows.

A sample of rows would make values that occur ten times look unique. A sample of values does not: whether a
value is taken follows from its hash, so that either all its rows are counted, or none.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from kanopy.content import ALL_SEEN, Unseen
from kanopy.data.arrays import Ints
from kanopy.data.grammar import BLANK
from kanopy.engines.spark.counting import changed_table, checked_rows
from kanopy.engines.spark.session import spark_errors
from kanopy.engines.spark.source import SparkColumn, SparkSource

SAMPLED_VALUES = 50_000
"""Values of a column up to twice as many of which are all taken."""
_VALUES_OF_ALL = 2_000_000
_FEWEST_VALUES = 2_000
_FEW_WORDS = 20  # values without a digit that are always taken: among numbers they mean something
_LONGEST = 1000  # characters of a text: its beginning tells what it is
_READING = "Spark could not read the table"


class SampledColumn(NamedTuple):
    """Values in their type, null among them, how many rows have each, and what was not taken."""

    values: pa.Array
    counts: Ints
    unseen: Unseen = ALL_SEEN


class _Draw(NamedTuple):
    """One value of so many is taken; those without a digit always, where they are few."""

    step: int
    takes_words: bool


def sampled_columns(source: SparkSource, always: Collection[str]) -> tuple[dict[str, SampledColumn], int]:
    """The values of all columns, and the number of rows; O(rows * columns), in two passes.

    Null, blank texts and those that are ``always`` taken, whatever their case, are counted exactly.
    """
    n_rows, draws = _draws(source)
    functions = source.functions
    numbered = list(enumerate(zip(source.columns, draws, strict=True)))
    cells = [_cell(functions, number, column, draw, always) for number, (column, draw) in numbered]
    frame = source.frame.select(functions.explode(functions.array(*cells)).alias("cell"))
    frame = frame.where(functions.col("cell").isNotNull()).select("cell.*")
    short = functions.substring("text", 1, _LONGEST).alias("text")
    with spark_errors(_READING):
        counted = frame.groupBy("column", "always", "text").count()
        found = counted.select("column", "always", short, "count").toArrow()
    return {
        column.name: _sampled(column, found.filter(pc.equal(found["column"], number)), draw.step, n_rows)
        for number, (column, draw) in numbered
    }, n_rows


def _draws(source: SparkSource) -> tuple[int, Sequence[_Draw]]:
    """The number of rows, and how much of every column is taken; one pass."""
    functions, values, words = source.functions, [], []
    for column in source.columns:
        value = column.counted(functions)
        values.append(functions.approx_count_distinct(value))
        if _is_text(column):
            words.append(functions.approx_count_distinct(functions.when(~value.rlike("[0-9]"), value)))
    count, n_corrupt = functions.count(functions.lit(1)), functions.count(source.is_corrupt)
    with spark_errors(_READING):
        (row,) = source.frame.agg(count, n_corrupt, *values, *words).collect()
    most = max(_FEWEST_VALUES, min(SAMPLED_VALUES, _VALUES_OF_ALL // len(source.columns)))
    n_words, draws = iter(row[2 + len(values) :]), []
    for column, n_values in zip(source.columns, row[2:], strict=False):
        takes_words = _is_text(column) and next(n_words) <= _FEW_WORDS
        draws.append(_Draw(max(int(n_values) // most, 1), takes_words))
    return checked_rows(row[0], row[1]), draws


def _is_text(column: SparkColumn) -> bool:
    return bool(pa.types.is_string(column.type))


def _cell(functions: Any, number: int, column: SparkColumn, draw: _Draw, always: Collection[str]) -> Any:
    """A cell with the number of its column; null where it is not taken."""
    text, is_always, is_taken = column.counted(functions).cast("string"), functions.lit(False), None
    if draw.step > 1:
        is_always = _is_always(functions, text, always, draw)
        is_taken = is_always | (functions.pmod(functions.xxhash64(text), functions.lit(draw.step)) == 0)
    place = functions.lit(number).alias("column")
    cell = functions.struct(place, is_always.alias("always"), text.alias("text"))
    return cell if is_taken is None else functions.when(is_taken, cell)


def _is_always(functions: Any, text: Any, always: Collection[str], draw: _Draw) -> Any:
    """Whether a value is taken whatever its hash is; never null."""
    clean = functions.lower(functions.btrim(text, functions.lit(BLANK)))
    known = [*always, *(f"{each}.0" for each in always)]  # so Spark writes 999 among fractions
    is_always = (clean == "") | clean.isin(*known)
    is_always = is_always | ~text.rlike("[0-9]") if draw.takes_words else is_always
    return text.isNull() | functions.coalesce(is_always, functions.lit(False))


def _sampled(column: SparkColumn, found: pa.Table, step: int, n_rows: int) -> SampledColumn:
    """One column of what Spark has counted, in the order of its texts; O(values)."""
    found = found.take(pc.sort_indices(found, [("text", "ascending"), ("count", "ascending")]))
    texts = found["text"].combine_chunks()
    texts = texts.chunk(0) if isinstance(texts, pa.ChunkedArray) else texts
    counts: Ints = found["count"].to_numpy().astype(np.int64)
    n_unseen = n_rows - int(counts.sum())
    if n_unseen < 0 or (step == 1 and n_unseen):
        raise changed_table()
    is_drawn = ~found["always"].to_numpy().astype(bool)
    unseen = Unseen(_unseen_values(counts[is_drawn], step, n_unseen), n_unseen)
    return SampledColumn(column.restored(texts), counts, unseen)


def _unseen_values(counts: Ints, step: int, n_rows: int) -> int:
    """How many values these rows have, told by the rows of the values that were drawn; O(values).

    Where values have about equally many rows, by how many they have; this is exact for keys. Otherwise a
    frequent value would say too much, and every value stands for as many as were left out for it.
    """
    if not len(counts) or not n_rows:
        return min(n_rows, 1)
    mean = counts.mean()
    about = n_rows / mean if counts.std() < mean else len(counts) * (step - 1)
    return int(min(max(about, 1), n_rows))
