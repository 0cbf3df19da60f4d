"""``kanopy anonymize``."""

from __future__ import annotations

import json
import sys
from argparse import Namespace
from collections.abc import Callable
from functools import partial

from kanopy._arrow_start import start_pyarrow
from kanopy.algorithms import find_method
from kanopy.certificate import certificate_path
from kanopy.cli.audit import say_findings, say_promise, say_risks, say_verdict
from kanopy.cli.engine import uses_spark
from kanopy.cli.prepare import options_from, policy_from
from kanopy.cli.signals import StopRequest, ignore_signals
from kanopy.cli.terminal import Terminal, give_up_output, standard_error
from kanopy.errors import PolicyError
from kanopy.publishing import PIPE, Outputs, Publication, SparkRun, anonymize_to_files, anonymize_to_folder
from kanopy.release import Release

_OUTPUTS = (
    "tree",
    "report",
    "record",
    "force",
    "spreadsheet_safe",
    "certificate",
    "edition",
    "codebook",
    "excel_locale",
    "board",
)
_SPARK = ("master", "staging", "form", "parts")
_REQUEST = ("method", "seed", "delimiter", "encoding", "time_limit", "allow_empty")


def run(given: Namespace) -> int:
    _check_edition(given)
    _check_pipe(given)
    policy = policy_from(given)
    options = options_from(given)
    method = find_method(given.method or policy.method)
    method.settle(options)  # wrong options are told before any work
    start_pyarrow()
    terminal = standard_error()
    stop = StopRequest()
    if method.is_anytime:
        stop.listen(terminal.say_note)
    publication = _publisher(given)(
        given.input,
        policy,
        Outputs(given.output, **{name: getattr(given, name) for name in _OUTPUTS}),
        policy_file=given.policy,
        watch=terminal.progress,
        before_commit=ignore_signals,
        stop=stop,
        **{name: getattr(given, name) for name in _REQUEST},
        **options,
    )
    try:
        say_release(terminal, publication.release)
        _say_written(terminal, given, publication)
        if given.json:
            print(json.dumps(publication.release.told(), indent=2))
        sys.stdout.flush()
    except Exception:
        # The release is written: that nobody could be told about it does not undo it.
        give_up_output()
    return 0


def _check_edition(given: Namespace) -> None:
    if given.edition is None:
        given.edition = "public"
    elif given.report is None:
        raise PolicyError(
            "--edition says who a report is for, and there is none",
            "add --report FILE, or leave --edition out",
        )


def _check_pipe(given: Namespace) -> None:
    """Standard output carries the release alone, or what was asked for."""
    if given.output == PIPE and given.json:
        given.json = False  # nor does the error go there
        hint = "leave --json out, or name a file with -o; --record FILE writes the record of the run"
        raise PolicyError("--json prints to standard output, where -o - sends the release", hint)


def _publisher(given: Namespace) -> Callable[..., Publication]:
    """What makes and writes the release, where it runs."""
    if not uses_spark(given, (*_SPARK, "tuple_limit")):
        return anonymize_to_files
    named = {name: getattr(given, name) for name in _SPARK}
    run = SparkRun(**{name: value for name, value in named.items() if value is not None})
    return partial(anonymize_to_folder, run=run, tuple_limit=given.tuple_limit)


def _say_written(terminal: Terminal, given: Namespace, publication: Publication) -> None:
    if publication.n_formulas:
        terminal.say_note("some texts begin like a formula; --spreadsheet-safe puts ' in front of them")
    is_piped = given.output == PIPE
    written = [
        "to standard output, after it was recounted"
        if is_piped
        else f"{given.output}, recounted from the disk"
    ]
    if is_piped and publication.certificate is None:
        terminal.say_note("there is no certificate, which verify needs; --certificate FILE writes one")
    if publication.certificate is not None:
        place = given.certificate if is_piped else certificate_path(given.output)
        written.append(f"its certificate, {place}, SHA-256 {publication.certificate}")
    if books := publication.codebook:
        beside = [str(certificate_path(given.output).parent / book) for book in books]
        written.append(f"its codebook, {' and '.join(beside)}")
    if given.report is not None:
        private = ", for the board: not for publication" if given.edition == "board" else ""
        written.append(f"{given.report}{private}")
    if given.board is not None:
        written.append(f"{given.board}, for the board: not for publication")
    for file in written:
        terminal.say_labelled("written", file, "green", "bold")


def say_release(terminal: Terminal, release: Release) -> None:
    """The verdict, what it cost and what to know; exactly, as it is said to the custodian alone."""
    record = release.record
    rows, losses = record["rows"], record["losses"]
    say_verdict(terminal, release.audit)
    say_promise(terminal, release.audit)
    rows_in_out = f"{rows['in']:,} in, {rows['out']:,} out, {rows['dropped']:,} dropped"
    terminal.say_labelled("rows", rows_in_out)
    lost = f"{losses['gcp']:.1%} of the detail of the quasi-identifiers"
    suppressed = f"{losses['missing_cell_ratio']:.1%} of their cells suppressed"
    terminal.say_labelled("cost", f"{lost}, {suppressed}")
    say_risks(terminal, release.audit)
    say_findings(terminal, release.audit)
    for notice in record["notices"]:
        terminal.say_note(notice)
    terminal.say_note(record["not_promised"])
