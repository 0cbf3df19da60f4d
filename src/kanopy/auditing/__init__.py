"""Recounts published text against a policy; imports no method."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

from kanopy.auditing.finding import SEVERITIES, Finding, colour_of
from kanopy.auditing.parts import read_parts
from kanopy.auditing.recounting import READINGS, Audit, PromiseResult, judge, recount
from kanopy.auditing.repeated_file import read_repeated_file
from kanopy.auditing.risks import Risks
from kanopy.auditing.text import TextTable, read_written
from kanopy.auditing.told import check_told, read_manifest
from kanopy.errors import PolicyError
from kanopy.frames.source import files_of
from kanopy.frames.tables import read_judged, read_own
from kanopy.policy import Policy, check_policy

__all__ = [
    "READINGS", "SEVERITIES", "Audit", "Finding", "PromiseResult", "Risks", "TextTable", "audit",
    "colour_of", "judge", "read_written", "recount",
]  # fmt: skip


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
    """Audit any table, made by kanopy or not, against a policy.

    Parameters
    ----------
    table : frame or path
        A pandas, polars or pyarrow table, or the path of a CSV or Parquet file, or of a folder of them.
    policy : Policy
    reading : str
        ``"pessimistic"`` (suppressed and missing cells count like any value) or ``"optimistic"``.
    delimiter, encoding : str
        Of a CSV file.
    source : frame or path, optional
        What the table was made from; with a manifest.
    manifest : dict or path, optional
        Of the release, whose value statistics are recounted; as a file what ``--json`` printed.
    """
    check_policy(policy)
    if (source is None) != (manifest is None):
        hint = "the manifest is checked against release and source"
        raise PolicyError("give a source and a manifest, or neither of them", hint)
    released = _released(table, policy, delimiter=delimiter, encoding=encoding)
    verdict = judge(released, policy, reading=reading)
    if manifest is None:
        return verdict
    _, original = read_own(source, policy, delimiter=delimiter, encoding=encoding)
    more = tuple(check_told(read_manifest(manifest), released, original, policy))
    kept = verdict.kept and not any(finding.severity == "broken" for finding in more)
    return replace(verdict, kept=kept, findings=(*verdict.findings, *more))


def _released(table: Any, policy: Policy, **form: str | None) -> TextTable:
    files = files_of(table) if isinstance(table, str | os.PathLike) else None
    found = read_repeated_file(table, **form) if files is None else read_parts(files, **form)
    if found is not None and (not policy.reads or policy.published == set(found.columns)):
        return found
    return TextTable.of_arrow(read_judged(table, policy, **form)).in_lines()
