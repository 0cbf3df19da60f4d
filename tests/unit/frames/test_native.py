"""Frames in and out; and nothing comes along that is not a cell."""

from __future__ import annotations

import datetime
import json
from pathlib import Path
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import InputError, KanopyError, PolicyError
from kanopy.frames.tables import from_arrow, kind_of, to_arrow

CANARY = "CANARY-4711"


@pytest.mark.parametrize(
    ("frame", "kind"),
    [
        (pd.DataFrame({"a": [1]}), "pandas"),
        (pl.DataFrame({"a": [1]}), "polars"),
        (pa.table({"a": [1]}), "pyarrow"),
    ],
)
def test_kinds(frame: Any, kind: str) -> None:
    assert kind_of(frame) == kind
    table = to_arrow(frame)
    assert table.to_pydict() == {"a": [1]}
    assert type(from_arrow(table, kind)) is type(frame)


@pytest.mark.parametrize("thing", [[1, 2], {"a": [1]}, pl.LazyFrame({"a": [1]}), pd.Series([1]), None, 7])
def test_what_is_no_table(thing: Any) -> None:
    with pytest.raises(PolicyError, match="a table is a pandas, polars or pyarrow table"):
        to_arrow(thing)
    with pytest.raises(PolicyError, match="a table is a pandas, polars or pyarrow table"):
        kanopy.anonymize(thing, kanopy.Policy(quasi_identifiers=["a"], k=2))


def test_names_of_pandas_columns() -> None:
    with pytest.raises(InputError, match="must be texts"):
        to_arrow(pd.DataFrame({0: [1]}))
    with pytest.raises(InputError, match="two columns have the same name"):
        to_arrow(pd.DataFrame([[1, 2]], columns=["a", "a"]))


def test_objects_of_several_kinds_are_taken_as_they_are_written() -> None:
    moment = datetime.date(2024, 5, 1)
    frame = pd.DataFrame({"a": pd.Series([1, "x", 1.5, None, float("nan"), True, moment], dtype=object)})
    assert to_arrow(frame)["a"].to_pylist() == ["1", "x", "1.5", None, None, "True", "2024-05-01"]


def test_whole_numbers_beyond_the_machine() -> None:
    frame = pd.DataFrame({"a": pd.Series([2**70, 1], dtype=object)})
    assert to_arrow(frame)["a"].to_pylist() == [str(2**70), "1"]


def test_metadata_of_arrow_stays_outside() -> None:
    table = pa.table({"a": ["x"]}).replace_schema_metadata({"note": CANARY})
    assert to_arrow(table).schema.metadata is None


def test_index_of_pandas_stays_outside() -> None:
    frame = pd.DataFrame({"a": [1]}, index=pd.Index([CANARY], name=CANARY + "-name"))
    table = to_arrow(frame)
    assert table.column_names == ["a"]
    assert table.schema.metadata is None


# --- Leaks: whatever a frame carries beside its published cells is found nowhere -------------------------

N = 8


def _categorical() -> pd.DataFrame:
    """Categories that no row has: in a quasi-identifier, the target, and a column that is kept."""
    frame = _plain()
    for name in ("q", "t", "h"):
        frame[name] = pd.Categorical(frame[name], categories=[*sorted(set(frame[name])), f"{CANARY}-{name}"])
    return frame


def _plain() -> pd.DataFrame:
    return pd.DataFrame(
        {
            "n": [f"{CANARY}-name-{i}" for i in range(N)],
            "p": [f"{CANARY}-person-{i}" for i in range(N)],
            "q": ["a", "b"] * (N // 2),
            "t": ["y", "y", "n", "n"] * (N // 4),
            "h": ["1", "2"] * (N // 2),
        }
    )


def _indexed() -> pd.DataFrame:
    return _plain().set_index(pd.Index([f"{CANARY}-row-{i}" for i in range(N)], name=f"{CANARY}-index"))


def _attributes() -> pd.DataFrame:
    frame = _plain()
    frame.attrs = {"note": CANARY}
    frame.columns.name = CANARY
    return frame


def _arrow(frame: pd.DataFrame) -> pa.Table:
    return pa.Table.from_pandas(frame)


def _field_metadata() -> pa.Table:
    table = _arrow(_plain())
    fields = [field.with_metadata({"note": CANARY}) for field in table.schema]
    return table.cast(pa.schema(fields, metadata={"note": CANARY}))


def _unused_words() -> pa.Table:
    table = _arrow(_plain())
    for place, name in enumerate(table.column_names):
        if name in ("q", "t", "h"):
            words = [*sorted(set(table[name].to_pylist())), CANARY]
            indices = pa.array([words.index(value) for value in table[name].to_pylist()], pa.int8())
            table = table.set_column(place, name, pa.DictionaryArray.from_arrays(indices, pa.array(words)))
    return table


def _enum() -> pl.DataFrame:
    frame = pl.from_pandas(_plain())
    return frame.with_columns(
        pl.col("q").cast(pl.Enum(["a", "b", CANARY])), pl.col("h").cast(pl.Enum(["1", "2", CANARY]))
    )


def _filtered() -> pa.Table:
    """Rows that were cut away, and still lie in the buffers."""
    extra = pd.DataFrame({name: [f"{CANARY}-{name}"] for name in _plain()})
    return _arrow(pd.concat([_plain(), extra], ignore_index=True)).slice(0, N)


LEAKY = {
    "unused categories": _categorical,
    "index": _indexed,
    "attributes": _attributes,
    "pandas metadata in arrow": lambda: _arrow(_attributes()),
    "index in arrow metadata": lambda: _arrow(_plain().set_index(pd.RangeIndex(N, name=CANARY))),
    "metadata of fields": _field_metadata,
    "unused words": _unused_words,
    "enumeration": _enum,
    "slice": _filtered,
}


@pytest.mark.parametrize("name", LEAKY)
def test_no_leak(name: str, tmp_path: Path) -> None:
    policy = kanopy.Policy(
        quasi_identifiers=["q"], target="t", keep=["h"], identifiers=["n"], person="p", k=3
    )
    source = LEAKY[name]()
    assert CANARY in "".join(map(repr, to_arrow(source)["n"].to_pylist())), "nothing was planted"
    release = kanopy.anonymize(source, policy)
    for suffix in (".csv", ".parquet"):
        release.write(tmp_path / f"r{suffix}")
        assert CANARY.encode() not in (tmp_path / f"r{suffix}").read_bytes()
    told = json.dumps([release.manifest, release.audit.to_dict()])
    assert CANARY not in told
    sink = pa.BufferOutputStream()
    frame = release.frame
    arrow = (
        frame
        if isinstance(frame, pa.Table)
        else (frame.to_arrow() if isinstance(frame, pl.DataFrame) else pa.Table.from_pandas(frame))
    )
    with pa.ipc.new_stream(sink, arrow.schema) as stream:
        stream.write_table(arrow)
    assert CANARY.encode() not in sink.getvalue().to_pybytes()
    if isinstance(frame, pd.DataFrame):
        assert frame.attrs == {}
        assert isinstance(frame.index, pd.RangeIndex)
        assert frame.columns.name is None
        assert not any(isinstance(kind, pd.CategoricalDtype) for kind in frame.dtypes)
    assert arrow.num_rows == N


@pytest.mark.parametrize(
    "fields", [{"k": 99}, {"quasi_identifiers": ["q", "zz"]}, {"keep": []}, {"numeric": ["h", "q"]}]
)
@pytest.mark.parametrize("name", ["unused categories", "unused words", "index"])
def test_no_leak_in_messages(name: str, fields: dict[str, Any]) -> None:
    roles = {"quasi_identifiers": ["q"], "target": "t", "keep": ["h"], "identifiers": ["n"], "person": "p"}
    with pytest.raises(KanopyError) as caught:
        kanopy.anonymize(LEAKY[name](), kanopy.Policy(**{**roles, "k": 3, **fields}))
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
