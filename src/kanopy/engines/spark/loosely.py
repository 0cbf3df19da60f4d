"""From a Spark frame to a release, where kept columns with very many values stay on the cluster."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa

from kanopy.auditing import Audit
from kanopy.auditing.contents import Contents, checked_findings, content_findings
from kanopy.auditing.warnings import unique_findings
from kanopy.data.arrays import Ints
from kanopy.engines.deciding import Given, given_table
from kanopy.engines.spark.counting import KeyedRows, Look
from kanopy.engines.spark.loose import LooseColumns, without_columns
from kanopy.engines.spark.loose_release import LooseRelease, LooseRows
from kanopy.engines.spark.session import spark_errors
from kanopy.engines.spark.source import SparkColumn, SparkSource
from kanopy.frames.conversion import converted
from kanopy.frames.published import publish
from kanopy.frames.tuples import CountedTable
from kanopy.policy import Policy
from kanopy.release import Inputs
from kanopy.release.record import RunResults, RunSettings

Decide = Callable[[Given, Policy], tuple[RunSettings, RunResults]]


def loose_release(
    source: SparkSource, columns: tuple[SparkColumn, ...], look: Look, policy: Policy, decide: Decide
) -> LooseRelease:
    """Decide about the other columns, and find out what must be told about these; four passes."""
    loose = LooseColumns.of(source.frame, columns, tuple(policy.missing))
    tight = without_columns(policy, loose.names)
    keyed = KeyedRows.of(source.without(loose.names), look)
    clean = loose.cleaned(keyed.frame(*(each.key for each in columns)), keyed.key_names)
    found = _counted(clean, keyed, loose)
    contents, n_values = loose.contents(clean, policy)
    checked_findings(tuple(content_findings(contents, policy)))
    counted = keyed.decoded(found)
    table = converted(counted.table, tight, weight=counted.weight)
    published = table.select([name for name in table.column_names if name in tight.published])
    seen = source.first_rows(policy.identifiers)
    given = given_table(table, CountedTable(published, counted.weight), tight, seen)
    settings, results = decide(given, tight)
    rows = LooseRows(
        keyed,
        loose,
        [found[name] for name in keyed.key_names],
        _line_of_tuples(given, results),
        np.stack([found["sum0"].to_numpy(), found["sum1"].to_numpy()], axis=1),
        results.published,
        tight,
        tuple(name for name in (*source.names, *policy.derived) if name in policy.published),
    )
    n_values |= {name: _n_words(results, name) for name in tight.keep}
    results = results._replace(verdict=_told(results.verdict, rows, contents, n_values, policy))
    inputs = Inputs.of(None, policy)
    release = LooseRelease.of(settings._replace(policy=policy), results, kind="pyspark", inputs=inputs)
    release.session, release.rows_on_cluster = source.frame.sparkSession, rows
    return release


def _counted(clean: Any, keyed: KeyedRows, loose: LooseColumns) -> pa.Table:
    """Every tuple with its rows, and the sums over what its rows hold in the loose columns."""
    functions = keyed.source.functions
    n_rows = functions.count(functions.lit(1)).alias("count")
    with spark_errors("Spark could not read the table"):
        return clean.groupBy(*keyed.key_names).agg(n_rows, *loose.sums(functions)).toArrow()


def _line_of_tuples(given: Given, results: RunResults) -> Ints:
    """The line of every tuple, -1 where it is dropped; O(tuples)."""
    _, rows = publish(results.encoded, results.recoding)
    assert rows.line is not None, "tuples have weights, so they become lines"
    line = np.full(given.source.num_rows, -1, dtype=np.int64)
    line[given.source_row[rows.origin]] = rows.line
    return line


def _n_words(results: RunResults, name: str) -> int:
    return len(results.text.columns[name].words)


def _told(
    verdict: Audit, rows: LooseRows, contents: Contents, n_values: Mapping[str, int], policy: Policy
) -> Audit:
    """The verdict about all columns."""
    n_unique, n_unique_kept = rows.n_unique()
    others = (each for each in verdict.findings if not each.code.startswith("unique:"))
    more = [
        *content_findings(contents, policy),
        *unique_findings(n_unique_kept, verdict.rows, n_values),
    ]
    told = replace(verdict, findings=tuple(others), unique_rows=n_unique / verdict.rows)
    return told.with_findings(more)
