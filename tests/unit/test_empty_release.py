"""A release whose quasi-identifiers are all suppressed says nothing: refused, unless it was agreed to."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from command import assert_clean, content, run

import kanopy
from kanopy.errors import KanopyWarning, UnsatisfiableError

# The class does not depend on the zip, so no tree has a split.
NOTHING = pd.DataFrame({"zip": [f"z{i % 12}" for i in range(48)], "class": list("YN" * 12 + "NY" * 12)})
SOME = NOTHING.assign(zip=["z0" if label == "Y" else "z1" for label in NOTHING["class"]])
POLICY = kanopy.Policy(quasi_identifiers=["zip"], target="class", k=10)
TOLD = "every quasi-identifier is suppressed in every row"


@pytest.mark.parametrize("method", ["kactus", "kadet", "apt", "tdd"])
def test_it_is_refused_and_the_message_says_what_to_do(method: str) -> None:
    with pytest.raises(UnsatisfiableError, match="the release would say nothing") as caught:
        kanopy.anonymize(NOTHING, POLICY, method=method)
    assert caught.value.exit_code == 4
    for advice in ("smaller k", "fewer quasi-identifiers", "another method", "allow_empty=True"):
        assert advice in caught.value.hint
    assert "--allow-empty" in caught.value.hint.for_shell


@pytest.mark.parametrize("method", ["kactus", "kadet", "apt", "tdd"])
def test_it_may_be_allowed_and_is_a_warning(method: str) -> None:
    release = kanopy.anonymize(NOTHING, POLICY, method=method, allow_empty=True)
    assert release.says_nothing
    assert set(release.frame["zip"]) == {"*"}
    for reading in ("pessimistic", "optimistic"):
        verdict = kanopy.audit(release.frame, POLICY, reading=reading)
        assert [TOLD in each.message for each in verdict.findings if each.severity == "warning"] == [True]
    some = kanopy.anonymize(SOME, POLICY, method=method)
    assert not some.says_nothing
    assert not any(TOLD in finding.message for finding in some.audit.findings)


def test_one_cell_that_is_shown_is_something() -> None:
    """Missing is not suppressed, and one column is enough."""
    policy = kanopy.Policy(quasi_identifiers=["a", "b"], k=2)
    for column in (["*", "*", "*", ""], ["*", "*", "x", "x"]):
        verdict = kanopy.audit(pd.DataFrame({"a": ["*"] * 4, "b": column}), policy)
        assert not any(TOLD in finding.message for finding in verdict.findings)
    verdict = kanopy.audit(pd.DataFrame({"a": ["*"] * 4, "b": ["*"] * 4}), policy)
    assert any(TOLD in finding.message for finding in verdict.findings)


def test_the_command_writes_nothing_unless_it_is_allowed(tmp_path: Path) -> None:
    NOTHING.to_csv(tmp_path / "data.csv", index=False)
    flags = ("--quasi=zip", "--target=class", "--k=10", "--method=kactus", "--report", tmp_path / "report.md")
    request = ("anonymize", tmp_path / "data.csv", "-o", tmp_path / "out.csv", *flags)
    outcome = run(*request)
    assert outcome.code == 4
    assert "--allow-empty" in outcome.err
    assert_clean(outcome)
    assert sorted(content(tmp_path)) == ["data.csv"]
    outcome = run(*request, "--allow-empty")
    assert outcome.code == 0, outcome
    assert TOLD in outcome.err
    assert TOLD in (tmp_path / "report.md").read_text().lower()
    audited = run("audit", tmp_path / "out.csv", *flags[:3])
    assert audited.code == 0
    assert audited.out.startswith("verdict  yellow: the promise is kept, but there is 1 warning\n")


def test_an_evaluation_counts_it_and_does_not_fail() -> None:
    found = kanopy.evaluate(NOTHING, POLICY, methods=["kactus"], learners=["c45"], jobs=1).table
    assert found["accuracy"].notna().all()
    assert (found["n_folds"] == 10).all()


def test_an_estimator_warns() -> None:
    with pytest.warns(KanopyWarning, match="the release says nothing"):
        fitted = kanopy.KactusAnonymizer(k=10).fit(NOTHING[["zip"]], NOTHING["class"])
    assert set(fitted.recode(NOTHING[["zip"]])["zip"]) == {"*"}
