"""Derived columns from which a date can be computed back more exactly than the policy publishes it."""

from __future__ import annotations

from datetime import date, datetime, timedelta

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import kanopy
from kanopy.auditing.derived_dates import derived_findings
from kanopy.auditing.text import TextTable

N_ROWS = 120
DAYS = np.random.default_rng(3).integers(0, 20_000, N_ROWS)
BORN = [(date(1950, 1, 1) + timedelta(days=int(days))).isoformat() for days in DAYS]
DATA = pd.DataFrame({"born": BORN, "sex": ["f", "m"] * (N_ROWS // 2), "seen": "2020-05-17"})


def policy(role: str, measure: str, level: str = "year", born: str = "quasi_identifiers", **at: str):
    columns = {"quasi_identifiers": ["sex"], "k": 3, "columns": {"born": {"kind": "date", "levels": [level]}}}
    for name, its_role in (("born", born), ("x", role)):
        columns[its_role] = [*columns.get(its_role, []), name]
    columns.setdefault("keep" if at else "identifiers", []).append("seen")
    line = {"from": "born", "as": measure, "at": at.get("at", "2024-01-01")}
    return kanopy.Policy(**columns, derived={"x": line})


def codes(made: kanopy.Policy) -> list[str]:
    findings = kanopy.anonymize(DATA, made, seed=1, allow_empty=True).audit.findings
    return [finding.code for finding in findings if finding.code == "date:x"]


@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_days_since_a_fixed_date_undo_the_levels_of_a_date(role: str) -> None:
    found = kanopy.anonymize(DATA, policy(role, "days"), seed=1).audit
    told = next(finding for finding in found.findings if finding.code == "date:x")
    assert found.colour != "green"
    assert told.severity == "warning"
    assert "in 100.0% of the rows it tells 'born' more exactly than the year" in told.message


@pytest.mark.parametrize(
    ("measure", "level", "is_told"),
    [
        ("hours", "month", True),
        ("months", "year", True),
        ("months", "month", False),
        ("years", "decade", True),
    ],
)
def test_only_units_that_are_finer_than_the_level_undo_it(measure: str, level: str, is_told: bool) -> None:
    assert bool(codes(policy("keep", measure, level, born="keep"))) == is_told


def test_dropped_dates_are_told_by_days_and_not_by_years() -> None:
    assert codes(policy("keep", "days", born="identifiers"))
    assert not codes(policy("keep", "years", born="identifiers"))


def test_what_follows_from_a_quasi_identifier_is_known_with_it() -> None:
    """Whoever knows when somebody was born knows the age, and picks her row out of a group by it."""
    assert codes(policy("keep", "years"))
    assert not codes(policy("quasi_identifiers", "years"))


def test_days_to_a_date_that_is_published_undo_the_levels() -> None:
    assert codes(policy("keep", "days", born="keep", at="seen"))


@pytest.mark.parametrize(
    ("cell", "share"),
    [
        ("100", "100.0%"),
        ("[100, 463]", "100.0%"),
        ("{5, 900}", "100.0%"),
        ("[100, 464]", ""),
        ("*", ""),
        ("", ""),
    ],
)
def test_only_narrow_cells_of_a_quasi_identifier_undo_the_levels(cell: str, share: str) -> None:
    cells = {"x": [cell, cell], "sex": ["f", "f"], "born": ["*", "*"]}
    table = TextTable.of_arrow(pa.table(cells))
    found = list(derived_findings(table, policy("quasi_identifiers", "days")))
    assert len(found) == bool(share)
    assert all(share in finding.message for finding in found)


def test_hours_tell_the_day() -> None:
    moments = [str(datetime(2023, 1, 1) + timedelta(hours=int(hours))) for hours in DAYS // 4]
    form = {"kind": "time", "levels": ["day"]}
    line = {"from": "came", "as": "hours", "at": "2024-01-01"}
    roles = {"quasi_identifiers": ["sex"], "identifiers": ["born", "seen"], "keep": ["came", "x"]}
    made = kanopy.Policy(**roles, k=3, columns={"came": form}, derived={"x": line})
    assert "date:x" in [
        each.code for each in kanopy.anonymize(DATA.assign(came=moments), made).audit.findings
    ]
