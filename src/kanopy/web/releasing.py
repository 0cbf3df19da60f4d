"""The job that makes a release with all its files, and what the page shows of it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from kanopy.auditing import TextTable
from kanopy.policy import Policy
from kanopy.publishing import Outputs, Publication, anonymize_to_files
from kanopy.reporting.html import page_parts
from kanopy.reporting.release_report import release_document
from kanopy.reporting.summary import ReleaseSummary

if TYPE_CHECKING:
    from kanopy.web.worker import Teller

FILES, POLICY, PAGE = "files", "policy.toml", "page.json"
REPORT, BOARD = "report.html", "board.html"
_SHOWN_ROWS, _SHOWN_COLUMNS, _LONGEST_CELL = 8, 40, 80


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
    (folder / PAGE).write_text(json.dumps(_page(made)), "utf-8")
    tell.part(files=[path.name for path in made.files], colour=made.release.audit.colour)


def _page(made: Publication) -> dict[str, Any]:
    """The verdict and all sections with exact figures, for the custodian; and some published rows."""
    document = release_document(ReleaseSummary.of(made.release, edition="board"))
    header, main = page_parts(document._replace(opening=document.opening[1:]), brand="")
    return {
        "header": header,
        "main": main,
        "after": _rows(TextTable.of_published(made.release.published)),
        "certificate": made.certificate,
        "n_formulas": made.n_formulas,
    }


def _rows(table: TextTable) -> dict[str, Any]:
    """Published rows from all over the table."""
    names = list(table.columns)[:_SHOWN_COLUMNS]
    lines = np.unique(np.linspace(0, table.n_lines - 1, _SHOWN_ROWS).astype(np.int64))
    rows = [
        [
            table.columns[name].words[int(table.columns[name].codes[line])].as_py()[:_LONGEST_CELL]
            for name in names
        ]
        for line in lines.tolist()
    ]
    return {"names": names, "rows": rows}
