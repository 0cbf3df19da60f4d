"""All steps from a request and a table to a release, in one process."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.algorithms import Method, find_method
from kanopy.auditing import TextTable, judge
from kanopy.data.arrays import Ints
from kanopy.engines import checks
from kanopy.engines.request import Request, Watch, never, unwatched
from kanopy.engines.statistics import OriginalTable, checked_statistics
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.published import in_canonical_order, publish
from kanopy.frames.tables import read_table
from kanopy.policy import Policy, check_policy
from kanopy.release import Inputs, Release
from kanopy.release.record import RunResults, RunSettings, fingerprint_of


def anonymize(
    table: Any,
    policy: Policy,
    *,
    method: str | Method | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    encoding: str = "utf-8",
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
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file (``"-"`` for standard input).
    policy : Policy
    method, **options
        A name or a Method, and its options, instead of the policy's; its options then do not apply.
    seed : int
        The random seed. The same table, policy and seed give the same bytes.
    delimiter, encoding : str
        Of a CSV file.
    time_limit, stop, watch : float, callable, callable
        Seconds after which, and a function that says when, a method that can stop at any moment does so;
        a function that is called with the progress.
    allow_empty : bool
        Whether every quasi-identifier may be suppressed in every row; else that is an UnsatisfiableError.
    """
    check_policy(policy)
    chosen = find_method(method or policy.method)
    request = Request.of(chosen, policy, options, seed, time_limit, allow_empty=allow_empty)
    watch("reading", None)
    given = _read(table, policy, delimiter=delimiter, encoding=encoding)
    del table  # the memory of a frame that nobody else has can be used again
    return _release(given, policy, request, watch, stop)


class _Given(NamedTuple):
    """A table that was read, and where it came from."""

    encoded: Encoded
    source: pa.Table  # the columns that are published, as they came
    source_row: Ints  # the row of the source behind each encoded one
    kind: str
    inputs: Inputs
    fingerprint: str | None


def _read(table: Any, policy: Policy, *, delimiter: str | None, encoding: str) -> _Given:
    fingerprint = fingerprint_of(table)
    kind, source = read_table(table, delimiter=delimiter, encoding=encoding)
    encoded, source_row = in_canonical_order(encode(source, policy))
    source = source.select([name for name in source.column_names if name in policy.published])
    return _Given(encoded, source, source_row, kind, Inputs.of(table, policy), fingerprint)


def _release(
    given: _Given, policy: Policy, request: Request, watch: Watch, stop: Callable[[], bool]
) -> Release:
    """Run the method, and check everything before there is a release."""
    method, encoded = request.method, given.encoded
    rng, progress = np.random.default_rng(request.seed), request.progress(watch, stop)
    recoding = method.run(encoded.table, policy.promise, rng, progress, **request.options)
    checks.check_form(method, encoded.table, recoding)
    watch("recounting", None)
    published, order = publish(encoded, recoding)
    checks.check_rows(order, published.n_rows, recoding)
    persons = None if encoded.table.persons is None else encoded.table.persons[order]
    text = TextTable.of_published(published)
    verdict = judge(text, policy, persons=persons)
    checks.check_promise(verdict, policy, recoding)
    checks.check_dropped(method, policy, encoded.table, recoding)
    n_untrue = checks.check_truth(method, policy, recoding, published, given.source, given.source_row[order])
    if n_untrue:
        recoding = replace(recoding, facts={**recoding.facts, "untrue_cells": n_untrue})
    if recoding.model is not None:
        leaf = None if recoding.parts is None else recoding.parts[order]
        checks.check_model(recoding.model, text, policy, leaf)
    original = OriginalTable(encoded.table, given.source, given.source_row[order], persons)
    statistics = checked_statistics(original, recoding, published, policy, request)
    if not request.allow_empty:
        checks.check_says_something(method, text, policy, recoding)
    settings = RunSettings(method, request.options, request.seed, policy, given.fingerprint)
    results = RunResults(encoded, recoding, published, persons, text, verdict, statistics)
    return Release.of(settings, results, kind=given.kind, inputs=given.inputs)
