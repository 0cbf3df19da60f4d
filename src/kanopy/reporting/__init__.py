"""Reports on releases and evaluations for readers who are not experts: HTML, Markdown or JSON."""

from __future__ import annotations

import json
import os
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

from kanopy.errors import PolicyError
from kanopy.profiling import Profile
from kanopy.release import Destination, Inputs, Release, write_file
from kanopy.reporting.board import BANNER
from kanopy.reporting.evaluation_report import evaluation_document
from kanopy.reporting.evaluation_summary import EvaluationSummary
from kanopy.reporting.html import as_html
from kanopy.reporting.markdown import as_markdown
from kanopy.reporting.pdf import as_pdf, find_chromium
from kanopy.reporting.profile_report import ProfileSummary, profile_document
from kanopy.reporting.release_report import release_document
from kanopy.reporting.summary import EDITIONS, ReleaseSummary, WrittenFile
from kanopy.reporting.task_report import TaskSummary, task_document

__all__ = [
    "EDITIONS", "REPORT_SUFFIXES", "EvaluationSummary", "ProfileSummary", "ReleaseSummary", "WrittenFile",
    "check_report", "is_private_report", "render", "report", "write_report_to",
]  # fmt: skip

REPORT_SUFFIXES = (".html", ".md", ".json", ".pdf")


def report(
    subject: Any, path: str | os.PathLike[str], *, force: bool = False, edition: str = "public"
) -> Path:
    """Write a report on a release, an evaluation or a profile; O(rows * columns).

    A public report is a release too: it shows no count of people between 1 and k, and no rarer value. See
    docs/report.md. It cannot tell the SHA-256 of a release that is not written yet: ``kanopy anonymize
    --report`` writes both together.

    Parameters
    ----------
    subject : Release, evaluation or Profile
        A report on a profile has exact figures about a table: it is private like that for the board.
    path : path
        Ends in ``.html`` (one page that needs no other file), ``.md``, ``.json`` or ``.pdf``, which needs an
        installed Chromium.
    force : bool
        Whether an existing file may be replaced.
    edition : str
        Of a report on a release: ``"public"``, or ``"board"``, which has exact figures about the source. That
        is not for publication, and nobody but its owner may read the file (mode 0600).

    Raises
    ------
    PolicyError
        For another ending, an existing file without ``force``, or another kind of subject.
    ResourceError
        If the file cannot be written, or a PDF is wanted where no Chromium is installed. Then nothing is
        left.
    """
    check_report(path, edition)
    inputs = subject.inputs if isinstance(subject, Release) else Inputs()
    write = partial(write_report_to, subject, edition=edition)
    private = is_private_report(subject, edition)
    return write_file(path, write, force=force, inputs=inputs, suffixes=REPORT_SUFFIXES, private=private)


def write_report_to(
    subject: Any, destination: Destination, *, edition: str = "public", file: WrittenFile | None = None
) -> None:
    """Write a report to a reserved destination; the file gets its name when that is committed.

    ``file`` is the release that was written, where it was.
    """
    is_pdf = destination.suffix == ".pdf"
    text = render(subject, ".html" if is_pdf else destination.suffix, edition=edition, file=file)
    # A lone surrogate cannot be encoded; where one is shown, it is already spelled out.
    whole = text.encode("utf-8", "backslashreplace")
    content = as_pdf(whole, None if file is None else file.date) if is_pdf else whole
    with destination.writing() as stream:
        stream.write(content)


def is_private_report(subject: Any, edition: str) -> bool:
    """PRIVACY: whether nobody but its owner may read the report: it has exact figures about people
    (tests/unit/reporting/test_profile_report.py)."""
    return edition == "board" or isinstance(subject, Profile)


def check_report(path: str | os.PathLike[str] | None, edition: str) -> None:
    """Whether such a report could be made, before any work; the place is checked when it is reserved."""
    if edition not in EDITIONS:
        raise PolicyError(f"no edition is called {edition!r}", f"editions: {', '.join(EDITIONS)}")
    if isinstance(path, str | os.PathLike) and os.fspath(path)[-4:].lower() == ".pdf":
        find_chromium()


def render(subject: Any, suffix: str, *, edition: str = "public", file: WrittenFile | None = None) -> str:
    """The report as text; ``suffix`` is one of ``REPORT_SUFFIXES``, but for ``.pdf``."""
    summary: ReleaseSummary | EvaluationSummary | TaskSummary | ProfileSummary
    if isinstance(subject, Release):
        summary = ReleaseSummary.of(subject, edition=edition, file=file)
    elif edition != "public":
        raise PolicyError("a report on anything but a release has one edition", "leave edition out")
    elif isinstance(subject, Profile):
        summary = ProfileSummary.of(subject)
    elif hasattr(subject, "yardsticks"):
        summary = TaskSummary.of(subject)
    elif all(hasattr(subject, name) for name in ("scores", "comparisons", "protocol")):
        summary = EvaluationSummary.of(subject)
    else:
        reason = f"no report can be made of {type(subject).__name__}"
        raise PolicyError(reason, "give a release, an evaluation or a profile")
    if suffix == ".json":  # in ASCII, so that no character of a name can be mistaken for another
        private = {"private": BANNER} if is_private_report(subject, edition) else {}
        plain = {**private, "about": type(summary).__name__, **asdict(summary)}
        return json.dumps(plain, indent=2, allow_nan=False) + "\n"
    if isinstance(summary, ReleaseSummary):
        document = release_document(summary)
    elif isinstance(summary, TaskSummary):
        document = task_document(summary)
    elif isinstance(summary, ProfileSummary):
        document = profile_document(summary)
    else:
        document = evaluation_document(summary)
    return as_html(document) if suffix == ".html" else as_markdown(document)
