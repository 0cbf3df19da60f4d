"""No cell that a report shows names a value that fewer rows (or persons) of the source have than k."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pyarrow as pa
import pytest
from effort import n_tables, quick
from hypothesis import given, reject, settings
from hypothesis import strategies as st

import kanopy
from kanopy.data.grammar import read_cell
from kanopy.hierarchies import Merge
from kanopy.reporting import ReleaseSummary, render
from kanopy.reporting.column_facts import Unnamed, shown_cells
from kanopy.reporting.release_report import release_document

METHODS = {method.name: method for method in kanopy.methods()}

WORDS = ("GreenWord", "RedWord", "BlueWord", "VioletWord", "OddWord", "LoneWord", None)
SUFFIXES = (".html", ".md", ".json")
PUBLISHING = {
    "mondrian": ("range", "members", "suppress"), "kmember": ("range", "members"), "kactus": ("range",)
}  # fmt: skip


@st.composite
def tables(draw: st.DrawFn) -> pa.Table:
    """A few frequent values and a few rare ones in every column; several rows per person."""
    n_rows = draw(st.integers(12, 60))

    def column(values: Any) -> list[Any]:
        return draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows))

    usual = ["GreenWord"] * 6 + ["RedWord"] * 3
    return pa.table(
        {
            "word": pa.array(column([*usual, *WORDS]), pa.string()),
            "number": column([10, 10, 10, 20, 20, 30, *range(31, 45)]),
            "kept": pa.array(column([*usual, "KeptLone", "KeptOdd"]), pa.string()),
            "who": column(list(range(n_rows // 2 + 1))),
            "class": column(["YesClass"] * 5 + ["NoClass"] * 4 + ["OddClass"]),
        }
    )


def how_often(table: pa.Table, name: str, *, persons: bool) -> dict[str, int]:
    """How many rows or persons of the source have each value; missing is the empty text."""
    found: dict[str, set[int]] = {}
    for row, (value, who) in enumerate(zip(table[name].to_pylist(), table["who"].to_pylist(), strict=True)):
        found.setdefault("" if value is None else str(value), set()).add(who if persons else row)
    return {value: len(members) for value, members in found.items()}


def shown(summary: ReleaseSummary) -> Iterator[tuple[str, str]]:
    """Every column and text of the table that a summary shows."""
    for example in summary.examples:
        for name, cell in zip(summary.columns, example.cells, strict=True):
            if isinstance(cell, str) and cell != "*":
                yield name, cell
    for values in summary.values:
        yield from ((values.column, value.text) for value in values.shown)


def named(text: str) -> set[str]:
    cell = read_cell(text)
    ends = {end for pair in cell.ranges for end in pair}
    return {*cell.texts, *ends, *([""] if cell.with_missing else [])}


def policy(k: int, *, persons: bool, **more: Any) -> kanopy.Policy:
    who: dict[str, Any] = {"person": "who"} if persons else {"identifiers": ["who"]}
    return kanopy.Policy(
        quasi_identifiers=["word", "number"], keep=["kept"], target="class", k=k, **who, **more
    )


@pytest.mark.usefixtures("hasty_sketch")
@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(data=st.data())
def test_no_value_that_is_rare_in_the_source_is_shown(method: str, data: st.DataObject) -> None:
    table, persons = data.draw(tables()), data.draw(st.booleans())
    k = data.draw(st.integers(2, 6))
    given_policy = policy(k, persons=persons)
    if method == "apt":  # it publishes no other columns
        given_policy = kanopy.Policy(
            quasi_identifiers=["word", "number"], target="class", identifiers=["kept", "who"], k=k
        )
        persons = False
    options: dict[str, Any] = quick(METHODS[method].options)
    if method in PUBLISHING:
        options["publish"] = data.draw(st.sampled_from(PUBLISHING[method]))
    try:
        release = kanopy.anonymize(table, given_policy, method=method, allow_empty=True, **options)
    except kanopy.KanopyError:
        reject()  # another table: one at least must be published
    summary = ReleaseSummary.of(release)
    often = {name: how_often(table, name, persons=persons) for name in table.column_names}
    is_mean = release.manifest["options"].get("publish") == "mean"
    for name, text in shown(summary):
        if name == "number" and (is_mean or read_cell(text).means):  # figures over the group, nobody's value
            continue
        for value in named(text):
            assert often[name].get(value, 0) >= summary.floor
    rare = [
        value
        for name in ("word", "kept", "class")
        for value, count in often[name].items()
        if value and count < summary.floor and sum(often[each].get(value, 0) for each in often) == count
    ]
    for suffix in SUFFIXES:
        text = render(release, suffix)
        assert not any(re.search(rf"\b{value}\b", text) for value in rare)


def test_the_set_with_a_single_violet() -> None:
    colours = ["green"] * 9 + ["violet"]
    table = pa.table({"colour": colours + ["red"] * 8 + ["blue"] * 8, "age": [1] * 10 + [2] * 16})
    policy = kanopy.Policy(quasi_identifiers=["colour", "age"], k=5)
    release = kanopy.anonymize(table, policy, publish="members")
    assert "{red, violet}" in release.frame["colour"].to_pylist()
    summary = ReleaseSummary.of(release)
    cells = {example.cells[0] for example in summary.examples}
    assert Unnamed("one of 2 values") in cells
    for suffix in SUFFIXES:
        assert "violet" not in render(release, suffix)
        assert "one of 2 values" in render(release, suffix)


def test_sets_are_described_together_and_ranges_one_by_one() -> None:
    """That a set is only described does not say that its group has the rare value."""
    frequent = frozenset({"a", "b", "c", "10", "20"})
    told = shown_cells(["{a, b}", "{b, odd}", "c", "*"], frequent, ["{a, b}", "{b, odd}"], None)
    assert told == {
        "{a, b}": Unnamed("one of 2 values"), "{b, odd}": Unnamed("one of 2 values"), "c": "c", "*": "*",
    }  # fmt: skip
    ranges = shown_cells(["[10, 20]", "[20, 97]", "10"], frequent, ["[10, 20]", "[20, 97]"], None)
    assert ranges == {"[10, 20]": "[10, 20]", "[20, 97]": Unnamed("a range"), "10": "10"}


def test_a_rare_exact_value_hides_all_of_its_column() -> None:
    """Only a swapped cell can be exact, frequent in the release and rare in the source."""
    assert shown_cells(["a", "odd", "{a, b}"], frozenset({"a", "b"}), ["{a, b}"], None) == {
        "a": Unnamed("one value"), "odd": Unnamed("one value"), "{a, b}": "{a, b}",
    }  # fmt: skip


def test_missing_counts_as_a_value() -> None:
    assert shown_cells(["{, a}"], frozenset({"a"}), ["{, a}"], None) == {"{, a}": Unnamed("one of 2 values")}
    assert shown_cells(["{, a}"], frozenset({"a", ""}), ["{, a}"], None) == {"{, a}": "{, a}"}


def test_a_merged_node_that_lists_a_rare_value_is_described() -> None:
    words = ["alpha"] * 20 + ["beta"] * 20 + ["gamma"] * 20 + ["RareWord"]
    table = pa.table({"word": words, "class": ["y"] * 20 + ["n"] * 20 + ["y"] * 20 + ["n"]})
    policy = kanopy.Policy(quasi_identifiers=["word"], target="class", k=5, hierarchies={"word": Merge(2)})
    release = kanopy.anonymize(table, policy)
    assert any("RareWord" in str(cell) for cell in release.frame["word"].to_pylist())
    for suffix in SUFFIXES:
        assert "RareWord" not in render(release, suffix)


def test_a_mean_is_shown() -> None:
    table = pa.table({"age": [20, 21, 24, 50, 52, 57], "class": ["y", "n", "y", "n", "y", "n"]})
    policy = kanopy.Policy(quasi_identifiers=["age"], target="class", k=3)
    summary = ReleaseSummary.of(kanopy.anonymize(table, policy, publish="mean"))
    assert {example.cells[0] for example in summary.examples} == {"22", "53"}


def test_the_story_tells_descriptions_apart_from_values() -> None:
    """A value that is itself called "a range" is no description."""
    table = pa.table({"word": ["a range"] * 10, "class": ["y"] * 5 + ["n"] * 5})
    policy = kanopy.Policy(quasi_identifiers=["word"], target="class", k=5)
    told = repr(release_document(ReleaseSummary.of(kanopy.anonymize(table, policy))))
    assert "Name(text='a range'" in told
    assert "Faint(text='a range')" not in told
