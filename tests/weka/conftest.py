"""A table to learn from, and time for Java to start on a busy machine."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pytest
from command import PATIENCE

from kanopy_weka import program


@pytest.fixture(autouse=True, scope="module")
def patient() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(program, "START_SECONDS", PATIENCE)
        yield


@pytest.fixture
def mixed() -> pa.Table:
    """Numbers, words and gaps, and a class that depends on them."""
    rng = np.random.default_rng(3)
    n_rows = 300
    age, town = rng.integers(18, 90, n_rows), rng.integers(0, 4, n_rows)
    height = rng.normal(170, 10, n_rows).round(1)
    score = (age > 50).astype(int) + (town == 2) + (height > 175)
    return pa.table(
        {
            "age": pa.array(age, mask=rng.random(n_rows) < 0.1),
            "town": pa.array([f"town {number}" for number in town], mask=rng.random(n_rows) < 0.1),
            "height": pa.array(height),
            "class": pa.array([("low", "middle", "high", "high")[value] for value in score]),
        }
    )
