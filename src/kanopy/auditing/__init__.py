"""Recounts published text against a policy; imports no method."""

from __future__ import annotations

from typing import Any

from kanopy.auditing.recounting import READINGS, Audit, Finding, PromiseResult, judge, recount
from kanopy.auditing.text import TextTable, read_written
from kanopy.frames.tables import read_table
from kanopy.policy import Policy, check_policy

__all__ = [
    "READINGS", "Audit", "Finding", "PromiseResult", "TextTable", "audit", "judge", "read_written", "recount",
]  # fmt: skip


def audit(
    table: Any,
    policy: Policy,
    *,
    reading: str = "pessimistic",
    delimiter: str | None = None,
    encoding: str = "utf-8",
) -> Audit:
    """Audit any table, made by kanopy or not, against a policy.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file.
    policy : Policy
    reading : str
        ``"pessimistic"`` (suppressed and missing cells count like any value) or ``"optimistic"``.
    delimiter, encoding : str
        Of a CSV file.
    """
    check_policy(policy)
    _, source = read_table(table, delimiter=delimiter, encoding=encoding)
    return judge(TextTable.of_arrow(source), policy, reading=reading)
