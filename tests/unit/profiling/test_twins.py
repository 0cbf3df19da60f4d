"""Persons are counted alike, whether agreeing lines are looked up or sorted."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

import kanopy
from kanopy.profiling import subsets


@pytest.mark.parametrize("n_persons", [3, 40, 400])
@pytest.mark.parametrize("seed", range(5))
def test_both_ways_agree(monkeypatch: pytest.MonkeyPatch, n_persons: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    columns = {name: rng.integers(0, size, 300).astype(str) for name, size in (("a", 2), ("b", 7), ("c", 90))}
    table = pa.table({"who": rng.integers(0, n_persons, 300).astype(str), **columns})
    monkeypatch.setattr(subsets, "_MOST_TWINS", 1000)
    looked_up = kanopy.profile(table, ["a", "b", "c"], person="who")
    monkeypatch.setattr(subsets, "_MOST_TWINS", -1)
    assert kanopy.profile(table, ["a", "b", "c"], person="who") == looked_up
