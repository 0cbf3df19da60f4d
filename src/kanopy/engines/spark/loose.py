"""Kept columns with so many values that they stay on the cluster: everything else is decided without them.

A row finds its line by its tuple; its kept values go along as they are. Sums of hashes, one for every tuple
before anything is decided and one for every line after it is written, show that none went astray.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pyarrow as pa

from kanopy.auditing.contents import Contents, content_of_column
from kanopy.data.grammar import BLANK
from kanopy.engines.request import Request
from kanopy.engines.spark.counting import Look
from kanopy.engines.spark.session import functions_of, spark_errors
from kanopy.engines.spark.source import SparkColumn, SparkSource
from kanopy.engines.spark.tasks_by_value import tasks_by_value
from kanopy.policy import Policy

FEW_TUPLES = 1 << 20
"""Tuples with all kept columns that are gathered, whatever these columns hold."""
_SAMPLED_VALUES = 50_000
_PLAIN = ("string", "tinyint", "smallint", "int", "bigint", "boolean", "date")
_NUMBERS = ("float", "double")
_FOREIGN = r"[^\x00-\x7F]"
_HALF = (1 << 31) - 1
_READING = "Spark could not read the table"


def candidates(source: SparkSource, policy: Policy, request: Request) -> tuple[SparkColumn, ...]:
    """Kept columns that may stay on the cluster: published as they are, with nothing to convert, and with a
    method that looks at them in no way."""
    if request.method.draws or not request.counts_tuples(policy):
        return ()
    is_usual = policy.source.decimal in (None, ".") and policy.source.thousands is None
    kept = {name for name in policy.keep if name not in policy.columns and name not in policy.derived}
    kinds = (*_PLAIN, *_NUMBERS) if is_usual else tuple(kind for kind in _PLAIN if kind != "string")
    return tuple(each for each in source.columns if each.name in kept and each.kind in kinds)


def stay_on_cluster(columns: Sequence[SparkColumn], look: Look) -> bool:
    """Whether tuples without these columns are much fewer; otherwise it is not worth it."""
    return bool(columns) and look.n_tuples > FEW_TUPLES and look.n_tuples >= 2 * look.n_tight


def without_columns(policy: Policy, names: set[str]) -> Policy:
    """The policy of a table that does not have these columns."""

    def left(given: Sequence[str]) -> list[str]:
        return [name for name in given if name not in names]

    accept = [code for code in policy.accept if code.partition(":")[2] not in names]
    return replace(
        policy,
        keep=left(policy.keep),
        numeric=left(policy.numeric),
        categorical=left(policy.categorical),
        accept=accept,
    )


class LooseColumns(NamedTuple):
    """The columns, and what texts mean missing in them.

    In a frame they come as ``key``; a clean one has ``v0`` and so on, the value that is published, and
    ``x0``, its text, null where it is missing.
    """

    columns: tuple[SparkColumn, ...]
    missing: tuple[str, ...]
    foreign: frozenset[str] = frozenset()  # names of columns whose texts are not all ASCII

    @classmethod
    def of(cls, frame: Any, columns: tuple[SparkColumn, ...], missing: tuple[str, ...]) -> LooseColumns:
        """Find out which columns need more than Spark's own functions; one pass over their texts."""
        functions, texts = functions_of(frame), [each for each in columns if each.kind == "string"]
        is_foreign = [functions.max(functions.col(each.key).rlike(_FOREIGN)) for each in texts]
        with spark_errors(_READING):
            (row,) = frame.agg(functions.count(functions.lit(1)), *is_foreign).collect()
        foreign = {each.name for each, found in zip(texts, row[1:], strict=True) if found}
        return cls(columns, missing, frozenset(foreign))

    @property
    def names(self) -> set[str]:
        return {each.name for each in self.columns}

    @property
    def texts(self) -> list[str]:
        return [f"x{number}" for number in range(len(self.columns))]

    @property
    def values(self) -> list[str]:
        return [f"v{number}" for number in range(len(self.columns))]

    def cleaned(self, frame: Any, others: Sequence[str]) -> Any:
        """The clean values and their texts, and other columns as they are."""
        functions = functions_of(frame)
        made, in_python = [], []
        for number, column in enumerate(self.columns):
            value, text = functions.col(column.key), functions.col(column.key).cast("string")
            if column.kind in _NUMBERS:
                value, text = value.cast("double"), functions.lit(None).cast("string")
                in_python.append((number, False))
            elif column.kind == "string":
                text = functions.btrim(text, functions.lit(BLANK))
                text = functions.when((text != "") & ~self._is_missing(functions, text), text)
                value = text
                in_python += [(number, True)] if column.name in self.foreign else []
            else:
                text = functions.when(~self._is_missing(functions, text), text)
                value = functions.when(text.isNotNull(), value)
            made += [value.alias(f"v{number}"), text.alias(f"x{number}")]
        clean = frame.select(*others, *made)
        if not in_python:
            return clean
        finish = tasks_by_value().texts_finisher(in_python, self.missing)
        return clean.mapInArrow(finish, clean.schema)

    def _is_missing(self, functions: Any, text: Any) -> Any:
        return text.isin(*self.missing) if self.missing else functions.lit(False)

    def hashed(self, functions: Any) -> Any:
        """A number that follows from the texts of a row."""
        return functions.xxhash64(
            *(functions.coalesce(functions.col(each), functions.lit("")) for each in self.texts)
        )

    def sums(self, functions: Any) -> list[Any]:
        """Two sums over the numbers of rows; halves of them, so that sums of billions of rows fit."""
        number = self.hashed(functions)
        halves = (number, functions.shiftrightunsigned(number, 32))
        return [
            functions.sum(half.bitwiseAND(functions.lit(_HALF).cast("bigint"))).alias(f"sum{place}")
            for place, half in enumerate(halves)
        ]

    def contents(self, frame: Any, policy: Policy) -> tuple[Contents, dict[str, int]]:
        """What the columns hold, and roughly how many values, told by some of their values with all their
        rows; two passes a column."""
        functions, found, n_values = functions_of(frame), {}, {}
        with spark_errors(_READING):
            (row,) = frame.agg(*(functions.approx_count_distinct(each) for each in self.texts)).collect()
            for column, text, about in zip(self.columns, self.texts, row, strict=True):
                step = max(int(about) // _SAMPLED_VALUES, 1)
                is_taken = functions.pmod(functions.xxhash64(text), functions.lit(step)) == 0
                some = frame.where(functions.col(text).isNotNull() & is_taken).groupBy(text).count().toArrow()
                words = some[text].combine_chunks().cast(pa.string())
                words = words.chunk(0) if isinstance(words, pa.ChunkedArray) else words
                counts = some["count"].to_numpy()
                found[column.name] = content_of_column(column.name, words, counts, policy)
                n_values[column.name] = len(words) * step
        return found, n_values
