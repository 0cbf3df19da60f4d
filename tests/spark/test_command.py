"""The command with Spark: folders in and out, exit codes, and what is on the disk."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from command import assert_clean, run
from spark_tables import BESIDE, table

DROPPED = "patient_id,name,zip,admission_type,diagnosis,smoker,bmi,lab,day,note,person,length_of_stay"
FLAGS = (
    "--quasi", "age,sex", "--target", "readmitted", "--k", "5", "--keep", "ward",
    "--identifiers", DROPPED,
)  # fmt: skip


@pytest.fixture
def parts(tmp_path: Path) -> Path:
    folder = tmp_path / "in"
    folder.mkdir()
    for number in range(2):
        pq.write_table(table(400).slice(200 * number, 200), folder / f"{number}.parquet")
    return folder


def test_from_folder_to_folder(spark: Any, parts: Path, tmp_path: Path) -> None:
    out, report = tmp_path / "out", tmp_path / "report.html"
    done = run("anonymize", parts, "-o", out, *FLAGS, "--engine", "spark", "--report", report, "--json")
    assert done.code == 0, done.err
    assert json.loads(done.out)["audit"]["kept"]
    assert sorted(each.name for each in out.iterdir()) == [*BESIDE, "part-00000.parquet"]
    assert "recounted from the disk" in done.err
    assert report.exists()
    assert run("verify", out).code == 0
    assert run("audit", out, *FLAGS).code == 0
    (out / "part-00001.parquet").write_bytes((out / "part-00000.parquet").read_bytes())
    assert run("verify", out).code == 1


def test_what_is_wrong_leaves_nothing(spark: Any, parts: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    for flags, code in (
        (("--spreadsheet-safe",), 2),
        (("--excel-locale=de",), 2),
        (("--no-certificate",), 2),
        (("--k", "401"), 4),
        (("--staging", str(tmp_path / "nowhere")), 6),
    ):
        done = run("anonymize", parts, "-o", out, *FLAGS, "--engine", "spark", *flags)
        assert done.code == code, done.err
        assert_clean(done)
    assert run("anonymize", parts, "-o", parts / "out", *FLAGS, "--engine", "spark").code == 2
    assert run("anonymize", parts / "0.parquet", "-o", tmp_path / "out.csv", *FLAGS, "--parts", "3").code == 2
    assert [each.name for each in tmp_path.iterdir()] == ["in"]
