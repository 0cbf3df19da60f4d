"""Values that are rarer than the floor are shown nowhere, in whichever column they are."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from report_tables import people, policy

import kanopy
from kanopy.privacy import AlphaBound
from kanopy.reporting import ReleaseSummary, render

SUFFIXES = (".html", ".md", ".json")
RARE = "RareIllness"


def texts(release: kanopy.Release) -> list[str]:
    return [render(release, suffix) for suffix in SUFFIXES]


@pytest.mark.parametrize("column", ["illness", "income", "hours"])
@pytest.mark.parametrize(("n_rare", "is_shown"), [(1, False), (4, False), (5, True)])
def test_in_columns_that_pass_unchanged(column: str, n_rare: int, is_shown: bool) -> None:
    table = people(300)
    cells = [*(["usual"] * (300 - n_rare)), *([RARE] * n_rare)]
    table = table.set_column(table.column_names.index(column), column, pa.array(cells))
    release = kanopy.anonymize(table, policy(5))
    assert RARE in release.frame[column].to_pylist()
    for text in texts(release):
        assert RARE not in text or (is_shown and column != "hours")


def test_a_value_that_enough_rows_have_is_shown() -> None:
    """What shows that the search above would find it."""
    release = kanopy.anonymize(people(300, n_rare=5), policy(5))
    assert all(RARE in text for text in texts(release))


def test_one_person_with_many_rows_is_rare() -> None:
    table = people(300, n_rare=20)
    who = [*range(280), *([999] * 20)]
    table = table.set_column(table.column_names.index("who"), "who", pa.array(who))
    release = kanopy.anonymize(table, policy(5, person=True))
    assert all(RARE not in text for text in texts(release))
    of_rows = kanopy.anonymize(table, policy(5))
    assert all(RARE in text for text in texts(of_rows))


def test_the_rest_does_not_tell_how_many_rare_ones_there_are() -> None:
    """3 rare rows of 300: with both frequent values told, the rest would be 3."""
    cells = ["flu"] * 200 + ["cold"] * 97 + [RARE] * 3
    table = people(300)
    table = table.set_column(table.column_names.index("illness"), "illness", pa.array(cells))
    values = ReleaseSummary.of(kanopy.anonymize(table, policy(5))).values[1]
    assert [value.text for value in values.shown] == ["flu"]
    assert values.others.rows == 100


@pytest.mark.parametrize(("value", "is_shown"), [("flu", True), (RARE, False), ("never seen", False)])
def test_in_the_promise(value: str, is_shown: bool) -> None:
    """A bound on a rare value is told without it."""
    bound = AlphaBound("illness", "0.95", value)
    release = kanopy.anonymize(people(300, n_rare=3), policy(5, privacy=bound))
    for text in texts(release):
        assert RARE not in text
        assert "never seen" not in text
        assert ("(a rare value, not shown)" in text) != is_shown


def test_suppressed_values_and_removed_columns() -> None:
    table = people(300)
    towns = [*table["town"].to_pylist()[:-1], "CanaryTown"]
    table = table.set_column(table.column_names.index("town"), "town", pa.array(towns))
    table = table.append_column("name", pa.array([f"CanaryName{row}" for row in range(300)]))
    promised = kanopy.Policy(
        quasi_identifiers=["age", "sex", "town"], target="income", sensitive=["illness"], keep=["hours"],
        identifiers=["name", "who"], k=5, options={"publish": "suppress"},
    )  # fmt: skip
    release = kanopy.anonymize(table, promised)
    assert "CanaryTown" not in release.frame["town"].to_pylist()
    assert all("Canary" not in text for text in texts(release))


def test_groups_with_a_single_class_are_counted_not_named() -> None:
    """Everybody in the first half is ill: the share is told, the group and the value beside it are not."""
    table = people(200)
    sex = ["f"] * 100 + ["m"] * 100
    illness = ["HomogeneousIllness"] * 100 + [f"ill{row % 10}" for row in range(100)]
    for name, cells in (("sex", sex), ("illness", illness)):
        table = table.set_column(table.column_names.index(name), name, pa.array(cells))
    release = kanopy.anonymize(table, policy(10))
    summary = ReleaseSummary.of(release)
    told = next(each for each in summary.certainties if each.column == "illness")
    groups = release.rows.grouped(["age", "sex", "town"])[0]
    codes = release.rows.table.columns["illness"].codes
    n_certain = sum(
        int((groups == group).sum()) for group in np.unique(groups) if len(set(codes[groups == group])) == 1
    )
    assert told.certain.rows == n_certain > 0
    place = summary.columns.index("illness")
    assert all(example.cells[place] is None for example in summary.examples)
