"""All steps from a request and a table to a release, in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import chain
from typing import Any

import pyarrow as pa

from kanopy._threads import Beside
from kanopy.algorithms import Method, find_method
from kanopy.auditing.row_sum import RowSum
from kanopy.engines import checks
from kanopy.engines.deciding import Given, decide, given_table
from kanopy.engines.request import Request, Watch, check_tuple_limit, never, unwatched
from kanopy.engines.spark.session import is_spark_frame
from kanopy.engines.watching import watched
from kanopy.frames.batches import in_batches, joined
from kanopy.frames.byte_counts import ColumnSums, SourceBytes
from kanopy.frames.memory import within_memory
from kanopy.frames.tables import read_own
from kanopy.frames.tuples import CountedTable, TupleCounter, counted_table
from kanopy.frames.typed_dates import with_typed_dates
from kanopy.policy import Policy, check_policy
from kanopy.release import Inputs, Release
from kanopy.release.record import fingerprinting


@watched
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
    tuple_limit: int | None = None,
    watch: Watch = unwatched,
    stop: Callable[[], bool] = never,
    **options: Any,
) -> Release:
    """Turn a table into a release that keeps the policy's promise, or fail.

    Parameters
    ----------
    table : frame or path
        A pandas, polars, pyarrow or Spark table, a file (CSV, Parquet, Excel), several, a folder, or ``"-"``.
    policy, method, **options
        A method by its name or as a Method, and its options, instead of those of the policy.
    seed : int
        The random seed. The same table, policy and seed give the same bytes.
    delimiter, encoding : str
        Of a CSV file; without them those of the policy, else a comma and UTF-8.
    time_limit, stop, watch : float, callable, callable
        Seconds until a method that can stop does so; what else says when; gets the progress (notebooks do).
    allow_empty, tuple_limit : bool, int
        Whether all quasi-identifiers may be suppressed in all rows; different rows that Spark's driver takes.
    """
    used, request = _requested(table, policy, method, options, seed, time_limit, allow_empty=allow_empty)
    watch("reading", None)
    if check_tuple_limit(tuple_limit, is_spark=is_spark_frame(table)):
        return _on_spark(table, used, request, watch, stop, tuple_limit).asked_for(policy)
    kind, given = _read(table, used, request, delimiter=delimiter, encoding=encoding)
    inputs = Inputs.of(table, used)
    del table  # the memory of a frame that nobody else has can be used again
    return Release.of(*decide(given, used, request, watch, stop), kind=kind, inputs=inputs).asked_for(policy)


def _with_dates(policy: Policy, table: Any) -> Policy:
    """The policy, with what the types of a table say beside it."""
    check_policy(policy)
    if not is_spark_frame(table):
        return with_typed_dates(policy, table)
    from kanopy.engines.spark.dates import with_frame_dates  # needs Spark

    return with_frame_dates(policy, table)


def _requested(
    table: Any,
    policy: Policy,
    method: str | Method | None,
    options: Mapping[str, Any],
    *given: Any,
    allow_empty: bool,
) -> tuple[Policy, Request]:
    """The policy as the method takes it, and the request, both checked."""
    policy = _with_dates(policy, table)
    chosen = find_method(method or policy.method)
    policy = policy.with_calendar_trees() if chosen.climbs_trees else policy
    return policy, Request.of(chosen, policy, options, *given, allow_empty=allow_empty)


def _on_spark(table: Any, policy: Policy, request: Request, *given: Any) -> Release:
    from kanopy.engines.spark.anonymize import anonymize_frame  # needs Spark

    return anonymize_frame(table, policy, request, *given)


def _read(
    table: Any, policy: Policy, request: Request, *, delimiter: str | None, encoding: str | None
) -> tuple[str, Given]:
    """The kind of frame that the table is, and its rows."""
    form: dict[str, Any] = {"delimiter": delimiter, "encoding": encoding}
    sums, source = ColumnSums(), SourceBytes.of(table, policy.source, **form)
    with fingerprinting(table) as fingerprint, Beside() as beside:
        if source is not None and source.is_large:
            beside.begin(source.counted)
        kind, given = _read_rows(table, policy, request, sums, form)
        if source is not None:
            counted = beside.end() if source.is_large else source.counted()
            checks.check_read(source, sums, counted, given.encoded.table)
        return kind, given._replace(fingerprint=fingerprint())


def _read_rows(
    table: Any, policy: Policy, request: Request, sums: ColumnSums, form: dict[str, Any]
) -> tuple[str, Given]:
    by_tuples, kind = request.counts_tuples(policy), "pyarrow"
    batches = in_batches(table, policy, saw=sums.add, **form) if by_tuples else None
    counted = None if batches is None else _counted_batches(batches, policy)
    if counted is None:
        sums.clear()  # what was read in batches is read again
        kind, seen = read_own(table, policy, saw=sums.add, **form)
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
