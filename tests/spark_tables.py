"""The table of patients and the policies of the tests with Spark."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

import kanopy
from kanopy.datasets import patients

N_ROWS = 1500
BESIDE = ("_codebook.csv", "_codebook.md", "_kanopy.json")
"""What is in the folder of a release beside its parts."""


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


BASE = {
    "quasi_identifiers": ["age", "sex", "admission_type", "smoker"],
    "target": "readmitted",
    "sensitive": ["diagnosis"],
    "k": 8,
}


def policy(**more: Any) -> kanopy.Policy:
    fields = BASE | more
    used = {name for role in ("quasi_identifiers", "sensitive", "keep") for name in fields.get(role, ())}
    used |= {fields["target"], fields.get("person")}
    dropped = [name for name in table(10).column_names if name not in used]
    return kanopy.Policy(**{"identifiers": dropped, **fields})


def same_release(spark: Any, file: Path, rules: kanopy.Policy, folder: Path, **request: Any) -> Any:
    """The parts in the order of their names are the rows of the local release."""
    of_spark = {name: request.pop(name) for name in ("tuple_limit",) if name in request}
    local = kanopy.anonymize(file, rules, **request)
    found = kanopy.anonymize(spark.read.parquet(str(file)), rules, **request, **of_spark)
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
