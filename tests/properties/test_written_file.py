"""Every method, every nasty table: the written file keeps the promise and tells no lies."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet
import pytest
from effort import n_tables, one_in
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import PATHS, Column, Table, some_tables, times_for
from oracles_file import (
    Original,
)
from written_files import METHODS, check, choices_of, fitting

import kanopy
from kanopy.data import Hierarchy
from kanopy.privacy import DistinctDiversity


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(table=some_tables(), data=st.data())
def test_any_table(method: str, table: Table, data: st.DataObject) -> None:
    choices = choices_of(METHODS[method])
    check(table, method, {name: data.draw(st.sampled_from(of)) for name, of in choices.items()})


@given(table=some_tables(), data=st.data())
def test_strict_cuts_do_not_see_the_order_of_the_rows(table: Table, data: st.DataObject) -> None:
    order = data.draw(st.permutations(range(table.n_rows)))
    quasi, others = (
        {name: Column(c.type, [c.values[row] for row in order]) for name, c in columns.items()}
        for columns in (table.quasi, table.others)
    )
    shuffled = replace(table, quasi=quasi, others=others)
    options = {"cut": data.draw(st.sampled_from(["gain", "median"])), "publish": "members"}
    one, other = (
        kanopy.anonymize(each.frame(), each.policy(), method="mondrian", **options).frame
        for each in (table, shuffled)
    )
    assert one.equals(other)


# --- What cannot be kept is refused ----------------------------------------------------------------------

ROLES: dict[str, Any] = {"quasi_identifiers": ["q"], "target": "t", "k": 2}


def small(n_rows: int = 4, **columns: list[Original]) -> pa.Table:
    usual = {"q": ["a", "b", "c", "d"], "t": ["x", "y", "x", "y"]} | columns
    return pa.table({name: values[:n_rows] for name, values in usual.items()})


@pytest.mark.parametrize("method", METHODS)
def test_what_can_be_kept_is_not_refused(method: str) -> None:
    """The near miss of everything that is refused."""
    table = pa.concat_tables([small()] * times_for(method, 4))
    assert kanopy.anonymize(table, kanopy.Policy(**ROLES), method=method, allow_empty=True).audit.kept


REFUSED_BY_METHODS = {
    "k above the rows": (small(), {"k": 5}, 4),
    "a single row": (small(1), {}, 4),
    "k above the persons": (small(p=[1, 1, 1, None]), {"person": "p"}, 4),
    "more values than there are": (small(), {"privacy": [DistinctDiversity("t", 3)]}, 4),
}
REFUSED_BEFORE = {
    "no rows": (small(0), {}, 3),
    "no row with a person": (small(p=[None] * 4), {"person": "p"}, 3),
    "no class": (small(t=[None] * 4), {}, 3),
    "a value that reads as suppressed": (small(q=["a", "b", "*", "d"]), {}, 3),
    "a value that may mean missing": (small(q=["a", "b", "?", "d"]), {}, 3),
    "a number that is none": (small(q=["1", "2", "nan", "3"]), {}, 3),
    "a NUL character": (small(q=["a", "b", "\0", "d"]), {}, 3),
    "an undeclared column": (small(z=[1, 2, 3, 4]), {}, 2),
    "a column that is not there": (small(), {"keep": ["z"]}, 2),
    "values that are no leaf": (small(), {"hierarchies": {"q": Hierarchy.from_paths("q", PATHS)}}, 2),
}


@pytest.mark.parametrize(
    ("method", "case"), [*product(METHODS, REFUSED_BY_METHODS), *one_in(4, METHODS, REFUSED_BEFORE)]
)
def test_refused(method: str, case: str) -> None:
    frame, roles, exit_code = (REFUSED_BY_METHODS | REFUSED_BEFORE)[case]
    with pytest.raises(kanopy.KanopyError) as caught:
        kanopy.anonymize(frame, kanopy.Policy(**ROLES | roles), method=method, allow_empty=True)
    assert caught.value.exit_code == exit_code


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(3))
@given(table=some_tables(), more=st.integers(1, 3))
def test_more_than_there_are_is_refused(method: str, table: Table, more: int) -> None:
    table = fitting(table, method)
    table = replace(table, k=table.n_members + more)
    with pytest.raises(kanopy.KanopyError) as caught:
        kanopy.anonymize(table.frame(), table.policy(), method=method, allow_empty=True)
    assert caught.value.exit_code == 4


# --- Odd columns -----------------------------------------------------------------------------------------

IN_PANDAS = {
    "periods": pd.period_range("2020", "2023", freq="Y"),
    "intervals": pd.interval_range(0, 4),
    "complex numbers": [1j, 2j, 3j, 4j],
    "half a character": pd.Series(["\ud800", "b", "a", "b"], dtype=object),
    "pd.NA among several types": pd.Series([None, 1, pd.NA, "b"], dtype=object),
}


@pytest.mark.parametrize("what", IN_PANDAS)
def test_odd_columns_of_pandas_are_published_or_refused(what: str) -> None:
    frame = pd.DataFrame({"q": IN_PANDAS[what], "t": ["x", "y", "x", "y"]})
    try:
        kanopy.anonymize(frame, kanopy.Policy(**ROLES))
    except kanopy.KanopyError as error:
        assert error.exit_code == 3  # noqa: PT017 (either is fine, a crash is not)


def test_flags_among_floats_stay_flags() -> None:
    frame = pd.DataFrame({"q": pd.Series([1.5, 1.5, True, True], dtype=object), "t": ["x", "x", "y", "y"]})
    published = kanopy.anonymize(frame, kanopy.Policy(**ROLES)).frame
    assert set(published["q"]) == {"1.5", "True"}


def test_blanks_of_several_kinds_around_a_text() -> None:
    frame = small(q=["\u200b\u2003a", "a", "a", "\u200b\u2003a"], t=["x", "y", "y", "x"])
    published = kanopy.anonymize(frame, kanopy.Policy(**ROLES)).frame
    assert set(published["q"].to_pylist()) == {"a"}
