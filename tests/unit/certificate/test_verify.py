"""``kanopy verify``: a recipient has the release and its certificate, and nothing else."""

from __future__ import annotations

import csv
import hashlib
import io
import json
import re
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet
import pytest
from command import SECRET, assert_clean, run

import kanopy
from kanopy.errors import InputError, PolicyError
from kanopy.privacy import AlphaBound, Closeness, DistinctDiversity, KAnonymity

AGES = [str(20 + number % 8) for number in range(48)]
FRAME = pa.table(
    {
        "age": AGES,
        "zip": [("01234", "01239", "Köln")[number % 3] for number in range(48)],
        "ill": [("flu", "cold", "gout", SECRET)[number * 7 % 4] for number in range(48)],
        "name": [f"n{number}" for number in range(48)],
        "pid": [str(number // 2) for number in range(48)],
    }
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age", "zip"], "sensitive": ["ill"]}
POLICY = kanopy.Policy(**ROLES, identifiers=["name", "pid"], k=4, privacy=DistinctDiversity("ill", 2))
BY_PERSON = kanopy.Policy(**ROLES, identifiers=["name"], person="pid", k=4)


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    release = kanopy.anonymize(FRAME, POLICY)
    for name in ("release.csv", "release.parquet"):
        release.write(folder / name)
    kanopy.anonymize(FRAME, BY_PERSON).write(folder / "persons.csv")
    return folder


@pytest.fixture
def folder(made: Path, tmp_path: Path) -> Path:
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def outcomes(found: kanopy.Verification) -> dict[str, str]:
    return {check.name: check.outcome for check in found.checks}


def failing(found: kanopy.Verification) -> dict[str, str]:
    return {check.name: check.message for check in found.checks if check.outcome == "fails"}


def edit(path: Path, change: Callable[[dict[str, Any]], Any]) -> None:
    certificate = json.loads(path.read_text())
    change(certificate)
    path.write_text(json.dumps(certificate))


# --- What holds ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["release.csv", "release.parquet"])
def test_a_release_as_it_was_written_holds(name: str, folder: Path) -> None:
    found = kanopy.verify(folder / name)
    assert found.kept
    assert found.is_complete
    assert set(outcomes(found)) == {"certificate", "file", "bytes", "rows", "columns", "codebook", "promise"}
    assert found.audit is not None
    assert found.audit.kept
    outcome = run("verify", folder / name, "--json")
    assert outcome.code == 0
    assert json.loads(outcome.out) == json.loads(json.dumps(found.to_dict()))
    said = run("verify", folder / name).out
    assert re.match(r"verdict  (green|yellow): file, certificate and promise hold[;\n]", said)
    assert "not a signature" in said
    assert found.sha256 in said
    assert found.certificate.sha256 in said


def test_what_a_reviewer_accepted_is_accepted_here_too(tmp_path: Path) -> None:
    table = pa.table({"age": AGES, "who": [f"P{100_000 + number}" for number in range(48)]})
    policy = kanopy.Policy(["age"], keep=["who"], k=4, accept=["identifier:who"])
    release = kanopy.anonymize(table, policy)
    found = kanopy.verify(release.write(tmp_path / "r.csv"))
    assert found.colour == release.audit.colour == "yellow"
    assert found.to_dict()["colour"] == "yellow"


def test_the_policy_is_recognised_by_its_digest(folder: Path) -> None:
    assert outcomes(kanopy.verify(folder / "release.csv", policy=POLICY))["policy"] == "holds"
    other = kanopy.Policy(**ROLES, identifiers=["name", "pid"], k=3, privacy=DistinctDiversity("ill", 2))
    wrong = failing(kanopy.verify(folder / "release.csv", policy=other))
    assert list(wrong) == ["policy"]
    assert "it differs in the promise." in wrong["policy"]
    mdav = kanopy.Policy(**ROLES, identifiers=["name", "pid"], k=4, privacy=POLICY.privacy, method="mdav")
    assert "method" in failing(kanopy.verify(folder / "release.csv", policy=mdav))["policy"]


def test_a_renamed_release_is_told_so(folder: Path) -> None:
    (folder / "release.csv").rename(folder / "mail.csv")
    for name in ("persons.csv.kanopy.json", "release.parquet.kanopy.json"):
        (folder / name).unlink()
    outcome = run("verify", folder / "mail.csv")
    assert outcome.code == 3
    assert "the release was renamed; name its certificate: --certificate" in outcome.err
    beside = folder / "release.csv.kanopy.json"
    outcome = run("verify", folder / "mail.csv", "--certificate", beside)
    assert outcome.code == 0
    assert "it was called 'release.csv' then" in outcome.out


# --- What was changed on the way -------------------------------------------------------------------------


def crlf(raw: bytes) -> bytes:
    return raw.replace(b"\n", b"\r\n")


def with_mark(raw: bytes) -> bytes:
    return b"\xef\xbb\xbf" + raw


def quoted(raw: bytes) -> bytes:
    return raw.replace(b",flu", b',"flu"')


def as_csv(rows: Iterable[list[str]], **dialect: str) -> str:
    out = io.StringIO()
    csv.writer(out, **{"lineterminator": "\n", **dialect}).writerows(rows)  # type: ignore[arg-type]
    return out.getvalue()


def as_excel_in_germany(raw: bytes) -> bytes:
    rows = csv.reader(io.StringIO(raw.decode()))
    return as_csv(rows, delimiter=";", lineterminator="\r\n").encode("cp1252")


@pytest.mark.parametrize("change", [crlf, with_mark, quoted, as_excel_in_germany])
def test_a_file_that_was_saved_again(change: Callable[[bytes], bytes], folder: Path) -> None:
    path = folder / "release.csv"
    path.write_bytes(change(path.read_bytes()))
    wrong = failing(kanopy.verify(path))
    assert set(wrong) == {"file", "bytes"}
    assert "every cell is the same: a program has saved it again" in wrong["file"]
    outcome = run("verify", path)
    assert outcome.code == 1
    assert outcome.out.startswith("verdict  red: the check FAILS\n")


def test_a_parquet_file_that_was_saved_again(folder: Path) -> None:
    path = folder / "release.parquet"
    pa.parquet.write_table(pa.parquet.read_table(path), path, compression="none")
    assert "every cell is the same" in failing(kanopy.verify(path))["file"]


def test_one_cell_that_was_edited(folder: Path) -> None:
    path = folder / "release.csv"
    path.write_bytes(path.read_bytes().replace(b",flu", b",FLU", 1))
    wrong = failing(kanopy.verify(path))
    assert list(wrong) == ["file"], "the promise still holds"
    assert "what it holds was changed" in wrong["file"]


def test_an_edited_cell_that_breaks_the_promise_behind_a_forged_digest(folder: Path) -> None:
    """Whoever changes both is not found by the digest; the promise is counted all the same."""
    path = folder / "release.csv"
    rows = list(csv.reader(io.StringIO(path.read_text())))
    rows[1][0] = "77"
    path.write_text(as_csv(rows))
    forged = {"sha256": hashlib.sha256(path.read_bytes()).hexdigest(), "bytes": path.stat().st_size}
    edit(folder / "release.csv.kanopy.json", lambda known: known["release"].update(forged))
    found = kanopy.verify(path)
    assert set(failing(found)) == {"promise"}
    assert run("verify", path).code == 1


@pytest.mark.parametrize(
    ("change", "names"),
    [
        (lambda raw: raw.rsplit(b"\n", 2)[0] + b"\n", {"file", "bytes", "rows"}),
        (lambda raw: raw.split(b"\n", 1)[1], {"file", "bytes", "rows", "columns", "promise"}),
        (lambda raw: raw.replace(b"ill", b"sick", 1), {"file", "bytes", "columns", "promise"}),
        (lambda raw: b"\0\0", {"file", "bytes", "table", "promise"}),
        (lambda raw: b"", {"file", "bytes", "table", "promise"}),
    ],
    ids=["a row removed", "no header", "a column renamed", "no text", "empty"],
)
def test_another_table(change: Callable[[bytes], bytes], names: set[str], folder: Path) -> None:
    """PRIVACY: without a header the first row stands in the place of names, and is not shown."""
    path = folder / "release.csv"
    path.write_bytes(change(path.read_bytes()))
    found = kanopy.verify(path)
    assert set(failing(found)) >= names - {"promise"}
    assert ("promise" in failing(found)) >= ("promise" in names)
    for more in ((), ("--json",)):
        outcome = run("verify", path, *more)
        assert outcome.code == 1
        assert_clean(outcome)


def test_a_promise_in_words_that_is_not_the_one_that_is_counted(folder: Path) -> None:
    words = ["Every combination of the quasi-identifiers covers at least 400 rows."]
    edit(folder / "release.csv.kanopy.json", lambda known: known["promise"].update(sentences=words))
    assert list(failing(kanopy.verify(folder / "release.csv"))) == ["certificate", "codebook"]


def lacks_findings(known: dict[str, Any]) -> None:
    known["verdict"].update(findings=[], colour="green")


CONTRADICTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "colour": lambda known: known["verdict"].update(colour="red"),
    "serious": lambda known: known["verdict"]["findings"].insert(0, finding(severity="serious")),
    "the worst last": lambda known: known["verdict"]["findings"].append(finding(severity="warning")),
    "broken": lambda known: known["verdict"].update(findings=[finding(severity="broken")], colour="red"),
    "no findings": lacks_findings,
    "not promised": lambda known: known["promise"].update(not_promised="Nothing is left to promise."),
    "accepted": lambda known: known["verdict"].update(accepted=["identifier:ill"]),
    "left out": lambda known: known["verdict"].update(findings=[], colour="green", more_findings=3),
    "not true": lambda known: known.update(truthful=False),
    "notices": lambda known: known.update(notices=["this release is synthetic"]),
}


@pytest.mark.parametrize("change", CONTRADICTIONS)
def test_a_certificate_that_contradicts_itself(change: str, folder: Path) -> None:
    edit(folder / "persons.csv.kanopy.json", CONTRADICTIONS[change])
    found = failing(kanopy.verify(folder / "persons.csv"))
    assert list(found) == ["certificate", *(["codebook"] if change in ("not promised", "notices") else [])]


def test_what_another_version_wrote_in_words_is_not_checked(folder: Path) -> None:
    """Whoever forges can say so too: then nobody may read that the certificate agrees with itself."""

    def change(known: dict[str, Any]) -> None:
        known["kanopy"] = "9.0.0"
        known["promise"]["sentences"] = ["Nobody is in this table."]

    edit(folder / "release.csv.kanopy.json", change)
    found = kanopy.verify(folder / "release.csv")
    assert found.is_complete
    assert outcomes(found)["certificate"] == "not checked"
    outcome = run("verify", folder / "release.csv")
    assert outcome.code == 0
    assert re.match(r"verdict  (green|yellow): file and promise hold[;\n]", outcome.out)
    said = "[not checked] certificate: written by another version of kanopy, 9.0.0, on"
    assert said in outcome.out
    assert "agrees with itself" not in outcome.out


def test_a_long_promise_is_shortened_in_messages(folder: Path) -> None:
    def change(known: dict[str, Any]) -> None:
        bound = {"promise": "AlphaBound", "column": "ill", "value": None, "recount": "from the file"}
        known["promise"]["bounds"].append({**bound, "alpha": "0." + "9" * 4000})
        known["promise"]["not_promised"] = "x" * 100_000

    edit(folder / "release.csv.kanopy.json", change)
    assert len(run("verify", folder / "release.csv").out) < 10_000


# --- What cannot be counted without more -----------------------------------------------------------------


def test_persons_were_counted_when_the_file_was_written(folder: Path) -> None:
    found = kanopy.verify(folder / "persons.csv")
    assert found.kept
    assert not found.is_complete
    said = run("verify", folder / "persons.csv").out
    assert "file, certificate and promise hold, as far as it can be counted without the source" in said
    assert "Only rows were counted now" in said
    assert "kanopy counted them when it wrote the file" in said


def test_shares_of_persons_are_not_counted_in_rows(tmp_path: Path) -> None:
    """Five rows of one person would be five of six rows, and one of two persons."""
    rows = [("1", "flu")] * 5 + [("2", "cold"), ("3", "gout"), ("4", "flu"), ("5", "cold"), ("6", "gout")]
    table = pa.table({"age": ["30"] * 10, "ill": [ill for _, ill in rows], "pid": [pid for pid, _ in rows]})
    promises = [AlphaBound("ill", "0.4")]
    policy = kanopy.Policy(["age"], sensitive=["ill"], person="pid", k=6, privacy=promises)
    kanopy.anonymize(table, policy, allow_empty=True).write(tmp_path / "r.csv")
    checks = [check for check in kanopy.verify(tmp_path / "r.csv").checks if check.name == "promise"]
    assert [check.outcome for check in checks] == ["holds", "not checked"]
    found = kanopy.verify(tmp_path / "r.csv")
    assert found.audit is not None
    assert not any("no bound" in finding.message for finding in found.audit.findings), "there is one"
    in_rows = kanopy.Policy(["age"], sensitive=["ill"], privacy=promises)
    assert not kanopy.audit(tmp_path / "r.csv", in_rows).kept, "so rows would have said something else"


@pytest.mark.parametrize("distance", ["hierarchical", "ordered"])
def test_a_promise_that_needs_the_policy_is_counted_with_it(distance: str, tmp_path: Path) -> None:
    policy = kanopy.Policy(
        **ROLES,
        identifiers=["name", "pid"],
        privacy=[KAnonymity(4), Closeness("ill", 1, distance)],
        hierarchies={"ill": {"short": ["flu", "cold"], "long": ["gout", SECRET]}},
    )
    kanopy.anonymize(FRAME, policy).write(tmp_path / "r.csv")
    alone = kanopy.verify(tmp_path / "r.csv")
    assert alone.kept
    assert not alone.is_complete
    assert "give the policy too" in alone.checks[-1].message
    with_policy = kanopy.verify(tmp_path / "r.csv", policy=policy)
    assert with_policy.is_complete
    assert with_policy.checks[-1].outcome == "holds"
    assert SECRET not in (tmp_path / "r.csv.kanopy.json").read_text(), "the hierarchy is not told"


def test_dates_and_censored_numbers_are_recognised_with_their_policy(tmp_path: Path) -> None:
    days = [f"{1 + number % 28:02}.03.{1950 + number % 30}" for number in range(60)]
    levels = [f"{number % 9},5" if number % 4 else "<1" for number in range(60)]
    policy = kanopy.Policy(
        quasi_identifiers=["born"],
        sensitive=["crp"],
        k=4,
        privacy=Closeness("crp", 1, "ordered"),
        method="bottomup",
        columns={
            "born": {"kind": "date", "formats": ["%d.%m.%Y"], "levels": ["year", "decade"]},
            "crp": {"kind": "number", "decimal": ",", "censored": True},
        },
    )
    release = kanopy.anonymize(pa.table({"born": days, "crp": levels}), policy)
    found = kanopy.verify(release.write(tmp_path / "r.csv"), policy=policy)
    assert found.kept, found.checks
    assert found.is_complete
    assert found.audit is not None
    assert found.audit.promises == release.audit.promises
    assert not kanopy.verify(tmp_path / "r.csv").is_complete


@pytest.mark.parametrize(
    ("level", "warned"), [("day", True), ("month", False), ("quarter", False), ("year", False)]
)
@pytest.mark.parametrize("role", ["keep", "sensitive"])
def test_dates_that_were_cut_are_judged_alike_with_and_without_the_policy(
    role: str, level: str, warned: bool, tmp_path: Path
) -> None:
    days = [f"{1 + number % 28:02}.{1 + number % 12:02}.{1960 + number % 60}" for number in range(120)]
    name = 'Datum "der" Aufnahme'
    policy = kanopy.Policy(
        quasi_identifiers=["age"],
        k=4,
        columns={name: {"kind": "date", "formats": ["%d.%m.%Y"], "levels": [level]}},
        **{role: [name]},  # type: ignore[arg-type]
    )
    table = pa.table({"age": [str(20 + number % 8) for number in range(120)], name: days})
    release = kanopy.anonymize(table, policy)
    path = release.write(tmp_path / "r.csv")
    with_policy, alone = kanopy.audit(path, policy), kanopy.verify(path)
    assert alone.audit is not None
    assert alone.audit.findings == with_policy.findings
    dates = [each.advice for each in with_policy.findings if each.code.startswith(("date:", "identifier:"))]
    as_toml = '[columns."Datum \\"der\\" Aufnahme"]'
    advice = f'publish coarser dates, for example with levels = ["year"] in {as_toml}'
    assert dates == ([advice] if warned else [])


def test_numbers_that_are_declared_texts_are_ordered_as_texts(tmp_path: Path) -> None:
    table = pa.table({"age": AGES, "n": [str(number * 5 % 13) for number in range(48)]})
    base: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["n"], "categorical": ["n"]}
    policy = kanopy.Policy(**base, k=4, privacy=Closeness("n", 1, "ordered"))
    release = kanopy.anonymize(table, policy)
    release.write(tmp_path / "r.csv")
    found = kanopy.verify(tmp_path / "r.csv")
    assert found.audit is not None
    assert found.audit.promises == release.audit.promises


# --- Certificates that are none --------------------------------------------------------------------------


def nothing_promised(known: dict[str, Any]) -> None:
    known["promise"]["bounds"] = []


def many_bounds(known: dict[str, Any]) -> None:
    bound = {"promise": "AlphaBound", "column": "ill", "value": None, "recount": "from the file"}
    known["promise"]["bounds"] += [{**bound, "alpha": f"{number}/9999"} for number in range(1, 200)]


def finding(**changed: Any) -> dict[str, Any]:
    usual = {"severity": "note", "message": "m", "column": None, "code": "c", "advice": ""}
    return {**usual, **changed}


EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "another form": lambda known: known.update(format=2),
    "no form": lambda known: known.pop("format"),
    "true is no number": lambda known: known.update(format=True),
    "a date of another form": lambda known: known.update(date="\x1b[31mtoday"),
    "a day that no month has": lambda known: known.update(date="2026-02-30T10:00:00Z"),
    "a date with a space": lambda known: known.update(date="2026-2-3T10:00:00Z"),
    "an hour that no clock shows": lambda known: known.update(date="2026-02-03T25:00:00Z"),
    "rows of many digits": lambda known: known["release"].update(rows=10**4000),
    "bytes of many digits": lambda known: known["release"].update(bytes=10**19),
    "fewer than no rows": lambda known: known["release"].update(rows=-1),
    "a bound twice": lambda known: known["promise"]["bounds"].append(dict(known["promise"]["bounds"][0])),
    "too many bounds": many_bounds,
    "an unknown severity": lambda known: known["verdict"]["findings"].append(finding(severity="fine")),
    "a finding that is a text": lambda known: known["verdict"]["findings"].append("fine"),
    "a finding without a message": lambda known: known["verdict"]["findings"].append(finding(message=None)),
    "a finding on no column": lambda known: known["verdict"]["findings"].append(finding(column="x")),
    "too many findings": lambda known: known["verdict"].update(findings=[finding()] * 1001),
    "an unknown colour": lambda known: known["verdict"].update(colour="blue"),
    "a method that is a list": lambda known: known.update(method=[]),
    "truth as a text": lambda known: known.update(truthful="yes"),
    "a column of an unknown kind": lambda known: known["columns"].update(age={"kind": "colour"}),
    "a calendar level that is none": lambda known: known["columns"].update(
        age={"kind": "date", "level": "age"}
    ),
    "a version of another form": lambda known: known.update(kanopy="<script>"),
    "no release": lambda known: known.pop("release"),
    "rows as text": lambda known: known["release"].update(rows="48"),
    "columns as text": lambda known: known["release"].update(columns="age"),
    "a column that is a list": lambda known: known["release"].update(columns=[["age"]]),
    "no digest": lambda known: known["release"].update(sha256="0"),
    "a long digest": lambda known: known["policy"].update(sha256="0" * 65),
    "nothing promised": nothing_promised,
    "an unknown promise": lambda known: known["promise"]["bounds"].append({"promise": "Nothing"}),
    "a promise that is no entry": lambda known: known["promise"]["bounds"].append(5),
    "k of 1": lambda known: known["promise"]["bounds"][0].update(k=1),
    "an unknown unit": lambda known: known["promise"].update(counted="cells"),
    "persons that are not there": lambda known: known["promise"].update(counted="persons"),
    "an unknown role": lambda known: known["roles"].update(age="nobody"),
    "a role that is a list": lambda known: known["roles"].update(age=[]),
    "two targets": lambda known: known["roles"].update(age="target", zip="target"),
    "a column that is hidden": lambda known: known["roles"].update(ill="identifiers"),
    "a column of two roles": lambda known: known["quasi_identifiers"].append("ill"),
    "nothing is accepted": lambda known: known["verdict"].pop("accepted"),
    "something unknown is accepted": lambda known: known["verdict"].update(accepted=["x:age"]),
    "an unknown order": lambda known: known["promise"].update(ordered_as={"ill": "colours"}),
    "an order of no column": lambda known: known["promise"].update(ordered_as={"x": "texts"}),
}


@pytest.mark.parametrize("edit_of", EDITS)
def test_a_certificate_that_was_edited_is_refused(edit_of: str, folder: Path) -> None:
    edit(folder / "release.csv.kanopy.json", EDITS[edit_of])
    outcome = run("verify", folder / "release.csv")
    assert outcome.code == 3
    assert "is no certificate that can be checked" in outcome.err
    assert "kanopy audit" in outcome.err
    assert_clean(outcome)


def test_half_a_character_is_in_no_table(folder: Path) -> None:
    bound = {"promise": "AlphaBound", "column": "ill", "value": "\ud800", "alpha": "1/2"}
    whole = {**bound, "recount": "from the file"}
    edit(folder / "release.csv.kanopy.json", lambda known: known["promise"]["bounds"].append(whole))
    outcome = run("verify", folder / "release.csv")
    assert outcome.code == 1
    assert_clean(outcome)


@pytest.mark.parametrize(
    "raw",
    [
        b"", b"{", b"[]", b"null", b"5", b"\xff", b'{"a": 1, "a": 1}', b'{"a": NaN}', b'{"a": -Infinity}',
        b"[" * 200_000, b'{"a":' * 200_000, b"9" * 10_000, b'{"format": 1}', b'"\\ud800"', b"\0" * 100,
    ],
)  # fmt: skip
def test_what_is_no_certificate_is_refused(raw: bytes, folder: Path) -> None:
    (folder / "release.csv.kanopy.json").write_bytes(raw)
    outcome = run("verify", folder / "release.csv")
    assert outcome.code == 3
    assert_clean(outcome)


def test_a_certificate_cannot_excuse_a_promise_from_being_counted(folder: Path) -> None:
    """Only where the order of values matters does the one who writes it know more."""

    def excuse(known: dict[str, Any]) -> None:
        for bound in known["promise"]["bounds"]:
            bound["recount"] = "from the file, with the policy: it says how far apart values are"

    edit(folder / "release.csv.kanopy.json", excuse)
    assert kanopy.verify(folder / "release.csv").is_complete


def test_the_certificate_of_another_file_is_not_offered(folder: Path) -> None:
    (folder / "release.parquet.kanopy.json").unlink()
    outcome = run("verify", folder / "release.parquet")
    assert outcome.code == 3
    assert "csv" not in outcome.err
    assert "ask its publisher for it" in outcome.err


def test_missing_files_and_wrong_requests(folder: Path) -> None:
    (folder / "release.csv.kanopy.json").unlink()
    for name in ("persons.csv.kanopy.json", "release.parquet.kanopy.json"):
        (folder / name).unlink()
    outcome = run("verify", folder / "release.csv")
    assert outcome.code == 3
    assert "release.csv has no certificate: release.csv.kanopy.json is not beside it" in outcome.err
    assert "kanopy audit release.csv --policy policy.toml" in outcome.err
    assert run("verify", folder / "nothing.csv").code == 3
    assert run("verify", folder / "release.csv", "--certificate", folder / "nothing").code == 3
    assert run("verify", folder / "release.csv", "--certificate", folder).code == 3
    assert run("verify", folder).code == 3
    assert run("verify", "-").code == 2
    assert run("verify", folder / "release.csv", "--policy", folder / "nothing.toml").code == 2
    wrong: Any = 5
    with pytest.raises(PolicyError):
        kanopy.verify(wrong)
    with pytest.raises(PolicyError):
        kanopy.verify(folder / "release.csv", certificate=wrong)
    with pytest.raises(PolicyError):
        kanopy.verify(folder / "release.csv", policy=wrong)
    with pytest.raises(InputError):
        kanopy.verify(folder / "nothing.csv")
