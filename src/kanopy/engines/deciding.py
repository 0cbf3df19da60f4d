"""What every engine does once the table is counted: run the method, check everything, and only then go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa

from kanopy.algorithms import Method
from kanopy.auditing import Finding, TextTable, judge
from kanopy.auditing.contents import check_source
from kanopy.data.arrays import Ints
from kanopy.engines import checks
from kanopy.engines.request import Request, Watch
from kanopy.engines.statistics import OriginalTable, checked_statistics
from kanopy.frames.encode import Encoded, encode
from kanopy.frames.published import in_canonical_order, in_parts, publish
from kanopy.frames.tuples import CountedTable
from kanopy.policy import Policy
from kanopy.release.earlier import declared_findings
from kanopy.release.floor import floor_of
from kanopy.release.record import RunResults, RunSettings


class Given(NamedTuple):
    """A table that was read, as codes, and where these come from."""

    encoded: Encoded
    source: pa.Table  # the columns that are published, as they came
    source_row: Ints  # the row of the source behind each encoded one
    findings: tuple[Finding, ...]  # about the source
    fingerprint: str | None = None
    person_ids: pa.ChunkedArray | None = None  # as they came, where persons are counted


def given_table(rows: pa.Table, counted: CountedTable, policy: Policy, seen: pa.Table) -> Given:
    """Encode rows with all columns, or, where these were counted, the different ones of what is published.

    ``seen`` are all columns of some rows: what dropped ones hold is looked up there. O(rows * columns), plus
    a sort.
    """
    source, weight = counted
    encoded, source_row = in_canonical_order(encode(rows if weight is None else source, policy, weight))
    findings = (*check_source(seen, encoded, policy), *declared_findings(policy))
    ids = None if policy.person is None else rows[policy.person]
    return Given(encoded, source, source_row, findings, person_ids=ids)


def _in_parts(given: Given, method: Method, recoding: Any) -> Given:
    """The table with its rows divided as the method did, where it releases equal rows apart."""
    checks.check_split(method, given.encoded.table, recoding)
    split = recoding.split
    if split is None:
        return given
    return given._replace(
        encoded=in_parts(given.encoded, split), source_row=given.source_row.take(split.origin)
    )


def decide(
    given: Given, policy: Policy, request: Request, watch: Watch, stop: Callable[[], bool]
) -> tuple[RunSettings, RunResults]:
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
    checks.check_promise(method, verdict, policy, recoding)
    checks.check_dropped(method, policy, encoded.table, recoding)
    checks.check_suppressed_rows(request, policy, text, encoded.table)
    of_source, weight = rows.behind(given.source_row), encoded.table.weight_of(rows.origin)
    of_source = of_source.in_order() if weight is None else of_source
    n_untrue = checks.check_truth(
        method, policy, recoding, published, given.source, of_source, weight, persons
    )
    checks.check_persons(persons, given.person_ids, of_source)
    floor = floor_of(policy.promise, policy.quasi_identifiers)
    checks.check_reading(recoding, published, encoded.table, rows, floor)
    if n_untrue:
        recoding = replace(recoding, facts={**recoding.facts, "untrue_cells": n_untrue})
    if recoding.model is not None:
        leaf = None if recoding.parts is None or rows.line is not None else recoding.parts[rows.origin]
        checks.check_model(recoding.model, text, policy, leaf)
    original = OriginalTable(encoded.table, given.source, of_source, persons)
    statistics = checked_statistics(original, recoding, published, policy, request)
    if not request.allow_empty:
        checks.check_says_something(method, text, policy, recoding)
    settings = RunSettings(method, request.options, request.seed, policy, given.fingerprint)
    return settings, RunResults(encoded, recoding, published, persons, text, verdict, statistics)
