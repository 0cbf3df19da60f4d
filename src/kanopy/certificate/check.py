"""One thing that was looked at in a release, and what was found."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kanopy.auditing import TextTable

HOLDS, FAILS, NOT_CHECKED = "holds", "fails", "not checked"


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was looked at.

    ``outcome`` is ``"holds"``, ``"fails"`` or ``"not checked"``; the message never holds a cell value.
    """

    name: str
    outcome: str
    message: str


class FoundRelease(NamedTuple):
    """A file, or a folder, compared with its certificate; its promise is not counted yet."""

    table: TextTable | None  # None where there is none that can be read
    checks: tuple[Check, ...]
    sha256: str
    parts: tuple[Check, ...] = ()  # of a folder, each file by its name


def agreement(name: str, found: int, certified: int) -> Check:
    """Whether a number is the certified one."""
    if found == certified:
        return Check(name, HOLDS, f"{found:,}, as certified")
    return Check(name, FAILS, f"{found:,}, but {certified:,} are certified")
