"""No count of people between 1 and the floor is told, nor one from which it would follow."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables, quick
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from nasty_tables import some_tables
from report_tables import people, policy

import kanopy
from kanopy.auditing.text import TextColumn, TextTable
from kanopy.errors import UnsatisfiableError
from kanopy.privacy import AnonymityOf, Template
from kanopy.release.floor import floor_of
from kanopy.release.telling import tell
from kanopy.reporting import ReleaseSummary, render
from kanopy.reporting.column_facts import cell_kinds
from kanopy.reporting.group_facts import certainty, group_sizes
from kanopy.reporting.tally import Count, Counting, Tally, tally_of

METHODS = {method.name: method for method in kanopy.methods()}

FREE = ("options", "drafted_columns", "suppressed_columns")
"""Fields whose numbers are settings or count columns, not people."""


def counts(summary: Any, where: str = "") -> Iterator[tuple[str, Any]]:
    """Every tally, count and whole number of a summary, and where it stands."""
    if isinstance(summary, Tally | Count):
        yield where, summary
    elif is_dataclass(summary):
        for field in fields(summary):
            if field.name not in FREE:
                yield from counts(getattr(summary, field.name), f"{where}.{field.name}")
    elif isinstance(summary, tuple | list):
        for item in summary:
            yield from counts(item, where)
    elif isinstance(summary, int) and not isinstance(summary, bool):
        yield where, summary


def assert_no_small_count(summary: ReleaseSummary) -> None:
    floor, seen = summary.floor, 0
    for where, found in counts(summary):
        if where == ".k":
            continue
        number = (
            found.rows if isinstance(found, Tally) else found.number if isinstance(found, Count) else found
        )
        seen += 1
        assert number is None or number == 0 or number >= floor, where
        if isinstance(found, Tally) and summary.unit == "rows" and found.rows is not None and found.share:
            left = round(found.rows / found.share) - found.rows
            assert left == 0 or left >= floor, where
        if isinstance(found, Tally | Count):
            told = [int(digits.replace(",", "")) for digits in re.findall(r"\d[\d,]*", found.words)]
            assert all(each == 0 or each >= floor for each in told), where
    assert seen > 10


def assert_nothing_follows(summary: ReleaseSummary) -> None:
    """Parts that add up to all rows are told together or not at all."""
    n_rows = summary.rows_out.number
    parts = [[stretch.rows for stretch in summary.sizes]]
    parts += [[stretch.rows for stretch in each.stretches] for each in summary.certainties]
    parts += [list(each.rows or ()) for each in summary.kinds]
    parts += [[value.rows for value in each.shown] + [each.others] for each in summary.values]
    for tallies in parts:
        assert sum(not tally.is_told for tally in tallies) != 1 or len(tallies) == 1
        if tallies and all(tally.is_told for tally in tallies):
            assert sum(tally.rows or 0 for tally in tallies) == n_rows


def assert_text_is_clean(release: kanopy.Release, floor: int) -> None:
    """A promised k of 2 is no count."""
    for suffix in (".html", ".md"):
        text = re.sub(r"<[^>]*>", " ", render(release, suffix).rpartition("</style>")[2])
        for number in re.findall(r"\b(\d[\d,]*) (?:rows|persons|groups|cells)\b", text):
            assert (
                int(number.replace(",", "")) in (0, release.policy.k) or int(number.replace(",", "")) >= floor
            )


@pytest.mark.usefixtures("hasty_sketch")
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(data=st.data())
def test_of_nasty_tables(method: str, data: st.DataObject) -> None:
    table = data.draw(some_tables()).enough_for(method)
    try:
        options = quick(METHODS[method].options)
        release = kanopy.anonymize(table.frame(), table.policy(), method=method, allow_empty=True, **options)
    except kanopy.KanopyError:
        reject()  # another table: one at least must be published
    summary = ReleaseSummary.of(release)
    assert_no_small_count(summary)
    assert_nothing_follows(summary)


@pytest.mark.parametrize("method", ["mondrian", "kactus", "kactus2", "kmember", "tds"])
@pytest.mark.parametrize("k", [2, 3, 7, 40])
def test_of_people(method: str, k: int) -> None:
    release = kanopy.anonymize(people(300, k), policy(k), method=method, allow_empty=True)
    summary = ReleaseSummary.of(release)
    assert (summary.floor, summary.k) == (max(k, 3), k)
    assert_no_small_count(summary)
    assert_nothing_follows(summary)
    assert_text_is_clean(release, summary.floor)


@pytest.mark.parametrize("k", [3, 5, 9])
def test_of_persons(k: int) -> None:
    release = kanopy.anonymize(people(300, k), policy(k, person=True))
    summary = ReleaseSummary.of(release)
    assert summary.unit == "persons"
    assert_no_small_count(summary)
    assert_nothing_follows(summary)


TEMPLATE = Template(["age", "sex"], "illness", "flu", "0.9")


@pytest.mark.parametrize("n_rows", [4, 10, 30, 200])
@pytest.mark.parametrize("privacy", [TEMPLATE, AnonymityOf(["age"], 3)], ids=["template", "of some"])
def test_without_a_k_of_all(privacy: Any, n_rows: int) -> None:
    """Groups may be single rows; they are counted together, or not told."""
    table = people(n_rows, 1)
    try:
        release = kanopy.anonymize(table, policy(None, privacy=privacy), method="tdr", allow_empty=True)
    except UnsatisfiableError:
        pytest.skip("too few rows for this promise")
    summary = ReleaseSummary.of(release)
    assert summary.k is None
    assert summary.floor == (11 if privacy is TEMPLATE else 3)
    assert_no_small_count(summary)
    assert_nothing_follows(summary)
    assert_text_is_clean(release, summary.floor)


def test_only_rare_values_of_a_template_are_not_shown() -> None:
    table = pa.table({"q": ["a", "b"] * 40, "s": ["flu"] * 38 + ["cough"] * 2 + ["cold"] * 40})
    bound = Template(["q"], "s", ["flu", "cough", "cold"], "0.6")
    promised = kanopy.Policy(quasi_identifiers=["q"], sensitive=["s"], privacy=bound, method="mondrian")
    summary = ReleaseSummary.of(kanopy.anonymize(table, promised))
    (sentence,) = summary.promises
    assert "is 'flu', or that it is (a rare value, not shown), or that it is 'cold', each with" in sentence


def test_single_rows_are_not_told() -> None:
    """Published as it is, every row stands alone."""
    table = pa.table({"q": [f"v{row}" for row in range(40)], "s": ["flu"] * 20 + ["cold"] * 20})
    bound = Template(["q"], "s", "cough", "0.5")
    promised = kanopy.Policy(
        quasi_identifiers=["q"], sensitive=["s"], privacy=bound, method="tdd", accept=["identifier:q"]
    )
    release = kanopy.anonymize(table, promised, utility="distortion")
    assert release.audit.k == 1
    summary = ReleaseSummary.of(release)
    assert summary.smallest_group == Count(None, "fewer than 11")
    assert summary.examples == ()
    assert [stretch.label for stretch in summary.sizes] == ["fewer than 11"]
    assert_text_is_clean(release, 11)


def test_few_dropped_rows_are_not_told_and_do_not_follow() -> None:
    """Neither from the rows that came in, nor from the losses, which count dropped rows."""
    release = kanopy.anonymize(people(120, 3), policy(10), method="kactus2", preset="paper")
    assert 0 < release.record["rows"]["dropped"] < 10
    summary = ReleaseSummary.of(release)
    assert summary.dropped == Count(None, "fewer than 10")
    assert summary.rows_in.number is None
    came_in = release.record["rows"]["in"]
    for suffix in (".html", ".md", ".json"):
        assert not re.search(rf"\b{came_in}\b", render(release, suffix))
    release.record["rows"] |= {"in": came_in + 1, "dropped": release.record["rows"]["dropped"] + 1}
    lost = release.record["losses"]["gcp"] * came_in + 1
    release.record["losses"]["gcp"] = lost / (came_in + 1)
    release.manifest = tell(release.record, release.policy)
    assert ReleaseSummary.of(release) == summary


def test_dropped_rows_of_persons_are_never_counted() -> None:
    release = kanopy.anonymize(people(300), policy(5, person=True))
    release.record["rows"] |= {"in": 400, "dropped": 100}
    release.manifest = tell(release.record, release.policy)
    summary = ReleaseSummary.of(release)
    assert (summary.dropped.words, summary.rows_in.number) == ("some", None)


def test_many_dropped_rows_are_told_in_a_band() -> None:
    """The exact number, or the rows that came in, would give the number of people nobody is told about."""
    release = kanopy.anonymize(people(300), policy(5))
    release.record["rows"] |= {"in": 400, "dropped": 100}
    release.manifest = tell(release.record, release.policy)
    summary = ReleaseSummary.of(release)
    assert (summary.dropped, summary.rows_in.number) == (Count(None, "80 to 159"), None)
    assert "Rows that were dropped: 80 to 159." in render(release, ".md")
    assert not re.search(r"\b(400|100 rows)\b", render(release, ".md"))


def test_notices_and_findings_are_not_copied() -> None:
    """They speak about the source, in counts."""
    table = people(300)
    income = ["", "", *table["income"].to_pylist()[2:]]
    table = table.set_column(table.column_names.index("income"), "income", pa.array(income))
    release = kanopy.anonymize(table, policy(5))
    assert any("missing in 2 rows" in notice for notice in release.record["notices"])
    for suffix in (".html", ".md", ".json"):
        assert "2 rows" not in render(release, suffix)


def test_the_class_known_as_well() -> None:
    release = kanopy.anonymize(people(300), policy(5))
    assert release.audit.k_with_target is not None
    assert release.audit.k_with_target < 5
    assert ReleaseSummary.of(release).smallest_with_class == Count(None, "fewer than 5")


def test_the_json_has_no_small_count_either() -> None:
    data = json.loads(render(kanopy.anonymize(people(300), policy(7)), ".json"))

    def walk(item: Any, name: str) -> Iterator[tuple[str, int]]:
        if isinstance(item, dict):
            for key, value in item.items():
                if key not in FREE:
                    yield from walk(value, key)
        elif isinstance(item, list):
            for value in item:
                yield from walk(value, name)
        elif isinstance(item, int) and not isinstance(item, bool):
            yield name, item

    found = list(walk(data, ""))
    assert len(found) > 20
    assert all(number == 0 or number >= 7 for _, number in found)


# --- Tallies ---------------------------------------------------------------------------------------------


@given(st.integers(0, 200), st.integers(0, 200), st.integers(3, 30))
def test_tallies(n_rows: int, n_others: int, floor: int) -> None:
    tally = tally_of(n_rows, n_rows + n_others, floor)
    small = {number for number in (n_rows, n_others) if 0 < number < floor}
    assert tally.is_told == (not small)
    assert (tally.rows is None) == (tally.share is None)
    assert ("fewer than" in tally.words) == bool(small)
    assert Count.of(n_rows, floor).number == (None if 0 < n_rows < floor else n_rows)


def test_persons_are_counted_once() -> None:
    persons = np.array([7, 7, 7, 7, 1, 2, 3, 4, 5, 6], dtype=np.int32)
    counting = Counting(10, 4, persons)
    is_meant = np.arange(10) < 4
    assert (counting.members(is_meant), counting.members(~is_meant)) == (1, 6)
    assert counting.members_of(np.where(is_meant, 0, 1), 2).tolist() == [1, 6]
    assert counting.tally(is_meant).words == "few"
    assert counting.tally(~is_meant).words == "nearly all"
    assert Counting(10, 4).tally(is_meant).rows == 4


def test_rows_of_nobody_are_few() -> None:
    """As many as there may be of them, nobody is counted."""
    persons = np.array([-1, -1, -1, -1, -1, 2, 3, 4, 5, 6], dtype=np.int32)
    counting, is_meant = Counting(10, 3, persons), np.arange(10) < 5
    assert (counting.members(is_meant), counting.members(~is_meant)) == (0, 5)
    assert (counting.are_few(is_meant), counting.are_few(~is_meant)) == (True, False)
    assert (counting.tally(is_meant).words, counting.tally(~is_meant).words) == ("few", "nearly all")
    assert not counting.are_few(np.zeros(10, dtype=bool))


def test_parts_are_told_together_or_not_at_all() -> None:
    """3 suppressed cells of 20: with the exact ones told, they would be too."""
    table = TextTable(
        {"q": TextColumn(pa.array(["a", "*"]), np.array([0] * 17 + [1] * 3, dtype=np.int32))}, 20
    )
    assert cell_kinds(table, Counting(20, 5), "q", ()).rows is None
    told = cell_kinds(table, Counting(20, 3), "q", ()).rows
    assert told is not None
    assert [tally.rows for tally in told] == [17, 0, 3, 0]


@pytest.mark.parametrize(
    ("sizes", "told"),
    [
        ([1, 1, 1, 20], [("fewer than 5 … 20 to 39", 23)]),
        ([1] * 6 + [20], [("fewer than 5", 6), ("5 to 9", 0), ("10 to 19", 0), ("20 to 39", 20)]),
        ([5, 6, 7], [("5 to 6", 11), ("7 to 8", 7)]),
        ([5] * 3, [("5 to 6", 15)]),
        ([4, 3, 2], [("fewer than 5", 9)]),
        ([1, 2], []),
    ],
)
def test_sizes_are_joined_until_they_may_be_told(sizes: list[int], told: list[tuple[str, int]]) -> None:
    groups = np.repeat(np.arange(len(sizes)), sizes).astype(np.int32)
    stretches = group_sizes(Counting(len(groups), 5), (groups, len(sizes)))
    assert [(stretch.label, stretch.rows.rows) for stretch in stretches] == told


def test_few_rows_at_the_end_are_joined_with_those_before() -> None:
    """A certain group of 2 rows is not told apart."""
    groups = np.repeat([0, 1], [10, 2]).astype(np.int32)
    values = TextColumn(pa.array(["a", "b"]), np.array([0] * 6 + [1] * 6, dtype=np.int32))
    found = certainty(TextTable({"s": values}, 12), Counting(12, 5), (groups, 2), "s", "sensitive")
    assert [(stretch.label, stretch.rows.rows) for stretch in found.stretches] == [
        ("50% to 75% … all: certain", 12)
    ]
    assert found.certain == Tally(None, None, "fewer than 5")


def test_persons_weigh_instead_of_rows() -> None:
    assert not tally_of(50, 100, 5, members=(1, 40)).is_told
    assert not tally_of(50, 100, 5, members=(40, 1)).is_told
    assert tally_of(50, 100, 5, members=(40, 40)).is_told


def test_floors() -> None:
    promised = policy(5).promise
    assert floor_of(promised, ["age", "sex", "town"]) == 5
    assert floor_of(policy(2).promise, ["age", "sex", "town"]) == 3
    assert floor_of(AnonymityOf(["age"], 8), ["age", "sex"]) == 8
    assert floor_of(TEMPLATE, ["age", "sex"]) == 11


def test_shares_never_round_to_nothing_or_all() -> None:
    assert tally_of(10, 1_000_000, 5).percent == "under 0.1%"
    assert tally_of(999_990, 1_000_000, 5).percent == "over 99.9%"
    assert tally_of(0, 10, 5).percent == "0.0%"
    assert np.isclose(tally_of(5, 20, 5).share or 0, 0.25)
