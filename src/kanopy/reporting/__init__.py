"""Tells the people who decide what a release promises and costs: HTML, Markdown or JSON."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError
from kanopy.release import Destination, Release
from kanopy.reporting.evaluation_story import tell_evaluation
from kanopy.reporting.evaluation_summary import EvaluationSummary
from kanopy.reporting.html import as_html
from kanopy.reporting.markdown import as_markdown
from kanopy.reporting.plain_data import as_json
from kanopy.reporting.release_story import tell_release
from kanopy.reporting.summary import ReleaseSummary

__all__ = ["REPORT_SUFFIXES", "EvaluationSummary", "ReleaseSummary", "render", "report", "write_report_to"]

REPORT_SUFFIXES = (".html", ".md", ".json")


def report(subject: Any, path: str | os.PathLike[str], *, force: bool = False) -> Path:
    """Write a report on a release or an evaluation; O(rows * columns).

    It is a release too: it shows no count of people between 1 and k, and no value that is rarer. What is
    shown and why: docs/report.md.

    Parameters
    ----------
    subject : Release or evaluation
    path : path
        Ending in ``.html`` (one page that needs nothing else), ``.md`` or ``.json``.
    force : bool
        Whether an existing file may be replaced.

    Raises
    ------
    PolicyError
        Another ending, an existing file without ``force``, something that no report can be made of.
    ResourceError
        Where the file cannot be written; nothing is left behind then.
    """
    source = subject.inputs if isinstance(subject, Release) else None
    with Destination(path, force=force, source=source, suffixes=REPORT_SUFFIXES) as destination:
        write_report_to(subject, destination)
        destination.commit()
    return destination.path


def write_report_to(subject: Any, destination: Destination) -> None:
    """Write a report to a place that was reserved; it gets its name when that is committed."""
    text = render(subject, destination.suffix)
    with destination.writing() as stream:
        # A lone surrogate cannot be written; whatever is shown of one is already spelled out.
        stream.write(text.encode("utf-8", "backslashreplace"))


def render(subject: Any, suffix: str) -> str:
    """The report as text; ``suffix`` is one of ``REPORT_SUFFIXES``."""
    if isinstance(subject, Release):
        summary = ReleaseSummary.of(subject)
        return as_json(summary) if suffix == ".json" else _RENDERERS[suffix](tell_release(summary))
    if not all(hasattr(subject, name) for name in ("scores", "comparisons", "protocol")):
        raise PolicyError(
            f"no report can be made of {type(subject).__name__}", "give a release or an evaluation"
        )
    measured = EvaluationSummary.of(subject)
    return as_json(measured) if suffix == ".json" else _RENDERERS[suffix](tell_evaluation(measured))


_RENDERERS = {".html": as_html, ".md": as_markdown}
