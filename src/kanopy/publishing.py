"""A release and the files beside it, written as one transaction: all get their names, or none does."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from kanopy.algorithms import find_method
from kanopy.auditing.beside import check_manifest, check_report
from kanopy.auditing.limits import check_policy_file
from kanopy.codebook import FOLDER_CODEBOOK
from kanopy.engines.local import anonymize
from kanopy.engines.request import Watch, unwatched
from kanopy.errors import Hint, PolicyError
from kanopy.policy import Policy
from kanopy.release import (
    RECORD_SUFFIXES,
    TREE_SUFFIXES,
    BesidePlaces,
    Destination,
    Inputs,
    Release,
    Style,
    Transaction,
    check_style,
    date_of_writing,
)
from kanopy.release.describing import bytes_at, counted_at
from kanopy.release.earlier import certified_findings, without_copies
from kanopy.release.transaction import Place

if TYPE_CHECKING:
    from kanopy.evaluation import Evaluation
    from kanopy.evaluation.tasks import TaskEvaluation
    from kanopy.profiling import Profile

PIPE = "-"
"""What stands for standard output in the place of a file."""

File = str | os.PathLike[str]
Found = TypeVar("Found")


class Outputs(NamedTuple):
    """The files to write."""

    table: File  # the release, .csv or .parquet; with Spark a folder; - is standard output
    tree: File | None = None
    report: File | None = None
    record: File | None = None  # private
    force: bool = False  # whether existing files may be replaced
    spreadsheet_safe: bool = False  # in CSV, put ' in front of what a spreadsheet would run as a formula
    edition: str = "public"  # of the report; that for the board is private
    certificate: bool | File = True  # beside the table; only one of what goes into a pipe is named
    codebook: bool = True  # beside the table; what goes into a pipe has none
    excel_locale: str | None = None  # write CSV as Excel reads it with these regional settings
    board: File | None = None  # a second report, for the board; private

    @property
    def is_piped(self) -> bool:
        """Whether the table goes to standard output."""
        return isinstance(self.table, str) and self.table == PIPE

    @property
    def folder_codebook(self) -> tuple[str, ...]:
        """The files of the codebook in a folder."""
        return FOLDER_CODEBOOK if self.codebook else ()

    @property
    def style(self) -> Style:
        """How a CSV file is written."""
        return Style(self.spreadsheet_safe, self.excel_locale)


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
    codebook: tuple[str, ...] = ()  # the names of its files

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
    _check(policy, outputs, request.get("method"), policy_file)
    inputs = Inputs.of(table, policy, policy_file)
    with Transaction(force=outputs.force, inputs=inputs, before_commit=before_commit) as transaction:
        # The files are reserved first: an hour of work must not end because one cannot be written.
        place, described = _table_and_beside(transaction, policy, outputs)
        beside = _reserved(transaction, place, outputs)
        release = anonymize(table, policy, watch=watch, **request)
        if not outputs.is_piped:
            release.warn(certified_findings(place.path, policy))
        watch("writing and recounting", None)
        # The table is first: what is written beside it tells the SHA-256 of its bytes, and all the same date.
        as_ = release.write_to(place, outputs.style)
        release.set_findings(without_copies(release.audit.findings, place, policy))
        date = date_of_writing()
        described.write(release, place, as_, date=date)
        for other, write in beside:
            write(release, other, date)
        check_manifest(release.manifest, counted_at(place))
        transaction.commit()
    files = (place.path, *described.paths, *(other.path for other, _ in beside))
    return Publication(
        release, files, outputs, described.certificate_digest, place.is_csv, described.codebook_names
    )


def _table_and_beside(
    transaction: Transaction, policy: Policy, outputs: Outputs
) -> tuple[Destination, BesidePlaces]:
    """The places of the release, and of what describes and certifies it."""
    if outputs.is_piped:
        piped: Destination = transaction.reserve_pipe(sys.stdout.buffer)
        check_style(outputs.style, piped.suffix)
        return piped, BesidePlaces.of_pipe(transaction, certificate=outputs.certificate)
    if not isinstance(outputs.certificate, bool):
        hint = "leave its name out, or send the release into a pipe with -o -"
        raise PolicyError("the certificate of a file is written beside it", hint)
    place = transaction.reserve(outputs.table)
    check_style(outputs.style, place.suffix)
    wanted = {"certificate": outputs.certificate, "codebook": outputs.codebook}
    return place, BesidePlaces.reserve(transaction, place, policy, **wanted)


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

    _check(policy, outputs, request.get("method"), policy_file, is_folder=True)
    check_folder(certificate=outputs.certificate is True, style=outputs.style, parts=run.parts)
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
            digest = release.describe_folder(place, form=run.form, date=date, codebook=outputs.codebook)
            for other, write in beside:
                write(release, other, date)
            transaction.commit()
    files: tuple[PurePath, ...] = (place.path, *(other.path for other, _ in beside))
    return Publication(release, files, outputs, digest, run.form == "csv", outputs.folder_codebook)


def _check(
    policy: Policy, outputs: Outputs, method: Any, policy_file: File | None, *, is_folder: bool = False
) -> None:
    """Refuse outputs that there cannot be, and a policy that lost a part of its file, before any work."""
    if policy_file is not None:
        check_policy_file(policy_file, policy)
    if is_folder and outputs.is_piped:
        raise PolicyError("Spark writes a folder of parts, not into a pipe", "name a folder with -o")
    date_of_writing()  # a wrong setting is told before the work
    chosen = find_method(method or policy.method)
    if outputs.tree is not None and not chosen.publishes_tree:
        hint = Hint("leave {tree} out, or use kadet", tree=...)
        raise PolicyError(f"method {chosen.name!r} publishes no tree", hint)
    if (outputs.report, outputs.board, outputs.edition) != (None, None, "public"):
        from kanopy.reporting import check_report  # as much code as a release without a report needs

        check_report(outputs.report, outputs.edition)
        check_report(outputs.board, "board")


Writer = Callable[[Release, Destination, str], None]
"""Writes a file of a release to its place; the text is the date."""


def _reserved(transaction: Transaction, table: Place, outputs: Outputs) -> list[tuple[Destination, Writer]]:
    """The places of all files beside table and certificate, and what writes them."""
    beside: list[tuple[Destination, Writer]] = []
    if outputs.tree is not None:
        tree = transaction.reserve(outputs.tree, suffixes=TREE_SUFFIXES)
        beside.append((tree, lambda release, place, _: release.write_tree_to(place)))
    for wanted, edition in ((outputs.report, outputs.edition), (outputs.board, "board")):
        if wanted is not None:
            from kanopy.reporting import REPORT_SUFFIXES

            report = transaction.reserve(wanted, suffixes=REPORT_SUFFIXES, private=edition == "board")
            beside.append((report, partial(_write_report, table, edition)))
    if outputs.record is not None:
        record = transaction.reserve(outputs.record, suffixes=RECORD_SUFFIXES, private=True)
        beside.append((record, lambda release, place, _: release.write_record_to(place)))
    return beside


def _write_report(table: Place, edition: str, release: Release, report: Destination, date: str) -> None:
    """PRIVACY: the report names the bytes that were recounted, which get the name of the table, and what was
    counted on them (tests/unit/reporting/test_first_screen.py, tests/sabotage/test_files_beside.py)."""
    from kanopy.reporting import WrittenFile, write_report_to

    file = WrittenFile(table.path.name, table.digest.hex(), date)
    write_report_to(release, report, edition=edition, file=file)
    if isinstance(table, Destination):
        check_report(bytes_at(report), report.suffix, counted_at(table))


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


def profile_to_file(
    table: Any, named: Sequence[Any], report: File | None, *, force: bool = False, **form: Any
) -> Profile:
    """Measure a table, and write a report if one is wanted; ``named`` and ``form`` are for ``profile``."""
    from kanopy.profiling import asked_policy, profile

    inputs = Inputs.of(table, asked_policy(*named))
    work = partial(profile, table, *named, **form)
    return with_report(work, report, force=force, inputs=inputs, private=True)


def with_report(
    work: Callable[[], Found], report: File | None, *, force: bool, inputs: Inputs, private: bool = False
) -> Found:
    """Do the work and write a report on what it found, if one is wanted; the file is reserved first."""
    if report is None:
        return work()
    from kanopy.reporting import REPORT_SUFFIXES, check_report, write_report_to

    check_report(report, "public")
    with Transaction(force=force, inputs=inputs) as transaction:
        place = transaction.reserve(report, suffixes=REPORT_SUFFIXES, private=private)
        found = work()
        write_report_to(found, place)
        transaction.commit()
    return found
