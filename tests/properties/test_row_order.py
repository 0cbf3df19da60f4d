"""The same rows in another order, and the same seed: the same bytes, for every method."""

from __future__ import annotations

import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from effort import n_tables, quick
from hypothesis import given, settings
from hypothesis import strategies as st
from nasty_tables import Column, Table, some_tables

import kanopy
from kanopy.algorithms import Method
from kanopy.errors import KanopyError

METHODS = {method.name: method for method in kanopy.methods()}


def reordered(table: Table, order: list[int]) -> Table:
    quasi, others = (
        {name: Column(column.type, [column.values[row] for row in order]) for name, column in columns.items()}
        for columns in (table.quasi, table.others)
    )
    return replace(table, quasi=quasi, others=others)


def options_of(method: Method, data: st.DataObject) -> dict[str, Any]:
    """One of the choices of every option that has some."""
    choices = {
        name: option.choices or (True, False)
        for name, option in method.options.items()
        if option.choices or isinstance(option.default, bool)
    }
    return {name: data.draw(st.sampled_from(chosen), label=name) for name, chosen in choices.items()}


def released(table: Table, method: str, options: dict[str, Any]) -> list[bytes] | int:
    """The bytes of the release, or the exit code where there is none."""
    try:
        release = kanopy.anonymize(
            table.frame(), table.policy(), method=method, seed=11, allow_empty=True, **options
        )
    except KanopyError as error:
        return error.exit_code
    with tempfile.TemporaryDirectory() as folder:
        paths = [release.write(Path(folder) / f"out{suffix}") for suffix in (".csv", ".parquet")]
        return [path.read_bytes() for path in paths]


@pytest.mark.parametrize("method", METHODS)
@settings(max_examples=n_tables(2))
@given(table=some_tables(), data=st.data())
def test_the_order_of_the_rows_does_not_matter(method: str, table: Table, data: st.DataObject) -> None:
    if METHODS[method].is_synthetic:
        kept = {name: column for name, column in table.others.items() if name in ("target", table.person)}
        table = replace(table, others=kept)
    table = table.enough_for(method)
    order = data.draw(st.permutations(range(table.n_rows)))
    options = quick(METHODS[method].options) | options_of(METHODS[method], data)
    found = released(table, method, options)
    assert released(reordered(table, order), method, options) == found
    assert method != "sketch" or isinstance(found, list), "nothing was compared"
