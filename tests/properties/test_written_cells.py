"""Values that look like cells, and columns of every type, in written files."""

from __future__ import annotations

import datetime
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet
import pytest
from effort import in_turn
from nasty_tables import NASTY, Column, Table, times_for
from oracles_file import (
    cleaned,
)
from written_files import METHODS, check

import kanopy
from kanopy.algorithms import Method


def styles(method: Method) -> list[dict[str, str]]:
    """Every style that lists or hides values; nothing for a method that has none of them."""
    publish = method.options.get("publish")
    choices = publish.choices if publish else ()
    return [{"publish": style} for style in ("members", "suppress") if style in choices] or [{}]


@pytest.mark.parametrize(
    ("method", "options"), [(name, options) for name, method in METHODS.items() for options in styles(method)]
)
def test_values_that_look_like_cells(method: str, options: dict[str, str]) -> None:
    """Rows for every nasty value, which so stands alone in its group, and is what its cell says."""
    values = [value for value in NASTY if cleaned(value)] * (k := 2)
    n_rows = len(values)
    others = {"target": Column("text", values), "row": Column("integer", list(range(n_rows)))}
    check(Table({"word": Column("text", values)}, others, k=k), method, options)


TYPED = {
    "flag": [True, False, None, True],
    "share": [0.1, 2.0, None, -1e300],
    "count": [2**62, -1, 0, 7],
    "day": [datetime.date(2020, 1, day) for day in (1, 2, 3, 4)],
    "text": ["1", "01", None, "1.0"],
}


@pytest.mark.parametrize(
    ("method", "kind", "target"),
    in_turn(
        [name for name, method in METHODS.items() if not method.is_synthetic],
        ["pyarrow", "polars", "pandas"],
        ["flag", "count", "text"],
    ),
)
def test_other_columns_keep_their_type(method: str, kind: str, target: str, tmp_path: Path) -> None:
    times = times_for(method, 4)
    typed = {name: values * times for name, values in TYPED.items()}
    table = pa.table({"q": [1, 2, 3, 4] * times, "row": list(range(4 * times)), **typed})
    convert = {"pyarrow": lambda source: source, "pandas": as_pandas, "polars": pl.from_arrow}
    source = convert[kind](table)
    keep = [name for name in table.column_names if name not in ("q", target)]
    policy = kanopy.Policy(quasi_identifiers=["q"], target=target, keep=keep, k=2).accepting_all()
    release = kanopy.anonymize(source, policy, method=method, allow_empty=True)
    assert type(release.frame) is type(source)
    file = release.write(tmp_path / "out.parquet")
    for published in (pa.parquet.read_table(file), as_arrow(release.frame)):
        assert published.column_names == table.column_names
        assert published["q"].type in (pa.string(), pa.large_string())
        in_order = published.sort_by("row")
        for name, values in typed.items():
            assert in_order[name].to_pylist() == values
            assert in_order[name].type in (table[name].type, pa.large_string())


def as_pandas(table: pa.Table) -> pd.DataFrame:
    return table.to_pandas(types_mapper=pd.ArrowDtype)


def as_arrow(frame: Any) -> pa.Table:
    if isinstance(frame, pd.DataFrame):
        return pa.Table.from_pandas(frame, preserve_index=False)
    return frame if isinstance(frame, pa.Table) else frame.to_arrow()
