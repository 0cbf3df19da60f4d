"""Bytes of a file that nobody has described: its dialect is found out, and the draft for it is a policy."""

from __future__ import annotations

from fuzz.csv_target import SECRET, CsvTarget
from fuzz.scratch import written
from fuzz.target import Violation, refused
from kanopy.drafting import suggest
from kanopy.errors import KanopyError


class DraftTarget(CsvTarget):
    """``suggest`` of any bytes, then the policy that it has drafted."""

    name = "draft"

    def execute(self, data: bytes) -> str:
        try:
            draft = suggest(written("in.csv", data[1:]))
        except KanopyError as error:
            return refused(error)  # the header, which may hold anything, may be shown
        is_name = any(SECRET in column.name for column in draft.columns)
        if SECRET in draft.to_toml() and not is_name:
            raise Violation("the draft shows a cell")
        if not any(column.role == "quasi_identifiers" for column in draft.columns):
            return "nothing to generalize"
        draft.policy.check_columns([column.name for column in draft.columns])
        return "drafted"
