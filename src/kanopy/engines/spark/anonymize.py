"""From a Spark frame to a release: what goes to the driver, and what stays on the cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import pyarrow as pa

from kanopy.engines.deciding import Given, decide, given_table
from kanopy.engines.request import Request, Watch
from kanopy.engines.spark.counting import Look, counted_source, driver_limit, look_at, rows_of
from kanopy.engines.spark.divided import decide_divided
from kanopy.engines.spark.loose import candidates, stay_on_cluster
from kanopy.engines.spark.loosely import loose_release
from kanopy.engines.spark.release import SparkRelease
from kanopy.engines.spark.source import SparkColumn, SparkSource
from kanopy.errors import Hint, ResourceError
from kanopy.frames.conversion import converted
from kanopy.frames.tuples import CountedTable
from kanopy.policy import Policy, shown_name
from kanopy.release import Inputs


def anonymize_frame(
    frame: Any,
    policy: Policy,
    request: Request,
    watch: Watch,
    stop: Callable[[], bool],
    tuple_limit: int | None = None,
) -> SparkRelease:
    """The release of a Spark frame, the same as of its rows in one process.

    O(rows * columns) on the cluster, in three or four passes; O(tuples * columns) on the driver.
    """
    source = SparkSource.of(frame, policy)
    watch("looking at the table", None)
    loose = candidates(source, policy, request)
    look = look_at(source, [each.name for each in loose])
    limit = driver_limit() if tuple_limit is None else tuple_limit
    watch("counting", None)
    decided = partial(decide, request=request, watch=watch, stop=stop)
    if stay_on_cluster(loose, look):
        if look.n_tight > limit:
            raise too_many(request, policy, look.n_tight, "different rows", limit, loose)
        return loose_release(source, loose, look, policy, decided)
    n_needed = look.n_tuples if request.counts_tuples(policy) else look.n_rows
    can_divide = request.method.divide is not None and not (policy.person or policy.value_statistics)
    if n_needed > limit and can_divide:
        settings, results = decide_divided(source, look, policy, request, watch, stop)
    else:
        settings, results = decided(_gathered(source, look, policy, request, limit), policy)
    release = SparkRelease.of(settings, results, kind="pyspark", inputs=Inputs.of(None, policy))
    release.session = frame.sparkSession
    return release


def _gathered(source: SparkSource, look: Look, policy: Policy, request: Request, limit: int) -> Given:
    """All tuples on the driver, or all rows where the method or the policy tells rows apart."""
    by_tuples = request.counts_tuples(policy)
    n_needed, unit = (look.n_tuples, "different rows") if by_tuples else (look.n_rows, "rows")
    if n_needed > limit:
        raise too_many(request, policy, n_needed, unit, limit)
    raw, weight = counted_source(source, look) if by_tuples else CountedTable(rows_of(source, look))
    dropped = set(source.names) - {each.name for each in source.columns}
    seen = source.first_rows(policy.identifiers)
    table = converted(raw, policy, weight=weight)
    published = table.select([name for name in table.column_names if name in policy.published])
    pa.default_memory_pool().release_unused()
    if weight is None:  # what is dropped was not read: its names are enough
        for name in dropped:
            table = table.append_column(name, pa.nulls(table.num_rows, pa.string()))
    return given_table(table, CountedTable(published, weight), policy, seen)


def too_many(
    request: Request, policy: Policy, n_needed: int, unit: str, limit: int, loose: Sequence[SparkColumn] = ()
) -> ResourceError:
    """The error where what must go to the driver does not fit there; it says why it must."""
    why = f"method {request.method.name!r} decides about all of them together"
    if policy.person is not None:
        why = "k counts persons, and persons of two parts do not add up"
    elif loose:
        why = f"rows with kept columns of many values, such as {shown_name(loose[0].name)}, are not divided"
    elif policy.value_statistics:
        why = "value statistics are counted row by row"
    elif unit == "rows":
        why = f"method {request.method.name!r} treats equal rows differently, so it takes them one by one"
    return ResourceError(
        f"the table has about {n_needed:,} {unit}, and the driver takes {limit:,}: {why}",
        Hint(
            "use a driver with more memory, fewer or coarser columns, mondrian, or raise {tuple_limit}",
            tuple_limit=...,
        ),
    )
