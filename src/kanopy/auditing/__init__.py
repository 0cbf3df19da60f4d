"""Recounts published text against a policy; imports no method."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from kanopy.auditing.finding import SEVERITIES, Finding, colour_of
from kanopy.auditing.parts import read_parts
from kanopy.auditing.recounting import READINGS, Audit, PromiseResult, check_reading, judge
from kanopy.auditing.repeated_file import read_repeated_file
from kanopy.auditing.risks import Risks
from kanopy.auditing.text import TextTable, read_written
from kanopy.auditing.told import check_told, read_manifest
from kanopy.errors import PolicyError
from kanopy.frames.source import files_of
from kanopy.frames.tables import named_in, read_judged, read_own
from kanopy.policy import Policy, check_policy

__all__ = [
    "READINGS", "SEVERITIES", "Audit", "Finding", "PromiseResult", "Risks", "TextTable", "audit",
    "check_request", "colour_of", "judge", "read_written",
]  # fmt: skip


def audit(
    table: Any,
    policy: Policy,
    *,
    reading: str = "pessimistic",
    source: Any = None,
    manifest: Any = None,
    **form: Any,
) -> Audit:
    """Audit a table that is in this process, or in files; O(rows * columns).

    The parameters are those of ``kanopy.audit``; ``form`` is delimiter and encoding of a CSV file. A table
    may also come as its text.
    """
    check_request(policy, reading, source, manifest)
    released = table if isinstance(table, TextTable) else _released(table, policy, **form)
    verdict = judge(released, policy, reading=reading)
    if manifest is None:
        return verdict
    _, original = read_own(source, policy, **form)
    more = tuple(check_told(read_manifest(manifest), released, original, policy))
    kept = verdict.kept and not any(finding.severity == "broken" for finding in more)
    return replace(verdict, kept=kept, findings=(*verdict.findings, *more))


def check_request(policy: Policy, reading: str, source: Any, manifest: Any) -> None:
    """Refuse what cannot be audited, before any work."""
    check_policy(policy)
    check_reading(reading)
    if (source is None) != (manifest is None):
        hint = "the manifest is checked against release and source"
        raise PolicyError("give a source and a manifest, or neither of them", hint)


def _released(table: Any, policy: Policy, **form: str | None) -> TextTable:
    files = files_of(table) if isinstance(table, str | os.PathLike) else None
    found = read_repeated_file(table, **form) if files is None else read_parts(files, **form)
    if found is not None:
        names = named_in(policy, list(found.columns))
        found = found._replace(columns=dict(zip(names, found.columns.values(), strict=True)))
    if found is not None and (not policy.reads or policy.published == set(found.columns)):
        return found
    return TextTable.of_arrow(read_judged(table, policy, **form)).in_lines()
