"""Attacks on random tables give what their definitions give, whatever the method and the room."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from oracles_attacks import naive_alone, naive_certain, naive_exact, naive_linking

import kanopy
from kanopy.attacks.candidates import Candidates
from kanopy.attacks.reading import People, ReadTable, ReleaseGroups, read
from kanopy.policy import Policy

QUASI, NUMERIC = ("age", "town"), ("age",)
POLICY = Policy(quasi_identifiers=QUASI, target="income", numeric=NUMERIC, sensitive=["ill"], k=2)

AGES = st.one_of(st.none(), st.sampled_from(["1", "2", "2.5", "10", "40", "-3"]))
TOWNS = st.one_of(st.none(), st.sampled_from(["a", "b", "a, b", "{a", "[1, 2]", "\\", "ü"]))
ROWS = st.lists(
    st.fixed_dictionaries(
        {
            "age": AGES,
            "town": TOWNS,
            "income": st.sampled_from(["low", "high"]),
            "ill": st.sampled_from(["flu", "cold", "hiv", None]),
        }
    ),
    min_size=4,
    max_size=14,
).filter(lambda rows: any(row["age"] for row in rows))


def table_of(rows: list[dict[str, Any]]) -> pa.Table:
    return pa.table({name: pa.array([row[name] for row in rows], pa.string()) for name in rows[0]})


def texts(table: pa.Table) -> list[dict[str, str]]:
    return [{name: value or "" for name, value in row.items()} for row in table.to_pylist()]


def published(table: pa.Table, method: str) -> pa.Table:
    return kanopy.anonymize(table, POLICY, method=method, allow_empty=True).frame


@pytest.mark.parametrize("method", ["mondrian", "kmember"])
@given(rows=ROWS)
def test_one_release(method: str, rows: list[dict[str, Any]]) -> None:
    table = table_of(rows)
    release = published(table, method)
    figures = kanopy.attack(release, table, POLICY)
    people, shown = texts(table), texts(release)
    expected = naive_linking(people, shown, QUASI, NUMERIC)
    assert figures.linking.smallest == expected["smallest"]
    assert figures.linking.one_group == pytest.approx(float(expected["one_group"]))
    assert figures.linking.expected == pytest.approx(float(expected["expected"]))
    assert figures.linking.uncovered == expected["uncovered"] == 0
    assert figures.linking.below_k == 0
    for column in figures.inference:
        assert column.certain == pytest.approx(
            float(naive_certain(people, [shown], QUASI, NUMERIC, column.column))
        )
    assert figures.sizes is not None
    assert (figures.groups, figures.sizes.exact_groups) == naive_exact(shown, QUASI, 2)
    # These methods list what their groups hold, so the attacker's rule is right wherever it is checked.
    assert figures.downcoding.right == figures.downcoding.checked <= figures.downcoding.told


@given(rows=ROWS)
def test_two_releases(rows: list[dict[str, Any]]) -> None:
    table = table_of([{name: row[name] for name in ("age", "town", "income", "ill")} for row in rows])
    first = published(table, "mondrian")
    # Ages as they are: not k-anonymous, but its groups do not overlap.
    second = table.set_column(1, "town", pa.array(["*"] * len(rows)))
    figures = kanopy.attack(first, table, POLICY, second).composition
    assert figures is not None
    people, shown = texts(table), [texts(first), texts(second)]
    if naive_linking(people, shown[0], QUASI, NUMERIC)["one_group"] == 1:
        counts = naive_alone(people, *shown, QUASI, NUMERIC)
        assert figures.alone == figures.alone_in_groups == pytest.approx(counts.count(1) / len(counts))
        assert figures.below_k == figures.below_k_in_groups == figures.alone
    for name, shares in figures.certain.items():
        assert shares["both"] == pytest.approx(float(naive_certain(people, shown, QUASI, NUMERIC, name)))


@given(rows=ROWS, room=st.integers(1, 200))
def test_room_changes_nothing(rows: list[dict[str, Any]], room: int) -> None:
    table = table_of(rows)
    people = People.of(_read(table), POLICY)
    groups = ReleaseGroups.of(_read(published(table, "kmember")), people, "the release")
    whole, small = Candidates(people, groups), Candidates(people, groups, room)
    for expected, found in zip(whole.counts, small.counts, strict=True):
        assert expected.tolist() == found.tolist()
    for expected, found in zip(whole.most_specific(2), small.most_specific(2), strict=True):
        assert expected.tolist() == found.tolist()
    values = groups.group.astype("int64") * 50 % 130
    assert whole.possible(values, 130).tolist() == small.possible(values, 130).tolist()


def _read(table: pa.Table) -> ReadTable:
    return read(table, POLICY, where="the table")
