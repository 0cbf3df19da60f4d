"""The certificate beside a release: written with it, replaced with it, and never left beside another file."""

from __future__ import annotations

import hashlib
import json
import re
from fractions import Fraction
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import OLD, content, run

import kanopy
from kanopy.certificate import CertifiedFile, certificate_bytes, certificate_of
from kanopy.certificate.reading import parse_certificate
from kanopy.errors import PolicyError
from kanopy.policy import policy_digest
from kanopy.privacy import AlphaBound
from kanopy.release import Release, date_of_writing

ROWS = "age,zip,cls\n" + "".join(f"{20 + i % 4},{'abc'[i % 3]},{'YN'[i % 2]}\n" for i in range(48))
FLAGS = ("--quasi=age,zip", "--target=cls", "--k=4")
NAMES = ["release.csv", "release.csv.kanopy.json"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "data.csv").write_text(ROWS)
    return tmp_path


@pytest.fixture(scope="module")
def release() -> Release:
    table = pa.table({"age": [str(20 + i % 4) for i in range(48)], "cls": [str(i % 2) for i in range(48)]})
    return kanopy.anonymize(table, kanopy.Policy(["age"], target="cls", k=4))


def certificate(folder: Path) -> dict[str, object]:
    read: dict[str, object] = json.loads((folder / NAMES[1]).read_text("ascii"))
    return read


@pytest.mark.parametrize("n_times", [1, 50])  # of files whose lines repeat the digest is made in another way
def test_it_describes_the_bytes_on_the_disk(folder: Path, n_times: int) -> None:
    header, *rows = (folder / "data.csv").read_text("utf-8").splitlines(keepends=True)
    (folder / "data.csv").write_text(header + n_times * "".join(rows), encoding="utf-8")
    outcome = run("anonymize", folder / "data.csv", "-o", folder / NAMES[0], *FLAGS)
    assert outcome.code == 0
    raw = (folder / NAMES[0]).read_bytes()
    told = certificate(folder)["release"]
    assert isinstance(told, dict)
    assert told == {
        "file": "release.csv",
        "sha256": hashlib.sha256(raw).hexdigest(),
        "bytes": len(raw),
        "rows": raw.count(b"\n") - 1,
        "columns": ["age", "zip", "cls"],
    }
    digest = hashlib.sha256((folder / NAMES[1]).read_bytes()).hexdigest()
    assert f"SHA-256 {digest}" in outcome.err, "for whoever reads it aloud on the telephone"


@pytest.mark.parametrize("suffix", [".csv", ".parquet"])
def test_only_the_date_differs_from_run_to_run(
    suffix: str, release: Release, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    texts = []
    for date in ("1700000000", "1800000001"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", date)
        path = release.write(tmp_path / f"r{suffix}", force=True)
        texts.append(path.with_name(f"{path.name}.kanopy.json").read_text("ascii"))
    assert texts[0] != texts[1]
    assert texts[0].replace("2023-11-14T22:13:20Z", "2027-01-15T08:00:01Z") == texts[1]
    assert next(iter(json.loads(texts[0]))) == "about"


def test_the_date(monkeypatch: pytest.MonkeyPatch, release: Release, tmp_path: Path) -> None:
    monkeypatch.delenv("SOURCE_DATE_EPOCH", raising=False)
    assert re.fullmatch(r"20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ", date_of_writing())
    for wrong in ("", "today", "-1", "1e9", "9" * 12, " 5"):
        monkeypatch.setenv("SOURCE_DATE_EPOCH", wrong)
        with pytest.raises(PolicyError, match="SOURCE_DATE_EPOCH"):
            release.write(tmp_path / "r.csv")
    assert not content(tmp_path)


@pytest.mark.parametrize("more", [(), ("--no-certificate",)])
@pytest.mark.parametrize("name", NAMES)
def test_neither_is_replaced_without_force(name: str, more: tuple[str, ...], folder: Path) -> None:
    (folder / name).write_bytes(OLD)
    before = content(folder)
    outcome = run("anonymize", folder / "data.csv", "-o", folder / NAMES[0], *FLAGS, *more)
    assert outcome.code == 2
    assert f"output '{name}' exists" in outcome.err
    assert "--force" in outcome.err
    assert content(folder) == before


def test_no_certificate_leaves_none_that_describes_another_file(folder: Path, release: Release) -> None:
    for name in NAMES:
        (folder / name).write_bytes(OLD)
    outcome = run(
        *("anonymize", folder / "data.csv", "-o", folder / NAMES[0], *FLAGS, "--force", "--no-certificate")
    )
    assert outcome.code == 0
    assert "its certificate" not in outcome.err
    book = {"release.codebook.csv", "release.codebook.md"}
    assert set(content(folder)) == {"data.csv", NAMES[0], *book}
    for certified in (True, False):
        release.write(folder / NAMES[0], force=True, certificate=certified)
        assert (folder / NAMES[1]).exists() == certified


@pytest.mark.parametrize("more", [(), ("--no-certificate",)])
def test_what_is_in_its_place_and_no_file_is_refused(more: tuple[str, ...], folder: Path) -> None:
    (folder / NAMES[1]).mkdir()
    request = ("anonymize", folder / "data.csv", "-o", folder / NAMES[0], *FLAGS, "--force", *more)
    assert run(*request).code == 2
    (folder / NAMES[1]).rmdir()
    (folder / NAMES[1]).symlink_to("data.csv")
    assert run(*request).code == 2
    assert (folder / "data.csv").read_text() == ROWS
    assert not (folder / NAMES[0]).exists()


def test_another_output_cannot_have_its_name(folder: Path) -> None:
    request = ("anonymize", folder / "data.csv", "-o", folder / NAMES[0], *FLAGS, "--force")
    for flag in ("--record", "--report"):
        outcome = run(*request, flag, folder / NAMES[1])
        assert outcome.code == 2
        assert "two outputs are the same file" in outcome.err
    assert list(content(folder)) == ["data.csv"]


def test_what_nobody_could_read_is_not_written(tmp_path: Path) -> None:
    shares = [AlphaBound("cls", Fraction(number, 999)) for number in range(700, 900)]
    table = pa.table({"age": ["20", "21"] * 24, "cls": [str(i // 2 % 2) for i in range(48)]})
    base: dict[str, Any] = {"quasi_identifiers": ["age"], "target": "cls"}
    most = kanopy.anonymize(table, kanopy.Policy(**base, privacy=shares))
    assert kanopy.verify(most.write(tmp_path / "most.csv")).kept
    more = kanopy.anonymize(table, kanopy.Policy(**base, k=4, privacy=shares))
    with pytest.raises(PolicyError, match="201 promises, and a certificate holds at most 200") as caught:
        more.write(tmp_path / "more.csv")
    assert "certificate=False" in caught.value.hint
    assert "--no-certificate" in getattr(caught.value.hint, "for_shell", "")
    assert not (tmp_path / "more.csv").exists()
    assert more.write(tmp_path / "more.csv", certificate=False).exists()


def test_names_that_are_too_long_for_a_certificate(tmp_path: Path) -> None:
    name = "n" * 2_700_000
    table = pa.table({name: [str(20 + i % 4) for i in range(48)]})
    long = kanopy.anonymize(table, kanopy.Policy([name], k=4))
    with pytest.raises(PolicyError, match="larger than 8,000,000 bytes"):
        long.write(tmp_path / "r.parquet")
    assert not content(tmp_path)


def test_of_many_findings_the_worst_are_told(release: Release) -> None:
    told = release.told()
    noted = [{"severity": "note", "message": str(number), "column": None} for number in range(1_001)]
    told["audit"]["findings"] = [{**each, "code": "c", "advice": ""} for each in noted]
    file = CertifiedFile("r.csv", "0" * 64, 1, 48, ["age", "cls"])
    said = certificate_of(told, release.policy, file, policy_sha256="0" * 64, date="2026-01-01T00:00:00Z")
    assert len(said["verdict"]["findings"]) == 1_000
    assert said["verdict"]["more_findings"] == 1
    said["method"]["options"] = {"seed": 10**5000, "share": float("inf")}
    known = parse_certificate(certificate_bytes(said)).contents
    assert known["method"]["options"] == {"seed": "about 1.000e+5000", "share": "inf"}


def test_the_demo_has_one(tmp_path: Path) -> None:
    (tmp_path / NAMES[1]).write_bytes(OLD)
    assert run("demo", "--rows", "500", "--save", tmp_path).code == 2
    (tmp_path / NAMES[1]).unlink()
    assert run("demo", "--rows", "500", "--save", tmp_path).code == 0
    assert run("verify", tmp_path / NAMES[0], "--policy", tmp_path / "policy.toml").code == 0


def test_the_policy_is_that_of_the_run_whatever_becomes_of_its_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "age.csv").write_text("".join(f"{age};20s;*\n" for age in range(20, 24)))
    table = pa.table({"age": [str(20 + i % 4) for i in range(48)]})
    monkeypatch.chdir(tmp_path)
    policy = kanopy.Policy(["age"], k=4, hierarchies={"age": "age.csv"})
    made = kanopy.anonymize(table, policy)
    expected = policy_digest(policy)
    (tmp_path / "age.csv").unlink()
    made.write(tmp_path / NAMES[0])
    assert certificate(tmp_path)["policy"] == {"sha256": expected}
