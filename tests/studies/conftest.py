"""Small made tables in place of the published ones, whose bytes are checked when they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa
import pytest

from benchmarks.adult import adult_like
from kanopy_studies import datasets, settings
from kanopy_studies.clusters import adult
from kanopy_studies.presplits import load_pre_split
from kanopy_studies.settings import halves_of, load_sample
from kanopy_studies.tdd_scalability import varied_adult

Put = Callable[..., None]


@pytest.fixture(autouse=True)
def forgetful() -> Iterator[None]:
    """No test sees a table that another one has put somewhere."""
    remembered = (halves_of, load_sample, load_pre_split, adult, varied_adult)
    for function in remembered:
        function.cache_clear()
    yield
    for function in remembered:
        function.cache_clear()


@pytest.fixture
def put(monkeypatch: pytest.MonkeyPatch) -> Put:
    """``put(name, table)`` lets a table be loaded under a name; with ``n_train`` also its two parts."""
    tables: dict[str, tuple[pa.Table, int]] = {}

    def put_one(name: str, table: pa.Table, n_train: int = 0) -> None:
        tables[name] = table, n_train

    def load_made(name: str, *, part: str | None = None) -> Any:
        if name not in tables:
            return datasets.load(name, part=part)
        table, n_train = tables[name]
        return {None: table, "train": table.slice(0, n_train), "test": table.slice(n_train)}[part]

    monkeypatch.setattr(settings, "load", load_made)
    return put_one


@pytest.fixture
def likeness(put: Put) -> None:
    """A likeness of Adult: 400 rows for training and 202 to test, two of which are not complete."""
    whole = adult_like(602, seed=3)
    columns = {name: [str(value) for value in whole[name].to_pylist()] for name in whole.column_names}
    columns["occupation"][0] = columns["occupation"][-1] = ""
    put("adult", pa.table(columns), n_train=400)
