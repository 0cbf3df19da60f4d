"""What the command line says, word for word. KANOPY_UPDATE_GOLDEN=1 rewrites the golden texts."""

from __future__ import annotations

import json
import os
import re
import sys
from pathlib import Path

import pytest
from command import Outcome, run

FOLDER = Path(__file__).parent
POLICY = """\
quasi_identifiers = ["age", "sex"]
target = "income"
sensitive = ["illness"]
[privacy]
k = 2
[[privacy.diversity]]
column = "illness"
l = 2
"""
KEPT = """\
age,sex,illness,income
"[20, 29]",*,flu,low
"[20, 29]",*,cold,low
"[30, 39]",f,flu,low
"[30, 39]",f,cold,high
,m,flu,high
,m,cold,high
"""
BROKEN = KEPT.replace(",m,cold,high\n", ",m,flu,high\n40,m,flu,low\n")


@pytest.fixture(autouse=True)
def _plain_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    for name in ("FORCE_COLOR", "PYTHON_COLORS"):
        monkeypatch.delenv(name, raising=False)


def compare(name: str, text: str) -> None:
    """The text must be the golden one, to the byte."""
    path = FOLDER / f"{name}.txt"
    if os.environ.get("KANOPY_UPDATE_GOLDEN") == "1":
        path.write_bytes(text.encode())
    assert text == path.read_bytes().decode()


def words(text: str) -> set[str]:
    return set(re.findall(r"--?[a-z][a-z-]*|[a-z]+", text))


@pytest.mark.parametrize(
    ("name", "arguments"),
    [
        ("help", ("--help",)),
        ("anonymize_help", ("anonymize", "--help")),
        ("verify_help", ("verify", "--help")),
        ("referee_help", ("referee", "--help")),
        ("draw_help", ("draw", "--help")),
        ("profile_help", ("profile", "--help")),
    ],
)
def test_help(name: str, arguments: tuple[str, ...]) -> None:
    outcome = run(*arguments)
    assert (outcome.code, outcome.err) == (0, "")
    if sys.version_info[:2] == (3, 11):
        compare(name, outcome.out)
    # Other versions of Python break lines elsewhere; nothing may be lost all the same.
    assert words((FOLDER / f"{name}.txt").read_text("utf-8")) <= words(outcome.out)


def test_no_command_is_help() -> None:
    assert run() == run("--help")


def test_methods() -> None:
    outcome = run("methods")
    assert (outcome.code, outcome.err) == (0, "")
    compare("methods", outcome.out)


def test_demo() -> None:
    outcome = run("demo")
    assert (outcome.code, outcome.err) == (0, "")
    assert "\x1b" not in outcome.out
    compare("demo", outcome.out)


def test_report(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The report on the release of the demo, as Markdown."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert run("demo", "--save", tmp_path).code == 0
    outcome = run(
        *("anonymize", tmp_path / "patients.csv", "-o", tmp_path / "again.csv"),
        *("--policy", tmp_path / "policy.toml", "--report", tmp_path / "report.md"),
    )
    assert outcome.code == 0
    compare("report", (tmp_path / "report.md").read_bytes().decode())


def test_suggest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    lines = [
        f"p{i:03},{20 + i % 7},{i % 5:05d},{'?fm'[i % 3]},{['flu', 'cold'][i % 2]},{'YN'[i % 2]}"
        for i in range(40)
    ]
    Path("people.csv").write_text("\n".join(["patient_id,age,zip,sex,diagnosis,outcome", *lines]), "utf-8")
    outcome = run("suggest", "people.csv")
    assert outcome.code == 0
    compare("suggest", outcome.out)
    compare("suggest_next", outcome.err)


def audit(folder: Path, table: str, *flags: str) -> Outcome:
    (folder / "table.csv").write_text(table, "utf-8")
    (folder / "policy.toml").write_text(POLICY, "utf-8")
    return run("audit", folder / "table.csv", "--policy", folder / "policy.toml", *flags)


@pytest.mark.parametrize(("name", "table", "code"), [("audit_kept", KEPT, 0), ("audit_broken", BROKEN, 1)])
def test_audit(name: str, table: str, code: int, tmp_path: Path) -> None:
    outcome = audit(tmp_path, table)
    assert (outcome.code, outcome.err) == (code, "")
    compare(name, outcome.out)


def test_audit_json(tmp_path: Path) -> None:
    outcome = audit(tmp_path, BROKEN, "--json")
    assert outcome.code == 1
    verdict = json.loads(outcome.out)
    inner = [f"{key}.{name}" for key in ("promises", "findings") for name in verdict[key][0]]
    compare("audit_json_keys", "\n".join([*verdict, *inner]) + "\n")
    assert [result["kept"] for result in verdict["promises"]] == [False, False]


def test_profile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The patients of the demo, some of their columns; and all columns of the release."""
    monkeypatch.chdir(tmp_path)
    assert run("demo", "--save", ".").code == 0
    some = run("profile", "patients.csv", "--quasi", "age,sex,zip,smoker", "--sensitive", "diagnosis,bmi")
    quasi, sensitive = "age,sex,zip,admission_type,smoker,bmi", "diagnosis,length_of_stay,readmitted"
    whole = run("profile", "release.csv", "--quasi", quasi, "--sensitive", sensitive)
    assert (some.code, some.err, whole.code, whole.err) == (0, "", 0, "")
    compare("profile", f"{some.out}\n{whole.out}")


def test_verify(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The release of the demo, as it was written, and with one cell edited."""
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    assert run("demo", "--save", tmp_path).code == 0
    whole = run("verify", tmp_path / "release.csv", "--policy", tmp_path / "policy.toml")
    raw = (tmp_path / "release.csv").read_bytes()
    (tmp_path / "release.csv").write_bytes(raw.replace(b",yes", b",no", 1))
    edited = run("verify", tmp_path / "release.csv")
    assert (whole.code, whole.err, edited.code, edited.err) == (0, "", 1, "")
    # Digests and versions differ with what pyarrow and kanopy are.
    compare("verify", re.sub(r"[0-9a-f]{64}|(?<=kanopy )[0-9.]+", "...", f"{whole.out}\n{edited.out}"))


def test_every_text_is_compared() -> None:
    """A golden text that no test looks at would rot."""
    named = set(re.findall(r'"([a-z_]+)"', Path(__file__).read_text("utf-8")))
    assert {path.stem for path in FOLDER.glob("*.txt")} <= named
