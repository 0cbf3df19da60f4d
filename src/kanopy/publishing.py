"""A release and the files beside it, written as one transaction: all get their names, or none does."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kanopy.algorithms import find_method
from kanopy.engines.local import anonymize
from kanopy.engines.request import Watch, unwatched
from kanopy.errors import Hint, PolicyError
from kanopy.policy import Policy
from kanopy.release import (
    RECORD_SUFFIXES,
    TREE_SUFFIXES,
    Destination,
    Inputs,
    Release,
    Transaction,
    date_of_writing,
    reserve_certificate,
)
from kanopy.release.earlier import certified_findings, without_copies
from kanopy.release.transaction import Place

if TYPE_CHECKING:
    from kanopy.evaluation import Evaluation
    from kanopy.evaluation.tasks import TaskEvaluation

File = str | os.PathLike[str]
Found = TypeVar("Found")


class Outputs(NamedTuple):
    """The files to write."""

    table: File  # the release, .csv or .parquet; with Spark a folder
    tree: File | None = None
    report: File | None = None
    record: File | None = None  # private
    force: bool = False  # whether existing files may be replaced
    spreadsheet_safe: bool = False  # in CSV, put ' in front of what a spreadsheet would run as a formula
    edition: str = "public"  # of the report; that for the board is private
    certificate: bool = True  # beside the table


class SparkRun(NamedTuple):
    """Where a release is made that Spark makes."""

    master: str | None = None  # of the cluster; otherwise what Spark's own settings say
    staging: File | None = None  # where parts are written first; otherwise beside the output
    form: str = "parquet"  # of the parts, or csv
    parts: int | None = None  # how many; otherwise one for every two million rows


class Publication(NamedTuple):
    """What was written: the release and its files, that of the table first.

    ``certificate`` is the SHA-256 of the certificate, which a publisher tells readers in another way.
    """

    release: Release
    files: tuple[PurePath, ...]
    outputs: Outputs
    certificate: str | None = None
    is_csv: bool = False

    @property
    def n_formulas(self) -> int:
        """Different texts in a CSV file that a spreadsheet might run as a formula."""
        is_at_risk = self.is_csv and not self.outputs.spreadsheet_safe
        return self.release.n_formulas if is_at_risk else 0


def anonymize_to_files(
    table: Any,
    policy: Policy,
    outputs: Outputs,
    *,
    policy_file: File | None = None,
    watch: Watch = unwatched,
    before_commit: Callable[[], None] = lambda: None,
    **request: Any,
) -> Publication:
    """Anonymize a table and write the release; the other parameters are those of ``anonymize``.

    No output may replace the ``policy_file``. ``before_commit`` is called when everything is written and
    checked, and only the renaming is left to do.
    """
    _check(policy, outputs, request.get("method"))
    inputs = Inputs.of(table, policy, policy_file)
    with Transaction(force=outputs.force, inputs=inputs, before_commit=before_commit) as transaction:
        # The files are reserved first: an hour of work must not end because one cannot be written.
        place = transaction.reserve(outputs.table)
        certificate = reserve_certificate(transaction, place, policy, wanted=outputs.certificate)
        beside = _reserved(transaction, place, outputs)
        release = anonymize(table, policy, watch=watch, **request)
        release.warn(certified_findings(place.path, policy))
        watch("writing and recounting", None)
        # The table is first: what is written beside it tells the SHA-256 of its bytes, and all the same date.
        release.write_to(place, spreadsheet_safe=outputs.spreadsheet_safe)
        release.set_findings(without_copies(release.audit.findings, place, policy))
        date = date_of_writing()
        if outputs.certificate:
            release.write_certificate_to(certificate, place, date=date)
        for other, write in beside:
            write(release, other, date)
        transaction.commit()
    files = (place.path, *([certificate.path] if outputs.certificate else []))
    digest = certificate.digest.hex() if outputs.certificate else None
    is_csv = place.suffix == ".csv"
    return Publication(release, (*files, *(other.path for other, _ in beside)), outputs, digest, is_csv)


def anonymize_to_folder(
    table: Any,
    policy: Policy,
    outputs: Outputs,
    run: SparkRun,
    *,
    watch: Watch = unwatched,
    before_commit: Callable[[], None] = lambda: None,
    policy_file: File | None = None,
    **request: Any,
) -> Publication:
    """The same with Spark, which reads files and writes a folder of parts."""
    from kanopy.engines.spark.files import frame_of_files
    from kanopy.engines.spark.release import SparkRelease, check_folder
    from kanopy.engines.spark.session import started_session

    _check(policy, outputs, request.get("method"))
    check_folder(certificate=outputs.certificate, spreadsheet_safe=outputs.spreadsheet_safe, parts=run.parts)
    date_of_writing()  # a wrong setting is told before the work
    form = {name: request.pop(name, None) for name in ("delimiter", "encoding")}
    inputs = Inputs.of(table, policy, policy_file)
    with Transaction(force=outputs.force, inputs=inputs, before_commit=before_commit) as transaction:
        place = transaction.reserve_folder(outputs.table, staging=run.staging)
        beside = _reserved(transaction, place, outputs)
        watch("starting Spark", None)
        with started_session(run.master) as session:
            frame = frame_of_files(session, table, policy.source, **form)
            release = anonymize(frame, policy, watch=watch, **request)
            assert isinstance(release, SparkRelease)
            if isinstance(place.path, Path):
                release.warn(certified_findings(place.path, policy))
            watch("writing and recounting", None)
            release.write_parts_to(place, form=run.form, parts=run.parts)
            date = date_of_writing()
            digest = release.write_folder_certificate_to(place, date=date)
            for other, write in beside:
                write(release, other, date)
            transaction.commit()
    files: tuple[PurePath, ...] = (place.path, *(other.path for other, _ in beside))
    return Publication(release, files, outputs, digest, run.form == "csv")


def _check(policy: Policy, outputs: Outputs, method: Any) -> None:
    """Refuse outputs that there cannot be, before any work."""
    chosen = find_method(method or policy.method)
    if outputs.tree is not None and not chosen.publishes_tree:
        hint = Hint("leave {tree} out, or use kadet", tree=...)
        raise PolicyError(f"method {chosen.name!r} publishes no tree", hint)
    if outputs.report is not None or outputs.edition != "public":
        from kanopy.reporting import check_report  # as much code as a release without a report needs

        check_report(outputs.report, outputs.edition)


Writer = Callable[[Release, Destination, str], None]
"""Writes a file of a release to its place; the text is the date."""


def _reserved(transaction: Transaction, table: Place, outputs: Outputs) -> list[tuple[Destination, Writer]]:
    """The places of all files beside table and certificate, and what writes them."""
    beside: list[tuple[Destination, Writer]] = []
    if outputs.tree is not None:
        tree = transaction.reserve(outputs.tree, suffixes=TREE_SUFFIXES)
        beside.append((tree, lambda release, place, _: release.write_tree_to(place)))
    if outputs.report is not None:
        from kanopy.reporting import REPORT_SUFFIXES

        is_private = outputs.edition == "board"
        report = transaction.reserve(outputs.report, suffixes=REPORT_SUFFIXES, private=is_private)
        beside.append((report, partial(_write_report, table, outputs.edition)))
    if outputs.record is not None:
        record = transaction.reserve(outputs.record, suffixes=RECORD_SUFFIXES, private=True)
        beside.append((record, lambda release, place, _: release.write_record_to(place)))
    return beside


def _write_report(table: Place, edition: str, release: Release, report: Destination, date: str) -> None:
    """PRIVACY: the report names the bytes that were recounted, and those get the name of the table
    (tests/unit/reporting/test_first_screen.py)."""
    from kanopy.reporting import WrittenFile, write_report_to

    file = WrittenFile(table.path.name, table.digest.hex(), date)
    write_report_to(release, report, edition=edition, file=file)


def evaluate_to_file(
    table: Any,
    policy: Policy,
    report: File | None,
    *,
    force: bool = False,
    policy_file: File | None = None,
    **request: Any,
) -> Evaluation:
    """Evaluate methods, and write a report if one is wanted; other parameters are those of ``evaluate``."""
    from kanopy.evaluation import evaluate  # needs scikit-learn

    inputs = Inputs.of(table, policy, policy_file)
    return with_report(partial(evaluate, table, policy, **request), report, force=force, inputs=inputs)


def evaluate_task_to_file(
    table: Any,
    policy: Policy,
    task: str,
    report: File | None,
    *,
    force: bool = False,
    policy_file: File | None = None,
    **request: Any,
) -> TaskEvaluation:
    """The same for a task other than classification; other parameters are those of ``evaluate_task``."""
    from kanopy.evaluation.tasks import evaluate_task

    inputs = Inputs.of(table, policy, policy_file)
    work = partial(evaluate_task, table, policy, task, **request)
    return with_report(work, report, force=force, inputs=inputs)


def with_report(work: Callable[[], Found], report: File | None, *, force: bool, inputs: Inputs) -> Found:
    """Do the work and write a report on what it found, if one is wanted; the file is reserved first."""
    if report is None:
        return work()
    from kanopy.reporting import REPORT_SUFFIXES, check_report, write_report_to

    check_report(report, "public")
    with Transaction(force=force, inputs=inputs) as transaction:
        place = transaction.reserve(report, suffixes=REPORT_SUFFIXES)
        found = work()
        write_report_to(found, place)
        transaction.commit()
    return found
