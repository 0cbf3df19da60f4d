"""A policy file with several sets of quasi-identifiers, from the command line; and nothing claims a k."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command import Outcome, assert_clean, run

ROLES = 'quasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\n'
SETS = """
[[privacy.anonymity]]
given = ["age"]
k = 2

[[privacy.anonymity]]
given = ["sex"]
k = {}
"""
TEMPLATE = '[[privacy.template]]\ngiven = ["age"]\ncolumn = "ill"\nvalue = "flu"\nat_most = {}\n'
CROSSED = "age,sex,ill\n20,f,flu\n20,m,cold\n30,f,cold\n30,m,flu\n"


def command(folder: Path, name: str, privacy: str, *flags: str) -> Outcome:
    (folder / "policy.toml").write_text(ROLES + privacy, "utf-8")
    (folder / "table.csv").write_text(CROSSED, "utf-8")
    outcome = run(name, folder / "table.csv", "--policy", folder / "policy.toml", *flags)
    assert_clean(outcome)
    return outcome


def test_audit_lists_every_set_with_its_level(tmp_path: Path) -> None:
    outcome = command(tmp_path, "audit", SETS.format(2))
    assert outcome.code == 0
    assert "Every value of 'age' covers at least 2 rows. [kept; worst group: 2]" in unwrapped(outcome.out)
    assert "Every value of 'sex' covers at least 2 rows. [kept; worst group: 2]" in unwrapped(outcome.out)
    assert "4 in 4 groups; the smallest: 1, 1, 1, 1" in unwrapped(outcome.out)
    assert "no k is promised for all quasi-identifiers together" in unwrapped(outcome.out)
    assert command(tmp_path, "audit", SETS.format(2), "--k", "2").code == 1


def test_audit_of_a_near_miss(tmp_path: Path) -> None:
    outcome = command(tmp_path, "audit", SETS.format(3), "--json")
    verdict = json.loads(outcome.out)
    assert (outcome.code, verdict["kept"], verdict["k"]) == (1, False, 1)
    assert [(result["kept"], result["level"]) for result in verdict["promises"]] == [(True, 2), (False, 2)]


def test_anonymize_keeps_the_sets_and_claims_no_k(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for privacy in (SETS.format(2), TEMPLATE.format(0.5)):
        outcome = command(tmp_path, "anonymize", privacy, "-o", str(out), "--json", "--force")
        assert outcome.code == 0
        told = json.loads(outcome.out)
        assert told["manifest"]["not_promised"].startswith("No k is promised for all quasi-identifiers tog")
        assert "No k is promised for all quasi-identifiers together." in unwrapped(outcome.err)
        assert "combination of the quasi-identifiers covers" not in outcome.out + unwrapped(outcome.err)
        assert command(tmp_path, "audit", privacy).code == 0
    with_k = command(tmp_path, "anonymize", SETS.format(2), "--k", "2", "-o", str(out), "--json", "--force")
    assert json.loads(with_k.out)["manifest"]["not_promised"].startswith("Nothing is promised about other")


@pytest.mark.parametrize(
    ("privacy", "says"),
    [
        (SETS.format(5), "k = 5, but the table has 4 rows"),
        (TEMPLATE.format(0.4), "It is 1/2 in the whole table."),
    ],
)
def test_what_cannot_be_kept(privacy: str, says: str, tmp_path: Path) -> None:
    outcome = command(tmp_path, "anonymize", privacy, "-o", str(tmp_path / "out.csv"))
    assert outcome.code == 4
    assert says in unwrapped(outcome.err)
    assert not (tmp_path / "out.csv").exists()


def unwrapped(text: str) -> str:
    return " ".join(text.split())
