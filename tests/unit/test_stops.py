"""What stops a release: columns that tell who people are, in any role, unless the policy accepts them."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from command import assert_clean, content, run
from effort import IS_DEEP

import kanopy
from kanopy.errors import PolicyError
from kanopy_studies.datasets import load, names

N_ROWS = 200
RNG = np.random.default_rng(5)
AGES = RNG.integers(18, 80, N_ROWS)
OUTCOMES = RNG.choice(["yes", "no"], N_ROWS)
NOTES = [f"Patient {i} arrived late, was seen by doctor {i % 7} and sent home." for i in range(N_ROWS)]
SIDES = ("left", "right", "both")
STOPPING = {
    "identifier": {
        "keys": [f"P{100000 + 7 * i}" for i in range(N_ROWS)],
        "serial numbers": list(range(5000, 5000 + N_ROWS)),
        "e-mail": [f"someone{i}@example.org" for i in range(N_ROWS)],
        "repeated keys": [f"P{100000 + i % 70}" for i in range(N_ROWS)],
        "phones in a few remarks": [
            f"call 0171/{1234567 + i}" if i % 20 == 0 else f"knee {SIDES[i % 3]}" for i in range(N_ROWS)
        ],
        "one date of birth": ["born 12.3.1980" if i == 7 else f"knee {SIDES[i % 3]}" for i in range(N_ROWS)],
    },
    "free text": {"notes": NOTES},
}
MEASURED = {
    "floats": RNG.normal(25, 4, N_ROWS),
    "grams": RNG.normal(3_400_000, 500_000, N_ROWS).astype(int),
    "salaries": (RNG.lognormal(10.5, 0.4, N_ROWS) * 10).astype(int),
    "times": [f"2023-0{1 + i % 9}-{1 + i % 28:02} {i % 24:02}:{7 * i % 60:02}" for i in range(N_ROWS)],
    "few": RNG.choice(["a", "b", "c"], N_ROWS),
}


def table(**more: Any) -> pd.DataFrame:
    return pd.DataFrame({"age": AGES, "outcome": OUTCOMES, **more})


def policy(**fields: Any) -> kanopy.Policy:
    return kanopy.Policy(**{"quasi_identifiers": ["age"], "target": "outcome", "k": 5, **fields})


@pytest.mark.parametrize("role", ["quasi_identifiers", "sensitive", "keep"])
@pytest.mark.parametrize(("kind", "held"), [(kind, held) for kind in STOPPING for held in STOPPING[kind]])
def test_it_stops_in_every_role_and_goes_on_where_it_is_accepted(kind: str, held: str, role: str) -> None:
    code, values = f"{kind}:x", STOPPING[kind][held]
    fields: dict[str, Any] = {role: ["age", "x"] if role == "quasi_identifiers" else ["x"]}
    with pytest.raises(PolicyError, match="column 'x' is published and holds") as caught:
        kanopy.anonymize(table(x=values), policy(**fields))
    assert caught.value.exit_code == 2
    assert f'accept = ["{code}"]' in caught.value.hint
    assert "identifiers" in caught.value.hint
    assert not any(str(value) in str(caught.value) for value in values)
    release = kanopy.anonymize(table(x=values), policy(**fields, accept=[code]))
    (found,) = [finding for finding in release.audit.findings if finding.code == code]
    assert found.severity == "warning"
    assert "the policy accepts this" in found.message
    assert release.audit.colour == "yellow"
    dropped = {"quasi_identifiers": ["age"], "identifiers": ["x"]}
    assert kanopy.anonymize(table(x=values), policy(**dropped)).audit.kept


@pytest.mark.parametrize("role", ["target", "sensitive", "keep", "quasi_identifiers"])
def test_phones_in_a_few_remarks_are_counted_by_rows_and_not_shown(role: str) -> None:
    fields = {role: ["age", "x"] if role == "quasi_identifiers" else "x" if role == "target" else ["x"]}
    source = table(x=STOPPING["identifier"]["phones in a few remarks"])
    with pytest.raises(PolicyError, match="phone numbers in 10 of 200 rows") as caught:
        kanopy.anonymize(source, policy(**{"identifiers": ["outcome"] if role == "target" else [], **fields}))
    assert "0171" not in str(caught.value)
    draft = next(column for column in kanopy.suggest(source).columns if column.name == "x")
    assert (draft.role, draft.kind, draft.certainty) == ("identifiers", "phone", "sure")
    audit = kanopy.audit(source, policy(**{"identifiers": ["outcome"] if role == "target" else [], **fields}))
    assert "identifier:x" in [found.code for found in audit.findings if found.severity == "serious"]


def test_every_column_is_named_at_once() -> None:
    keys = STOPPING["identifier"]["keys"]
    with pytest.raises(PolicyError, match="2 columns would tell who people are") as caught:
        kanopy.anonymize(table(id=keys, note=NOTES), policy(keep=["id", "note"]))
    assert "'id'" in caught.value.message
    assert "'note'" in caught.value.message
    assert "declare them in identifiers" in caught.value.hint
    assert "agrees to publish them all the same" in caught.value.hint
    assert 'accept = ["identifier:id", "free text:note"]' in caught.value.hint
    with pytest.raises(PolicyError, match="1 column would") as caught:
        kanopy.anonymize(table(id=keys, note=NOTES), policy(keep=["id", "note"], accept=["free text:note"]))
    assert "agrees to publish it all the same" in caught.value.hint


def test_measurements_with_many_different_numbers_do_not_stop() -> None:
    fields = {"quasi_identifiers": ["age", *MEASURED]}
    release = kanopy.anonymize(table(**MEASURED), policy(**fields))
    assert release.audit.kept
    assert not any(finding.code.startswith("identifier") for finding in release.audit.findings)
    (found,) = [each for each in release.audit.findings if each.code.startswith("nearly unique")]
    assert (found.column, found.severity) == ("times", "warning")


def test_times_of_day_that_are_published_as_they_are_are_warned_about() -> None:
    clock = [f"{i % 24:02}:{7 * i % 60:02}" for i in range(N_ROWS)]
    audit = kanopy.anonymize(table(x=clock), policy(keep=["x"])).audit
    found = next(finding for finding in audit.findings if finding.code == "date:x")
    assert "times of day" in found.message
    assert "hours" in found.advice
    assert audit.colour == "yellow"


def test_a_few_words_that_are_also_names_do_not_stop() -> None:
    trades = ["cook", "baker", "smith", "mason", "judge", "nurse"]
    jobs = RNG.choice(trades, N_ROWS)
    assert kanopy.anonymize(table(job=jobs), policy(keep=["job"])).audit.kept
    people = [f"{trades[i % 6].title()} {trades[i // 6 % 6].title()}{'n' * (i % 5)}" for i in range(N_ROWS)]
    with pytest.raises(PolicyError, match="names of people"):
        kanopy.anonymize(table(name=people), policy(keep=["name"]))


def test_few_rows_decide_nothing() -> None:
    few = table(x=STOPPING["identifier"]["keys"]).head(15)
    assert kanopy.anonymize(few, policy(keep=["x"])).audit.kept


@pytest.mark.skipif("KANOPY_DATA" not in os.environ, reason="KANOPY_DATA names no folder with the data sets")
@pytest.mark.parametrize("name", names())
def test_no_benchmark_table_stops(name: str) -> None:
    source = load(name, download=False)
    source = source if IS_DEEP else source.slice(0, 3_000)
    *inputs, target = source.column_names
    fields: dict[str, Any] = {"quasi_identifiers": inputs, "target": target}
    release = kanopy.anonymize(source, policy(**fields, k=10), method="mondrian")
    assert not any(finding.severity == "serious" for finding in release.audit.findings)


@pytest.mark.usefixtures("few_folds")
def test_an_evaluation_publishes_nothing_and_does_not_stop() -> None:
    source = table(x=STOPPING["identifier"]["keys"])
    fields: dict[str, Any] = {"quasi_identifiers": ["age", "x"]}
    assert len(kanopy.evaluate(source, policy(**fields), methods=["mondrian"], learners=["nb"], jobs=1).table)


def test_an_estimator_stops_too() -> None:
    rows = table(x=STOPPING["identifier"]["keys"])[["age", "x"]]
    with pytest.raises(PolicyError, match="'x' is published and holds keys"):
        kanopy.MondrianAnonymizer(k=5).fit(rows, OUTCOMES)
    accepted = kanopy.MondrianAnonymizer(k=5, accept=["identifier:x"]).fit(rows, OUTCOMES)
    assert accepted.release_.audit.kept


def test_the_command_stops_with_exit_code_2_and_writes_nothing(tmp_path: Path) -> None:
    table(id=STOPPING["identifier"]["keys"], note=NOTES).to_csv(tmp_path / "data.csv", index=False)
    flags = ("--quasi=age,id", "--target=outcome", "--identifiers=note", "--k=5")
    request = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *flags)
    outcome = run(*request)
    assert outcome.code == 2
    assert "200 different values in 200 rows" in outcome.err
    assert 'accept = ["identifier:id"]' in outcome.err
    assert_clean(outcome)
    assert sorted(content(tmp_path)) == ["data.csv"]
    outcome = run(*request, "--accept=identifier:id", "--json")
    assert outcome.code == 0
    assert outcome.err.startswith("verdict  yellow: the promise is kept, but there is 1 warning\n")
    told = json.loads(outcome.out)
    assert next(iter(told)) == "audit"
    assert list(told["audit"])[:2] == ["colour", "findings"]
    assert "identifier:id" in [finding["code"] for finding in told["audit"]["findings"]]
    audited = run("audit", tmp_path / "out.csv", *flags)
    assert audited.code == 0, "the promise is kept"
    assert audited.out.startswith("verdict  red: the promise is kept, but there is 1 serious finding\n")
    worst = audited.out.splitlines()[1]
    assert worst.startswith("serious  column 'id' is published and holds keys")


def test_the_source_is_told_to_the_custodian_alone(tmp_path: Path) -> None:
    """A nearly unique column and repeated keys are counted on the source: they are in the record only."""
    source = table(times=MEASURED["times"], patient=STOPPING["identifier"]["repeated keys"])
    fields: dict[str, Any] = {"quasi_identifiers": ["age", "times"], "identifiers": ["patient"]}
    release = kanopy.anonymize(source, policy(**fields))
    private = {finding.code: finding for finding in release.audit.findings if finding.is_private}
    assert set(private) >= {"persons:patient"}
    assert private["persons:patient"].severity == "warning"
    told = json.dumps(release.told())
    assert "persons:" not in told
    assert 'is_private": true' not in told
    record = json.loads(release.write_record(tmp_path / "record.json").read_text())
    assert "persons:patient" in [finding["code"] for finding in record["audit"]["findings"]]
    assert not kanopy.audit(release.frame, policy(**fields)).public().findings[0].is_private


@pytest.mark.parametrize(
    ("identifiers", "severity"),
    [
        ({"n": ["u", "v", "w", "x"]}, None),
        ({"n": ["u", "v", "u", "x"]}, "note"),
        ({"n": ["u", "v", "u", "x"], "m": ["1", "2", "3", "4"]}, None),
        ({"n": [[1], [1], [2], [2]]}, None),
        ({"n": [f"P{1000 + i // 3}" for i in range(120)]}, "warning"),
        ({"n": [f"P{1000 + i // 3}" for i in range(120)], "visit": list(range(120))}, "warning"),
    ],
)
def test_rows_that_may_not_be_persons(identifiers: dict[str, list[Any]], severity: str | None) -> None:
    n_rows = len(identifiers["n"])
    source = {"q": ["a"] * n_rows, "t": ["y", "n"] * (n_rows // 2), **identifiers}
    fields = {"quasi_identifiers": ["q"], "target": "t", "k": 2, "identifiers": list(identifiers)}
    found = kanopy.anonymize(pa.table(source), kanopy.Policy(**fields)).audit.findings
    assert [each.severity for each in found if each.code == "persons:n"] == ([severity] if severity else [])
    if severity:
        fields = {**fields, "person": "n", "identifiers": [name for name in identifiers if name != "n"]}
        found = kanopy.anonymize(pa.table(source), kanopy.Policy(**fields)).audit.findings
        assert not any(each.code.startswith("persons:") for each in found)


# --- earlier releases --------------------------------------------------------------------------------------


def compositions(outcome_err: str) -> int:
    return outcome_err.count("can be narrowed down with both")


def test_an_earlier_release_that_the_policy_names(tmp_path: Path) -> None:
    table().to_csv(tmp_path / "data.csv", index=False)
    text = 'quasi_identifiers = ["age"]\ntarget = "outcome"\nearlier = ["last.csv"]\n[privacy]\nk = 5\n'
    (tmp_path / "policy.toml").write_text(text)
    request = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv")
    missing = run(*request, "--policy", tmp_path / "policy.toml")
    assert (missing.code, "earlier names 'last.csv'" in missing.err) == (2, True)
    (tmp_path / "last.csv").write_text("age,outcome\n")
    outcome = run(*request, "--policy", tmp_path / "policy.toml", "--json")
    assert outcome.code == 0
    assert compositions(outcome.err) == 1
    assert "kanopy attack RELEASE --source DATA --policy POLICY --with last.csv" in outcome.err
    assert "last.csv" not in outcome.out, "it is nobody else's business which files the custodian has"


def test_a_certificate_beside_the_output(tmp_path: Path) -> None:
    table().to_csv(tmp_path / "data.csv", index=False)
    folder = tmp_path / "out"
    folder.mkdir()
    certificates: dict[str, Any] = {
        "same.csv": {"roles": {"age": "quasi_identifiers", "outcome": "target"}},
        "other.csv": {"roles": {"zip": "quasi_identifiers"}},
        "broken.csv": ["roles"],
        "out.csv": {"roles": {"age": "quasi_identifiers"}},  # of the file that is replaced
    }
    for name, said in certificates.items():
        (folder / f"{name}.kanopy.json").write_text(json.dumps(said))
    (folder / "text.csv.kanopy.json").write_text("{")
    os.mkfifo(folder / "pipe.csv.kanopy.json")
    flags = ("--quasi=age", "--target=outcome", "--k=5", "--force")
    outcome = run("anonymize", tmp_path / "data.csv", "-o", folder / "out.csv", *flags)
    assert outcome.code == 0
    assert compositions(outcome.err) == 1
    assert "'same.csv'" in outcome.err


def test_a_copy_of_the_release_is_no_second_one(tmp_path: Path) -> None:
    table().to_csv(tmp_path / "data.csv", index=False)
    request = ("anonymize", tmp_path / "data.csv", "--policy", tmp_path / "policy.toml")
    text = 'quasi_identifiers = ["age"]\ntarget = "outcome"\n[privacy]\nk = 5\n'
    (tmp_path / "policy.toml").write_text(text)
    assert run(*request, "-o", tmp_path / "first.csv").code == 0
    (tmp_path / "last.csv").write_bytes((tmp_path / "first.csv").read_bytes())
    (tmp_path / "policy.toml").write_text(f'earlier = ["last.csv"]\n{text}')
    outcome = run(*request, "-o", tmp_path / "second.csv")
    assert (outcome.code, compositions(outcome.err)) == (0, 0)
    for name in ("first.csv", "last.csv"):  # by its certificate, by the policy
        assert f"'{name}' is the same file as this release" in outcome.err
    (tmp_path / "last.csv").write_bytes((tmp_path / "first.csv").read_bytes()[:-1])
    assert compositions(run(*request, "-o", tmp_path / "third.csv").err) == 1
