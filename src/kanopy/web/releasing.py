"""The job that makes a release with all its files, and what the page shows of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kanopy.policy import Policy
from kanopy.publishing import Outputs, Publication, anonymize_to_files
from kanopy.reporting.html import page_parts
from kanopy.reporting.release_report import release_document
from kanopy.reporting.summary import ReleaseSummary
from kanopy.web.reading import first_rows
from kanopy.web.side_by_side import N_TRIED, side_by_side
from kanopy.web.wording import finding_on_the_page

if TYPE_CHECKING:
    from kanopy.web.worker import Teller

FILES, POLICY, PAGE = "files", "policy.toml", "page.json"
REPORT, BOARD = "report.html", "board.html"


def release(request: dict[str, Any], tell: Teller) -> None:
    """Make the release; what is downloaded later is what was written and recounted here, and nothing else."""
    folder = Path(request["folder"])
    files = folder / FILES
    files.mkdir(mode=0o700)
    policy_file = folder / POLICY
    policy_file.write_text(request["policy"], "utf-8")
    outputs = Outputs(
        files / request["output"],
        report=files / REPORT,
        board=files / BOARD,
        spreadsheet_safe=request["spreadsheet_safe"],
        excel_locale=request["excel_locale"],
    )
    made = anonymize_to_files(
        request["source"], Policy.load(policy_file), outputs, policy_file=policy_file, watch=tell
    )
    tell("drawing", None)
    sides = side_by_side(made.release, first_rows(request["own"], N_TRIED))
    (folder / PAGE).write_text(json.dumps({**_page(made), **sides}), "utf-8")
    tell.part(files=[path.name for path in made.files], colour=made.release.audit.colour)


def _page(made: Publication) -> dict[str, Any]:
    """The verdict and all sections with exact figures, for the custodian."""
    # The files are written: what is shown here beside them says what to click.
    made.release.set_findings(tuple(map(finding_on_the_page, made.release.audit.findings)))
    document = release_document(ReleaseSummary.of(made.release, edition="board"))
    header, main = page_parts(document._replace(opening=document.opening[1:]), brand="")
    return {
        "header": header,
        "main": main,
        "certificate": made.certificate,
        "n_formulas": made.n_formulas,
    }
