"""The draft from a Spark frame is that from the same rows in this process, also where values are sampled."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from command import SECRET, assert_clean, run

import kanopy
from kanopy.datasets import patients
from kanopy.drafting import Suggestion
from kanopy.engines.spark import sampled
from kanopy.errors import InputError, PolicyError


def small() -> pa.Table:
    """Patients, and columns with marks, dates in texts, censored numbers, fractions, blanks."""
    n_rows, rng = 800, np.random.default_rng(2)
    days = rng.integers(1, 28, n_rows)
    dates = [f"{row % 28 + 1:02}.{row % 12 + 1:02}.20{row % 20:02}" for row in range(n_rows)]
    dates[70:77] = ["31.02.2001"] * 7
    return (
        pa.table(patients(n_rows))
        .drop_columns(["admission_type", "length_of_stay", "bmi"])
        .append_column("seen on", pa.array([f"{day:02}.11.2020" for day in days]))
        .append_column("lab", pa.array([("<5" if day < 3 else f"{day},5") for day in days]))
        .append_column("dose", pa.array(days / 4, mask=days % 7 == 0))
        .append_column("small", pa.array((days / 8).astype("float32")))
        .append_column(
            "note", pa.array([" " if day == 3 else None if day == 4 else f"w{day}" for day in days])
        )
        .append_column("pain", pa.array(["?" if day == 3 else str(day) for day in days]))
        .append_column("day", pa.array(dates))
        .append_column("far", pa.array(np.where(days == 9, 999, days)))
    )


def test_small_tables_are_drafted_from_as_they_are(spark: Any) -> None:
    found = kanopy.suggest(spark.createDataFrame(small()), target="smoker")
    local = kanopy.suggest(small(), target="smoker")
    assert found == local
    assert found.policy == local.policy
    assert {"?"} <= set(found.missing)
    assert "999" in found.maybe_missing
    assert any("7 cells (1 different) are no dates" in column.reason for column in found.columns)


N_ROWS = 60_000
LARGE = (
    "id AS nr",
    "format_string('K%06d', CAST(id / 10 AS INT)) AS code",
    "CASE WHEN id % 1000 = 0 THEN '?' ELSE CAST((id * 7919) % 100003 AS STRING) END AS income",
    "CASE WHEN id % 3 = 0 THEN CAST(NULL AS STRING) WHEN id % 3000 = 1 THEN ' ' "
    "ELSE concat('was seen by the doctor on day ', id, ' and went home') END AS note",
    "CASE WHEN id % 2 = 0 THEN 'f' ELSE 'm' END AS sex",
)


def roles(draft: Suggestion) -> list[tuple[Any, ...]]:
    return [(each.name, each.role, each.certainty, each.kind, each.n_missing) for each in draft.columns]


def test_large_columns_are_judged_by_some_values_with_all_their_rows(
    spark: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sampled, "SAMPLED_VALUES", 2000)
    frame = spark.range(N_ROWS).selectExpr(*LARGE)
    table = frame.toArrow()
    found, local = kanopy.suggest(frame), kanopy.suggest(table)
    assert roles(found) == roles(local)
    assert (found.n_rows, found.k, found.missing) == (N_ROWS, local.k, local.missing)
    assert found.maybe_missing == local.maybe_missing
    numbers = {each.name: each.n_values for each in found.columns}
    for each in local.columns:
        assert numbers[each.name] == pytest.approx(each.n_values, rel=0.05)
    assert numbers["nr"] == N_ROWS, "keys are counted exactly"
    assert "were looked at" in found.columns[0].reason
    assert "were looked at" not in found.columns[-1].reason
    some = np.random.default_rng(1).choice(N_ROWS, 1000, replace=False)
    assert roles(kanopy.suggest(table.take(some)))[1] != roles(local)[1], (
        "a sample of rows says something else"
    )


def test_frequent_values_do_not_change_the_number_of_values() -> None:
    even, uneven = np.full(100, 10), np.append(np.ones(99, dtype=np.int64), 100_000)
    assert sampled._unseen_values(even, 7, 6000) == 600
    assert sampled._unseen_values(uneven, 7, 6000) == 600
    assert sampled._unseen_values(even[:0], 7, 3) == 1


def test_errors(spark: Any) -> None:
    frame = spark.createDataFrame(pa.table({"a": [SECRET]}))
    with pytest.raises(PolicyError, match="no column 'b'"):
        kanopy.suggest(frame, target="b")
    with pytest.raises(InputError, match="no rows"):
        kanopy.suggest(frame.where("a IS NULL"))
    with pytest.raises(InputError, match="holds map values") as caught:
        kanopy.suggest(frame.selectExpr("map(a, 1) AS m"))
    assert SECRET not in str(caught.value)


def write_parts(folder: Path) -> None:
    """Two files as other programs write them: semicolons, decimal commas, letters of cp1252."""
    folder.mkdir()
    for number in range(2):
        rows = [f"{20 + row % 9};{row},5;{'jä'[row % 2]};{'ny'[row % 2]}" for row in range(number, 90)]
        (folder / f"{number}.csv").write_bytes("\r\n".join(["age;paid;job;ill", *rows]).encode("cp1252"))


def test_the_command(spark: Any, tmp_path: Path) -> None:
    write_parts(tmp_path / "in")
    local = run("suggest", tmp_path / "in", "--json")
    found = run("suggest", tmp_path / "in", "--json", "--engine", "spark")
    assert (found.code, found.out) == (0, local.out)
    assert "--engine spark" in found.err
    with_drafts = ["--hierarchies", tmp_path / "drafts", "--engine", "spark"]
    assert run("suggest", tmp_path / "in", "-o", tmp_path / "policy.toml", *with_drafts).code == 0
    drafts = {path.name: path.read_bytes() for path in (tmp_path / "drafts").iterdir()}
    assert run("suggest", tmp_path / "in", "--hierarchies", tmp_path / "local").code == 0
    assert drafts == {path.name: path.read_bytes() for path in (tmp_path / "local").iterdir()}
    assert drafts
    (tmp_path / "in" / "0.csv").write_bytes(b"age;paid;job;ill\r\n1;2\r\n" + SECRET.encode() + b";1;2;3\r\n")
    outcome = run("suggest", tmp_path / "in", "--engine", "spark")
    assert outcome.code == 3
    assert_clean(outcome)
    assert run("suggest", "-", "--engine", "spark").code == 2
