"""Value statistics of a run: whether they may be told at all, and whether the recount finds the same."""

from __future__ import annotations

from typing import NamedTuple

import pyarrow as pa

from kanopy.auditing.statistics import wrong_statistics
from kanopy.auditing.truth import original_rows
from kanopy.data import CellKind, EncodedTable, Recoding
from kanopy.data.arrays import Codes
from kanopy.engines.request import Request
from kanopy.errors import PolicyError, VerificationError
from kanopy.frames.published import PublishedRows, PublishedTable
from kanopy.policy import Policy
from kanopy.release.floor import floor_of
from kanopy.release.value_statistics import ValueStatistics, value_statistics


class OriginalTable(NamedTuple):
    """What a release was made from."""

    table: EncodedTable
    source: pa.Table
    rows: PublishedRows  # which come from those of the source
    persons: Codes | None  # the person behind each published row


def checked_statistics(
    original: OriginalTable, recoding: Recoding, published: PublishedTable, policy: Policy, request: Request
) -> ValueStatistics:
    """The statistics that the policy asks for, recounted; O(rows) for each column.

    PRIVACY: what is told is recounted from the texts of release and source, by code of its own
    (tests/sabotage/test_statistics.py).
    """
    if not policy.value_statistics:
        return {}
    _check_cells(original.table, recoding, policy, request)
    floor = floor_of(policy.promise, policy.quasi_identifiers)
    told = value_statistics(original.table, recoding, policy.value_statistics, floor)
    for column in original.table.quasi:
        if column.domain.name not in policy.value_statistics:
            continue
        rows = original_rows(
            column.domain, published, original.source, original.rows, original.persons, policy.missing
        )
        for wrong in wrong_statistics(told[column.domain.name], rows, floor):
            what = f"value statistics of column {column.domain.name!r}: {wrong}"
            raise VerificationError(what, "nothing was published; please report this")
    return told


def _check_cells(table: EncodedTable, recoding: Recoding, policy: Policy, request: Request) -> None:
    """PRIVACY: beside swapped or made-up cells the difference tells how many these are; beside means, what
    was averaged (tests/unit/release/test_value_statistics.py)."""
    if request.method.is_synthetic or recoding.facts.get("swapped_cells"):
        what = f"method {request.method.name!r} publishes values that are not those of the source"
        raise PolicyError(f"{what}: their statistics cannot be told", "leave value_statistics out")
    sketched = any(cell.kind is CellKind.SKETCH for column in recoding.columns for cell in column.cells)
    # Decided by what was asked for: whether a number is a mean is not told.
    if request.options.get("publish") != "mean" and not sketched:
        return
    for column in table.quasi:
        if column.domain.name in policy.value_statistics and column.domain.is_numeric:
            what = f"column {column.domain.name!r} is published as means: its value statistics cannot be told"
            raise PolicyError(what, 'use publish = "range", or leave the column out of value_statistics')
