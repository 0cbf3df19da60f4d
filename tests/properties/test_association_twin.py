"""Association rules of cells against their naive twin."""

from __future__ import annotations

import pyarrow as pa
import pytest
from effort import n_tables
from hypothesis import given, settings
from hypothesis import strategies as st
from oracles_association import figures, supports

from kanopy.evaluation.association import Associations
from kanopy.evaluation.measures import Original

NAMES, VALUES = ("p", "q", "r", "s"), ("a", "b", "c")
exact_rows = st.lists(st.tuples(*[st.sampled_from(VALUES)] * len(NAMES)), min_size=1, max_size=12)
cells = st.sampled_from([*VALUES] * 2 + ["{a, b}", "{b, c}", "{a, b, c}"])
published_rows = st.lists(st.tuples(*[cells] * len(NAMES)), min_size=1, max_size=12)


def table_of(rows: list[tuple[str, ...]]) -> pa.Table:
    return pa.table(dict(zip(NAMES, map(list, zip(*rows, strict=True)), strict=True)))


@settings(max_examples=n_tables(15), deadline=None)
@given(exact_rows, published_rows, st.sampled_from([0.1, 0.25, 0.5]), st.sampled_from([0.3, 0.6, 1.0]))
def test_same_rules(
    exact: list[tuple[str, ...]], published: list[tuple[str, ...]], support: float, confidence: float
) -> None:
    domains = {name: sorted({row[place] for row in exact}) for place, name in enumerate(NAMES)}

    def sets(row: tuple[str, ...]) -> dict[str, frozenset[str]]:
        """What a cell may stand for among the values of the original; words it does not have say nothing."""
        named = {name: set(text.strip("{}").split(", ")) for name, text in zip(NAMES, row, strict=True)}
        return {name: frozenset(named[name] & set(domains[name]) or domains[name]) for name in NAMES}

    first, second = (supports(list(map(sets, rows)), domains) for rows in (exact, published))
    rows = table_of(exact)
    original = Original(rows, rows, NAMES, None, None)
    told = Associations(support, confidence).compared(original, table_of(published), {}, 0)
    assert told == pytest.approx(figures(first, second, support, confidence))
