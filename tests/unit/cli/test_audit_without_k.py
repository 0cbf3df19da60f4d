"""``audit`` where nothing is promised: the figures of ``profile`` instead of an error."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pytest
from command import run

import kanopy

ROWS = "age,sex,ill,id\n20,f,flu,1\n20,f,cold,2\n30,m,flu,3\n30,m,flu,3\n"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("data.csv").write_text(ROWS)


def test_flags_alone() -> None:
    found = run("audit", "data.csv", "--quasi", "age,sex", "--sensitive", "ill", "--person", "id")
    assert found.code == 0
    same = run("profile", "data.csv", "--quasi", "age,sex", "--sensitive", "ill", "--person", "id")
    assert found.out == "".join(line for line in same.out.splitlines(True) if not line.startswith("next"))
    assert "no k was given, so nothing is judged" in found.err
    told = run("audit", "data.csv", "--quasi", "age,sex", "--json")
    assert json.loads(told.out) == json.loads(run("profile", "data.csv", "--quasi", "age,sex", "--json").out)


def test_a_policy_without_a_promise() -> None:
    Path("policy.toml").write_text(
        'quasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\nidentifiers = ["id"]\n'
    )
    found = run("audit", "data.csv", "--policy", "policy.toml", "--json")
    assert (found.code, json.loads(found.out)["k"]) == (0, 2)
    assert run("audit", "data.csv", "--policy", "policy.toml", "--k", "3").code == 1
    assert run("anonymize", "data.csv", "-o", "r.csv", "--policy", "policy.toml").code == 2


def test_a_release_whose_persons_are_gone() -> None:
    Path("policy.toml").write_text('quasi_identifiers = ["age", "sex"]\nsensitive = ["ill"]\nperson = "id"\n')
    Path("release.csv").write_text('age,sex,ill\n"[20, 30]",*,flu\n"[20, 30]",*,cold\n')
    found = run("audit", "release.csv", "--policy", "policy.toml", "--json")
    assert (found.code, json.loads(found.out)["unit"]) == (0, "rows")


def test_what_needs_a_promise_is_refused() -> None:
    found = run("audit", "data.csv", "--quasi", "age", "--reading", "optimistic")
    assert (found.code, "nothing to audit" in found.err) == (2, True)
    assert run("audit", "data.csv").code == 2


def test_python() -> None:
    table = pa.table({"age": ["1", "1", "2"], "sex": ["f", "f", "m"]})
    found = kanopy.audit(table, quasi_identifiers=["age", "sex"])
    assert found == kanopy.profile(table, ["age", "sex"])
    assert isinstance(kanopy.audit(table, kanopy.Policy(quasi_identifiers=["age", "sex"], k=2)), kanopy.Audit)
    with pytest.raises(kanopy.KanopyError, match=r"must be a kanopy\.Policy"):
        kanopy.audit(table)
