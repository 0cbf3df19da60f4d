"""Columns whose type says that they are dates are generalized as dates, without a line in the policy."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import kanopy

N_ROWS = 60
DAYS = [datetime(2020, 1, 1) + timedelta(days=place) for place in range(N_ROWS)]
TIMES = [datetime(2020, 1, 1, 8) + timedelta(hours=7 * place) for place in range(N_ROWS)]
CLASSES = ["a", "b"] * (N_ROWS // 2)
POLICY = kanopy.Policy(quasi_identifiers=["when"], target="y", k=5)


def tables(moments: list[datetime]) -> dict[str, Any]:
    columns = {"when": moments, "y": CLASSES}
    pandas = pd.DataFrame(columns)
    return {
        "pandas": pandas,
        "pandas in nanoseconds": pandas.astype({"when": "datetime64[ns]"}),
        "polars": pl.DataFrame(columns),
        "pyarrow": pa.table(columns),
        "pyarrow in seconds": pa.table({"when": pa.array(moments, pa.timestamp("s")), "y": CLASSES}),
    }


@pytest.mark.parametrize("held", tables(DAYS))
def test_timestamps_at_midnight_are_dates(held: str) -> None:
    release = kanopy.anonymize(tables(DAYS)[held], POLICY)
    assert set(map(str, release.frame["when"])) >= {"[2020-01-01, 2020-01-08]"}
    assert release.manifest["columns"]["when"] == {"kind": "date", "level": "day"}


@pytest.mark.parametrize("held", tables(TIMES))
def test_other_timestamps_are_times(held: str) -> None:
    release = kanopy.anonymize(tables(TIMES)[held], POLICY)
    assert set(map(str, release.frame["when"])) >= {"[2020-01-01 08:00:00, 2020-01-03 09:00:00]"}
    assert release.manifest["columns"]["when"] == {"kind": "time", "level": "second"}


def test_days_zones_and_missing_ones() -> None:
    days = pa.array([each.date() for each in DAYS])
    assert (
        "[2020-01-01, 2020-01-08]"
        in kanopy.anonymize(pa.table({"when": days, "y": CLASSES}), POLICY).frame["when"].to_pylist()
    )
    berlin = pd.DataFrame({"when": pd.Series(DAYS).dt.tz_localize("Europe/Berlin"), "y": CLASSES})
    release = kanopy.anonymize(berlin, POLICY)
    assert release.manifest["columns"]["when"]["kind"] == "date"
    assert "[2020-01-01, 2020-01-08]" in set(release.frame["when"])
    gaps: list[datetime | None] = [None if place % 6 == 0 else day for place, day in enumerate(DAYS)]
    release = kanopy.anonymize(pd.DataFrame({"when": gaps, "y": CLASSES}), POLICY)
    assert release.manifest["columns"]["when"]["kind"] == "date"


def test_a_parquet_file_and_its_certificate(tmp_path: Path) -> None:
    pq.write_table(pa.table({"when": DAYS, "y": CLASSES}), tmp_path / "data.parquet")
    release = kanopy.anonymize(tmp_path / "data.parquet", POLICY)
    release.write(tmp_path / "out.csv", certificate=True)
    assert "[2020-01-01, 2020-01-08]" in (tmp_path / "out.csv").read_text()
    found = kanopy.verify(tmp_path / "out.csv", policy=POLICY)
    assert found.kept, "the policy is the one that was given, without what the types say"
    assert kanopy.audit(tmp_path / "out.csv", POLICY).kept
    assert kanopy.attack(tmp_path / "out.csv", tmp_path / "data.parquet", POLICY)
    recoded = release.recode(pa.table({"when": [datetime(2020, 1, 2)], "y": ["a"]}))
    assert recoded["when"].to_pylist() == ["[2020-01-01, 2020-01-08]"]


def test_what_the_policy_says_comes_first() -> None:
    levels = {"when": {"kind": "date", "levels": ["month"]}}
    policy = kanopy.Policy(quasi_identifiers=["when"], target="y", k=5, columns=levels)
    assert set(kanopy.anonymize(tables(DAYS)["pandas"], policy).frame["when"]) == {"2020-01", "2020-02"}
    texts = kanopy.Policy(quasi_identifiers=["when"], target="y", k=5, categorical=["when"])
    assert "columns" not in kanopy.anonymize(tables(DAYS)["pandas"], texts).manifest


def test_an_estimator_and_an_array() -> None:
    frame = tables(DAYS)["pandas"][["when"]]
    fitted = kanopy.MondrianAnonymizer(k=5).fit(frame, CLASSES)
    assert "[2020-01-01, 2020-01-08]" in set(fitted.release_.frame["when"])
    assert fitted.recode(frame.head(1))["when"].tolist() == ["[2020-01-01, 2020-01-08]"]
    fitted = kanopy.MondrianAnonymizer(k=5).fit(np.array(DAYS, dtype="datetime64[us]")[:, None], CLASSES)
    assert "[2020-01-01, 2020-01-08]" in fitted.release_.frame["x0"].to_pylist()
