"""``kanopy anonymize --record``: the private record beside the table, or neither."""

from __future__ import annotations

import hashlib
import json
import stat
from pathlib import Path

import pytest
from command import OLD, Outcome, assert_clean, content, run

LINES = [f"{20 + i % 30},{'abc'[i % 3]},{'YN'[(i % 30 > 14) ^ (i % 11 == 0)]}\n" for i in range(120)]
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=5")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text("age,zip,cls\n" + "".join(LINES))
    return tmp_path


def anonymize(folder: Path, *more: str | Path) -> Outcome:
    outcome = run("anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS, *more)
    assert_clean(outcome)
    return outcome


def test_the_record_is_written_for_its_owner_alone(folder: Path) -> None:
    outcome = anonymize(folder, "--record", folder / "record.json", "--seed=123456")
    assert outcome.code == 0, outcome
    path = folder / "record.json"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert "private and not for publication" in path.read_text().splitlines()[0]
    record = json.loads(path.read_text())
    assert (record["seed"], record["rows"]["in"]) == (123_456, 120)
    assert record["source"]["sha256"] == hashlib.sha256((folder / "data.csv").read_bytes()).hexdigest()


def test_json_tells_neither_seed_nor_exact_losses(folder: Path) -> None:
    outcome = anonymize(folder, "--record", folder / "record.json", "--seed=123456", "--json")
    record = json.loads((folder / "record.json").read_text())
    assert "123456" not in outcome.out
    assert "sha256" not in outcome.out
    assert repr(record["losses"]["square_error"]) not in outcome.out
    told = json.loads(outcome.out)["manifest"]["losses"]
    assert told["gcp"] == round(told["gcp"], 2)


def test_nothing_is_written_where_the_record_has_no_place(folder: Path) -> None:
    (folder / "record.json").write_bytes(OLD)
    before = content(folder)
    assert anonymize(folder, "--record", folder / "record.json").code == 2
    assert anonymize(folder, "--record", folder / "record.csv").code == 2
    assert anonymize(folder, "--record", folder / "nowhere" / "record.json").code == 6
    assert content(folder) == before


def test_a_refused_release_leaves_no_record(folder: Path) -> None:
    before = content(folder)
    outcome = run(
        "anonymize", folder / "data.csv", "-o", folder / "out.csv", *FLAGS[:2], "--k=500",
        "--record", folder / "record.json",
    )  # fmt: skip
    assert outcome.code == 4
    assert content(folder) == before
