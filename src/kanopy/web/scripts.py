"""The same as a command and as Python: what was clicked can be run again, and gives the same bytes."""

from __future__ import annotations

import json
import shlex
from typing import Any

from kanopy.web.releasing import BOARD, POLICY, REPORT


def command(table: str, request: dict[str, Any]) -> str:
    """The command line for a release."""
    words = ["kanopy", "anonymize", table, "-o", request["output"], "--policy", POLICY]
    words += ["--report", REPORT, "--board", BOARD]
    words += ["--spreadsheet-safe"] if request["spreadsheet_safe"] else []
    words += ["--excel-locale", request["excel_locale"]] if request["excel_locale"] else []
    return shlex.join(words)


def python(table: str, request: dict[str, Any]) -> str:
    """The lines of Python for the same."""
    more = f', report="{REPORT}", board="{BOARD}"'
    more += ", spreadsheet_safe=True" if request["spreadsheet_safe"] else ""
    more += f", excel_locale={json.dumps(request['excel_locale'])}" if request["excel_locale"] else ""
    return (
        "import kanopy\nfrom kanopy.publishing import Outputs, anonymize_to_files\n\n"
        f'policy = kanopy.Policy.load("{POLICY}")\n'
        f"outputs = Outputs({json.dumps(request['output'])}{more})\n"
        f"anonymize_to_files({json.dumps(table)}, policy, outputs)\n"
    )
