"""``read_release``: a frame of texts, numbers, dates and members."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import kanopy
from kanopy.errors import InputError, KanopyWarning, PolicyError

N = 120
ROWS = {
    "age": [20 + i % 30 for i in range(N)],
    "zip": [f"0{1067 + i % 3}" for i in range(N)],
    "born": [f"{1950 + i % 20}-0{1 + i % 9}-11" for i in range(N)],
    "age_low": [["NA", "x"][i % 2] for i in range(N)],
    "hours": [str(i % 8) for i in range(N)],
    "cls": ["YN"[i % 2] for i in range(N)],
}
POLICY = kanopy.Policy(
    quasi_identifiers=["age", "zip", "born"], categorical=["zip"], sensitive=["age_low"], keep=["hours"],
    target="cls", k=4, columns={"born": {"kind": "date", "levels": ["month"]}},
)  # fmt: skip


@pytest.fixture(scope="module", params=[".csv", ".parquet", ".csv.gz", ".csv.zst"])
def release(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = kanopy.anonymize(pa.table(ROWS), POLICY)
    return made.write(tmp_path_factory.mktemp("r") / f"r{request.param}")


@pytest.mark.parametrize("kind", ["pandas", "polars", "pyarrow"])
def test_columns(release: Path, kind: str) -> None:
    frame: Any = kanopy.read_release(release, kind=kind)
    names = list(frame.column_names if kind == "pyarrow" else frame.columns)
    assert names == [
        "age", "age_low_", "age_high", "zip", "zip_members", "born", "born_low", "born_high", "age_low",
        "hours", "cls",
    ]  # fmt: skip
    table = frame if kind == "pyarrow" else None
    if kind == "pandas":
        assert str(frame["born_low"].dtype).startswith("datetime64")
        assert str(frame["hours"].dtype) == "int64"
        assert all(isinstance(one, tuple) for one in frame["zip_members"].dropna())
        assert set(frame["age_low"]) == {"NA", "x"}
        assert (frame["age_low_"] <= frame["age_high"]).all()
        assert (frame["born_low"] < frame["born_high"]).all()
    if table is not None:
        assert table["zip_members"].type == pa.list_(pa.string())
        assert {one for cell in table["zip_members"].to_pylist() if cell for one in cell} <= set(ROWS["zip"])


def test_a_release_without_certificate_is_warned_about(tmp_path: Path) -> None:
    made = kanopy.anonymize(pa.table(ROWS), POLICY)
    with_book = made.write(tmp_path / "r.csv", certificate=False, excel_locale="de")
    with pytest.warns(KanopyWarning, match="no certificate"):
        frame = kanopy.read_release(with_book)
    assert frame["zip_members"].notna().any()
    alone = made.write(tmp_path / "s.csv", certificate=False, codebook=False)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        frame = kanopy.read_release(alone, verified=False)
    assert frame["age_high"].max() == 49


def test_another_file_is_refused(tmp_path: Path) -> None:
    path = kanopy.anonymize(pa.table(ROWS), POLICY).write(tmp_path / "r.csv")
    path.write_text(path.read_text("utf-8").replace("NA", "NB", 1), "utf-8")
    with pytest.raises(InputError, match="not what its certificate says"):
        kanopy.read_release(path)
    assert "NB" in set(kanopy.read_release(path, verified=False)["age_low"])


def test_wrong_requests(release: Path) -> None:
    with pytest.raises(PolicyError):
        kanopy.read_release(release, kind="numpy")
    with pytest.raises(PolicyError):
        kanopy.read_release(pa.table(ROWS))  # type: ignore[arg-type]
    with pytest.raises(InputError):
        kanopy.read_release(release.with_name("nowhere.csv"), verified=False)


def test_suppressed_means_and_missing(tmp_path: Path) -> None:
    rows = {"q": ["a", None, "b"] * 20, "n": [float(i % 9) for i in range(60)], "s": ["x", "y"] * 30}
    policy = kanopy.Policy(quasi_identifiers=["q", "n", "s"], k=30)
    options = {"method": "mondrian", "publish": "mean"}
    frame = kanopy.read_release(kanopy.anonymize(pa.table(rows), policy, **options).write(tmp_path / "r.csv"))
    assert (frame["n_low"] == frame["n_high"]).all()
    seen = {*frame["q_members"], *frame["s_members"]}
    assert seen & {(None, "a", "b"), None}
    ranges = kanopy.anonymize(pa.table(rows), policy, publish="members").write(tmp_path / "s.csv")
    assert (None, "a", "b") in set(kanopy.read_release(ranges)["q_members"])
