"""The audit of a table, wherever it is: in this process, in files, or on a cluster."""

from __future__ import annotations

from typing import Any

from kanopy import auditing
from kanopy.auditing import Audit, check_request
from kanopy.engines.spark.session import is_spark_frame
from kanopy.policy import Policy


def audit(
    table: Any,
    policy: Policy,
    *,
    reading: str = "pessimistic",
    delimiter: str | None = None,
    encoding: str | None = None,
    source: Any = None,
    manifest: Any = None,
) -> Audit:
    """Audit any table against a policy, with the parameters of ``kanopy.audit``; O(rows * columns)."""
    check_request(policy, reading, source, manifest)
    if is_spark_frame(table):
        from kanopy.engines.spark.judged import judged_text

        table = judged_text(table, policy)
    if is_spark_frame(source):
        from kanopy.engines.spark.judged import original_rows

        source = original_rows(source, policy)
    form = {"delimiter": delimiter, "encoding": encoding}
    return auditing.audit(table, policy, reading=reading, source=source, manifest=manifest, **form)
