"""A small table from which something can be learned."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest

from kanopy.policy import Policy


@pytest.fixture(scope="session")
def people() -> pa.Table:
    rng = np.random.default_rng(7)
    n_rows = 240
    age = rng.integers(20, 80, n_rows)
    city = rng.choice(["Ulm", "Bonn", "Kiel", "*Jena"], n_rows)
    ill = (age + rng.normal(0, 8, n_rows) + 10 * (city == "Ulm")) > 52
    return pa.table(
        {
            "age": [
                None if missing else str(a) for a, missing in zip(age, rng.random(n_rows) < 0.03, strict=True)
            ],
            "city": city.tolist(),
            "serial": [f"s{number}" for number in range(n_rows)],
            "ill": np.where(ill, "yes", "no").tolist(),
        }
    )


@pytest.fixture(scope="session")
def policy() -> Policy:
    return Policy(quasi_identifiers=["age", "city"], target="ill", identifiers=["serial"], k=5)
