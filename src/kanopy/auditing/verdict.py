"""The result of an audit."""

from __future__ import annotations

import math
from dataclasses import asdict, dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Finding:
    """Something the custodian should know.

    Parameters
    ----------
    severity : str
        ``"broken"`` (the promise does not hold), ``"warning"`` or ``"note"``.
    message : str
        Never a cell value.
    column : str, optional
    """

    severity: str
    message: str
    column: str | None = None


@dataclass(frozen=True, slots=True)
class PromiseResult:
    """One promise, recounted.

    Parameters
    ----------
    promise : str
        Its sentence.
    kept : bool
    level : float
        What the worst of the groups that the promise is about reaches.
    groups_broken : int
    """

    promise: str
    kept: bool
    level: float
    groups_broken: int


@dataclass(frozen=True, slots=True)
class Audit:
    """A table recounted from its text against a policy.

    Parameters
    ----------
    kept : bool
        Whether every promise holds and no column is published that the policy drops.
    k : int
        Rows (or persons) of the smallest group over all quasi-identifiers, whether a k is promised or not.
    groups : int
        Different combinations of the quasi-identifiers.
    rows : int
    unit : str
        What k counts: ``"rows"`` or ``"persons"``.
    promises : tuple of PromiseResult
    findings : tuple of Finding
    smallest_groups : tuple of int
        The sizes of the ten smallest groups.
    k_with_target : int or None
        Rows of the smallest group for an attacker who knows the class.
    unique_rows : float
        Share of rows that no other row equals on all published columns.
    certain : dict of str to float
        For the target and every sensitive column, the share of rows whose group has a single value there.
    """

    kept: bool
    k: int
    groups: int
    rows: int
    unit: str
    promises: tuple[PromiseResult, ...]
    findings: tuple[Finding, ...]
    smallest_groups: tuple[int, ...]
    k_with_target: int | None
    unique_rows: float
    certain: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """The audit as plain data, ready for JSON; an infinite level is None."""
        plain = asdict(self)
        for result in plain["promises"]:
            result["level"] = result["level"] if math.isfinite(result["level"]) else None
        return plain
