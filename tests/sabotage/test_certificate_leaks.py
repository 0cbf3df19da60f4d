"""An attacker with the certificate knows no more than with the release and its manifest."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import SECRET, run

import kanopy

PERSONS = "".join(f"{20 + i % 7},{i % 5},{'YNP'[i % 3]},{SECRET}{i},p{i // 2}\n" for i in range(90))
TABLE = "age,zip,ill,name,pid\n" + PERSONS + f"99,{SECRET}-zip,Y,{SECRET},p1\n" * 2
POLICY = """
quasi_identifiers = ["age", "zip"]
sensitive = ["ill"]
identifiers = ["name"]
person = "pid"
missing = ["SECRET-4711-missing"]
[privacy]
k = 5
[hierarchies]
zip = "zip.csv"
"""


def texts(value: Any) -> set[str]:
    """Every text and number in plain data, but for the names of entries."""
    if isinstance(value, dict):
        return {text for inner in value.values() for text in texts(inner)} | set(map(str, value))
    if isinstance(value, list):
        return {text for inner in value for text in texts(inner)}
    return {str(value)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(TABLE)
    (tmp_path / "policy.toml").write_text(POLICY)
    zips = [*"01234", f"{SECRET}-zip"]
    (tmp_path / "zip.csv").write_text("".join(f"{zip_};{SECRET}-group;*\n" for zip_ in zips))
    return tmp_path


@pytest.mark.parametrize("method", ["mondrian", "mdav"])
def test_it_tells_nothing_that_the_manifest_does_not(method: str, folder: Path) -> None:
    flags = ("--policy", folder / "policy.toml", "--seed", "918273645", "--json", "--method", method)
    outcome = run("anonymize", folder / "data.csv", "-o", folder / "release.csv", *flags)
    assert outcome.code == 0, outcome.err
    raw = (folder / "release.csv.kanopy.json").read_text("ascii")
    certificate, told = json.loads(raw), json.loads(outcome.out)
    assert SECRET not in raw
    assert "918273645" not in raw
    for name in ("data.csv", "zip.csv", "policy.toml"):
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() not in raw
    known = texts(told) | texts(certificate["release"])
    for name in ("verdict", "method", "roles", "columns", "truthful", "notices", "quasi_identifiers"):
        new = texts(certificate[name]) - known - {"name", "options", "seed", "accepted", "more_findings"}
        assert all(text.startswith("withheld") for text in new), new
    promise = certificate["promise"]
    assert set(promise["sentences"]) <= known
    assert promise["counted"] == "persons"
    assert promise["bounds"][0]["k"] == 5, "promised, not reached"


def test_equal_releases_have_equal_certificates_whoever_is_behind_them(tmp_path: Path) -> None:
    """Two sources that differ in what is hidden alone: how many rows each person has, and names."""
    written = []
    for persons in (range(24), [number // 2 * 2 for number in range(12)] + list(range(12, 24))):
        rows = {"age": ["30"] * 12 + ["40"] * 12, "pid": [f"p{person}" for person in persons]}
        rows["name"] = [f"{persons[0]}{number}{len(written)}" for number in range(24)]
        policy = kanopy.Policy(["age"], identifiers=["name"], person="pid", k=5)
        kanopy.anonymize(pa.table(rows), policy).write(tmp_path / "r.csv", force=True)
        certificate = json.loads((tmp_path / "r.csv.kanopy.json").read_text())
        certificate.pop("date")
        written.append(certificate)
    assert written[0] == written[1]
