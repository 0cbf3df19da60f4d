"""Quasi-identifiers whose type says that they are dates: they need no line in the policy."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from kanopy.errors import KanopyError, PolicyError
from kanopy.frames.source import files_of, open_source
from kanopy.policy import Policy, normal_name
from kanopy.policy.reading import ColumnFormat


def with_typed_dates(policy: Policy, table: Any) -> Policy:
    """The policy with a format for quasi-identifiers that a frame or Parquet file holds as dates.

    Timestamps at midnight alone are dates, others times, in the time zone of their type. What the policy says
    of a column, or declares as a category or a hierarchy, is left alone. O(rows) for each such column.
    """
    wanted = undescribed(policy)
    forms: dict[str, ColumnFormat] = {}
    for name, column in _typed_columns(table, wanted):
        form = _form_of(column)
        if form is not None and (name not in forms or form.kind == "time"):  # of several files
            forms[name] = form
    return replace(policy, columns={**policy.columns, **forms}) if forms else policy


def undescribed(policy: Policy) -> list[str]:
    """The quasi-identifiers of which the policy does not say what they hold."""
    known = {*policy.columns, *policy.categorical, *policy.hierarchies}
    return [name for name in policy.quasi_identifiers if name not in known]


def _typed_columns(table: Any, wanted: list[str]) -> Iterator[tuple[str, pa.ChunkedArray]]:
    """The columns of some names that are dates or timestamps; what is wrong with a table is told later."""
    if isinstance(table, str | os.PathLike | list | tuple):
        files: list[Any] = (files_of(table) or [table]) if wanted else []
        for file in files:
            if isinstance(file, str | os.PathLike) and _is_parquet(os.fspath(file)):
                yield from _of_parquet(file, wanted)
        return
    is_frame = any(kind.__name__ == "DataFrame" for kind in type(table).__mro__)  # of pandas or polars
    names = table.column_names if isinstance(table, pa.Table) else table.columns if is_frame else ()
    for name in names:
        if isinstance(name, str) and normal_name(name) in wanted:
            column = table[name]
            kind = str(getattr(column, "dtype", getattr(column, "type", ""))).lower()
            if kind.startswith(("date", "timestamp")):
                yield normal_name(name), _as_arrow(column)


def _as_arrow(column: Any) -> pa.ChunkedArray:
    if isinstance(column, pa.ChunkedArray):
        return column
    found = column.to_arrow() if hasattr(column, "to_arrow") else pa.array(column, from_pandas=True)
    return found if isinstance(found, pa.ChunkedArray) else pa.chunked_array([found])


def _is_parquet(path: str) -> bool:
    """Whether it is a file that can be read twice, which a pipe cannot."""
    return path.lower().endswith((".parquet", ".pq")) and os.path.isfile(path)  # noqa: PTH113 (any text)


def _of_parquet(file: str | os.PathLike[str], wanted: list[str]) -> Iterator[tuple[str, pa.ChunkedArray]]:
    from pyarrow import parquet  # slow to load, and CSV needs none of it

    try:
        with open_source(file) as source:
            opened = parquet.ParquetFile(source.stream)
            for field in opened.schema_arrow:
                is_date = pa.types.is_date(field.type) or pa.types.is_timestamp(field.type)
                if is_date and normal_name(field.name) in wanted:
                    yield normal_name(field.name), opened.read(columns=[field.name]).column(0)
    except (KanopyError, pa.ArrowException, OSError):  # the reader of the whole file says what is wrong
        return


def _form_of(column: pa.ChunkedArray) -> ColumnFormat | None:
    """The format of a typed column; None where its values are no dates after all."""
    if pa.types.is_date(column.type):
        return ColumnFormat("date")
    if not pa.types.is_timestamp(column.type):
        return None
    zone = column.type.tz
    try:
        local = column if zone is None else pc.local_timestamp(column)
        is_day = pc.equal(pc.floor_temporal(local, unit="day"), local)
        kind = "date" if pc.all(is_day, min_count=0).as_py() else "time"
        return ColumnFormat(kind, zone="refuse" if zone is None else zone)
    except (PolicyError, pa.ArrowException):  # a zone that nobody knows is refused with what to do
        return None
