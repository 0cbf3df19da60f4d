"""All steps from a request and a table to a release, in one process."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.algorithms import Method, find_method
from kanopy.auditing import Finding, TextTable, judge
from kanopy.auditing.contents import check_source
from kanopy.auditing.row_sum import RowSum
from kanopy.data.arrays import Ints
from kanopy.engines import checks
from kanopy.engines.request import Request, Watch, never, unwatched
from kanopy.engines.statistics import OriginalTable, checked_statistics
from kanopy.frames.batches import in_batches, joined
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.memory import within_memory
from kanopy.frames.published import in_canonical_order, in_parts, publish
from kanopy.frames.tables import read_own
from kanopy.frames.tuples import CountedTable, TupleCounter, counted_table
from kanopy.policy import Policy, check_policy
from kanopy.release import Inputs, Release
from kanopy.release.earlier import declared_findings
from kanopy.release.record import RunResults, RunSettings, fingerprinting


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
    **options: Any,
) -> Release:
    """Turn a table into a release that keeps the policy's promise, or fail.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or a CSV or Parquet file, a folder or list of them, or ``"-"``.
    policy : Policy
    method, **options
        A name or a Method, and its options, instead of the policy's; its options then do not apply.
    seed : int
        The random seed. The same table, policy and seed give the same bytes.
    delimiter, encoding : str
        Of a CSV file; without them those of the policy, else a comma and UTF-8.
    time_limit, stop, watch : float, callable, callable
        Seconds until a method that can stop at any moment does so; what else says when; gets the progress.
    allow_empty : bool
        Whether every quasi-identifier may be suppressed in every row; else that is an UnsatisfiableError.
    """
    check_policy(policy)
    chosen = find_method(method or policy.method)
    policy = policy.with_calendar_trees() if chosen.climbs_trees else policy
    request = Request.of(chosen, policy, options, seed, time_limit, allow_empty=allow_empty)
    watch("reading", None)
    given = _read(table, policy, request, delimiter=delimiter, encoding=encoding)
    del table  # the memory of a frame that nobody else has can be used again
    return _release(given, policy, request, watch, stop)


class _Given(NamedTuple):
    """A table that was read, and where it came from."""

    encoded: Encoded
    source: pa.Table  # the columns that are published, as they came
    source_row: Ints  # the row of the source behind each encoded one
    kind: str
    inputs: Inputs
    findings: tuple[Finding, ...]  # about the source
    fingerprint: str | None = None


def _read(
    table: Any, policy: Policy, request: Request, *, delimiter: str | None, encoding: str | None
) -> _Given:
    with fingerprinting(table) as fingerprint:
        given = _read_rows(table, policy, request, delimiter=delimiter, encoding=encoding)
        return given._replace(fingerprint=fingerprint())


def _read_rows(
    table: Any, policy: Policy, request: Request, *, delimiter: str | None, encoding: str | None
) -> _Given:
    form = {"delimiter": delimiter, "encoding": encoding}
    by_tuples, kind = _by_tuples(policy, request), "pyarrow"
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
    encoded, source_row = in_canonical_order(encode(seen if weight is None else source, policy, weight))
    findings = (*check_source(seen, encoded, policy), *declared_findings(policy))
    return _Given(encoded, source, source_row, kind, Inputs.of(table, policy), findings)


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


def _by_tuples(policy: Policy, request: Request) -> bool:
    """Whether equal rows may be counted before anything is decided: not where rows are told apart, by the
    person or the leaf of a published tree, or by their originals in value statistics."""
    method, is_told_apart = request.method, policy.person is not None or bool(policy.value_statistics)
    return method.takes_weights(request.options) and not method.publishes_tree and not is_told_apart


def _in_parts(given: _Given, method: Method, recoding: Any) -> _Given:
    """The table with its rows divided as the method did, where it releases equal rows apart."""
    checks.check_split(method, given.encoded.table, recoding)
    split = recoding.split
    if split is None:
        return given
    return given._replace(
        encoded=in_parts(given.encoded, split), source_row=given.source_row.take(split.origin)
    )


def _release(
    given: _Given, policy: Policy, request: Request, watch: Watch, stop: Callable[[], bool]
) -> Release:
    """Run the method, and check everything before there is a release."""
    method = request.method
    # NumPy loads its generators when they are used: a method that draws nothing does without.
    rng = np.random.default_rng(request.seed) if method.draws else None
    progress = request.progress(watch, stop)
    recoding = method.run(given.encoded.table, policy.promise, rng, progress, **request.options)
    given = _in_parts(given, method, recoding)
    encoded = given.encoded
    checks.check_form(method, encoded.table, recoding)
    watch("recounting", None)
    published, rows = publish(encoded, recoding)
    checks.check_rows(encoded.table, rows, published, recoding)
    persons = None if encoded.table.persons is None else encoded.table.persons[rows.origin]
    text = TextTable.of_published(published)
    verdict = judge(text, policy, persons=persons).with_findings(given.findings)
    checks.check_promise(verdict, policy, recoding)
    checks.check_dropped(method, policy, encoded.table, recoding)
    of_source, weight = rows.behind(given.source_row), encoded.table.weight_of(rows.origin)
    of_source = of_source.in_order() if weight is None else of_source
    n_untrue = checks.check_truth(method, policy, recoding, published, given.source, of_source, weight)
    if n_untrue:
        recoding = replace(recoding, facts={**recoding.facts, "untrue_cells": n_untrue})
    if recoding.model is not None:
        leaf = None if recoding.parts is None else recoding.parts[rows.origin]
        checks.check_model(recoding.model, text, policy, leaf)
    original = OriginalTable(encoded.table, given.source, of_source, persons)
    statistics = checked_statistics(original, recoding, published, policy, request)
    if not request.allow_empty:
        checks.check_says_something(method, text, policy, recoding)
    settings = RunSettings(method, request.options, request.seed, policy, given.fingerprint)
    results = RunResults(encoded, recoding, published, persons, text, verdict, statistics)
    return Release.of(settings, results, kind=given.kind, inputs=given.inputs)
