"""A Spark frame as what is audited: its different rows as text, and how often each is there."""

from __future__ import annotations

from typing import Any

import pyarrow as pa

from kanopy.auditing import TextTable
from kanopy.data.arrays import Ints
from kanopy.engines.spark.counting import check_room, counted_source, look_at, rows_of
from kanopy.engines.spark.source import SparkSource, taken_by_derived
from kanopy.errors import KanopyError
from kanopy.frames.conversion import converted
from kanopy.frames.tables import is_wider_release
from kanopy.frames.tuples import CountedTable
from kanopy.policy import Policy


def judged_text(frame: Any, policy: Policy) -> TextTable:
    """The text of a release, or of the custodian's own table; O(rows) on the cluster, O(tuples) here.

    Of identifiers only the names are taken: that they are there is what an audit says about them. Rows are
    taken one by one where the table tells persons apart.
    """
    source = SparkSource.as_it_is(frame, set(policy.identifiers) - set(taken_by_derived(policy)))
    if not policy.derived:  # else columns are added first
        policy.check_columns(source.names, released=True)
    look = look_at(source)
    has_persons = policy.person in source.names
    check_room(look.n_rows if has_persons else look.n_tuples, "rows" if has_persons else "different rows")
    seen, weight = CountedTable(rows_of(source, look)) if has_persons else counted_source(source, look)
    table = _as_the_policy_says(_with_all_names(source, seen), policy, weight)
    return TextTable.of_arrow(table).weighing(weight)


def _with_all_names(source: SparkSource, table: pa.Table) -> pa.Table:
    """The columns of a frame in their order; those that were not taken are null."""
    empty = {name: pa.nulls(table.num_rows, pa.string()) for name in source.names}
    return pa.table({**empty, **dict(zip(table.column_names, table.columns, strict=True))})


def _as_the_policy_says(table: pa.Table, policy: Policy, weight: Ints | None) -> pa.Table:
    """A table with exactly the published columns is a release, and never converted."""
    if policy.published == set(table.column_names):
        return table
    try:
        return converted(table, policy, weight=weight)
    except KanopyError:
        if is_wider_release(table, policy):
            return table
        raise


def original_rows(frame: Any, policy: Policy) -> pa.Table:
    """The rows that a release was made from, dropped columns as null; O(rows) on the driver."""
    source = SparkSource.of(frame, policy)
    look = look_at(source)
    check_room(look.n_rows, "rows")
    return _with_all_names(source, rows_of(source, look))
