"""The audit of a Spark frame is that of the same rows in this process."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import SECRET, assert_clean, run

import kanopy
from kanopy.engines.spark import counting
from kanopy.errors import InputError, KanopyError, PolicyError, ResourceError

N_ROWS = 60


def released(**more: Any) -> pa.Table:
    """Cells of a release, missing ones, and columns of many types."""
    rows = range(N_ROWS)
    columns = {
        "age": [("*", "[20, 29]", None, "30")[row % 4] for row in rows],
        "size": pa.array([(None, 170, 180)[row % 3] for row in rows], pa.int16()),
        "day": pa.array([date(2020, 1, 1 + row % 2) for row in rows]),
        "ill": [("flu", "", None, "cold")[row % 4] for row in rows],
        "lab": pa.array([(0.1, -0.0, 0.0, None)[row % 4] for row in rows], pa.float32()),
        "paid": [(1.5, 2.0)[row % 7 == 0] for row in rows],
        "ok": [row % 2 == 0 for row in rows],
    }
    return pa.table(columns | more)


RULES: dict[str, Any] = {
    "quasi_identifiers": ["age", "size"],
    "sensitive": ["ill"],
    "target": "ok",
    "keep": ["day", "lab", "paid"],
    "identifiers": ["name"],
    "person": "nr",
    "k": 4,
}


def assert_same(spark: Any, table: pa.Table, policy: kanopy.Policy, **more: Any) -> kanopy.Audit:
    found = kanopy.audit(spark.createDataFrame(table), policy, **more)
    local = kanopy.audit(table, policy, **more)
    assert replace(found, findings=()) == replace(local, findings=())
    assert set(found.findings) == set(local.findings)
    return found


@pytest.mark.parametrize("reading", ["pessimistic", "optimistic"])
def test_a_release(spark: Any, reading: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", 0 if reading == "optimistic" else 1 << 21)
    assert assert_same(spark, released(), kanopy.Policy(**RULES), reading=reading).kept


def test_persons_and_identifiers_that_should_not_be_there(spark: Any) -> None:
    table = released(nr=[f"p{row // 2}" for row in range(N_ROWS)], name=["x"] * N_ROWS)
    found = assert_same(spark, table, kanopy.Policy(**RULES))
    assert (found.unit, found.kept) == ("persons", False)
    assert {"identifier:name", "person:nr"} <= {finding.code for finding in found.findings}


DATES = kanopy.Policy(
    quasi_identifiers=["day", "years"],
    identifiers=["born"],
    columns={"day": {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["month"]}},
    derived={"years": {"from": "born", "as": "years", "at": "2024-01-01"}},
    k=2,
)


def test_the_custodians_own_table_is_read_as_the_policy_says(spark: Any) -> None:
    days = [f"{1 + row % 28:02}.03.2020" for row in range(N_ROWS)]
    born = [date(1950 + row % 3, 1, 1) for row in range(N_ROWS)]
    assert assert_same(spark, pa.table({"day": days, "born": born}), DATES).groups == 3
    release = pa.table({"day": ["2020-03"] * 4, "years": ["*"] * 4})
    assert assert_same(spark, release, DATES).kept
    wide = release.append_column("born", pa.array(["1950"] * 4))
    wide = wide.set_column(0, "day", pa.array(["[2020-03, 2020-04]"] * 4))
    assert not assert_same(spark, wide, DATES).kept
    faults = []
    for table in (spark.createDataFrame(wrong := pa.table({"day": [SECRET] * 3, "born": born[:3]})), wrong):
        with pytest.raises(InputError) as caught:
            kanopy.audit(table, DATES)
        faults.append(str(caught.value))
    assert faults[0] == faults[1], "rows are counted, and not different ones"
    assert SECRET not in faults[0]


def test_what_is_refused_before_the_work(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    frame, policy = spark.createDataFrame(released()), kanopy.Policy(**RULES)
    monkeypatch.setattr("kanopy.engines.audit.is_spark_frame", lambda table: pytest.fail("not checked"))
    for wrong in ({"reading": "hopeful"}, {"source": frame}):
        with pytest.raises(PolicyError):
            kanopy.audit(frame, policy, **wrong)
    monkeypatch.undo()
    with pytest.raises(PolicyError, match="which the table does not have"):
        kanopy.audit(frame.drop("age"), policy)
    monkeypatch.setattr(counting, "BYTES_PER_TUPLE", 1 << 60)
    monkeypatch.setattr("kanopy.engines.spark.judged.counted_source", lambda *_: pytest.fail("has begun"))
    with pytest.raises(ResourceError, match="different rows, and the driver takes 0"):
        kanopy.audit(frame, policy)
    with pytest.raises(InputError, match="holds array values"):
        kanopy.audit(frame.selectExpr("*", "array(1) AS extra"), replace(policy, keep=["extra"]))


def test_value_statistics_are_recounted(spark: Any) -> None:
    policy = kanopy.Policy(quasi_identifiers=["a"], identifiers=["n"], value_statistics=["a"], k=3)
    source = pa.table({"a": [row % 5 for row in range(N_ROWS)], "n": [f"n{row}" for row in range(N_ROWS)]})
    release = kanopy.anonymize(source, policy)
    both = [(source, release.frame), (spark.createDataFrame(source), spark.createDataFrame(release.frame))]
    verdicts = [kanopy.audit(made, policy, source=of, manifest=release.manifest) for of, made in both]
    assert verdicts[0] == verdicts[1]
    assert verdicts[1].kept


def test_the_command(spark: Any, tmp_path: Path) -> None:
    rows = released().select(["age", "size", "ill"])
    pq.write_table(rows.slice(0, 20), tmp_path / "a.parquet")
    pq.write_table(rows.slice(20), tmp_path / "b.parquet")
    flags = ["--quasi", "age,size", "--sensitive", "ill", "--json", "--k"]
    for k, code in (("4", 0), ("9", 1)):
        local = run("audit", tmp_path, *flags, k)
        assert run("audit", tmp_path, *flags, k, "--engine", "spark") == local
        assert local.code == code
    outcome = run("audit", tmp_path, *flags, "4", "--master", "local[2]")
    assert (outcome.code, "--master is for Spark" in outcome.err) == (2, True)
    outcome = run("audit", tmp_path / "none", *flags, "4", "--engine", "spark")
    assert outcome.code == 3
    assert_clean(outcome)


def test_releases_are_read_as_usual_whatever_the_source_is_written_in(spark: Any, tmp_path: Path) -> None:
    policy = tmp_path / "policy.toml"
    policy.write_text(
        'quasi_identifiers = ["age"]\nidentifiers = ["n"]\n[source]\ndelimiter = ";"\n[privacy]\nk = 2\n'
    )
    (tmp_path / "release.csv").write_text('age\n"[1, 2]"\n"[1, 2]"\n')
    (tmp_path / "own.csv").write_text("age;n\n1;a,b\n1;c\n")
    for name in ("release.csv", "own.csv"):
        local = run("audit", tmp_path / name, "--policy", policy, "--json")
        assert local.out
        assert run("audit", tmp_path / name, "--policy", policy, "--json", "--engine", "spark") == local


def test_no_error_shows_a_cell(spark: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from pyspark.logger import PySparkLogger

    said: list[Any] = []
    for name in ("SQLQueryContextLogger", "DataFrameQueryContextLogger"):
        monkeypatch.setattr(PySparkLogger.getLogger(name), "handle", said.append)
    frame = spark.createDataFrame(pa.table({"a": [SECRET] * 3})).selectExpr("CAST(a AS INT) AS a")
    with pytest.raises(KanopyError) as caught:
        kanopy.audit(frame, kanopy.Policy(quasi_identifiers=["a"], k=2))
    assert SECRET not in str(caught.value)
    assert said == [], "pyspark would print the cell itself"
    with pytest.raises(Exception, match=SECRET):
        frame.collect()
    assert said, "and prints it where others ask"
