"""A release and the files beside it, written as one transaction: all get their names, or none does."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from kanopy.algorithms import find_method
from kanopy.engines.local import anonymize
from kanopy.engines.request import Watch, unwatched
from kanopy.errors import Hint, PolicyError
from kanopy.policy import Policy
from kanopy.release import RECORD_SUFFIXES, TREE_SUFFIXES, Inputs, Release, Transaction
from kanopy.reporting import REPORT_SUFFIXES, write_report_to

if TYPE_CHECKING:
    from kanopy.evaluation import Evaluation
    from kanopy.evaluation.tasks import TaskEvaluation

File = str | os.PathLike[str]
Found = TypeVar("Found")


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files to write."""

    table: File  # the release, .csv or .parquet
    tree: File | None = None
    report: File | None = None
    record: File | None = None  # private
    force: bool = False  # whether existing files may be replaced
    spreadsheet_safe: bool = False  # in CSV, put ' in front of what a spreadsheet would run as a formula


@dataclass(frozen=True, slots=True)
class Publication:
    """What was written: the release and its files, that of the table first."""

    release: Release
    files: tuple[Path, ...]
    outputs: Outputs

    @property
    def n_formulas(self) -> int:
        """Different texts in a CSV file that a spreadsheet might run as a formula."""
        is_at_risk = self.files[0].suffix.lower() == ".csv" and not self.outputs.spreadsheet_safe
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
    chosen = find_method(request.get("method") or policy.method)
    if outputs.tree is not None and not chosen.publishes_tree:
        hint = Hint("leave {tree} out, or use kadet", tree=...)
        raise PolicyError(f"method {chosen.name!r} publishes no tree", hint)
    inputs = Inputs.of(table, policy, policy_file)
    with Transaction(force=outputs.force, inputs=inputs, before_commit=before_commit) as transaction:
        # The files are reserved first: an hour of work must not end because one cannot be written.
        place = transaction.reserve(outputs.table)
        beside: list[tuple[Any, Callable[[Release, Any], None]]] = []
        if outputs.tree is not None:
            beside.append((transaction.reserve(outputs.tree, suffixes=TREE_SUFFIXES), Release.write_tree_to))
        if outputs.report is not None:
            beside.append((transaction.reserve(outputs.report, suffixes=REPORT_SUFFIXES), write_report_to))
        if outputs.record is not None:
            record = transaction.reserve(outputs.record, suffixes=RECORD_SUFFIXES, private=True)
            beside.append((record, Release.write_record_to))
        release = anonymize(table, policy, watch=watch, **request)
        watch("writing and recounting", None)
        for other, write in beside:
            write(release, other)
        release.write_to(place, spreadsheet_safe=outputs.spreadsheet_safe)
        transaction.commit()
    return Publication(release, (place.path, *(other.path for other, _ in beside)), outputs)


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
    with Transaction(force=force, inputs=inputs) as transaction:
        place = transaction.reserve(report, suffixes=REPORT_SUFFIXES)
        found = work()
        write_report_to(found, place)
        transaction.commit()
    return found
