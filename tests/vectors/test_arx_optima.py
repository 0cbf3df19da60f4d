"""Adult with nine quasi-identifiers: the optima that ARX's own tests expect, level by level and bit by bit.

ARX's scores are those of non-uniform entropy, added up over rows and columns, with no row suppressed.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pyarrow.compute as pc
import pyarrow.csv
import pytest

import kanopy
from kanopy.hierarchies import Ranges

NAMES = (
    "sex", "age", "race", "marital-status", "education", "native-country", "workclass", "occupation",
    "income",
)  # fmt: skip
OPTIMA = [
    (5, (1, 2, 1, 1, 3, 2, 2, 1, 1), 407289.5388925293),
    (100, (0, 4, 1, 1, 3, 2, 2, 1, 1), 453196.8932458743),
]


@pytest.mark.parametrize(("k", "levels", "bits"), OPTIMA)
def test_the_same_optimum(k: int, levels: tuple[int, ...], bits: float) -> None:
    folder = Path(os.environ.get("KANOPY_DATA", "nowhere"))
    if not (folder / "hierarchies" / "adult" / "arx").exists():
        pytest.skip("KANOPY_DATA is not set to a folder with Adult and ARX's hierarchies")
    table = pyarrow.csv.read_csv(folder / "adult_train.csv").select(NAMES)
    for name in ("workclass", "occupation", "native-country"):  # complete rows
        table = table.filter(pc.not_equal(table[name], ""))
    hierarchies = {name: folder / "hierarchies" / "adult" / "arx" / f"{name}.csv" for name in NAMES}
    # The same groups of ages: their labels in the file are off by one, and would be refused.
    given = {**hierarchies, "age": Ranges([5, 10, 20], start=1)}
    policy = kanopy.Policy(quasi_identifiers=NAMES, k=k, hierarchies=given)
    release = kanopy.anonymize(table, policy, method="optimal", loss="entropy")
    facts = release.record["facts"]
    assert facts["lattice_nodes"] == 12_960
    assert facts["is_optimal"]
    assert tuple(facts["levels"].values()) == levels
    assert facts["loss"] * bits_of_all(table) == pytest.approx(bits, rel=1e-10)


def bits_of_all(table: pyarrow.Table) -> float:
    """What is lost where every cell is suppressed."""
    bits, n_rows = 0.0, table.num_rows
    for column in table.columns:
        n_of_value = pc.value_counts(column.combine_chunks()).field("counts").to_numpy()
        bits += n_rows * np.log2(n_rows) - (n_of_value * np.log2(n_of_value)).sum()
    return bits
