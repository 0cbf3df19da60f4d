"""New rows find the pattern that the naive search finds, the table's own rows one that covers them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from effort import n_tables, quick
from hypothesis import given, reject, settings
from hypothesis import strategies as st
from nasty_tables import NODES, PATHS, Table, some_tables
from oracles_file import is_truthful
from oracles_recode import Row, naive_recode

import kanopy
from kanopy.data import (
    STYLES,
    Cell,
    CellKind,
    Domain,
    EncodedTable,
    Hierarchy,
    Partition,
    RecodedColumn,
    Recoding,
)
from kanopy.data import cell as cells
from kanopy.errors import PolicyError, UnsatisfiableError
from kanopy.frames.encode import encode
from kanopy.frames.new_rows import place_values, read_new_rows
from kanopy.frames.tables import kind_of, to_arrow
from kanopy.release.matching import ROOM, PatternIndex
from kanopy.release.patterns import Patterns

METHODS = {method.name: method for method in kanopy.methods()}

# --- Against the naive search ----------------------------------------------------------------------------

KNOWN = {
    "number": ("-5", "0", "0.1", "0.2", "0.3", "1", "1.0", "4", "10"),
    "word": ("a", "b", "c", "d", "e"),
    "thing": tuple(path[0] for path in PATHS),
    "step": ("1", "2", "4", "8"),
}
UNSEEN = {
    "number": ("-9", "0.15", "1.00", "+4", "7", "1e6"),
    "word": ("f", "A"),
    "thing": ("plum",),
    "step": ("3", "2.0", "9"),
}
STEPS = (("1", "low"), ("2", "low"), ("4", "high"), ("8", "high"))
HIERARCHIES = {"thing": Hierarchy.from_paths("thing", PATHS), "step": Hierarchy.from_paths("step", STEPS)}


@st.composite
def some_cells(draw: st.DrawFn, domain: Domain) -> Cell:
    """Any cell that a column may hold, also one that no method makes."""
    missing = draw(st.booleans())
    kinds = ["suppressed", "missing"]
    if domain.n_values:
        kinds += ["exact", "members"]
        kinds += ["range", "mean"] if domain.is_numeric else []
        kinds += ["node"] if domain.hierarchy is not None else []
    kind = draw(st.sampled_from(kinds))
    if kind == "suppressed":
        return cells.SUPPRESSED
    if kind == "missing":
        return cells.MISSING
    codes = sorted(draw(st.sets(st.integers(0, domain.n_values - 1), min_size=1, max_size=3)))
    if kind == "exact":
        return cells.exact(codes[0], with_missing=missing)
    if kind == "members":
        return cells.members(tuple(codes), with_missing=missing)
    if kind == "range":
        return cells.span(codes[0], codes[-1], with_missing=missing)
    if kind == "mean":
        printed = draw(st.sampled_from(["1", "2"]))  # so that cells print alike
        return Cell(CellKind.MEAN, codes[0], codes[-1], with_missing=missing, printed=printed)
    assert domain.hierarchy is not None
    return cells.node(domain, draw(st.integers(0, domain.hierarchy.n_nodes - 1)), with_missing=missing)


@st.composite
def some_recodings(draw: st.DrawFn, table: EncodedTable) -> Recoding:
    """The groups of a partition in one style, or cells that have nothing to do with their rows."""
    style = draw(st.sampled_from([*STYLES, "anything"]))
    if style == "anything":
        columns = []
        for column in table.quasi:
            vocabulary = tuple(draw(st.lists(some_cells(column.domain), min_size=1, max_size=4)))
            some_ids = st.lists(
                st.integers(0, len(vocabulary) - 1), min_size=table.n_rows, max_size=table.n_rows
            )
            columns.append(RecodedColumn(column.domain, vocabulary, np.array(draw(some_ids), dtype=np.int32)))
        is_kept = draw(st.lists(st.booleans(), min_size=table.n_rows, max_size=table.n_rows).filter(any))
        return Recoding(tuple(columns), np.array(is_kept))
    groups = st.lists(st.integers(-1, 3), min_size=table.n_rows, max_size=table.n_rows)
    group = np.array(draw(groups.filter(lambda numbers: max(numbers) >= 0)), dtype=np.int32)
    numbers = np.unique(group[group >= 0])
    ranked = np.where(group < 0, -1, np.searchsorted(numbers, group)).astype(np.int32)
    return Partition(ranked, len(numbers)).publish(table, style)


@settings(max_examples=n_tables(5))
@given(data=st.data())
def test_the_naive_search_finds_the_same(data: st.DataObject) -> None:
    names = data.draw(st.lists(st.sampled_from(list(KNOWN)), min_size=1, max_size=3, unique=True))
    n_rows, n_new = data.draw(st.integers(2, 8)), data.draw(st.integers(0, 6))

    def drawn(values: tuple[str, ...], size: int) -> pa.Array:
        some = st.lists(st.none() | st.sampled_from(values), min_size=size, max_size=size)
        return pa.array(data.draw(some), pa.string())

    hierarchies = {name: HIERARCHIES[name] for name in names if name in HIERARCHIES}
    policy = kanopy.Policy(quasi_identifiers=names, k=2, hierarchies=hierarchies)
    table = encode(pa.table({name: drawn(KNOWN[name], n_rows) for name in names}), policy).table
    recoding = data.draw(some_recodings(table))
    # A column that was empty in every row is text, and then everything is a category.
    source = pa.table({name: drawn(KNOWN[name] + UNSEEN[name], n_new) for name in names})
    rows = read_new_rows(source, policy)
    placed = [place_values(rows.quasi[column.domain.name], column.domain) for column in table.quasi]
    patterns = Patterns.of(table, recoding)
    found = PatternIndex(patterns, room=data.draw(st.sampled_from([1, 200, ROOM]))).find(placed)
    texts = [tuple(column.texts[column.ids[number]] for column in patterns.columns) for number in found]
    new_rows: list[Row] = list(zip(*(column.to_pylist() for column in source.columns), strict=True))
    assert texts == naive_recode(table, recoding, new_rows)


# --- Every method ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(3))
@given(table=some_tables(), data=st.data())
def test_a_row_of_the_table_lands_where_it_is_covered(method: str, table: Table, data: st.DataObject) -> None:
    options: dict[str, Any] = quick(METHODS[method].options) | {
        name: data.draw(st.sampled_from(option.choices))
        for name, option in METHODS[method].options.items()
        if option.choices
    }
    if "widen" in METHODS[method].options:
        options["widen"] = data.draw(st.booleans())
    if METHODS[method].is_synthetic:  # made-up rows have nothing to keep
        table = replace(table, others={"target": table.others["target"]}, person=None)
    table = table.enough_for(method)
    frame, untouched, policy = table.frame(), table.frame(), table.policy()
    try:
        release = kanopy.anonymize(frame, policy, method=method, allow_empty=True, **options)
    except (PolicyError, UnsatisfiableError):  # options that are not for this table
        reject()
    recoded = release.recode(frame)
    assert frame.equals(untouched), "the new rows were modified"
    assert kind_of(recoded) == kind_of(frame)
    recoded, published = to_arrow(recoded), to_arrow(release.frame)
    assert recoded.column_names == published.column_names
    if not METHODS[
        method
    ].is_synthetic:  # a missing class may never be drawn, and pandas then has another type
        assert recoded.schema == published.schema
    assert recoded.num_rows == table.n_rows
    lines = texts_of(recoded, list(table.quasi))
    originals = list(zip(*(table.originals(name) for name in table.quasi), strict=True))
    patterns = set(texts_of(published, list(table.quasi)))
    nodes = [NODES if name in table.hierarchies else {} for name in table.quasi]
    coded = encode(to_arrow(table.frame()), policy).table
    kinds = {cell.kind for column in release._patterns.columns for cell in column.cells}
    if CellKind.SKETCH in kinds:  # a sketch stands for a group: new rows stay as they are
        assert lines == unchanged_texts(coded)
        return
    is_mean = CellKind.MEAN in kinds
    for row, (line, original) in enumerate(zip(lines, originals, strict=True)):
        assert line in patterns, "a pattern that was never published"
        placed = zip(coded.quasi, release._patterns.columns, strict=True)
        covered_by = covering(release, [int(each.over(column.domain).codes[row]) for each, column in placed])
        if covered_by:  # a method that swaps values may cover a row nowhere
            assert line in covered_by
            assert is_mean or all(map(is_truthful, line, original, nodes))


def unchanged_texts(table: EncodedTable) -> list[tuple[str, ...]]:
    columns = [RecodedColumn.unchanged(column) for column in table.quasi]
    return list(zip(*([column.texts[code] for code in column.ids] for column in columns), strict=True))


def texts_of(table: pa.Table, names: list[str]) -> list[tuple[str, ...]]:
    columns = [table[name].fill_null("").to_pylist() for name in names]
    return list(zip(*columns, strict=True))


def covering(release: kanopy.Release, codes: list[int]) -> set[tuple[str, ...]]:
    """What the patterns print whose cells cover a row."""
    columns = release._patterns.columns
    found = set()
    for pattern in range(release._patterns.n_patterns):
        chosen = [column.cells[column.ids[pattern]] for column in columns]
        domains = [column.domain for column in columns]
        if all(cell.covers(domain)[code] for cell, domain, code in zip(chosen, domains, codes, strict=True)):
            found.add(tuple(cell.text(domain) for cell, domain in zip(chosen, domains, strict=True)))
    return found
