"""Something the custodian should know about a table, and how bad it is."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

SEVERITIES = ("broken", "serious", "warning", "note")
"""How bad a finding is, the worst first."""

_KINDS = (
    "promise", "combinations", "identifier", "free text", "persons", "certain", "guessable", "unique",
    "composition", "nearly unique", "sets", "date", "nothing",
)  # fmt: skip
"""Kinds of findings, of one severity the worst first; any other comes last."""


def colour_of(severities: Iterable[str]) -> str:
    """``"red"``: broken, or a serious finding; ``"yellow"``: kept, with warnings; ``"green"``: kept."""
    worst = min(severities, key=SEVERITIES.index, default="note")
    return {"broken": "red", "serious": "red", "warning": "yellow"}.get(worst, "green")


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the custodian should know; the message never holds a cell value.

    ``severity`` is one of ``SEVERITIES``: the promise does not hold, the release should not be published like
    this although the promise holds, somebody should look at it, or it is good to know. ``code`` names what is
    found (``"identifier:PatientNo"``), and is what ``accept`` of a policy takes. ``advice`` says what to do.
    ``is_private``: it was counted on the source, or tells of other files, and is for the custodian alone.
    """

    severity: str
    message: str
    column: str | None = None
    code: str = ""
    advice: str = ""
    is_private: bool = False

    @property
    def rank(self) -> tuple[int, int]:
        """Its place among findings, the worst first."""
        kind = self.code.partition(":")[0]
        return SEVERITIES.index(self.severity), _KINDS.index(kind) if kind in _KINDS else len(_KINDS)
