"""Examples are rows that are published, and that enough rows read like."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from report_tables import people, policy

import kanopy
from kanopy.data import CellKind, RecodedColumn
from kanopy.data.cell import exact
from kanopy.data.grammar import read_cell
from kanopy.reporting import ReleaseSummary


def matching(release: kanopy.Release, cells: tuple[str | None, ...]) -> list[int]:
    """The published rows that read like an example."""
    columns = release.rows.table.columns
    wanted = {name: cell for name, cell in zip(columns, cells, strict=True) if cell is not None}
    words = {name: columns[name].words.to_pylist() for name in wanted}
    return [
        row
        for row in range(release.rows.table.n_rows)
        if all(words[name][columns[name].codes[row]] == cell for name, cell in wanted.items())
    ]


def with_frequent_values(release: kanopy.Release) -> kanopy.Release:
    """The release, as if no value of the source were rare: then every cell is shown as it is."""
    for name, column in release.rows.table.columns.items():
        cells = list(map(read_cell, column.words.to_pylist()))
        ends = {end for cell in cells for pair in cell.ranges for end in pair}
        release._frequent_sets[name] = frozenset(
            {"", *ends, *(text for cell in cells for text in cell.texts)}
        )
    return release


@settings(max_examples=n_tables(10))
@given(st.integers(20, 200), st.integers(0, 1000), st.integers(2, 12))
def test_enough_rows_read_like_every_example(n_rows: int, seed: int, k: int) -> None:
    release = with_frequent_values(kanopy.anonymize(people(n_rows, seed), policy(k)))
    summary = ReleaseSummary.of(release)
    for example in summary.examples:
        assert len(matching(release, example.cells)) >= summary.floor
        assert all(
            cell is None
            for name, cell in zip(summary.columns, example.cells, strict=True)
            if name in summary.roles["sensitive"]
        )


def test_enough_persons_read_like_every_example() -> None:
    release = with_frequent_values(kanopy.anonymize(people(300), policy(5, person=True)))
    summary = ReleaseSummary.of(release)
    persons = release.rows.persons
    assert summary.examples
    assert persons is not None
    for example in summary.examples:
        assert len({int(persons[row]) for row in matching(release, example.cells)}) >= 5


def test_they_are_of_the_largest_groups() -> None:
    release = kanopy.anonymize(people(300), policy(5), method="kactus", allow_empty=True)
    sizes = np.bincount(release.rows.grouped(["age", "sex", "town"])[0])
    assert [example.rows for example in ReleaseSummary.of(release).examples] == sorted(sizes, reverse=True)[
        :6
    ]


@pytest.mark.parametrize("publish", ["range", "members", "mean", "suppress"])
def test_cells_are_counted_by_kind(publish: str) -> None:
    release = kanopy.anonymize(people(300), policy(5), publish=publish)
    summary = ReleaseSummary.of(release)
    kinds = {each.column: [tally.rows for tally in each.rows or ()] for each in summary.kinds}
    ages = release.frame["age"].to_pylist()
    n_suppressed = ages.count("*")
    generalized = sum(str(cell)[:1] in "[{" for cell in ages)
    if publish == "mean":  # an exact number and a mean look alike, and count alike
        assert kinds["age"] == [0, 300 - n_suppressed, n_suppressed, 0]
    else:
        assert kinds["age"] == [300 - generalized - n_suppressed, generalized, n_suppressed, 0]


def test_an_exact_number_among_means_is_not_told_apart() -> None:
    """All of the first town are 30: their mean is exact, and the file does not say so."""
    table = people(200)
    ages = [30] * 100 + list(range(20, 70)) * 2
    table = table.set_column(0, "age", pa.array(ages))
    table = table.set_column(2, "town", pa.array(["A"] * 100 + ["B"] * 100))
    release = kanopy.anonymize(table, policy(5), publish="mean")
    patterns = release._patterns
    assert patterns is not None
    ages, *others = patterns.columns
    thirty = exact(ages.domain.code_of["30"])
    cells = tuple(thirty if cell.printed == "30" else cell for cell in ages.cells)
    assert {cell.kind for cell in cells} == {CellKind.EXACT, CellKind.MEAN}
    columns = (RecodedColumn(ages.domain, cells, ages.ids), *others)
    release._patterns = patterns._replace(columns=columns)
    assert "30" in release.generalized_texts("age")
    told = {each.column: each.rows for each in ReleaseSummary.of(release).kinds}["age"]
    assert told is not None
    assert [tally.rows for tally in told] == [0, 200, 0, 0]


def test_nodes_of_a_hierarchy_are_generalized() -> None:
    towns = {"North": ["A", "B"], "South": ["C"]}
    release = kanopy.anonymize(people(300), policy(5, hierarchies={"town": towns}), method="tds")
    words = set(release.frame["town"].to_pylist())
    assert ("North" in words) == ("North" in release.generalized_texts("town"))
    assert "A" not in release.generalized_texts("town")
