"""The first screen: which file it is, the verdict, the worst findings, the risks, what is left to learn."""

from __future__ import annotations

import hashlib
import json
from dataclasses import replace
from datetime import date
from pathlib import Path

import pyarrow as pa
import pytest
from command import run
from report_tables import people, policy

import kanopy
from kanopy.auditing import Finding
from kanopy.privacy import Template
from kanopy.reporting import ReleaseSummary, render

SECRETS = ("SecretTown", "SecretName", "4711")


@pytest.fixture(scope="module")
def release() -> kanopy.Release:
    return kanopy.anonymize(people(300), policy(5))


def screen(text: str) -> str:
    """What stands above the promise, of a report as Markdown."""
    return text.partition("## The promise")[0]


@pytest.mark.parametrize("suffix", ["csv", "parquet"])
def test_it_names_the_bytes_of_the_file(suffix: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")
    (tmp_path / "data.csv").write_text("q,class\n" + "a,y\nb,n\n" * 20, "utf-8")
    flags = ("--quasi", "q", "--target", "class", "--k", "5")
    written, report = tmp_path / f"release.{suffix}", tmp_path / "report.json"
    outcome = run("anonymize", tmp_path / "data.csv", "-o", written, *flags, "--report", report)
    assert outcome.code == 0
    told = json.loads(report.read_bytes())
    digest = hashlib.sha256(written.read_bytes()).hexdigest()
    assert told["file"] == {"name": written.name, "sha256": digest, "date": "2023-11-14T22:13:20Z"}
    certificate = json.loads((tmp_path / f"release.{suffix}.kanopy.json").read_bytes())
    assert certificate["policy"]["sha256"] == told["policy_digest"]
    assert certificate["date"] == told["file"]["date"]


def test_what_is_not_written_has_no_hash(release: kanopy.Release) -> None:
    text = screen(render(release, ".md"))
    assert text.count("*not written yet*") == 3
    assert "300 published, none dropped" in text


@pytest.mark.parametrize(
    ("severity", "colour", "words"),
    [
        ("note", "green", "Green: the promise is kept"),
        ("warning", "yellow", "Yellow: the promise is kept, with warnings"),
        ("serious", "red", "Red: do not publish this as it is"),
    ],
)
def test_the_verdict_has_a_colour_and_a_word(severity: str, colour: str, words: str) -> None:
    made = kanopy.anonymize(people(300), policy(5))
    found = tuple(Finding(severity, f"found {number}", None, "", f"do {number}") for number in "abcd")
    made.audit = replace(made.audit, findings=found)
    summary, text = ReleaseSummary.of(made), screen(render(made, ".md"))
    assert summary.colour == colour
    assert words in text
    assert [f"Found {number}. Do {number}." in text for number in "abcd"] == [True, True, True, False]
    assert "Found d. Do d." in render(made, ".md").partition("Further findings of the audit:")[2]
    tone = {"green": "good", "yellow": "warn", "red": "bad"}[colour]
    assert f'class="verdict {tone}"' in render(made, ".html")


def test_risks_are_those_of_the_audit(release: kanopy.Release) -> None:
    risks, exact = ReleaseSummary.of(release).risks, release.audit.risks
    assert (risks.highest.value, risks.average.value) == (exact.prosecutor_highest, exact.marketer)
    assert risks.marketer == risks.average
    assert risks.matches is not None
    assert risks.matches.number == release.audit.groups
    assert "at most 20.0%" in screen(render(release, ".md"))


def test_risks_do_not_tell_small_groups() -> None:
    """Without a k: one row alone would be a risk of 100%, and few groups a share of the rows."""
    table = pa.table({"q": ["a", *["b"] * 39], "s": ["flu"] * 20 + ["cold"] * 20})
    bound = Template(["q"], "s", "cough", "0.5")
    promised = kanopy.Policy(quasi_identifiers=["q"], sensitive=["s"], privacy=bound, method="tdd")
    made = kanopy.anonymize(table, promised, utility="distortion")
    assert made.audit.risks.prosecutor_highest == 1.0
    risks = ReleaseSummary.of(made).risks
    assert (risks.highest.value, risks.highest.words) == (None, "above 9.1%")
    assert (risks.average.value, risks.average.words) == (None, "below 27.5%")
    assert (risks.journalist.value, risks.journalist.words) == (None, "not known")
    assert risks.high_risk is not None
    assert not risks.high_risk.is_told
    assert "| *none* | below 27.5% |" in screen(render(made, ".md"))


def test_of_persons_no_share_of_rows_is_told_but_to_the_board() -> None:
    made = kanopy.anonymize(people(300), policy(5, person=True))
    risks, exact = ReleaseSummary.of(made).risks, made.audit.risks
    assert {risks.highest, risks.average, risks.journalist, risks.marketer} == {risks.highest}
    assert (risks.highest.value, risks.highest.words, risks.matches) == (None, "not known", None)
    assert (risks.high_risk, exact.is_bound) == (None, False)
    public, board = render(made, ".md"), render(made, ".md", edition="board")
    assert "It does not say how these share its rows" in screen(public)
    told = f"{exact.prosecutor_highest:.1%}: so much of the rows of a group is one person's"
    assert (told in public, told in board) == (False, True)


def test_no_cell_of_the_source_is_shown_before_and_after() -> None:
    table = people(300)
    town = ["SecretTown" if row == 7 else word for row, word in enumerate(table["town"].to_pylist())]
    table = table.set_column(2, "town", pa.array(town))
    table = table.append_column("name", pa.array(["SecretName"] * 300))
    age = [4711 if row == 8 else number for row, number in enumerate(table["age"].to_pylist())]
    table = table.set_column(0, "age", pa.array(age))
    given = replace(policy(5), identifiers=["who", "name"])
    made = kanopy.anonymize(table, given)
    for edition in ("public", "board"):
        for suffix in (".html", ".md", ".json"):
            text = render(made, suffix, edition=edition)
            assert not [secret for secret in SECRETS if secret in text]
    changes = {each.column: each for each in ReleaseSummary.of(made).changes}
    assert changes.keys() == set(table.column_names)
    assert (changes["age"].kind, changes["sex"].kind, changes["name"].kind) == ("numbers", "texts", "")
    assert not changes["name"].is_published
    assert changes["illness"].after is None
    text = render(made, ".md")
    assert "| name | identifier | *not shown* | dropped |" in text


def test_what_the_policy_declares_is_told() -> None:
    born = [f"{1 + row % 28:02}.03.{1950 + row % 40}" for row in range(120)]
    table = pa.table({"born": born, "came": ["2020-03-01", "2020-04-02"] * 60, "c": ["y", "n"] * 60})
    given = kanopy.Policy(
        quasi_identifiers=["age", "came"],
        identifiers=["born"],
        target="c",
        columns={"born": {"kind": "date", "formats": ["%d.%m.%Y"]}, "came": {"kind": "date"}},
        derived={"age": {"from": "born", "as": "years", "at": date(2024, 1, 1)}},
        k=5,
    )
    changes = {each.column: each for each in ReleaseSummary.of(kanopy.anonymize(table, given)).changes}
    assert (changes["age"].kind, changes["came"].kind) == ("derived from born", "dates")


def test_usefulness_is_counted_on_the_published_rows(release: kanopy.Release) -> None:
    summary = ReleaseSummary.of(release)
    certainty = next(each for each in summary.certainties if each.role == "target")
    text = screen(render(release, ".md"))
    assert certainty.guessed.share is not None
    assert certainty.guessed_blindly.share is not None
    assert f"class guessed from groups | {certainty.guessed.percent}" in text
    assert f"majority rate of the class | {certainty.guessed_blindly.percent}" in text
    gained = certainty.guessed.share - certainty.guessed_blindly.share
    assert f"majority rate by {gained:.1%} of the rows" in text
