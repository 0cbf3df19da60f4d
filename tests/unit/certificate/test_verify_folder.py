"""``kanopy verify`` on a folder of parts; tests/sabotage/test_parts.py has those that were tampered with."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from command import assert_clean, run
from part_folders import FRAME, POLICY, edit, forge, names_of, part_bytes, rows_of, write_parts

import kanopy
from kanopy.certificate import (
    FOLDER_CERTIFICATE,
    CertifiedPart,
    certificate_bytes,
    certificate_of,
    certificate_path,
    certified_folder,
    folder,
    listing_digest,
    read_certificate,
)
from kanopy.errors import InputError, PolicyError
from kanopy.policy import policy_digest

SUFFIXES = (".csv", ".parquet")


@pytest.fixture(params=SUFFIXES)
def out(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    return write_parts(tmp_path / "out", request.param)


def outcomes(found: kanopy.Verification) -> dict[str, str]:
    return {check.name: check.outcome for check in found.checks}


def failing(found: kanopy.Verification) -> dict[str, str]:
    return {check.name: check.message for check in found.checks if check.outcome == "fails"}


# --- What holds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("suffix", SUFFIXES)
@pytest.mark.parametrize("n_parts", [1, 3, 7])
def test_a_folder_as_it_was_written_holds(suffix: str, n_parts: int, tmp_path: Path) -> None:
    out = write_parts(tmp_path / "out", suffix, n_parts)
    found = kanopy.verify(out, policy=POLICY)
    assert found.kept, found.checks
    assert found.is_complete
    names = {"certificate", "parts", "bytes", "rows", "columns", "order", "policy", "promise"}
    assert outcomes(found) == dict.fromkeys(names, "holds")
    release = kanopy.anonymize(FRAME, POLICY)
    assert found.audit is not None
    assert found.audit.promises == release.audit.promises
    assert found.audit.risks == release.audit.risks
    assert [part.outcome for part in found.parts] == ["holds"] * n_parts


def test_what_is_printed(out: Path) -> None:
    found = kanopy.verify(out)
    outcome = run("verify", f"{out}/", "--json")
    assert outcome.code == 0
    told = json.loads(outcome.out)
    assert told == json.loads(json.dumps(found.to_dict()))
    as_certified = [{"file": name, "outcome": "holds", "message": "as certified"} for name in names_of(out)]
    assert told["release"] == {"sha256": found.sha256, "parts": as_certified}
    said = run("verify", out).out
    assert re.match(r"verdict  (green|yellow): parts, certificate and promise hold[;\n]", said)
    assert "[holds] parts: out holds the 3 certified parts, byte for byte, and nothing else\n" in said
    assert f"SHA-256  {found.sha256}  listing of the parts\n" in said


def test_the_digest_is_that_of_what_sha256sum_prints(out: Path) -> None:
    printed = subprocess.run(["sha256sum", *names_of(out)], cwd=out, capture_output=True, check=True).stdout
    assert kanopy.verify(out).sha256 == hashlib.sha256(printed).hexdigest()
    known = read_certificate(certificate_path(out)).release
    assert known.sha256 == listing_digest(reversed(known.parts)) == kanopy.verify(out).sha256


def test_a_folder_that_was_renamed_and_a_certificate_elsewhere(out: Path) -> None:
    moved = out.rename(out.parent / "mail")
    assert "it was called 'out' then" in kanopy.verify(moved).checks[1].message
    (moved / FOLDER_CERTIFICATE).rename(out.parent / "known.json")
    assert kanopy.verify(moved, certificate=out.parent / "known.json").kept


def test_the_certificate_of_a_file_says_nothing_about_parts(tmp_path: Path) -> None:
    kanopy.anonymize(FRAME, POLICY).write(tmp_path / "r.csv")
    release = json.loads((tmp_path / "r.csv.kanopy.json").read_text())["release"]
    assert list(release) == ["file", "sha256", "bytes", "rows", "columns"]
    assert certificate_path(tmp_path / "r.csv") == tmp_path / "r.csv.kanopy.json"
    assert certificate_path(tmp_path) == tmp_path / "_kanopy.json"


def test_ten_thousand_parts_have_a_certificate() -> None:
    digest = "0" * 64
    names = [f"part-{number:05}-{'a' * 36}-c000.snappy.parquet" for number in range(10_000)]
    parts = [CertifiedPart(name, digest, 10**9, 10**6) for name in names]
    release = kanopy.anonymize(FRAME, POLICY)
    written = certified_folder("out", parts, release.frame.column_names)
    more = {"policy_sha256": policy_digest(POLICY), "date": "2026-03-02T09:15:00Z"}
    assert len(certificate_bytes(certificate_of(release.told(), POLICY, written, **more))) < 3_000_000
    one_more = certified_folder("out", [*parts, parts[0]._replace(name="z.parquet")], written.columns)
    with pytest.raises(PolicyError, match="10,001 parts"):
        certificate_bytes(certificate_of(release.told(), POLICY, one_more, **more))


# --- What other programs would read ----------------------------------------------------------------------


def test_a_file_too_many(out: Path) -> None:
    for name in ("_metadata", ".part.crc", "_temporary"):
        (out / name).write_bytes(b"x")
    assert kanopy.verify(out).kept
    for name in ("notes.txt", "more.csv", "_a=1", "b=2"):
        (out / name).mkdir() if "=" in name else (out / name).write_bytes(b"x")
        found = kanopy.verify(out)
        assert list(failing(found)) == ["parts"]
        assert f": '{name}'" in failing(found)["parts"]
        wrong = {"file": name, "outcome": "fails"}
        assert (
            wrong.items()
            <= found.to_dict()["release"]["parts"][[p.name for p in found.parts].index(name)].items()
        )
        (out / name).rmdir() if "=" in name else (out / name).unlink()


def test_many_names_are_not_all_shown(out: Path) -> None:
    for number in range(12):
        (out / f"x{number:02}\x1b.csv").write_bytes(b"x")
    message = failing(kanopy.verify(out))["parts"]
    assert "added: 'x00\\x1b.csv'" in message
    assert "and 7 more" in message
    assert "\x1b" not in run("verify", out).out


def test_a_part_without_its_header_and_one_that_is_no_table(out: Path) -> None:
    """PRIVACY: without a header the first row stands in the place of names, and is not shown."""
    name = names_of(out)[1]
    raw = (out / name).read_bytes()
    (out / name).write_bytes(raw.split(b"\n", 1)[1] if name.endswith(".csv") else raw[:-20])
    found = kanopy.verify(out)
    assert {"parts", "bytes", "promise"} <= set(failing(found))
    assert {"columns", "table"} & set(failing(found))
    assert outcomes(found)["order"] == "not checked"
    for more in ((), ("--json",)):
        outcome = run("verify", out, *more)
        assert outcome.code == 1
        assert_clean(outcome)


def test_no_part_is_there(out: Path) -> None:
    for name in names_of(out):
        (out / name).unlink()
    assert {"parts", "bytes", "table", "promise"} == set(failing(kanopy.verify(out)))


def test_rows_that_are_divided_otherwise(out: Path) -> None:
    def change(known: dict[str, Any]) -> None:
        first, second, _ = known["release"]["parts"]
        first["rows"] += 1
        second["rows"] -= 1

    edit(out, change)
    assert failing(kanopy.verify(out)) == {"rows": "96, but divided into other parts than certified"}


def test_columns_in_another_order(out: Path) -> None:
    name = names_of(out)[0]
    rows = rows_of(out, name)
    (out / name).write_bytes(part_bytes(rows.select(rows.column_names[::-1]), Path(name).suffix))
    forge(out)
    assert {"columns", "promise"} == set(failing(kanopy.verify(out)))


def test_numbers_are_sorted_as_texts(tmp_path: Path) -> None:
    table = pa.table({"age": ["30"] * 24, "stay": [number % 12 for number in range(24)]})
    policy = kanopy.Policy(["age"], keep=["stay"], k=4)
    out = write_parts(tmp_path / "out", ".parquet", 2, table=table, policy=policy)
    assert kanopy.verify(out).kept
    first, second = names_of(out)
    rows = pa.concat_tables([rows_of(out, first), rows_of(out, second)]).sort_by("stay")
    (out / first).write_bytes(part_bytes(rows.slice(0, 12), ".parquet"))
    (out / second).write_bytes(part_bytes(rows.slice(12), ".parquet"))
    forge(out)
    assert list(failing(kanopy.verify(out))) == ["order"]


# --- Requests and certificates that are none -------------------------------------------------------------


def listed(change: Callable[[list[dict[str, Any]]], Any]) -> Callable[[dict[str, Any]], Any]:
    return lambda known: change(known["release"]["parts"])


def two_formats(parts: list[dict[str, Any]]) -> None:
    for number, part in enumerate(parts):
        part["file"] = f"{number}{SUFFIXES[number % 2]}"


EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another digest of the whole": lambda known: known["release"].update(sha256="0" * 64),
    "more bytes": lambda known: known["release"].update(bytes=known["release"]["bytes"] + 1),
    "fewer rows": lambda known: known["release"].update(rows=95),
    "no parts": lambda known: known["release"].update(parts=[]),
    "parts as text": lambda known: known["release"].update(parts="part"),
    "a part that is a text": listed(lambda parts: parts.append("part")),
    "a part twice": listed(lambda parts: parts.append(parts[-1])),
    "parts in another order": listed(lambda parts: parts.reverse()),
    "a part without rows": listed(lambda parts: parts[0].update(rows=0)),
    "rows as text": listed(lambda parts: parts[0].update(rows="32")),
    "no digest of a part": listed(lambda parts: parts[0].update(sha256="0" * 63)),
    "a digest in capitals": listed(lambda parts: parts[0].update(sha256="A" * 64)),
    "no bytes": listed(lambda parts: parts[0].pop("bytes")),
    "another format": listed(lambda parts: parts[0].update(file="part.txt")),
    "two formats": listed(two_formats),
}
NAMES = (
    "../x.csv", "/x.csv", "a/x.csv", "a\\x.csv", ".x.csv", "_x.csv", "", ".csv", "..", "x\n.csv", "x\x00.csv",
    "\ud800.csv",
)  # fmt: skip


def refused(out: Path) -> str:
    outcome = run("verify", out)
    assert outcome.code == 3
    assert_clean(outcome)
    return outcome.err


@pytest.mark.parametrize("edit_of", EDITS)
def test_a_certificate_that_was_edited_is_refused(edit_of: str, out: Path) -> None:
    edit(out, EDITS[edit_of])
    assert "is no certificate that can be checked" in refused(out)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_leads_to_a_file_in_the_folder_alone(name: str, tmp_path: Path) -> None:
    out = write_parts(tmp_path / "out")
    edit(out, listed(lambda parts: parts[0].update(file=name)))
    assert "a part in it has a name that no part may have" in refused(out)
    with pytest.raises(InputError, match="is no certificate of a folder"):
        kanopy.audit(out, POLICY)


def test_a_folder_without_a_certificate(out: Path) -> None:
    (out / FOLDER_CERTIFICATE).unlink()
    said = refused(out)
    assert "no release: _kanopy.json is not in it; a run that was interrupted leaves none" in said
    assert "kanopy audit" in said


def test_a_file_and_a_folder_are_not_taken_for_each_other(out: Path) -> None:
    path = kanopy.anonymize(FRAME, POLICY).write(out.parent / "r.csv")
    with pytest.raises(InputError, match="is the certificate of a file"):
        kanopy.verify(out, certificate=certificate_path(path))
    with pytest.raises(InputError, match="that of a folder"):
        kanopy.verify(path, certificate=certificate_path(out))
    assert run("verify", os.devnull).code == 2


@pytest.mark.parametrize("change", ["a part", "a new file"])
def test_a_folder_that_changes_while_it_is_read(
    change: str, out: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = folder._read  # type: ignore[attr-defined]

    def meanwhile(*given: Any) -> Any:
        name = names_of(out)[-1] if change == "a part" else "new.csv"
        with (out / name).open("ab") as stream:
            stream.write(b"x")
        return read(*given)

    monkeypatch.setattr(folder, "_read", meanwhile)
    with pytest.raises(InputError, match="the folder changed while it was read"):
        kanopy.verify(out)
