"""``kanopy verify --source``: rows and unchanged columns, counted again without kanopy's readers."""

from __future__ import annotations

import csv
import gzip
import io
import json
from datetime import date
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from command import SECRET, assert_clean, run

import kanopy
from kanopy.certificate.against_source import counted_source
from kanopy.errors import InputError, PolicyError

N = 48
ROWS: list[dict[str, Any]] = [
    {
        "age": str(20 + number % 4),
        "ill": (" flu", "cold, bad", 'say "no"', SECRET)[number % 4],
        "stay": ("1.50", "007", "", "-")[number % 4],
        "seen": ("line\nbreak", "cafe\u0301", "x", "x")[number % 4],
        "name": f"n{number}",
    }
    for number in range(N)
]
POLICY = kanopy.Policy(
    quasi_identifiers=["age"], sensitive=["ill"], keep=["stay", "seen"], identifiers=["name"], k=4,
    missing=["-"],
)  # fmt: skip


def text_of(rows: list[dict[str, Any]], delimiter: str = ",", line_end: str = "\n") -> str:
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), delimiter=delimiter, lineterminator=line_end)
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


@pytest.fixture
def release(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(text_of(ROWS), "utf-8")
    return kanopy.anonymize(tmp_path / "data.csv", POLICY).write(tmp_path / "release.csv")


def checks(release: Path, source: Path, policy: kanopy.Policy | None = POLICY) -> dict[str, str]:
    found = kanopy.verify(release, policy=policy, source=source)
    every = {check.name: f"{check.outcome}: {check.message}" for check in found.checks}
    assert SECRET not in str(found.to_dict()["checks"])
    return {name: said for name, said in every.items() if name.startswith("source")}


@pytest.mark.parametrize("policy", [POLICY, None])
@pytest.mark.parametrize("suffix", [".csv", ".csv.gz", ".parquet", ".txt"])
@pytest.mark.parametrize("written", [".csv", ".parquet"])
def test_the_source_itself(
    suffix: str, written: str, policy: kanopy.Policy | None, release: Path, tmp_path: Path
) -> None:
    source = tmp_path / f"again{suffix}"
    if suffix == ".parquet":
        pq.write_table(pa.Table.from_pylist(ROWS), source)
    else:
        raw = text_of(ROWS, line_end="\r\n").encode("utf-8-sig")
        source.write_bytes(gzip.compress(raw) if suffix.endswith(".gz") else raw)
    release = kanopy.anonymize(source, POLICY).write(tmp_path / f"made{written}")
    found = checks(release, source, policy)
    assert found["source rows"].startswith(f"holds: {N} rows in the source, {N} in the release")
    assert found["source columns"].startswith("holds: 'ill', 'stay', 'seen': the same cells as the source")
    assert ("--policy" in found["source columns"]) == (policy is None)


def test_a_cell_that_is_another_one(release: Path, tmp_path: Path) -> None:
    rows = [dict(row) for row in ROWS]
    rows[0]["ill"], rows[1]["seen"] = "gout", "y"
    (tmp_path / "other.csv").write_text(text_of(rows), "utf-8")
    found = checks(release, tmp_path / "other.csv")
    said = "1 cells of 'ill' are not those of the source; 1 cells of 'seen' are not those of the source"
    assert found["source columns"] == f"fails: {said}"
    outcome = run("verify", release, "--source", tmp_path / "other.csv")
    assert outcome.code == 1
    assert "[fails] source columns: 1 cells of 'ill'" in outcome.out
    assert_clean(outcome)
    whole = json.loads(run("verify", release, "--source", tmp_path / "data.csv", "--json").out)
    assert [each["outcome"] for each in whole["checks"] if each["name"][:6] == "source"] == ["holds"] * 2


@pytest.mark.parametrize(("n_rows", "outcome"), [(N - 4, "fails"), (N + 4, "holds")])
def test_fewer_and_more_rows(n_rows: int, outcome: str, release: Path, tmp_path: Path) -> None:
    rows = [*ROWS, *ROWS][:n_rows]
    (tmp_path / "other.csv").write_text(text_of(rows), "utf-8")
    found = checks(release, tmp_path / "other.csv")
    assert found["source rows"].startswith(f"{outcome}: {n_rows} rows in the source")
    assert ("4 were left out" in found["source rows"]) == (n_rows > N)
    assert found["source columns"].startswith(f"{outcome}: ")


def test_a_text_that_is_nowhere_in_the_release_may_mean_missing_without_the_policy(
    release: Path, tmp_path: Path
) -> None:
    other = [{**row, "stay": row["stay"].replace("-", "?")} for row in ROWS]
    (tmp_path / "other.csv").write_text(text_of(other), "utf-8")
    assert checks(release, tmp_path / "other.csv", None)["source columns"].startswith("holds")
    with_policy = checks(release, tmp_path / "other.csv")["source columns"]
    assert with_policy == f"fails: {N // 4} cells of 'stay' are not those of the source"


def test_as_the_policy_says_that_it_is_written(tmp_path: Path) -> None:
    rows = [{**row, "stay": f"{number % 4},5", "day": f"0{number % 4 + 1}.02.2024"}
            for number, row in enumerate(ROWS)]  # fmt: skip
    (tmp_path / "data.csv").write_text(text_of(rows, ";"), "cp1252", errors="replace")
    policy = kanopy.Policy(
        quasi_identifiers=["age"], sensitive=["ill"], keep=["stay", "seen", "day"], identifiers=["name"], k=4,
        source={"delimiter": ";", "encoding": "cp1252", "decimal": ","},
        columns={"day": {"kind": "date", "formats": ["%d.%m.%Y"]}},
    )  # fmt: skip
    release = kanopy.anonymize(tmp_path / "data.csv", policy).write(tmp_path / "release.csv")
    found = kanopy.verify(release, policy=policy, source=tmp_path / "data.csv")
    assert found.kept
    said = {(check.outcome, check.message.partition(":")[0]) for check in found.checks
            if check.name == "source columns"}  # fmt: skip
    assert said == {("holds", "'ill', 'seen'"), ("not checked", "'stay', 'day'")}
    with pytest.raises(InputError, match=r"data\.csv: (cannot be read independently|rows are not as wide)"):
        kanopy.verify(release, source=tmp_path / "data.csv")


def test_numbers_and_dates_of_parquet(tmp_path: Path) -> None:
    table = pa.table({
        "age": [20 + number % 4 for number in range(N)], "f": [1.0, 1e20, None, float("nan")] * (N // 4),
        "i": [1, None, 3, 2**62] * (N // 4), "b": [True, False] * (N // 2),
        "d": [date(2020, 1, 1 + number % 3) for number in range(N)],
        "s": pa.array(["a", " b", "", None] * (N // 4)).dictionary_encode(),
        "t": pa.array([0] * N, pa.timestamp("us")),
    })  # fmt: skip
    pq.write_table(table, tmp_path / "data.parquet")
    policy = kanopy.Policy(quasi_identifiers=["age"], keep=list("fibdst"), k=4).accepting_all()
    release = kanopy.anonymize(tmp_path / "data.parquet", policy).write(tmp_path / "release.csv")
    found = kanopy.verify(release, source=tmp_path / "data.parquet")
    said = [check.message for check in found.checks if check.name == "source columns"]
    assert said[0].startswith("'f', 'i', 'b', 'd', 's': the same cells")
    assert said[1].startswith("'t': ")


def test_releases_that_are_not_true_are_not_compared(tmp_path: Path) -> None:
    (tmp_path / "data.csv").write_text(text_of(ROWS), "utf-8")
    policy = kanopy.Policy(["age"], target="ill", identifiers=["stay", "seen", "name"], k=4)
    release = kanopy.anonymize(tmp_path / "data.csv", policy, method="apt").write(tmp_path / "release.csv")
    said = {"source": "not checked: the release holds cells that were swapped or made up"}
    assert checks(release, tmp_path / "data.csv", policy) == said


@pytest.mark.parametrize(
    ("name", "raw", "error"),
    [
        ("gone.csv", None, InputError),
        ("data.xlsx", b"PK", PolicyError),
        ("-", None, PolicyError),
        ("wide.csv", b"age,ill,stay,seen\n1,2\n", InputError),
        ("twice.csv", b"age,age\n1,2\n", InputError),
        ("quote.csv", b'age,ill\n1,"x\n', InputError),
        ("letters.csv", b"age,ill\n1,\xff\n", InputError),
        ("cut.csv.gz", gzip.compress(b"age,ill\n1,2\n")[:-5], InputError),
        ("bad.parquet", b"PAR1", InputError),
    ],
)
def test_what_cannot_be_read(name: str, raw: bytes | None, error: type[Exception], tmp_path: Path) -> None:
    if raw is not None:
        (tmp_path / name).write_bytes(raw)
    with pytest.raises(error):
        counted_source(tmp_path / name if name != "-" else name, ["ill"])
