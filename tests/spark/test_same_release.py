"""Spark and one process make the same release: rows, order, verdict and manifest."""

from __future__ import annotations

from datetime import UTC, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from spark_tables import N_ROWS, policy, same_release, table

import kanopy
from kanopy.engines.spark import counting, loose


@pytest.mark.parametrize("many", [1 << 21, 0], ids=["texts", "numbers"])
def test_tuples_counted_as_texts_and_as_numbers(
    spark: Any, file: Path, tmp_path: Path, many: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", many)
    rules = policy(
        keep=["ward", "day", "note"], missing=["3", "emergency"], accept=["identifier:note", "free text:note"]
    )
    same_release(spark, file, rules, tmp_path / "out")


@pytest.mark.parametrize("method", ["tds", "kactus", "kmember"])
def test_methods(spark: Any, file: Path, tmp_path: Path, method: str) -> None:
    same_release(spark, file, policy(), tmp_path / "out", method=method, seed=3)


def test_persons(spark: Any, file: Path, tmp_path: Path) -> None:
    found = same_release(spark, file, policy(person="person", keep=["ward"]), tmp_path / "out")
    assert found.audit.unit == "persons"


def test_hierarchies_and_bounds_and_several_sets_of_quasi_identifiers(
    spark: Any, file: Path, tmp_path: Path
) -> None:
    from kanopy.privacy import AnonymityOf, Closeness, DistinctDiversity, Template

    words = sorted(set(table()["admission_type"].to_pylist()))
    hierarchy = tmp_path / "admission.csv"
    hierarchy.write_text("".join(f"{word};any;*\n" for word in words), encoding="utf-8")
    bounds = [
        DistinctDiversity("diagnosis", 2),
        Closeness("diagnosis", 0.6),
        Template(("age", "sex"), "diagnosis", "asthma", 0.9),
        AnonymityOf(("sex", "smoker"), 40),
    ]
    rules = policy(privacy=bounds, hierarchies={"admission_type": hierarchy})
    same_release(spark, file, rules, tmp_path / "out")


def test_dates_and_derived_columns_are_read_as_the_policy_says(
    spark: Any, file: Path, tmp_path: Path
) -> None:
    rules = policy(
        quasi_identifiers=["age", "sex", "day", "month"],
        columns={"day": {"kind": "date", "levels": ["month", "year"]}},
        derived={"month": {"from": "day", "as": "month"}},
        keep=["lab"],
    )
    same_release(spark, file, rules, tmp_path / "out")


def test_kept_columns_with_many_values_stay_on_the_cluster(
    spark: Any, file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loose, "FEW_TUPLES", 0)
    rules = policy(
        quasi_identifiers=["sex", "smoker", "admission_type"],
        sensitive=[],
        keep=["lab", "note", "ward", "day"],
        missing=["3", "5.12"],
        accept=["identifier:note", "free text:note"],
    )
    found = same_release(spark, file, rules, tmp_path / "out")
    assert found.elsewhere == {"lab", "note", "ward", "day"}


def test_csv_in_and_out(spark: Any, file: Path, tmp_path: Path) -> None:
    import pyarrow.csv

    from kanopy.engines.spark.files import frame_of_files

    folder = tmp_path / "in"
    folder.mkdir()
    whole = (
        table()
        .drop_columns(["note"])
        .append_column("note", pa.array(['a "b", c\n d' for _ in range(N_ROWS)]))
    )
    for number in range(2):
        piece = whole.slice(number * N_ROWS // 2, N_ROWS // 2)
        pyarrow.csv.write_csv(piece, folder / f"{number}.csv")
    rules = policy(keep=["ward", "note"])
    local = kanopy.anonymize(folder, rules)
    found = kanopy.anonymize(frame_of_files(spark, folder, rules.source), rules)
    found.write(tmp_path / "out", form="csv", parts=3)
    local.write(tmp_path / "local.csv")
    header, _, lines = (tmp_path / "local.csv").read_bytes().partition(b"\n")
    parts = [part.read_bytes() for part in sorted((tmp_path / "out").glob("part-*.csv"))]
    assert {part.partition(b"\n")[0] for part in parts} == {header}
    assert b"".join(part.partition(b"\n")[2] for part in parts) == lines
    assert kanopy.verify(tmp_path / "out").kept


@pytest.mark.parametrize("n_partitions", [8])
def test_how_rows_are_divided_leaves_no_trace(
    spark: Any, file: Path, tmp_path: Path, n_partitions: int
) -> None:
    frame = spark.read.parquet(str(file)).repartition(n_partitions)
    local = kanopy.anonymize(file, policy())
    found = kanopy.anonymize(frame, policy())
    assert found.frame.toArrow().cast(local.frame.schema).equals(local.frame)


def test_values_of_every_type(spark: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", 0)
    hours = [datetime(2020, 1, 1 + row % 9, row % 24) for row in range(600)]
    columns = {
        "age": pa.array([20 + row % 30 for row in range(600)], pa.int8()),
        "utc": pa.array([hour.replace(tzinfo=UTC) for hour in hours], pa.timestamp("us", "UTC")),
        "hour": pa.array(hours, pa.timestamp("us")),
        "price": pa.array([Decimal(row % 7).scaleb(-2) for row in range(600)], pa.decimal128(10, 2)),
        "third": pa.array([row % 5 / 3 for row in range(600)], pa.float32()),
        "odd": pa.array([(-0.0, 0.0, 1e20, 1e-7, None)[row % 5] for row in range(600)]),
        "is_new": pa.array([(True, False, None)[row % 3] for row in range(600)]),
        "ill": pa.array([("no", "yes")[row % 2] for row in range(600)]),
    }
    path = tmp_path / "types.parquet"
    pq.write_table(pa.table(columns), path)
    kept = [name for name in columns if name not in ("age", "ill")]
    rules = kanopy.Policy(quasi_identifiers=["age"], target="ill", keep=kept, k=5)
    same_release(spark, path, rules, tmp_path / "out")


@pytest.mark.parametrize("kind", ["day", "midnight", "hour", "zone"])
def test_typed_dates_need_no_line_in_the_policy(spark: Any, tmp_path: Path, kind: str) -> None:
    moments: list[Any] = [
        datetime(2020, 1, 1 + row % 9, row % 24 if kind == "hour" else 0) for row in range(600)
    ]
    types = {"day": pa.date32(), "zone": pa.timestamp("us", "UTC")}
    held = pa.array(moments, types.get(kind, pa.timestamp("us")))
    pq.write_table(pa.table({"when": held, "sick": ["yes", "no"] * 300}), tmp_path / "data.parquet")
    rules = kanopy.Policy(quasi_identifiers=["when"], target="sick", k=100)
    found = same_release(spark, tmp_path / "data.parquet", rules, tmp_path / "out")
    assert found.manifest["columns"]["when"]["kind"] == ("time" if kind == "hour" else "date")
