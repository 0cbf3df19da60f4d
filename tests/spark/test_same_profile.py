"""Spark and one process measure the same profile."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import SECRET, run

import kanopy
from kanopy.engines.spark import counting
from kanopy.errors import InputError, PolicyError, ResourceError

TABLE = pa.table(
    {
        "Age ": pa.array([20, 20, 30, None, 30, 20] * 5, pa.int16()),
        "zip": ["01234", "?", None, "01234", "x", "e\u0301"] * 5,
        "lab": [0.1 * (number % 7) for number in range(30)],
        "ill": [("flu", "cold", SECRET)[number % 3] for number in range(30)],
        "who": [f"p{number // 2}" for number in range(30)],
        "other": list(range(30)),
    }
)
NAMED: dict[str, dict[str, Any]] = {
    "rows": {"quasi_identifiers": ["Age", "zip"], "sensitive": ["ill", "lab"], "missing": ["?"]},
    "persons": {"quasi_identifiers": ["zip", "Age", "lab"], "sensitive": ["ill"], "person": "who"},
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "in").mkdir()
    for number in range(2):
        pq.write_table(TABLE.slice(15 * number, 15), tmp_path / "in" / f"part-{number}.parquet")
    return tmp_path / "in"


@pytest.mark.parametrize("many", [1 << 21, 0], ids=["texts", "numbers"])
@pytest.mark.parametrize("named", NAMED)
def test_a_frame(spark: Any, folder: Path, named: str, many: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "MANY_TEXTS", many)
    found = kanopy.profile(spark.read.parquet(str(folder)), **NAMED[named])
    assert found == kanopy.profile(folder, **NAMED[named])
    assert found.other_columns == 6 - len(found.quasi_identifiers) - len(found.sensitive) - (
        named == "persons"
    )


def test_the_command(spark: Any, folder: Path) -> None:
    given = ("profile", folder, "--quasi", "Age,zip", "--sensitive", "ill", "--missing", "?")
    assert run(*given, "--engine", "spark") == run(*given)
    outcome = run(*given, "--engine", "spark", "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out)["rows"] == 30
    assert SECRET not in outcome.out


def test_the_command_on_csv_files(spark: Any, tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text('a;b\n1;"x\ny"\n1;\n2;"say ""hi"""\n', encoding="utf-8")
    given = ("profile", tmp_path / "data.csv", "--quasi", "a,b", "--delimiter", ";")
    assert run(*given, "--engine", "spark") == run(*given)


def test_refused(spark: Any, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    frame = spark.read.parquet(str(folder))
    with pytest.raises(PolicyError, match="did you mean 'zip'"):
        kanopy.profile(frame, ["zipp"])
    with pytest.raises(InputError, match="'list' holds array values"):
        kanopy.profile(frame.selectExpr("zip", "array(zip) as list"), ["list"])
    monkeypatch.setattr(counting, "memory_for_a_table", lambda: 500)
    with pytest.raises(ResourceError, match="the driver takes 2"):
        kanopy.profile(frame, ["zip", "lab"])
