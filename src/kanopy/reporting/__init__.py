"""Reports on releases and evaluations for readers who are not experts: HTML, Markdown or JSON."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError
from kanopy.release import Destination, Inputs, Release, write_file
from kanopy.reporting.evaluation_report import evaluation_document
from kanopy.reporting.evaluation_summary import EvaluationSummary
from kanopy.reporting.html import as_html
from kanopy.reporting.markdown import as_markdown
from kanopy.reporting.release_report import release_document
from kanopy.reporting.summary import ReleaseSummary
from kanopy.reporting.task_report import TaskSummary, task_document

__all__ = ["REPORT_SUFFIXES", "EvaluationSummary", "ReleaseSummary", "render", "report", "write_report_to"]

REPORT_SUFFIXES = (".html", ".md", ".json")


def report(subject: Any, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write a report on a release or an evaluation; O(rows * columns).

    A report is a release too: it shows no count of people between 1 and k, and no rarer value. See
    docs/report.md.

    Parameters
    ----------
    subject : Release or evaluation
    path : path
        Ends in ``.html`` (one page that needs no other file), ``.md`` or ``.json``.
    force : bool
        Whether an existing file may be replaced.

    Raises
    ------
    PolicyError
        For another ending, an existing file without ``force``, or another kind of subject.
    ResourceError
        If the file cannot be written; then no part of it is left.
    """
    inputs = subject.inputs if isinstance(subject, Release) else Inputs()
    write = partial(write_report_to, subject)
    return write_file(path, write, force=force, inputs=inputs, suffixes=REPORT_SUFFIXES)


def write_report_to(subject: Any, destination: Destination) -> None:
    """Write a report to a reserved destination; the file gets its name when that is committed."""
    # A lone surrogate cannot be encoded; where one is shown, it is already spelled out.
    content = render(subject, destination.suffix).encode("utf-8", "backslashreplace")
    with destination.writing() as stream:
        stream.write(content)


def render(subject: Any, suffix: str) -> str:
    """The report as text; ``suffix`` is one of ``REPORT_SUFFIXES``."""
    summary: ReleaseSummary | EvaluationSummary | TaskSummary
    if isinstance(subject, Release):
        summary = ReleaseSummary.of(subject)
    elif hasattr(subject, "yardsticks"):
        summary = TaskSummary.of(subject)
    elif all(hasattr(subject, name) for name in ("scores", "comparisons", "protocol")):
        summary = EvaluationSummary.of(subject)
    else:
        reason = f"no report can be made of {type(subject).__name__}"
        raise PolicyError(reason, "give a release or an evaluation")
    if suffix == ".json":  # in ASCII, so that no character of a name can be mistaken for another
        plain = {"about": type(summary).__name__, **asdict(summary)}
        return json.dumps(plain, indent=2, allow_nan=False) + "\n"
    if isinstance(summary, ReleaseSummary):
        document = release_document(summary)
    elif isinstance(summary, TaskSummary):
        document = task_document(summary)
    else:
        document = evaluation_document(summary)
    return as_html(document) if suffix == ".html" else as_markdown(document)
