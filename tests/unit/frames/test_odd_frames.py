"""Columns of every kind that frames can hold: published as text, or refused without showing a cell."""

import datetime as dt
import traceback
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import InputError

POLICY = kanopy.Policy(quasi_identifiers=["a"], k=2)
SECRET = "SECRET-4711"


def objects(*values: Any) -> pd.DataFrame:
    return pd.DataFrame({"a": pd.Series(list(values), dtype=object)})


def not_unicode() -> pa.Table:
    offsets = pa.py_buffer(np.array([0, 1, 2], dtype=np.int32).tobytes())
    return pa.table({"a": pa.Array.from_buffers(pa.string(), 2, [None, offsets, pa.py_buffer(b"\xff\xff")])})


ACCEPTED = {
    "objects of several kinds": (objects(1, "x", None, 2.5, *[1, "x", None, 2.5]), ["1", "2.5", "x", None]),
    "objects with the missing value of pandas": (objects(1, "x", pd.NA, *[1, "x", pd.NA]), ["1", "x", None]),
    "whole numbers beyond the machine": (objects(10**30, 10**30), [str(10**30)]),
    "complex numbers": (pd.DataFrame({"a": [1 + 2j] * 2}), ["(1+2j)"]),
    "decimals": (objects(*[Decimal("1.50")] * 2), ["1.50"]),
    "dates": (objects(*[dt.date(2020, 1, 2)] * 2), ["2020-01-02"]),
    "truths": (pd.DataFrame({"a": [True, False] * 2}), ["false", "true"]),
    "nullable numbers": (pd.DataFrame({"a": pd.array([1, None] * 2, dtype="Int64")}), ["1", None]),
    "floats, NaN is missing": (pd.DataFrame({"a": [1.5, float("nan")] * 2}), ["1.5", None]),
    "sparse": (pd.DataFrame({"a": pd.arrays.SparseArray([0, 0, 1, 1])}), ["0", "1"]),
    "categories": (pd.DataFrame({"a": pd.Categorical([1, 1], categories=[1, 99])}), ["1"]),
    "polars enum": (pl.DataFrame({"a": ["x", "x"]}, schema={"a": pl.Enum(["x", SECRET])}), ["x"]),
    "polars, very wide numbers": (pl.DataFrame({"a": [2**100] * 2}, schema={"a": pl.Int128}), [str(2**100)]),
    "arrow, nulls in the dictionary": (
        pa.table({"a": pa.DictionaryArray.from_arrays(pa.array([0, 1] * 2), pa.array(["x", None]))}),
        ["x", None],
    ),
    "arrow, small codes": (
        pa.table({"a": pa.DictionaryArray.from_arrays(pa.array([0, 0], pa.uint8()), pa.array(["x"]))}),
        ["x"],
    ),
    "arrow, half floats": (pa.table({"a": pa.array(np.array([1.5, 1.5], dtype=np.float16))}), ["1.5"]),
}


@pytest.mark.parametrize(("frame", "expected"), ACCEPTED.values(), ids=ACCEPTED)
def test_accepted(frame: Any, expected: list[str | None]):
    release = kanopy.anonymize(frame, POLICY)
    assert type(release.frame) is type(frame)
    assert {None if cell != cell else cell for cell in release.frame["a"].__array__().tolist()} == set(
        expected
    )
    assert kanopy.audit(release.frame, POLICY).kept


REFUSED = {
    "half a character": (objects(*[SECRET + "\ud800"] * 2), "text that is not Unicode"),
    "half a character among others": (objects(SECRET + "\ud800", 1), "text that is not Unicode"),
    "bytes that are no text": (not_unicode(), "text that is not Unicode"),
    "NUL": (pd.DataFrame({"a": [SECRET + "\0"] * 2}), "text with a NUL character"),
    "lists": (pd.DataFrame({"a": [[SECRET]] * 2}), "holds list values"),
    "dictionaries": (objects(*[{SECRET: 1}] * 2), "holds dict values"),
    "bytes": (objects(SECRET.encode(), SECRET.encode()), "holds binary values"),
    "periods": (pd.DataFrame({"a": pd.period_range("2020", periods=2, freq="M")}), "holds extension values"),
    "intervals": (pd.DataFrame({"a": pd.interval_range(0, 2)}), "holds extension values"),
    "polars lists": (pl.DataFrame({"a": [[SECRET]] * 2}), "holds large_list values"),
    "polars objects": (pl.DataFrame({"a": [object(), object()]}), "holds fixed_size_binary values"),
    "dictionary of lists": (
        pa.table({"a": pa.DictionaryArray.from_arrays(pa.array([0, 0]), pa.array([[SECRET]]))}),
        "holds list values",
    ),
    "infinity": (pd.DataFrame({"a": [1.0, float("inf")]}), "infinite or not a number"),
    "polars NaN": (pl.DataFrame({"a": [1.0, float("nan")]}), "infinite or not a number"),
    "two columns of a name": (pd.DataFrame([[1, 2]] * 2, columns=["a", "a"]), "the same name"),
    "no rows": (pd.DataFrame({"a": []}), "no rows"),
}


@pytest.mark.parametrize(("frame", "message"), REFUSED.values(), ids=REFUSED)
def test_refused(frame: Any, message: str):
    with pytest.raises(InputError, match=message) as caught:
        kanopy.anonymize(frame, POLICY)
    assert SECRET not in "".join(traceback.format_exception(caught.value))
