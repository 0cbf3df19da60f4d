"""Findings about derived columns that tell a date more exactly than the policy publishes it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from kanopy.auditing.finding import Finding
from kanopy.auditing.text import TextColumn, TextTable
from kanopy.data.calendar import LEVELS
from kanopy.data.grammar import read_cell
from kanopy.policy import Policy, shown_name
from kanopy.policy.reading import DerivedColumn

_TOLD = {"hours": "hour", "days": "day", "months": "month", "years": "year"}
# In hours, of a unit on average and of a level at least.
_UNIT = {"hours": 1, "days": 24, "months": 730, "years": 8760}
_LENGTH = {"hour": 1, "day": 24, "month": 28 * 24, "quarter": 90 * 24, "year": 8760, "decade": 87600}
_DROPPED = ("identifiers", "person")


def derived_findings(table: TextTable, policy: Policy) -> Iterator[Finding]:
    """Columns from which dates can be computed back, or that whoever knows a date knows too; O(rows) each.

    PRIVACY: days since a known day are the date itself, whatever ``levels`` its own column is cut down to
    (tests/unit/auditing/test_derived_dates.py).
    """
    for name, column in policy.derived.items():
        if name not in policy.published or name not in table.columns:
            continue
        source, shown = shown_name(column.source), shown_name(name)
        is_quasi = policy.roles[name] == "quasi_identifiers"
        level = _finest_published(column, policy, is_quasi=is_quasi)
        n_rows = 0 if level is None else _rows_telling(table.columns[name], column.measure, level)
        if n_rows:
            share = f"{n_rows / table.n_rows:.1%}"
            message = f"column {shown} counts {column.measure} to a date that can be known: in {share} of the"
            message += f" rows it tells {source} more exactly than the {level}"
            advice = "count larger units, give it coarser cells, or declare it as an identifier"
            yield Finding("warning", message, name, f"date:{name}", advice)
        elif not is_quasi and all(policy.roles[each] == "quasi_identifiers" for each in column.columns):
            message = f"column {shown} is published as it is, and whoever knows {source} knows it too"
            advice = "declare it as a quasi-identifier, so that k counts it, or as an identifier"
            yield Finding("warning", message, name, f"date:{name}", advice)


def _finest_published(column: DerivedColumn, policy: Policy, *, is_quasi: bool) -> str | None:
    """The level below which the date should not be told; None where this column does not tell it anyway."""
    form, told = policy.columns.get(column.source), _TOLD.get(column.measure)
    level: str | None = form.level if form is not None and form.levels else None
    if level is None and not is_quasi and policy.roles[column.source] in _DROPPED:
        level = "year"  # ages in years are what a date of birth is dropped for
    if told is None or level is None or LEVELS.index(told) >= LEVELS.index(level):
        return None
    if isinstance(column.at, str):
        other = policy.columns.get(column.at)
        is_kept = policy.roles[column.at] not in (*_DROPPED, "quasi_identifiers")
        is_exact = other is None or LEVELS.index(other.level) <= LEVELS.index(told)
        return level if is_kept and is_exact else None
    return level


def _rows_telling(column: TextColumn, measure: str, level: str) -> int:
    """The rows whose cells leave less time open than a period of this level has."""
    tells = [0 < _n_open(text) * _UNIT[measure] < _LENGTH[level] for text in column.words.to_pylist()]
    return int(column.counts[np.array(tells, dtype=bool)].sum())


def _n_open(text: str) -> int:
    """How many whole numbers a cell names; 0 where it is missing, suppressed, or the name of a group."""
    try:
        cell = read_cell(text)
        return len({int(one) for one in cell.texts}) + sum(int(b) - int(a) + 1 for a, b in cell.ranges)
    except ValueError:
        return 0
