"""Kept values that stay on the cluster: none may go astray, be lost, or stand in another order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlparse

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark_tables import policy, table

import kanopy
from kanopy.engines.spark import loose
from kanopy.engines.spark import release as spark_release
from kanopy.errors import PolicyError, VerificationError


@pytest.fixture(scope="module")
def made(spark: Any) -> Any:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(loose, "FEW_TUPLES", 0)
        rules = policy(quasi_identifiers=["sex", "smoker"], sensitive=[], keep=["lab"], k=5)
        return kanopy.anonymize(spark.createDataFrame(table(800)), rules)


def exchange(rows: pa.Table) -> pa.Table:
    """The kept values of two groups, each the first of its kind, change places; both stay sorted."""
    values = rows["lab"].to_pylist()
    other = next(place for place in range(len(values)) if rows["sex"][place] != rows["sex"][0])
    values[0], values[other] = values[other], values[0]
    swapped = rows.set_column(rows.schema.get_field_index("lab"), "lab", pa.array(values))
    keys = pa.table(
        {"sex": swapped["sex"], "smoker": swapped["smoker"], "lab": swapped["lab"].cast(pa.string())}
    )
    return swapped.take(
        keys.append_column("row", pa.array(range(len(rows)))).sort_by(
            [("sex", "ascending"), ("smoker", "ascending"), ("lab", "ascending")]
        )["row"]
    )


def lose(rows: pa.Table) -> pa.Table:
    return rows.slice(1)


def turn(rows: pa.Table) -> pa.Table:
    return rows.take(pa.array([1, 0, *range(2, len(rows))]))


@pytest.mark.parametrize("tamper", [exchange, lose, turn])
def test_a_release_that_is_not_what_was_decided_is_refused(
    made: Any, tmp_path: Path, tamper: Callable[[pa.Table], pa.Table], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = spark_release.write_parts

    def written_and_tampered_with(frame: Any, target: str, suffix: str) -> None:
        write(frame, target, suffix)
        (part,) = Path(urlparse(target).path).glob("part-*")
        pq.write_table(tamper(pq.read_table(part)), part, store_schema=False)

    monkeypatch.setattr(spark_release, "write_parts", written_and_tampered_with)
    with pytest.raises(VerificationError):
        made.write(tmp_path / "out", parts=1)
    assert not list(tmp_path.iterdir())


def test_it_is_written_as_parquet_alone(made: Any, tmp_path: Path) -> None:
    with pytest.raises(PolicyError, match="Parquet"):
        made.write(tmp_path / "out", form="csv")
    made.write(tmp_path / "out", parts=2)
    assert made.frame.count() == 800
    assert kanopy.verify(tmp_path / "out").kept


def test_more_different_rows_than_the_driver_takes(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loose, "FEW_TUPLES", 0)
    rules = policy(quasi_identifiers=["sex", "smoker"], sensitive=[], keep=["lab"], k=5)
    with pytest.raises(kanopy.KanopyError, match="'lab', are not divided"):
        kanopy.anonymize(spark.createDataFrame(table(800)), rules, tuple_limit=3)
