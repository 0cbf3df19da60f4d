"""The whole way through the house, in one process."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from kanopy.algorithms import Method, find_method
from kanopy.auditing import Audit, TextTable, judge
from kanopy.auditing.leaves import leaves_are_groups
from kanopy.auditing.truth import check_order, check_unchanged, count_untrue_cells
from kanopy.data import CellKind, EncodedTable, Recoding
from kanopy.errors import PolicyError, UnsatisfiableError, VerificationError
from kanopy.frames.canonical import in_canonical_order
from kanopy.frames.encode import encode
from kanopy.frames.published import PublishedTable, publish
from kanopy.frames.tables import read_table
from kanopy.policy import Policy, check_policy, shown_name
from kanopy.privacy import largest_k
from kanopy.release import Inputs, Patterns, Release
from kanopy.release.floor import floor_of
from kanopy.release.frequent import frequent_values
from kanopy.release.record import fingerprint_of, record_of
from kanopy.release.telling import tell

Watch = Callable[[str, float | None], None]
"""Called with what is being done and, where that is known, the share of it that is done."""


def unwatched(_stage: str, _share: float | None) -> None:
    """The watch of a run that nobody looks at."""


def never() -> bool:
    """The answer of a run that nobody wants to stop."""
    return False


def anonymize(
    table: Any,
    policy: Policy,
    *,
    method: str | None = None,
    seed: int = 0,
    delimiter: str | None = None,
    encoding: str = "utf-8",
    time_limit: float | None = None,
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
    method : str, optional
        Instead of the policy's; the policy's options then do not apply.
    seed : int
        Where a method draws lots. The same table, policy and seed give the same bytes.
    delimiter, encoding : str
        Of a CSV file.
    time_limit : float, optional
        Seconds after which a method that can stop at any moment does so, and releases what it has.
    watch : callable
        Told about the progress.
    stop : callable
        Asked, by the same methods, whether to stop.
    **options
        Of the method; they take precedence over the policy's.

    Raises
    ------
    KanopyError
        No release is ever returned that does not keep its promise.
    """
    check_policy(policy)
    chosen = check_request(method or policy.method, policy, seed)
    deadline = _deadline(chosen, time_limit)
    settled = chosen.settle({**(policy.options if chosen.name == policy.method else {}), **options})
    watch("reading", None)
    fingerprint = fingerprint_of(table)
    kind, source = read_table(table, delimiter=delimiter, encoding=encoding)
    encoded, canonical_row = in_canonical_order(encode(source, policy))
    source = source.select([name for name in source.column_names if name in policy.published])
    inputs = Inputs.of(table, policy)
    del table

    def progress(n_settled: int, n_all: int) -> bool:
        watch(chosen.name, n_settled / n_all)
        return stop() or time.monotonic() > deadline

    recoding = chosen.run(
        encoded.table,
        policy.promise,
        np.random.default_rng(seed),
        progress,
        **settled,
    )
    watch("recounting", None)
    published, order = publish(encoded, recoding)
    _check_rows(order, published.n_rows, recoding)
    persons = None if encoded.table.persons is None else encoded.table.persons[order]
    text = TextTable.of_published(published)
    verdict = judge(text, policy, persons=persons)
    _check(verdict, policy, recoding)
    _check_dropped(chosen, policy, encoded.table, recoding, verdict.unit)
    n_untrue = _check_truth(chosen, policy, recoding, published, source, canonical_row[order])
    if n_untrue:
        recoding = replace(recoding, facts={**recoding.facts, "untrue_cells": n_untrue})
    if recoding.model is not None:
        _check_model(recoding.model, text, policy)
    record = record_of(
        chosen, settled, policy, encoded, recoding, verdict, text, seed=seed, source=fingerprint
    )
    patterns = Patterns.of(encoded.table, recoding)
    return Release(
        published,
        policy,
        verdict,
        tell(record, policy),
        kind=kind,
        persons=persons,
        patterns=patterns,
        model=recoding.model,
        inputs=inputs,
        record=record,
        frequent=frequent_values(encoded, floor_of(policy.promise, policy.quasi_identifiers)),
    )


def check_request(method: str, policy: Policy, seed: int) -> Method:
    """The method of a name, if it suits the policy; nothing of this needs the table."""
    chosen = find_method(method)
    _check_seed(seed)
    _check_roles(chosen, policy)
    return chosen


def _deadline(method: Method, time_limit: float | None) -> float:
    """The moment at which to stop; never without a limit."""
    if time_limit is None:
        return math.inf
    if not method.is_anytime:
        raise PolicyError(
            f"method {method.name!r} cannot be stopped half-way",
            "leave the time limit out, or use tds",
        )
    if isinstance(time_limit, bool) or not isinstance(time_limit, int | float) or not time_limit > 0:
        raise PolicyError("the time limit is a number of seconds above 0", "for example time_limit = 60")
    return time.monotonic() + min(time_limit, 1e9)


def _check_roles(method: Method, policy: Policy) -> None:
    """Some methods need a class, and some publish nothing else but the quasi-identifiers."""
    if method.needs_target and policy.target is None:
        raise PolicyError(
            f"method {method.name!r} learns from a class, and the policy has no target",
            "declare the target, or choose another method",
        )
    others = [*policy.sensitive, *policy.keep]
    if method.is_synthetic and others:
        raise PolicyError(
            f"method {method.name!r} makes up its rows and cannot publish {shown_name(others[0])}",
            "declare it as an identifier, which is dropped, or choose another method",
        )


def _check_seed(seed: Any) -> None:
    if isinstance(seed, bool) or not isinstance(seed, int | np.integer) or seed < 0:
        raise PolicyError("the seed must be a whole number, and not negative", "for example seed = 0")


def _check_rows(order: NDArray[np.int64], n_published: int, recoding: Recoding) -> None:
    """PRIVACY: a row that is published twice would fill a group all by itself (tests/sabotage)."""
    n_times = np.bincount(order, minlength=len(recoding.is_kept))
    if n_published != len(order) or not np.array_equal(n_times, recoding.is_kept):
        raise VerificationError("the rows that go in and come out do not add up", "please report this")


def _check_dropped(
    method: Method, policy: Policy, table: EncodedTable, recoding: Recoding, unit: str
) -> None:
    """PRIVACY: a method that loses rows it must not lose may have lost a whole group (tests/sabotage)."""
    dropped = np.flatnonzero(~recoding.is_kept)
    if method.drops == "any rows" or not len(dropped):
        return
    members = dropped if table.persons is None else np.unique(table.persons[dropped])
    if method.drops == "no rows" or len(members) >= (largest_k(policy.promise) or 0):
        raise VerificationError(
            f"method {method.name!r} dropped {len(members)} {unit}, more than it may",
            "please report this",
        )


def _check_truth(
    method: Method,
    policy: Policy,
    recoding: Recoding,
    published: PublishedTable,
    source: pa.Table,
    source_row: NDArray[np.int64],
) -> int:
    """The number of untrue cells, if the method may have any; all else must be as in the source.

    PRIVACY: cells of another group, a class of another row and an order that tells keep k, and would not be
    found by counting (tests/sabotage/test_truth.py).
    """
    check_order(published, policy.quasi_identifiers)
    unchanged = policy.published - set(policy.quasi_identifiers)
    if method.is_synthetic:
        unchanged -= {policy.target}
    check_unchanged(published, source, source_row, unchanged, policy.missing)
    domains = [column.domain for column in recoding.columns]
    kinds = {column.domain.name: {cell.kind for cell in column.cells} for column in recoding.columns}
    means = [name for name, used in kinds.items() if CellKind.MEAN in used]
    n_untrue = count_untrue_cells(published, source, source_row, domains, policy.missing, means)
    if n_untrue > recoding.facts.get("swapped_cells", 0) and not method.is_synthetic:
        raise VerificationError(
            f"{n_untrue} published cells do not cover what the source says", "please report this"
        )
    return n_untrue


def _check_model(model: Any, text: TextTable, policy: Policy) -> None:
    """PRIVACY: a published tree must say no more than the table, whose groups are judged: its leaves are
    these groups, class by class (tests/sabotage)."""
    assert policy.target is not None
    if not leaves_are_groups(model.leaves(), text, policy.quasi_identifiers, policy.target):
        raise VerificationError("the tree and the table do not say the same", "please report this")


def _check(verdict: Audit, policy: Policy, recoding: Recoding) -> None:
    if verdict.kept:
        return
    reasons = " ".join(finding.message for finding in verdict.findings if finding.severity == "broken")
    by_person = verdict.unit == "persons"
    is_joined = _are_joined(verdict, policy, recoding)
    if is_joined and by_person and not policy.promise.monotone_over_persons:
        raise UnsatisfiableError(
            f"groups that keep the promise break it together, as persons have rows in several: {reasons}",
            "relax the bound, or use bottomup or tds, which count the groups of every promise by themselves",
        )
    if is_joined and not policy.promise.monotone:
        raise UnsatisfiableError(
            f"groups that print alike break the promise together: {reasons}",
            "publish ranges or sets, which keep groups apart, or relax the bound",
        )
    raise VerificationError(f"the recount disagrees with the method: {reasons}", "please report this")


def _are_joined(verdict: Audit, policy: Policy, recoding: Recoding) -> bool:
    """Whether the recount looked at larger groups than the method: at those that print alike, or that agree
    on some of the quasi-identifiers."""
    if any(part.grouped_by is not None for part in policy.promise.parts):
        return True
    return recoding.parts is not None and verdict.groups < len(np.unique(recoding.parts[recoding.is_kept]))
