"""Spark and one process make the same release: rows, order, verdict and manifest."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kanopy
from kanopy.datasets import patients
from kanopy.engines.spark import counting

N_ROWS = 3000


def table(n_rows: int = N_ROWS) -> pa.Table:
    """Patients with missing values, numbers, dates, texts that need cleaning, persons with several rows."""
    found, rng = pa.table(patients(n_rows)), np.random.default_rng(1)
    lab = rng.normal(5, 2, n_rows).round(2)
    days = rng.integers(18_000, 18_040, n_rows).astype("datetime64[D]")
    notes = [None if number % 7 == 0 else f" \u00e4{number % 90}e\u0301 " for number in range(n_rows)]
    return (
        found.append_column("lab", pa.array(lab, mask=lab > 8))
        .append_column("day", pa.array(days))
        .append_column("note", pa.array(notes))
        .append_column(
            "ward", pa.array(rng.integers(0, 9, n_rows).astype("int16"), mask=rng.random(n_rows) < 0.1)
        )
        .append_column("person", pa.array([f"p{number}" for number in rng.integers(0, n_rows, n_rows)]))
    )


OTHERS = ["patient_id", "name", "bmi", "zip", "lab", "day", "note", "ward", "person", "length_of_stay"]
BASE = {
    "quasi_identifiers": ["age", "sex", "admission_type", "smoker"],
    "target": "readmitted",
    "sensitive": ["diagnosis"],
    "k": 8,
}


def policy(**more: Any) -> kanopy.Policy:
    fields = BASE | more
    used = {name for value in fields.values() if isinstance(value, list) for name in value}
    dropped = [name for name in OTHERS if name not in used and name != fields.get("person")]
    return kanopy.Policy(**{"identifiers": dropped, **fields})


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("same") / "patients.parquet"
    pq.write_table(table(), path, row_group_size=500)
    return path


def assert_same(spark: Any, file: Path, rules: kanopy.Policy, folder: Path, **request: Any) -> Any:
    """The parts in the order of their names are the rows of the local release."""
    local = kanopy.anonymize(file, rules, **request)
    found = kanopy.anonymize(spark.read.parquet(str(file)), rules, **request)
    found.write(folder, parts=3)
    parts = sorted(folder.glob("part-*.parquet"))
    rows = pa.concat_tables([pq.read_table(part) for part in parts])
    assert rows.schema.names == local.frame.schema.names
    assert rows.cast(local.frame.schema).equals(local.frame)
    assert rows.schema.types == local.frame.schema.types
    assert set(found.audit.findings) == set(local.audit.findings)
    assert found.audit.risks == local.audit.risks
    assert found.audit.unique_rows == local.audit.unique_rows
    assert found.manifest == local.manifest
    assert kanopy.verify(folder).kept
    return found


@pytest.mark.parametrize("many", [1 << 21, 0], ids=["texts", "numbers"])
def test_tuples_counted_as_texts_and_as_numbers(
    spark: Any, file: Path, tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", many)
    rules = policy(
        keep=["ward", "day", "note"], missing=["3", "emergency"], accept=["identifier:note", "free text:note"]
    )
    assert_same(spark, file, rules, tmp_path / "out")


@pytest.mark.parametrize("method", ["tds", "tdr", "bottomup", "kactus", "kmember", "kadet"])
def test_methods(spark: Any, file: Path, tmp_path: Path, method: str) -> None:
    assert_same(spark, file, policy(), tmp_path / "out", method=method, seed=3)
