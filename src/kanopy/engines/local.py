"""All steps from a request and a table to a release, in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import chain
from typing import Any

import pyarrow as pa

from kanopy.algorithms import Method, find_method
from kanopy.auditing.row_sum import RowSum
from kanopy.engines import checks
from kanopy.engines.deciding import Given, decide, given_table
from kanopy.engines.request import Request, Watch, never, unwatched
from kanopy.engines.spark.session import is_spark_frame
from kanopy.frames.batches import in_batches, joined
from kanopy.frames.memory import within_memory
from kanopy.frames.tables import read_own
from kanopy.frames.tuples import CountedTable, TupleCounter, counted_table
from kanopy.policy import Policy, check_policy
from kanopy.release import Inputs, Release
from kanopy.release.record import fingerprinting


def anonymize(
    table: Any,
    policy: Policy,
    *,
    method: str | Method | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    encoding: str | None = None,
    time_limit: float | None = None,
    allow_empty: bool = False,
    watch: Watch = unwatched,
    stop: Callable[[], bool] = never,
    tuple_limit: int | None = None,
    **options: Any,
) -> Release:
    """Turn a table into a release that keeps the policy's promise, or fail.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or a CSV or Parquet file, a folder or list of them, or ``"-"``.
        A Spark frame stays on its cluster: see docs/spark.md.
    policy : Policy
    method, **options
        A name or a Method, and its options, instead of the policy's; its options then do not apply.
    seed : int
        The random seed. The same table, policy and seed give the same bytes.
    delimiter, encoding : str
        Of a CSV file; without them those of the policy, else a comma and UTF-8.
    time_limit, stop, watch : float, callable, callable
        Seconds until a method that can stop at any moment does so; what else says when; gets the progress.
    tuple_limit : int
        Of a Spark frame: how many different rows the driver takes; otherwise what half of its memory holds.
    allow_empty : bool
        Whether every quasi-identifier may be suppressed in every row; else that is an UnsatisfiableError.
    """
    check_policy(policy)
    chosen = find_method(method or policy.method)
    policy = policy.with_calendar_trees() if chosen.climbs_trees else policy
    request = Request.of(chosen, policy, options, seed, time_limit, allow_empty=allow_empty)
    if is_spark_frame(table):
        from kanopy.engines.spark.anonymize import anonymize_frame  # needs Spark

        return anonymize_frame(table, policy, request, watch, stop, tuple_limit=tuple_limit)
    watch("reading", None)
    kind, given = _read(table, policy, request, delimiter=delimiter, encoding=encoding)
    inputs = Inputs.of(table, policy)
    del table  # the memory of a frame that nobody else has can be used again
    return Release.of(*decide(given, policy, request, watch, stop), kind=kind, inputs=inputs)


def _read(
    table: Any, policy: Policy, request: Request, *, delimiter: str | None, encoding: str | None
) -> tuple[str, Given]:
    """The kind of frame that the table is, and its rows."""
    with fingerprinting(table) as fingerprint:
        kind, given = _read_rows(table, policy, request, delimiter=delimiter, encoding=encoding)
        return kind, given._replace(fingerprint=fingerprint())


def _read_rows(
    table: Any, policy: Policy, request: Request, *, delimiter: str | None, encoding: str | None
) -> tuple[str, Given]:
    form = {"delimiter": delimiter, "encoding": encoding}
    by_tuples, kind = request.counts_tuples(policy), "pyarrow"
    batches = in_batches(table, policy, **form) if by_tuples else None
    counted = None if batches is None else _counted_batches(batches, policy)
    if counted is None:
        kind, seen = read_own(table, policy, delimiter=delimiter, encoding=encoding)
        published = _published(seen, policy)
        source, weight = counted_table(published) if by_tuples else CountedTable(published)
        if weight is not None:
            checks.check_counted(RowSum().plus(published), RowSum().plus(source, weight))
    else:
        seen, (source, weight) = counted
    pa.default_memory_pool().release_unused()  # what reading has taken, before the method takes its own
    return kind, given_table(seen, CountedTable(source, weight), policy, seen)


def _published(table: pa.Table, policy: Policy) -> pa.Table:
    policy.check_columns(table.column_names)
    return table.select([name for name in table.column_names if name in policy.published])


def _counted_batches(batches: Iterator[pa.Table], policy: Policy) -> tuple[pa.Table, CountedTable] | None:
    """The first batch, and all different rows; or, where rows hardly repeat, all rows as they are.

    None where that is found out too late, so that they must be read again. O(rows * columns).
    """
    counter, read, first = TupleCounter(), RowSum(), None
    for batch in batches:
        first, published = batch if first is None else first, _published(batch, policy)
        if not counter.add(published):
            if counter.n_rows:
                return None
            whole = joined(list(within_memory(chain([batch], batches), "the input")))
            return whole, CountedTable(_published(whole, policy))
        read = read.plus(published)
    counted = counter.result()
    checks.check_counted(read, RowSum().plus(*counted))
    assert first is not None, "a file without rows is refused"
    return first, counted
